//! The search without proofs against a slow UCT, written from the description in Shokry's thesis (2023),
//! section 2.5: one node is added in each iteration, points are given from the root's point of view.

use crate::common::{RandomTree, Shape, after, legal};
use game::random::Rng;
use game::{Game, Outcome, Relative, Side};
use search::mcts::{Expansion, FinalMove, Leaf, Lookahead, Params};
use search::{Limits, Mcts, StopReason, TreePolicy};

/// Plays the same game from a position each time, and lists moves as they are generated.
#[derive(Clone)]
struct Fixed;

fn play_on(position: &RandomTree) -> Outcome {
    let mut game = position.clone();
    while game.outcome().is_none() {
        let moves = legal(&game);
        game.play(moves[game.nonsense(1_000).unsigned_abs() as usize % moves.len()]);
    }
    game.outcome().expect("the end")
}

impl TreePolicy<RandomTree> for Fixed {
    fn playout(&mut self, position: &RandomTree, _rng: &mut Rng) -> Outcome {
        play_on(position)
    }

    fn expand(
        &mut self,
        position: &mut RandomTree,
        _expansion: Expansion,
        leaf: &mut Leaf<u8>,
        _rng: &mut Rng,
    ) {
        leaf.clear();
        for mv in legal(position) {
            leaf.push(mv);
        }
    }
}

/// A node of the slow search.
struct Node {
    position: RandomTree,
    visits: u32,
    /// Of the player at the root.
    points: f32,
    children: Vec<(u8, Node)>,
}

impl Node {
    fn new(position: RandomTree) -> Node {
        Node {
            position,
            visits: 0,
            points: 0.0,
            children: Vec::new(),
        }
    }

    /// One iteration: the points that go up.
    fn iterate(&mut self, root: Side) -> f32 {
        let moves = legal(&self.position);
        let points = if moves.is_empty() {
            points_of(self.position.outcome().expect("the end"), root)
        } else if self.children.len() < moves.len() {
            let mv = moves[self.children.len()];
            let mut child = Node::new(after(&self.position, mv));
            let points = points_of(play_on(&child.position), root);
            (child.visits, child.points) = (1, points);
            self.children.push((mv, child));
            points
        } else {
            let own = self.position.to_move() == root;
            let log = libm::logf(self.visits as f32).sqrt();
            let value = |node: &Node| {
                let visits = node.visits as f32;
                let mean = if own {
                    node.points / visits
                } else {
                    (visits - node.points) / visits
                };
                mean + 2.0 * log / visits.sqrt()
            };
            let mut best = 0;
            for (index, (_, child)) in self.children.iter().enumerate() {
                if value(child) > value(&self.children[best].1) {
                    best = index;
                }
            }
            self.children[best].1.iterate(root)
        };
        self.visits += 1;
        self.points += points;
        points
    }

    fn has_direct_win(&self) -> bool {
        let win = Some(Outcome::Win(self.position.to_move()));
        self.children
            .iter()
            .any(|(_, child)| child.position.outcome() == win)
    }
}

fn points_of(outcome: Outcome, side: Side) -> f32 {
    match outcome.seen_by(side) {
        Relative::Win => 1.0,
        Relative::Draw => 0.5,
        Relative::Loss => 0.0,
    }
}

fn params() -> Params {
    Params {
        exploration: 2.0,
        lookahead: Lookahead::None,
        solver: false,
        final_move: FinalMove::Mean,
        ..Params::default()
    }
}

#[test]
fn without_a_solver_it_is_plain_uct() {
    let mut direct_wins = 0;
    let mut ends_in_the_tree = 0;
    for number in 0..600 {
        let shape = if number % 4 == 0 {
            Shape::HUGE
        } else {
            Shape::small(number)
        };
        let position = RandomTree::new(shape, number);
        let mut search = Mcts::with_policy(position.clone(), params(), 1, Fixed);
        let mut slow = Node::new(position.clone());
        let mut done = 0;
        for simulations in [1, 2, 7, 50, 200, 700] {
            let limits = Limits {
                simulations: Some(simulations),
                ..Limits::default()
            };
            let report = search.search(&limits, &mut |_| {});
            assert_eq!(report.details.inherited, done);
            for _ in 0..simulations {
                if !slow.has_direct_win() {
                    slow.iterate(position.to_move());
                    done += 1;
                }
            }
            for (mv, child) in &slow.children {
                let stats = report.moves.iter().find(|stats| stats.mv == *mv);
                let stats = stats.expect("the same moves");
                assert_eq!(
                    stats.visits,
                    u64::from(child.visits),
                    "{mv} of {position:?}"
                );
                let mean = f64::from(child.points) / f64::from(child.visits);
                assert!((stats.value.0 - mean).abs() < 1e-6, "{mv} of {position:?}");
                ends_in_the_tree += u32::from(child.position.outcome().is_some());
            }
            assert_eq!(slow.has_direct_win(), report.stop == StopReason::Proven);
            if slow.has_direct_win() {
                assert_eq!(report.proven, Some(Relative::Win));
                let best = after(&position, report.best.expect("a move"));
                assert_eq!(best.outcome(), Some(Outcome::Win(position.to_move())));
                direct_wins += 1;
                break;
            }
            let highest = slow
                .children
                .iter()
                .map(|(_, child)| child.points / child.visits as f32);
            let highest = f64::from(highest.fold(0.0, f32::max));
            assert!((report.moves[0].value.0 - highest).abs() < 1e-6);
        }
    }
    assert!(
        direct_wins > 30 && ends_in_the_tree > 100,
        "{direct_wins} {ends_in_the_tree}"
    );
}
