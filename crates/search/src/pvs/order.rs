//! In which order moves are searched: what was good elsewhere first (killer moves: Akl and Newborn, "The
//! principal continuation and the killer heuristic", 1977; history: Schaeffer, "The history heuristic
//! and alpha-beta search enhancements in practice", 1989).

/// What one thread has learnt of moves.
pub(super) struct Memory<M> {
    /// By slot: how often the move was good and how often not.
    history: Vec<i32>,
    /// For each ply the two moves that led to the last cut-offs there, the latest first.
    killers: Vec<[Option<M>; 2]>,
    /// By the slot of the move before, the move that led to the last cut-off as an answer to it.
    replies: Vec<Option<M>>,
}

/// No slot of the history goes beyond.
const MOST: i32 = 1 << 14;

impl<M: Copy + Eq> Memory<M> {
    pub fn new(slots: usize) -> Self {
        Memory {
            history: vec![0; slots],
            killers: Vec::new(),
            replies: vec![None; slots],
        }
    }

    /// Forgets the killers, which belong to one root, and half of the history.
    pub fn begin(&mut self) {
        self.killers.clear();
        for value in &mut self.history {
            *value /= 2;
        }
    }

    pub fn history(&self, slot: usize) -> i32 {
        self.history[slot]
    }

    pub fn is_killer(&self, ply: usize, mv: M) -> bool {
        self.killers
            .get(ply)
            .is_some_and(|killers| killers.contains(&Some(mv)))
    }

    pub fn reply(&self, before: Option<usize>) -> Option<M> {
        before.and_then(|slot| self.replies[slot])
    }

    /// A move led to a cut-off after others had been tried in vain.
    pub fn cut_off(
        &mut self,
        ply: usize,
        depth: i32,
        (mv, slot): (M, usize),
        before: Option<usize>,
        in_vain: impl Iterator<Item = usize>,
    ) {
        let weight = (depth * depth).min(400);
        self.change(slot, weight);
        for slot in in_vain {
            self.change(slot, -weight);
        }
        if let Some(before) = before {
            self.replies[before] = Some(mv);
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [latest, earlier] = &mut self.killers[ply];
        if *latest != Some(mv) {
            *earlier = *latest;
            *latest = Some(mv);
        }
    }

    /// The nearer to the most, the less it changes.
    fn change(&mut self, slot: usize, by: i32) {
        let value = &mut self.history[slot];
        *value += by - *value * by.abs() / MOST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cuts_off_is_remembered() {
        let mut memory = Memory::new(10);
        memory.cut_off(3, 4, ('a', 1), Some(7), [2, 3].into_iter());
        memory.cut_off(3, 4, ('b', 2), Some(7), [1].into_iter());
        memory.cut_off(3, 4, ('b', 2), None, std::iter::empty());
        assert!(memory.is_killer(3, 'a') && memory.is_killer(3, 'b'));
        assert!(!memory.is_killer(2, 'a') && !memory.is_killer(30, 'a'));
        assert_eq!(memory.reply(Some(7)), Some('b'));
        assert_eq!(memory.reply(None), None);
        assert!(memory.history(2) > memory.history(1));
        assert!(memory.history(1) > memory.history(3));
    }

    #[test]
    fn the_history_is_bounded() {
        let mut memory = Memory::new(2);
        for _ in 0..10_000 {
            memory.cut_off(0, 20, ('a', 0), None, [1].into_iter());
        }
        assert!((MOST / 2..=MOST).contains(&memory.history(0)));
        assert!((-MOST..=-MOST / 2).contains(&memory.history(1)));
    }
}
