//! Papamu as a library: positions, players, searches with progress, solvers, certificates and game records of
//! Havannah, Kōnane and the other games of the [`registry`].
//!
//! A game is represented by the type of its positions, such as [`havannah::Position`]. The functions of this crate are
//! generic over [`Playable`], so they work with every game. Players and solvers search within [`Limits`] and are
//! deterministic for a given seed if they use one thread and limits other than time.
//!
//! # Play against the default player
//!
//! ```
#![doc = include_str!("../examples/play.rs")]
//! ```
//!
//! # Analyse with live progress
//!
//! ```
#![doc = include_str!("../examples/analyse.rs")]
//! ```
//!
//! # Solve and verify
//!
//! ```
#![doc = include_str!("../examples/solve.rs")]
//! ```
//! # Overview
//!
//! - Positions: [`board`] and [`Playable::start`] begin a game, [`Playable::play_list`] plays moves. The traits [`Game`]
//!   (rules), [`Notation`] (moves as text), [`Picture`] (boards as text) and [`Drawn`] (boards as SVG) work on positions.
//! - Players: [`player`] and [`player_named`] create an [`Engine`]; [`think`] and [`analyse`] let it search within
//!   [`Limits`], and return a [`Report`].
//! - Solving: [`solve`] finds an exact value, [`prove`] also writes a certificate, and [`verify`] checks it.
//! - Files: [`games`] reads SGF, HGF and lists of moves; [`record::to_sgf`] writes SGF.
//! - The modules below are the crates that this one stands on, for everything else.

pub use certificate;
pub use diagram;
pub use engine;
pub use game;
pub use gtp;
pub use havannah;
pub use hex;
pub use konane;
pub use record;
pub use registry;
pub use search;

pub use certificate::{Refusal, Verdict};
pub use diagram::Drawn;
pub use engine::{
    BoardError, BoardOptions, Engine, ParameterError, Playable, Player, Resources, Setting,
    SolveError, UnknownPlayer,
};
pub use game::{Game, Notation, Outcome, Picture, Score, Side};
pub use record::{RawGame, ReadError, Record};
pub use registry::{GameName, verify, with_game};
pub use search::proof::{SolveProgress, SolveReport};
pub use search::{Every, Limits, MoveStats, Progress, Report, StopReason};

use certificate::Writer;
use engine::{Certified, certificate_header};
use std::time::Duration;
use thiserror::Error;

/// The start position of a game on a board of a size.
///
/// ```
/// use papamu::{Game, havannah};
///
/// let position: havannah::Position = papamu::board(5)?;
/// let mut moves = Vec::new();
/// position.legal_moves(&mut moves);
/// assert_eq!(moves.len(), 61);
/// # Ok::<(), papamu::BoardError>(())
/// ```
///
/// # Errors
/// If the game has no such board.
pub fn board<G: Playable>(size: u32) -> Result<G, BoardError> {
    G::start(&BoardOptions::sized(size))
}

/// Limits of a search: seconds for each move.
///
/// ```
/// assert_eq!(papamu::seconds(0.5).time.unwrap().as_millis(), 500);
/// ```
///
/// # Panics
/// If the number is negative, too large or not finite.
pub fn seconds(seconds: f64) -> Limits {
    Limits {
        time: Some(Duration::from_secs_f64(seconds)),
        ..Limits::default()
    }
}

/// Limits of a search: simulations for each move, or nodes if the player has no simulations. With one thread, the same
/// seed gives the same move on every machine.
///
/// ```
/// assert_eq!(papamu::simulations(1000).simulations, Some(1000));
/// ```
pub fn simulations(simulations: u64) -> Limits {
    Limits {
        simulations: Some(simulations),
        ..Limits::default()
    }
}

/// The default player of a game, which is its strongest.
///
/// ```
/// let position: papamu::konane::Position = papamu::board(6)?;
/// let mut engine = papamu::player(position);
/// let report = papamu::think(&mut *engine, &papamu::simulations(500));
/// assert!(report.best.is_some());
/// # Ok::<(), papamu::BoardError>(())
/// ```
///
/// # Panics
/// Never: every game has a default player, and it needs no settings.
pub fn player<G: Playable>(position: G) -> Box<dyn Engine<G>> {
    match player_named(position, None, 1, &[]) {
        Ok(engine) => engine,
        Err(why) => unreachable!("every game has a default player: {why}"),
    }
}

/// Why a player could not be created.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// The game has no player of this name.
    #[error(transparent)]
    Name(#[from] UnknownPlayer),
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] ParameterError),
}

/// A player by its name, with a random seed and settings such as `exploration=0.5`. [`Playable::players`] lists
/// them all with their parameters.
///
/// ```
/// let position: papamu::havannah::Position = papamu::board(4)?;
/// let engine = papamu::player_named(position, Some("uct"), 7, &["exploration=0.5"])?;
/// assert_eq!(engine.position().geometry().cells().len(), 37);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is none, or it has no such parameter.
pub fn player_named<G: Playable>(
    position: G,
    name: Option<&str>,
    seed: u64,
    settings: &[&str],
) -> Result<Box<dyn Engine<G>>, PlayerError> {
    let settings: Result<Vec<Setting>, _> = settings.iter().map(|text| text.parse()).collect();
    Ok(G::player(name)?.build(position, seed, &settings?)?)
}

/// Searches the player's position, without reporting progress.
///
/// ```
/// let position: papamu::havannah::Position = papamu::board(3)?;
/// let mut engine = papamu::player(position);
/// let report = papamu::think(&mut *engine, &papamu::simulations(200));
/// assert_eq!(report.moves.len(), 19);
/// # Ok::<(), papamu::BoardError>(())
/// ```
pub fn think<G: Game>(engine: &mut dyn Engine<G>, limits: &Limits) -> Report<G::Move> {
    engine.search(limits, &mut |_| {})
}

/// Searches the player's position, and reports progress: ten times a second, or as often as the limits say.
///
/// ```
/// use papamu::{Every, Limits};
///
/// let position: papamu::havannah::Position = papamu::board(4)?;
/// let mut engine = papamu::player(position);
/// let limits = Limits { progress: Every::Work(100), ..papamu::simulations(1000) };
/// let mut told = 0;
/// papamu::analyse(&mut *engine, &limits, |progress| told += u32::from(progress.best.is_some()));
/// assert!(told > 0);
/// # Ok::<(), papamu::BoardError>(())
/// ```
pub fn analyse<G: Game>(
    engine: &mut dyn Engine<G>,
    limits: &Limits,
    mut progress: impl FnMut(&Progress<G::Move>),
) -> Report<G::Move> {
    let mut limits = limits.clone();
    if limits.progress == Every::Never {
        limits.progress = Every::Time(Duration::from_millis(100));
    }
    engine.search(&limits, &mut progress)
}

/// The resources of the default solver: one gibibyte and one thread.
const RESOURCES: Resources = Resources {
    memory: 1 << 30,
    threads: 1,
};

/// The exact value of a position, found by the default solver of its game with one thread and a gibibyte of memory. The
/// outcome is `None` if a limit was reached first.
///
/// ```
/// use papamu::{Limits, Outcome, Side};
///
/// let start: papamu::havannah::Position = papamu::board(3)?;
/// let report = papamu::solve(&start, &Limits::default())?;
/// assert_eq!(report.outcome, Some(Outcome::Win(Side::White)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the game has no solver with certificates, or the board is too large for it.
pub fn solve<G: Playable>(
    position: &G,
    limits: &Limits,
) -> Result<SolveReport<G::Move>, SolveError> {
    let mut prover = position.prover(RESOURCES)?;
    Ok(prover.value(position, limits, &mut |_| {}))
}

/// A value and the certificate that proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The value.
    pub outcome: Outcome,
    /// The certificate, which [`verify`] checks.
    pub certificate: Vec<u8>,
}

/// Why there is no proof.
#[derive(Debug, Error)]
pub enum ProveError {
    /// The position does not exist, or certificates cannot describe it.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The game has no solver for it.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The limits were reached first.
    #[error("the limits were reached before the position was solved")]
    Limits,
    /// The certificate could not be written.
    #[error(transparent)]
    Write(#[from] certificate::WriteError),
}

/// Solves the position after a list of moves, and writes the certificate of its value.
///
/// ```
/// use papamu::{BoardOptions, Limits, havannah, verify};
///
/// let board = BoardOptions::sized(3);
/// let proof = papamu::prove::<havannah::Position>(&board, "b2", &Limits::default())?;
/// assert!(verify(proof.certificate.as_slice()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the position does not exist, or if there is no proof within the limits.
pub fn prove<G: Playable>(
    board: &BoardOptions,
    moves: &str,
    limits: &Limits,
) -> Result<Proof, ProveError> {
    prove_with_progress::<G>(board, moves, limits, &mut |_| {})
}

/// The same as [`prove`], with progress: the search for the value reports it as often as the limits say.
///
/// ```
/// use papamu::{BoardOptions, Every, Limits, Outcome, Side, havannah};
///
/// let board = BoardOptions::sized(3);
/// let limits = Limits { progress: Every::Work(1), ..Limits::default() };
/// let mut reports = 0;
/// let proof = papamu::prove_with_progress::<havannah::Position>(&board, "", &limits, &mut |_| reports += 1)?;
/// assert_eq!(proof.outcome, Outcome::Win(Side::White));
/// assert!(reports > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`prove`].
pub fn prove_with_progress<G: Playable>(
    board: &BoardOptions,
    moves: &str,
    limits: &Limits,
    progress: &mut dyn FnMut(&SolveProgress),
) -> Result<Proof, ProveError> {
    let position = G::start(board)?.play_list(moves, G::Dialect::default())?;
    let mut prover = position.prover(RESOURCES)?;
    let report = prover.value(&position, limits, progress);
    let outcome = report.outcome.ok_or(ProveError::Limits)?;
    let moves = engine::list_items(moves).map(str::to_owned).collect();
    let header = certificate_header(&position, board, moves, outcome)?;
    let mut certificate = Vec::new();
    let value = Certified {
        writer: &Writer::default(),
        header: &header,
        position: &position,
    };
    prover.certify(&value, &mut certificate, None, limits, &mut || true)?;
    Ok(Proof {
        outcome,
        certificate,
    })
}

/// Reads the games of a file: SGF, HGF or a list of moves. [`RawGame::replay`] replays a game under the rules.
///
/// ```
/// use papamu::{havannah, record};
///
/// let games = papamu::games(b"havannah 4\nd4 b2 c3")?;
/// let played: record::Record<havannah::Position> = games[0].replay(None)?;
/// assert_eq!(played.moves.len(), 3);
/// # Ok::<(), papamu::ReadError>(())
/// ```
///
/// # Errors
/// If the file has no game that can be read.
pub fn games(bytes: &[u8]) -> Result<Vec<RawGame>, ReadError> {
    record::read(bytes)
}
