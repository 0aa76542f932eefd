//! Proof numbers: how hard it seems to settle a question.
//!
//! The question is whether the attacker wins. A node has two numbers, from the point of view of its side
//! to move: `phi`, how hard it seems to show that this side gets what it wants (the attacker a win, the
//! defender anything else), and `delta`, how hard the opposite seems (Nagai, "Df-pn algorithm for
//! searching AND/OR trees", 2002). With children c:
//!
//! ```text
//! phi = min delta(c)      delta = Σ phi(c)
//! ```

use super::Bounds;
use game::Side;

/// The number of what cannot be.
pub(super) const INFINITE: u32 = u32::MAX;

/// The largest finite number.
const MOST: u32 = INFINITE - 1;

/// The two numbers of a node, or thresholds for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub phi: u32,
    pub delta: u32,
}

impl Numbers {
    /// The side to move gets what it wants.
    pub const ACHIEVED: Numbers = Numbers {
        phi: 0,
        delta: INFINITE,
    };
    /// The side to move does not get what it wants.
    pub const REFUTED: Numbers = Numbers {
        phi: INFINITE,
        delta: 0,
    };
    /// Nothing is known.
    pub const UNKNOWN: Numbers = Numbers { phi: 1, delta: 1 };
    /// Thresholds that only an answer reaches.
    pub const NEVER: Numbers = Numbers {
        phi: INFINITE,
        delta: INFINITE,
    };

    /// The numbers of a node about which it is known whether the attacker wins.
    #[inline]
    pub fn answered(attacker_wins: bool, attacker_moves: bool) -> Numbers {
        if attacker_wins == attacker_moves {
            Numbers::ACHIEVED
        } else {
            Numbers::REFUTED
        }
    }

    /// The numbers that follow from bounds, if they answer the question.
    #[inline]
    pub fn of_bounds(bounds: Bounds, attacker: Side, to_move: Side) -> Option<Numbers> {
        let wins = bounds.wins(attacker)?;
        Some(Numbers::answered(wins, attacker == to_move))
    }

    #[inline]
    pub fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// Whether a search within thresholds ends.
    #[inline]
    pub fn reaches(self, limit: Numbers) -> bool {
        self.is_solved() || self.phi >= limit.phi || self.delta >= limit.delta
    }

    /// How hard it seems to show that the attacker wins, and that it does not.
    pub fn proof_and_disproof(self, attacker_moves: bool) -> (u32, u32) {
        if attacker_moves {
            (self.phi, self.delta)
        } else {
            (self.delta, self.phi)
        }
    }
}

/// The numbers of a node from those of its children, gathered one by one, and which child to search next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The place of the child with the least delta, as it looks to this thread.
    pub best: usize,
    /// Its phi.
    best_phi: u32,
    /// The least delta as it looks to this thread, and that of the best of the others.
    least: u32,
    second: u32,
    /// The least delta.
    phi: u32,
    /// The sum of phi.
    delta: u32,
}

impl Choice {
    pub const NONE: Choice = Choice {
        best: 0,
        best_phi: 0,
        least: INFINITE,
        second: INFINITE,
        phi: INFINITE,
        delta: 0,
    };

    /// Adds a child; `burden` is what is added to its delta in the choice because others search it.
    #[inline]
    pub fn add(&mut self, place: usize, child: Numbers, burden: u32) {
        let looks = match child.delta {
            0 | INFINITE => child.delta,
            delta => delta.saturating_add(burden).min(MOST),
        };
        if looks < self.least {
            self.second = self.least;
            self.least = looks;
            self.best = place;
            self.best_phi = child.phi;
        } else {
            self.second = self.second.min(looks);
        }
        self.phi = self.phi.min(child.delta);
        self.delta = self.delta.saturating_add(child.phi);
    }

    /// The numbers of the node.
    #[inline]
    pub fn numbers(&self) -> Numbers {
        if self.phi == 0 {
            return Numbers::ACHIEVED;
        }
        if self.phi == INFINITE {
            // Each child achieves what it wants.
            return Numbers::REFUTED;
        }
        Numbers {
            phi: self.phi,
            delta: self.delta.min(MOST),
        }
    }

    /// How far to search the best child of a node that is searched within thresholds, until another child
    /// looks better by one part in `epsilon` (Pawlewicz and Lew, "Improving depth-first PN-search: 1 + ε
    /// trick", 2007); without it as soon as another looks better.
    #[inline]
    pub fn child_limit(&self, limit: Numbers, epsilon: f64) -> Numbers {
        let beyond = (f64::from(self.second) * (1.0 + epsilon)) as u32;
        let others = self.delta.min(MOST) - self.best_phi.min(self.delta.min(MOST));
        Numbers {
            phi: match limit.delta {
                INFINITE => INFINITE,
                delta => delta.saturating_sub(others),
            },
            delta: limit.phi.min(beyond.saturating_add(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(children: &[(u32, u32)]) -> Choice {
        let mut choice = Choice::NONE;
        for (place, &(phi, delta)) in children.iter().enumerate() {
            choice.add(place, Numbers { phi, delta }, 0);
        }
        choice
    }

    #[test]
    fn the_least_and_the_sum() {
        let choice = choose(&[(3, 5), (1, 2), (4, 3)]);
        assert_eq!(choice.best, 1);
        assert_eq!(choice.numbers(), Numbers { phi: 2, delta: 8 });
        let limit = choice.child_limit(
            Numbers {
                phi: 100,
                delta: 20,
            },
            0.25,
        );
        assert_eq!(limit, Numbers { phi: 13, delta: 4 });
        assert_eq!(choice.child_limit(Numbers::NEVER, 0.0).phi, INFINITE);
    }

    #[test]
    fn solved_children() {
        assert_eq!(
            choose(&[(3, 5), (INFINITE, 0)]).numbers(),
            Numbers::ACHIEVED
        );
        assert_eq!(
            choose(&[(0, INFINITE), (0, INFINITE)]).numbers(),
            Numbers::REFUTED
        );
        assert_eq!(
            choose(&[(0, INFINITE), (7, 1)]).numbers(),
            Numbers { phi: 1, delta: 7 }
        );
        assert_eq!(choose(&[(MOST, 3), (MOST, 4)]).numbers().delta, MOST);
    }

    #[test]
    fn a_child_that_others_search_looks_harder() {
        let mut choice = Choice::NONE;
        choice.add(0, Numbers { phi: 1, delta: 2 }, 4);
        choice.add(1, Numbers { phi: 1, delta: 3 }, 0);
        assert_eq!(choice.best, 1);
        assert_eq!(choice.numbers(), Numbers { phi: 2, delta: 2 });
    }
}
