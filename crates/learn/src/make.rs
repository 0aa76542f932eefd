//! The records of a step: games of self-play, or of a match, played here or by other processes too.

use crate::error::{LearnError, of_file};
use crate::folder;
use crate::frames::Records;
use crate::games::Subject;
use crate::lead::News;
use crate::run::Run;
use crate::self_play::Players;
use crate::task::Task;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;

/// What is heard of a step.
pub(crate) enum Made {
    /// A record with its number, which is in its file.
    Record(u32, Vec<u8>),
    /// The store could not be reached.
    Trouble(String),
}

impl<S: Subject> Run<'_, S> {
    /// Makes what is missing of the records of a step, adds each to its file and hands it to `hear`, until that says that
    /// it is enough. Gives whether all are made.
    pub(crate) fn make(
        &self,
        task: &Task,
        all: u32,
        known: &Records,
        store: &mut folder::Store,
        hear: &mut dyn FnMut(Made) -> bool,
    ) -> Result<bool, LearnError> {
        let missing: Vec<u32> = (0..all)
            .filter(|number| !known.contains_key(number))
            .collect();
        let is_whole = match &self.lead {
            None => self.on_threads(task, &missing, &mut |number, bytes| {
                store.add(number, &bytes)?;
                Ok(hear(Made::Record(number, bytes)))
            })?,
            Some(lead) => {
                let files = task.weights().map(|hash| {
                    let path = self.folder.weights(hash);
                    Ok((hash.clone(), of_file(&path, fs::read(&path))?))
                });
                let files = files.collect::<Result<Vec<_>, LearnError>>()?;
                lead.make(task, &missing, &files, &mut |news| match news {
                    News::Trouble(why) => Ok(hear(Made::Trouble(why))),
                    News::Made(records) => {
                        for (number, bytes) in &records {
                            store.add(*number, bytes)?;
                        }
                        // Only then may it go from where it was.
                        store.sync()?;
                        let mut goes_on = true;
                        for (number, bytes) in records {
                            goes_on = hear(Made::Record(number, bytes));
                        }
                        Ok(goes_on)
                    }
                })?
            }
        };
        store.sync()?;
        Ok(is_whole)
    }

    /// Makes records on threads, and hands each to `keep` until that says no. Gives whether all are made.
    fn on_threads(
        &self,
        task: &Task,
        missing: &[u32],
        keep: &mut dyn FnMut(u32, Vec<u8>) -> Result<bool, LearnError>,
    ) -> Result<bool, LearnError> {
        let weights = self.folder.all_weights();
        let next = AtomicU32::new(0);
        let mut left = missing.len();
        thread::scope(|scope| {
            let (made, waiting) = mpsc::channel();
            for _ in 0..self.options.threads.clamp(1, left.max(1)) {
                let (made, next, weights) = (made.clone(), &next, &weights);
                scope.spawn(move || {
                    let players = match Players::<S>::new(self.plan, weights) {
                        Ok(players) => players,
                        Err(why) => return drop(made.send(Err(why))),
                    };
                    while !self.options.stop.is_raised() {
                        let place = next.fetch_add(1, Ordering::Relaxed) as usize;
                        let Some(&number) = missing.get(place) else {
                            return;
                        };
                        let record = task.perform(self.plan, &players, number, &self.options.stop);
                        let result = match record {
                            Ok(Some(bytes)) => Ok((number, bytes)),
                            Ok(None) => return,
                            Err(why) => Err(why),
                        };
                        // Nobody waits any more when enough is known.
                        if made.send(result).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(made);
            for result in &waiting {
                let (number, bytes) = result?;
                left -= 1;
                if !keep(number, bytes)? {
                    break;
                }
            }
            drop(waiting);
            Ok(left == 0)
        })
    }
}
