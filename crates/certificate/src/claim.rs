//! What a certificate claims.

use game::{Outcome, Side};
use std::fmt;
use std::str::FromStr;

/// What one side's strategy achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// The side wins.
    Wins(Side),
    /// The side does not lose.
    Holds(Side),
}

impl Promise {
    /// The side whose strategy it is.
    pub const fn side(self) -> Side {
        match self {
            Promise::Wins(side) | Promise::Holds(side) => side,
        }
    }

    /// Whether a position in which this is kept is one in which the other is kept.
    pub fn implies(self, other: Promise) -> bool {
        self == other || self == Promise::Wins(other.side())
    }

    /// Whether an end of the game is as promised.
    pub fn is_kept_by(self, outcome: Outcome) -> bool {
        match self {
            Promise::Wins(side) => outcome == Outcome::Win(side),
            Promise::Holds(side) => outcome != Outcome::Win(!side),
        }
    }
}

/// What is claimed of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// One side can keep a promise.
    Promise(Promise),
    /// The value is a draw: each side holds.
    Draw,
}

impl Claim {
    /// That the value of a position is this outcome.
    pub const fn value(outcome: Outcome) -> Claim {
        match outcome {
            Outcome::Win(side) => Claim::Promise(Promise::Wins(side)),
            Outcome::Draw => Claim::Draw,
        }
    }

    /// The promises that show it together.
    pub fn promises(self) -> Vec<Promise> {
        match self {
            Claim::Promise(promise) => vec![promise],
            Claim::Draw => Side::BOTH.map(Promise::Holds).to_vec(),
        }
    }
}

/// As in the header: `white wins`, `black holds`, `draw`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Promise(Promise::Wins(side)) => write!(f, "{side} wins"),
            Claim::Promise(Promise::Holds(side)) => write!(f, "{side} holds"),
            Claim::Draw => f.write_str("draw"),
        }
    }
}

impl FromStr for Claim {
    type Err = ();

    fn from_str(text: &str) -> Result<Claim, ()> {
        let mut known = vec![Claim::Draw];
        for side in Side::BOTH {
            known.push(Claim::Promise(Promise::Wins(side)));
            known.push(Claim::Promise(Promise::Holds(side)));
        }
        let named = |claim: &Claim| claim.to_string() == text;
        known.into_iter().find(named).ok_or(())
    }
}
