//! The solver for one word: from positions to goals and back to moves.

use super::base::Base;
use super::key::{Keys, goal};
use super::node::{Node, ThreatResult};
use super::search::Search;
use super::word::Word;
use super::{Known, Look};
use crate::{Move, Position};
use ::certificate::Promise;
use game::{Game, Outcome, Side};
use search::proof::{CheckpointError, Crew, Growth, ProofNumbers, Run, Solution, Spent, Table};
use std::io::{self, Read, Write};

/// What a [`Solver`](super::Solver) needs, whatever the width of its words.
pub trait Core: std::fmt::Debug + Send {
    /// The value of a position that is not over, and a move that keeps it, if the run lasts until one
    /// is found; the swap rule is not looked at.
    fn value(&mut self, position: &Position, run: &mut Run<'_>) -> Option<Solution<Move>>;

    /// A move of the side that a claim is about, after which the claim still holds. `None` if it does
    /// not hold, or the run ends.
    fn keep(&mut self, position: &Position, promise: Promise, run: &mut Run<'_>) -> Option<Move>;

    /// What the table knows of a position that is not over; the swap rule is not looked at.
    fn known_of(&self, position: &Position) -> Known;

    /// Writes the table. `what` says on one line what it is of.
    fn save(&self, what: &str, spent: Spent, output: &mut dyn Write) -> io::Result<()>;

    /// Reads the table.
    fn load(&mut self, what: &str, input: &mut dyn Read) -> Result<Spent, CheckpointError>;

    /// Whether a side wins a position that is not over, or which moves are left, if the run lasts until
    /// that is known.
    fn look(&mut self, position: &Position, attacker: Side, run: &mut Run<'_>) -> Look;

    /// Whether a side wins a position that is not over, until a number reaches its bound or the run ends.
    fn search(
        &mut self,
        position: &Position,
        attacker: Side,
        bounds: ProofNumbers,
        run: &mut Run<'_>,
    ) -> ProofNumbers;

    /// Takes over an answer about a position that is not over, which took so many nodes.
    fn learn(&mut self, position: &Position, attacker: Side, answer: ProofNumbers, nodes: u64);

    /// Its threads.
    fn crew(&self) -> Crew;

    /// Positions in the table.
    fn entries(&self) -> u64;

    /// Bytes of the table.
    fn bytes(&self) -> usize;
}

impl<W: Word, S: Keys<W>> Core for Search<W, S> {
    fn value(&mut self, position: &Position, run: &mut Run<'_>) -> Option<Solution<Move>> {
        let node = Node::of(&self.layout, position);
        let to_move = position.to_move();
        let outcome = self.outcome(&node, run)?;
        let best = match outcome {
            Outcome::Win(winner) if winner == to_move => {
                self.keep(position, Promise::Wins(to_move), run)
            }
            Outcome::Draw => self.keep(position, Promise::Holds(to_move), run),
            Outcome::Win(_) => self.any_move(&node),
        };
        Some(Solution { outcome, best })
    }

    fn keep(&mut self, position: &Position, promise: Promise, run: &mut Run<'_>) -> Option<Move> {
        let node = Node::of(&self.layout, position);
        if node.to_move != promise.side() {
            return None;
        }
        let index = self.kept_by(&node, promise, run)?;
        self.layout.cell(index).map(Move::Place)
    }

    fn known_of(&self, position: &Position) -> Known {
        let mut node = Node::of(&self.layout, position);
        let decided = |outcome| Known {
            outcome: Some(outcome),
            nodes: 0,
        };
        loop {
            match node.judge() {
                ThreatResult::Won(side) => return decided(Outcome::Win(side)),
                ThreatResult::Full => return decided(Outcome::Draw),
                ThreatResult::Forced(index) => node.play(&self.layout, index),
                ThreatResult::Open { .. } => break,
            }
        }
        let stones = self.layout.board.minus(node.empty).count();
        let key = self.key_of(&node);
        let mut outcome = None;
        let mut nodes = 0;
        let mut held = 0;
        for attacker in Side::BOTH {
            let goal = goal(attacker, node.to_move, stones);
            let Some((numbers, work)) = self.table.get_with_work(key, goal) else {
                continue;
            };
            nodes += 1_u64 << work.saturating_sub(1);
            if numbers.proof == 0 {
                outcome = Some(Outcome::Win(attacker));
            } else if numbers.disproof == 0 && numbers.lost {
                outcome = Some(Outcome::Win(!attacker));
            } else if numbers.disproof == 0 {
                held += 1;
            }
        }
        if held == 2 {
            outcome = Some(Outcome::Draw);
        }
        Known { outcome, nodes }
    }

    fn save(&self, what: &str, spent: Spent, output: &mut dyn Write) -> io::Result<()> {
        self.table.save(what, spent, output)
    }

    fn load(&mut self, what: &str, input: &mut dyn Read) -> Result<Spent, CheckpointError> {
        let bytes = Self::table_memory(&self.layout, &self.params);
        let (table, spent) = Table::load(what, bytes, Growth::default(), input)?;
        self.table = table;
        Ok(spent)
    }

    fn look(&mut self, position: &Position, attacker: Side, run: &mut Run<'_>) -> Look {
        let layout = &self.layout;
        let base = self.base.get_or_insert_with(|| Base::new(layout));
        let mut node = base.node_of(layout, position);
        let mut only = None;
        let moves = loop {
            match node.judge() {
                ThreatResult::Won(side) => return Look::Value(Outcome::Win(side)),
                ThreatResult::Full => return Look::Value(Outcome::Draw),
                ThreatResult::Forced(index) => {
                    only.get_or_insert(W::bit(index));
                    node.play(&self.layout, index);
                }
                ThreatResult::Open { moves, urgent } => {
                    if urgent {
                        only.get_or_insert(moves);
                    }
                    break moves;
                }
            }
        };
        let numbers = self.answer(&node, moves, attacker, run);
        if numbers.proof == 0 {
            return Look::Value(Outcome::Win(attacker));
        }
        if numbers.disproof == 0 && numbers.lost {
            return Look::Value(Outcome::Win(!attacker));
        }
        only.map_or(Look::Unknown, |only| {
            let cells = only.indices().filter_map(|index| self.layout.cell(index));
            Look::Only(cells.map(Move::Place).collect())
        })
    }

    fn search(
        &mut self,
        position: &Position,
        attacker: Side,
        bounds: ProofNumbers,
        run: &mut Run<'_>,
    ) -> ProofNumbers {
        let (node, moves) = match self.open_node(position) {
            Ok(open) => open,
            Err(outcome) => return ProofNumbers::of_outcome(outcome, attacker),
        };
        let known = self.known(&node, attacker);
        if let Some(known) = known.filter(|known| known.is_solved()) {
            return known;
        }
        let crew = self.crew.clone();
        self.answer_within(Some(&crew), (&node, moves), attacker, bounds, run)
    }

    fn learn(&mut self, position: &Position, attacker: Side, answer: ProofNumbers, nodes: u64) {
        if !answer.is_solved() {
            return;
        }
        if let Ok((node, _)) = self.open_node(position) {
            let goal = self.goal(&node, attacker);
            self.table.put(self.key_of(&node), goal, answer, nodes);
            self.table.grow_if_crowded();
        }
    }

    fn crew(&self) -> Crew {
        self.crew.clone()
    }

    fn entries(&self) -> u64 {
        self.table.used()
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

impl<W: Word, S: Keys<W>> Search<W, S> {
    /// The position after the replies that are forced, with the moves that are left; the value if nothing is.
    fn open_node(&self, position: &Position) -> Result<(Node<W>, W), Outcome> {
        let mut node = Node::of(&self.layout, position);
        loop {
            match node.judge() {
                ThreatResult::Won(side) => return Err(Outcome::Win(side)),
                ThreatResult::Full => return Err(Outcome::Draw),
                ThreatResult::Forced(index) => node.play(&self.layout, index),
                ThreatResult::Open { moves, .. } => return Ok((node, moves)),
            }
        }
    }

    /// The value: first whether White wins, then, unless Black was seen to, whether Black does.
    fn outcome(&mut self, node: &Node<W>, run: &mut Run<'_>) -> Option<Outcome> {
        let mut node = *node;
        let moves = loop {
            match node.judge() {
                ThreatResult::Won(side) => return Some(Outcome::Win(side)),
                ThreatResult::Full => return Some(Outcome::Draw),
                ThreatResult::Forced(index) => node.play(&self.layout, index),
                ThreatResult::Open { moves, .. } => break moves,
            }
        };
        for attacker in Side::BOTH {
            let crew = self.crew.clone();
            let never = ProofNumbers::NEVER;
            let mut numbers = self.answer_within(Some(&crew), (&node, moves), attacker, never, run);
            if crew.count() > 1 {
                // What they found is in the table, where a node or two find the answer and its move.
                numbers = self.answer(&node, moves, attacker, run);
            }
            if !numbers.is_solved() {
                return None;
            }
            if numbers.proof == 0 {
                return Some(Outcome::Win(attacker));
            }
            if numbers.lost {
                return Some(Outcome::Win(!attacker));
            }
        }
        Some(Outcome::Draw)
    }

    /// A move of the side to move after which a claim about it still holds.
    fn kept_by(&mut self, node: &Node<W>, promise: Promise, run: &mut Run<'_>) -> Option<usize> {
        let mut node = *node;
        let mut first = None;
        let moves = loop {
            match node.judge() {
                ThreatResult::Won(side) if side == promise.side() => {
                    return first.or_else(|| node.winning_move());
                }
                ThreatResult::Full if matches!(promise, Promise::Holds(_)) => return first,
                ThreatResult::Won(_) | ThreatResult::Full => return None,
                ThreatResult::Forced(index) => {
                    first.get_or_insert(index);
                    node.play(&self.layout, index);
                }
                ThreatResult::Open { moves, .. } => break moves,
            }
        };
        let asked = self.goal_for(&node, promise);
        let kept = self.kept_as(asked, first, (&node, moves), run);
        if kept.is_some() || asked.attacker == asked.side || !asked.wins {
            return kept;
        }
        // That the opponent loses may not be seen again, since another move refutes it as well without a win.
        let directly = Asked {
            attacker: asked.side,
            ..asked
        };
        self.kept_as(directly, first, (&node, moves), run)
    }

    /// A move that keeps a claim, or the first of the forced ones to this node, if the answer to a goal shows the claim.
    fn kept_as(
        &mut self,
        asked: Asked,
        first: Option<usize>,
        (node, moves): (&Node<W>, W),
        run: &mut Run<'_>,
    ) -> Option<usize> {
        if let Some(first) = first {
            let known = self.known(node, asked.attacker);
            let holds = match known.filter(|known| known.is_solved()) {
                Some(known) => asked.holds(known),
                None => asked.holds(self.answer(node, moves, asked.attacker, run)),
            };
            return holds.then_some(first);
        }
        if let Some(index) = self.least_work(node, moves, asked) {
            return Some(index);
        }
        if !asked.holds(self.answer(node, moves, asked.attacker, run)) {
            return None;
        }
        let children = self.root_children();
        if children.is_empty() {
            // The opponent cannot win any more.
            return Some(moves.first());
        }
        let child = children.iter().find(|child| asked.holds(child.value))?;
        Some(usize::from(child.mv))
    }

    /// Of the moves after which the table knows that a claim holds, the one that was the least work to
    /// show it of: that makes short proofs.
    fn least_work(&self, node: &Node<W>, moves: W, asked: Asked) -> Option<usize> {
        let stones = self.layout.board.minus(node.empty).count();
        let goal = goal(asked.attacker, node.to_move, stones);
        let key = self.key_of(node);
        let after = |index| self.keys.with(key, node.to_move, index);
        // All at once, since the table does not fit any cache.
        for index in moves.indices() {
            self.table.approach(after(index), goal);
        }
        let known = moves.indices().filter_map(|index| {
            let (numbers, work) = self.table.get_with_work(after(index), goal)?;
            asked.holds(numbers).then_some((work, index))
        });
        known.min().map(|(_, index)| index)
    }

    /// The goal that shows a claim. That the opponent has lost shows a win too, where it is known.
    fn goal_for(&self, node: &Node<W>, promise: Promise) -> Asked {
        let opponent = !promise.side();
        let loses = |known: ProofNumbers| known.disproof == 0 && known.lost;
        let (attacker, wins) = match promise {
            Promise::Wins(_) if self.known(node, opponent).is_some_and(loses) => (opponent, true),
            Promise::Wins(side) => (side, true),
            Promise::Holds(_) => (opponent, false),
        };
        Asked {
            attacker,
            side: promise.side(),
            wins,
        }
    }

    /// A move of a side that loses: the one that defends longest against threats, where there is a
    /// threat.
    fn any_move(&self, node: &Node<W>) -> Option<Move> {
        let index = match node.judge() {
            ThreatResult::Forced(index) => index,
            ThreatResult::Open { moves, .. } => moves.first(),
            _ => {
                let other = &node.stones[(!node.to_move).index()];
                let wins = other.wins & node.empty;
                if wins.is_none() { node.empty } else { wins }.first()
            }
        };
        self.layout.cell(index).map(Move::Place)
    }
}

/// A goal, and which answer shows a claim.
#[derive(Clone, Copy, Debug)]
struct Asked {
    attacker: Side,
    /// The side that the claim is about.
    side: Side,
    /// Whether the claim is that it wins.
    wins: bool,
}

impl Asked {
    fn holds(self, numbers: ProofNumbers) -> bool {
        if self.attacker == self.side {
            numbers.proof == 0
        } else {
            numbers.disproof == 0 && (numbers.lost || !self.wins)
        }
    }
}
