//! A player of this program.

use super::{Allowance, Fault, Seat, Thought, Trouble};
use crate::experiment::{Budget, Time};
use engine::{Engine, Playable, Setting, TurnStatistics};
use search::Limits;
use std::time::{Duration, Instant};

/// A player of this program with its engine.
pub struct OwnSeat<G: Playable> {
    player: String,
    settings: Vec<Setting>,
    limits: Limits,
    has_clock: bool,
    engine: Option<Box<dyn Engine<G>>>,
    told: Vec<G::Move>,
}

impl<G: Playable> OwnSeat<G> {
    /// A seat for a player.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn new(player: &str, settings: &[Setting], budget: &Budget) -> Result<OwnSeat<G>, String> {
        Ok(OwnSeat {
            player: G::player(Some(player))
                .map_err(|error| error.to_string())?
                .name
                .to_owned(),
            settings: settings.to_vec(),
            limits: Limits {
                simulations: budget.simulations,
                nodes: budget.nodes,
                depth: budget.depth,
                ..Limits::default()
            },
            has_clock: matches!(budget.time, Some(Time::PerGame { .. })),
            engine: None,
            told: Vec::new(),
        })
    }

    fn search(&mut self, allowance: &Allowance) -> Result<Thought<G::Move>, Fault> {
        let started = Instant::now();
        let Some(engine) = &mut self.engine else {
            return Err(Fault::Crash("asked for a move before the game".to_owned()));
        };
        for mv in self.told.drain(..) {
            engine
                .advance(mv)
                .map_err(|error| Fault::Illegal(error.to_string()))?;
        }
        let passed = started.elapsed();
        // On a clock of its own for the game a player leaves a margin for the way of its answer.
        let time = allowance.time.map(|time| {
            if self.has_clock {
                gtp::search_time(time, passed)
            } else {
                time.saturating_sub(passed).max(Duration::from_micros(1))
            }
        });
        let report = engine.choose(
            &Limits {
                time,
                ..self.limits.clone()
            },
            &mut |_| {},
        );
        // The engine follows its own move when it is asked again, on its own time.
        self.told.extend(report.best);
        Ok(Thought {
            mv: report.best,
            value: Some(report.value.0),
            statistics: Some(TurnStatistics::of(&report)),
        })
    }
}

impl<G: Playable> Seat<G> for OwnSeat<G> {
    fn begin(&mut self, start: &G, seed: u64) -> Result<(), Trouble> {
        self.told.clear();
        let player =
            G::player(Some(&self.player)).map_err(|error| Trouble::NotHere(error.to_string()))?;
        let built = player.build(start.clone(), seed, &self.settings);
        self.engine = Some(built.map_err(|error| Trouble::NotHere(error.to_string()))?);
        Ok(())
    }

    fn tell(&mut self, mv: G::Move) {
        self.told.push(mv);
    }

    fn think(&mut self, _: &G, allowance: &Allowance) -> Result<Thought<G::Move>, Trouble> {
        Ok(self.search(allowance)?)
    }

    fn reset(&mut self) {
        self.engine = None;
    }

    fn rest(&mut self) {
        self.engine = None;
    }
}
