//! A match of new weights against the best so far.

use crate::error::LearnError;
use crate::games::Subject;
use crate::plan::{Plan, Promotion};
use crate::self_play::{Network, Players, decided, points, seed, simulations};
use game::random;
use game::{Game, Side};
use search::StopFlag;
use statistics::{Pairs, Verdict};

/// Plays a pair of games with one opening: what the new weights scored, in half points; `None` if it was stopped.
pub(crate) fn play_pair<S: Subject>(
    plan: &Plan,
    players: &Players<'_, S>,
    (new, best): (&Network, &Network),
    (generation, number): (u32, u32),
    stop: &StopFlag,
) -> Result<Option<u8>, LearnError> {
    let seed = seed(plan, "match", generation, number);
    let mut rng = random::seeded(seed);
    let start = players.opening(best, &mut rng, stop)?.position;
    let limits = simulations(plan.matches.simulations, stop);
    let mut scored = 0;
    for side in [Side::White, Side::Black] {
        let mut position = start.clone();
        let seed = random::mix(seed ^ (side as u64 + 1));
        let mut engines = [
            players.build(new, &position, seed)?,
            players.build(best, &position, random::mix(seed))?,
        ];
        let mut proven = None;
        let winner = loop {
            if let Some(outcome) = decided(&position, proven) {
                break outcome.winner();
            }
            let is_new = position.to_move() == side;
            let report = engines[usize::from(!is_new)].search(&limits, &mut |_| {});
            if stop.is_raised() {
                return Ok(None);
            }
            proven = report.proven;
            if proven.is_some() {
                continue;
            }
            let mv = report
                .best
                .ok_or_else(|| LearnError::Player("it has no move".to_owned()))?;
            for engine in &mut engines {
                engine
                    .advance(mv)
                    .map_err(|why| LearnError::Player(why.to_string()))?;
            }
            position.play(mv);
        };
        let white = points(winner);
        scored += if side == Side::White {
            white
        } else {
            2 - white
        };
    }
    Ok(Some(scored))
}

/// What a match says so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The pairs that count.
    pub pairs: Pairs,
    /// `None` while it goes on.
    pub promoted: Option<bool>,
}

/// Counts pairs in their order, up to the first that is missing or the one at which the test decides: what counts does
/// not depend on which pairs were played first.
pub(crate) fn standing(plan: &Plan, scored: impl Fn(u32) -> Option<u8>) -> Standing {
    let mut counts = [0; 5];
    let all = plan.matches.games / 2;
    for number in 0..all {
        let Some(points) = scored(number) else {
            return Standing {
                pairs: Pairs::new(counts),
                promoted: None,
            };
        };
        counts[usize::from(points)] += 1;
        let pairs = Pairs::new(counts);
        if let Promotion::Sprt(test) = &plan.matches.promotion
            && let Ok(test) = test.test()
        {
            let promoted = match test.verdict(&pairs) {
                Verdict::Open => continue,
                verdict => verdict == Verdict::Accepted,
            };
            return Standing {
                pairs,
                promoted: Some(promoted),
            };
        }
    }
    let pairs = Pairs::new(counts);
    let promoted = match plan.matches.promotion {
        Promotion::Score(least) => pairs.points() >= least * pairs.games() as f64,
        // The test has not decided: what is best stays so.
        Promotion::Sprt(_) => false,
    };
    Standing {
        pairs,
        promoted: Some(promoted),
    }
}
