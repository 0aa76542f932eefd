//! Positions that are solved side by side and have turns, so that those that take longest are not begun last.

use crate::crews::Crews;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How to solve several positions at once.
#[derive(Clone, Copy)]
pub struct AtOnce {
    pub threads: u32,
    /// The most bytes for what is kept of positions that wait for another turn.
    pub room: usize,
}

/// What became of a position in its turn.
pub enum Turn<S> {
    /// It is over, and perhaps no other one is to be begun.
    Over { goes_on: bool },
    /// It is to have another turn. What is known of it takes so many bytes meanwhile.
    Next { kept: S, bytes: usize },
}

/// A position that waits for its turn.
struct Waiting<S> {
    number: usize,
    kept: Option<S>,
    bytes: usize,
}

/// The positions that wait, of which those that had a turn take so many bytes at most.
struct Queue<S> {
    waiting: VecDeque<Waiting<S>>,
    room: usize,
}

impl<S> Queue<S> {
    /// The position to go on with: the first that waits, behind which the one that has just had its turn is put, unless
    /// there is none or no room.
    fn next(&mut self, last: Option<Waiting<S>>) -> Option<Waiting<S>> {
        let Some(last) = last else {
            return self.waiting.pop_front();
        };
        let kept: usize = self.waiting.iter().map(|waiting| waiting.bytes).sum();
        if kept + last.bytes > self.room {
            return Some(last);
        }
        self.waiting.push_back(last);
        self.waiting.pop_front()
    }
}

/// Solves positions by their numbers on threads. All have a turn, in their order, those that need it another one, and so on:
/// so what takes longest, which nobody can tell before, is not begun last, when most threads can only help. A position has one
/// turn after the other where no other waits, or what is kept of those that do would take more bytes than there is room for. A
/// thread that finds none waiting helps one of the crews. `solve` is told of the position, and what was kept of its last turn.
/// Those that are begun have turns until they are over, in any case.
pub fn solve_in_turns<S: Send>(
    positions: usize,
    AtOnce { threads, room }: AtOnce,
    crews: &Crews,
    solve: impl Fn(usize, Option<S>) -> Turn<S> + Sync,
) {
    let waiting = (0..positions).map(|number| Waiting {
        number,
        kept: None,
        bytes: 0,
    });
    let queue = Mutex::new(Queue {
        waiting: waiting.collect(),
        room,
    });
    let work = || {
        let mut last = None;
        loop {
            let mut queue_now = queue.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(now) = queue_now.next(last) else {
                break;
            };
            drop(queue_now);
            last = match solve(now.number, now.kept) {
                Turn::Over { goes_on } => {
                    if !goes_on {
                        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                        queue.waiting.retain(|waiting| waiting.kept.is_some());
                    }
                    None
                }
                Turn::Next { kept, bytes } => Some(Waiting {
                    number: now.number,
                    kept: Some(kept),
                    bytes,
                }),
            };
        }
        crews.help();
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
}

/// Solves positions by their numbers on threads, in their order; `solve` says whether to go on with the next one.
pub fn solve_each(positions: usize, threads: u32, solve: impl Fn(usize, &Crews) -> bool + Sync) {
    let crews = Crews::default();
    let at_once = AtOnce { threads, room: 0 };
    solve_in_turns(positions, at_once, &crews, |number, _: Option<()>| {
        Turn::Over {
            goes_on: solve(number, &crews),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn each_position_is_solved_once_until_one_says_stop() {
        for threads in 1..4 {
            let seen = Mutex::new(Vec::new());
            solve_each(20, threads, |number, _| {
                seen.lock().expect("a list").push(number);
                true
            });
            let mut seen = seen.into_inner().expect("a list");
            seen.sort_unstable();
            assert_eq!(seen, (0..20).collect::<Vec<_>>());
        }
        let count = AtomicUsize::new(0);
        solve_each(20, 1, |number, _| {
            count.fetch_add(1, Ordering::Relaxed);
            number < 4
        });
        assert_eq!(count.into_inner(), 5);
    }

    /// The order of the turns, where positions need so many.
    fn turns(needed: &[u32], threads: u32, room: usize) -> Vec<usize> {
        let turns = Mutex::new(Vec::new());
        let solve = |number: usize, kept: Option<u32>| {
            turns.lock().expect("a list").push(number);
            let done = kept.unwrap_or(0) + 1;
            if done < needed[number] {
                let (kept, bytes) = (done, 10);
                return Turn::Next { kept, bytes };
            }
            assert_eq!(done, needed[number]);
            Turn::Over { goes_on: true }
        };
        let at_once = AtOnce { threads, room };
        solve_in_turns(needed.len(), at_once, &Crews::default(), solve);
        turns.into_inner().expect("a list")
    }

    #[test]
    fn what_is_begun_is_ended_when_nothing_else_is_begun() {
        for threads in 1..4 {
            let over = Mutex::new(Vec::new());
            let at_once = AtOnce { threads, room: 100 };
            solve_in_turns(20, at_once, &Crews::default(), |number, kept| {
                if number < 5 && kept.is_none() {
                    let (kept, bytes) = ((), 1);
                    return Turn::Next { kept, bytes };
                }
                over.lock().expect("a list").push(number);
                Turn::Over { goes_on: false }
            });
            let mut over = over.into_inner().expect("a list");
            over.sort_unstable();
            assert_eq!(over[..5], [0, 1, 2, 3, 4]);
            assert!(over.len() <= 5 + threads as usize, "{over:?}");
        }
    }

    #[test]
    fn positions_have_turns_until_they_are_over() {
        let needed = [4, 1, 3, 2];
        assert_eq!(turns(&needed, 1, 100), [0, 1, 2, 3, 0, 2, 3, 0, 2, 0]);
        assert_eq!(turns(&needed, 1, 20), [0, 1, 2, 3, 3, 0, 2, 0, 2, 0]);
        assert_eq!(turns(&needed, 1, 9), [0, 0, 0, 0, 1, 2, 2, 2, 3, 3]);
        for threads in 2..5 {
            let mut turns = turns(&needed, threads, 20);
            turns.sort_unstable();
            assert_eq!(turns, [0, 0, 0, 0, 1, 2, 2, 2, 3, 3]);
        }
    }
}
