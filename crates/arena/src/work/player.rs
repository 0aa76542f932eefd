//! A thread that plays the pairs that it has leased.

use super::recorder::Entry;
use super::{ANSWER, WorkerPool};
use crate::play::Unplayed;
use crate::schedule::{self, Colour};
use crate::store::{GameRow, Lease};
use crate::table::{Loaded, Tables};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// The longest wait between two looks for something to play.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// The time between two looks at whether to stop, while the store is waited for.
const LOOK_FOR_STOP: Duration = Duration::from_millis(50);
/// The most pairs leased at once.
const MAX_BATCH: usize = 64;
/// How long a batch of pairs should last.
const BATCH: Duration = Duration::from_secs(1);

impl WorkerPool<'_> {
    /// The life of a thread that plays.
    pub(super) fn play(&self, thread: usize, games: &mpsc::Sender<Entry>, handle: &Handle) {
        let log = self.options.engine_log.clone();
        let mut tables = Tables::new(log, self.is_abandoned.clone());
        let mut count = 1;
        while !self.stop.is_raised() {
            let claimed = handle.block_on(async {
                tokio::select! {
                    claimed = self.patiently(|| self.claim(thread, count)) => Some(claimed),
                    () = self.stopped() => None,
                }
            });
            let (loaded, leases) = match claimed {
                Some(Err(error)) => return self.fail(error.into()),
                Some(Ok((Some(loaded), leases, _))) => (loaded, leases),
                None | Some(Ok((_, _, false))) => return,
                Some(Ok((_, _, true))) => {
                    std::thread::sleep(LOOK_AGAIN);
                    continue;
                }
            };
            let held = leases.iter().map(Lease::of_job).collect();
            self.heartbeats.step(thread, Some(held), None);
            let started = Instant::now();
            let mut left = leases.as_slice();
            while let Some((lease, rest)) = left.split_first() {
                if self.stop.is_raised() {
                    break;
                }
                match self.play_pair(thread, &mut tables, &loaded, lease, games) {
                    Ok(true) => left = rest,
                    Ok(false) | Err(Unplayed::Abandoned) => break,
                    Err(error) => {
                        self.fail(error.into());
                        break;
                    }
                }
            }
            self.heartbeats.step(thread, Some(Vec::new()), None);
            if !left.is_empty() {
                let _ = games.blocking_send(Entry::Release(left.to_vec()));
            }
            let each = started.elapsed() / leases.len() as u32;
            let fitting = BATCH.as_nanos() / each.as_nanos().max(1);
            count = fitting.clamp(1, (2 * leases.len()).min(MAX_BATCH) as u128) as usize;
        }
    }

    /// Ends when somebody has asked to stop and the store has had the time for an answer that was under way.
    async fn stopped(&self) {
        while !self.stop.is_raised() {
            tokio::time::sleep(LOOK_FOR_STOP).await;
        }
        tokio::time::sleep(ANSWER).await;
    }

    /// Plays the games of a pair that are not stored; `false` if asked to stop in between.
    fn play_pair(
        &self,
        thread: usize,
        tables: &mut Tables,
        loaded: &Arc<Loaded>,
        lease: &Lease,
        games: &mpsc::Sender<Entry>,
    ) -> Result<bool, Unplayed> {
        let pair = schedule::pair(&loaded.experiment, lease.pair);
        for colour in Colour::BOTH {
            if lease.stored[colour.index() as usize] {
                continue;
            }
            if self.stop.is_raised() {
                return Ok(false);
            }
            self.ledger.0.playing.fetch_add(1, Ordering::Relaxed);
            let game = tables.play(loaded, pair, colour, &|at_most| {
                self.heartbeats.step(thread, None, at_most);
            });
            self.ledger.0.playing.fetch_sub(1, Ordering::Relaxed);
            let game = game?;
            self.heartbeats.step(thread, None, None);
            let row = GameRow {
                experiment: lease.experiment.clone(),
                pair: lease.pair,
                colour: colour.index(),
                point: pair.point as u64,
                score: game.score,
                reason: game.reason,
                fault: game.fault,
                plies: game.moves.len() as u64,
                seconds: game.time.as_secs_f64(),
                worker: lease.worker.clone(),
                generation: lease.generation,
                finished: 0.0,
                sgf: game.sgf,
                turns: game.turns,
            };
            if games
                .blocking_send(Entry::Game(loaded.clone(), row))
                .is_err()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
