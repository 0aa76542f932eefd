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
//!
//! A sum counts a position twice that is reached by two ways; [`Combination`] has other ways to combine.

use super::{Bounds, ProofNumbers};
use game::Side;

/// The number of what cannot be.
const INFINITE: u32 = ProofNumbers::INFINITE;

/// The largest finite number.
const MOST: u32 = INFINITE - 1;

/// The two numbers of a node from the point of view of one side, or thresholds for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// How hard it seems to show that the side gets what it wants.
    pub phi: u32,
    /// How hard it seems to show that it does not.
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

    /// Whether the question is answered.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// Whether a search within thresholds ends.
    #[inline]
    pub fn reaches(self, limit: Numbers) -> bool {
        self.is_solved() || self.phi >= limit.phi || self.delta >= limit.delta
    }

    /// The same for both sides, if these are those of the attacker, or of the defender. They say nothing of a draw.
    #[inline]
    pub fn both(self, attacking: bool) -> ProofNumbers {
        let (proof, disproof) = if attacking {
            (self.phi, self.delta)
        } else {
            (self.delta, self.phi)
        };
        ProofNumbers {
            proof,
            disproof,
            lost: false,
        }
    }
}

/// How the phi of children make the delta of their parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// Their sum.
    Sum,
    /// The largest, plus one for each further child that is not settled (Ueda, Hashimoto, Hashimoto and Iida, "Weak
    /// proof-number search", 2008): children share most of their proofs.
    Weak,
    /// The largest, plus one part in so many of the sum of the others.
    Part(u32),
}

/// How numbers are combined, and how far a child is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// See [`Combination`].
    pub combination: Combination,
    /// The ε of the 1 + ε trick, from 0: a child is searched until another looks better by this part (Pawlewicz and Lew,
    /// "Improving depth-first PN-search: 1 + ε trick", 2007).
    pub epsilon: f64,
}

/// The numbers of a node from those of its children, gathered one by one, and which child to search next.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The place of the child with the least delta, as it looks to this thread.
    pub best: usize,
    /// Its phi.
    best_phi: u32,
    /// The least delta as it looks to this thread, and that of the best of the others.
    least: u32,
    second: u32,
    /// The least delta of those that look harder to this thread than they are.
    burdened: u32,
    /// The sum of phi, and the largest.
    sum: u64,
    hardest: u32,
    /// The children whose phi is not 0.
    open: u32,
}

impl Choice {
    /// No child was added yet.
    pub const NONE: Choice = Choice {
        best: 0,
        best_phi: 0,
        least: INFINITE,
        second: INFINITE,
        burdened: INFINITE,
        sum: 0,
        hardest: 0,
        open: 0,
    };

    /// Adds a child with its numbers from the point of view of the other side than the one that chooses; `burden` is
    /// what is added to its delta in the choice because others search it.
    #[inline(always)]
    pub fn add(&mut self, place: usize, child: Numbers, burden: u32) {
        let looks = if burden == 0 || matches!(child.delta, 0 | INFINITE) {
            child.delta
        } else {
            self.burdened = self.burdened.min(child.delta);
            child.delta.saturating_add(burden).min(MOST)
        };
        if looks < self.least {
            self.second = self.least;
            self.least = looks;
            self.best = place;
            self.best_phi = child.phi;
        } else {
            self.second = self.second.min(looks);
        }
        self.sum += u64::from(child.phi);
        self.hardest = self.hardest.max(child.phi);
        self.open += u32::from(child.phi != 0);
    }

    /// Adds so many children with the same numbers, at least one, of which this is the place of the first, after all others.
    #[inline(always)]
    pub fn add_alike(&mut self, place: usize, child: Numbers, count: usize) {
        if child.delta < self.least || (child.delta == self.least && place < self.best) {
            self.second = self.least;
            self.least = child.delta;
            self.best = place;
            self.best_phi = child.phi;
            if count > 1 {
                self.second = child.delta;
            }
        } else {
            self.second = self.second.min(child.delta);
        }
        self.sum += u64::from(child.phi) * count as u64;
        self.hardest = self.hardest.max(child.phi);
        if child.phi != 0 {
            self.open += count as u32;
        }
    }

    /// The phi of all children.
    #[inline(always)]
    fn combined(&self, combination: Combination) -> u32 {
        let hardest = u64::from(self.hardest);
        let combined = match combination {
            Combination::Sum => self.sum,
            Combination::Weak => hardest + u64::from(self.open.saturating_sub(1)),
            Combination::Part(part) => hardest + (self.sum - hardest) / u64::from(part),
        };
        combined.min(u64::from(MOST)) as u32
    }

    /// The numbers of the node, from the point of view of the side that chooses.
    #[inline(always)]
    pub fn numbers(&self, rule: Rule) -> Numbers {
        let phi = self.least.min(self.burdened);
        if phi == 0 {
            return Numbers::ACHIEVED;
        }
        if phi == INFINITE {
            // Each child achieves what it wants.
            return Numbers::REFUTED;
        }
        Numbers {
            phi,
            delta: self.combined(rule.combination),
        }
    }

    /// How far to search the best child of a node that is searched within thresholds: until the node reaches its own,
    /// or another child looks better. The point of view is that of [`add`](Choice::add).
    #[inline(always)]
    pub fn child_limit(&self, limit: Numbers, rule: Rule) -> Numbers {
        let beyond = (f64::from(self.second) * (1.0 + rule.epsilon)) as u32;
        Numbers {
            phi: self.phi_limit(limit.delta, self.best_phi, rule.combination),
            delta: limit.phi.min(beyond.saturating_add(1)),
        }
    }

    /// How far the phi of a child may come until the delta of its node reaches a limit.
    #[inline(always)]
    pub fn phi_limit(&self, limit: u32, phi: u32, combination: Combination) -> u32 {
        let others = match combination {
            Combination::Weak => self.open.saturating_sub(1),
            combination => self.combined(combination).saturating_sub(phi),
        };
        match limit {
            INFINITE => INFINITE,
            delta => delta.saturating_sub(others),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUM: Rule = Rule {
        combination: Combination::Sum,
        epsilon: 0.25,
    };

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
        assert_eq!(choice.numbers(SUM), Numbers { phi: 2, delta: 8 });
        let combined = |combination| choice.numbers(Rule { combination, ..SUM }).delta;
        assert_eq!(combined(Combination::Weak), 6);
        assert_eq!(combined(Combination::Part(2)), 6);
        assert_eq!(combined(Combination::Part(3)), 5);
        let limit = choice.child_limit(
            Numbers {
                phi: 100,
                delta: 20,
            },
            SUM,
        );
        assert_eq!(limit, Numbers { phi: 13, delta: 4 });
        assert_eq!(choice.child_limit(Numbers::NEVER, SUM).phi, INFINITE);
    }

    #[test]
    fn children_that_are_alike_count_as_each_would() {
        let rules = [Combination::Sum, Combination::Weak, Combination::Part(3)];
        for alike in [(3, 5), (1, 2), (2, 3), (0, INFINITE)] {
            for count in 1..4 {
                for first in 0..4 {
                    let mut each = vec![(4, 3), (1, 3), (2, 6)];
                    let mut others = Choice::NONE;
                    for (place, &(phi, delta)) in each.iter().enumerate() {
                        let place = if place < first { place } else { place + count };
                        others.add(place, Numbers { phi, delta }, 0);
                    }
                    let (phi, delta) = alike;
                    others.add_alike(first, Numbers { phi, delta }, count);
                    each.splice(first..first, vec![alike; count]);
                    let expected = choose(&each);
                    assert_eq!(others.best, expected.best, "{each:?}");
                    for combination in rules {
                        let rule = Rule { combination, ..SUM };
                        assert_eq!(others.numbers(rule), expected.numbers(rule), "{each:?}");
                        let limit = Numbers { phi: 50, delta: 60 };
                        assert_eq!(
                            others.child_limit(limit, rule),
                            expected.child_limit(limit, rule),
                            "{each:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn solved_children() {
        assert_eq!(
            choose(&[(3, 5), (INFINITE, 0)]).numbers(SUM),
            Numbers::ACHIEVED
        );
        assert_eq!(
            choose(&[(0, INFINITE), (0, INFINITE)]).numbers(SUM),
            Numbers::REFUTED
        );
        assert_eq!(
            choose(&[(0, INFINITE), (7, 1)]).numbers(SUM),
            Numbers { phi: 1, delta: 7 }
        );
        assert_eq!(choose(&[(MOST, 3), (MOST, 4)]).numbers(SUM).delta, MOST);
    }

    #[test]
    fn a_child_that_others_search_looks_harder() {
        let mut choice = Choice::NONE;
        choice.add(0, Numbers { phi: 1, delta: 2 }, 4);
        choice.add(1, Numbers { phi: 1, delta: 3 }, 0);
        assert_eq!(choice.best, 1);
        assert_eq!(choice.numbers(SUM), Numbers { phi: 2, delta: 2 });
    }
}
