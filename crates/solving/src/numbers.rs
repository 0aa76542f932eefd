//! Proof numbers in the upper part of a proof, and which of its positions to search next.
//!
//! Where the attacker moves, the proof number of a node is the least of its children's, and its disproof number is the
//! largest of theirs plus one for each further child that is not refuted; where the defender moves it is the other way
//! round (weak proof-number search: Ueda, Hashimoto, Hashimoto and Iida, 2008). A child is searched until its number
//! exceeds that of the second best by a part (1 + ε: Pawlewicz and Lew, 2007). A child below which jobs are under way
//! looks harder by half for each of them, so that workers spread; and one that another worker searched last, whose table
//! knows more of it, by half, so that they stay apart.

use search::proof::ProofNumbers;

/// ε is one part in so many.
const EPSILON_DIVISOR: u32 = 4;
/// A child looks harder by one part in so many for each job below it.
const BURDEN_DIVISOR: u32 = 2;

/// The largest finite number.
const MOST: u32 = ProofNumbers::INFINITE - 1;

/// The number of the side to move, and that of the other side.
fn seen(numbers: ProofNumbers, attacking: bool) -> (u32, u32) {
    if attacking {
        (numbers.proof, numbers.disproof)
    } else {
        (numbers.disproof, numbers.proof)
    }
}

/// The same back.
fn from_seen(own: u32, other: u32, attacking: bool, lost: bool) -> ProofNumbers {
    let (proof, disproof) = if attacking {
        (own, other)
    } else {
        (other, own)
    };
    ProofNumbers {
        proof,
        disproof,
        lost: lost && disproof == 0,
    }
}

/// The numbers of a node from those of all its children; `attacking` if the attacker moves in it.
pub(crate) fn combined(attacking: bool, children: &[ProofNumbers]) -> ProofNumbers {
    let own = |child: &ProofNumbers| seen(*child, attacking).0;
    let least = children
        .iter()
        .map(own)
        .min()
        .unwrap_or(ProofNumbers::INFINITE);
    if least == 0 {
        // Of the defender's moves that hold, one that wins is better.
        let lost = children.iter().any(|child| own(child) == 0 && child.lost);
        return from_seen(0, ProofNumbers::INFINITE, attacking, lost);
    }
    let others = children.iter().map(|&child| seen(child, attacking).1);
    let open = others.clone().filter(|&other| other != 0).count() as u32;
    let hardest = others.max().unwrap_or(0);
    let other = match open {
        0 => 0,
        open => hardest.saturating_add(open - 1).min(MOST),
    };
    let lost = children.iter().all(|child| child.lost);
    from_seen(least, other, attacking, lost)
}

/// A child as the choice sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub numbers: ProofNumbers,
    /// Jobs under way at it and below.
    pub busy: u32,
    /// Whether the table of another worker knows most of it.
    pub is_elsewhere: bool,
    /// Whether there is something to be searched that nobody searches.
    pub is_free: bool,
}

/// The place of the child to search next, and the numbers at which another one may be better. `None` if nothing is free.
pub(crate) fn choose(
    attacking: bool,
    children: &[Candidate],
    bounds: ProofNumbers,
) -> Option<(usize, ProofNumbers)> {
    let burdened = |child: &Candidate| {
        let (own, _) = seen(child.numbers, attacking);
        let burdens = child.busy + u32::from(child.is_elsewhere);
        let burden = burdens.saturating_mul(own / BURDEN_DIVISOR + 1);
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
    let count = open().count() as u32;
    let (own, other) = seen(child.numbers, attacking);
    let (own_bound, other_bound) = seen(bounds, attacking);
    let beyond = |number: u32| {
        number
            .saturating_add(number / EPSILON_DIVISOR)
            .saturating_add(1)
    };
    let own_bound = second.map_or(own_bound, |second| own_bound.min(beyond(second)));
    let other_bound = match other_bound {
        ProofNumbers::INFINITE => ProofNumbers::INFINITE,
        bound => bound.saturating_sub(count - 1),
    };
    // It may not be the best one, if that is being searched; some work is done on it all the same.
    let own_bound = own_bound.max(beyond(own));
    let other_bound = other_bound.max(beyond(other));
    Some((best, from_seen(own_bound, other_bound, attacking, false)))
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
    }

    #[test]
    fn a_draw_is_told_from_a_loss() {
        let (lost, held) = (
            ProofNumbers::disproven(true),
            ProofNumbers::disproven(false),
        );
        assert_eq!(combined(true, &[lost, lost]), lost);
        assert_eq!(combined(true, &[lost, held]), held, "it can still hold");
        assert_eq!(combined(false, &[held, lost]), lost, "the better of two");
        assert_eq!(combined(false, &[held, open(1, 1)]), held);
    }

    #[test]
    fn workers_spread() {
        let child = |proof, busy, is_free| Candidate {
            numbers: open(proof, 9),
            busy,
            is_elsewhere: false,
            is_free,
        };
        let choose = |children: &[Candidate]| choose(true, children, ProofNumbers::NEVER);
        let both = [child(4, 0, true), child(5, 0, true)];
        assert_eq!(choose(&both), Some((0, open(7, u32::MAX))));
        // Below the first there is something left, but the second is about as good.
        let one = [child(4, 1, true), child(5, 0, true)];
        assert_eq!(choose(&one), Some((1, open(9, u32::MAX))));
        let far = [child(4, 1, true), child(50, 0, true)];
        assert_eq!(choose(&far).map(|(place, _)| place), Some(0));
        let full = [child(4, 1, false), child(50, 0, true)];
        assert_eq!(choose(&full).map(|(place, _)| place), Some(1));
        assert_eq!(choose(&[child(4, 1, false)]), None);
        let warm = Candidate {
            is_elsewhere: true,
            ..child(4, 0, true)
        };
        assert_eq!(
            choose(&[warm, child(5, 0, true)]).map(|(place, _)| place),
            Some(1)
        );
    }
}
