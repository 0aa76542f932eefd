//! The standard normal distribution.

/// The probability of a value of at most `z`: Φ(z) = erfc(−z/√2)/2.
pub fn cumulative(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// The z with Φ(z) = `probability`; infinite at 0 and 1, NaN outside.
///
/// Halving in place of a table of coefficients: a hundred evaluations are nothing beside one game.
pub fn quantile(probability: f64) -> f64 {
    if !(0.0..=1.0).contains(&probability) {
        return f64::NAN;
    }
    if probability == 0.0 {
        return f64::NEG_INFINITY;
    }
    if probability > 0.5 {
        // The lower tail keeps its digits where 1 − tiny would lose them.
        return -quantile(1.0 - probability);
    }
    let (mut low, mut high) = (-40.0, 0.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if cumulative(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The half-width, in standard deviations, of an interval with this confidence: 1.96 for 0.95.
pub(crate) fn two_sided(level: f64) -> f64 {
    quantile(0.5 + level / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of any textbook's table.
    #[test]
    fn quantiles_of_the_tables() {
        for (probability, z) in [
            (0.5, 0.0),
            (0.8, 0.841_621_233_6),
            (0.95, 1.644_853_627_0),
            (0.975, 1.959_963_984_5),
            (0.995, 2.575_829_303_5),
            (0.000_1, -3.719_016_485_5),
        ] {
            assert!((quantile(probability) - z).abs() < 1e-9, "{probability}");
            assert!((cumulative(z) - probability).abs() < 1e-9, "{z}");
        }
        assert!(quantile(1.0).is_infinite() && quantile(0.0).is_infinite());
        assert!(quantile(1.1).is_nan() && quantile(f64::NAN).is_nan());
    }
}
