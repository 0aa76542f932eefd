//! The schedule: a pure function of the experiment, the same on every machine.
//!
//! Games are played in pairs: the same opening twice, with colours swapped. Pairs are numbered through
//! all points, one of each point in turn: pair `p` is round `p / points` of point `p mod points`. So all
//! points grow evenly, and an experiment that is given more games keeps the numbers of those it has.

use crate::experiment::{Experiment, ExperimentError, Openings, Point};
use engine::{BoardOptions, Playable};
use game::random::{self, mix};
use sha2::{Digest, Sha256};

/// A pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its number in the experiment.
    pub number: u64,
    /// The place of its point among the experiment's.
    pub point: usize,
    /// Its number in the point.
    pub round: u64,
    /// What all chance in its games follows from.
    pub seed: u64,
}

/// Which of the two games of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// The player whose score is counted moves first from the opening on.
    First,
    /// Its opponent does.
    Second,
}

impl Colour {
    /// Both games of a pair.
    pub const BOTH: [Colour; 2] = [Colour::First, Colour::Second];

    /// 0 or 1, as stored.
    pub const fn index(self) -> i64 {
        match self {
            Colour::First => 0,
            Colour::Second => 1,
        }
    }

    /// The game with an index.
    pub const fn of_index(index: i64) -> Option<Colour> {
        match index {
            0 => Some(Colour::First),
            1 => Some(Colour::Second),
            _ => None,
        }
    }
}

/// The pair with a number. Whether the experiment has so many is for [`pairs`] to say.
pub fn pair(experiment: &Experiment, number: u64) -> Pair {
    let points = experiment.points.len().max(1) as u64;
    let point = (number % points) as usize;
    let round = number / points;
    let seed = point_seed(experiment, point);
    Pair {
        number,
        point,
        round,
        seed: mix(seed ^ mix(round)),
    }
}

/// From what decides the point's games alone, so that it does not change with the points beside it.
fn point_seed(experiment: &Experiment, point: usize) -> u64 {
    let Some(point) = experiment.points.get(point) else {
        return experiment.seed;
    };
    let digest = Sha256::digest(point.key());
    let number = digest
        .iter()
        .take(8)
        .fold(0, |number, &byte| number << 8 | u64::from(byte));
    mix(number ^ mix(experiment.seed))
}

/// All pairs of an experiment, in the order in which they are played; `openings` tells how many openings
/// a point has, and is asked only where each is played once.
pub fn pairs<'a>(
    experiment: &'a Experiment,
    openings: impl Fn(&Point) -> u64 + 'a,
) -> impl Iterator<Item = (u64, usize)> + 'a {
    let rounds: Vec<u64> = match experiment.pairs {
        Some(pairs) => vec![u64::from(pairs); experiment.points.len()],
        None => experiment.points.iter().map(openings).collect(),
    };
    let most = rounds.iter().copied().max().unwrap_or(0);
    let points = experiment.points.len() as u64;
    (0..most).flat_map(move |round| {
        let in_round: Vec<_> = (rounds
            .iter()
            .enumerate()
            .filter(|(_, count)| round < **count))
        .map(|(point, _)| (round * points + point as u64, point))
        .collect();
        in_round
    })
}

/// How a game begins: a board, and moves from its start.
#[derive(Clone, Debug)]
pub struct Opening<G: Playable> {
    /// The board.
    pub options: BoardOptions,
    /// The start of the board.
    pub start: G,
    /// The moves.
    pub moves: Vec<G::Move>,
}

/// How often a random opening is drawn again because the game is over after it.
const DRAWS: usize = 1000;
/// The most sequences of moves that are openings.
const MAX_OPENINGS: usize = 1_000_000;

/// The openings of a point that can be listed: none for random ones.
///
/// # Errors
/// If there are too many, or a list has a move that is not legal.
pub fn listed<G: Playable>(point: &Point) -> Result<Vec<Opening<G>>, ExperimentError> {
    let wrong = |error: engine::BoardError| ExperimentError::new(error.to_string());
    let options = point.board.clone();
    let start = || G::start(&options).map_err(wrong);
    Ok(match &point.openings {
        Openings::None => {
            vec![Opening {
                start: start()?,
                options: options.clone(),
                moves: Vec::new(),
            }]
        }
        Openings::Random(_) => Vec::new(),
        Openings::Moves(lists) => {
            let opening = |list: &String| {
                let start = start()?;
                let moves = read_moves(&start, list).map_err(wrong)?;
                Ok(Opening {
                    start,
                    options: options.clone(),
                    moves,
                })
            };
            lists.iter().map(opening).collect::<Result<_, _>>()?
        }
        Openings::Every(plies) => {
            let start = start()?;
            let sequences = sequences(&start, *plies).ok_or_else(|| {
                ExperimentError::new(format!("more than {MAX_OPENINGS} openings"))
            })?;
            let opening = |moves| Opening {
                start: start.clone(),
                options: options.clone(),
                moves,
            };
            sequences.into_iter().map(opening).collect()
        }
        Openings::Setups(setups) => {
            let opening = |setup: &String| {
                let options = with_setup(&options, Some(setup));
                Ok(Opening {
                    start: G::start(&options).map_err(wrong)?,
                    options,
                    moves: Vec::new(),
                })
            };
            setups.iter().map(opening).collect::<Result<_, _>>()?
        }
    })
}

/// A board with another setup, which leaves nothing to an opening rule.
pub fn with_setup(board: &BoardOptions, setup: Option<&String>) -> BoardOptions {
    let board = board.clone().without("setup").without("opening");
    match setup {
        Some(setup) => board.with("setup", setup),
        None => board,
    }
}

/// The board on which the first game of a point begins.
pub(crate) fn first_board(point: &Point) -> BoardOptions {
    match &point.openings {
        Openings::Setups(setups) => with_setup(&point.board, setups.first()),
        _ => point.board.clone(),
    }
}

/// A random opening of a board.
///
/// # Errors
/// If the game is always over after so many moves.
pub fn random_opening<G: Playable>(
    board: &BoardOptions,
    seed: u64,
    plies: u32,
) -> Result<Opening<G>, ExperimentError> {
    let start = G::start(board).map_err(|error| ExperimentError::new(error.to_string()))?;
    let mut rng = random::seeded(mix(seed ^ 0x6f70_656e));
    for _ in 0..DRAWS {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..plies {
            let Some(mv) = position.random_move(&mut rng) else {
                break;
            };
            position.play(mv);
            moves.push(mv);
        }
        if moves.len() == plies as usize && position.outcome().is_none() {
            return Ok(Opening {
                options: board.clone(),
                start,
                moves,
            });
        }
    }
    Err(ExperimentError::new(format!(
        "the game is over before {plies} random moves"
    )))
}

/// The moves of a list, all legal, with the game not over.
fn read_moves<G: Playable>(start: &G, list: &str) -> Result<Vec<G::Move>, engine::BoardError> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for text in engine::list_items(list) {
        let wrong =
            |why: String| engine::BoardError::of(format!("opening {list:?}, {text}: {why}"));
        let mv = position
            .parse_move(text, G::Dialect::default())
            .map_err(|error| wrong(error.reason))?;
        position
            .try_play(mv)
            .map_err(|error| wrong(error.to_string()))?;
        moves.push(mv);
    }
    if position.outcome().is_some() {
        return Err(engine::BoardError::of(format!(
            "opening {list:?}: the game is over after it"
        )));
    }
    Ok(moves)
}

/// Every sequence of so many plies after which the game is not over, in the order of the moves; `None`
/// if there are too many.
fn sequences<G: Playable>(start: &G, plies: u32) -> Option<Vec<Vec<G::Move>>> {
    let mut sequences: Vec<(G, Vec<G::Move>)> = vec![(start.clone(), Vec::new())];
    for _ in 0..plies {
        let mut longer = Vec::new();
        for (position, moves) in sequences {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            legal.sort_unstable();
            for mv in legal {
                let mut after = position.clone();
                after.play(mv);
                if after.outcome().is_none() {
                    longer.push((after, [&moves[..], &[mv]].concat()));
                }
            }
            if longer.len() > MAX_OPENINGS {
                return None;
            }
        }
        sequences = longer;
    }
    Some(sequences.into_iter().map(|(_, moves)| moves).collect())
}
