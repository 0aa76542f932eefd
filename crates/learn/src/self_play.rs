//! A game of self-play.

use crate::error::LearnError;
use crate::plan::{Plan, Resign};
use crate::record::{End, Record, Visits};
use engine::{BoardOptions, Engine, Playable, Setting};
use game::random::{self, Rng};
use game::{Game, Outcome, Relative, Side};
use havannah::{Move, Position};
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
pub(crate) struct Players<'a> {
    plan: &'a Plan,
    player: engine::Player<Position>,
    /// The folder with files of weights by their hashes.
    weights: &'a Path,
}

impl Players<'_> {
    pub(crate) fn new<'a>(plan: &'a Plan, weights: &'a Path) -> Result<Players<'a>, LearnError> {
        let player = Position::player(Some(&plan.player.name));
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
        position: &Position,
        seed: u64,
    ) -> Result<Box<dyn Engine<Position>>, LearnError> {
        let setting = |name: &str, value: &str| Setting {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let player = &self.plan.player;
        let given = match (network, &player.without_network) {
            (Network::Absent, Some(without)) => without,
            _ => &player.settings,
        };
        let mut settings: Vec<Setting> = given
            .iter()
            .map(|(name, value)| setting(name, value))
            .collect();
        match network {
            Network::Absent => settings.push(setting("know-network", "0")),
            Network::Shipped => {}
            Network::Learned(hash) => {
                let path = self.weights.join(format!("{hash}.weights"));
                settings.push(setting("network", &path.to_string_lossy()));
            }
        }
        let built = self.player.build(position.clone(), seed, &settings);
        built.map_err(|why| LearnError::Player(why.to_string()))
    }

    /// A board with random stones that a quick search does not think decided, and how they came there.
    pub(crate) fn opening(
        &self,
        network: &Network,
        rng: &mut Rng,
        stop: &StopFlag,
    ) -> Result<(Position, Vec<Move>), LearnError> {
        let plan = self.plan;
        let size = random::choose(&plan.sizes, rng).unwrap_or(5);
        let board = BoardOptions::sized(size);
        let start = Position::start(&board).map_err(|why| LearnError::Player(why.to_string()))?;
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
                    return Ok((start, Vec::new()));
                }
                continue;
            }
            if plan.openings.even >= 0.5 || drawn >= DRAWN_OPENINGS {
                return Ok((position, moves));
            }
            let seed = u64::from(random::below(u32::MAX, rng));
            let mut engine = self.build(network, &position, seed)?;
            let limits = simulations(plan.self_play.quick_simulations, stop);
            let value = engine.search(&limits, &mut |_| {}).value.0;
            if (value - 0.5).abs() <= plan.openings.even {
                return Ok((position, moves));
            }
        }
    }
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
pub(crate) fn decided(position: &Position, proven: Option<Relative>) -> Option<Outcome> {
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
pub(crate) fn play(
    plan: &Plan,
    players: &Players<'_>,
    network: &Network,
    (generation, number): (u32, u32),
    stop: &StopFlag,
) -> Result<Option<Record>, LearnError> {
    let seed = seed(plan, "self-play", generation, number);
    let mut rng = random::seeded(seed);
    let rules = &plan.self_play;
    let (mut position, moves) = players.opening(network, &mut rng, stop)?;
    let mut engine = players.build(network, &position, random::mix(seed))?;
    let geometry = position.geometry();
    let place = |mv| match mv {
        Move::Place(cell) => geometry
            .cells()
            .binary_search(&cell)
            .ok()
            .map(|place| place as u16),
        Move::Swap => None,
    };
    let mut record = Record {
        shape: geometry.shape(),
        random: position.ply() as u8,
        points: 1,
        end: End::Rules,
        moves: moves.into_iter().filter_map(place).collect(),
        visits: vec![Visits::new(); position.ply()],
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
            record.visits.push(Visits::new());
            return Ok(Some(record));
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
            let winning = report
                .moves
                .iter()
                .filter(|stats| stats.proven == Some(Relative::Win));
            let winning = winning.filter_map(|stats| place(stats.mv));
            record
                .visits
                .push(winning.map(|place| (place, 1)).collect());
            return Ok(Some(record));
        }
        let side = position.to_move();
        if resigning.gives_up(side, report.value.0) {
            record.points = points(Some(!side));
            record.end = End::Resigned;
            record.visits.push(Visits::new());
            return Ok(Some(record));
        }
        let open = report.moves.iter().filter(|stats| stats.proven.is_none());
        let visited = open.filter(|stats| is_full && stats.visits > u64::from(rules.tried));
        let visits = visited.filter_map(|stats| {
            Some((
                place(stats.mv)?,
                (stats.visits - u64::from(rules.tried)) as u32,
            ))
        });
        record.visits.push(visits.collect());
        let is_drawn = position.ply() < rules.drawn_moves as usize;
        let mv = if is_drawn {
            drawn(&report, rules.temperature, &mut rng)
        } else {
            report.best
        };
        let (Some(mv), Some(place)) = (mv, mv.and_then(place)) else {
            return Err(LearnError::Player("it has no move".to_owned()));
        };
        engine
            .advance(mv)
            .map_err(|why| LearnError::Player(why.to_string()))?;
        position.play(mv);
        record.moves.push(place);
    }
}

/// A move that is not known to lose, with chances by its visits.
fn drawn(report: &Report<Move>, temperature: f64, rng: &mut Rng) -> Option<Move> {
    let chance = |stats: &MoveStats<_>| libm::pow(stats.visits as f64, 1.0 / temperature);
    let open = || {
        report
            .moves
            .iter()
            .filter(|stats| stats.proven != Some(Relative::Loss))
    };
    let all: f64 = open().map(chance).sum();
    let mut left = random::unit(rng) * all;
    let found = open().find(|stats| {
        left -= chance(stats);
        left < 0.0
    });
    found.map(|stats| stats.mv).or(report.best)
}
