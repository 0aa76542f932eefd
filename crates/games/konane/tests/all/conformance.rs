//! The suite that every game runs, on every kind of board.

use game::{Game, conformance};
use konane::shokry::DynamicBoard;
use konane::{
    BitBoard, Board, LargeBitBoard, NaiveBoard, Opening, PositionOn, Setup, Shape, SmallBitBoard,
    Start,
};

/// Rows, columns, and the number of games for each opening.
const BOARDS: [(usize, usize, u32); 11] = [
    (1, 1, 2),
    (1, 2, 2),
    (2, 1, 2),
    (1, 9, 20),
    (7, 1, 20),
    (2, 2, 5),
    (3, 3, 20),
    (4, 5, 10),
    (5, 5, 5),
    (6, 6, 2),
    (8, 8, 1),
];

const SETUPS: [Setup; 4] = [
    Setup::Corner,
    Setup::CornerVertical,
    Setup::Centre,
    Setup::CentreVertical,
];

/// The beginnings of a game that the board allows, with a number of games for each.
fn starts<B: Board>() -> Vec<(PositionOn<B>, u32)> {
    let mut starts = Vec::new();
    for (rows, cols, games) in BOARDS {
        let shape = Shape::new(rows, cols).expect("a shape");
        let openings = [Opening::Traditional, Opening::AnyStone]
            .into_iter()
            .chain(SETUPS.map(Opening::Removed));
        for opening in openings {
            if let Ok(position) = PositionOn::new(&Start { shape, opening }) {
                starts.push((position, games));
            }
        }
    }
    starts
}

fn rules<B: Board>() {
    for (seed, (start, games)) in (1..).zip(starts::<B>()) {
        conformance::rules(&start, games, seed);
    }
}

fn symmetry<B: Board>() {
    for (seed, (start, games)) in (1..).zip(starts::<B>()) {
        conformance::symmetry(&start, games, seed);
    }
}

fn uniform_random_moves<B: Board>() {
    for (seed, (start, _)) in (1..).zip(starts::<B>()) {
        let mut rng = game::random::seeded(seed);
        let mut position = start;
        while let Some(mv) = position.random_move(&mut rng) {
            conformance::uniform_random_moves(&position, seed);
            position.play(mv);
        }
    }
}

#[test]
fn rules_on_the_naive_board() {
    rules::<NaiveBoard>();
}

#[test]
fn rules_on_the_dynamic_board() {
    rules::<DynamicBoard>();
}

#[test]
fn rules_on_the_small_bitboard() {
    rules::<SmallBitBoard>();
}

#[test]
fn rules_on_wider_bitboards() {
    rules::<BitBoard<2>>();
    rules::<LargeBitBoard>();
}

#[test]
fn symmetry_on_every_board() {
    symmetry::<NaiveBoard>();
    symmetry::<DynamicBoard>();
    symmetry::<SmallBitBoard>();
    symmetry::<LargeBitBoard>();
}

#[test]
fn random_moves_on_every_board() {
    uniform_random_moves::<NaiveBoard>();
    uniform_random_moves::<DynamicBoard>();
    uniform_random_moves::<SmallBitBoard>();
    uniform_random_moves::<LargeBitBoard>();
}

#[test]
fn notation() {
    for (rows, cols) in [(1, 1), (3, 7), (6, 6)] {
        let start = Start {
            shape: Shape::new(rows, cols).expect("a shape"),
            opening: Opening::Traditional,
        };
        let position = PositionOn::<NaiveBoard>::new(&start).expect("a start");
        conformance::notation(&position, &[()], 1, 1);
    }
}
