use serde::{Deserialize, Serialize};

/// A value and the interval that holds the true one with the confidence that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate itself.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// The interval `value ± margin`.
    pub fn symmetric(value: f64, margin: f64) -> Estimate {
        Estimate {
            value,
            low: value - margin,
            high: value + margin,
        }
    }

    /// The same estimate on another scale; `scale` must not decrease.
    #[must_use]
    pub fn map(self, scale: impl Fn(f64) -> f64) -> Estimate {
        Estimate {
            value: scale(self.value),
            low: scale(self.low),
            high: scale(self.high),
        }
    }

    /// Half the width of the interval: the number behind "±".
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}
