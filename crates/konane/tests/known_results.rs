//! Boards that are small enough to be searched to the end.

use game::{Game, Side};
use konane::cgt::{Outcome, Valuer};
use konane::solver::{Params, Solver};
use konane::{Move, Opening, Position, Setup, Shape, SmallBitBoard, Start};
use search::Limits;
use std::collections::HashMap;

/// Whether the side to move wins: if some move leads to a position where the other does not.
fn wins(position: &mut Position<SmallBitBoard>, known: &mut HashMap<u64, bool>) -> bool {
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
    let mut position = Position::new(&start).expect("a start");
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

/// Every start of a board with one or two rows: the pair of cells that is removed, by the solver without
/// regions and by the values of regions, which share nothing but the rules.
fn narrow_boards_by_two_ways(rows: usize, most_cols: usize) {
    let mut valuer = Valuer::new(1 << 24);
    for cols in 1..=most_cols {
        let shape = Shape::new(rows, cols).expect("a shape");
        let mut solver = Solver::new(shape, &Params { memory: 1 << 24 }).expect("a small board");
        let pairs = shape.cells().flat_map(|cell| {
            let others = shape
                .cells()
                .filter(move |&other| other > cell && cell.is_beside(other));
            others.map(move |other| Setup::Pair(cell, other))
        });
        for setup in pairs {
            let opening = Opening::Removed(setup);
            let position = Position::<SmallBitBoard>::new(&Start { shape, opening });
            let position = position.expect("a start");
            let report = solver.solve(&position, &Limits::default(), &mut |_| {});
            let value = valuer.position(&position).expect("a narrow board");
            let outcome = valuer.games.outcome(value);
            let black_wins = matches!(outcome, Outcome::Left | Outcome::First);
            let winner = if black_wins { Side::Black } else { Side::White };
            assert_eq!(report.winner(), Some(winner), "{shape} {setup}");
        }
    }
}

#[test]
fn every_start_of_one_row_by_two_ways() {
    narrow_boards_by_two_ways(1, Shape::MAX_SIDE);
}

#[test]
fn every_start_of_two_rows_by_two_ways() {
    narrow_boards_by_two_ways(2, Shape::MAX_SIDE);
}
