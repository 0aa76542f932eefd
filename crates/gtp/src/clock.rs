//! How long a move may take.

use std::time::Duration;

/// A period of byo-yomi: some moves that have to be made within some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The time for all of them.
    pub time: Duration,
    /// How many there are. 0 counts as 1.
    pub moves: u32,
}

/// The time of one side.
///
/// A move may take what is given for each move and a share of the main time. When the main time is over,
/// periods of byo-yomi follow one another, if there are any: a move may then take an even share of its
/// period. The default has no time at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Given for each move, on top of the main time.
    pub per_move: Duration,
    /// Whether what a move leaves of `per_move` is added to the main time.
    pub saves: bool,
    /// What is left for all moves that are still to come.
    pub main: Duration,
    /// Added to the main time after each move (Fischer's clock).
    pub increment: Duration,
    /// The periods that follow the main time (Canadian byo-yomi, as GTP has it).
    pub byo_yomi: Option<Period>,
    /// What is left of the period under way.
    pub period: Option<Period>,
}

/// A move may take one part in so many of the main time. Each takes the same part of what is then left,
/// so that the time is never used up: after 25 moves a third of it is left, after 50 an eighth.
const MAIN_TIME_PARTS: u32 = 25;

/// What a move loses besides the search: starting it, writing the answer, and its way to the reader.
const MARGIN: Duration = Duration::from_millis(20);

impl Clock {
    /// The same time for each move.
    pub fn per_move(time: Duration) -> Clock {
        Clock {
            per_move: time,
            ..Clock::default()
        }
    }

    /// The clock of GTP's `time_settings` (section 4.2 of the specification). `None` if it sets no limit:
    /// byo-yomi without moves says so, and no time at all is taken to say so.
    pub fn time_settings(main: Duration, byo_yomi: Duration, moves: u32) -> Option<Clock> {
        let periods = !byo_yomi.is_zero();
        if (periods && moves == 0) || (!periods && main.is_zero()) {
            return None;
        }
        Some(Clock {
            main,
            byo_yomi: periods.then_some(Period {
                time: byo_yomi,
                moves,
            }),
            ..Clock::default()
        })
    }

    /// Fischer's clock: a main time, and an increment after each move. `None` if it sets no limit.
    pub fn fischer(main: Duration, increment: Duration) -> Option<Clock> {
        let limits = !main.is_zero() || !increment.is_zero();
        limits.then_some(Clock {
            main,
            increment,
            ..Clock::default()
        })
    }

    /// Sets what is left, as GTP's `time_left` tells it: with no moves, of the main time; otherwise of a
    /// period in which so many moves are still to be made. It is all there is: until the next game no
    /// time is given for each move before it is made.
    pub fn set_left(&mut self, time: Duration, moves: u32) {
        self.per_move = Duration::ZERO;
        if moves == 0 {
            self.main = time;
            self.period = None;
        } else {
            self.main = Duration::ZERO;
            self.period = Some(Period { time, moves });
        }
    }

    /// How long the next move may take.
    ///
    /// It never oversteps: the main time is shared out as long as that gives more than byo-yomi would,
    /// and a move that has the time of a move in byo-yomi and is longer than the main time goes over into
    /// a new period. An increment is spent in advance, but for half of what there is.
    pub fn allotted(&self) -> Duration {
        if let Some(period) = self.period {
            return period.per_move();
        }
        let share = self.main / MAIN_TIME_PARTS;
        if !self.increment.is_zero() {
            return share.saturating_add(self.increment).min(self.main / 2);
        }
        let in_byo_yomi = self.byo_yomi.map_or(Duration::ZERO, Period::per_move);
        self.per_move.saturating_add(share.max(in_byo_yomi))
    }

    /// Counts the time that a move took.
    pub fn spend(&mut self, used: Duration) {
        if let Some(period) = &mut self.period {
            period.time = period.time.saturating_sub(used);
            period.moves = period.moves.saturating_sub(1);
            if period.moves == 0 {
                self.period = self.byo_yomi;
            }
            return;
        }
        if self.saves {
            let unused = self.per_move.saturating_sub(used);
            self.main = self.main.saturating_add(unused);
        }
        let from_main = used.saturating_sub(self.per_move);
        let over = from_main.saturating_sub(self.main);
        self.main = self.main.saturating_sub(from_main);
        if self.main.is_zero() && !from_main.is_zero() {
            self.period = self.byo_yomi;
            if !over.is_zero() && self.period.is_some() {
                self.spend(over);
            }
        }
        self.main = self.main.saturating_add(self.increment);
    }
}

impl Period {
    fn per_move(self) -> Duration {
        self.time / self.moves.max(1)
    }
}

/// How long a search may take for a move with this time, of which some has passed already: all that is
/// left but a margin of 20 ms, or a fifth of a time that is shorter than 100 ms.
pub fn search_time(allotted: Duration, passed: Duration) -> Duration {
    let margin = MARGIN.min(allotted / 5);
    allotted.saturating_sub(margin).saturating_sub(passed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn settings(main: f64, byo_yomi: f64, moves: u32) -> Clock {
        Clock::time_settings(seconds(main), seconds(byo_yomi), moves).expect("a limit")
    }

    #[test]
    fn the_same_time_for_each_move() {
        let mut clock = Clock::per_move(seconds(2.0));
        for used in [2.0, 0.0, 3.0, 1.0] {
            assert_eq!(clock.allotted(), seconds(2.0));
            clock.spend(seconds(used));
        }
    }

    #[test]
    fn unused_time_is_saved_if_it_is_to_be() {
        let mut clock = Clock {
            saves: true,
            ..Clock::per_move(seconds(5.0))
        };
        clock.spend(seconds(1.0));
        assert_eq!(clock.main, seconds(4.0));
        assert_eq!(clock.allotted(), seconds(5.16));
        clock.spend(seconds(6.5));
        assert_eq!(clock.main, seconds(2.5));
    }

    #[test]
    fn main_time_is_shared_out() {
        let mut clock = settings(100.0, 0.0, 0);
        assert_eq!(clock.allotted(), seconds(4.0));
        clock.spend(seconds(50.0));
        assert_eq!(clock.allotted(), seconds(2.0));
        clock.spend(seconds(60.0));
        assert_eq!(clock.allotted(), Duration::ZERO);
    }

    #[test]
    fn periods_follow_the_main_time() {
        let mut clock = settings(60.0, 30.0, 10);
        // The 25th part of the main time is less than what a move in byo-yomi has.
        assert_eq!(clock.allotted(), seconds(3.0));
        clock.spend(seconds(59.0));
        assert_eq!(clock.allotted(), seconds(3.0));
        assert_eq!(clock.period, None);
        // One second of main time, two of the first period, in which nine moves are left.
        clock.spend(seconds(3.0));
        let period = |time, moves| {
            Some(Period {
                time: seconds(time),
                moves,
            })
        };
        assert_eq!(clock.period, period(28.0, 9));
        for _ in 0..8 {
            clock.spend(seconds(1.0));
        }
        assert_eq!(clock.period, period(20.0, 1));
        assert_eq!(clock.allotted(), seconds(20.0));
        clock.spend(seconds(1.0));
        assert_eq!(clock.period, period(30.0, 10));
    }

    #[test]
    fn the_main_time_can_end_with_a_move() {
        let mut clock = settings(5.0, 10.0, 2);
        clock.spend(seconds(5.0));
        assert_eq!(clock.period.map(|period| period.moves), Some(2));
        let mut clock = settings(0.0, 10.0, 2);
        clock.spend(seconds(4.0));
        assert_eq!(clock.allotted(), seconds(6.0));
    }

    #[test]
    fn settings_without_a_limit() {
        let none = |main, byo_yomi, moves| {
            Clock::time_settings(seconds(main), seconds(byo_yomi), moves).is_none()
        };
        assert!(none(0.0, 1.0, 0));
        assert!(none(60.0, 1.0, 0));
        assert!(none(0.0, 0.0, 0));
        assert!(!none(60.0, 0.0, 0));
        assert!(!none(0.0, 1.0, 1));
    }

    #[test]
    fn what_the_other_side_says_is_left_counts() {
        let mut clock = Clock::per_move(seconds(10.0));
        clock.set_left(seconds(50.0), 0);
        assert_eq!(clock.allotted(), seconds(2.0));
        clock.set_left(seconds(9.0), 3);
        assert_eq!(clock.allotted(), seconds(3.0));
        for _ in 0..3 {
            clock.spend(seconds(3.0));
        }
        // Nothing is known of another period.
        assert_eq!(clock.allotted(), Duration::ZERO);
    }

    #[test]
    fn a_search_leaves_a_margin() {
        let millis = Duration::from_millis;
        assert_eq!(search_time(millis(1000), millis(0)), millis(980));
        assert_eq!(search_time(millis(1000), millis(30)), millis(950));
        assert_eq!(search_time(millis(50), millis(0)), millis(40));
        assert_eq!(search_time(millis(10), millis(9)), millis(0));
        assert_eq!(search_time(Duration::ZERO, millis(1)), millis(0));
    }

    #[test]
    fn an_increment_comes_after_the_move() {
        let mut clock = Clock::fischer(seconds(50.0), seconds(2.0)).expect("a limit");
        assert_eq!(clock.allotted(), seconds(4.0));
        clock.spend(seconds(4.0));
        assert_eq!(clock.main, seconds(48.0));
        // What the other side says is left counts, and the increment still comes.
        clock.set_left(seconds(3.0), 0);
        assert_eq!(clock.allotted(), seconds(1.5));
        clock.spend(seconds(1.0));
        assert_eq!(clock.main, seconds(4.0));
        assert_eq!(Clock::fischer(seconds(0.0), seconds(0.0)), None);
    }

    proptest! {
        /// Nor with an increment, however long the game.
        #[test]
        fn increments_are_never_spent_before_they_come(
            main in 0u64..100_000,
            increment in 1u64..20_000,
            moves_made in 1usize..400,
        ) {
            let millis = Duration::from_millis;
            let increment = millis(increment);
            let mut left = millis(main);
            let mut clock = Clock::fischer(left, increment).expect("a limit");
            for _ in 0..moves_made {
                let used = clock.allotted();
                prop_assert!(used <= left / 2);
                clock.spend(used);
                left = left.saturating_sub(used) + increment;
                prop_assert_eq!(clock.main, left);
            }
        }

        /// Moves that take what they may take, against a clock kept by its definition: so much main
        /// time, then periods with so many moves each.
        #[test]
        fn a_side_that_takes_what_it_is_given_never_oversteps(
            main in 0u64..100_000,
            byo_yomi in 0u64..20_000,
            moves in 1u32..6,
            moves_made in 1usize..80,
        ) {
            let millis = Duration::from_millis;
            if let Some(mut clock) = Clock::time_settings(millis(main), millis(byo_yomi), moves) {
                let mut main = millis(main);
                let mut period = (millis(byo_yomi), moves);
                for _ in 0..moves_made {
                    let used = clock.allotted();
                    clock.spend(used);
                    if used <= main {
                        main -= used;
                    } else {
                        let over = used.saturating_sub(main);
                        main = Duration::ZERO;
                        prop_assert!(over <= period.0, "{over:?} of {period:?}");
                        period = (period.0.saturating_sub(over), period.1 - 1);
                        if period.1 == 0 {
                            period = (millis(byo_yomi), moves);
                        }
                    }
                }
            }
        }
    }
}
