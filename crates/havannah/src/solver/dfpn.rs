//! Depth-first proof-number search (Nagai, 2002) for one question: does the attacker win?
//!
//! Where the attacker moves, a node's proof number is the least of its children's and its disproof
//! number combines theirs; where the defender moves it is the other way round. Numbers are combined
//! weakly: the largest, plus one for each further child (Ueda, Hashimoto, Hashimoto and Iida, "Weak
//! proof-number search", 2008), since the children of a node share most of their proofs. A child is
//! searched until its number exceeds that of the second best by an eighth (the 1 + ε trick of Pawlewicz
//! and Lew, "Improving depth-first PN-search", 2007).
//!
//! A forced reply is played at once and has no node. Stones are never taken away, so that there are
//! no cycles.

use super::hopeless;
use super::key::{Key, Keys};
use super::layout::Layout;
use super::node::{Judgement, Node, quiet};
use super::params::Params;
use super::run::Run;
use super::table::{INFINITE, Numbers, Question, Table};
use super::word::Word;
use game::Side;

/// Stands for the numbers of a child that the table does not hold: no position has these.
const NOT_SEEN: Numbers = Numbers {
    proof: 0,
    disproof: 0,
    lost: false,
};

/// Which numbers end the search of a node.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    proof: u32,
    disproof: u32,
}

/// A move and what is known of the position after it and the forced replies.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The cell.
    pub index: usize,
    /// What is known.
    pub numbers: Numbers,
}

/// A node on the way from the root to where the search is.
#[derive(Clone, Debug)]
struct Frame<W: Word, K> {
    node: Node<W>,
    key: K,
    children: Vec<Child>,
}

/// The search with its memory.
#[derive(Debug)]
pub struct Search<W: Word, S: Keys<W>> {
    /// The board.
    pub layout: Layout<W>,
    /// What is known.
    pub table: Table<S::Key>,
    /// How positions are named in it.
    pub keys: S,
    /// What was set.
    pub params: Params,
    /// One for each ply that can be searched.
    frames: Vec<Frame<W, S::Key>>,
}

impl<W: Word, S: Keys<W>> Search<W, S> {
    /// A search that knows nothing yet.
    pub fn new(layout: Layout<W>, params: &Params) -> Search<W, S> {
        let frame = Frame {
            node: Node::start(&layout),
            key: S::Key::ZERO,
            children: Vec::new(),
        };
        Search {
            keys: S::new(&layout),
            table: Table::new(params.memory),
            params: params.clone(),
            frames: vec![frame; layout.board.count() as usize + 2],
            layout,
        }
    }

    /// The key of a position.
    pub fn key_of(&self, node: &Node<W>) -> S::Key {
        let stones = |key, side: Side| {
            let own = node.stones[side.index()].own.indices();
            own.fold(key, |key, index| self.keys.with(key, side, index))
        };
        stones(stones(S::Key::ZERO, Side::White), Side::Black)
    }

    /// Answers the question whether the attacker wins in a position that is open, if the run allows
    /// it. The moves are those that the judgement of the node left.
    pub fn answer(
        &mut self,
        node: &Node<W>,
        moves: W,
        attacker: Side,
        run: &mut Run<'_>,
    ) -> Numbers {
        let stones = self.layout.board.minus(node.empty).count();
        run.ask(attacker, node.to_move, stones);
        self.frames[0].node = *node;
        self.frames[0].key = self.key_of(node);
        let never = Thresholds {
            proof: INFINITE,
            disproof: INFINITE,
        };
        self.search(0, moves, never, run)
    }

    /// What is known of a position.
    pub fn known(&self, node: &Node<W>, attacker: Side) -> Option<Numbers> {
        let stones = self.layout.board.minus(node.empty).count();
        let question = Question::new(attacker, node.to_move, stones);
        self.table.get(self.key_of(node), question)
    }

    /// The moves of the position that was last in question, with what is known of them. Where one was
    /// seen to settle the question, others may be missing; none are there if the attacker cannot win
    /// any more.
    pub fn root_children(&self) -> &[Child] {
        &self.frames[0].children
    }

    /// Searches the position of a frame until its numbers reach a threshold.
    fn search(&mut self, depth: usize, moves: W, limit: Thresholds, run: &mut Run<'_>) -> Numbers {
        let nodes_before = run.nodes;
        run.count_node(self.table.used());
        let mut numbers = match self.expand(depth, moves, run) {
            Some(solved) => solved,
            None => self.select(depth, run.attacker).0,
        };
        if depth == 0 {
            run.root = numbers;
        }
        while numbers.proof < limit.proof
            && numbers.disproof < limit.disproof
            && !numbers.is_solved()
            && run.stopped.is_none()
        {
            let (_, choice) = self.select(depth, run.attacker);
            let index = self.frames[depth].children[choice.best].index;
            let below = self.reach(depth, index);
            let child = match below {
                Judgement::Open { moves, .. } => {
                    let limit = self.child_limit(depth, limit, numbers, choice, run.attacker);
                    self.search(depth + 1, moves, limit, run)
                }
                other => decided(other, run.attacker),
            };
            self.frames[depth].children[choice.best].numbers = child;
            numbers = self.select(depth, run.attacker).0;
            if depth == 0 {
                run.root = numbers;
            }
        }
        let key = self.frames[depth].key;
        self.table
            .put(key, run.question, numbers, run.nodes - nodes_before);
        numbers
    }

    /// Lists the children of a frame with what is known of them. Returns the numbers of the node if
    /// they follow from one child, which is then the only one listed, or if the attacker cannot win.
    fn expand(&mut self, depth: usize, moves: W, run: &Run<'_>) -> Option<Numbers> {
        let to_move = self.frames[depth].node.to_move;
        let attacker = run.attacker;
        self.frames[depth].children.clear();
        let node = &self.frames[depth].node;
        let attacking = node.stones[attacker.index()].own;
        if hopeless::cannot_win(&self.layout, attacking, node.empty) {
            return Some(Numbers::disproven(false));
        }
        let frame = &mut self.frames[depth];
        let played = self.layout.board.minus(frame.node.empty).count();
        let moves = if played < self.params.symmetric_plies {
            let stones = [frame.node.stones[0].own, frame.node.stones[1].own];
            moves & self.layout.distinct(stones, frame.node.empty)
        } else {
            moves
        };
        // All at once, since the table does not fit any cache.
        for index in moves.indices() {
            let key = self.keys.with(frame.key, to_move, index);
            let known = self.table.get(key, run.question);
            let numbers = known.unwrap_or(NOT_SEEN);
            frame.children.push(Child { index, numbers });
        }
        let settles = |numbers: Numbers| {
            let own = if to_move == attacker {
                numbers.proof
            } else {
                numbers.disproof
            };
            own == 0
        };
        let settled = |child: &&Child| child.numbers != NOT_SEEN && settles(child.numbers);
        if let Some(&child) = frame.children.iter().find(settled) {
            frame.children.clear();
            frame.children.push(child);
            return Some(child.numbers);
        }
        // Threats first: they settle the node most often.
        let own = &self.frames[depth].node.stones[to_move.index()];
        let threats = own.threats;
        for threatening in [true, false] {
            for place in 0..self.frames[depth].children.len() {
                let Child { index, numbers } = self.frames[depth].children[place];
                if numbers == NOT_SEEN && threats.has(index) == threatening {
                    let numbers = self.look_ahead(depth, index, run);
                    let children = &mut self.frames[depth].children;
                    if settles(numbers) {
                        children.clear();
                        children.push(Child { index, numbers });
                        return Some(numbers);
                    }
                    children[place].numbers = numbers;
                }
            }
        }
        None
    }

    /// What is known of the position after a move before it is searched.
    fn look_ahead(&mut self, depth: usize, index: usize, run: &Run<'_>) -> Numbers {
        let node = &self.frames[depth].node;
        let (own, other) = (node.to_move.index(), (!node.to_move).index());
        let mut to_move = !node.to_move;
        let empty = node.empty.minus(W::bit(index));
        let mut below = if (node.stones[own].next(index) & empty).is_none() {
            // Nothing is forced: the other side's stones stay as they are.
            quiet(&node.stones[other], empty, to_move, |answers| {
                let after = |cell, next: W| answers.see(cell, next & empty);
                node.stones[own].threats_after(&self.layout, index, empty, after);
            })
        } else {
            Judgement::Forced(index)
        };
        if let Judgement::Forced(_) = below {
            below = self.reach(depth, index);
            let frame = &self.frames[depth + 1];
            to_move = frame.node.to_move;
            if let Judgement::Open { .. } = below
                && let Some(known) = self.table.get(frame.key, run.question)
            {
                return known;
            }
        }
        let Judgement::Open { moves, urgent } = below else {
            return decided(below, run.attacker);
        };
        let replies = if urgent {
            moves.count()
        } else {
            self.params.open_replies.unwrap_or(moves.count())
        };
        let (proof, disproof) = if to_move == run.attacker {
            (1, replies)
        } else {
            (replies, 1)
        };
        Numbers {
            proof,
            disproof,
            lost: false,
        }
    }

    /// Makes the next frame the position after a move of this one and the forced replies.
    fn reach(&mut self, depth: usize, index: usize) -> Judgement<W> {
        let (above, below) = self.frames.split_at_mut(depth + 1);
        let (from, to) = (&above[depth], &mut below[0]);
        to.node = from.node;
        to.key = from.key;
        let mut forced = index;
        loop {
            to.key = self.keys.with(to.key, to.node.to_move, forced);
            to.node.play(&self.layout, forced);
            match to.node.judge() {
                Judgement::Forced(reply) => forced = reply,
                judged => return judged,
            }
        }
    }

    /// The numbers of a frame from those of its children, and which child to search next.
    fn select(&self, depth: usize, attacker: Side) -> (Numbers, Choice) {
        let frame = &self.frames[depth];
        let attacking = frame.node.to_move == attacker;
        let mut choice = Choice {
            best: 0,
            second: INFINITE,
            open: 0,
            hardest: 0,
            sum: 0,
        };
        let mut least = INFINITE;
        let mut lost = true;
        for (place, child) in frame.children.iter().enumerate() {
            let numbers = child.numbers;
            let (own, other) = if attacking {
                (numbers.proof, numbers.disproof)
            } else {
                (numbers.disproof, numbers.proof)
            };
            if own < least {
                choice.second = least;
                least = own;
                choice.best = place;
                if own == 0 {
                    lost = numbers.lost;
                    break;
                }
            } else {
                choice.second = choice.second.min(own);
            }
            if other != 0 {
                choice.open += 1;
                choice.hardest = choice.hardest.max(other);
                choice.sum = choice.sum.saturating_add(other);
            }
            lost &= numbers.lost;
        }
        let combined = if least == 0 {
            INFINITE
        } else if choice.open == 0 {
            0
        } else if self.params.weak {
            (choice.hardest + choice.open - 1).min(INFINITE - 1)
        } else {
            choice.sum.min(INFINITE - 1)
        };
        let numbers = if attacking {
            Numbers {
                proof: least,
                disproof: combined,
                lost: combined == 0 && lost,
            }
        } else {
            Numbers {
                proof: combined,
                disproof: least,
                lost: least == 0 && lost,
            }
        };
        (numbers, choice)
    }

    /// How far to search the chosen child.
    fn child_limit(
        &self,
        depth: usize,
        limit: Thresholds,
        numbers: Numbers,
        choice: Choice,
        attacker: Side,
    ) -> Thresholds {
        let frame = &self.frames[depth];
        let attacking = frame.node.to_move == attacker;
        let chosen = frame.children[choice.best].numbers;
        let (own, other, combined, others) = if attacking {
            (
                limit.proof,
                limit.disproof,
                numbers.disproof,
                chosen.disproof,
            )
        } else {
            (limit.disproof, limit.proof, numbers.proof, chosen.proof)
        };
        let beyond = choice
            .second
            .saturating_add(choice.second / self.params.epsilon_divisor.max(1));
        let own = own.min(beyond.saturating_add(1));
        let other = if other == INFINITE {
            INFINITE
        } else if self.params.weak {
            other.saturating_sub(choice.open - 1)
        } else {
            other.saturating_sub(combined - others)
        };
        let own = own.min(INFINITE);
        if attacking {
            Thresholds {
                proof: own,
                disproof: other,
            }
        } else {
            Thresholds {
                proof: other,
                disproof: own,
            }
        }
    }
}

/// Which child to search next, and what its siblings look like.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// The place among the children of the one with the least number of the side to move.
    best: usize,
    /// The least such number of the others.
    second: u32,
    /// The children that the opponent has not refuted.
    open: u32,
    /// The largest number of the opponent.
    hardest: u32,
    /// The sum of the numbers of the opponent.
    sum: u32,
}

/// The numbers of a position that is decided.
fn decided<W: Copy>(judgement: Judgement<W>, attacker: Side) -> Numbers {
    match judgement {
        Judgement::Won(side) if side == attacker => Numbers::PROVEN,
        Judgement::Won(_) => Numbers::disproven(true),
        _ => Numbers::disproven(false),
    }
}
