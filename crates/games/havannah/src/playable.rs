//! Havannah as a game that people and programs play: its boards, players and solvers.

use crate::expected_structures::expected_structures;
use crate::insight::shipped_for;
use crate::knowledge::network::{ByLength, Weights};
use crate::players;
use crate::{Dialect, Move, Position, Shape, solver, solvers};
use engine::{
    BoardError, BoardOptions, ExpectedStructures, Insight, Level, NodesLeft, Opinion, OptionKind,
    Playable, Player, Playouts, Prover, Resources, SetUp, Sight, SolveError, Solver, StartOption,
};
use game::{Game, Notation, Side, Symmetric};
use search::proof::SolveProgress;
use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The board.
    pub shape: Shape,
    /// Whether Black may answer the first stone by taking it over.
    pub swap: bool,
}

/// The longest side of the boards on which Little Golem has the swap rule: of its games with a second move, Black
/// swaps in 496 of 875 on boards up to this size, and in none of 154 on larger ones.
const LARGEST_SWAPPED: u8 = 8;

/// Whether a record says that it is from Little Golem.
fn from_little_golem(property: &dyn Fn(&str) -> Option<String>) -> bool {
    engine::rules(property).any(|rule| rule == "lg")
        || property("SO").is_some_and(|source| source.contains("littlegolem"))
}

impl Position {
    /// Named weights or those of a file, or those that the program brings for the board.
    fn weights(&self, name: Option<&Path>) -> Result<Arc<Weights>, String> {
        let shipped = shipped_for(self);
        let Some(name) = name else {
            return Ok(shipped.weights());
        };
        let named = players::network::named(name, ByLength::only(shipped));
        let named = named.map_err(|why| format!("{} {why}", name.display()))?;
        Ok(named.short())
    }
}

impl Playable for Position {
    type Start = Start;

    const TITLE: &'static str = "Havannah";
    const GOAL: &'static str = "Place stones. Build a ring, a bridge or a fork.";

    const OPTIONS: &'static [StartOption] = &[
        StartOption::new(
            "size",
            OptionKind::Text("N"),
            "cells along a side of the board, from 2 to 20, 8 by default; 4x4x5 for a board with uneven sides",
        ),
        StartOption::new(
            "swap",
            OptionKind::Switch,
            "the swap rule: Black may answer the first stone with the move `swap`",
        ),
        SetUp::STONES,
        SetUp::TURN,
    ];

    const SIZES: &'static [&'static str] = &["4", "5", "6", "7", "8", "9", "10"];
    const DEFAULT_SIZE: &'static str = "8";
    const FIRST_SIZE: &'static str = "5";
    const OTHER_SIZE: &'static str = "4x4x5";
    const EXAMPLE: (&'static str, &'static str) = ("3", "c3 b3 d4 c2 b2 d3");
    const PUZZLE_SIZES: &'static [&'static str] = &["4", "5"];
    const SIMULATIONS: u64 = 2_000;
    const BOARDSIZE: &'static str = "N or AxBxC";
    const DIALECTS: &'static [&'static str] = &["grid", "row"];

    const SIGHTS: &'static [Sight] = &[
        Sight::Threats,
        Sight::Distances,
        Sight::Network,
        Sight::Structures,
        Sight::FirstStones,
    ];
    const PROVES: bool = true;
    const HEXAGONS: bool = true;
    const PERFT: bool = false;

    const LEVELS: &'static [Level] = &[
        Level::of("beginner", "Beginner", "uct")
            .simulations(30)
            .rated(0, 0),
        Level::of("easy", "Easy", "rave")
            .simulations(200)
            .rated(245, 100),
        Level::of("casual", "Casual", "rave")
            .simulations(600)
            .rated(530, 121),
        Level::of("human-like", "Human-like", "human-like").rated(641, 134),
        Level::of("club", "Club", "papamu")
            .simulations(10)
            .rated(1_218, 216),
        Level::of("strong", "Strong", "papamu")
            .simulations(100)
            .rated(1_459, 230),
        Level::of("expert", "Expert", "papamu")
            .simulations(1_000)
            .rated(1_680, 238),
        Level::of("full", "Full strength", "papamu")
            .seconds(5.0)
            .rated(1_878, 248),
    ];

    fn players() -> Vec<Player<Position>> {
        players::players()
    }

    fn solvers() -> Vec<Solver<Position>> {
        solvers::solvers()
    }

    fn read_options(options: &BoardOptions) -> Result<Start, BoardError> {
        let size = options.get("size").unwrap_or(Self::DEFAULT_SIZE);
        let shape = size.parse().map_err(BoardError::of);
        Ok(Start {
            shape: shape.map_err(|why| why.about("size"))?,
            swap: options.has("swap"),
        })
    }

    fn begin(start: &Start) -> Result<Position, BoardError> {
        let position = Position::new(start.shape);
        Ok(if start.swap {
            position.under_swap_rule()
        } else {
            position
        })
    }

    fn set_up(&self, set_up: &SetUp) -> Result<Position, BoardError> {
        if self.swap_rule() {
            return Err(BoardError::of(
                "a position that is set up has no swap rule: it is about the first stone of a game",
            ));
        }
        let mut stones = Vec::with_capacity(set_up.stones.len());
        for (side, text) in &set_up.stones {
            match self.parse_move(text, Dialect::Grid) {
                Ok(Move::Place(cell)) => stones.push((*side, cell)),
                Ok(Move::Swap) => return Err(BoardError::of(format!("{text:?} is not a cell"))),
                Err(why) => return Err(BoardError::of(why)),
            }
        }
        Position::with_stones(self.geometry().shape(), &stones, set_up.plies(Side::White))
            .map_err(BoardError::of)
    }

    fn size_name(&self) -> String {
        self.geometry().shape().to_string()
    }

    fn structure(&self) -> Option<String> {
        self.structure().map(|structure| structure.to_string())
    }

    fn dialect(name: &str) -> Option<Dialect> {
        name.parse().ok()
    }

    fn under_swap_rule(self) -> Position {
        Position::under_swap_rule(self)
    }

    /// Little Golem plays on small boards with the swap rule, and its files do not say so.
    fn recorded_swap_rule(property: &dyn Fn(&str) -> Option<String>) -> bool {
        let is_small = || {
            property("SZ")?
                .parse()
                .ok()
                .map(|side: u8| side <= LARGEST_SWAPPED)
        };
        // A position that is set up has no first stone to take over.
        let is_set_up = ["AB", "AW"].iter().any(|name| property(name).is_some());
        engine::rules(property).any(|rule| rule == "swap")
            || (from_little_golem(property) && is_small() == Some(true) && !is_set_up)
    }

    /// `DIALECT` is `grid` or `row`; without it, a file that says that it is from Little Golem is probably
    /// in the row dialect, another one in the grid dialect.
    fn recorded_dialects(property: &dyn Fn(&str) -> Option<String>) -> Vec<Dialect> {
        let named = property("DIALECT").and_then(|name| Self::dialect(name.trim()));
        if let Some(dialect) = named {
            return vec![dialect];
        }
        if from_little_golem(property) {
            vec![Dialect::Row, Dialect::Grid]
        } else {
            vec![Dialect::Grid, Dialect::Row]
        }
    }

    fn little_golem() -> Option<Dialect> {
        Some(Dialect::Row)
    }

    fn listed_dialects() -> Vec<Dialect> {
        Dialect::ALL.to_vec()
    }

    fn playouts(&self, games: Option<u64>, seed: u64, _depth: u32) -> Playouts {
        crate::playouts::playouts(self, games, seed)
    }

    fn insight(&self, dialect: Dialect) -> Insight {
        crate::insight::insight(self, dialect)
    }

    fn opinion(&self, weights: Option<&Path>, dialect: Dialect) -> Result<Option<Opinion>, String> {
        let weights = self.weights(weights)?;
        Ok(Some(crate::insight::opinion(self, weights, dialect)))
    }

    fn expected_structures(
        &self,
        weights: Option<&Path>,
        dialect: Dialect,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<ExpectedStructures>, String> {
        let weights = self.weights(weights)?;
        Ok(Some(expected_structures(self, weights, dialect, go_on)))
    }

    /// Those near the centre take longest.
    fn distinct_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mut seen = Vec::new();
        let mut distinct = Vec::new();
        let corners = self.geometry().corners();
        for mv in moves {
            let mut after = self.clone();
            after.play(mv);
            let hash = after.representative_hash();
            let Move::Place(cell) = mv else {
                continue;
            };
            if !seen.contains(&hash) {
                seen.push(hash);
                let near = corners.map(|corner| self.geometry().distance(cell, corner));
                let name = self.write_move(mv, Dialect::Grid);
                // The centre first, then what is far from all corners.
                let farthest = near.into_iter().max();
                distinct.push((farthest, Reverse(near.into_iter().min()), name, mv));
            }
        }
        distinct.sort();
        distinct.into_iter().map(|(.., mv)| mv).collect()
    }

    fn nodes_left(progress: &SolveProgress) -> Option<NodesLeft> {
        solver::nodes_left(progress)
    }

    fn prover(&self, resources: Resources) -> Result<Box<dyn Prover<Position>>, SolveError> {
        solvers::prover(self, resources)
    }

    fn certified_start(&self, _options: &BoardOptions) -> Result<String, BoardError> {
        if self.swap_rule() {
            return Err(BoardError::of(
                "certificates are about games without the swap rule",
            ));
        }
        Ok(self.size_name())
    }
}
