//! Arguments that several commands share.

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use engine::{BoardOptions, Playable, Setting};
use konane::{Board, SmallBitBoard};
use search::Limits;
use std::time::Duration;

/// The games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GameName {
    /// Havannah, on a hexagonal board.
    Havannah,
    /// Kōnane, on a rectangle.
    Konane,
}

/// Which board, by which rules.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Board")]
pub struct BoardArgs {
    /// Size: 8, or 4x4x5 for Havannah with uneven sides [default: 8]
    #[arg(long, value_name = "N")]
    pub size: Option<String>,
    /// Kōnane: rows [default: 8]
    #[arg(long, value_name = "N", conflicts_with = "size")]
    pub rows: Option<u32>,
    /// Kōnane: columns [default: 8]
    #[arg(long, value_name = "N", conflicts_with = "size")]
    pub cols: Option<u32>,
    /// Kōnane: the pair that is removed before the game: corner, corner-vertical, centre,
    /// centre-vertical, or two cells such as d4,e4
    #[arg(long, value_name = "PAIR")]
    pub setup: Option<String>,
    /// Kōnane: which stones may be removed first: traditional (corner or centre) or any
    /// [default: traditional]
    #[arg(long, value_name = "RULE", conflicts_with = "setup")]
    pub opening: Option<String>,
    /// Havannah: the swap rule: Black may answer the first stone with the move `swap`
    #[arg(long)]
    pub swap: bool,
}

impl BoardArgs {
    /// The board that is asked for.
    pub fn options(&self) -> BoardOptions {
        BoardOptions {
            size: self.size.clone(),
            rows: self.rows,
            cols: self.cols,
            setup: self.setup.clone(),
            opening: self.opening.clone(),
            swap: self.swap,
        }
    }
}

/// A board, and moves played on it.
#[derive(Args, Clone, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Moves played from the start, such as "a1 b2 c3", "a1 swap" or "d4 e4 d2-d4"
    #[arg(long, default_value = "", hide_default_value = true)]
    pub moves: String,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl PositionArgs {
    /// The position after the moves.
    pub fn position<G: Playable>(&self) -> Result<G> {
        let dialect = self.dialect.of_game::<G>()?;
        Ok(G::start(&self.board.options())?.play_list(&self.moves, dialect)?)
    }

    /// The moves, in another dialect.
    pub fn moves_written<G: Playable>(&self, dialect: G::Dialect) -> Result<Vec<String>> {
        let given = self.dialect.of_game::<G>()?;
        let texts: Vec<&str> = engine::list_items(&self.moves).collect();
        let mut position = G::start(&self.board.options())?.admitting(&texts);
        let mut moves = Vec::with_capacity(texts.len());
        for text in texts {
            let mv = position.parse_move(text, given)?;
            moves.push(position.write_move(mv, dialect));
            position.try_play(mv)?;
        }
        Ok(moves)
    }
}

/// How moves are written.
#[derive(Args, Clone, Debug, Default)]
pub struct DialectArg {
    /// Havannah: the dialect of moves: grid (as in Castro) or row (as in Little Golem) [default: grid]
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
}

impl DialectArg {
    /// The dialect of a game with the name given; its default one without a name.
    pub fn of_game<G: Playable>(&self) -> Result<G::Dialect> {
        match &self.dialect {
            None => Ok(G::Dialect::default()),
            Some(name) => G::dialect(name)
                .with_context(|| format!("{} has no dialect {name:?} (see --help)", G::NAME)),
        }
    }
}

/// A player with its parameters.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Player")]
pub struct PlayerArgs {
    /// The player [default: papamu]; `player` in `papamu gtp GAME` lists them
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// A parameter of the player; `params` in `papamu gtp GAME` lists them
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<Setting>,
    /// Search threads, 1 to 256; the same as --set threads=N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// The random seed
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl PlayerArgs {
    /// The parameters that are set, threads among them.
    pub fn settings(&self) -> Vec<Setting> {
        let threads = self.threads.map(|threads| Setting {
            name: "threads".to_owned(),
            value: threads.to_string(),
        });
        self.settings.iter().cloned().chain(threads).collect()
    }
}

/// How long to think.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Budget")]
pub struct BudgetArgs {
    /// Seconds per move
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time: Option<Duration>,
    /// Simulations per move: with a number and a seed, every run is the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
}

impl BudgetArgs {
    /// The limits of one search; what is not given is taken from the default.
    pub fn limits(&self, default: Limits) -> Limits {
        if self.time.is_none() && self.simulations.is_none() {
            return default;
        }
        Limits {
            time: self.time,
            simulations: self.simulations,
            ..default
        }
    }
}

/// A number of seconds, at most a year.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.0..=31_536_000.0).contains(seconds));
    let seconds = seconds.ok_or("expected a number from 0, in seconds, at most a year")?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Whether a Kōnane board of this size has its cells in one word, which makes everything faster.
pub fn fits_one_word(board: &BoardArgs) -> bool {
    let size = board
        .size
        .as_ref()
        .and_then(|size| size.parse().ok())
        .unwrap_or(8);
    let sides = (
        board.rows.unwrap_or(size) as usize,
        board.cols.unwrap_or(size) as usize,
    );
    sides.0.saturating_mul(sides.1) <= SmallBitBoard::CAPACITY
}

/// Calls a generic function with the type of the positions of a game on a board.
macro_rules! with_game {
    ($name:expr, $board:expr, $function:ident ( $($argument:expr),* $(,)? )) => {
        match $name {
            $crate::args::GameName::Havannah => $function::<havannah::Position>($($argument),*),
            $crate::args::GameName::Konane if $crate::args::fits_one_word($board) => {
                $function::<konane::Position<konane::SmallBitBoard>>($($argument),*)
            }
            $crate::args::GameName::Konane => {
                $function::<konane::Position<konane::LargeBitBoard>>($($argument),*)
            }
        }
    };
}
pub(crate) use with_game;
