//! Games of either kind in words: for programs that have types of their own for positions.

use crate::any::{AnyRecord, ReadError, of_game};
use crate::record::{Fault, Record, Written};
use crate::recorded::Recorded;
use crate::write::to_sgf;
use engine::BoardOptions;
use game::Notation;
use sgf::Tree;

/// A game without types: the board, and the moves in the default dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainGame {
    /// The name of the game.
    pub game: &'static str,
    /// The board and the rules.
    pub options: BoardOptions,
    /// The moves of the main line, up to the first fault.
    pub moves: Vec<String>,
    /// The first thing that is wrong, after the last of the moves.
    pub fault: Option<Fault>,
}

impl AnyRecord {
    /// The main line in words.
    pub fn plain(&self) -> PlainGame {
        match self {
            AnyRecord::Havannah(record) => {
                let mut game = plain(record);
                // A swap among the moves shows the rule.
                game.options.swap |= record.start.swap_rule();
                game
            }
            AnyRecord::Konane(record) => plain(record),
        }
    }

    /// The game as an SGF tree, as [`to_sgf`](crate::to_sgf) writes it.
    pub fn to_sgf(&self) -> Tree {
        match self {
            AnyRecord::Havannah(record) => to_sgf(record),
            AnyRecord::Konane(record) => to_sgf(record),
        }
    }
}

impl PlainGame {
    /// The game, replayed.
    ///
    /// # Errors
    /// If there is no such game or board.
    pub fn replay(&self) -> Result<AnyRecord, ReadError> {
        let written = |text: &String| Written {
            side: None,
            text: text.clone(),
        };
        let moves: Vec<Written> = self.moves.iter().map(written).collect();
        let dialect = Some(<havannah::Position as Notation>::Dialect::default());
        of_game(self.game, &self.options, &moves, None, None, dialect)
    }
}

fn plain<G: Recorded>(record: &Record<G>) -> PlainGame {
    let mut position = record.start.clone();
    let mut moves = Vec::with_capacity(record.moves.len());
    for &mv in &record.moves {
        moves.push(position.write_move(mv, G::Dialect::default()));
        position.play(mv);
    }
    PlainGame {
        game: G::NAME,
        options: record.options.clone(),
        moves,
        fault: record.fault.clone(),
    }
}
