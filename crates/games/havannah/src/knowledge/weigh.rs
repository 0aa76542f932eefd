//! The heuristics added up.

use super::distance::{self, Distances};
use super::evaluation_cache::EvaluationCache;
use super::locality::Locality;
use super::network::{ByLength, Choice, Network};
use super::patterns::Patterns;
use super::virtual_connection::{self, OffBoard};
use super::{connectivity, group_size, local_reply};
use crate::rules::geometry::{Cell, Geometry};
use crate::rules::position::{Move, Position};
use game::Game;
use search::Limits;
use std::sync::Arc;

/// The weight of one point of each heuristic, in hundredths of a game: a heuristic that gives a move `p`
/// points adds `0.01 · weight · p / √visits` to its value. The default is no knowledge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    /// Keeping a virtual connection upon which the opponent intruded: 1 point.
    pub virtual_connection: f32,
    /// Being near stones of any colour: 0 to 3 points.
    pub locality_any: f32,
    /// Being near own stones: 0 to 3 points.
    pub locality_own: f32,
    /// Being near the opponent's last stone: 0 to 3 points.
    pub local_reply: f32,
    /// Edges and corners connected to: 0 to 3 points.
    pub connectivity: f32,
    /// A point for each stone of the groups joined.
    pub group_size: f32,
    /// `2 · size −` the smaller of both sides' distances to win, or 0.
    pub distance_both: f32,
    /// `2 · size −` the own distance to win, or 0.
    pub distance_own: f32,
    /// The probability that learned patterns give the move, from 0 to 1.
    pub patterns: f32,
    /// The probability that the network gives the move, from 0 to 1.
    pub network: f32,
}

/// A hundredth of a game.
const SCALE: f32 = 0.01;

impl Weights {
    /// Whether the network counts.
    pub fn has_network(&self) -> bool {
        self.network != 0.0
    }

    /// Whether any heuristic besides the network counts.
    pub fn is_any(&self) -> bool {
        let without_network = Weights {
            network: 0.0,
            ..*self
        };
        without_network != Weights::default()
    }
}

/// Judges moves by weighted heuristics, on boards of one shape.
#[derive(Clone, Debug)]
pub struct Knowledge {
    weights: Weights,
    size: usize,
    locality: Locality,
    patterns: Patterns,
    /// The probabilities that patterns give the cells of the prepared position, by grid index.
    of_patterns: Vec<f32>,
    /// If it counts: what may be asked, and what is.
    network: Option<(Choice, Network)>,
    /// What it said of positions.
    evaluated: EvaluationCache,
    /// The probabilities that the network gives the cells of the position that it was asked of, by grid index.
    of_network: Vec<f32>,
    own_distances: Distances,
    other_distances: Distances,
    /// The cells that keep a virtual connection in the prepared position.
    keeping: Vec<Cell>,
}

impl Knowledge {
    /// For boards of one geometry, with the network that the program brings and no cache of what it says.
    pub fn new(geometry: &'static Geometry, weights: Weights) -> Knowledge {
        let shipped = Choice::Shipped(ByLength::for_size(geometry.shape().size()));
        Knowledge::with_network(geometry, weights, shipped, 0)
    }

    /// For boards of one geometry. The network is asked only if it counts, and what it says is kept in so many bytes.
    pub fn with_network(
        geometry: &'static Geometry,
        weights: Weights,
        network: Choice,
        cache_memory: usize,
    ) -> Knowledge {
        let cache_memory = if weights.has_network() {
            cache_memory
        } else {
            0
        };
        Knowledge {
            weights,
            size: geometry.shape().size(),
            locality: Locality::new(geometry),
            patterns: Patterns::new(geometry),
            of_patterns: vec![0.0; geometry.grid()],
            network: weights.has_network().then(|| {
                let short = Network::new(geometry, network.short());
                (network, short)
            }),
            evaluated: EvaluationCache::new(geometry.cells().len(), cache_memory),
            of_network: vec![0.0; geometry.grid()],
            own_distances: Distances::new(geometry),
            other_distances: Distances::new(geometry),
            keeping: Vec::new(),
        }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Takes the network for a search with these limits.
    pub fn begin(&mut self, limits: &Limits) {
        let Some((choice, network)) = &mut self.network else {
            return;
        };
        let weights = choice.within(limits);
        if !Arc::ptr_eq(network.weights(), &weights) {
            *network = Network::new(network.geometry(), weights);
            self.evaluated.clear();
        }
    }

    /// Computes what is the same for all moves of a position, for all but the network.
    pub fn prepare(&mut self, position: &Position) {
        let side = position.to_move();
        let board = position.board();
        let weights = &self.weights;
        if weights.distance_both != 0.0 || weights.distance_own != 0.0 {
            self.own_distances.compute(board, side);
        }
        if weights.distance_both != 0.0 {
            self.other_distances.compute(board, !side);
        }
        if weights.patterns != 0.0 {
            self.patterns.probabilities(position, &mut self.of_patterns);
        }
        self.keeping.clear();
        if let Some(last) = last_stone(position)
            && weights.virtual_connection != 0.0
        {
            let cells = virtual_connection::keeping_cells(board, last, side, OffBoard::Nothing);
            self.keeping.extend(cells);
        }
    }

    /// Whether the network counts.
    pub fn has_network(&self) -> bool {
        self.network.is_some()
    }

    /// Asks the network, if it counts, of a position: what the side to move is expected to score, from 0 to 1.
    pub fn ask_network(&mut self, position: &Position) -> Option<f32> {
        let (_, network) = self.network.as_mut()?;
        let (evaluated, probabilities) = (&mut self.evaluated, &mut self.of_network);
        Some(evaluated.get_or(position, probabilities, |probabilities| {
            network.judge(position, probabilities)
        }))
    }

    /// What the network says for a stone of the side to move on an empty cell of the position that it was asked of, in
    /// the unit of the value of a game.
    pub fn value_of_network(&self, cell: Cell) -> f32 {
        self.value_of_certainty() * self.of_network[cell.index()]
    }

    /// What the network would say for a move of which it is certain.
    pub fn value_of_certainty(&self) -> f32 {
        SCALE * self.weights.network
    }

    /// What all but the network says for a stone of the side to move on an empty cell of the prepared position, in
    /// the unit of the value of a game.
    pub fn value(&self, position: &Position, cell: Cell) -> f32 {
        let side = position.to_move();
        let board = position.board();
        let weights = &self.weights;
        let mut sum = 0.0;
        let mut add = |weight: f32, points: &dyn Fn() -> u32| {
            if weight != 0.0 {
                sum += weight * points() as f32;
            }
        };
        add(weights.virtual_connection, &|| {
            self.keeping.contains(&cell).into()
        });
        add(weights.locality_any, &|| {
            self.locality.points(board, cell, None)
        });
        add(weights.locality_own, &|| {
            self.locality.points(board, cell, Some(side))
        });
        add(weights.local_reply, &|| {
            last_stone(position).map_or(0, |last| local_reply::points(board.geometry(), cell, last))
        });
        add(weights.connectivity, &|| {
            connectivity::points(board, cell, side)
        });
        add(weights.group_size, &|| {
            group_size::points(board, cell, side)
        });
        add(weights.distance_both, &|| {
            let own = self.own_distances.to_win(cell);
            let other = self.other_distances.to_win(cell);
            distance::points(own.into_iter().chain(other).min(), self.size)
        });
        add(weights.distance_own, &|| {
            distance::points(self.own_distances.to_win(cell), self.size)
        });
        if weights.patterns != 0.0 {
            sum += weights.patterns * self.of_patterns[cell.index()];
        }
        SCALE * sum
    }
}

/// The stone that was placed last, if the last move placed one.
fn last_stone(position: &Position) -> Option<Cell> {
    match position.last_move() {
        Some(Move::Place(cell)) => Some(cell),
        Some(Move::Swap) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;
    use crate::knowledge::network::Shipped;
    use crate::rules::geometry::Shape;
    use game::{Notation, Side};

    /// What short searches have evaluated is not what long ones are told.
    #[test]
    fn a_long_search_asks_the_larger_network() {
        let position = Position::new(Shape::regular(7).expect("a size"));
        let geometry = position.geometry();
        let weights = Weights {
            network: 100.0,
            ..Weights::default()
        };
        let choice = Choice::Shipped(ByLength::for_size(7));
        let mut knowledge = Knowledge::with_network(geometry, weights, choice, 1 << 20);
        let simulations = |simulations| Limits {
            simulations: Some(simulations),
            ..Limits::default()
        };
        for (limits, shipped) in [
            (simulations(100), Shipped::LargeBoards),
            (Limits::default(), Shipped::Deep),
            (simulations(200), Shipped::LargeBoards),
        ] {
            knowledge.begin(&limits);
            let mut network = Network::new(geometry, shipped.weights());
            let expected = network.judge(&position, &mut vec![0.0; geometry.grid()]);
            for _ in 0..2 {
                assert_eq!(knowledge.ask_network(&position), Some(expected));
            }
        }
    }

    /// Each heuristic alone, and all together, after the moves of a game.
    #[test]
    fn the_points_are_weighed_and_added() {
        type Set = fn(&mut Weights);
        let mut position = Position::new(Shape::regular(4).expect("a size"));
        for text in ["c3", "a1", "d5", "c4"] {
            let mv = position.parse_move(text, Dialect::Grid).expect("a cell");
            position.play(mv);
        }
        let Ok(Move::Place(cell)) = position.parse_move("d4", Dialect::Grid) else {
            panic!("a cell")
        };
        // White's c3 and d5 have c4 and d4 in common: d4 keeps their connection, joins both, and lies
        // beside the intruder. Of 8 − distance: White has 2 stones on the way.
        let mut distances = Distances::new(position.geometry());
        distances.compute(position.board(), Side::White);
        let own = 8 - distances.to_win(cell).expect("a way");
        let alone: [(Set, u32); 6] = [
            (|weights| weights.virtual_connection = 100.0, 100),
            (|weights| weights.locality_any = 3.0, 9),
            (|weights| weights.locality_own = 3.0, 9),
            (|weights| weights.local_reply = 5.0, 15),
            (|weights| weights.connectivity = 20.0, 0),
            (|weights| weights.group_size = 2.0, 4),
        ];
        let mut all = Weights::default();
        let mut total = 2 * own;
        let value = |weights: &Weights| {
            let mut knowledge = Knowledge::new(position.geometry(), *weights);
            knowledge.prepare(&position);
            (knowledge.value(&position, cell) * 100.0).round() as u32
        };
        assert_eq!(value(&all), 0);
        for (set, expected) in alone {
            let mut weights = Weights::default();
            set(&mut weights);
            assert_eq!(value(&weights), expected);
            set(&mut all);
            total += expected;
        }
        all.distance_own = 2.0;
        assert_eq!(value(&all), total);
        let both = Weights {
            distance_both: 1.0,
            ..Weights::default()
        };
        assert!(value(&both) >= own);
    }
}
