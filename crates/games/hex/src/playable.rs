//! Hex as a game that people and programs play: its boards and players.

use crate::{Move, Position, TreePolicy};
use certificate::Provable;
use engine::player::{MCTS, RAVE};
use engine::{BoardError, BoardOptions, Level, OptionKind, Playable, Player, SetUp, StartOption};
use game::{Game, Notation, Side};
use search::mcts::Params;

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Rows and columns.
    pub size: u8,
    /// Whether White may answer the first stone by taking it over.
    pub swap: bool,
}

/// There are no certificates about Hex; positions have keys all the same.
impl Provable for Position {
    /// A byte for each cell, then the turn, and whether a swap is possible.
    type Key = Box<[u8]>;

    fn key(&self) -> Self::Key {
        let number = |side: Option<Side>| side.map_or(0, |side| side as u8 + 1);
        let stones = self.cells().map(|(x, y)| number(self.stone(x, y)));
        let turn = number(Some(self.to_move()));
        stones.chain([turn, u8::from(self.can_swap())]).collect()
    }

    fn of_key(&self, key: &Self::Key) -> Self {
        let side = |number: u8| {
            Side::BOTH
                .into_iter()
                .find(|&side| side as u8 + 1 == number)
        };
        let stones = self.cells().zip(key.iter());
        let stones = stones.filter_map(|(cell, &number)| Some((side(number)?, cell)));
        let stones: Vec<_> = stones.collect();
        let turn = key.iter().nth_back(1).and_then(|&number| side(number));
        let of_key = self.with_stones(&stones, turn.unwrap_or(Side::Black), stones.len());
        // Where it cannot be made: a proof that comes here leads back, and ends.
        of_key.unwrap_or_else(|_| self.clone())
    }

    fn progress(&self) -> u32 {
        self.cells()
            .filter(|&(x, y)| self.stone(x, y).is_some())
            .count() as u32
    }

    fn described(&self) -> String {
        format!("{:?}", self.key())
    }

    fn name(&self, mv: Move) -> String {
        self.write_move(mv, ())
    }
}

impl Playable for Position {
    type Start = Start;

    const TITLE: &'static str = "Hex";
    const GOAL: &'static str = "Place stones. Join your two sides of the board.";

    const OPTIONS: &'static [StartOption] = &[
        StartOption::new(
            "size",
            OptionKind::Text("N"),
            "rows and columns, from 3 to 19, 11 by default",
        ),
        StartOption::new(
            "swap",
            OptionKind::Switch,
            "the swap rule: White may answer the first stone with the move `swap`",
        ),
        SetUp::STONES,
        SetUp::TURN,
    ];

    const SIZES: &'static [&'static str] = &["5", "7", "9", "11", "13", "19"];
    const DEFAULT_SIZE: &'static str = "11";
    const FIRST_SIZE: &'static str = "7";
    const OTHER_SIZE: &'static str = "14";
    const EXAMPLE: (&'static str, &'static str) = ("4", "b3 c2 b2 c3 a4 d1 d2");
    const HEXAGONS: bool = true;

    const LEVELS: &'static [Level] = &[
        Level::of("beginner", "Beginner", "uct").simulations(30),
        Level::of("casual", "Casual", "rave").simulations(300),
        Level::of("club", "Club", "rave").simulations(3_000),
        Level::of("full", "Full strength", "rave").seconds(5.0),
    ];

    fn players() -> Vec<Player<Position>> {
        let uct = Params {
            exploration: 0.9,
            ..Params::default()
        };
        let rave = Params {
            exploration: 0.0,
            first_play: 1.0,
            rave: 500.0,
            ..Params::default()
        };
        let player = |name, summary, params| {
            Player::monte_carlo(name, summary, &[MCTS, RAVE], params, |_| {
                TreePolicy::default()
            })
        };
        let summaries = [
            "Monte Carlo tree search: RAVE with uniformly random playouts",
            "Monte Carlo tree search: UCT with uniformly random playouts",
        ];
        vec![
            player("rave", summaries[0], rave),
            player("uct", summaries[1], uct),
            Player::random(),
        ]
    }

    fn read_options(options: &BoardOptions) -> Result<Start, BoardError> {
        let size = options.get("size").unwrap_or(Self::DEFAULT_SIZE);
        let why = || format!("a Hex board has from 3 to 19 rows, not {size:?}");
        let wrong = || BoardError::of(why()).about("size");
        let rows = size.parse().ok().filter(|rows| (3..=19).contains(rows));
        Ok(Start {
            size: rows.ok_or_else(wrong)?,
            swap: options.has("swap"),
        })
    }

    fn begin(start: &Start) -> Result<Position, BoardError> {
        Position::new(start.size, start.swap).ok_or_else(|| BoardError::of("no such board"))
    }

    fn set_up(&self, set_up: &SetUp) -> Result<Position, BoardError> {
        let mut stones = Vec::with_capacity(set_up.stones.len());
        for (side, text) in &set_up.stones {
            match self.parse_move(text, ()) {
                Ok(Move::Place(x, y)) => stones.push((*side, (x, y))),
                Ok(Move::Swap) => return Err(BoardError::of(format!("{text:?} is not a cell"))),
                Err(why) => return Err(BoardError::of(why)),
            }
        }
        let turn = set_up.turn.unwrap_or(Side::Black);
        self.with_stones(&stones, turn, set_up.plies(Side::Black))
            .map_err(BoardError::of)
    }

    fn size_name(&self) -> String {
        self.size().to_string()
    }

    fn structure(&self) -> Option<String> {
        self.outcome().map(|_| "chain".to_owned())
    }

    fn under_swap_rule(self) -> Position {
        Position::new(self.size(), true).unwrap_or(self)
    }
}
