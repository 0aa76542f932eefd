//! The decision: which move to play, and what to tell of the others.

use super::params::{FinalMove, Params};
use super::tree::{Node, ROOT, Tree};
use crate::MoveStats;
use crate::report::sign_move;
use game::{Game, Outcome, Packed, Relative, Score, Side};
use std::cmp::Ordering;

/// How good a choice a child is: the higher the better. What is certain decides first, then the rule.
#[derive(Clone, Copy, Debug)]
struct Rank {
    class: Class,
    key: f64,
    tie: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    ProvenLoss,
    /// A move that does not look better than a draw, where a draw is proven.
    NoBetterThanTheDraw,
    Open,
    ProvenWin,
}

impl Rank {
    fn compare(&self, other: &Rank) -> Ordering {
        self.class
            .cmp(&other.class)
            .then(self.key.total_cmp(&other.key))
            .then(self.tie.total_cmp(&other.tie))
    }
}

/// Ranks the children of one node.
struct MoveRanking<'a> {
    mover: Side,
    params: &'a Params,
    log_visits: f64,
    draw_is_proven: bool,
    /// What is known of a move that the tree has not.
    missing: Node,
}

impl<'a> MoveRanking<'a> {
    fn new<M: Packed>(tree: &Tree<M>, node: u32, mover: Side, params: &'a Params) -> Self {
        let link = tree.link(node);
        MoveRanking {
            mover,
            params,
            log_visits: libm::log(f64::from(tree.visits(node).max(1))),
            draw_is_proven: tree.drawn_child(link).is_some(),
            missing: if link.is_forced() {
                // The opponent wins with the next move.
                Node {
                    proven: Some(Outcome::Win(!mover)),
                    distance: 1,
                    ..Node::default()
                }
            } else {
                Node::default()
            },
        }
    }

    fn rank(&self, node: &Node) -> Rank {
        let visits = f64::from(node.visits());
        let distance = f64::from(node.distance);
        match node.proven.map(|outcome| outcome.seen_by(self.mover)) {
            // The shortest win, the longest loss, and of equally long ones the one that took the most
            // effort to find.
            Some(Relative::Win) => Rank {
                class: Class::ProvenWin,
                key: -distance,
                tie: visits,
            },
            Some(Relative::Loss) => Rank {
                class: Class::ProvenLoss,
                key: distance,
                tie: visits,
            },
            Some(Relative::Draw) => Rank {
                class: Class::Open,
                key: match self.final_move() {
                    FinalMove::Visits => visits,
                    FinalMove::Wins => visits * 0.5,
                    FinalMove::Mean | FinalMove::LowerBound => 0.5,
                },
                tie: 0.5,
            },
            None => self.rank_open(node),
        }
    }

    /// After all moves that the tree has and that are as good.
    fn rank_missing(&self) -> Rank {
        Rank {
            tie: f64::NEG_INFINITY,
            ..self.rank(&self.missing)
        }
    }

    fn rank_open(&self, node: &Node) -> Rank {
        let visits = f64::from(node.visits());
        let mean = if node.visits() == 0 {
            f64::NEG_INFINITY
        } else {
            node.mean(self.mover)
        };
        Rank {
            class: if self.draw_is_proven && mean <= 0.5 {
                Class::NoBetterThanTheDraw
            } else {
                Class::Open
            },
            key: match self.final_move() {
                FinalMove::Visits => visits,
                FinalMove::Wins => f64::from(node.points.halves(self.mover)) * 0.5,
                FinalMove::Mean => mean,
                FinalMove::LowerBound => mean - self.radius(visits.max(1.0)),
            },
            tie: mean,
        }
    }

    /// A lower bound needs a constant that makes it one.
    fn final_move(&self) -> FinalMove {
        match self.params.final_move {
            FinalMove::LowerBound if self.radius(1.0) == 0.0 => FinalMove::Visits,
            final_move => final_move,
        }
    }

    /// How far below its mean a move with so many visits may be, at least 1.
    fn radius(&self, visits: f64) -> f64 {
        let params = self.params;
        if params.puct > 0.0 {
            params.puct * (f64::from(params.puct_unit) / visits).sqrt()
        } else {
            params.exploration * (self.log_visits / visits).sqrt()
        }
    }
}

/// The legal moves of a position as a tree judges them.
pub(super) struct Decision<M> {
    /// The best first; moves that are equally good in the order of the generator.
    pub moves: Vec<MoveStats<M>>,
    /// What [`sign_move`] makes of the moves in the order of the generator.
    pub signature: u64,
}

/// Judges the legal moves of the position at the root. The tree need not have all of them.
pub(super) fn decide<G: Game>(
    tree: &Tree<G::Move>,
    position: &G,
    params: &Params,
) -> Decision<G::Move> {
    let mover = position.to_move();
    let ranking = MoveRanking::new(tree, ROOT, mover, params);
    let mut children: Vec<(G::Move, u32)> = tree
        .children(ROOT)
        .map(|index| (tree.mv(index), index))
        .collect();
    children.sort_unstable();
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);

    let mut judged: Vec<(Rank, MoveStats<G::Move>)> = legal
        .into_iter()
        .map(|mv| {
            let found = children.binary_search_by_key(&mv, |&(child, _)| child);
            let (node, rank) = match found {
                Ok(found) => {
                    let node = tree.node(children[found].1);
                    (node, ranking.rank(&node))
                }
                Err(_) => (ranking.missing, ranking.rank_missing()),
            };
            (rank, stats(mv, &node, mover))
        })
        .collect();
    let signature = judged
        .iter()
        .fold(0, |signature, (_, stats)| sign_move(signature, stats));
    judged.sort_by(|(a, _), (b, _)| b.compare(a));
    Decision {
        moves: judged.into_iter().map(|(_, stats)| stats).collect(),
        signature,
    }
}

fn stats<M>(mv: M, node: &Node, mover: Side) -> MoveStats<M> {
    let proven = node.proven.map(|outcome| outcome.seen_by(mover));
    MoveStats {
        mv,
        visits: u64::from(node.visits()),
        value: match proven {
            Some(exact) => exact.score(),
            None if node.visits() == 0 => Score::DRAW,
            None => Score(node.mean(mover)),
        },
        proven,
    }
}

/// The best move and the best replies as far as the tree has searched them.
pub(super) fn principal_variation<G: Game>(
    tree: &Tree<G::Move>,
    position: &G,
    best: G::Move,
    params: &Params,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut position = position.clone();
    let mut next = tree.children(ROOT).find(|&child| tree.mv(child) == best);
    line.push(best);
    while let Some(node) = next {
        position.play_unchecked(tree.mv(node));
        next = best_child(tree, node, position.to_move(), params);
        line.extend(next.map(|child| tree.mv(child)));
    }
    line
}

/// The child that the side to move would choose, if it knows anything of it.
fn best_child<M: Packed>(tree: &Tree<M>, node: u32, mover: Side, params: &Params) -> Option<u32> {
    let ranking = MoveRanking::new(tree, node, mover, params);
    let children = tree.children(node).map(|child| (child, tree.node(child)));
    let (best, child) = children.reduce(|best, next| {
        if ranking
            .rank(&next.1)
            .compare(&ranking.rank(&best.1))
            .is_gt()
        {
            next
        } else {
            best
        }
    })?;
    (child.visits() > 0 || child.proven.is_some()).then_some(best)
}
