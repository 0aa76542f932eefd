//! A game that was played, and how it ended.

use engine::{BoardOptions, Playable};
use game::{Notation, Outcome, Side};
use sgf::Tree;
use std::fmt;
use thiserror::Error;

/// The first thing that is wrong with a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {ply} ({text}): {reason}")]
pub struct Fault {
    /// The number of the move, from 1.
    pub ply: usize,
    /// The move as it is written.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

/// How a recorded game ended, as its replay under the rules shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// With a fork, a bridge or a ring.
    Structure,
    /// With a full board and no structure: a draw.
    FullBoard,
    /// With a side that had no move.
    NoMoves,
    /// With a resignation.
    Resign,
    /// Not at all: time ran out, the players agreed, or the game goes on.
    Open,
    /// A move is not legal, or no move.
    Error,
}

impl End {
    /// Every way to end, in the order of tables.
    pub const ALL: [End; 6] = [
        End::Structure,
        End::FullBoard,
        End::NoMoves,
        End::Resign,
        End::Open,
        End::Error,
    ];
}

/// As in the program's JSON: `structure`, `full-board`, `no-moves`, `resign`, `open` or `error`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            End::Structure => "structure",
            End::FullBoard => "full-board",
            End::NoMoves => "no-moves",
            End::Resign => "resign",
            End::Open => "open",
            End::Error => "error",
        })
    }
}

/// A recorded game, replayed: all its moves are legal, up to the fault if there is one.
#[derive(Clone, Debug)]
pub struct Record<G: Notation> {
    /// The board and the rules.
    pub options: BoardOptions,
    /// The position before the first move.
    pub start: G,
    /// The position after the last move.
    pub last: G,
    /// The moves.
    pub moves: Vec<G::Move>,
    /// The side that resigned after the last move.
    pub resigned: Option<Side>,
    /// The result that the file claims. Files can be wrong: see [`Record::winner`].
    pub claimed: Option<Outcome>,
    /// How the moves are written.
    pub dialect: G::Dialect,
    /// The first thing that is wrong, after the last of the moves.
    pub fault: Option<Fault>,
    /// The game tree of the file, with its variations and all its properties; `None` for a list of moves
    /// and for a game that was not read from a file.
    pub source: Option<Tree>,
}

impl<G: Playable> Record<G> {
    /// A game that was played here: moves that are legal one after the other.
    pub fn played(
        options: BoardOptions,
        start: G,
        moves: Vec<G::Move>,
        resigned: Option<Side>,
    ) -> Record<G> {
        let mut last = start.clone();
        for &mv in &moves {
            last.play(mv);
        }
        Record {
            options,
            start,
            last,
            moves,
            resigned,
            claimed: None,
            dialect: G::Dialect::default(),
            fault: None,
            source: None,
        }
    }

    /// The moves in a dialect.
    pub fn moves_in(&self, dialect: G::Dialect) -> Vec<String> {
        let mut position = self.start.clone();
        let write = |&mv: &G::Move| {
            let text = position.write_move(mv, dialect);
            position.play(mv);
            text
        };
        self.moves.iter().map(write).collect()
    }

    /// The board and the rules, with a swap rule that the moves show and the file may not say.
    pub fn options_admitting(&self) -> BoardOptions {
        let moves = self.moves_in(G::Dialect::default());
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        G::options_admitting(self.options.clone(), &texts)
    }

    /// How the game ended.
    pub fn end(&self) -> End {
        if self.fault.is_some() {
            return End::Error;
        }
        match (self.last.outcome(), self.resigned) {
            (Some(Outcome::Draw), _) => End::FullBoard,
            (Some(Outcome::Win(_)), _) if self.last.structure().is_some() => End::Structure,
            (Some(Outcome::Win(_)), _) => End::NoMoves,
            (None, Some(_)) => End::Resign,
            (None, None) => End::Open,
        }
    }

    /// Who won, by the rules or by resignation; `None` while the game is open or if it is faulty.
    pub fn winner(&self) -> Option<Outcome> {
        if self.fault.is_some() {
            return None;
        }
        let resigned = self.resigned.map(|side| Outcome::Win(!side));
        self.last.outcome().or(resigned)
    }
}

/// A move as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// Who is said to make it; plain lists do not say.
    pub side: Option<Side>,
    pub text: String,
}

/// Replays moves in one dialect, up to the first that is wrong.
pub(crate) fn replay<G: Playable>(
    options: &BoardOptions,
    start: &G,
    moves: &[Written],
    dialect: G::Dialect,
    claimed: Option<Outcome>,
) -> Record<G> {
    let mut record = Record {
        options: options.clone(),
        start: start.clone(),
        last: start.clone(),
        moves: Vec::with_capacity(moves.len()),
        resigned: None,
        claimed,
        dialect,
        fault: None,
        source: None,
    };
    for (before, written) in moves.iter().enumerate() {
        if let Err(reason) = record.add(written) {
            record.fault = Some(Fault {
                ply: before + 1,
                text: written.text.chars().take(40).collect(),
                reason,
            });
            break;
        }
    }
    record
}

impl<G: Playable> Record<G> {
    fn add(&mut self, written: &Written) -> Result<(), String> {
        if let Some(side) = self.resigned {
            return Err(format!("{side} has resigned already"));
        }
        let turn = self.last.to_move();
        if written.text.eq_ignore_ascii_case("resign") {
            if let Some(outcome) = self.last.outcome() {
                return Err(format!(
                    "the game is over ({outcome}) before the resignation"
                ));
            }
            self.resigned = Some(written.side.unwrap_or(turn));
            return Ok(());
        }
        if written.side.is_some_and(|side| side != turn) {
            return Err(format!("it is {turn}'s turn"));
        }
        let mv = self
            .last
            .parse_move(&written.text, self.dialect)
            .map_err(|why| why.reason)?;
        self.last.try_play(mv).map_err(|why| why.to_string())?;
        self.moves.push(mv);
        Ok(())
    }
}
