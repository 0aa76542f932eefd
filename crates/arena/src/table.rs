//! Where a thread plays: it keeps seats from game to game, so that programs are started once.

use crate::experiment::{
    Contestant, Experiment, ExperimentError, Kind, Openings, Point, Role, Time,
};
use crate::filed::{Heading, moves, sgf};
use crate::play::{NotHere, Players, play};
use crate::schedule::{self, Colour, Opening, Pair};
use crate::seat::{ExternalSeat, OwnSeat, Seat};
use engine::Playable;
use game::Relative;
use game::random::mix;
use registry::with_game;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why a game was not played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unplayed {
    /// The experiment cannot be played as it is.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A player is missing on this machine.
    #[error(transparent)]
    NotHere(#[from] NotHere),
}

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
}

impl Loaded {
    /// An experiment on this machine, which is measured with so many threads where a budget asks for it.
    pub fn new(experiment: Experiment, threads: usize) -> Loaded {
        let reference = if needs_reference(&experiment) {
            crate::reference::seconds_for_one(threads)
        } else {
            1.0
        };
        Loaded {
            experiment,
            reference,
            lists: Lists::default(),
        }
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
pub struct Tables(Option<Box<dyn Any + Send>>);

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
            Kind::External(program) => Box::new(
                ExternalSeat::new(program, &contestant.budget, reference).map_err(not_here)?,
            ),
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
    /// Plays one game of a pair. `thinks` is called before each move with the most that it may take.
    ///
    /// # Errors
    /// If it cannot be played here.
    pub fn play(
        &mut self,
        loaded: &Loaded,
        pair: Pair,
        colour: Colour,
        thinks: &dyn Fn(Option<Duration>),
    ) -> Result<Game, Unplayed> {
        with_game!(loaded.experiment.game, G => {
            // Those of another game are of no more use.
            let kept = self.0.take().and_then(|seats| seats.downcast::<Seats<G>>().ok());
            let mut seats = kept.unwrap_or_default();
            let played = play_one(&mut *seats, loaded, pair, colour, thinks);
            self.0 = Some(seats);
            played
        })
    }
}

/// The name of a game in the store: experiment, pair and colour.
pub fn game_id(experiment: &str, pair: u64, colour: i64) -> String {
    format!("{experiment}-{pair}-{colour}")
}

fn play_one<G: Playable>(
    seats: &mut Seats<G>,
    loaded: &Loaded,
    pair: Pair,
    colour: Colour,
    thinks: &dyn Fn(Option<Duration>),
) -> Result<Game, Unplayed> {
    let point = &loaded.experiment.points[pair.point];
    let listed;
    let random;
    let opening: &Opening<G> = if let Openings::Random(plies) = point.openings {
        random = schedule::random_opening(point, pair.seed, plies)?;
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
    let mut player = seats.take(&point.player, loaded.reference)?;
    let mut against = seats.take(&point.against, loaded.reference)?;
    let started = Instant::now();
    let mut players = Players {
        seats: [&mut *player.1, &mut *against.1],
        budgets: [&point.player.budget, &point.against.budget],
        names: [&point.player.name, &point.against.name],
        seeds,
    };
    let played = play(opening, first, &mut players, loaded.reference, thinks);
    let time = started.elapsed();
    seats.put_back(player);
    seats.put_back(against);
    let played = played?;
    let heading = Heading {
        id: game_id(&loaded.experiment.id, pair.number, colour.index()),
        event: format!("{}: {point}", loaded.experiment.name),
        players: [described(&point.player), described(&point.against)],
        seeds,
        first,
    };
    let notes: Vec<_> = played
        .turns
        .iter()
        .map(|turn| (turn.role, &turn.notes))
        .collect();
    Ok(Game {
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
        moves: moves(opening, &played),
        opening: opening.moves.len(),
        time,
        sgf: sgf(opening, &played, &heading),
        turns: serde_json::to_string(&notes).unwrap_or_default(),
    })
}

/// A player with its parameters, or its command line.
fn described(contestant: &Contestant) -> String {
    match &contestant.kind {
        Kind::Own { player, settings } => {
            let settings: Vec<String> = settings
                .iter()
                .map(|setting| format!(" {}={}", setting.name, setting.value))
                .collect();
            format!("{} ({player}{})", contestant.name, settings.concat())
        }
        Kind::External(program) => format!("{} ({})", contestant.name, program.command.join(" ")),
    }
}

/// Whether an experiment can be played: boards, openings, players and their parameters. Other programs
/// are not started.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(experiment: &Experiment) -> Result<(), ExperimentError> {
    let mut seen = std::collections::HashSet::new();
    for point in &experiment.points {
        with_game!(experiment.game, G => check_point::<G>(point, &mut seen))
            .map_err(|error| error.within(point))?;
    }
    Ok(())
}

fn check_point<G: Playable>(
    point: &Point,
    seen: &mut std::collections::HashSet<String>,
) -> Result<(), ExperimentError> {
    let wrong = |error: &dyn std::fmt::Display| ExperimentError::new(error.to_string());
    let board = match &point.openings {
        Openings::Setups(setups) => schedule::with_setup(&point.board, setups.first()),
        _ => point.board.clone(),
    };
    let start = G::start(&board).map_err(|error| wrong(&error))?;
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
                ExternalSeat::<G>::new(program, &contestant.budget, 1.0)
                    .map_err(|error| wrong(&error))?;
            }
        }
    }
    Ok(())
}
