//! What can be seen in a position without a search, as the browser reads it.

use crate::position::GameState;
use crate::problem::Problem;
use engine::{Evidence, FirstStone, LikelyMove, Playable};
use registry::with_game;
use serde::Serialize;
use utoipa::ToSchema;

/// What can be seen in a position.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ThreatsView {
    /// Cells of which a stone of the side to move completes something.
    pub winning: Vec<String>,
    /// Cells of which a stone of the other side would: all but these lose at once.
    pub must_block: Vec<String>,
    /// How many stones White and Black need to win through a cell: rings count where two stones make them.
    pub distances: Vec<Distance>,
    /// Stones that can jump, of the side to move.
    pub movable: Vec<String>,
    /// Stones that could jump, of the other side.
    pub movable_later: Vec<String>,
    /// Parts of the board that are independent of each other.
    pub regions: Vec<RegionView>,
    /// The value of all regions together, in combinatorial game theory: positive is good for Black.
    pub value: Option<String>,
    /// Who wins by that value, in words.
    pub verdict: Option<&'static str>,
    /// What the game's network says, before any search.
    pub network: Option<OpinionView>,
    /// What first stones are worth, on a board with at most one stone.
    pub first_stones: Vec<FirstStoneView>,
}

/// A first stone, and what it is worth: from games of self-play, or by a proof.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstStoneView {
    /// The cell.
    pub cell: String,
    /// The first player's share of the points, from 0 to 1.
    pub score: f64,
    /// The games of self-play; absent where the opening is solved.
    pub games: Option<u32>,
    /// The nodes that solving the opening took; absent where it is not solved.
    pub nodes: Option<u64>,
}

/// What a network says of a position.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpinionView {
    /// The expected score of the side to move, from 0 to 1.
    pub value: f64,
    /// Moves, the most likely first.
    pub moves: Vec<LikelyMoveView>,
}

/// A move as a network sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct LikelyMoveView {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The probability that a search would choose it.
    pub probability: f64,
}

/// The distances of a cell, counted in stones.
#[derive(Debug, Serialize, ToSchema)]
pub struct Distance {
    /// The cell.
    pub cell: String,
    /// White's distance; absent if there is no way.
    pub white: Option<u32>,
    /// Black's.
    pub black: Option<u32>,
}

/// An independent part of a board.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegionView {
    /// Its cells.
    pub cells: Vec<String>,
    /// Its value; absent where it is too complex.
    pub value: Option<String>,
}

/// What can be seen in the position after the moves of a game.
///
/// # Errors
/// If a move is not legal, or there is no such board.
pub fn seen_in(state: &GameState) -> Result<ThreatsView, Problem> {
    with_game!(state.game, G => seen::<G>(state))
}

fn seen<G: Playable>(state: &GameState) -> Result<ThreatsView, Problem> {
    let (_, position) = state.played::<G>()?;
    let seen = position.insight(state.dialect::<G>()?);
    let distance = |(cell, white, black)| Distance { cell, white, black };
    let likely = |LikelyMove { mv, probability }| LikelyMoveView { mv, probability };
    let first_stone = |stone: FirstStone| FirstStoneView {
        cell: stone.cell,
        score: stone.score,
        games: match stone.evidence {
            Evidence::Games(games) => Some(games),
            Evidence::Proof(_) => None,
        },
        nodes: match stone.evidence {
            Evidence::Games(_) => None,
            Evidence::Proof(nodes) => Some(nodes),
        },
    };
    let region = |(cells, value)| RegionView { cells, value };
    Ok(ThreatsView {
        winning: seen.winning,
        must_block: seen.must_block,
        distances: seen.distances.into_iter().map(distance).collect(),
        movable: seen.movable,
        movable_later: seen.movable_later,
        regions: seen.regions.into_iter().map(region).collect(),
        value: seen.value,
        verdict: seen.verdict,
        network: seen.network.map(|opinion| OpinionView {
            value: opinion.value,
            moves: opinion.moves.into_iter().map(likely).collect(),
        }),
        first_stones: seen.first_stones.into_iter().map(first_stone).collect(),
    })
}
