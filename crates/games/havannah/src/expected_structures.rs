//! How games end that the network plays: what structures it expects, and where.

use crate::diagram::winning_stones;
use crate::knowledge::network::{Network, Weights};
use crate::{Cell, Dialect, Move, Position, Structure};
use engine::{ExpectedCell, ExpectedEnd, ExpectedStructures};
use game::random::{self, Rng};
use game::{Game, Notation, Outcome, Side};
use std::sync::Arc;

/// Cells that the network looks at in all games together: about a second of one core.
const CELLS_SEEN: usize = 3_000_000;
/// The fewest and the most games.
const GAMES: (usize, usize) = (8, 100);
/// On boards with so many cells the network is asked at every ply, on larger ones less often.
const ASKED_AT_EACH_PLY: usize = 300;
/// The games of a position are always the same.
const SEED: u64 = 1;

const STRUCTURES: [Structure; 3] = [Structure::Fork, Structure::Bridge, Structure::Ring];

/// Plays games from a position that is not over, each move drawn with the probabilities of the network, but that a side
/// completes a structure where it can, and otherwise prevents one. Nobody swaps. It is asked after each game whether to go on.
pub(crate) fn expected_structures(
    position: &Position,
    weights: Arc<Weights>,
    dialect: Dialect,
    go_on: &mut dyn FnMut() -> bool,
) -> ExpectedStructures {
    let geometry = position.geometry();
    let cells = geometry.cells();
    let plies_asked_once = cells.len().div_ceil(ASKED_AT_EACH_PLY);
    let plies = (position.empty_cells() / 2).max(1);
    let asked = plies.div_ceil(plies_asked_once);
    let most_games = (CELLS_SEEN / (asked * cells.len())).clamp(GAMES.0, GAMES.1);

    let mut play = Play {
        network: Network::new(geometry, weights),
        probabilities: vec![0.0; geometry.grid()],
        plies_asked_once,
        rng: random::seeded(SEED),
    };
    let mut ends = [[0u32; STRUCTURES.len()]; 2];
    let mut of_cells = vec![[0u32; 2]; geometry.grid()];
    let mut games = 0;
    while games < most_games && (games == 0 || go_on()) {
        games += 1;
        let end = play.finish(position.clone());
        let (Some(Outcome::Win(side)), Some(structure)) = (end.outcome(), end.structure()) else {
            continue;
        };
        ends[side as usize][structure as usize] += 1;
        for cell in winning_stones(&end) {
            of_cells[cell.index()][side as usize] += 1;
        }
    }

    let share = |count: u32| f64::from(count) / games as f64;
    let end = |side: Side, structure: Structure| ExpectedEnd {
        side,
        structure: structure.to_string(),
        probability: share(ends[side as usize][structure as usize]),
    };
    let of_side = |side| STRUCTURES.map(|structure| end(side, structure));
    let told = cells.iter().map(|&cell| {
        let [white, black] = of_cells[cell.index()].map(share);
        ExpectedCell {
            cell: position.write_move(Move::Place(cell), dialect),
            white,
            black,
        }
    });
    ExpectedStructures {
        games: games as u32,
        ends: Side::BOTH.into_iter().flat_map(of_side).collect(),
        cells: told.filter(|cell| cell.white + cell.black > 0.0).collect(),
    }
}

struct Play {
    network: Network,
    /// By grid index.
    probabilities: Vec<f32>,
    plies_asked_once: usize,
    rng: Rng,
}

impl Play {
    fn finish(&mut self, mut position: Position) -> Position {
        let mut plies = 0;
        while position.outcome().is_none() {
            if plies % self.plies_asked_once == 0 {
                self.network.judge(&position, &mut self.probabilities);
            }
            plies += 1;
            let Some(cell) = self.choose(&position) else {
                break;
            };
            position.play(Move::Place(cell));
        }
        position
    }

    fn choose(&mut self, position: &Position) -> Option<Cell> {
        let (board, side) = (position.board(), position.to_move());
        let cells = position.geometry().cells().iter().copied();
        let empty: Vec<Cell> = cells.filter(|&cell| board.is_empty(cell)).collect();
        let completing = |side| {
            empty
                .iter()
                .find(|&&cell| board.completes(cell, side).is_some())
        };
        if let Some(&cell) = completing(side).or_else(|| completing(!side)) {
            return Some(cell);
        }
        let probability = |cell: &Cell| f64::from(self.probabilities[cell.index()]);
        let chances: Vec<f64> = empty.iter().map(probability).collect();
        let drawn = random::draw(&chances, &mut self.rng);
        drawn
            .map(|place| empty[place])
            .or_else(|| empty.first().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{BoardOptions, Playable};

    fn position(size: &str, moves: &str) -> Position {
        let mut position = Position::start(&BoardOptions::sized(size)).expect("a board");
        for mv in moves.split_whitespace() {
            let mv = position.parse_move(mv, Dialect::Grid).expect("a move");
            position.play(mv);
        }
        position
    }

    fn expected(position: &Position) -> ExpectedStructures {
        let expected = position.expected_structures(None, Dialect::Grid, &mut || true);
        expected.expect("weights").expect("structures")
    }

    fn only_end(expected: &ExpectedStructures) -> (Side, &str) {
        let mut ends = expected.ends.iter().filter(|end| end.probability > 0.0);
        let (Some(end), None) = (ends.next(), ends.next()) else {
            panic!("several ends: {expected:?}");
        };
        assert!((end.probability - 1.0).abs() < 1e-9, "{expected:?}");
        (end.side, &end.structure)
    }

    #[test]
    fn a_side_that_can_win_at_once_does() {
        let expected = expected(&position("4", "a1 g6 a2 g5 a3 g4"));
        assert_eq!(only_end(&expected), (Side::White, "bridge"));
        let of_structure = ["a1", "a2", "a3", "a4"].map(|cell| ExpectedCell {
            cell: cell.to_owned(),
            white: 1.0,
            black: 0.0,
        });
        assert_eq!(expected.cells, of_structure);
    }

    /// White can prevent one of two bridges: a1 to a4, and a1 to d1.
    #[test]
    fn a_side_with_two_threats_wins() {
        let expected = expected(&position("4", "d4 a1 e5 a2 e4 a3 d3 b1 f5 c1"));
        assert_eq!(only_end(&expected), (Side::Black, "bridge"));
        let of = |name: &str| expected.cells.iter().find(|cell| cell.cell == name);
        assert_eq!(of("a1").map(|cell| cell.black), Some(1.0), "{expected:?}");
        assert_eq!(of("d4"), None);
    }

    #[test]
    fn probabilities_are_shares_of_games_on_all_boards() {
        for size in ["2", "3x4x4", "4", "6", "10"] {
            let position = position(size, "a1");
            let first = expected(&position);
            assert!(first.games >= GAMES.0 as u32, "{size}: {first:?}");
            let score = Side::BOTH.map(|side| first.score(side));
            assert!(score[0] + score[1] < 1.0 + 1e-9, "{size}: {score:?}");
            for cell in &first.cells {
                assert!(cell.white <= score[0] + 1e-9 && cell.black <= score[1] + 1e-9);
                assert!(cell.white + cell.black > 0.0);
            }
            // A structure has two stones at least.
            let stones: f64 = first.cells.iter().map(|cell| cell.white + cell.black).sum();
            assert!(stones >= 2.0 * (score[0] + score[1]) - 1e-9, "{size}");
            if size == "4" {
                assert_eq!(first, expected(&position));
            }
        }
    }

    #[test]
    fn it_ends_when_nobody_waits() {
        let start = position("10", "");
        let stopped = start.expected_structures(None, Dialect::Grid, &mut || false);
        assert_eq!(stopped.expect("weights").expect("structures").games, 1);
    }
}
