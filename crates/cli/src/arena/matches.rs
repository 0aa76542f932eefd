//! `papamu arena match`: a match from the command line, without a file.

use super::{StoreArg, WorkArgs};
use crate::args::{BoardArgs, Game};
use crate::output;
use anyhow::{Context, Result, bail};
use arena::experiment::with_books;
use arena::{Experiment, Scale, check};
use registry::GameName;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use toml::{Table, Value};

/// Play a match between two players, or a round robin between more, without a file.
///
/// A player is NAME, NAME:KEY=VALUE,KEY=VALUE, or gtp:COMMAND for another program; LABEL@ before it sets its label.
/// Each opening is played twice with colours swapped. The games are stored like those of papamu arena run: the same
/// command resumes an interrupted match, and a larger --games extends it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu arena match rave uct --size 5 --games 40 --simulations 500
  papamu arena match new@papamu:ring-permanent=0 papamu --size 6 --games 2000 --time 0.1 --sprt 0,10
  papamu arena match rave \"other@gtp:papamu gtp havannah\" --size 4 --games 20 --time 0.1 --max-faults 3
  papamu arena match --game konane shokry-dabs:depth=3 greedy-mobility --size 6 --games 20")]
pub struct Args {
    /// The players; scores are those of the first player of each pairing
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// The game
    #[arg(long, value_enum, default_value = "havannah")]
    game: Game,
    /// Games of each pairing, an even number; with --sprt the most games [default: 100; with --sprt 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,
    /// The name of the match in the store [default: A-vs-B]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The random seed, for openings and players
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// Print the match as an experiment file for papamu arena run, and exit
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    store: StoreArg,
    #[command(flatten)]
    work: WorkArgs,
}

/// What each player may use [default: 1000 simulations per move].
#[derive(clap::Args)]
#[command(next_help_heading = "Budget of each player")]
struct BudgetArgs {
    /// Seconds per move
    #[arg(long, value_name = "S", conflicts_with = "clock")]
    time: Option<f64>,
    /// Clock of each player: seconds for the whole game, and an increment in seconds per move, such as 60+0.5
    #[arg(long, value_name = "S+S")]
    clock: Option<String>,
    /// Simulations per move [default: 1000 if there is no other budget]
    #[arg(long, value_name = "N")]
    simulations: Option<u32>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    nodes: Option<u32>,
    /// Depth in plies
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
}

/// How games begin.
#[derive(clap::Args)]
#[command(next_help_heading = "Openings")]
struct OpeningArgs {
    /// Random opening moves, different for each pair of games; 0 for none [default: 2]
    #[arg(long, value_name = "N", conflicts_with = "book")]
    random: Option<u32>,
    /// A file of openings, used in turn: a list of moves on each line, or SGF games
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Use only the first N moves of each opening of the book
    #[arg(long, value_name = "N", requires = "book", value_parser = clap::value_parser!(u32).range(1..))]
    plies: Option<u32>,
}

/// When games, and the match, end.
#[derive(clap::Args)]
#[command(next_help_heading = "Ends")]
struct EndArgs {
    /// Stop by a sequential probability ratio test: ELO0,ELO1[,ALPHA,BETA], the hypotheses in normalised Elo and the
    /// error rates [error rates: 0.05,0.05]
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// SCORE,MOVES: a player resigns when its expected score is at most SCORE (0 to 0.5) for MOVES moves in a row
    #[arg(long, value_name = "SCORE,MOVES")]
    resign: Option<String>,
    /// Havannah, MARGIN,MOVES[,FROM]: a draw when both players expect ½ ± MARGIN for MOVES moves in a row each, from
    /// move FROM on
    #[arg(long, value_name = "MARGIN,MOVES")]
    draw: Option<String>,
    /// Havannah: a game of N moves is a draw
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
}

impl Args {
    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let text = with_books(&toml::to_string(&self.file()?)?, Path::new(""))?;
        let experiment = Experiment::read(&text, Scale::Full)?;
        check(&experiment)?;
        if self.print {
            output::text(&text)?;
            return Ok(ExitCode::SUCCESS);
        }
        super::run::play(experiment, &self.store, &self.work).await
    }

    /// The file of an experiment that is this match.
    fn file(&self) -> Result<Table> {
        let mut players = Table::new();
        let mut labels = Vec::new();
        for text in &self.players {
            let (label, player) = player(text, self.game.0)?;
            if players.insert(label.clone(), player.into()).is_some() {
                bail!("two players are called {label}: name one of them, such as other@{text}");
            }
            labels.push(label);
        }
        let mut file = Table::new();
        let mut put = |key: &str, value: Value| file.insert(key.to_owned(), value);
        put(
            "name",
            self.name.clone().unwrap_or_else(|| name(&labels)).into(),
        );
        put("game", self.game.0.name().into());
        put("title", labels.join(" against ").into());
        put("seed", (self.seed as i64).into());
        let games = self.games.unwrap_or(if self.ends.sprt.is_some() {
            20_000
        } else {
            100
        });
        put("games", i64::from(games).into());
        if labels.len() > 2 {
            put("round-robin", labels.into());
        } else {
            let pairing = table([
                ("player", labels.first().cloned()),
                ("against", labels.get(1).cloned()),
            ]);
            put("match", vec![Value::from(pairing)].into());
        }
        put("board", self.board().into());
        put("budget", self.budget.table()?.into());
        put("openings", self.openings.table()?.into());
        if let Some(test) = &self.ends.sprt {
            let numbers = numbers(test, 2..=4).context("--sprt")?;
            let keys = ["elo0", "elo1", "alpha", "beta"];
            let mut stop = table(keys.into_iter().zip(numbers.into_iter().map(Some)));
            stop.insert("rule".to_owned(), "sprt".into());
            put("stop", stop.into());
        }
        put("adjudication", self.ends.adjudication()?.into());
        put("players", players.into());
        Ok(file)
    }

    fn board(&self) -> Table {
        let options = self.board.options();
        let values = options.iter();
        values
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect()
    }
}

impl BudgetArgs {
    fn table(&self) -> Result<Table> {
        let mut budget = table([("seconds", self.time)]);
        if let Some(clock) = &self.clock {
            let parts = numbers(&clock.replace('+', ","), 1..=2).context("--clock")?;
            let keys = ["game-seconds", "increment-seconds"];
            budget.extend(table(keys.into_iter().zip(parts.into_iter().map(Some))));
        }
        let others = self.time.is_some() || self.clock.is_some();
        let others = others || self.nodes.is_some() || self.depth.is_some();
        budget.extend(table([
            (
                "simulations",
                self.simulations.or((!others).then_some(1000)),
            ),
            ("nodes", self.nodes),
            ("depth", self.depth),
        ]));
        Ok(budget)
    }
}

impl OpeningArgs {
    fn table(&self) -> Result<Table> {
        let Some(book) = &self.book else {
            return Ok(match self.random.unwrap_or(2) {
                0 => Table::new(),
                moves => table([("random", Some(moves))]),
            });
        };
        let book = book.to_str().context("--book: its name is not UTF-8")?;
        let mut openings = table([("file", Some(book))]);
        openings.extend(table([("plies", self.plies)]));
        Ok(openings)
    }
}

impl EndArgs {
    fn adjudication(&self) -> Result<Table> {
        let mut rules = table([("max-moves", self.max_moves)]);
        if let Some(resign) = &self.resign {
            let numbers = numbers(resign, 2..=2).context("--resign")?;
            rules.insert("resign".to_owned(), rule(["score", "moves", ""], &numbers)?);
        }
        if let Some(draw) = &self.draw {
            let numbers = numbers(draw, 2..=3).context("--draw")?;
            rules.insert(
                "draw".to_owned(),
                rule(["margin", "moves", "from"], &numbers)?,
            );
        }
        Ok(rules)
    }
}

/// A rule of a share and whole numbers.
fn rule(keys: [&str; 3], numbers: &[f64]) -> Result<Value> {
    let mut rule = Table::new();
    for (place, (key, &number)) in keys.into_iter().zip(numbers).enumerate() {
        let value = match place {
            0 => Value::Float(number),
            _ if number.fract() == 0.0 && (0.0..1e9).contains(&number) => {
                Value::Integer(number as i64)
            }
            _ => bail!("{number} is not a number of moves"),
        };
        rule.insert(key.to_owned(), value);
    }
    Ok(rule.into())
}

/// A table of the keys that have values.
fn table<'a, V: Into<Value>>(entries: impl IntoIterator<Item = (&'a str, Option<V>)>) -> Table {
    let entry = |(key, value): (&str, Option<V>)| Some((key.to_owned(), value?.into()));
    entries.into_iter().filter_map(entry).collect()
}

/// Numbers with commas between them.
fn numbers(text: &str, count: std::ops::RangeInclusive<usize>) -> Result<Vec<f64>> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers {
        Ok(numbers) if count.contains(&numbers.len()) && numbers.iter().all(|n| n.is_finite()) => {
            Ok(numbers)
        }
        _ if count.start() == count.end() => bail!("{text:?}: expected {} numbers", count.start()),
        _ => bail!(
            "{text:?}: expected {} to {} numbers",
            count.start(),
            count.end()
        ),
    }
}

/// The label of a player, and its table in the file. A name of earlier versions becomes the one of today.
fn player(text: &str, game: GameName) -> Result<(String, Table)> {
    let is_label = |label: &str| {
        let fits = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        !label.is_empty() && label.chars().all(fits)
    };
    let (label, player) = match text.split_once('@') {
        Some((label, player)) if is_label(label) => (Some(label.to_owned()), player),
        _ => (None, text),
    };
    if let Some(command) = player.strip_prefix("gtp:") {
        let program = command.split_whitespace().next().with_context(|| {
            format!("{text:?} has no command: expected gtp: and what starts the program")
        })?;
        let program = Path::new(program).file_name().unwrap_or_default();
        let label = label.unwrap_or_else(|| program.to_string_lossy().into_owned());
        // The shell knows how words are quoted.
        let command = ["sh", "-c", command].map(|word| Value::from(word.to_owned()));
        let mut player = Table::new();
        player.insert("command".to_owned(), Value::Array(command.to_vec()));
        return Ok((label, player));
    }
    let (name, settings) = player.split_once(':').unwrap_or((player, ""));
    let mut set = Table::new();
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let (key, value) = setting
            .split_once('=')
            .with_context(|| format!("{text:?}: expected KEY=VALUE in place of {setting:?}"))?;
        set.insert(key.trim().to_owned(), value.trim().into());
    }
    let name_today = arena::name_today(game, name);
    let mut entry = table([("player", Some(name_today))]);
    entry.insert("set".to_owned(), set.into());
    let label = label.unwrap_or_else(|| format!("{name_today}{}", &player[name.len()..]));
    Ok((label, entry))
}

/// A name for the store: `rave-vs-uct`.
fn name(labels: &[String]) -> String {
    let of_label = |label: &String| {
        let words = label.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        words.join("-")
    };
    labels.iter().map(of_label).collect::<Vec<_>>().join("-vs-")
}
