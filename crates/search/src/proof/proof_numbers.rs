//! What is known of a question, as solvers tell it to others.

use super::Numbers;
use game::{Outcome, Side};

/// What is known of the question whether a side, the attacker, wins a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// How hard it seems to prove that the attacker wins: 0 if that is proven, [`INFINITE`](Self::INFINITE) if it is
    /// disproven.
    pub proof: u32,
    /// How hard it seems to prove that the attacker does not win, likewise.
    pub disproof: u32,
    /// Where `disproof` is 0: whether the other side is known to win, rather than perhaps to draw.
    pub lost: bool,
}

impl ProofNumbers {
    /// The number of what cannot be.
    pub const INFINITE: u32 = u32::MAX;

    /// The attacker wins.
    pub const PROVEN: ProofNumbers = ProofNumbers {
        proof: 0,
        disproof: Self::INFINITE,
        lost: false,
    };

    /// Nothing is known.
    pub const UNKNOWN: ProofNumbers = ProofNumbers {
        proof: 1,
        disproof: 1,
        lost: false,
    };

    /// As bounds of a search: only an answer reaches them.
    pub const NEVER: ProofNumbers = ProofNumbers {
        proof: Self::INFINITE,
        disproof: Self::INFINITE,
        lost: false,
    };

    /// The attacker does not win; `lost` if the other side does.
    pub const fn disproven(lost: bool) -> ProofNumbers {
        ProofNumbers {
            proof: Self::INFINITE,
            disproof: 0,
            lost,
        }
    }

    /// The answer for a position that is over.
    pub fn of_outcome(outcome: Outcome, attacker: Side) -> ProofNumbers {
        match outcome {
            Outcome::Win(side) if side == attacker => ProofNumbers::PROVEN,
            outcome => ProofNumbers::disproven(outcome != Outcome::Draw),
        }
    }

    /// The numbers from the point of view of the attacker, or of the other side.
    #[inline(always)]
    pub fn seen_by(self, attacking: bool) -> Numbers {
        let (phi, delta) = if attacking {
            (self.proof, self.disproof)
        } else {
            (self.disproof, self.proof)
        };
        Numbers { phi, delta }
    }

    /// Whether the question is answered.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Whether a search within bounds ends.
    #[inline]
    pub fn reaches(self, bounds: ProofNumbers) -> bool {
        self.is_solved() || self.proof >= bounds.proof || self.disproof >= bounds.disproof
    }
}
