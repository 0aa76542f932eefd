//! A game of self-play.

use crate::error::LearnError;
use crate::games::{MoveOf, Subject, start};
use crate::plan::{Plan, Resign};
use crate::record::{End, Record};
use engine::{Engine, Playable, Setting};
use game::random::{self, Rng};
use game::{Game, Outcome, Relative, Side};
use search::{Limits, MoveStats, Report, StopFlag};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Openings that are drawn until one is even.
const DRAWN_OPENINGS: u32 = 8;

/// The network that a player asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Network {
    /// None.
    Absent,
    /// The one that the program brings.
    Shipped,
    /// The weights with this hash.
    Learned(String),
}

/// Builds players of a plan.
pub(crate) struct Players<'a, S: Subject> {
    plan: &'a Plan,
    player: engine::Player<S::Position>,
    /// The folder with files of weights by their hashes.
    weights: &'a Path,
}

impl<'a, S: Subject> Players<'a, S> {
    pub(crate) fn new(plan: &'a Plan, weights: &'a Path) -> Result<Players<'a, S>, LearnError> {
        let player = S::Position::player(Some(&plan.player.name));
        let player = player.map_err(|why| LearnError::Player(why.to_string()))?;
        Ok(Players {
            plan,
            player,
            weights,
        })
    }

    pub(crate) fn build(
        &self,
        network: &Network,
        position: &S::Position,
        seed: u64,
    ) -> Result<Box<dyn Engine<S::Position>>, LearnError> {
        let setting = |(name, value): (&String, &String)| Setting {
            name: name.clone(),
            value: value.clone(),
        };
        let player = &self.plan.player;
        let given = match (network, &player.without_network) {
            (Network::Absent, Some(without)) => without,
            _ => &player.settings,
        };
        let mut settings: Vec<Setting> = given.iter().map(setting).collect();
        settings.extend(S::settings(network, self.weights));
        let built = self.player.build(position.clone(), seed, &settings);
        built.map_err(|why| LearnError::Player(why.to_string()))
    }

    /// A board with random moves that a quick search does not think decided, and how they came there.
    pub(crate) fn opening(
        &self,
        network: &Network,
        rng: &mut Rng,
        stop: &StopFlag,
    ) -> Result<Opening<S>, LearnError> {
        let plan = self.plan;
        let size = random::choose(&plan.sizes, rng).unwrap_or(5);
        let start = start::<S>(size)?;
        let opening = |position, moves| Opening {
            size,
            start: start.clone(),
            position,
            moves,
        };
        let mut drawn = 0;
        loop {
            let range = plan.openings.most - plan.openings.least + 1;
            let stones = plan.openings.least + random::below(range, rng);
            let (mut position, mut moves) = (start.clone(), Vec::new());
            for _ in 0..stones {
                if let Some(mv) = position.random_move(rng) {
                    position.play(mv);
                    moves.push(mv);
                }
            }
            drawn += 1;
            if position.outcome().is_some() {
                if drawn >= DRAWN_OPENINGS {
                    return Ok(opening(start.clone(), Vec::new()));
                }
                continue;
            }
            if plan.openings.even >= 0.5 || drawn >= DRAWN_OPENINGS {
                return Ok(opening(position, moves));
            }
            let seed = u64::from(random::below(u32::MAX, rng));
            let mut engine = self.build(network, &position, seed)?;
            let limits = simulations(plan.self_play.quick_simulations, stop);
            let value = engine.search(&limits, &mut |_| {}).value.0;
            if (value - 0.5).abs() <= plan.openings.even {
                return Ok(opening(position, moves));
            }
        }
    }
}

/// How a game begins.
pub(crate) struct Opening<S: Subject> {
    pub size: u32,
    /// The board before the moves.
    pub start: S::Position,
    /// And after them.
    pub position: S::Position,
    pub moves: Vec<MoveOf<S>>,
}

/// So many simulations.
pub(crate) fn simulations(count: u32, stop: &StopFlag) -> Limits {
    Limits {
        simulations: Some(count.into()),
        stop: stop.clone(),
        ..Limits::default()
    }
}

/// The points of White, doubled, for a result.
pub(crate) fn points(winner: Option<Side>) -> u8 {
    match winner {
        Some(Side::White) => 2,
        Some(Side::Black) => 0,
        None => 1,
    }
}

/// The outcome of a game that has ended or whose result a search from its last position has proven; `None` where it is
/// open.
pub(crate) fn decided<G: Game>(position: &G, proven: Option<Relative>) -> Option<Outcome> {
    let of_proof = || proven.map(|proven| proven.for_side(position.to_move()));
    position.outcome().or_else(of_proof)
}

/// A random seed for one thing of a run.
pub(crate) fn seed(plan: &Plan, of: &str, generation: u32, number: u32) -> u64 {
    let of = of
        .bytes()
        .fold(0, |seed, byte| random::mix(seed ^ u64::from(byte)));
    let numbers = u64::from(generation) << 32 | u64::from(number);
    random::mix(plan.seed ^ random::mix(numbers ^ of))
}

/// Who would have given up, and is counted as doing so.
struct Resigning<'a> {
    rule: Option<&'a Resign>,
    is_control: bool,
    /// Hopeless positions in a row, of each side.
    hopeless: [u32; 2],
    /// The first side that would have given up.
    first: Option<Side>,
}

impl Resigning<'_> {
    /// Whether the side to move gives up.
    fn gives_up(&mut self, side: Side, value: f64) -> bool {
        let Some(rule) = self.rule else {
            return false;
        };
        let count = &mut self.hopeless[side as usize];
        *count = if value < rule.below { *count + 1 } else { 0 };
        if *count >= rule.moves && self.first.is_none() {
            self.first = Some(side);
        }
        self.first == Some(side) && !self.is_control
    }

    /// How the game ended, given its winner.
    fn end(&self, otherwise: End, winner: Option<Side>) -> End {
        match self.first {
            Some(side) if self.is_control && winner == Some(!side) => End::WouldResign,
            Some(_) if self.is_control => End::WrongToResign,
            _ => otherwise,
        }
    }
}

/// Plays a game; `None` if it was stopped.
pub(crate) fn play<S: Subject>(
    plan: &Plan,
    players: &Players<'_, S>,
    network: &Network,
    (generation, number): (u32, u32),
    stop: &StopFlag,
) -> Result<Option<Vec<u8>>, LearnError> {
    let seed = seed(plan, "self-play", generation, number);
    let mut rng = random::seeded(seed);
    let rules = &plan.self_play;
    let opening = players.opening(network, &mut rng, stop)?;
    let Opening { start, .. } = opening;
    let mut position = opening.position;
    let mut engine = players.build(network, &position, random::mix(seed))?;
    let mut moves = Vec::new();
    let mut before = start.clone();
    for mv in opening.moves {
        moves.extend(S::number(&before, mv));
        before.play(mv);
    }
    let mut record = Record::<S> {
        size: opening.size,
        random: moves.len() as u8,
        points: 1,
        end: End::Rules,
        searched: vec![S::Searched::default(); moves.len()],
        moves,
    };
    let mut resigning = Resigning {
        rule: rules.resign.as_ref(),
        is_control: rules
            .resign
            .as_ref()
            .is_some_and(|rule| random::unit(&mut rng) < rule.controls),
        hopeless: [0; 2],
        first: None,
    };
    loop {
        if let Some(winner) = position.outcome().map(Outcome::winner) {
            record.points = points(winner);
            record.end = resigning.end(End::Rules, winner);
            record.searched.push(S::Searched::default());
            return Ok(Some(record.to_bytes(&start)));
        }
        let is_full = random::unit(&mut rng) < rules.full_share;
        let count = if is_full {
            rules.simulations
        } else {
            rules.quick_simulations
        };
        let report = engine.search(&simulations(count, stop), &mut |_| {});
        if stop.is_raised() {
            return Ok(None);
        }
        if let Some(outcome) = decided(&position, report.proven) {
            let winner = outcome.winner();
            record.points = points(winner);
            record.end = resigning.end(End::Proven, winner);
            record.searched.push(S::proven(&position, &report));
            return Ok(Some(record.to_bytes(&start)));
        }
        let side = position.to_move();
        if resigning.gives_up(side, report.value.0) {
            record.points = points(Some(!side));
            record.end = End::Resigned;
            record.searched.push(S::Searched::default());
            return Ok(Some(record.to_bytes(&start)));
        }
        record.searched.push(if is_full {
            S::searched(&position, &report, rules)
        } else {
            S::Searched::default()
        });
        let is_drawn = record.moves.len() < rules.drawn_moves as usize;
        let mv = if is_drawn {
            drawn(&report, rules.temperature, &mut rng)
        } else {
            report.best
        };
        let number = mv.and_then(|mv| S::number(&position, mv));
        let (Some(mv), Some(number)) = (mv, number) else {
            return Err(LearnError::Player("it has no move".to_owned()));
        };
        engine
            .advance(mv)
            .map_err(|why| LearnError::Player(why.to_string()))?;
        position.play(mv);
        record.moves.push(number);
    }
}

/// A move that is not known to lose, with chances by its visits.
fn drawn<M: Copy>(report: &Report<M>, temperature: f64, rng: &mut Rng) -> Option<M> {
    let is_open = |stats: &&MoveStats<M>| stats.proven != Some(Relative::Loss);
    let open: Vec<&MoveStats<M>> = report.moves.iter().filter(is_open).collect();
    let chance = |stats: &&MoveStats<M>| libm::pow(stats.visits as f64, 1.0 / temperature);
    let chances: Vec<f64> = open.iter().map(chance).collect();
    let drawn = random::draw(&chances, rng).map(|place| open[place].mv);
    drawn.or(report.best)
}
