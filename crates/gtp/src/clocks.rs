//! The clocks of both sides.

use crate::Clock;
use game::Side;
use std::time::Duration;

/// The time for a move where nothing says how long it may take.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The clocks of a session. Where there is none, time sets no limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    /// What the session began with.
    default: Option<Clock>,
    /// What both sides begin a game with.
    full: Option<Clock>,
    sides: [Option<Clock>; 2],
}

impl Clocks {
    /// Clocks with so much time for each move. Where that is not said, there is no limit if there is one
    /// by simulations.
    pub(crate) fn new(per_move: Option<Duration>, simulations: Option<u64>) -> Clocks {
        let per_move = per_move.or(simulations.is_none().then_some(DEFAULT_TIME));
        let default = per_move.map(Clock::per_move);
        Clocks {
            default,
            full: default,
            sides: [default; 2],
        }
    }

    /// What both sides begin a game with.
    pub(crate) fn full(&self) -> Option<Clock> {
        self.full
    }

    /// Gives both sides a new clock, now and in later games.
    pub(crate) fn set_full(&mut self, clock: Option<Clock>) {
        self.full = clock;
        self.restart();
    }

    /// Goes back to the clock that the session began with.
    pub(crate) fn set_default(&mut self) {
        self.set_full(self.default);
    }

    /// To be called when a game begins.
    pub(crate) fn restart(&mut self) {
        self.sides = [self.full; 2];
    }

    /// The clock of a side.
    pub(crate) fn of(&self, side: Side) -> Option<Clock> {
        self.sides[side.index()]
    }

    /// See [`Clock::set_left`]. A side that had no clock has one then.
    pub(crate) fn set_left(&mut self, side: Side, time: Duration, moves: u32) {
        let clock = self.sides[side.index()].get_or_insert_default();
        clock.set_left(time, moves);
    }

    /// Sets what is left of the main time of both sides. Where there is no limit, no time left does not
    /// make one.
    pub(crate) fn set_main(&mut self, time: Duration) {
        for clock in &mut self.sides {
            if clock.is_some() || !time.is_zero() {
                let clock = clock.get_or_insert_default();
                clock.main = time;
                clock.period = None;
            }
        }
    }

    /// Counts the time that a move of a side took.
    pub(crate) fn spend(&mut self, side: Side, used: Duration) {
        if let Some(clock) = &mut self.sides[side.index()] {
            clock.spend(used);
        }
    }

    /// How long a move of a side may take; `None` if time sets no limit, because there is one by
    /// simulations.
    pub(crate) fn allotted(&self, side: Side, simulations: Option<u64>) -> Option<Duration> {
        let clock = self.of(side).map(|clock| clock.allotted());
        clock.or_else(|| simulations.is_none().then_some(DEFAULT_TIME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_always_ends_a_move() {
        let second = Some(Duration::from_secs(1));
        let allotted =
            |time, simulations| Clocks::new(time, simulations).allotted(Side::White, simulations);
        assert_eq!(allotted(None, None), second);
        assert_eq!(allotted(None, Some(10)), None);
        assert_eq!(allotted(second, Some(10)), second);
        let mut clocks = Clocks::new(None, None);
        clocks.set_full(None);
        assert_eq!(clocks.allotted(Side::White, None), second);
        assert_eq!(clocks.allotted(Side::White, Some(10)), None);
    }

    #[test]
    fn each_side_has_its_clock_and_a_new_game_a_new_one() {
        let mut clocks = Clocks::new(None, Some(1));
        clocks.set_left(Side::Black, Duration::from_secs(50), 0);
        assert_eq!(clocks.of(Side::White), None);
        assert_eq!(
            clocks.allotted(Side::Black, Some(1)),
            Some(Duration::from_secs(2))
        );
        clocks.restart();
        assert_eq!(clocks.of(Side::Black), None);
    }
}
