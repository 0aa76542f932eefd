//! Playouts with a policy: forced answers, known replies, kept connections, and uniformly random moves
//! where none of these has one.

use super::last_good_reply::{LastGoodReply, Replies};
use super::ring_rule::{Permanent, RingJudge, RingRule};
use super::threats;
use super::uniform::{Ended, UniformPlayout};
use crate::knowledge::virtual_connection::{OffBoard, keeping_cells};
use crate::rules::board::{Board, Structure};
use crate::rules::geometry::{Cell, Geometry};
use crate::rules::position::{Move, Position};
use game::random::{self, Rng};
use game::{Game, Side};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How moves are chosen in playouts. By default uniformly at random, under the true rules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Policy {
    /// Until when stones that threaten to win are answered, and two threats at once end the playout.
    pub mate_in_one: Until,
    /// Whether a reply that was good before is given again, where it can be. It comes after the answer to
    /// a threat.
    pub last_good_reply: LastGoodReply,
    /// Whether a virtual connection upon which the last stone intruded is kept. It comes after a good
    /// reply. The board's edge counts as an own stone.
    pub virtual_connections: bool,
    /// Which rings end a playout.
    pub rings: RingRule,
}

/// The first moves of a playout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// None.
    #[default]
    Never,
    /// So many moves.
    Moves(u32),
    /// So many times as many moves as the board has size.
    Sizes(u32),
    /// All.
    End,
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Until::Never => f.write_str("off"),
            Until::End => f.write_str("all"),
            Until::Moves(moves) => write!(f, "{moves}"),
            Until::Sizes(times) => write!(f, "{times}x"),
        }
    }
}

impl FromStr for Until {
    type Err = NotMoves;

    fn from_str(text: &str) -> Result<Until, NotMoves> {
        let number = |text: &str, most| {
            let number = text.parse().ok();
            number.filter(|number| *number <= most).ok_or(NotMoves)
        };
        match (text, text.strip_suffix('x')) {
            ("off", _) => Ok(Until::Never),
            ("all", _) => Ok(Until::End),
            (_, Some(times)) => number(times, 1000).map(Until::Sizes),
            (moves, None) => number(moves, 10_000).map(Until::Moves),
        }
    }
}

/// The text is none of `off`, `all`, a number of moves up to 10,000, or one of board sizes up to 1,000 such as `2x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected off, all, a whole number, or one followed by x")]
pub struct NotMoves;

impl Until {
    fn moves(self, size: usize) -> usize {
        match self {
            Until::Never => 0,
            Until::Moves(moves) => moves as usize,
            Until::Sizes(times) => times as usize * size,
            Until::End => usize::MAX,
        }
    }
}

impl Policy {
    /// Whether no stone is answered, so that the rule for rings is all there is.
    fn only_draws(&self) -> bool {
        let Policy { rings, .. } = *self;
        *self
            == Policy {
                rings,
                ..Policy::default()
            }
    }
}

/// Plays by a policy, on boards of one shape.
#[derive(Clone, Debug)]
pub struct PolicyPlayout {
    policy: Policy,
    start: Board,
    board: Board,
    first: Side,
    /// The stone before the first of the playout.
    before: Option<Cell>,
    permanent: Permanent,
    /// The empty cells of the start; those already drawn come first.
    order: Vec<Cell>,
    played: Vec<Cell>,
    replies: Replies,
    rings: RingJudge,
    /// For a ring that is only a threat so far.
    scratch: Board,
    /// Plays instead where the rule for rings is all that the policy has.
    uniform: UniformPlayout,
    ended: Ended,
}

impl PolicyPlayout {
    /// The policy on boards of one geometry.
    pub fn new(geometry: &'static Geometry, policy: Policy) -> PolicyPlayout {
        PolicyPlayout {
            policy,
            start: Board::new(geometry),
            board: Board::new(geometry),
            first: Side::White,
            before: None,
            permanent: Permanent::default(),
            order: Vec::with_capacity(geometry.cells().len()),
            played: Vec::with_capacity(geometry.cells().len()),
            replies: Replies::new(geometry),
            rings: RingJudge::default(),
            scratch: Board::new(geometry),
            uniform: UniformPlayout::new(geometry),
            ended: Ended {
                win: None,
                stones: 0,
            },
        }
    }

    /// Makes ready for playouts from a position that is not over.
    pub fn prepare(&mut self, position: &Position) {
        self.start.clone_from(position.board());
        self.first = position.to_move();
        self.before = match position.last_move() {
            Some(Move::Place(cell)) => Some(cell),
            Some(Move::Swap) | None => None,
        };
        if self.policy.only_draws() {
            self.uniform.prepare(&self.start);
        }
        self.permanent.set(&self.start);
        self.order.clear();
        let cells = position.geometry().cells().iter();
        self.order
            .extend(cells.filter(|&&cell| self.start.is_empty(cell)));
    }

    /// Plays from the prepared position to the end.
    pub fn play(&mut self, rng: &mut Rng) -> Ended {
        let empty_cells = self.order.len();
        self.rings.begin(&self.policy.rings, empty_cells, rng);
        self.ended = if self.policy.only_draws() {
            let (rings, permanent) = (&mut self.rings, &self.permanent);
            let counts = |board: &Board, last, side, stones| {
                rings.counts(board, permanent, last, side, stones)
            };
            self.uniform
                .play_with_rings(&self.start, self.first, rng, counts)
        } else {
            self.play_by_policy(rng)
        };
        self.ended
    }

    /// Asks the policy for each stone.
    fn play_by_policy(&mut self, rng: &mut Rng) -> Ended {
        self.board.clone_from(&self.start);
        self.played.clear();
        let empty_cells = self.order.len();
        let size = self.board.geometry().shape().size();
        let watched = self.policy.mate_in_one.moves(size);
        let mut drawn = 0;
        let mut side = self.first;
        let mut last = self.before;
        let mut win = None;
        while self.played.len() < empty_cells {
            let mut choice = None;
            if let Some(last) = last {
                if self.played.len() < watched {
                    match self.threats_of(last, !side).cells {
                        [_, Some((_, structure))] => {
                            win = Some((!side, structure));
                            break;
                        }
                        [first, None] => choice = first.map(|(cell, _)| cell),
                    }
                }
                choice = choice.or_else(|| self.reply(last, side, rng));
            }
            let cell = choice.unwrap_or_else(|| self.draw(&mut drawn, rng));
            let stones = self.played.len();
            self.played.push(cell);
            if let Some(structure) = self.board.place(cell, side)
                && (structure != Structure::Ring || self.ring_counts(cell, side, stones))
            {
                win = Some((side, structure));
                break;
            }
            last = Some(cell);
            side = !side;
        }
        if let Some((winner, _)) = win
            && self.policy.last_good_reply != LastGoodReply::Off
        {
            let policy = self.policy.last_good_reply;
            self.replies
                .learn(self.before, &self.played, self.first, winner, policy);
        }
        Ended {
            win,
            stones: self.played.len(),
        }
    }

    /// The cells that the last playout filled, in order: the first by the side that was to move.
    pub fn moves(&self) -> &[Cell] {
        if self.policy.only_draws() {
            return self.uniform.moves(&self.ended);
        }
        &self.played
    }

    fn ring_counts(&mut self, last: Cell, side: Side, stones: usize) -> bool {
        self.rings
            .counts(&self.board, &self.permanent, last, side, stones)
    }

    /// The new threats of the side that placed the last stone.
    fn threats_of(&mut self, last: Cell, side: Side) -> threats::Threats {
        let (board, permanent, scratch) = (&self.board, &self.permanent, &mut self.scratch);
        let rings = &mut self.rings;
        let stones = self.played.len();
        threats::beside_group(board, last, side, |cell, structure| {
            if structure != Structure::Ring {
                return true;
            }
            scratch.clone_from(board);
            scratch.place(cell, side);
            rings.counts(scratch, permanent, cell, side, stones)
        })
    }

    /// The answer to a stone that the policy knows.
    fn reply(&self, last: Cell, side: Side, rng: &mut Rng) -> Option<Cell> {
        if self.policy.last_good_reply != LastGoodReply::Off
            && let Some(reply) = self.replies.to(last, side)
            && self.board.is_empty(reply)
        {
            return Some(reply);
        }
        if !self.policy.virtual_connections {
            return None;
        }
        let mut cells = [None; 6];
        let mut count = 0;
        for cell in keeping_cells(&self.board, last, side, OffBoard::OwnStone) {
            cells[count] = Some(cell);
            count += 1;
        }
        random::choose(&cells[..count], rng).flatten()
    }

    /// A random empty cell; there is one. `drawn` is the number of cells drawn before.
    fn draw(&mut self, drawn: &mut usize, rng: &mut Rng) -> Cell {
        loop {
            let left = (self.order.len() - *drawn) as u32;
            let index = *drawn + random::below(left, rng) as usize;
            let cell = self.order[index];
            self.order.swap(*drawn, index);
            *drawn += 1;
            // The policy may have filled it.
            if self.board.is_empty(cell) {
                return cell;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Shape;
    use crate::rules::rings::{RingSearch, SHORTEST_RING, WantedRing};

    /// Where rings alone make a difference, playouts go another way through the code: their stones, placed
    /// one by one, complete nothing that counts before the last does.
    #[test]
    fn playouts_end_with_the_first_structure_that_counts() {
        let mut rng = random::seeded(6);
        let mut search = RingSearch::default();
        let (mut rings, mut passed_over) = (0, 0);
        // Miri takes minutes for a hundred.
        let (rounds, least) = if cfg!(miri) { (60, 0) } else { (3_000, 300) };
        for round in 0..rounds {
            let shape = ["4", "5", "3x4x5"][round % 3];
            let mut position = Position::new(shape.parse::<Shape>().expect("a shape"));
            for _ in 0..round % 20 {
                let mv = position.random_move(&mut rng).expect("a move");
                let mut child = position.clone();
                child.play(mv);
                if child.outcome().is_none() {
                    position = child;
                }
            }
            let permanent = round as u32 % 4;
            let policy = Policy {
                rings: RingRule {
                    permanent,
                    ..RingRule::default()
                },
                ..Policy::default()
            };
            let mut playout = PolicyPlayout::new(position.geometry(), policy);
            playout.prepare(&position);
            for _ in 0..3 {
                let ended = playout.play(&mut rng);
                let start = position.board();
                let mut board = start.clone();
                let mut side = position.to_move();
                assert_eq!(playout.moves().len(), ended.stones);
                for (number, &cell) in (1..).zip(playout.moves()) {
                    let completed = board.place(cell, side);
                    let wanted = WantedRing {
                        stones: SHORTEST_RING,
                        permanent: permanent as usize,
                        is_permanent: &|cell| !start.is_empty(cell),
                    };
                    let counts = completed != Some(Structure::Ring)
                        || permanent == 0
                        || matches!(
                            search.find(&board, cell, wanted, &mut { u64::MAX }),
                            Ok(Some(_))
                        );
                    passed_over += u32::from(!counts);
                    let win = completed
                        .filter(|_| counts)
                        .map(|structure| (side, structure));
                    let is_last = number == ended.stones;
                    assert_eq!(win, if is_last { ended.win } else { None });
                    side = !side;
                }
                let empty = position.empty_cells() - ended.stones;
                assert!(ended.win.is_some() || empty == 0);
                rings += u32::from(matches!(ended.win, Some((_, Structure::Ring))));
            }
        }
        assert!(
            rings >= least && passed_over >= least,
            "{rings} {passed_over}"
        );
    }

    /// On large boards, from positions with the large groups that play makes: a search for rings that lead
    /// through three stones of the position could take hours there.
    #[test]
    fn no_playout_searches_for_rings_without_end() {
        let mut rng = random::seeded(6);
        let policy = Policy {
            rings: RingRule {
                permanent: 3,
                ..RingRule::default()
            },
            ..Policy::default()
        };
        let (mut undecided, mut searched) = (0, 0);
        for size in [8, 12, 16, 20] {
            let shape = Shape::regular(size).expect("a size");
            let mut playout = PolicyPlayout::new(Geometry::of(shape), policy);
            let mut position = Position::new(shape);
            while let Some(after) = beside_own_stones(&position, &mut rng) {
                position = after;
                if !position.ply().is_multiple_of(16) {
                    continue;
                }
                playout.prepare(&position);
                for _ in 0..20 {
                    playout.play(&mut rng);
                    let steps = playout.rings.steps_taken();
                    assert!(steps <= RingRule::MOST_STEPS);
                    undecided += u32::from(steps == RingRule::MOST_STEPS);
                    searched += u32::from(steps > 0);
                }
            }
        }
        assert!(undecided > 10 && searched > 500, "{undecided} {searched}");
    }

    /// The position after a random move, mostly one beside an own stone; `None` if it ends the game.
    fn beside_own_stones(position: &Position, rng: &mut Rng) -> Option<Position> {
        let mut mv = position.random_move(rng)?;
        for _ in 0..10 {
            match mv {
                Move::Place(cell) if position.board().pattern(cell, position.to_move()) == 0 => {
                    mv = position.random_move(rng)?;
                }
                _ => break,
            }
        }
        let mut after = position.clone();
        after.play(mv);
        after.outcome().is_none().then_some(after)
    }
}
