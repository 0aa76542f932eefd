//! A query at work.

use crate::SCHEMA;
use crate::answer::{Answer, MoveAnalysis, PositionAnalysis, Reviewed};
use crate::query::{Item, Query, Refused};
use engine::{
    Assessment, Engine, ExpectedStructures, Opinion, Playable, Setting, Summary, compare,
};
use registry::with_game;
use search::{Every, Limits, MoveStats, Progress, StopFlag, StopReason};
use std::time::Duration;

/// No search takes longer.
const A_YEAR: Duration = Duration::from_hours(365 * 24);

/// What a query has that does not say otherwise.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The player.
    pub player: Option<String>,
    /// Parameters of the player, before those of the query.
    pub settings: Vec<Setting>,
    /// The random seed.
    pub seed: u64,
    /// The limits of each position; where there are none, [`Playable::SIMULATIONS`].
    pub limits: Option<Limits>,
}

impl Default for Defaults {
    fn default() -> Defaults {
        Defaults {
            player: None,
            settings: Vec::new(),
            seed: 1,
            limits: None,
        }
    }
}

/// A query that is answered position by position.
pub struct Job {
    id: String,
    priority: i64,
    stop: StopFlag,
    work: Box<dyn Work>,
}

impl Job {
    /// A query that can be answered: its game is replayed, and its player made, to see that.
    ///
    /// # Errors
    /// If a field has a value that it cannot have.
    pub fn new(query: Query, defaults: &Defaults) -> Result<Job, Refused> {
        if query.schema != SCHEMA {
            let why = format!("{} is not known here: expected {SCHEMA}", query.schema);
            return Err(Refused::of("schema", why));
        }
        let (id, priority, stop) = (query.id.clone(), query.priority, StopFlag::new());
        let work = with_game!(query.game, G => begin::<G>(query, defaults, &stop));
        Ok(Job {
            id,
            priority,
            stop,
            work: work?,
        })
    }

    /// The name of the query.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Queries with a larger number come first.
    pub fn priority(&self) -> i64 {
        self.priority
    }

    /// A flag that ends the job when it is raised, in the middle of a search.
    pub fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    /// The turns without a result.
    pub fn left(&self) -> Vec<usize> {
        self.work.left()
    }

    /// Searches the next position and tells what it finds. `false` when nothing is left to do, or the job was
    /// stopped.
    pub fn step(&mut self, tell: &mut dyn FnMut(Answer)) -> bool {
        !self.stop.is_raised() && self.work.step(tell)
    }
}

/// A job whose game is not in its type.
trait Work: Send {
    fn step(&mut self, tell: &mut dyn FnMut(Answer)) -> bool;
    fn left(&self) -> Vec<usize>;
}

/// A job on positions of one type.
struct Analysis<G: Playable> {
    query: Query,
    dialect: G::Dialect,
    limits: Limits,
    seed: u64,
    settings: Vec<Setting>,
    player: Option<String>,
    /// The moves of the game.
    moves: Vec<G::Move>,
    /// The position after `played` of them.
    position: G,
    played: usize,
    /// The turns that are still to be searched, the last one first.
    left: Vec<usize>,
    /// Made when it is needed: queries that wait hold no tables.
    engine: Option<Box<dyn Engine<G>>>,
    /// What was found of the last turn, and its position.
    before: Option<(usize, G, Assessment<G::Move>)>,
}

fn begin<G: Playable>(
    query: Query,
    defaults: &Defaults,
    stop: &StopFlag,
) -> Result<Box<dyn Work>, Refused> {
    let dialect = match &query.dialect {
        None => G::Dialect::default(),
        Some(name) => G::dialect(name).ok_or_else(|| {
            Refused::of("dialect", format!("{} has no dialect {name:?}", G::NAME))
        })?,
    };
    let texts = query.moves();
    let start = G::start(&query.board()?).map_err(|why| Refused::board(&why))?;
    let start = start.admitting(&texts);
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(texts.len());
    for (text, ply) in texts.iter().zip(1..) {
        let wrong = |why: &dyn std::fmt::Display| {
            Refused::of("moves", format!("move {ply} ({text}): {why}"))
        };
        let mv = position
            .parse_move(text, dialect)
            .map_err(|why| wrong(&why.reason))?;
        position.try_play(mv).map_err(|why| wrong(&why))?;
        moves.push(mv);
    }
    let mut left = query.turns(moves.len())?;
    left.reverse();
    // A setting of the query comes after the default, and the last one counts.
    let mut settings = if query.player.is_some() && query.player != defaults.player {
        Vec::new()
    } else {
        defaults.settings.clone()
    };
    settings.extend(query.settings()?);
    let player = query.player.clone().or_else(|| defaults.player.clone());
    let progress = match query.interval()? {
        Some(interval) => Every::Time(interval),
        // Lines of play are looked up where progress is asked for.
        None if query.report.contains(&Item::Lines) => Every::Time(A_YEAR),
        None => Every::Never,
    };
    let usual = || Limits {
        simulations: Some(G::SIMULATIONS),
        ..Limits::default()
    };
    let asked = query.limits()?.or_else(|| defaults.limits.clone());
    let limits = Limits {
        progress,
        stop: stop.clone(),
        ..asked.unwrap_or_else(usual)
    };
    let seed = query.seed.unwrap_or(defaults.seed);
    // What is wrong may be a default, and no field of the query.
    let named = G::player(player.as_deref())
        .map_err(|why| Refused::of_field("player", query.player.is_some(), why))?;
    let built = named.build(start.clone(), seed, &settings);
    built.map_err(|why| Refused::of_field("set", query.set.contains_key(why.name()), why))?;
    Ok(Box::new(Analysis {
        dialect,
        limits,
        seed,
        settings,
        player,
        moves,
        position: start,
        played: 0,
        left,
        engine: None,
        before: None,
        query,
    }))
}

impl<G: Playable> Work for Analysis<G> {
    fn left(&self) -> Vec<usize> {
        self.left.iter().rev().copied().collect()
    }

    fn step(&mut self, tell: &mut dyn FnMut(Answer)) -> bool {
        let Some(&turn) = self.left.last() else {
            return false;
        };
        let Some(mut engine) = self.engine.take().or_else(|| self.make()) else {
            return false;
        };
        for &mv in &self.moves[self.played..turn] {
            self.position.play(mv);
        }
        self.played = turn;
        engine.set_position(self.position.clone());
        let partial = self.query.every.is_some();
        let report = engine.search(&self.limits, &mut |progress| {
            if partial {
                tell(Answer::Partial(self.told(turn, progress)));
            }
        });
        let (stop, statistics) = (report.stop, self.query.report.contains(&Item::Statistics));
        let statistics = statistics
            .then(|| {
                Summary::new(engine.as_ref(), &report, &self.position, self.dialect).monte_carlo
            })
            .flatten();
        let after = Assessment::new(self.position.to_move(), report.clone());
        let progress = report.progress;
        let mut told = self.told(turn, &progress);
        told.stop = Some(stop.to_string());
        told.statistics = statistics;
        told.structures = self.structures();
        let reviewed = self.query.report.contains(&Item::Review) && stop != StopReason::Stopped;
        if let Some((before, position, assessment)) = self.before.take()
            && reviewed
            && before + 1 == turn
        {
            told.review = self.review(engine.as_mut(), turn, &position, &assessment, &after);
        }
        self.engine = Some(engine);
        self.before = Some((turn, self.position.clone(), after));
        tell(Answer::Result(told));
        self.left.pop();
        stop != StopReason::Stopped && !self.left.is_empty()
    }
}

impl<G: Playable> Analysis<G> {
    /// The engine. It was made once before, to see that it can be.
    fn make(&self) -> Option<Box<dyn Engine<G>>> {
        let player = G::player(self.player.as_deref()).ok()?;
        player
            .build(self.position.clone(), self.seed, &self.settings)
            .ok()
    }

    /// What the last move was worth; `None` if a search for that was stopped.
    fn review(
        &self,
        engine: &mut dyn Engine<G>,
        turn: usize,
        position: &G,
        before: &Assessment<G::Move>,
        after: &Assessment<G::Move>,
    ) -> Option<Reviewed> {
        let mv = self.moves[turn - 1];
        let mut search = |position: &G, times| {
            Assessment::of(engine, position, &self.limits, times, &mut |_| {})
        };
        let reviewed = compare(turn, position, mv, before, after, &mut search)?;
        Some(Reviewed::new(&reviewed, |mv| {
            position.write_move(mv, self.dialect)
        }))
    }

    /// What the game's network says, if that is asked for and the game is not over.
    fn network(&self) -> Option<Opinion> {
        let asked = self.query.report.contains(&Item::Network) && self.position.outcome().is_none();
        let opinion = asked.then(|| self.position.opinion(None, self.dialect).ok());
        opinion.flatten().flatten()
    }

    /// The structures with which games of the network end, likewise.
    fn structures(&self) -> Option<ExpectedStructures> {
        let wanted = self.query.report.contains(&Item::Structures);
        let asked = wanted && self.position.outcome().is_none();
        let mut go_on = || !self.limits.stop.is_raised();
        let expected = asked.then(|| {
            self.position
                .expected_structures(None, self.dialect, &mut go_on)
                .ok()
        });
        expected.flatten().flatten()
    }

    fn told(&self, turn: usize, progress: &Progress<G::Move>) -> PositionAnalysis {
        let write = |mv: G::Move| self.position.write_move(mv, self.dialect);
        let line = |moves: &[G::Move]| moves.iter().copied().map(write).collect::<Vec<_>>();
        let wants = |item: Item| self.query.report.contains(&item);
        let lines = wants(Item::Lines);
        let of_move = |(place, stats): (usize, &MoveStats<G::Move>)| MoveAnalysis {
            mv: write(stats.mv),
            visits: stats.visits,
            value: stats.value.0,
            lower_bound: stats.lower_bound().0,
            proven: stats.proven.map(|proven| proven.to_string()),
            line: lines.then(|| {
                let found = progress.variations.get(place);
                found.map_or_else(|| vec![write(stats.mv)], |moves| line(moves))
            }),
        };
        let most = self.query.most_moves.unwrap_or(usize::MAX);
        let moves = progress.moves.iter().take(most).enumerate().map(of_move);
        PositionAnalysis {
            id: self.query.id.clone(),
            turn,
            to_move: self.position.to_move().to_string(),
            value: progress.value.0,
            proven: progress.proven.map(|proven| proven.to_string()),
            best: progress.best.map(write),
            line: line(&progress.principal_variation),
            simulations: progress.simulations,
            nodes: progress.nodes,
            depth: progress.depth,
            seconds: progress.elapsed.as_secs_f64(),
            stop: None,
            moves: (wants(Item::Moves) || lines).then(|| moves.collect()),
            review: None,
            statistics: None,
            network: self.network(),
            structures: None,
        }
    }
}
