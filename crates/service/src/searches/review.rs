//! The review of a game, position by position.

use super::Request;
use super::written;
use crate::message::{ReviewedView, Tell};
use crate::problem::Problem;
use engine::{Engine, Mistake, Playable, Reviewer};
use search::Limits;

/// The most simulations for each position that a page may ask for.
const MOST: u64 = 1_000_000;

/// The simulations for each position that a page asks for.
pub fn simulations<G: Playable>(asked: Option<u64>) -> Result<u64, Problem> {
    let simulations = asked.unwrap_or(G::SIMULATIONS);
    if !(1..=MOST).contains(&simulations) {
        let why = "a review takes from 1 to 1,000,000 simulations for each position";
        return Err(Problem::bad_request(why));
    }
    Ok(simulations)
}

/// Tells of each move of a game in order.
pub fn review<G: Playable>(
    request: &mut Request,
    mut engine: Box<dyn Engine<G>>,
    dialect: G::Dialect,
    mut reviewer: Reviewer<G>,
    simulations: u64,
) {
    let id = request.id;
    let limits = Limits {
        simulations: Some(simulations),
        ..request.limits()
    };
    loop {
        let position = reviewer.position().clone();
        let next = reviewer.next(engine.as_mut(), &limits, &mut |_| {
            request.asker.pass();
        });
        let Some(of) = next else { break };
        let write = |mv| position.write_move(mv, dialect);
        request.tell(&Tell::Reviewed {
            id,
            reviewed: ReviewedView {
                ply: of.ply,
                side: of.side.to_string(),
                mv: write(of.mv),
                before: of.before.0,
                value: of.value.0,
                loss: of.loss(),
                margin: of.margin,
                mark: of.mark().to_owned(),
                mistake: of.mistake().map(Mistake::name),
                best: of.best.map(write),
                line: written(&position, dialect, &of.line),
                reply: written(reviewer.position(), dialect, &of.reply),
                proven: of.proven.map(|proven| proven.to_string()),
            },
        });
        request.asker.pass();
    }
    if !request.is_stopped() {
        request.finish();
    }
}
