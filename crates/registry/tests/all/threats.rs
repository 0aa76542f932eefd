//! Positions in which one side has many threats that do not depend on each other.

use certificate::{Claim, Header, Promise, Provable};
use game::{Game, Side};
use havannah::{Board, Cell, Geometry, Move, Position, Shape};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::iter;

/// A position that is full but for pairs of cells on the top edge: Black, who is to move, threatens to win
/// on one cell of a pair by playing on the other, and White has to answer. So there are three times as many
/// positions with each further pair, and in none of them does White have a choice.
fn threats(size: u32) -> Vec<Move> {
    let shape = Shape::regular(size).expect("a size");
    let geometry = Geometry::of(shape);
    let side_of = |cell| colour(size as usize, geometry.coordinates(cell));
    let cells = geometry.cells().iter();
    let mut stones: HashMap<Cell, Side> = cells
        .filter_map(|&cell| Some((cell, side_of(cell)?)))
        .collect();
    balance(geometry, &mut stones);
    let of = |side| {
        let cells = geometry.cells().iter().copied();
        let stones = &stones;
        cells.filter(move |cell| stones.get(cell) == Some(&side))
    };
    let (white, mut black) = (of(Side::White), of(Side::Black));
    white
        .flat_map(|cell| iter::once(cell).chain(black.next()))
        .map(Move::Place)
        .collect()
}

/// Rows of one colour, which touch two edges each and no other row of their colour; the top edge is closed by
/// white stones but for the pairs, above a black row. `None` for an empty cell.
fn colour(size: usize, (x, y): (usize, usize)) -> Option<Side> {
    let (middle, last) = (size - 1, 2 * size - 2);
    let is_black = match y {
        // The end of the second row and a corner: no white group gets from the top edge to another.
        0 | 1 if x == size + y - 1 || (x, y) == (0, 1) => true,
        0 | 1 if x % 2 == 1 && x + 2 < size => return None,
        0 | 1 => false,
        // From corner to corner these rows would be bridges.
        _ if y == middle => x % 2 == 0 && x > 0,
        _ if y == last => x == middle,
        _ => (y % 2 == 0) == (y < middle),
    };
    Some(if is_black { Side::Black } else { Side::White })
}

/// Changes the colour of single stones until White has one more.
fn balance(geometry: &'static Geometry, stones: &mut HashMap<Cell, Side>) {
    assert!(!has_structure(geometry, stones));
    for &cell in geometry.cells() {
        let count = |side| stones.values().filter(|&&other| other == side).count();
        let (white, black) = (count(Side::White), count(Side::Black));
        let more = match white.cmp(&(black + 1)) {
            Ordering::Equal => return,
            Ordering::Greater => Side::White,
            Ordering::Less => Side::Black,
        };
        let is_below = geometry.coordinates(cell).1 > 3;
        if is_below && stones.get(&cell) == Some(&more) {
            stones.insert(cell, !more);
            if has_structure(geometry, stones) {
                stones.insert(cell, more);
            }
        }
    }
    panic!("it cannot be balanced");
}

fn has_structure(geometry: &'static Geometry, stones: &HashMap<Cell, Side>) -> bool {
    let mut board = Board::new(geometry);
    let mut all = stones.iter();
    all.any(|(&cell, &side)| board.place(cell, side).is_some())
}

/// The position after the threats were prepared, and the header of the claim that White holds.
pub fn prepared(size: u32) -> (Position, Header) {
    let mut position = Position::new(Shape::regular(size).expect("a size"));
    let mut names = Vec::new();
    for mv in threats(size) {
        names.push(position.name(mv));
        position.play(mv);
    }
    assert_eq!(position.outcome(), None);
    let header = Header {
        game: Position::NAME.to_owned(),
        board: size.to_string(),
        moves: names,
        claim: Claim::Promise(Promise::Holds(Side::White)),
    };
    (position, header)
}
