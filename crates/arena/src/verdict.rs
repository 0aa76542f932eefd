//! What the games of a point say: its interval, and whether more are needed.

use crate::experiment::Stop;
use crate::store::Score;
use statistics::wilson::wilson;
use statistics::{Estimate, Pairs, Sprt, Verdict};

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

/// What the test of a point has decided; [`Verdict::Open`] where there is no test.
pub fn verdict(stop: &Stop, score: &Score) -> Verdict {
    test(stop).map_or(Verdict::Open, |test| test.verdict(&Pairs::new(score.pairs)))
}

/// What the test of a point has decided, and its log likelihood ratio; `None` where there is no test.
/// Games that were under way when the point was `closed` still count: they may have brought the ratio
/// back between its bounds, and change nothing of what was decided.
pub fn decided(stop: &Stop, score: &Score, closed: bool) -> Option<(Verdict, f64)> {
    let ratio = test(stop)?.ratio(&Pairs::new(score.pairs));
    let verdict = match verdict(stop, score) {
        Verdict::Open if closed && ratio > 0.0 => Verdict::Accepted,
        Verdict::Open if closed => Verdict::Rejected,
        verdict => verdict,
    };
    Some((verdict, ratio))
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
