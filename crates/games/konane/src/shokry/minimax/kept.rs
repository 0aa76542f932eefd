use crate::Direction;
use crate::jump_masks::JumpGeometry;
use crate::rules::Bits;

/// The order scores of the moves of a side, of which those far from what changed since its last turn are
/// taken over.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptScores<const WORDS: usize> {
    /// By stone, direction and number of jumps.
    scores: Vec<i8>,
    /// The cells near which something has changed since the turn before, if that has left its scores.
    changed: Option<Bits<WORDS>>,
}

impl<const WORDS: usize> KeptScores<WORDS> {
    /// Begins a turn with the scores and the stones of the turn of the same side before, if there was one.
    pub fn begin(
        &mut self,
        ground: &JumpGeometry<WORDS>,
        before: Option<(&KeptScores<WORDS>, Bits<WORDS>)>,
        stones: Bits<WORDS>,
    ) {
        if let Some((kept, stones_before)) = before
            && !kept.scores.is_empty()
        {
            self.scores.clone_from(&kept.scores);
            let changed = (stones | stones_before) & !(stones & stones_before);
            self.changed = Some(neighbourhood(ground, changed));
        } else {
            self.changed = None;
            self.scores.clear();
            self.scores
                .resize(ground.shape.area() * 4 * most_jumps(ground), 0);
        }
    }

    /// The score of a jump, which `find` finds anew if need be.
    #[inline]
    pub fn score(
        &mut self,
        ground: &JumpGeometry<WORDS>,
        from: usize,
        to: usize,
        direction: Direction,
        find: impl FnOnce() -> i32,
    ) -> i32 {
        let mut steps = 0;
        let mut cell = from;
        let mut is_kept = self.is_unchanged(from);
        while cell != to {
            cell = ground.stepped(cell, direction, 1);
            is_kept &= self.is_unchanged(cell);
            steps += 1;
        }
        let place = (from * 4 + direction.index()) * most_jumps(ground) + steps / 2 - 1;
        if !is_kept {
            self.scores[place] = find() as i8;
        }
        i32::from(self.scores[place])
    }

    fn is_unchanged(&self, cell: usize) -> bool {
        self.changed.is_some_and(|changed| !changed.has(cell))
    }
}

/// More than the jumps of any move.
fn most_jumps<const WORDS: usize>(ground: &JumpGeometry<WORDS>) -> usize {
    ground.shape.rows().max(ground.shape.cols()) / 2 + 1
}

/// The cells from which a score looks at one of these, and some more: it looks at stones up to two cells
/// from each cell of the jump, and at what those can jump, which is decided up to two cells further on.
fn neighbourhood<const WORDS: usize>(
    ground: &JumpGeometry<WORDS>,
    cells: Bits<WORDS>,
) -> Bits<WORDS> {
    let near = |cells: Bits<WORDS>| {
        Direction::ALL.into_iter().fold(cells, |all, direction| {
            let one = ground.looking(cells, direction, 1);
            all | one | ground.looking(cells, direction, 2)
        })
    };
    near(near(cells))
}
