//! Last good reply: an answer that was part of a won playout is given again (Drake, "The last-good-reply
//! policy for Monte-Carlo Go", 2009); with forgetting, until it is part of a lost one (Baier and Drake,
//! "The power of forgetting", 2010).

use crate::rules::geometry::{Cell, Geometry};
use game::Side;

/// Whether good replies are given again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastGoodReply {
    /// No.
    #[default]
    Off,
    /// The last good reply to each stone.
    Keep,
    /// The last good reply to each stone, unless it was part of a lost playout since.
    Forget,
}

/// The replies of both sides, by the cell that they answer.
#[derive(Clone, Debug)]
pub(super) struct Replies {
    by_side: [Box<[Option<Cell>]>; 2],
}

impl Replies {
    pub(super) fn new(geometry: &Geometry) -> Replies {
        let none = || vec![None; geometry.grid()].into();
        Replies {
            by_side: [none(), none()],
        }
    }

    /// The good reply of a side to a stone.
    #[inline]
    pub(super) fn to(&self, stone: Cell, side: Side) -> Option<Cell> {
        self.by_side[side.index()][stone.index()]
    }

    /// Learns from a playout: `before` is the stone before its first, `first` the side that began, and
    /// the stones of the playout alternate.
    pub(super) fn learn(
        &mut self,
        before: Option<Cell>,
        stones: &[Cell],
        first: Side,
        winner: Side,
        policy: LastGoodReply,
    ) {
        let mut side = first;
        let mut answered = before;
        for &reply in stones {
            if let Some(stone) = answered {
                let known = &mut self.by_side[side.index()][stone.index()];
                if side == winner {
                    *known = Some(reply);
                } else if policy == LastGoodReply::Forget && *known == Some(reply) {
                    *known = None;
                }
            }
            answered = Some(reply);
            side = !side;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Shape;

    #[test]
    fn the_winner_s_replies_are_kept_and_the_loser_s_forgotten() {
        let geometry = Geometry::of(Shape::regular(3).expect("a size"));
        let cells = geometry.cells();
        let replies_after = |policy| {
            let mut replies = Replies::new(geometry);
            // Black answers 0 with 1, White 1 with 2, Black 2 with 3; Black wins.
            replies.learn(
                Some(cells[0]),
                &cells[1..4],
                Side::Black,
                Side::Black,
                policy,
            );
            assert_eq!(replies.to(cells[0], Side::Black), Some(cells[1]));
            assert_eq!(replies.to(cells[1], Side::White), None);
            assert_eq!(replies.to(cells[2], Side::Black), Some(cells[3]));
            // The same beginning, another end; White wins.
            replies.learn(
                Some(cells[0]),
                &cells[1..3],
                Side::Black,
                Side::White,
                policy,
            );
            assert_eq!(replies.to(cells[1], Side::White), Some(cells[2]));
            assert_eq!(replies.to(cells[2], Side::Black), Some(cells[3]));
            replies.to(cells[0], Side::Black)
        };
        assert_eq!(replies_after(LastGoodReply::Keep), Some(cells[1]));
        assert_eq!(replies_after(LastGoodReply::Forget), None);
    }
}
