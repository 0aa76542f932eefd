//! The suite that every game runs, on boards of every kind of shape. The counts of move sequences are
//! in `against_referee`.

use game::{Game, conformance, random};
use havannah::{Dialect, Position, Shape};

/// Shapes, and a number of games that keeps the time short.
const BOARDS: [(&str, u32); 9] = [
    ("2", 40),
    ("3", 10),
    ("4", 3),
    ("5", 1),
    ("2x2x3", 20),
    ("2x5x3", 5),
    ("5x3x2", 5),
    ("3x4x4", 3),
    ("4x4x5", 1),
];

/// The empty boards, without and with the swap rule, each with a number of games and a seed.
fn starts() -> impl Iterator<Item = (Position, u32, u64)> {
    (1..).zip(BOARDS).flat_map(|(seed, (shape, games))| {
        let shape: Shape = shape.parse().expect("a shape");
        let rules = [Position::new(shape), Position::new(shape).under_swap_rule()];
        rules.map(|start| (start, games, seed))
    })
}

#[test]
fn rules() {
    for (start, games, seed) in starts() {
        conformance::rules(&start, games, seed);
    }
}

#[test]
fn notation() {
    for (start, _, seed) in starts() {
        conformance::notation(&start, &Dialect::ALL, 1, seed);
    }
}

#[test]
fn uniform_random_moves() {
    for (start, _, seed) in starts() {
        let mut rng = random::seeded(seed);
        let mut position = start;
        while let Some(mv) = position.random_move(&mut rng) {
            conformance::uniform_random_moves(&position, seed);
            position.play(mv);
        }
    }
}

#[test]
fn symmetry() {
    for (start, games, seed) in starts() {
        conformance::symmetry(&start, games, seed);
    }
}
