//! Proof numbers in the upper part of a proof, and which of its positions to search next.
//!
//! Where the attacker moves, the proof number of a node is the least of its children's, and its disproof number is theirs
//! [combined](Combination) as the solver of the game does it; where the defender moves it is the other way round. A child is
//! searched until its number exceeds that of the second best by a part (1 + ε: Pawlewicz and Lew, 2007). A position that is
//! being searched is assumed to be twice as hard, so that workers spread (virtual proof numbers: Kaneko, "Parallel depth first
//! proof number search", 2010); and one that another worker searched last, whose table knows more of it, looks harder by half,
//! so that they stay apart.

use search::proof::{Choice, Combination, Numbers, ProofNumbers, Rule};

const EPSILON: f64 = 0.25;
/// A child looks harder by one part in so many if another worker's table knows most of it.
const BURDEN_DIVISOR: u32 = 2;

/// The numbers of a node from those of all its children; `attacking` if the attacker moves in it.
pub(crate) fn combined(
    combination: Combination,
    attacking: bool,
    children: &[ProofNumbers],
) -> ProofNumbers {
    let rule = Rule {
        combination,
        epsilon: EPSILON,
    };
    let choice = gathered(attacking, children.iter().copied());
    let numbers = choice.numbers(rule).both(attacking);
    let mut decisive = children
        .iter()
        .map(|child| child.disproof == 0 && child.lost);
    ProofNumbers {
        // Of the defender's moves that hold, one that wins is better.
        lost: numbers.disproof == 0
            && if attacking {
                decisive.all(|lost| lost)
            } else {
                decisive.any(|lost| lost)
            },
        ..numbers
    }
}

/// What the children of a node say to the side that moves in it.
fn gathered(attacking: bool, children: impl Iterator<Item = ProofNumbers>) -> Choice {
    let mut choice = Choice::NONE;
    for (place, child) in children.enumerate() {
        choice.add(place, child.seen_by(!attacking), 0);
    }
    choice
}

/// The numbers of a child that is being searched, as they are assumed to become: twice as hard for the side that moves
/// to it, who is the attacker if `attacking`.
pub(crate) fn while_searched(attacking: bool, numbers: ProofNumbers) -> ProofNumbers {
    if numbers.is_solved() {
        return numbers;
    }
    let seen = numbers.seen_by(attacking);
    let phi = seen.phi.saturating_mul(2).saturating_add(1);
    let phi = phi.min(ProofNumbers::INFINITE - 1);
    Numbers { phi, ..seen }.both(attacking)
}

/// A child as the choice sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub numbers: ProofNumbers,
    /// Whether the table of another worker knows most of it.
    pub is_elsewhere: bool,
    /// Whether there is something to be searched that nobody searches.
    pub is_free: bool,
}

/// The place of the child to search next, and the numbers at which another one may be better. `None` if nothing is free.
pub(crate) fn choose(
    combination: Combination,
    attacking: bool,
    children: &[Candidate],
    bounds: ProofNumbers,
) -> Option<(usize, ProofNumbers)> {
    let burdened = |child: &Candidate| {
        let own = child.numbers.seen_by(attacking).phi;
        let burden = if child.is_elsewhere {
            own / BURDEN_DIVISOR + 1
        } else {
            0
        };
        own.saturating_add(burden)
    };
    let open = || {
        let children = children.iter().enumerate();
        children.filter(|(_, child)| !child.numbers.is_solved())
    };
    let free = open().filter(|(_, child)| child.is_free);
    let (best, child) = free.min_by_key(|(_, child)| burdened(child))?;
    let others = open().filter(|&(place, _)| place != best);
    let second = others.map(|(_, child)| burdened(child)).min();
    let known = child.numbers.seen_by(attacking);
    let limit = bounds.seen_by(attacking);
    let beyond = |number: u32| {
        let beyond = f64::from(number) * (1.0 + EPSILON);
        (beyond as u32).saturating_add(1)
    };
    let phi = second.map_or(limit.phi, |second| limit.phi.min(beyond(second)));
    let all = gathered(attacking, children.iter().map(|child| child.numbers));
    let delta = all.phi_limit(limit.delta, known.delta, combination);
    // It may not be the best one, if that is being searched; some work is done on it all the same.
    let bounds = Numbers {
        phi: phi.max(beyond(known.phi)),
        delta: delta.max(beyond(known.delta)),
    };
    Some((best, bounds.both(attacking)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers {
            proof,
            disproof,
            lost: false,
        }
    }

    #[test]
    fn the_side_to_move_needs_one_child_and_the_other_all() {
        let children = [open(3, 5), open(7, 2), ProofNumbers::disproven(true)];
        let combined =
            |attacking, children: &[ProofNumbers]| combined(Combination::Weak, attacking, children);
        assert_eq!(combined(true, &children), open(3, 6));
        assert_eq!(
            combined(false, &children),
            ProofNumbers::disproven(true),
            "the defender has a move that wins"
        );
        assert_eq!(combined(false, &children[..2]), open(8, 2));
        let with = |last| [open(3, 5), last];
        assert_eq!(
            combined(true, &with(ProofNumbers::PROVEN)),
            ProofNumbers::PROVEN
        );
        assert_eq!(combined(false, &with(ProofNumbers::PROVEN)), open(3, 5));
        assert_eq!(
            combined(false, &[ProofNumbers::PROVEN; 2]),
            ProofNumbers::PROVEN
        );
        let part = super::combined(Combination::Part(2), true, &children[..2]);
        assert_eq!(part, open(3, 6));
        let three = [open(3, 5), open(7, 2), open(9, 4)];
        let part = super::combined(Combination::Part(2), true, &three);
        assert_eq!(part, open(3, 8), "and half of what the others add");
    }

    #[test]
    fn a_draw_is_told_from_a_loss() {
        let (lost, held) = (
            ProofNumbers::disproven(true),
            ProofNumbers::disproven(false),
        );
        let combined =
            |attacking, children: &[ProofNumbers]| combined(Combination::Weak, attacking, children);
        assert_eq!(combined(true, &[lost, lost]), lost);
        assert_eq!(combined(true, &[lost, held]), held, "it can still hold");
        assert_eq!(combined(false, &[held, lost]), lost, "the better of two");
        assert_eq!(combined(false, &[held, open(1, 1)]), held);
    }

    #[test]
    fn what_is_searched_looks_harder_unless_it_is_solved() {
        assert_eq!(while_searched(true, open(4, 9)), open(9, 9));
        assert_eq!(while_searched(false, open(4, 9)), open(4, 19));
        for solved in [ProofNumbers::PROVEN, ProofNumbers::disproven(true)] {
            assert_eq!(while_searched(true, solved), solved);
            assert_eq!(while_searched(false, solved), solved);
        }
        let far = ProofNumbers::INFINITE - 1;
        assert_eq!(while_searched(true, open(far, 9)), open(far, 9));
    }

    #[test]
    fn workers_spread() {
        let child = |proof, is_free| Candidate {
            numbers: open(proof, 9),
            is_elsewhere: false,
            is_free,
        };
        let choose =
            |children: &[Candidate]| choose(Combination::Weak, true, children, ProofNumbers::NEVER);
        let both = [child(4, true), child(5, true)];
        assert_eq!(choose(&both), Some((0, open(7, u32::MAX))));
        // Below the first there is something left, but the second is about as good.
        let searched = |proof, is_free| Candidate {
            numbers: while_searched(true, open(proof, 9)),
            ..child(proof, is_free)
        };
        let one = [searched(4, true), child(5, true)];
        assert_eq!(choose(&one), Some((1, open(12, u32::MAX))));
        let far = [searched(4, true), child(50, true)];
        assert_eq!(choose(&far).map(|(place, _)| place), Some(0));
        let full = [searched(4, false), child(50, true)];
        assert_eq!(choose(&full).map(|(place, _)| place), Some(1));
        assert_eq!(choose(&[searched(4, false)]), None);
        let warm = Candidate {
            is_elsewhere: true,
            ..child(4, true)
        };
        assert_eq!(
            choose(&[warm, child(5, true)]).map(|(place, _)| place),
            Some(1)
        );
    }
}
