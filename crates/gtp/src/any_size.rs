//! Sessions of a game that has two kinds of boards.

use crate::commands;
use crate::{Command, Respond, Response, Session, SessionError, SessionOptions};
use engine::{BoardOptions, Playable};
use search::StopFlag;
use std::io::{self, Write};
use std::time::Instant;

/// A session of a game that has one kind of board for small sizes, which is faster, and one for all:
/// `boardsize` goes from one to the other where it has to.
pub enum AnySize<S: Playable, L: Playable> {
    /// A game on a board that is small enough.
    Small(Session<S>),
    /// A game on a board that is not.
    Large(Session<L>),
}

impl<S: Playable, L: Playable<Dialect = S::Dialect>> AnySize<S, L> {
    /// A session at the start of a game.
    ///
    /// # Errors
    /// If there is no such board of either kind, or no such player, setting or dialect.
    pub fn new(board: BoardOptions, options: &SessionOptions) -> Result<Self, SessionError> {
        if S::start(&board).is_ok() {
            Session::new(board, options).map(AnySize::Small)
        } else {
            Session::new(board, options).map(AnySize::Large)
        }
    }

    /// The board that a command asks for, if it asks for one.
    fn board_of(&self, command: &Command) -> Option<BoardOptions> {
        let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        let before = match self {
            AnySize::Small(session) => session.board(),
            AnySize::Large(session) => session.board(),
        };
        match command.name.as_str() {
            "rectangular_boardsize" => {
                let turned: Vec<&str> = arguments.iter().rev().copied().collect();
                S::resized(before, &turned).ok()
            }
            "boardsize" => S::resized(before, &arguments).ok(),
            "loadsgf" => commands::board_in_file::<S>(&arguments),
            _ => None,
        }
    }

    /// The session of the other kind, if the board needs it, and exists.
    fn of_other_kind(&self, board: BoardOptions) -> Option<Self> {
        let is_small = S::start(&board).is_ok();
        match self {
            AnySize::Small(session) if !is_small => {
                session.on_board(board).ok().map(AnySize::Large)
            }
            AnySize::Large(session) if is_small => session.on_board(board).ok().map(AnySize::Small),
            _ => None,
        }
    }

    fn respond_here(&mut self, command: &Command, received: Instant) -> Response {
        match self {
            AnySize::Small(session) => session.respond(command, received),
            AnySize::Large(session) => session.respond(command, received),
        }
    }
}

impl<S: Playable, L: Playable<Dialect = S::Dialect>> Respond for AnySize<S, L> {
    fn respond(&mut self, command: &Command, received: Instant) -> Response {
        let other = self
            .board_of(command)
            .and_then(|board| self.of_other_kind(board));
        let Some(mut other) = other else {
            return self.respond_here(command, received);
        };
        let response = other.respond_here(command, received);
        if response.result.is_ok() {
            *self = other;
        }
        response
    }

    fn goes_on(&self) -> bool {
        match self {
            AnySize::Small(session) => session.goes_on(),
            AnySize::Large(session) => session.goes_on(),
        }
    }

    fn go_on(&mut self, next: &StopFlag, output: &mut dyn Write) -> io::Result<()> {
        match self {
            AnySize::Small(session) => session.go_on(next, output),
            AnySize::Large(session) => session.go_on(next, output),
        }
    }

    fn settle(&mut self, next: &StopFlag) {
        match self {
            AnySize::Small(session) => session.settle(next),
            AnySize::Large(session) => session.settle(next),
        }
    }

    fn has_quit(&self) -> bool {
        match self {
            AnySize::Small(session) => session.has_quit(),
            AnySize::Large(session) => session.has_quit(),
        }
    }
}
