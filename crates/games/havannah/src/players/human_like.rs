//! A player that moves as people do, by a network that has learned from their games (McIlroy-Young et al., "Aligning
//! superhuman AI with human behavior: chess as a model system", 2020).

use super::network;
use crate::knowledge::network::{ByLength, Network, Shipped, Weights};
use crate::{Cell, Move, Position};
use engine::parameter::{Field, Number, Parameter, apply, describe};
use engine::{Engine, Player};
use game::random::{self, Rng};
use game::{Game, Relative, Score};
use search::{Limits, MoveStats, Progress, Report, StopReason};
use std::sync::Arc;

#[derive(Clone)]
struct Params {
    temperature: f64,
}

const DEFAULTS: Params = Params { temperature: 0.5 };

const FIELDS: &[Field<Params>] = &[Field {
    name: "temperature",
    meaning: "moves are drawn with chances of probabilities to the power 1 / temperature; 0 always makes the likeliest",
    values: &Number(0.0, 10.0, |params: &mut Params| &mut params.temperature),
}];

pub(crate) fn player() -> Player<Position> {
    let mut parameters: Vec<Parameter> = describe(FIELDS, &DEFAULTS);
    parameters.push(network::parameter(
        "weights of the network: shipped (learned from games of people), or a file made by papamu learn",
    ));
    Player::new(
        "human-like",
        "moves as people do, without a search: drawn from what a network expects that has learned from their games; a move that wins at once is made, and one of the opponent's prevented",
        parameters,
        |position: Position, seed, settings| {
            let (weights, settings) = network::taken_from(settings, ByLength::only(Shipped::People))?;
            let weights = weights.short();
            let params = apply(FIELDS, &DEFAULTS, &settings)?;
            Ok(Box::new(HumanLike {
                network: Network::new(position.geometry(), Arc::clone(&weights)),
                weights,
                position,
                params,
                rng: random::seeded(seed),
            }))
        },
    )
    .with_weights(|_, settings| network::in_use(settings, ByLength::only(Shipped::People)).map(Some))
}

struct HumanLike {
    position: Position,
    weights: Arc<Weights>,
    network: Network,
    params: Params,
    rng: Rng,
}

/// A move, how likely it is, what it is worth for the side that makes it, and whether it ends the game.
struct Likely {
    mv: Move,
    probability: f64,
    value: f64,
    wins: bool,
}

impl HumanLike {
    /// All moves, in the order of the cells.
    fn likely(&mut self) -> Vec<Likely> {
        let geometry = self.position.geometry();
        let mut probabilities = vec![0.0; geometry.grid()];
        let value = f64::from(self.network.judge(&self.position, &mut probabilities));
        let board = self.position.board();
        let empty: Vec<Cell> = geometry
            .cells()
            .iter()
            .copied()
            .filter(|&cell| board.is_empty(cell))
            .collect();
        // What everybody sees.
        let side = self.position.to_move();
        let completing = |side| {
            let completes = move |&cell: &Cell| board.completes(cell, side).is_some();
            empty.iter().copied().filter(completes).collect::<Vec<_>>()
        };
        let wins = completing(side);
        let urgent = if wins.is_empty() {
            completing(!side)
        } else {
            wins.clone()
        };
        let place = |&cell: &Cell| Likely {
            mv: Move::Place(cell),
            probability: if urgent.is_empty() || urgent.contains(&cell) {
                // Nothing is so unlikely that it is not drawn if there is nothing else.
                f64::from(probabilities[cell.index()].max(f32::MIN_POSITIVE))
            } else {
                0.0
            },
            value: if wins.contains(&cell) { 1.0 } else { value },
            wins: wins.contains(&cell),
        };
        let mut all: Vec<Likely> = empty.iter().map(place).collect();
        if self.position.can_swap() {
            all.push(Likely {
                mv: Move::Swap,
                probability: 0.0,
                value: 1.0 - value,
                wins: false,
            });
            take_over_or_answer(&mut all, value);
        } else if self.position.swap_rule() && empty.len() == geometry.cells().len() {
            self.open_evenly(&mut all);
        }
        all
    }

    /// First stones under the swap rule are the likelier the more even the game is behind them: people's are not learned.
    fn open_evenly(&mut self, all: &mut [Likely]) {
        const UNEVEN: f64 = 0.05;
        let mut probabilities = vec![0.0; self.position.geometry().grid()];
        for likely in all {
            let mut position = Position::new(self.position.geometry().shape());
            position.play(likely.mv);
            likely.value = 1.0 - f64::from(self.network.judge(&position, &mut probabilities));
            let uneven = (likely.value - 0.5) / UNEVEN;
            likely.probability = libm::exp(-uneven * uneven);
        }
    }

    /// The place of a move that is drawn.
    fn drawn(&mut self, all: &[Likely]) -> Option<usize> {
        let most = all
            .iter()
            .map(|likely| likely.probability)
            .fold(0.0, f64::max);
        let chance = |likely: &Likely| match self.params.temperature {
            0.0 => f64::from(u8::from(likely.probability >= most)),
            temperature => libm::pow(likely.probability / most, 1.0 / temperature),
        };
        let chances: Vec<f64> = all.iter().map(chance).collect();
        random::draw(&chances, &mut self.rng)
    }
}

/// The first stone is taken over if that is better than to answer it.
fn take_over_or_answer(all: &mut [Likely], value: f64) {
    if value < 0.5 {
        for likely in all {
            likely.probability = f64::from(u8::from(likely.mv == Move::Swap));
        }
    }
}

impl Engine<Position> for HumanLike {
    fn position(&self) -> &Position {
        &self.position
    }

    fn set_position(&mut self, position: Position) {
        self.network = Network::new(position.geometry(), Arc::clone(&self.weights));
        self.position = position;
    }

    fn advance(&mut self, mv: Move) -> Result<(), <Position as Game>::Illegal> {
        self.position.try_play(mv)
    }

    fn search(
        &mut self,
        _limits: &Limits,
        _progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        let mut report = Report {
            progress: Progress::nothing(),
            stop: StopReason::Depth,
            signature: 0,
        };
        if let Some(outcome) = self.position.outcome() {
            let result = outcome.seen_by(self.position.to_move());
            report.progress.value = result.score();
            report.progress.proven = Some(result);
            report.stop = StopReason::Proven;
            return report;
        }
        let mut all = self.likely();
        if let Some(at) = self.drawn(&all) {
            all.swap(0, at);
            all[1..].sort_by(|one, other| other.probability.total_cmp(&one.probability));
        }
        report.progress.moves = all
            .iter()
            .map(|likely| MoveStats {
                mv: likely.mv,
                visits: (1000.0 * likely.probability) as u64,
                value: Score(likely.value),
                proven: likely.wins.then_some(Relative::Win),
            })
            .collect();
        if let Some(first) = report.progress.moves.first().copied() {
            report.progress.best = Some(first.mv);
            report.progress.value = first.value;
            report.progress.proven = first.proven;
            report.progress.principal_variation = vec![first.mv];
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Shape};
    use engine::Setting;
    use game::Notation;

    fn after(size: u32, moves: &str, swap: bool) -> Position {
        let mut position = Position::new(Shape::regular(size).expect("a size"));
        if swap {
            position = position.under_swap_rule();
        }
        for text in moves.split_whitespace() {
            position.play(position.parse_move(text, Dialect::Grid).expect("a move"));
        }
        position
    }

    fn report(position: &Position, seed: u64, settings: &[&str]) -> Report<Move> {
        let settings: Vec<Setting> = settings
            .iter()
            .map(|text| text.parse().expect("a setting"))
            .collect();
        let engine = player().build(position.clone(), seed, &settings);
        engine
            .expect("settings")
            .search(&Limits::default(), &mut |_| {})
    }

    #[test]
    fn what_wins_is_made_and_what_the_opponent_wins_with_is_prevented() {
        let wins = after(4, "a1 g7 a2 g6 a3 g5", false);
        let a4 = wins.parse_move("a4", Dialect::Grid).expect("a cell");
        for seed in 0..20 {
            let made = report(&wins, seed, &["temperature=10"]);
            assert_eq!(made.best, Some(a4));
            assert_eq!(made.proven, Some(Relative::Win));
        }
        let loses = after(4, "a1 g7 a2 g6 a3", false);
        for seed in 0..20 {
            let made = report(&loses, seed, &["temperature=10"]);
            assert_eq!(made.best, Some(a4));
            assert_eq!(made.proven, None);
        }
    }

    #[test]
    fn without_temperature_the_likeliest_move_is_made() {
        let position = after(6, "f6 e5 g7", false);
        let first = report(&position, 1, &["temperature=0"]);
        for seed in 2..12 {
            assert_eq!(report(&position, seed, &["temperature=0"]).best, first.best);
        }
        assert!(
            first
                .moves
                .iter()
                .all(|one| one.visits <= first.moves[0].visits)
        );
        let drawn: Vec<Option<Move>> = (0..12)
            .map(|seed| report(&position, seed, &["temperature=2"]).best)
            .collect();
        assert!(drawn.iter().any(|mv| *mv != drawn[0]));
    }

    #[test]
    fn first_stones_are_fair_and_strong_ones_are_taken_over() {
        for (size, centre) in [(6, "f6"), (8, "h8")] {
            for seed in 0..5 {
                let stone = report(&after(size, "", true), seed, &[]);
                assert!((stone.value.0 - 0.5).abs() < 0.2, "{}", stone.value.0);
            }
            let answer = |first: &str| report(&after(size, first, true), 1, &[]).best;
            assert_eq!(answer("a1"), Some(Move::Swap));
            assert_ne!(answer(centre), Some(Move::Swap));
        }
    }

    #[test]
    fn every_game_comes_to_its_end() {
        for size in [2, 3, 4, 10, 12] {
            let mut engine = player()
                .build(after(size, "", true), 3, &[])
                .expect("a player");
            loop {
                let report = engine.search(&Limits::default(), &mut |_| {});
                let Some(mv) = report.best else { break };
                engine.advance(mv).expect("a legal move");
            }
            assert!(engine.position().outcome().is_some());
        }
    }
}
