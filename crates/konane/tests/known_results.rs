//! Boards that are small enough to be searched to the end.

use game::{Game, Side};
use konane::{Move, Opening, Position, Setup, Shape, SmallBitBoard, Start};
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
