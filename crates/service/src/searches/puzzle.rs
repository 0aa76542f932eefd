//! Puzzles: positions in which one move alone wins, which the solver has proven. A number gives always the same one.

use super::Request;
use crate::message::{PuzzleView, Tell};
use crate::position::{Board, GameName, GameState};
use crate::problem::Problem;
use engine::{BoardOptions, Playable, Prover, Resources};
use game::Outcome;
use registry::with_game;
use search::{Limits, StopFlag};

/// Simulations for each move of the game in which a puzzle is looked for: good enough to get somewhere, and weak
/// enough to make the mistake that the puzzle begins with.
const SIMULATIONS: u64 = 40;

/// Positions that the solver may expand for each question; one that takes more is too hard for people too.
const NODES: u64 = 20_000;

/// How many plies before its end a game is looked at.
const LOOK_BACK: usize = 14;

/// Games that are played until there is a puzzle; hardly ever more than ten are needed.
const GAMES: u64 = 200;

/// The board of a puzzle.
///
/// # Errors
/// If the game has none.
pub fn state(game: GameName, seed: u32) -> Result<GameState, Problem> {
    let sizes = with_game!(game, G => G::PUZZLE_SIZES);
    let size = seed as usize % sizes.len().max(1);
    let size = sizes
        .get(size)
        .ok_or_else(|| Problem::bad_request(format!("there are no puzzles of {game}")))?;
    Ok(GameState {
        game,
        board: Board(BoardOptions::sized(size)),
        moves: Vec::new(),
        dialect: None,
    })
}

/// Tells of a puzzle.
pub fn puzzle<G: Playable>(request: &mut Request, mut state: GameState, seed: u32) {
    let id = request.id;
    let stop = request.stop.clone();
    let found = find::<G>(&state, u64::from(seed), &stop, &mut || request.asker.pass());
    match found {
        Ok(Some(found)) => {
            state.moves = found.moves;
            let (side, best) = (found.side, found.best);
            request.tell(&Tell::Puzzle {
                id,
                puzzle: PuzzleView { state, side, best },
            });
            request.finish();
        }
        Ok(None) if request.is_stopped() => {}
        Ok(None) => request.refuse("no puzzle was found: try another number".to_owned()),
        Err(problem) => request.refuse(problem.message),
    }
}

/// A position in which one move wins.
struct Found {
    moves: Vec<String>,
    side: String,
    best: String,
}

/// Looks for a puzzle in games that a weak player plays against itself; `None` if nobody waits any more, or there is
/// none.
fn find<G: Playable>(
    state: &GameState,
    seed: u64,
    stop: &StopFlag,
    each: &mut dyn FnMut() -> bool,
) -> Result<Option<Found>, Problem> {
    let start: G = state.start()?;
    for game in 0..GAMES {
        let seed = seed.wrapping_mul(GAMES) + game;
        let Some((moves, positions)) = played(&start, seed, stop, each)? else {
            return Ok(None);
        };
        let resources = Resources {
            memory: 64 << 20,
            threads: 1,
        };
        let mut prover = start.prover(resources).map_err(Problem::bad_request)?;
        let mut earliest = None;
        for ply in (moves.len().saturating_sub(LOOK_BACK)..moves.len()).rev() {
            if !each() {
                return Ok(None);
            }
            match only_winning_move(&positions[ply], &mut *prover, stop) {
                Asked::One(best) => earliest = Some((ply, best)),
                Asked::Other => {}
                Asked::TooHard => break,
            }
        }
        if let Some((ply, best)) = earliest {
            let dialect = G::Dialect::default();
            let written = moves[..ply].iter().zip(&positions);
            return Ok(Some(Found {
                moves: written
                    .map(|(&mv, at)| at.write_move(mv, dialect))
                    .collect(),
                side: positions[ply].to_move().to_string(),
                best: positions[ply].write_move(best, dialect),
            }));
        }
    }
    Ok(None)
}

/// The moves of a game, and the positions before them.
type Game<G> = (Vec<<G as game::Game>::Move>, Vec<G>);

/// A game of a weak player against itself.
fn played<G: Playable>(
    start: &G,
    seed: u64,
    stop: &StopFlag,
    each: &mut dyn FnMut() -> bool,
) -> Result<Option<Game<G>>, Problem> {
    let player = G::player(Some("uct")).map_err(Problem::internal)?;
    let mut engine = player
        .build(start.clone(), seed, &[])
        .map_err(Problem::internal)?;
    let limits = Limits {
        simulations: Some(SIMULATIONS),
        stop: stop.clone(),
        ..Limits::default()
    };
    let (mut moves, mut positions) = (Vec::new(), Vec::new());
    let mut position = start.clone();
    while position.outcome().is_none() {
        let best = engine.search(&limits, &mut |_| {}).best;
        let Some(mv) = best.filter(|_| each()) else {
            return Ok(None);
        };
        engine.advance(mv).map_err(Problem::internal)?;
        positions.push(position.clone());
        moves.push(mv);
        position.play(mv);
    }
    Ok(Some((moves, positions)))
}

/// What the solver says of the moves of a position.
enum Asked<M> {
    /// One alone wins, and not at once.
    One(M),
    /// None or several do, or one does at once.
    Other,
    /// It takes too long to know.
    TooHard,
}

fn only_winning_move<G: Playable>(
    position: &G,
    prover: &mut dyn Prover<G>,
    stop: &StopFlag,
) -> Asked<G::Move> {
    let limits = Limits {
        nodes: Some(NODES),
        stop: stop.clone(),
        ..Limits::default()
    };
    let wanted = Outcome::Win(position.to_move());
    match prover.value(position, &limits, &mut |_| {}).outcome {
        None => return Asked::TooHard,
        Some(outcome) if outcome != wanted => return Asked::Other,
        Some(_) => {}
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let mut winning = Vec::new();
    for mv in legal {
        let mut after = position.clone();
        after.play(mv);
        if after.outcome() == Some(wanted) {
            return Asked::Other;
        }
        let outcome = match after.outcome() {
            Some(outcome) => Some(outcome),
            None => prover.value(&after, &limits, &mut |_| {}).outcome,
        };
        match outcome {
            None => return Asked::TooHard,
            Some(outcome) if outcome == wanted => winning.push(mv),
            Some(_) => {}
        }
        if winning.len() > 1 {
            return Asked::Other;
        }
    }
    winning.first().map_or(Asked::Other, |&mv| Asked::One(mv))
}
