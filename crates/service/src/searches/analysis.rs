//! The search of one position: until told to stop, or until a player has chosen its move.

use super::Request;
use crate::message::{Candidate, Found, Tell};
use crate::position::{GameState, PositionView};
use engine::{Engine, Playable};
use search::{Limits, Progress, Report, StopReason};

/// Searches until the page stops it or there is nothing more to find.
pub fn analyse<G: Playable>(
    request: &mut Request,
    mut engine: Box<dyn Engine<G>>,
    dialect: G::Dialect,
) {
    let position = engine.position().clone();
    let id = request.id;
    let report = engine.search(&request.limits(), &mut |progress| {
        if !request.asker.is_busy() {
            let found = found(&position, dialect, progress);
            request.tell(&Tell::Analysis { id, found });
        }
        request.asker.pass();
    });
    if report.stop != StopReason::Stopped {
        let found = found(&position, dialect, &report);
        request.tell(&Tell::Analysis { id, found });
        request.finish();
    }
}

/// Finds the move of a player within limits.
pub fn choose<G: Playable>(
    request: &mut Request,
    mut state: GameState,
    mut engine: Box<dyn Engine<G>>,
    dialect: G::Dialect,
    limits: &Limits,
) {
    let report: Report<G::Move> = engine.choose(limits, &mut |_| _ = request.asker.pass());
    if report.stop == StopReason::Stopped {
        return;
    }
    let (id, position) = (request.id, engine.position());
    let mv = report.best.map(|mv| position.write_move(mv, dialect));
    state.moves.extend(mv.clone());
    match PositionView::after(&state) {
        Ok(after) => {
            request.tell(&Tell::Moved {
                id,
                mv,
                position: Box::new(after),
                found: found(position, dialect, &report),
            });
            request.finish();
        }
        Err(problem) => request.refuse(problem.message),
    }
}

/// What is known, written for a page.
fn found<G: Playable>(position: &G, dialect: G::Dialect, progress: &Progress<G::Move>) -> Found {
    let work = match progress.simulations {
        0 => progress.nodes,
        simulations => simulations,
    };
    let seconds = progress.elapsed.as_secs_f64();
    let expected = &progress.principal_variation;
    let line_after = |mv: G::Move| {
        let mut lines = progress.variations.iter().chain([expected]);
        let line = lines.find(|line| line.first() == Some(&mv));
        line.map_or_else(Vec::new, |line| written(position, dialect, line))
    };
    Found {
        side: position.to_move().to_string(),
        value: progress.value.0,
        proven: progress.proven.map(|proven| proven.to_string()),
        work,
        rate: if seconds > 0.0 {
            work as f64 / seconds
        } else {
            0.0
        },
        depth: progress.depth,
        line: written(position, dialect, expected),
        moves: progress
            .moves
            .iter()
            .map(|stats| Candidate {
                mv: position.write_move(stats.mv, dialect),
                visits: stats.visits,
                value: stats.value.0,
                proven: stats.proven.map(|proven| proven.to_string()),
                line: line_after(stats.mv),
            })
            .collect(),
    }
}

/// A line of play from a position, written move by move. It ends before a move that is not legal.
pub fn written<G: Playable>(position: &G, dialect: G::Dialect, line: &[G::Move]) -> Vec<String> {
    let mut on_the_way = position.clone();
    let mut texts = Vec::with_capacity(line.len());
    for &mv in line {
        let text = on_the_way.write_move(mv, dialect);
        if on_the_way.try_play(mv).is_err() {
            break;
        }
        texts.push(text);
    }
    texts
}
