//! Arguments that several commands share.

use anyhow::{Context, Result, ensure};
use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use engine::{BoardOptions, OptionKind, Playable, Setting, StartOption};
use registry::GameName;
use search::Limits;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// A game as an argument: one of the registry's.
#[derive(Clone, Copy, Debug)]
pub struct Game(pub GameName);

impl ValueEnum for Game {
    fn value_variants<'a>() -> &'a [Game] {
        static ALL: LazyLock<Vec<Game>> =
            LazyLock::new(|| GameName::ALL.iter().copied().map(Game).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.title()))
    }
}

/// The options of the board and the rules, of all games of the registry. The game itself refuses an option that it does
/// not have.
#[derive(Clone, Debug, Default)]
pub struct BoardArgs(BoardOptions);

impl BoardArgs {
    /// The board that is asked for.
    pub fn options(&self) -> BoardOptions {
        self.0.clone()
    }
}

impl Args for BoardArgs {
    fn augment_args(command: Command) -> Command {
        let arg = |(option, _): (StartOption, Vec<GameName>)| {
            let arg = Arg::new(option.name)
                .long(option.name)
                .help(registry::meaning(option.name))
                .help_heading("Board");
            match option.kind {
                OptionKind::Text(value) => arg.value_name(value),
                OptionKind::Number(value) => {
                    arg.value_name(value).value_parser(clap::value_parser!(u32))
                }
                OptionKind::Switch => arg.action(ArgAction::SetTrue),
            }
        };
        command.args(registry::options().into_iter().map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for BoardArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = BoardOptions::default();
        for (option, _) in registry::options() {
            let name = option.name;
            let value = match option.kind {
                OptionKind::Text(_) => matches.get_one::<String>(name).cloned(),
                OptionKind::Number(_) => matches.get_one::<u32>(name).map(u32::to_string),
                OptionKind::Switch => matches.get_flag(name).then(|| "yes".to_owned()),
            };
            if let Some(value) = value {
                options = options.with(name, value);
            }
        }
        Ok(BoardArgs(options))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
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
    /// Notation of Havannah's moves: grid (as in Castro) or row (as in Little Golem) [default: grid; for files, the
    /// dialect that the file names or that fits its moves]
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
}

impl DialectArg {
    /// The dialect of a game with the name given; its default one without a name.
    pub fn of_game<G: Playable>(&self) -> Result<G::Dialect> {
        Ok(self.named::<G>()?.unwrap_or_default())
    }

    /// The dialect of a game with the name given, if one is given.
    pub fn named<G: Playable>(&self) -> Result<Option<G::Dialect>> {
        let named = self.dialect.as_ref().map(|name| {
            G::dialect(name)
                .with_context(|| format!("{} has no dialect {name:?} (see --help)", G::NAME))
        });
        named.transpose()
    }
}

/// A player with its parameters.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Player")]
pub struct PlayerArgs {
    /// The player; `player` in `papamu gtp GAME` lists them [default: papamu; Hex: rave]
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
    /// Simulations per move; with one thread, runs with the same seed are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
}

impl BudgetArgs {
    /// The limits of one search, if any is given.
    pub fn given(&self) -> Option<Limits> {
        let is_given = self.time.is_some() || self.simulations.is_some();
        is_given.then(|| Limits {
            time: self.time,
            simulations: self.simulations,
            ..Limits::default()
        })
    }

    /// The limits of one search, or else the default.
    pub fn limits(&self, default: Limits) -> Limits {
        self.given().unwrap_or(default)
    }
}

/// A number of seconds, at most a year.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.0..=31_536_000.0).contains(seconds));
    let seconds = seconds.ok_or("expected a number from 0, in seconds, at most a year")?;
    Ok(Duration::from_secs_f64(seconds))
}

/// The shortest secret that nobody guesses.
const SHORTEST_TOKEN: usize = 16;

/// The token of a file: its text without the white space around it.
pub fn token_in(file: &Path) -> Result<String> {
    let text = std::fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read the token in {}", file.display()))?;
    let token = text.trim();
    ensure!(
        token.len() >= SHORTEST_TOKEN && token.bytes().all(|byte| byte.is_ascii_graphic()),
        "the token in {} has to have at least {SHORTEST_TOKEN} characters, letters, digits and signs without blanks",
        file.display()
    );
    Ok(token.to_owned())
}

/// The server of an address, whose token is in a file; `None` if the place is that of a store, which has no token.
pub fn server_at(place: &str, token_file: Option<&Path>) -> Result<Option<solving::Server>> {
    if jobs::is_web(place) {
        let file = token_file
            .context("a server gives jobs and their progress with its token: --token-file FILE")?;
        return Ok(Some(solving::Server::new(place, &token_in(file)?)?));
    }
    ensure!(
        token_file.is_none(),
        "--token-file is for the address of a server, http://host:port, and {place} is none"
    );
    Ok(None)
}

/// Refuses a file that is a store where a certificate is needed.
pub fn refuse_store(file: &Path) -> Result<()> {
    const BEGINNING: &[u8] = b"SQLite format 3\0";
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file);
    // What cannot be read is told of by whoever reads it.
    let read = opened.map(|opened| opened.take(BEGINNING.len() as u64).read_to_end(&mut bytes));
    let name = file.display();
    ensure!(
        !matches!(read, Ok(Ok(_))) || bytes != BEGINNING,
        "{name} is a store and no certificate: papamu status {name} shows what is in it, and papamu solve with the same \
         position, --store {name} and --certificate FILE writes the certificate of what is solved there"
    );
    Ok(())
}
