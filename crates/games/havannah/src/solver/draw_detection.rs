//! Early draw detection (notes on solving, "Early Draw Detection"): a side that could not win even if
//! the opponent passed for the rest of the game will not win.
//!
//! Suppose that the side fills every empty cell. It then has a fork or a bridge exactly if one
//! connected part of its own and empty cells touches three edges or two corners. It has a ring exactly
//! if something is enclosed: either a group of the opponent that touches neither an edge nor a corner
//! (a group that does not is enclosed by cells that are not the opponent's, which then are all the
//! side's), or an own cell with six own neighbours. No way of playing on puts more of its stones on
//! the board, and a structure stays one when stones are added, so that without these it has no win.

use super::layout::Layout;
use super::word::Word;
use crate::rules::geometry::{CORNERS, EDGES};

/// Whether a side with these stones cannot win whatever both sides play.
#[inline]
pub fn cannot_win<W: Word>(layout: &Layout<W>, own: W, empty: W) -> bool {
    let filled = own | empty;
    let around = Layout::beside(filled);
    if around.into_iter().fold(filled, |all, beside| all & beside) != W::NONE {
        return false;
    }
    let theirs = layout.board.minus(filled);
    if layout.flood(theirs.minus(layout.interior), theirs) != theirs {
        return false;
    }
    let mut rest = filled;
    while !rest.is_none() {
        let part = layout.flood(W::bit(rest.first()), filled);
        let rim = part.minus(layout.interior).indices();
        let links = rim.fold(0, |links, index| links | layout.rim.as_ref()[index]);
        if (links & EDGES).count_ones() >= 3 || (links & CORNERS).count_ones() >= 2 {
            return false;
        }
        rest = rest.minus(part);
    }
    true
}
