//! A game and a player that somebody talks to.

use crate::analysis::{self, Analysis, Known, Until};
use crate::clock::search_time;
use crate::clocks::Clocks;
use crate::commands::{self, Failure};
use crate::history::History;
use crate::points::Points;
use crate::search_thread::SearchThread;
use crate::{Command, Respond, Response};
use engine::{BoardError, BoardOptions, ParameterError, Playable, Setting, UnknownPlayer};
use game::{Notation, ParseMoveError, Side};
use search::{Every, Limits, Progress, Report, StopFlag};
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How a session begins, its board aside. The default: the game's default player with its default
/// settings, a second for each move, and no resigning.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionOptions {
    /// The name of the player; `None` is the default one.
    pub player: Option<String>,
    /// Parameters of the player, and `resign-below`.
    pub settings: Vec<Setting>,
    /// The random seed.
    pub seed: u64,
    /// The time for each move. Without it there is no limit by time if there is one by simulations, and
    /// otherwise one of a second.
    pub time: Option<Duration>,
    /// The most simulations for each move. With a limit by simulations, none by time, and a seed, every
    /// run is the same.
    pub simulations: Option<u64>,
    /// How moves are written; `None` is the default way.
    pub dialect: Option<String>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            player: None,
            settings: Vec::new(),
            seed: 1,
            time: None,
            simulations: None,
            dialect: None,
        }
    }
}

/// Why no session begins in this way.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionError {
    /// There is no such board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] UnknownPlayer),
    /// A setting is none.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The game has no such way of writing moves.
    #[error("{game} has no dialect {name:?}")]
    Dialect {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
    },
}

/// One game with a player, and what has been agreed on time and notation. It changes by commands only,
/// and a command that is answered with an error has changed nothing.
pub struct Session<G: Playable> {
    pub(crate) board: BoardOptions,
    pub(crate) history: History<G>,
    pub(crate) search_thread: SearchThread<G>,
    pub(crate) dialect: G::Dialect,
    pub(crate) clocks: Clocks,
    pub(crate) simulations: Option<u64>,
    /// The expected score, from 0 to 1 and from the point of view of the player, under which it
    /// resigns; 0 if it never does.
    pub(crate) resign_below: f64,
    /// Whether the player goes on thinking while its opponent does.
    pub(crate) ponders: bool,
    /// Whether cells are written as points of GoGui's board, and games end as in Go.
    pub(crate) gogui: bool,
    /// The side for which the player made the last move that it found.
    pub(crate) played_side: Option<Side>,
    /// What was asked for and has not begun.
    pub(crate) analysis: Option<Analysis>,
    /// In this game.
    pub(crate) last_search: Option<Report<G::Move>>,
    /// When the command that is being carried out was received.
    pub(crate) received: Instant,
    pub(crate) quit: bool,
}

/// The setting of a session among those of its player.
pub(crate) const RESIGN_BELOW: &str = "resign-below";

/// What [`RESIGN_BELOW`] does.
pub(crate) const RESIGN_BELOW_MEANING: &str =
    "expected score below which the player resigns, 0 (never) to 1";

/// The setting of a session that makes its player ponder.
pub(crate) const PONDER: &str = "ponder";

/// What [`PONDER`] does.
pub(crate) const PONDER_MEANING: &str =
    "whether the player searches during the opponent's turn: yes or no";

/// The setting of a session that talks to a program of GoGui.
pub(crate) const GOGUI: &str = "gogui";

/// What [`GOGUI`] does.
pub(crate) const GOGUI_MEANING: &str =
    "whether cells are points of GoGui's board, as its programs need: yes or no";

impl<G: Playable> Session<G> {
    /// A session at the start of a game.
    ///
    /// # Errors
    /// If there is no such board, player, setting or dialect.
    pub fn new(board: BoardOptions, options: &SessionOptions) -> Result<Self, SessionError> {
        let history = History::new(G::start(&board)?);
        let Settings {
            of_player,
            resign_below,
            ponders,
            gogui,
        } = Settings::split(&options.settings)?;
        let player = options.player.as_deref();
        Ok(Session {
            search_thread: SearchThread::new(player, &of_player, options.seed, &history)?,
            history,
            board,
            dialect: dialect_named::<G>(options.dialect.as_deref())?,
            clocks: Clocks::new(options.time, options.simulations),
            simulations: options.simulations,
            resign_below: resign_below.unwrap_or(0.0),
            ponders: ponders.unwrap_or(false),
            gogui: gogui.unwrap_or(false),
            played_side: None,
            analysis: None,
            last_search: None,
            received: Instant::now(),
            quit: false,
        })
    }

    /// The position of the game.
    pub fn position(&self) -> &G {
        self.history.position()
    }

    /// The board that the game is played on, as it was asked for.
    pub fn board(&self) -> &BoardOptions {
        &self.board
    }

    /// A session that differs from this one only in its board, at the start of a game there.
    fn on_board(&self, board: BoardOptions) -> Result<Session<G>, SessionError> {
        let history = History::new(G::start(&board)?);
        let SearchThread {
            name,
            settings,
            seed,
            ..
        } = &self.search_thread;
        let mut clocks = self.clocks;
        clocks.restart();
        Ok(Session {
            search_thread: SearchThread::new(Some(name), settings, *seed, &history)?,
            history,
            board,
            dialect: self.dialect,
            clocks,
            simulations: self.simulations,
            resign_below: self.resign_below,
            ponders: self.ponders,
            gogui: self.gogui,
            played_side: None,
            analysis: None,
            last_search: None,
            received: self.received,
            quit: self.quit,
        })
    }

    /// Begins a new game on a board.
    pub(crate) fn restart(&mut self, board: BoardOptions) -> Result<(), Failure> {
        let start = G::start(&board)?;
        if start.size_name() == self.position().size_name() {
            self.history = History::new(start);
            self.board = board;
            self.search_thread.restarted();
            self.clocks.restart();
            self.last_search = None;
            self.played_side = None;
        } else {
            // An engine is made for boards of one shape.
            *self = self.on_board(board)?;
        }
        Ok(())
    }

    /// Replaces the player.
    pub(crate) fn think_with(
        &mut self,
        name: &str,
        settings: &[Setting],
        seed: u64,
    ) -> Result<(), Failure> {
        let Settings {
            of_player,
            resign_below,
            ponders,
            gogui,
        } = Settings::split(settings)?;
        self.search_thread = SearchThread::new(Some(name), &of_player, seed, &self.history)?;
        self.resign_below = resign_below.unwrap_or(self.resign_below);
        self.ponders = ponders.unwrap_or(self.ponders);
        self.gogui = gogui.unwrap_or(self.gogui);
        Ok(())
    }

    /// Changes parameters. The player is made anew if they are its own.
    pub(crate) fn set(&mut self, settings: &[Setting]) -> Result<(), Failure> {
        let new = Settings::split(settings)?;
        if !new.of_player.is_empty() {
            let SearchThread {
                name,
                seed,
                ref settings,
                ..
            } = self.search_thread;
            let settings = [&settings[..], &new.of_player].concat();
            self.search_thread = SearchThread::new(Some(name), &settings, seed, &self.history)?;
        }
        self.resign_below = new.resign_below.unwrap_or(self.resign_below);
        self.ponders = new.ponders.unwrap_or(self.ponders);
        self.gogui = new.gogui.unwrap_or(self.gogui);
        Ok(())
    }

    /// Plays a move that is given in words.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), Failure> {
        self.open()?;
        let mv = self.words().read(self.position(), text)?;
        self.history
            .play(mv)
            .map_err(|why| Failure::because(format!("illegal move: {why}")))
    }

    /// Takes moves back until `len` are left.
    pub(crate) fn rewind(&mut self, len: usize) {
        self.history.rewind(len);
        self.search_thread.rewound(len);
    }

    /// Fails if the game is over.
    pub(crate) fn open(&self) -> Result<(), Failure> {
        match self.position().outcome() {
            None => Ok(()),
            Some(_) => Err(Failure::because("the game is over")),
        }
    }

    /// Fails if it is not this side's turn, or the game is over.
    pub(crate) fn turn_of(&self, side: Side) -> Result<(), Failure> {
        self.open()?;
        match self.position().to_move() {
            to_move if to_move == side => Ok(()),
            to_move => Err(Failure::because(format!("it is {to_move}'s turn"))),
        }
    }

    /// Looks for a move, within a time from when the command was received. Nothing is played.
    pub(crate) fn think(&mut self, time: Option<Duration>) -> &Report<G::Move> {
        self.search_thread.follow(&self.history);
        let limits = Limits {
            time: time.map(|time| search_time(time, self.received.elapsed())),
            simulations: self.simulations,
            ..Limits::default()
        };
        let report = self.search_thread.choose(&limits, &mut |_| {});
        tracing::info!(
            best = ?report.best, value = report.value.0, proven = ?report.proven,
            simulations = report.simulations, nodes = report.nodes, depth = report.depth,
            seconds = report.elapsed.as_secs_f64(), stop = %report.stop,
        );
        self.last_search.insert(report)
    }

    /// Moves in words, separated by spaces.
    pub(crate) fn write_moves(&self, moves: &[G::Move]) -> String {
        self.words().write(self.position(), moves)
    }

    /// How moves are written now.
    fn words(&self) -> Words<G> {
        if self.gogui && G::HEXAGONS {
            Words::Points(Points::of(self.position()))
        } else {
            Words::Dialect(self.dialect)
        }
    }
}

impl<G: Playable> Respond for Session<G> {
    fn respond(&mut self, command: &Command, received: Instant) -> Response {
        self.received = received;
        Response {
            id: command.id.clone(),
            result: commands::run(self, &command.name, &command.arguments),
        }
    }

    fn goes_on(&self) -> bool {
        self.analysis.is_some()
    }

    fn go_on(&mut self, next: &StopFlag, output: &mut dyn Write) -> io::Result<()> {
        match self.analysis.take() {
            Some(analysis) => self.analyze(analysis, next, output),
            None => Ok(()),
        }
    }

    fn settle(&mut self, next: &StopFlag) {
        self.search_thread.follow(&self.history);
        let position = self.history.position();
        let waits = self.played_side == Some(!position.to_move());
        if self.ponders && waits && position.outcome().is_none() {
            let limits = Limits {
                stop: next.clone(),
                ..Limits::default()
            };
            self.search_thread.search(&limits, &mut |_| {});
        }
    }

    fn has_quit(&self) -> bool {
        self.quit
    }
}

impl<G: Playable> Session<G> {
    /// Searches and tells what it thinks of the moves, at intervals and at the end.
    fn analyze(
        &mut self,
        analysis: Analysis,
        next: &StopFlag,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        self.search_thread.follow(&self.history);
        let limits = Limits {
            progress: Every::Time(analysis.interval),
            ..match analysis.until {
                Until::NextCommand => Limits {
                    stop: next.clone(),
                    ..Limits::default()
                },
                Until::Move(time) => Limits {
                    time: time.map(|time| search_time(time, self.received.elapsed())),
                    simulations: self.simulations,
                    ..Limits::default()
                },
            }
        };
        let words = self.words();
        let position = self.history.position();
        let write = |moves: &[G::Move]| words.write(position, moves);
        let mut tell = |moves: &[_], variations: &[Vec<_>], value: f64| {
            let known = Known {
                moves,
                variations,
                value,
            };
            let line = analysis::line(&known, analysis.form, analysis.most, write);
            if line.is_empty() {
                return Ok(());
            }
            writeln!(output, "{line}").and_then(|()| output.flush())
        };
        let mut told = Ok(());
        let mut report = |progress: &Progress<G::Move>| {
            if told.is_ok() {
                told = tell(&progress.moves, &progress.variations, progress.value.0);
                if told.is_err() {
                    limits.stop.raise();
                }
            }
        };
        let report = match analysis.until {
            Until::NextCommand => self.search_thread.search(&limits, &mut report),
            Until::Move(_) => self.search_thread.choose(&limits, &mut report),
        };
        told?;
        tell(&report.moves, &report.variations, report.value.0)?;
        self.last_search = Some(report);
        match analysis.until {
            Until::Move(_) => {
                match commands::make_found_move(self) {
                    Ok(mv) => writeln!(output, "play {mv}"),
                    // The answer has begun, so that it cannot be an error any more.
                    Err(_) => Ok(()),
                }
            }
            Until::NextCommand => {
                // A search may have nothing left to do. The answer ends with the next command: an end
                // without one confuses front ends.
                while !next.is_raised() {
                    thread::sleep(Duration::from_millis(2));
                }
                Ok(())
            }
        }
    }
}

/// A way of writing moves.
enum Words<G: Playable> {
    /// That of the game.
    Dialect(G::Dialect),
    /// That of GoGui.
    Points(Points),
}

impl<G: Playable> Words<G> {
    fn read(&self, position: &G, text: &str) -> Result<G::Move, ParseMoveError> {
        match self {
            Words::Dialect(dialect) => position.parse_move(text, *dialect),
            Words::Points(points) => position.parse_move(&points.read(text), G::Dialect::default()),
        }
    }

    /// Moves separated by spaces.
    fn write(&self, position: &G, moves: &[G::Move]) -> String {
        let written = |&mv: &G::Move| match self {
            Words::Dialect(dialect) => position.write_move(mv, *dialect),
            Words::Points(points) => {
                points.written(&position.write_move(mv, G::Dialect::default()))
            }
        };
        moves.iter().map(written).collect::<Vec<_>>().join(" ")
    }
}

/// The way of writing with a name.
fn dialect_named<G: Playable>(name: Option<&str>) -> Result<G::Dialect, SessionError> {
    let Some(name) = name else {
        return Ok(<G as Notation>::Dialect::default());
    };
    G::dialect(name).ok_or_else(|| SessionError::Dialect {
        game: G::NAME,
        name: name.to_owned(),
    })
}

/// Settings by what they belong to. `None` is what is not set.
struct Settings {
    of_player: Vec<Setting>,
    resign_below: Option<f64>,
    ponders: Option<bool>,
    gogui: Option<bool>,
}

impl Settings {
    fn split(settings: &[Setting]) -> Result<Settings, ParameterError> {
        let mut split = Settings {
            of_player: Vec::new(),
            resign_below: None,
            ponders: None,
            gogui: None,
        };
        for setting in settings {
            match setting.name.as_str() {
                RESIGN_BELOW => split.resign_below = Some(resign_below(setting)?),
                PONDER => split.ponders = Some(switch(setting)?),
                GOGUI => split.gogui = Some(switch(setting)?),
                _ => split.of_player.push(setting.clone()),
            }
        }
        Ok(split)
    }
}

fn resign_below(setting: &Setting) -> Result<f64, ParameterError> {
    let score = setting.value.parse().ok();
    let score = score.filter(|score| (0.0..=1.0).contains(score));
    score.ok_or_else(|| not_a_value(setting, "a number from 0 to 1"))
}

fn switch(setting: &Setting) -> Result<bool, ParameterError> {
    match setting.value.as_str() {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(not_a_value(setting, "yes or no")),
    }
}

fn not_a_value(setting: &Setting, expected: &str) -> ParameterError {
    ParameterError::BadValue {
        name: setting.name.clone(),
        value: setting.value.clone(),
        expected: expected.to_owned(),
    }
}
