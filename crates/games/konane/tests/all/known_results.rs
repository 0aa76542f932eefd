//! Boards that are small enough to be searched to the end.

use game::{Game, Side};
use konane::cgt::{Outcome, Valuer};
use konane::solver::{Params, Solver};
use konane::{Move, Opening, PositionOn, Setup, Shape, SmallBitBoard, Start};
use search::Limits;
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Whether the side to move wins: if some move leads to a position where the other does not.
fn wins(position: &mut PositionOn<SmallBitBoard>, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&value) = known.get(&position.hash()) {
        return value;
    }
    let mut moves: Vec<Move> = Vec::new();
    position.legal_moves(&mut moves);
    let value = moves
        .into_iter()
        .any(|mv| position.explore(mv, |child| !wins(child, known)));
    known.insert(position.hash(), value);
    value
}

fn winner(rows: usize, cols: usize, opening: Opening) -> Side {
    let shape = Shape::new(rows, cols).expect("a shape");
    let start = Start { shape, opening };
    let mut position = PositionOn::new(&start).expect("a start");
    let side = position.to_move();
    if wins(&mut position, &mut HashMap::new()) {
        side
    } else {
        !side
    }
}

#[test]
fn four_by_four_is_won_by_the_second_to_jump() {
    for setup in [
        Setup::Corner,
        Setup::CornerVertical,
        Setup::Centre,
        Setup::CentreVertical,
    ] {
        let opening = Opening::Removed(setup);
        assert_eq!(winner(4, 4, opening), Side::White, "{setup}");
    }
}

#[test]
fn five_by_five_is_won_by_the_first_to_jump() {
    for setup in [
        Setup::Corner,
        Setup::CornerVertical,
        Setup::Centre,
        Setup::CentreVertical,
    ] {
        let opening = Opening::Removed(setup);
        assert_eq!(winner(5, 5, opening), Side::Black, "{setup}");
    }
}

/// Whether the side to move wins, by a search that shares nothing with the crate but the rules as they are
/// written: every move of every position is tried. Cells are numbered row by row, `a1` is 0 and black.
struct Exhaustive {
    rows: usize,
    cols: usize,
    known: HashMap<(u64, bool), bool>,
}

impl Exhaustive {
    fn wins(&mut self, stones: u64, white_moves: bool) -> bool {
        if let Some(&wins) = self.known.get(&(stones, white_moves)) {
            return wins;
        }
        let wins = self
            .after_moves(stones, white_moves)
            .into_iter()
            .any(|after| !self.wins(after, !white_moves));
        self.known.insert((stones, white_moves), wins);
        wins
    }

    fn after_moves(&self, stones: u64, white_moves: bool) -> Vec<u64> {
        let bit = |row: i32, col: i32| 1_u64 << (row * self.cols as i32 + col);
        let is_inside = |row: i32, col: i32| {
            (0..self.rows as i32).contains(&row) && (0..self.cols as i32).contains(&col)
        };
        let mut all = Vec::new();
        for row in 0..self.rows as i32 {
            for col in 0..self.cols as i32 {
                let is_white = (row + col) % 2 == 1;
                if is_white != white_moves || stones & bit(row, col) == 0 {
                    continue;
                }
                for (up, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                    let (mut after, mut at) = (stones, (row, col));
                    loop {
                        let over = (at.0 + up, at.1 + right);
                        let to = (over.0 + up, over.1 + right);
                        let fits = is_inside(to.0, to.1)
                            && after & bit(over.0, over.1) != 0
                            && after & bit(to.0, to.1) == 0;
                        if !fits {
                            break;
                        }
                        after ^= bit(at.0, at.1) | bit(over.0, over.1) | bit(to.0, to.1);
                        at = to;
                        all.push(after);
                    }
                }
            }
        }
        all
    }
}

/// Every start of a board with one or two rows, that is every pair of cells that can be removed, in three
/// ways: by trying everything, by the solver, which knows nothing of regions, and by the values of regions.
fn narrow_boards_by_three_ways(rows: usize, all_cols: RangeInclusive<usize>) {
    let mut valuer = Valuer::new(1 << 24);
    for cols in all_cols {
        let shape = Shape::new(rows, cols).expect("a shape");
        let mut solver = Solver::new(
            shape,
            &Params {
                memory: 1 << 24,
                ..Params::default()
            },
        )
        .expect("a small board");
        let mut exhaustive = Exhaustive {
            rows,
            cols,
            known: HashMap::new(),
        };
        let pairs = shape.cells().flat_map(|cell| {
            let others = shape
                .cells()
                .filter(move |&other| other > cell && cell.is_beside(other));
            others.map(move |other| [cell, other])
        });
        for [cell, other] in pairs {
            let full = (1_u64 << (rows * cols)) - 1;
            let gap = |cell| 1_u64 << shape.index(cell);
            let black_wins = exhaustive.wins(full ^ gap(cell) ^ gap(other), false);
            let setup = Setup::Pair(cell, other);
            let opening = Opening::Removed(setup);
            let position = PositionOn::<SmallBitBoard>::new(&Start { shape, opening });
            let position = position.expect("a start");
            let report = solver.solve(&position, &Limits::default(), &mut |_| {});
            let winner = if black_wins { Side::Black } else { Side::White };
            assert_eq!(report.winner(), Some(winner), "{shape} {setup}");
            let value = valuer.position(&position).expect("a narrow board");
            let outcome = valuer.games.outcome(value);
            let says = matches!(outcome, Outcome::Left | Outcome::First);
            assert_eq!(says, black_wins, "{shape} {setup}");
        }
    }
}

#[test]
fn every_start_of_one_row_by_three_ways() {
    narrow_boards_by_three_ways(1, 1..=24);
}

#[test]
fn every_start_of_two_rows_by_three_ways() {
    narrow_boards_by_three_ways(2, 1..=24);
}
