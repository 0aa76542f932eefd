//! The structures with which games of a network end, as the browser reads them.

use crate::position::GameState;
use crate::problem::Problem;
use engine::{ExpectedCell, ExpectedEnd, ExpectedStructures, Playable};
use registry::with_game;
use serde::Serialize;
use utoipa::ToSchema;

/// How games end that the game's network plays from a position.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct StructuresView {
    /// The games that were played.
    pub games: u32,
    /// For each side and structure.
    pub ends: Vec<ExpectedEndView>,
    /// Cells that were part of a structure in at least one game.
    pub cells: Vec<ExpectedCellView>,
}

/// A way to win.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExpectedEndView {
    /// Who wins: `white` or `black`.
    pub side: String,
    /// With which structure.
    pub structure: String,
    /// The share of the games that end so.
    pub probability: f64,
}

/// A cell of structures.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExpectedCellView {
    /// The cell.
    pub cell: String,
    /// The share of the games that White wins with a structure of which it is a part.
    pub white: f64,
    /// The same for Black.
    pub black: f64,
}

/// The structures that are expected after the moves of a game: none where it is over, or has no structures.
/// Asks after each of the games whether to go on.
///
/// # Errors
/// If a move is not legal, or there is no such board.
pub fn expected_after(
    state: &GameState,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<StructuresView, Problem> {
    with_game!(state.game, G => expected::<G>(state, go_on))
}

fn expected<G: Playable>(
    state: &GameState,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<StructuresView, Problem> {
    let (_, position) = state.played::<G>()?;
    if position.outcome().is_some() {
        return Ok(StructuresView::default());
    }
    let expected = position.expected_structures(None, state.dialect::<G>()?, go_on);
    let expected = expected.map_err(Problem::internal)?;
    let ExpectedStructures { games, ends, cells } = expected.unwrap_or_default();
    let end = |ExpectedEnd {
                   side,
                   structure,
                   probability,
               }| ExpectedEndView {
        side: side.to_string(),
        structure,
        probability,
    };
    let cell = |ExpectedCell { cell, white, black }| ExpectedCellView { cell, white, black };
    Ok(StructuresView {
        games,
        ends: ends.into_iter().map(end).collect(),
        cells: cells.into_iter().map(cell).collect(),
    })
}
