//! What can be seen in a position without a search: threats and distances of Havannah, mobility and
//! independent regions of Kōnane.

use crate::error::Problem;
use crate::position::GameState;
use game::{Game, Notation, Side};
use havannah::knowledge::distance::Distances;
use konane::cgt::{Outcome, Region, Valuer};
use konane::{Board, Cell, Move, Position, Stage};
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

/// A game in which something can be seen.
pub trait Seen: Game + Notation {
    /// What can be seen.
    fn threats(&self, dialect: Self::Dialect) -> ThreatsView;
}

/// What can be seen in the position after the moves of a game.
pub fn seen_in<G: engine::Playable + Seen>(state: &GameState) -> Result<ThreatsView, Problem> {
    let (_, position) = state.played::<G>()?;
    Ok(position.threats(state.dialect::<G>()?))
}

impl Seen for havannah::Position {
    fn threats(&self, dialect: havannah::Dialect) -> ThreatsView {
        if self.outcome().is_some() {
            return ThreatsView::default();
        }
        let (board, side) = (self.board(), self.to_move());
        let name = |cell| self.write_move(havannah::Move::Place(cell), dialect);
        let cells = || self.geometry().cells().iter().copied();
        let empty = || cells().filter(|&cell| board.is_empty(cell));
        let completing = |side: Side| {
            let cells = empty().filter(move |&cell| board.completes(cell, side).is_some());
            cells.map(name).collect()
        };
        let mut distances = Distances::new(self.geometry());
        let mut of = |side: Side| -> Vec<Option<u32>> {
            distances.compute(board, side);
            let known = |cell| distances.to_win(cell);
            empty()
                .map(|cell| match stones_to_complete(self, side, cell) {
                    Some(stones) => Some(known(cell).map_or(stones, |known| known.min(stones))),
                    None => known(cell),
                })
                .collect()
        };
        let (white, black) = (of(Side::White), of(Side::Black));
        let both = empty().zip(white.into_iter().zip(black));
        ThreatsView {
            winning: completing(side),
            must_block: completing(!side),
            distances: both
                .map(|(cell, (white, black))| Distance {
                    cell: name(cell),
                    white,
                    black,
                })
                .collect(),
            ..ThreatsView::default()
        }
    }
}

/// 1 if a stone on a cell completes something, 2 if one more stone after it does that could not before; rings
/// included, which [`Distances`] does not know.
fn stones_to_complete(
    position: &havannah::Position,
    side: Side,
    cell: havannah::Cell,
) -> Option<u32> {
    let board = position.board();
    if board.completes(cell, side).is_some() {
        return Some(1);
    }
    let mut after = board.clone();
    after.place(cell, side);
    let cells = position.geometry().cells().iter().copied();
    let mut empty = cells.filter(|&other| after.is_empty(other));
    empty
        .any(|other| {
            after.completes(other, side).is_some() && board.completes(other, side).is_none()
        })
        .then_some(2)
}

/// As much as is remembered to find the values of regions: some tens of milliseconds.
const BUDGET: usize = 20_000;

impl<B: Board> Seen for Position<B> {
    fn threats(&self, (): ()) -> ThreatsView {
        if self.stage() != Stage::Jumping {
            return ThreatsView::default();
        }
        let side = self.to_move();
        let mut seen = ThreatsView {
            movable: movable(self),
            movable_later: movable(&Position::from_board(self.board().clone(), !side)),
            ..ThreatsView::default()
        };
        let Some(regions) = Region::of(self) else {
            return seen;
        };
        let mut valuer = Valuer::new(BUDGET);
        for region in &regions {
            let value = valuer.region(region).ok();
            seen.regions.push(RegionView {
                cells: region.cell_names(),
                value: value.map(|value| valuer.games.write(value)),
            });
        }
        if let Ok(sum) = valuer.sum(&regions) {
            seen.value = Some(valuer.games.write(sum));
            seen.verdict = Some(match valuer.games.outcome(sum) {
                Outcome::Left => "Black wins, whoever moves first",
                Outcome::Right => "White wins, whoever moves first",
                Outcome::First => "whoever moves first wins",
                Outcome::Second => "whoever moves second wins",
            });
        }
        seen
    }
}

/// The stones that the side to move can jump with.
fn movable<B: Board>(position: &Position<B>) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut from: Vec<Cell> = moves
        .into_iter()
        .filter_map(|mv| match mv {
            Move::Jump { from, .. } => Some(from),
            Move::Remove(_) => None,
        })
        .collect();
    from.sort_unstable();
    from.dedup();
    from.iter().map(ToString::to_string).collect()
}
