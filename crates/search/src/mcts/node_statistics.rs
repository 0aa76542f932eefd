//! Results of playouts, and how a pair of counters shares an atomic word.

use game::{Outcome, Side};

/// The most visits that a node can count, with room for two half points each in 31 bits.
pub(super) const MAX_VISITS: u32 = 1 << 30;

/// Results of playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeStatistics {
    /// How many.
    pub visits: u32,
    /// White's points, counted in halves: 2 a win, 1 a draw.
    pub white_halves: u32,
}

impl NodeStatistics {
    /// The same outcome so many times.
    #[inline]
    pub(super) fn of(outcome: Outcome, visits: u32) -> NodeStatistics {
        let halves = match outcome {
            Outcome::Win(Side::White) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Side::Black) => 0,
        };
        NodeStatistics {
            visits,
            white_halves: halves * visits,
        }
    }

    /// A score of a side between 0 and 1, as the mean of so many results.
    pub(super) fn of_score(score: f32, side: Side, visits: u32) -> NodeStatistics {
        let all = 2 * visits;
        let halves = (all as f32 * score.clamp(0.0, 1.0)).round() as u32;
        let white_halves = match side {
            Side::White => halves,
            Side::Black => all - halves,
        };
        NodeStatistics {
            visits,
            white_halves,
        }
    }

    /// The points of a side, counted in halves.
    #[inline]
    pub(super) fn halves(self, side: Side) -> u32 {
        match side {
            Side::White => self.white_halves,
            Side::Black => 2 * self.visits - self.white_halves,
        }
    }

    /// Both counters in one word. Sums of words are the words of sums.
    #[inline]
    pub(super) fn word(self) -> u64 {
        pair(self.visits, self.white_halves)
    }

    /// The counters of a word.
    #[inline]
    pub(super) fn of_word(word: u64) -> NodeStatistics {
        NodeStatistics {
            visits: word as u32,
            white_halves: (word >> 32) as u32,
        }
    }
}

impl std::ops::AddAssign for NodeStatistics {
    #[inline]
    fn add_assign(&mut self, more: NodeStatistics) {
        self.visits += more.visits;
        self.white_halves += more.white_halves;
    }
}

impl std::ops::Sub for NodeStatistics {
    type Output = NodeStatistics;

    #[inline]
    fn sub(self, less: NodeStatistics) -> NodeStatistics {
        NodeStatistics {
            visits: self.visits.saturating_sub(less.visits),
            white_halves: self.white_halves.saturating_sub(less.white_halves),
        }
    }
}

impl std::ops::Mul<u32> for NodeStatistics {
    type Output = NodeStatistics;

    fn mul(self, times: u32) -> NodeStatistics {
        NodeStatistics {
            visits: self.visits * times,
            white_halves: self.white_halves * times,
        }
    }
}

/// Visits and half points in one word, visits below.
#[inline]
pub(super) fn pair(visits: u32, halves: u32) -> u64 {
    u64::from(visits) | u64::from(halves) << 32
}
