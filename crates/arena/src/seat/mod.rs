//! The two seats at a board: a player of this program, or another program behind the Go Text Protocol.

mod external;
mod own;

pub use external::ExternalSeat;
pub use own::OwnSeat;

use engine::{Playable, TurnStatistics};
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Why a player loses a game other than by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ended, or it broke down within this program.
    Crash(String),
    /// It gave no answer in the time that any answer may take.
    NoAnswer(String),
    /// What it wrote is no answer.
    Garbage(String),
    /// It played a move that is not legal.
    Illegal(String),
    /// It refused a command that it should obey.
    Refused(String),
    /// It took longer than its time.
    Time(String),
}

impl Fault {
    /// The kind, in one word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Fault::Crash(_) => "crash",
            Fault::NoAnswer(_) => "no-answer",
            Fault::Garbage(_) => "garbage",
            Fault::Illegal(_) => "illegal",
            Fault::Refused(_) => "refused",
            Fault::Time(_) => "time",
        }
    }
}

/// The kind and what happened: `illegal: the cell holds a white stone already`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Fault::Crash(what)
        | Fault::NoAnswer(what)
        | Fault::Garbage(what)
        | Fault::Illegal(what)
        | Fault::Refused(what)
        | Fault::Time(what)) = self;
        write!(f, "{}: {what}", self.kind())
    }
}

/// What ended a request to a seat.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The player is to blame.
    Fault(Fault),
    /// The player cannot be had on this machine.
    NotHere(String),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

/// Asks a player for something. One that panics has crashed: it loses its game, and the others go on.
///
/// # Errors
/// What it answers, or the panic as a [`Fault::Crash`].
pub fn guarded<T>(ask: impl FnOnce() -> Result<T, Trouble>) -> Result<T, Trouble> {
    catch_unwind(AssertUnwindSafe(ask))
        .unwrap_or_else(|panic| Err(Fault::Crash(words_of(&*panic)).into()))
}

/// What a panic says.
pub fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic".to_owned())
}

/// The time for a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// For this move; `None` sets no limit.
    pub time: Option<Duration>,
    /// What is left on the clock of the game, where there is one.
    pub clock: Option<gtp::Clock>,
}

impl Allowance {
    /// The most that the move may take: where a clock runs for the game, all that is left of it.
    pub fn at_most(&self) -> Option<Duration> {
        let clock = self.clock.map(|clock| clock.main + clock.per_move);
        clock.or(self.time)
    }
}

/// What a player did for a move.
#[derive(Clone, Debug)]
pub struct Thought<M> {
    /// The move; `None` resigns.
    pub mv: Option<M>,
    /// The expected score of the side to move, from 0 to 1, as the player sees it.
    pub value: Option<f64>,
    /// What the search counted.
    pub statistics: Option<TurnStatistics>,
}

/// A player at the board.
pub trait Seat<G: Playable>: Send {
    /// Begins a game.
    ///
    /// # Errors
    /// If the player fails, or cannot be had.
    fn begin(&mut self, start: &G, seed: u64) -> Result<(), Trouble>;

    /// Tells of a move that was made, of the opening or by the opponent.
    fn tell(&mut self, mv: G::Move);

    /// Asks for a move in a position, which the moves told have led to.
    ///
    /// # Errors
    /// If the player fails.
    fn think(&mut self, position: &G, allowance: &Allowance) -> Result<Thought<G::Move>, Trouble>;

    /// Gives up what may be in disorder after a fault; the next game begins anew.
    fn reset(&mut self);

    /// Gives back what is only needed during a game.
    fn rest(&mut self) {}
}
