//! The checker's own search: what it finds within a number of positions need not be written.

use crate::{Judgement, Promise, Provable};

/// The most positions that a certificate may let the checker search for one that is left out.
pub const MOST_SEARCHED: u32 = 10_000;

/// Why a search found nothing.
enum Failed {
    /// The promise is not kept, as far as was looked.
    Broken,
    /// The number of positions is used up, or whoever asked did not want to know any more.
    Ended,
}

/// A search of a position, with moves of a strategy up to a depth.
struct Search<'a> {
    promise: Promise,
    left: u32,
    /// Whether something was not looked at because of the depth.
    cut: bool,
    goes_on: &'a mut dyn FnMut() -> bool,
}

/// Whether the search finds that a promise is kept in a position: first with one move of the strategy in each line of
/// play that the rules do not settle, then with two, and so on.
pub(crate) fn is_found<G: Provable>(
    position: &G,
    promise: Promise,
    positions: u32,
    goes_on: &mut dyn FnMut() -> bool,
) -> bool {
    let mut search = Search {
        promise,
        left: positions,
        cut: true,
        goes_on,
    };
    let mut depth = 0;
    while std::mem::take(&mut search.cut) {
        depth += 1;
        match search.come(position, depth) {
            Ok(()) => return true,
            Err(Failed::Broken) => {}
            Err(Failed::Ended) => return false,
        }
    }
    false
}

impl Search<'_> {
    fn come<G: Provable>(&mut self, position: &G, depth: u32) -> Result<(), Failed> {
        if self.left == 0 || !(self.goes_on)() {
            return Err(Failed::Ended);
        }
        self.left -= 1;
        if let Some(outcome) = position.outcome() {
            return if self.promise.is_kept_by(outcome) {
                Ok(())
            } else {
                Err(Failed::Broken)
            };
        }
        match position.judge(self.promise) {
            Judgement::Kept => Ok(()),
            Judgement::Broken(_) => Err(Failed::Broken),
            Judgement::Forced(mv) => self.after(position, mv, depth),
            Judgement::Answer(moves) => {
                for mv in moves {
                    self.after(position, mv, depth)?;
                }
                Ok(())
            }
            Judgement::Open if depth == 0 => {
                self.cut = true;
                Err(Failed::Broken)
            }
            Judgement::Open => {
                let mut candidates = position.candidates();
                candidates.sort_by_key(|&(class, _)| class);
                for (_, mv) in candidates {
                    match self.after(position, mv, depth - 1) {
                        Err(Failed::Broken) => {}
                        found => return found,
                    }
                }
                Err(Failed::Broken)
            }
        }
    }

    fn after<G: Provable>(&mut self, position: &G, mv: G::Move, depth: u32) -> Result<(), Failed> {
        let mut after = position.clone();
        match after.try_play(mv) {
            Ok(()) => self.come(&after, depth),
            Err(_) => Err(Failed::Broken),
        }
    }
}
