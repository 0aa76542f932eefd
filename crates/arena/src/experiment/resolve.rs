//! From the file to the points.

use super::file::{self, File, OneOrMore};
use super::template::{Text, fill};
use super::{
    Adjudication, Binding, Budget, Contestant, Experiment, ExperimentError, External, GameName,
    Kind, Openings, Point, Scale, Stop, Time, Value, axes,
};
use engine::{BoardOptions, Playable, Setting};
use registry::with_game;
use sha2::{Digest, Sha256};

/// What a move may take beyond its time by default, in seconds: more than a busy machine needs to wake a
/// process.
const MARGIN: f64 = 0.5;
/// How long another program may take to start or for a command, in seconds.
const START_SECONDS: f64 = 10.0;
/// How long another program may take for a move that has no time limit, in seconds.
const ANSWER_SECONDS: f64 = 600.0;
/// The most points of an experiment.
const MAX_POINTS: usize = 100_000;
/// The longest time, in seconds: a year.
const LONGEST: f64 = 31_536_000.0;

fn wrong(why: impl Into<String>) -> ExperimentError {
    ExperimentError::new(why)
}

pub(super) fn read(text: &str, scale: Scale) -> Result<Experiment, ExperimentError> {
    let mut file: File = toml::from_str(text).map_err(|error| wrong(error.to_string().trim()))?;
    if scale == Scale::Quick {
        take_quick(&mut file)?;
    }
    file.figure
        .retain(|figure| figure.scale.is_none_or(|shown| shown == scale));
    let name_fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if file.name.is_empty() || !file.name.chars().all(name_fits) {
        return Err(wrong(format!(
            "name = {:?}: expected letters, digits and hyphens",
            file.name
        )));
    }
    let pairs = match (file.games, file.openings.once) {
        (None, true) => None,
        (Some(games), false) if games >= 2 && games % 2 == 0 => Some(games / 2),
        (Some(_), true) => {
            return Err(wrong(
                "openings.once says how many games there are: leave out games",
            ));
        }
        (None, false) => return Err(wrong("games is missing: how many games does a point have?")),
        (Some(games), false) => {
            return Err(wrong(format!(
                "games = {games}: expected an even number, at least 2, for pairs with colours swapped"
            )));
        }
    };
    let combinations = combinations(&file.grid)?;
    let matches = matches(&file)?;
    check_adjudication(&file.adjudication, file.game)?;
    if combinations.len().saturating_mul(matches.len()) > MAX_POINTS {
        return Err(wrong(format!("more than {MAX_POINTS} points")));
    }
    let mut points = Vec::new();
    for (player, against) in &matches {
        for combination in &combinations {
            points.push(point(&file, player, against, combination)?);
        }
    }
    check_figures(&file, &points)?;
    let stop = match file.stop {
        file::Stop::Fixed => Stop::Fixed,
        file::Stop::Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        } => {
            let fits = |rate: f64| rate > 0.0 && rate < 0.5;
            if elo0 >= elo1 || !fits(alpha) || !fits(beta) {
                return Err(wrong(
                    "stop: expected elo0 below elo1, alpha and beta between 0 and 0.5",
                ));
            }
            Stop::Sprt {
                elo0,
                elo1,
                alpha,
                beta,
            }
        }
    };
    Ok(Experiment {
        id: hash(&file, &points),
        unused_axes: axes::unused(&file, &matches),
        name: file.name,
        title: file.title,
        description: file.description,
        source: file.source,
        remark: file.remark.trim().to_owned(),
        game: file.game,
        seed: file.seed,
        pairs,
        stop,
        adjudication: file.adjudication,
        points,
        figures: file.figure,
        anchor: file.anchor,
        text: text.to_owned(),
        scale,
    })
}

/// 16 hexadecimal digits of all that decides the games.
fn hash(file: &File, points: &[Point]) -> String {
    let mut hash = Sha256::new();
    hash.update(
        serde_json::to_vec(&(file.game, file.seed, file.openings.once)).unwrap_or_default(),
    );
    for point in points {
        hash.update(point.key());
    }
    // Files without it have the names that they had before there was any.
    if file.adjudication != Adjudication::default() {
        hash.update(serde_json::to_vec(&file.adjudication).unwrap_or_default());
    }
    let mut digits = String::new();
    for byte in hash.finalize().iter().take(8) {
        digits += &format!("{byte:02x}");
    }
    digits
}

fn check_adjudication(rules: &Adjudication, game: GameName) -> Result<(), ExperimentError> {
    if !with_game!(game, G => G::DRAWS) && (rules.draw.is_some() || rules.max_moves.is_some()) {
        let why = "has no draws, so that draw and max-moves make no sense";
        return Err(wrong(format!("adjudication: {} {why}", game.title())));
    }
    if let Some(resign) = &rules.resign
        && (!(0.0..0.5).contains(&resign.score) || resign.moves == 0)
    {
        return Err(wrong(
            "adjudication.resign: expected a score from 0 and below 0.5, and at least 1 move",
        ));
    }
    if let Some(draw) = &rules.draw
        && (!(0.0..0.5).contains(&draw.margin) || draw.moves == 0)
    {
        return Err(wrong(
            "adjudication.draw: expected a margin from 0 and below 0.5, and at least 1 move",
        ));
    }
    if rules.max_moves == Some(0) {
        return Err(wrong("adjudication.max-moves: expected at least 1"));
    }
    Ok(())
}

fn take_quick(file: &mut File) -> Result<(), ExperimentError> {
    let quick = file.quick.clone();
    for (name, values) in quick.grid {
        if !file.grid.contains_key(&name) {
            return Err(wrong(format!("quick.grid: the grid has no axis {name:?}")));
        }
        file.grid.insert(name, values);
    }
    if let Some(openings) = quick.openings {
        file.openings = openings;
    }
    if quick.games.is_some() {
        file.games = quick.games;
    }
    file.remark = quick.remark;
    if file.openings.once {
        file.games = file.games.filter(|_| quick.games.is_some());
    }
    if quick.budget.is_some() {
        file.budget = quick.budget;
    }
    if let Some(stop) = quick.stop {
        file.stop = stop;
    }
    Ok(())
}

/// Every combination of the values of the axes, the last axis changing fastest.
fn combinations(grid: &toml::Table) -> Result<Vec<Vec<Binding>>, ExperimentError> {
    let mut combinations = vec![Vec::new()];
    for (axis, values) in grid {
        let values = values.as_array().filter(|values| !values.is_empty());
        let values =
            values.ok_or_else(|| wrong(format!("grid.{axis}: expected a list of values")))?;
        let choices: Vec<Vec<Binding>> = values
            .iter()
            .map(|value| bindings(axis, value))
            .collect::<Result<_, _>>()?;
        if combinations.len().saturating_mul(choices.len()) > MAX_POINTS {
            return Err(wrong(format!("more than {MAX_POINTS} points")));
        }
        let longer = |before: &Vec<Binding>| {
            let before = before.clone();
            choices
                .iter()
                .map(move |choice| [&before[..], choice].concat())
                .collect::<Vec<_>>()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    for combination in &combinations {
        for (place, binding) in combination.iter().enumerate() {
            let before = &combination[..place];
            let reserved = ["player", "against", "turn", "plies"].contains(&&*binding.name);
            if reserved || before.iter().any(|other| other.name == binding.name) {
                return Err(wrong(format!(
                    "grid: the name {:?} is taken already",
                    binding.name
                )));
            }
        }
    }
    Ok(combinations)
}

fn bindings(axis: &str, value: &toml::Value) -> Result<Vec<Binding>, ExperimentError> {
    let binding = |name: &str, value: &toml::Value| {
        let value = Value::of_toml(value);
        let value = value.ok_or_else(|| {
            wrong(format!(
                "grid.{axis}: expected texts, numbers, or tables of them"
            ))
        })?;
        Ok(Binding {
            name: name.to_owned(),
            value,
        })
    };
    match value {
        toml::Value::Table(linked) => linked
            .iter()
            .map(|(name, value)| binding(name, value))
            .collect(),
        value => Ok(vec![binding(axis, value)?]),
    }
}

/// Who meets whom.
fn matches(file: &File) -> Result<Vec<(String, String)>, ExperimentError> {
    let mut matches = Vec::new();
    for one in &file.matches {
        let against = match &one.against {
            OneOrMore::One(name) => vec![name.clone()],
            OneOrMore::More(names) => names.clone(),
        };
        matches.extend(
            against
                .into_iter()
                .map(|against| (one.player.clone(), against)),
        );
    }
    for (place, player) in file.round_robin.iter().enumerate() {
        let others = &file.round_robin[place + 1..];
        matches.extend(
            others
                .iter()
                .map(|against| (player.clone(), against.clone())),
        );
    }
    if matches.is_empty() {
        return Err(wrong(
            "nobody meets anybody: expected [[match]] or round-robin",
        ));
    }
    for name in matches
        .iter()
        .flat_map(|(player, against)| [player, against])
        .chain(&file.anchor)
    {
        if !file.players.contains_key(name) {
            let known: Vec<&str> = file.players.keys().map(String::as_str).collect();
            return Err(wrong(format!(
                "no [players.{name}]; there are: {}",
                known.join(", ")
            )));
        }
    }
    Ok(matches)
}

fn point(
    file: &File,
    player: &str,
    against: &str,
    combination: &[Binding],
) -> Result<Point, ExperimentError> {
    let mut bindings = combination.to_vec();
    for (name, value) in [("player", player), ("against", against)] {
        bindings.push(Binding {
            name: name.to_owned(),
            value: Value::Text(value.to_owned()),
        });
    }
    Ok(Point {
        player: contestant(file, player, &bindings)?,
        against: contestant(file, against, &bindings)?,
        board: board(&file.board, &bindings)?,
        openings: openings(&file.openings, &bindings)?,
        bindings,
    })
}

fn contestant(
    file: &File,
    name: &str,
    bindings: &[Binding],
) -> Result<Contestant, ExperimentError> {
    let place = format!("[players.{name}]");
    let player = file
        .players
        .get(name)
        .ok_or_else(|| wrong(format!("no {place}")))?;
    let within = |error: ExperimentError| error.within(&place);
    let budget = player.budget.as_ref().or(file.budget.as_ref());
    let budget = budget.ok_or_else(|| {
        wrong(format!(
            "{place} has no budget, and there is no [budget] for all (an empty one sets no limit)"
        ))
    })?;
    Ok(Contestant {
        name: name.to_owned(),
        kind: kind(player, bindings).map_err(within)?,
        budget: self::budget(budget, bindings).map_err(within)?,
    })
}

fn kind(player: &file::Player, bindings: &[Binding]) -> Result<Kind, ExperimentError> {
    match (&player.name, &player.command) {
        (Some(name), None) => {
            let alien = !player.setup.is_empty()
                || !player.each_game.is_empty()
                || player.genmove.is_some();
            if alien || player.dialect.is_some() {
                return Err(wrong(
                    "setup, each-game, genmove and dialect are for other programs (command)",
                ));
            }
            let setting = |(name, value): (&String, &Text)| {
                Ok(Setting {
                    name: name.clone(),
                    value: value.fill(bindings)?,
                })
            };
            Ok(Kind::Own {
                player: name.fill(bindings)?,
                settings: player.set.iter().map(setting).collect::<Result<_, _>>()?,
            })
        }
        (None, Some(command)) => {
            if !player.set.is_empty() {
                return Err(wrong(
                    "set is for players of this program: tell others by setup commands",
                ));
            }
            let filled = |texts: &[Text], kept: &[&str]| {
                texts
                    .iter()
                    .map(|text| fill(&text.0, bindings, kept))
                    .collect::<Result<Vec<_>, _>>()
            };
            let command = filled(command, &[])?;
            if command.is_empty() {
                return Err(wrong("command is empty"));
            }
            let genmove = player
                .genmove
                .clone()
                .unwrap_or(Text("genmove {colour}".to_owned()));
            let seconds = |seconds: Option<f64>, default| {
                let seconds = seconds.unwrap_or(default);
                if seconds > 0.0 && seconds <= LONGEST {
                    Ok(seconds)
                } else {
                    Err(wrong("expected a time above 0"))
                }
            };
            Ok(Kind::External(External {
                command,
                setup: filled(&player.setup, &["simulations", "seconds"])?,
                each_game: filled(&player.each_game, &["seed"])?,
                genmove: fill(&genmove.0, bindings, &["colour", "seconds"])?,
                dialect: player.dialect.clone(),
                start_seconds: seconds(player.start_seconds, START_SECONDS)?,
                answer_seconds: seconds(player.answer_seconds, ANSWER_SECONDS)?,
            }))
        }
        _ => Err(wrong(
            "expected either player (one of ours) or command (another program)",
        )),
    }
}

fn budget(budget: &file::Budget, bindings: &[Binding]) -> Result<Budget, ExperimentError> {
    let time = |text: &Option<Text>, what: &str| -> Result<Option<f64>, ExperimentError> {
        let Some(text) = text else { return Ok(None) };
        let seconds: f64 = text.number(bindings, what)?;
        if (0.0..=LONGEST).contains(&seconds) {
            return Ok(Some(seconds));
        }
        Err(wrong(format!(
            "{what} = {seconds}: expected a number from 0 to a year in seconds"
        )))
    };
    let first = time(&budget.first_seconds, "first-seconds")?;
    let increment = time(&budget.increment_seconds, "increment-seconds")?;
    let mut times = Vec::new();
    times.extend(time(&budget.seconds, "seconds")?.map(Time::PerMove));
    times.extend(time(&budget.reference_seconds, "reference-seconds")?.map(Time::Reference));
    let main = time(&budget.game_seconds, "game-seconds")?;
    times.extend(main.map(|main| Time::PerGame {
        main,
        increment: increment.unwrap_or(0.0),
    }));
    let multiple = time(&budget.opponent_times, "opponent-times")?;
    times.extend(multiple.map(|times| Time::Opponent {
        times,
        first: first.unwrap_or(1.0),
    }));
    if times.len() > 1 {
        return Err(wrong(
            "budget: seconds, reference-seconds, game-seconds and opponent-times exclude each other",
        ));
    }
    if (increment.is_some() && main.is_none()) || (first.is_some() && multiple.is_none()) {
        return Err(wrong(
            "budget: increment-seconds goes with game-seconds, first-seconds with opponent-times",
        ));
    }
    let whole = |text: &Option<Text>, what| {
        text.as_ref()
            .map(|text| text.number::<u64>(bindings, what))
            .transpose()
    };
    let budget = Budget {
        simulations: whole(&budget.simulations, "simulations")?,
        nodes: whole(&budget.nodes, "nodes")?,
        depth: whole(&budget.depth, "depth")?.map(|depth| depth.min(u64::from(u32::MAX)) as u32),
        time: times.first().copied(),
        margin: time(&budget.margin_seconds, "margin-seconds")?.unwrap_or(MARGIN),
    };
    if budget.simulations == Some(0) || budget.nodes == Some(0) || budget.depth == Some(0) {
        return Err(wrong("budget: simulations, nodes and depth are at least 1"));
    }
    Ok(budget)
}

/// Whether the game has such options is for [`check`](crate::check) to say.
fn board(board: &file::Board, bindings: &[Binding]) -> Result<BoardOptions, ExperimentError> {
    let mut options = BoardOptions::default();
    for (name, text) in board {
        options = options.with(name, text.fill(bindings)?);
    }
    let said = ["size", "rows", "cols"]
        .iter()
        .any(|name| options.get(name).is_some());
    let size = bindings.iter().find(|binding| binding.name == "size");
    Ok(match size {
        Some(size) if !said => options.with("size", &size.value),
        _ => options,
    })
}

fn openings(openings: &file::Openings, bindings: &[Binding]) -> Result<Openings, ExperimentError> {
    let filled = |texts: &[Text]| {
        texts
            .iter()
            .map(|text| text.fill(bindings))
            .collect::<Result<Vec<_>, _>>()
    };
    if openings.file.is_some() || openings.plies.is_some() {
        return Err(wrong(
            "openings.file names a book that is beside the file of the experiment: it has not been read",
        ));
    }
    let mut kinds = Vec::new();
    if let Some(moves) = &openings.random {
        kinds.push(Openings::Random(moves.number(bindings, "openings.random")?));
    }
    if let Some(lists) = &openings.moves {
        kinds.push(Openings::Moves(filled(lists)?));
    }
    if let Some(plies) = &openings.every {
        kinds.push(Openings::Every(plies.number(bindings, "openings.every")?));
    }
    if let Some(setups) = &openings.setups {
        kinds.push(Openings::Setups(filled(setups)?));
    }
    if kinds.len() > 1 {
        return Err(wrong(
            "openings: random, moves, every and setups exclude each other",
        ));
    }
    match kinds.pop().unwrap_or(Openings::None) {
        Openings::Moves(list) | Openings::Setups(list) if list.is_empty() => {
            Err(wrong("openings: the list is empty"))
        }
        Openings::None | Openings::Random(_) if openings.once => {
            Err(wrong("openings.once goes with moves, every or setups"))
        }
        kind => Ok(kind),
    }
}

fn check_figures(file: &File, points: &[Point]) -> Result<(), ExperimentError> {
    for (place, figure) in file.figure.iter().enumerate() {
        let within = |error: ExperimentError| error.within(format!("figure {}", place + 1));
        for point in points {
            point.fill(&figure.line).map_err(within)?;
            let names = figure
                .only
                .keys()
                .chain((figure.x != "turn" && figure.x != "plies").then_some(&figure.x));
            for name in names {
                if point.value(name).is_none() {
                    return Err(within(wrong(format!(
                        "the grid has nothing called {name:?}"
                    ))));
                }
            }
        }
    }
    Ok(())
}
