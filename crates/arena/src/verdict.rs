//! What the games of a point say: its interval, and whether more are needed.

use crate::experiment::Stop;
use crate::store::Score;
use serde::Serialize;
use statistics::wilson::wilson;
use statistics::{Estimate, Games, Pairs, Sprt, Verdict};
use std::fmt;

/// The confidence level of all intervals.
pub const LEVEL: f64 = 0.95;

/// The mean score of a point with its 95 % interval, from 0 to 1: by pairs where games came in pairs, by
/// single games (Wilson) while there are none. `None` without games.
pub fn score(score: &Score) -> Option<Estimate> {
    let pairs = Pairs::new(score.pairs);
    if pairs.total() > 0 {
        return pairs.score(LEVEL);
    }
    wilson(score.mean() * score.games() as f64, score.games(), LEVEL)
}

/// What the games of a point say of its players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The mean score of the player with its interval, from 0 to 1; none without games.
    pub score: Option<Estimate>,
    /// The difference in Elo; infinite where all was won or lost.
    pub elo: Option<Estimate>,
    /// The difference in normalised Elo; none while all results are the same.
    pub normalised_elo: Option<Estimate>,
    /// The likelihood that the player is the stronger one, from 0 to 1.
    pub superiority: f64,
    /// The sequential test, where the experiment has one.
    pub test: Option<Test>,
}

/// How far a sequential test is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Test {
    /// The log likelihood ratio of the upper hypothesis against the lower one.
    pub llr: f64,
    /// At which ratio the lower hypothesis is accepted.
    pub lower: f64,
    /// At which ratio the upper hypothesis is accepted.
    pub upper: f64,
    /// What is decided.
    pub verdict: Verdict,
}

/// What the games of a point say. Games that were under way when the point was `closed` still count: they may have
/// brought the ratio back between its bounds, and change nothing of what was decided.
pub fn summary(stop: &Stop, score: &Score, closed: bool) -> Summary {
    let pairs = Pairs::new(score.pairs);
    let games = Games::of(score.wins, score.draws, score.losses);
    let by_pairs = pairs.total() > 0;
    let of_test = |test: Sprt| {
        let llr = test.ratio(&pairs);
        let [lower, upper] = test.bounds();
        let verdict = match test.verdict(&pairs) {
            Verdict::Open if closed && llr > 0.0 => Verdict::Accepted,
            Verdict::Open if closed => Verdict::Rejected,
            verdict => verdict,
        };
        Test {
            llr,
            lower,
            upper,
            verdict,
        }
    };
    Summary {
        score: self::score(score),
        elo: if by_pairs {
            pairs.elo(LEVEL)
        } else {
            games.elo(LEVEL)
        },
        normalised_elo: if by_pairs {
            pairs.normalised_elo(LEVEL)
        } else {
            games.normalised_elo(LEVEL)
        },
        superiority: if by_pairs {
            pairs.superiority()
        } else {
            games.superiority()
        },
        test: test(stop).map(of_test),
    }
}

/// For people: `61.2 % [57.1, 65.2], Elo +79 [+50, +109], normalised Elo +88 ± 30, LLR 1.23 [-2.94, 2.94] open`.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Estimate { value, low, high }) = self.score else {
            return f.pad("no games");
        };
        let percent = |score: f64| 100.0 * score;
        write!(
            f,
            "{:.1} % [{:.1}, {:.1}]",
            percent(value),
            percent(low),
            percent(high)
        )?;
        if let Some(elo) = self.elo {
            write!(f, ", Elo {}", shown_elo(&elo))?;
        }
        if let Some(elo) = self.normalised_elo {
            write!(
                f,
                ", normalised Elo {:+.0} ± {:.0}",
                elo.value,
                elo.margin()
            )?;
        }
        if let Some(test) = self.test {
            write!(f, ", LLR {test}")?;
        }
        Ok(())
    }
}

/// The ratio with its bounds: `1.23 [-2.94, 2.94] open`.
impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Test {
            llr, lower, upper, ..
        } = self;
        write!(
            f,
            "{llr:.2} [{lower:.2}, {upper:.2}] {}",
            word(self.verdict)
        )
    }
}

/// A verdict in one word.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Open => "open",
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
    }
}

/// Elo with its interval, which reaches to infinity where all was won or lost.
pub fn shown_elo(elo: &Estimate) -> String {
    let side = |elo: f64| match elo {
        elo if elo.is_finite() => format!("{elo:+.0}"),
        elo if elo > 0.0 => "+∞".to_owned(),
        _ => "−∞".to_owned(),
    };
    let [value, low, high] = [elo.value, elo.low, elo.high].map(side);
    format!("{value} [{low}, {high}]")
}

/// What the test of a point has decided; [`Verdict::Open`] where there is no test.
pub fn verdict(stop: &Stop, score: &Score) -> Verdict {
    test(stop).map_or(Verdict::Open, |test| test.verdict(&Pairs::new(score.pairs)))
}

fn test(stop: &Stop) -> Option<Sprt> {
    let Stop::Sprt {
        elo0,
        elo1,
        alpha,
        beta,
    } = *stop
    else {
        return None;
    };
    // An experiment with others was refused where it was read.
    Sprt::new(elo0, elo1, alpha, beta).ok()
}
