use crate::clock::Instant;
use crate::{Every, Limits, StopFlag, StopReason};
use std::time::Duration;

/// The time between two readings of the clock that a [`Watch`] aims at: short against any time limit
/// that a person would set, long against the 50 ns or so that a reading takes.
const BETWEEN_READINGS: Duration = Duration::from_micros(250);

/// Watches the clock and the stop flag for a search, which calls [`tick`](Watch::tick) after every small
/// piece of work.
///
/// Most ticks do not read the clock: the watch learns how many of them pass in a quarter of a
/// millisecond, and skips that many. After a reading it skips at most twice as many as before, so that a
/// search that becomes slower is noticed, and fewer when the end is near. Pieces of work that take longer
/// than a quarter of a millisecond are timed each. Where nothing depends on the time, the clock is not
/// read at all.
#[derive(Debug)]
pub struct Watch {
    started: Instant,
    stop: StopFlag,
    time: Option<Duration>,
    every: Every,
    next_progress_time: Duration,
    next_progress_work: u64,
    read_at: Duration,
    stride: u32,
    until_reading: u32,
}

/// What a search has to do after a [`Watch::tick`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    /// Go on.
    Continue,
    /// Tell of the progress, and go on.
    Progress,
    /// End the search.
    Stop(StopReason),
}

impl Watch {
    /// Starts the clock.
    pub fn start(limits: &Limits) -> Self {
        Watch {
            started: Instant::now(),
            stop: limits.stop.clone(),
            time: limits.time,
            every: limits.progress,
            next_progress_time: match limits.progress {
                Every::Time(interval) => interval,
                Every::Never | Every::Work(_) => Duration::MAX,
            },
            next_progress_work: match limits.progress {
                Every::Work(interval) => interval.max(1),
                Every::Never | Every::Time(_) => u64::MAX,
            },
            read_at: Duration::ZERO,
            stride: 1,
            until_reading: 1,
        }
    }

    /// When the clock was started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time that is left; `None` if time sets no limit.
    pub fn left(&self) -> Option<Duration> {
        let time = self.time?;
        Some(time.saturating_sub(self.elapsed()))
    }

    /// To be called after every piece of work with the amount done since the start, in the unit of
    /// [`Every::Work`].
    #[inline]
    pub fn tick(&mut self, work: u64) -> Tick {
        if self.stop.is_raised() {
            return Tick::Stop(StopReason::Stopped);
        }
        self.until_reading -= 1;
        if self.until_reading == 0 {
            let tick = self.read_clock();
            if tick != Tick::Continue {
                return tick;
            }
        }
        if work >= self.next_progress_work {
            if let Every::Work(interval) = self.every {
                self.next_progress_work = work.saturating_add(interval.max(1));
            }
            return Tick::Progress;
        }
        Tick::Continue
    }

    #[cold]
    fn read_clock(&mut self) -> Tick {
        if self.time.is_none() && !matches!(self.every, Every::Time(_)) {
            self.until_reading = u32::MAX;
            return Tick::Continue;
        }
        let now = self.elapsed();
        let left = self
            .time
            .map_or(Duration::MAX, |time| time.saturating_sub(now));
        if left.is_zero() {
            self.until_reading = 1;
            return Tick::Stop(StopReason::Time);
        }
        let passed = now.saturating_sub(self.read_at);
        self.read_at = now;
        self.stride = next_stride(self.stride, passed, left.min(BETWEEN_READINGS));
        self.until_reading = self.stride;
        if now >= self.next_progress_time {
            if let Every::Time(interval) = self.every {
                self.next_progress_time = now.saturating_add(interval);
            }
            return Tick::Progress;
        }
        Tick::Continue
    }
}

/// How many ticks to skip so that about `aim` passes, when `stride` ticks took `passed`: at least 1, at
/// most twice as many as before.
fn next_stride(stride: u32, passed: Duration, aim: Duration) -> u32 {
    let fitting = u128::from(stride) * aim.as_nanos() / passed.as_nanos().max(1);
    fitting.clamp(1, u128::from(stride.saturating_mul(2))) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const AIM: Duration = Duration::from_micros(250);

    #[test]
    fn the_stride_fits_the_aim() {
        let micros = Duration::from_micros;
        assert_eq!(next_stride(100, micros(250), AIM), 100);
        assert_eq!(next_stride(100, micros(500), AIM), 50);
        assert_eq!(next_stride(100, micros(200), AIM), 125);
        // Far too short: doubled, no more.
        assert_eq!(next_stride(100, micros(1), AIM), 200);
        assert_eq!(next_stride(100, Duration::ZERO, AIM), 200);
        assert_eq!(next_stride(u32::MAX, Duration::ZERO, AIM), u32::MAX);
        // A single piece of work that is slower than the aim is timed each.
        assert_eq!(next_stride(1, micros(5_000), AIM), 1);
        // The end is near.
        assert_eq!(next_stride(100, micros(250), micros(50)), 20);
        assert_eq!(next_stride(100, micros(250), Duration::ZERO), 1);
    }

    #[test]
    fn progress_by_work_is_told_after_every_interval() {
        let mut watch = Watch::start(&Limits {
            progress: Every::Work(10),
            ..Limits::default()
        });
        let told: Vec<u64> = (1..=35)
            .filter(|&work| watch.tick(work) == Tick::Progress)
            .collect();
        assert_eq!(told, [10, 20, 30]);
    }

    #[test]
    fn no_interval_and_no_limit_never_interrupts() {
        let mut watch = Watch::start(&Limits::default());
        assert!((1..10_000).all(|work| watch.tick(work) == Tick::Continue));
    }

    #[test]
    fn the_flag_is_seen_at_the_next_tick() {
        let limits = Limits::default();
        let mut watch = Watch::start(&limits);
        assert_eq!(watch.tick(1), Tick::Continue);
        limits.stop.raise();
        assert_eq!(watch.tick(2), Tick::Stop(StopReason::Stopped));
        limits.stop.lower();
        assert_eq!(watch.tick(3), Tick::Continue);
    }

    #[test]
    fn a_time_that_is_over_stops_at_the_first_tick() {
        let mut watch = Watch::start(&Limits {
            time: Some(Duration::ZERO),
            progress: Every::Time(Duration::ZERO),
            ..Limits::default()
        });
        assert_eq!(watch.tick(1), Tick::Stop(StopReason::Time));
        assert_eq!(watch.tick(2), Tick::Stop(StopReason::Time));
    }
}
