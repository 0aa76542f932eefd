//! Which cells close a ring of a group, all at once.
//!
//! The rule of [`crate::rules::rings`], in words of cells: a stone closes a ring if the neighbours of
//! its cell that belong to one group lie in two or more runs, so that something else is between them
//! on both sides; or if it fills the last place around a cell of the group whose other five
//! neighbours belong to it.

use super::layout::Layout;
use super::word::Word;

/// The fewest stones with which one more closes a ring.
pub const STONES_BEFORE_RING: u32 = 5;

/// The cells outside the group on which a stone closes a ring with it; some may hold a stone. The
/// group must not have a ring already.
#[inline(always)]
pub fn closing<W: Word>(layout: &Layout<W>, group: W) -> W {
    let beside = Layout::beside(group);
    let mut once = W::NONE;
    let mut twice = W::NONE;
    for direction in 0..6 {
        let start_of_run = beside[direction].minus(beside[(direction + 5) % 6]);
        twice = twice | (once & start_of_run);
        once = once | start_of_run;
    }
    let halves = halves(&beside);
    // Five of six neighbours include one half of them or the other.
    let mut closing = twice;
    if group.meets(halves[0] | halves[1]) {
        closing = closing | filling(group);
    }
    closing.minus(group) & layout.board
}

/// The cells with three neighbours in a row in the group, in each half of the directions.
#[inline(always)]
fn halves<W: Word>(beside: &[W; 6]) -> [W; 2] {
    [0, 3].map(|first| beside[first] & beside[first + 1] & beside[first + 2])
}

/// The sixth neighbours of the cells of the group that have five neighbours in it. Few groups have any: what
/// [`closing`] has at hand is found again, since handing it over would mean to store it for all groups.
#[inline(never)]
fn filling<W: Word>(group: W) -> W {
    let beside = Layout::beside(group);
    let halves = halves(&beside);
    let mut filling = W::NONE;
    for missing in 0..6 {
        let half = if missing < 3 { 0 } else { 3 };
        let others = (half..half + 3).filter(|&direction| direction != missing);
        let two = others.fold(group, |set, direction| set & beside[direction]);
        let middle = two & halves[1 - half / 3];
        // The missing neighbour is the cell that has the middle beside it in the opposite direction.
        filling = filling | Layout::beside(middle)[(missing + 3) % 6];
    }
    filling
}
