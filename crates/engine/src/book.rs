//! Opening books: positions of which a proof says what to play.
//!
//! A book is a text. Each line has a board, as certificates name it, a colon, and moves; the side that makes the last of
//! them wins. `papamu explore CERTIFICATE --book FILE` writes such lines. A `#` begins a comment.

use crate::{BoardOptions, Engine, Playable};
use game::{Relative, Score};
use search::{Limits, MoveStats, Progress, Report, StopReason, mcts};
use std::cell::OnceCell;
use std::collections::HashMap;

/// What a book says of the positions of one board.
pub struct Book<G: Playable> {
    /// Moves of the positions that stand for all with their [key](certificate::Provable::of_key).
    answers: HashMap<G::Key, G::Move>,
}

impl<G: Playable> Book<G> {
    /// The lines of a text that are about boards of the size of a position. Those that cannot be played are passed over.
    pub fn of(text: &str, position: &G) -> Book<G> {
        let mut answers = HashMap::new();
        let size = position.size_name();
        let mut start: Option<(&str, Option<G>)> = None;
        for (board, moves) in lines(text) {
            if start.as_ref().is_none_or(|(known, _)| *known != board) {
                let options = G::options_of_certified(board);
                let new = options.and_then(|options| G::start(&options)).ok();
                start = Some((board, new.filter(|start| start.size_name() == size)));
            }
            let Some((_, Some(start))) = &start else {
                continue;
            };
            let moves = moves.trim();
            let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
            let before = start.clone().play_list(before, G::Dialect::default());
            let answer = before.ok().and_then(|position| {
                let mv = position.parse_move(last, G::Dialect::default()).ok()?;
                position.clone().try_play(mv).ok()?;
                Some((position.key(), position.move_in_first(mv)?))
            });
            answers.extend(answer);
        }
        Book { answers }
    }

    /// The move that wins here, if the book has one. It has none for games of which there are no certificates, such as
    /// those with a swap rule.
    pub fn answer(&self, position: &G) -> Option<G::Move> {
        let first = *self.answers.get(&position.key())?;
        position.certified_board(&BoardOptions::default()).ok()?;
        position.move_of_first(first)
    }
}

/// The boards and moves of a text.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines()
        .filter_map(|line| line.split('#').next()?.split_once(':'))
}

/// A player that looks into a book before it searches for its move.
pub(crate) struct WithBook<G: Playable> {
    engine: Box<dyn Engine<G>>,
    text: &'static str,
    /// Read when it is first needed.
    book: OnceCell<Book<G>>,
}

impl<G: Playable> WithBook<G> {
    pub fn new(engine: Box<dyn Engine<G>>, text: &'static str) -> WithBook<G> {
        WithBook {
            engine,
            text,
            book: OnceCell::new(),
        }
    }

    fn report(&self, mv: G::Move) -> Report<G::Move> {
        let mut legal = Vec::new();
        self.engine.position().legal_moves(&mut legal);
        let stats = |mv, value, proven| MoveStats {
            mv,
            visits: 0,
            value,
            proven,
        };
        let others = legal.into_iter().filter(|&other| other != mv);
        let others = others.map(|mv| stats(mv, Score::DRAW, None));
        let win = Some(Relative::Win);
        let best = stats(mv, Relative::Win.score(), win);
        Report {
            progress: Progress {
                best: Some(mv),
                value: Relative::Win.score(),
                proven: win,
                principal_variation: vec![mv],
                moves: std::iter::once(best).chain(others).collect(),
                ..Progress::nothing()
            },
            stop: StopReason::Proven,
            signature: 0,
        }
    }
}

impl<G: Playable> Engine<G> for WithBook<G> {
    fn position(&self) -> &G {
        self.engine.position()
    }

    fn set_position(&mut self, position: G) {
        if self.engine.position().size_name() != position.size_name() {
            self.book.take();
        }
        self.engine.set_position(position);
    }

    fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.engine.advance(mv)
    }

    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        self.engine.search(limits, progress)
    }

    fn choose(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        let position = self.engine.position();
        let book = self.book.get_or_init(|| Book::of(self.text, position));
        match book.answer(position) {
            Some(mv) => self.report(mv),
            None => self.engine.choose(limits, progress),
        }
    }

    fn statistics(&self) -> Option<mcts::Statistics> {
        self.engine.statistics()
    }
}
