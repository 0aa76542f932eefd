//! Where a thread plays: it keeps seats from game to game, so that programs are started once.

use crate::engine_log::EngineLog;
use crate::experiment::{
    Contestant, Experiment, ExperimentError, Kind, Openings, Point, Role, Time,
};
use crate::filed::{Heading, moves, sgf};
use crate::play::{Conditions, NotHere, Played, Players, Unplayed, play};
use crate::schedule::{self, Colour, Opening, Pair};
use crate::seat::{ExternalSeat, Fault, OwnSeat, Seat, words_of};
use crate::weights::{Found, Weights};
use engine::Playable;
use game::Relative;
use game::random::mix;
use registry::{GameName, with_game};
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A game that was played, ready to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// 2 if the player won, 1 for a draw, 0 if it lost.
    pub score: i64,
    /// How it ended.
    pub reason: String,
    /// Who did something wrong and what, or nothing.
    pub fault: String,
    /// All moves from the start of the board.
    pub moves: Vec<String>,
    /// The moves of the opening among them.
    pub opening: usize,
    /// How long it took.
    pub time: Duration,
    /// The file.
    pub sgf: String,
    /// What is known of each turn after the opening, as JSON.
    pub turns: String,
}

/// The openings that can be listed, for each point once: lists can be long.
#[derive(Default)]
pub struct Lists(Mutex<HashMap<usize, Arc<dyn Any + Send + Sync>>>);

impl Lists {
    fn of<G: Playable>(
        &self,
        place: usize,
        point: &Point,
    ) -> Result<Arc<Vec<Opening<G>>>, ExperimentError> {
        let known = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&place)
            .cloned();
        if let Some(list) = known.and_then(|list| list.downcast().ok()) {
            return Ok(list);
        }
        let list = Arc::new(schedule::listed::<G>(point)?);
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(place, list.clone());
        Ok(list)
    }
}

/// An experiment with what is worked out from it once.
pub struct Loaded {
    /// The experiment.
    pub experiment: Experiment,
    /// Seconds of this machine for one of the reference machine; 1 where no budget is in such seconds.
    pub reference: f64,
    lists: Lists,
    found: Found,
}

impl Loaded {
    /// An experiment on this machine, which is measured with so many threads where a budget asks for it.
    ///
    /// # Errors
    /// If a board or a player cannot be had, or the file of its weights not be read.
    pub fn new(experiment: Experiment, threads: usize) -> Result<Loaded, ExperimentError> {
        let found = Found::of(&experiment)?;
        let reference = if needs_reference(&experiment) {
            crate::reference::seconds_for_one(threads)
        } else {
            1.0
        };
        Ok(Loaded {
            experiment,
            reference,
            lists: Lists::default(),
            found,
        })
    }

    /// The weights with which the players play here.
    pub fn weights(&self) -> Weights {
        self.found.weights()
    }

    /// The pairs of the experiment with their points, in the order in which they are played.
    ///
    /// # Errors
    /// If openings cannot be listed.
    pub fn pairs(&self) -> Result<Vec<(u64, usize)>, ExperimentError> {
        let mut counts = HashMap::new();
        if self.experiment.pairs.is_none() {
            for (place, point) in self.experiment.points.iter().enumerate() {
                let count =
                    with_game!(self.experiment.game, G => count::<G>(&self.lists, place, point))?;
                counts.insert(point.key(), count);
            }
        }
        Ok(schedule::pairs(&self.experiment, |point| {
            counts.get(&point.key()).copied().unwrap_or(0)
        })
        .collect())
    }
}

fn count<G: Playable>(lists: &Lists, place: usize, point: &Point) -> Result<u64, ExperimentError> {
    Ok(lists.of::<G>(place, point)?.len() as u64)
}

/// Whether a budget is in seconds of the reference machine.
pub fn needs_reference(experiment: &Experiment) -> bool {
    let roles = [Role::Player, Role::Against];
    let mut contestants = experiment
        .points
        .iter()
        .flat_map(|point| roles.map(|role| point.contestant(role)));
    contestants.any(|contestant| matches!(contestant.budget.time, Some(Time::Reference(_))))
}

/// The seats of a thread, which plays one experiment at a time and hence one game.
#[derive(Default)]
pub struct Tables {
    log: EngineLog,
    is_abandoned: Arc<AtomicBool>,
    /// The [`Seats`] of the game.
    seats: Option<Box<dyn Any + Send>>,
}

/// Seats kept for later games, those used last at the end.
struct Seats<G: Playable>(Vec<(String, Box<dyn Seat<G>>)>);

impl<G: Playable> Default for Seats<G> {
    fn default() -> Self {
        Seats(Vec::new())
    }
}

/// The most seats that are kept: other programs hold memory while they wait.
const KEPT: usize = 4;

impl<G: Playable> Seats<G> {
    /// A seat for a player, taken out until it is put back.
    fn take(
        &mut self,
        contestant: &Contestant,
        reference: f64,
        log: &EngineLog,
    ) -> Result<(String, Box<dyn Seat<G>>), NotHere> {
        let key = format!("{contestant:?}");
        if let Some(place) = self.0.iter().position(|(known, _)| *known == key) {
            return Ok(self.0.remove(place));
        }
        let not_here = |why| NotHere {
            player: contestant.name.clone(),
            why,
        };
        let seat: Box<dyn Seat<G>> = match &contestant.kind {
            Kind::Own { player, settings } => {
                Box::new(OwnSeat::new(player, settings, &contestant.budget).map_err(not_here)?)
            }
            Kind::External(program) => {
                let (name, budget) = (&contestant.name, &contestant.budget);
                let seat = ExternalSeat::new(name, program, budget, reference, log);
                Box::new(seat.map_err(not_here)?)
            }
        };
        Ok((key, seat))
    }

    fn put_back(&mut self, mut seat: (String, Box<dyn Seat<G>>)) {
        seat.1.rest();
        self.0.push(seat);
        if self.0.len() > KEPT {
            self.0.remove(0);
        }
    }
}

impl Tables {
    /// Tables whose programs write their messages into a log, and whose games are given up at their next move once
    /// `is_abandoned` is set.
    pub fn new(log: EngineLog, is_abandoned: Arc<AtomicBool>) -> Tables {
        Tables {
            log,
            is_abandoned,
            ..Tables::default()
        }
    }

    /// Plays one game of a pair. `thinks` is called before each move with the most that it may take.
    ///
    /// A panic outside of the players is a mistake of this program and nobody's fault: the game is a draw with the
    /// reason `arena`, and the next one begins at new tables.
    ///
    /// # Errors
    /// If it cannot be played here, or is given up.
    pub fn play(
        &mut self,
        loaded: &Loaded,
        pair: Pair,
        colour: Colour,
        thinks: &dyn Fn(Option<Duration>),
    ) -> Result<Game, Unplayed> {
        let played = catch_unwind(AssertUnwindSafe(|| {
            let of = OneGame {
                loaded,
                point: &loaded.experiment.points[pair.point],
                pair,
                colour,
                thinks,
                log: &self.log,
                is_abandoned: &self.is_abandoned,
            };
            with_game!(loaded.experiment.game, G => {
                // Those of another game are of no more use.
                let kept = self.seats.take().and_then(|seats| seats.downcast::<Seats<G>>().ok());
                let mut seats = kept.unwrap_or_default();
                let played = of.play(&mut *seats);
                self.seats = Some(seats);
                played
            })
        }));
        played.unwrap_or_else(|panic| {
            *self = Tables::new(self.log.clone(), self.is_abandoned.clone());
            let id = game_id(&loaded.experiment.id, pair.number, colour.index());
            Ok(broken_down(&id, words_of(&*panic)))
        })
    }
}

/// A game that ended because this program broke down.
fn broken_down(id: &str, why: String) -> Game {
    let fault = Fault::Crash(why);
    let mut tree = sgf::Tree::new();
    tree.set(sgf::NodeId::ROOT, "GN", id);
    let comment = format!("Ended by {}. The arena: {fault}.", fault.kind());
    tree.set(sgf::NodeId::ROOT, "C", comment.as_str());
    Game {
        score: 1,
        reason: fault.kind().to_owned(),
        fault: format!("arena: {fault}"),
        moves: Vec::new(),
        opening: 0,
        time: Duration::ZERO,
        sgf: tree.to_string(),
        turns: "[]".to_owned(),
    }
}

/// The name of a game in the store: experiment, pair and colour.
pub fn game_id(experiment: &str, pair: u64, colour: i64) -> String {
    format!("{experiment}-{pair}-{colour}")
}

/// A game to be played.
struct OneGame<'a> {
    loaded: &'a Loaded,
    point: &'a Point,
    pair: Pair,
    colour: Colour,
    thinks: &'a dyn Fn(Option<Duration>),
    log: &'a EngineLog,
    is_abandoned: &'a AtomicBool,
}

impl OneGame<'_> {
    fn play<G: Playable>(&self, seats: &mut Seats<G>) -> Result<Game, Unplayed> {
        let OneGame {
            loaded,
            point,
            pair,
            colour,
            ..
        } = *self;
        let listed;
        let random;
        let opening: &Opening<G> = if let Openings::Random(plies) = point.openings {
            random = schedule::random_opening(&point.board, pair.seed, plies)?;
            &random
        } else {
            listed = loaded.lists.of::<G>(pair.point, point)?;
            let place = (pair.round % listed.len().max(1) as u64) as usize;
            listed
                .get(place)
                .ok_or_else(|| ExperimentError::new("there is no opening").within(point))?
        };
        let seed = |role: u64| mix(pair.seed ^ mix(2 * colour.index() as u64 + role + 1));
        let seeds = [seed(0), seed(1)];
        let first = match colour {
            Colour::First => Role::Player,
            Colour::Second => Role::Against,
        };
        let mut player = seats.take(&point.player, loaded.reference, self.log)?;
        let mut against = seats.take(&point.against, loaded.reference, self.log)?;
        let started = Instant::now();
        let mut players = Players {
            seats: [&mut *player.1, &mut *against.1],
            budgets: [&point.player.budget, &point.against.budget],
            names: [&point.player.name, &point.against.name],
            seeds,
        };
        let conditions = Conditions {
            reference: loaded.reference,
            adjudication: &loaded.experiment.adjudication,
            thinks: self.thinks,
            is_abandoned: &|| self.is_abandoned.load(Ordering::Relaxed),
        };
        let played = play(opening, first, &mut players, &conditions);
        let time = started.elapsed();
        seats.put_back(player);
        seats.put_back(against);
        let played = played?;
        // Whatever became of a file while the game was played, it counts only with the weights that were found first.
        let weights = |role| {
            let contestant = point.contestant(role);
            loaded.found.unchanged(contestant, &opening.start)
        };
        let weights = [weights(Role::Player)?, weights(Role::Against)?];
        let heading = Heading {
            id: game_id(&loaded.experiment.id, pair.number, colour.index()),
            event: format!("{}: {point}", loaded.experiment.name),
            players: [
                described::<G>(&point.player),
                described::<G>(&point.against),
            ],
            seeds,
            weights,
            first,
        };
        Ok(as_stored(opening, &played, &heading, time))
    }
}

/// A game as it is stored.
fn as_stored<G: Playable>(
    opening: &Opening<G>,
    played: &Played<G::Move>,
    heading: &Heading,
    time: Duration,
) -> Game {
    let notes: Vec<_> = played
        .turns
        .iter()
        .map(|turn| (turn.role, &turn.notes))
        .collect();
    Game {
        score: match played.result {
            Relative::Win => 2,
            Relative::Draw => 1,
            Relative::Loss => 0,
        },
        reason: played.reason.clone(),
        fault: played
            .fault
            .as_ref()
            .map_or(String::new(), |(role, fault)| format!("{role}: {fault}")),
        moves: moves(opening, played),
        opening: opening.moves.len(),
        time,
        sgf: sgf(opening, played, heading),
        turns: serde_json::to_string(&notes).unwrap_or_default(),
    }
}

/// A player with its parameters, or its command line.
fn described<G: Playable>(contestant: &Contestant) -> String {
    match &contestant.kind {
        Kind::Own { player, settings } => {
            let player = name_in::<G>(player);
            let settings: Vec<String> = settings
                .iter()
                .map(|setting| format!(" {}={}", setting.name, setting.value))
                .collect();
            format!("{} ({player}{})", contestant.name, settings.concat())
        }
        Kind::External(program) => format!("{} ({})", contestant.name, program.command.join(" ")),
    }
}

/// The name of a player of which an older name may be given. What names no player is given back.
pub fn name_today(game: GameName, player: &str) -> &str {
    with_game!(game, G => name_in::<G>(player))
}

fn name_in<G: Playable>(player: &str) -> &str {
    G::player(Some(player)).map_or(player, |player| player.name)
}

/// Whether an experiment can be played: boards, openings, players and their parameters. Other programs
/// are not started.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(experiment: &Experiment) -> Result<(), ExperimentError> {
    if let Some(axis) = experiment.unused_axes.first() {
        return Err(ExperimentError::new(format!(
            "grid.{axis}: nothing that decides games uses {{{axis}}}, so that its values would play the same again; use \
             it in [board], [openings], a budget or a player, or leave it out"
        )));
    }
    let mut seen = HashSet::new();
    for point in &experiment.points {
        with_game!(experiment.game, G => check_point::<G>(point, &mut seen))
            .map_err(|error| error.within(point))?;
    }
    Ok(())
}

fn check_point<G: Playable>(
    point: &Point,
    seen: &mut HashSet<String>,
) -> Result<(), ExperimentError> {
    let wrong = |error: &dyn std::fmt::Display| ExperimentError::new(error.to_string());
    let board = schedule::first_board(point);
    let start = G::start(&board).map_err(|error| wrong(&error))?;
    if seen.insert(format!("{:?} {:?}", point.board, point.openings)) {
        check_openings::<G>(point)?;
    }
    for role in [Role::Player, Role::Against] {
        let contestant = point.contestant(role);
        if !seen.insert(format!("{board:?} {:?}", contestant.kind)) {
            continue;
        }
        match &contestant.kind {
            Kind::Own { player, settings } => {
                let player = G::player(Some(player)).map_err(|error| wrong(&error))?;
                player
                    .build(start.clone(), 1, settings)
                    .map_err(|error| wrong(&error).within(&contestant.name))?;
            }
            Kind::External(program) => {
                let (name, budget) = (&contestant.name, &contestant.budget);
                ExternalSeat::<G>::new(name, program, budget, 1.0, &EngineLog::default())
                    .map_err(|error| wrong(&error))?;
            }
        }
    }
    Ok(())
}

/// Whether a point has openings, all of them legal.
fn check_openings<G: Playable>(point: &Point) -> Result<(), ExperimentError> {
    if let Openings::Random(plies) = point.openings {
        schedule::random_opening::<G>(&point.board, 1, plies)?;
        return Ok(());
    }
    if schedule::listed::<G>(point)?.is_empty() {
        return Err(ExperimentError::new("the game is over in every opening"));
    }
    Ok(())
}
