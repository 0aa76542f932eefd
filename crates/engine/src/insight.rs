//! What can be seen of a position and of a move without a search.

use game::Side;
use serde::{Serialize, Serializer};

/// A kind of thing that can be seen in the positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Cells that win, and cells that must be blocked.
    Threats,
    /// How many stones each side needs to win.
    Distances,
    /// Stones that can move, and independent regions.
    Mobility,
    /// What the game's network expects, before any search.
    Network,
    /// The structures with which games of the network end.
    Structures,
    /// What the first stone of a game is worth.
    FirstStones,
}

/// A first stone, and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstStone {
    /// The cell.
    pub cell: String,
    /// The first player's share of the points, from 0 to 1.
    pub score: f64,
    /// Where that is from.
    pub evidence: Evidence,
}

/// Where a score is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// So many games of self-play.
    Games(u32),
    /// A proof that took a solver so many nodes.
    Proof(u64),
}

/// What a network says of a position, before any search.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Opinion {
    /// The expected score of the side to move, from 0 to 1.
    pub value: f64,
    /// Moves, the most likely first.
    pub moves: Vec<LikelyMove>,
}

/// A move as a network sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LikelyMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The probability that a search would choose it; those of all moves add up to 1.
    pub probability: f64,
}

/// How games end that a network plays from a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExpectedStructures {
    /// The games that were played: a probability of a half is off by 1 / √games in one of twenty cases.
    pub games: u32,
    /// For each side and structure.
    pub ends: Vec<ExpectedEnd>,
    /// Cells that were part of a structure in at least one game.
    pub cells: Vec<ExpectedCell>,
}

/// A way to win.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedEnd {
    /// Who wins.
    #[serde(serialize_with = "as_text")]
    pub side: Side,
    /// With which structure.
    pub structure: String,
    /// The share of the games that end so.
    pub probability: f64,
}

/// A cell of structures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedCell {
    /// The cell.
    pub cell: String,
    /// The share of the games that White wins with a structure of which it is a part.
    pub white: f64,
    /// The same for Black.
    pub black: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn as_text<S: Serializer>(side: &Side, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(side)
}

impl ExpectedStructures {
    /// The share of the games that a side wins.
    pub fn score(&self, side: Side) -> f64 {
        let of_side = self.ends.iter().filter(|end| end.side == side);
        of_side.map(|end| end.probability).sum()
    }
}

/// What can be seen in a position. A game fills in what it knows of, and leaves the rest empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Insight {
    /// Cells of which a stone of the side to move completes something.
    pub winning: Vec<String>,
    /// Cells of which a stone of the other side would: all but these lose at once.
    pub must_block: Vec<String>,
    /// Cells with the number of stones that White and Black need to win through them; `None` where there
    /// is no way.
    pub distances: Vec<(String, Option<u32>, Option<u32>)>,
    /// Stones that can move, of the side to move.
    pub movable: Vec<String>,
    /// Stones that could move, of the other side.
    pub movable_later: Vec<String>,
    /// Parts of the board that are independent of each other: their cells, and the value in combinatorial
    /// game theory where it is not too complex.
    pub regions: Vec<(Vec<String>, Option<String>)>,
    /// The value of all regions together.
    pub value: Option<String>,
    /// Who wins by that value, in words.
    pub verdict: Option<&'static str>,
    /// What the game's network says.
    pub network: Option<Opinion>,
    /// What first stones are worth, where the position is about the first.
    pub first_stones: Vec<FirstStone>,
}

/// What somebody does on the board to make a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Puts a stone on a cell.
    Place,
    /// Takes the first stone over.
    Swap,
    /// Takes a stone off the board, in the opening.
    Remove,
    /// Jumps from one cell to another.
    Jump,
}
