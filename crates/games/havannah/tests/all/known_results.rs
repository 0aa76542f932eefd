//! Boards that are small enough to be searched to the end.

use game::{Game, Outcome, Side, Symmetric};
use havannah::rules::notation::write_cell;
use havannah::{Dialect, Move, Position, Shape};
use std::collections::HashMap;

/// The outcome of perfect play. `known` holds those of positions that were met before, by a hash that
/// symmetric positions share.
fn value(position: &mut Position, known: &mut HashMap<u64, Outcome>) -> Outcome {
    if let Some(outcome) = position.outcome() {
        return outcome;
    }
    let key = position.representative_hash();
    if let Some(&outcome) = known.get(&key) {
        return outcome;
    }
    let side = position.to_move();
    let win = Outcome::Win(side);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    // A move that wins at once saves the search of the others.
    if moves
        .iter()
        .any(|&mv| position.explore(mv, |child| child.outcome() == Some(win)))
    {
        return win;
    }
    let mut best = Outcome::Win(!side);
    for mv in moves {
        let outcome = position.explore(mv, |child| value(child, known));
        if outcome.seen_by(side) > best.seen_by(side) {
            best = outcome;
        }
        if best == win {
            break;
        }
    }
    known.insert(key, best);
    best
}

/// The notes on solving say so of size 3: "corner first player, everything else second player".
#[test]
fn white_wins_with_a_first_stone_in_a_corner_and_with_no_other() {
    for shape in ["2", "2x2x3", "2x5x2", "2x3x3", "3"] {
        let start = Position::new(shape.parse::<Shape>().expect("a shape"));
        let geometry = start.geometry();
        let mut known = HashMap::new();
        for &cell in geometry.cells() {
            let mut position = start.clone();
            position.play(Move::Place(cell));
            let winner = if geometry.corners().contains(&cell) {
                Side::White
            } else {
                Side::Black
            };
            let opening = write_cell(geometry, cell, Dialect::Grid);
            let outcome = value(&mut position, &mut known);
            assert_eq!(outcome, Outcome::Win(winner), "{opening} on size {shape}");
        }
    }
}

/// Where every opening has a winner, Black takes over the good ones and answers the others.
#[test]
fn black_wins_under_the_swap_rule() {
    for shape in ["2", "2x2x3", "2x3x3"] {
        let shape: Shape = shape.parse().expect("a shape");
        let mut start = Position::new(shape).under_swap_rule();
        let outcome = value(&mut start, &mut HashMap::new());
        assert_eq!(outcome, Outcome::Win(Side::Black), "{shape}");
    }
}
