//! Random games, stone by stone: what the crate says of each is what the referee says.

use super::referee::Referee;
use game::random::{self, Rng};
use game::{Game, Notation, Outcome, Side};
use havannah::rules::notation::{parse_cell, write_cell};
use havannah::rules::rings::{RingSearch, WantedRing};
use havannah::{Board, Cell, Dialect, Geometry, Move, Position, Shape};
use std::collections::BTreeMap;

/// A shape and a number of games.
type Games = (&'static str, u32);

const SMALL: [Games; 3] = [("2", 15_700), ("3", 27_000), ("4", 25_000)];
const LARGE: [Games; 6] = [
    ("5", 4_000),
    ("6", 2_000),
    ("7", 1_000),
    ("8", 600),
    ("9", 400),
    ("10", 300),
];
const UNEVEN: [Games; 10] = [
    ("2x2x3", 3_000),
    ("2x3x2", 3_000),
    ("3x2x2", 3_000),
    ("2x5x3", 3_000),
    ("5x3x2", 3_000),
    ("3x4x4", 3_000),
    ("4x4x5", 3_000),
    ("3x4x5", 2_000),
    ("2x9x2", 500),
    ("4x6x8", 500),
];

const _: () = assert!(total(&SMALL) + total(&LARGE) + total(&UNEVEN) == 100_000);

const fn total(games: &[Games]) -> u32 {
    match games {
        [] => 0,
        [(_, number), rest @ ..] => *number + total(rest),
    }
}

#[test]
fn games_on_small_boards() {
    let ends = play_all(&SMALL);
    assert!(ALL_ENDS.iter().all(|&end| ends.contains_key(end)));
}

#[test]
fn games_on_large_boards() {
    let ends = play_all(&LARGE);
    // Draws are rare on large boards.
    let wins = ALL_ENDS.iter().filter(|&&end| end != "draw");
    assert!(wins.into_iter().all(|&end| ends.contains_key(end)));
}

#[test]
fn games_on_uneven_boards() {
    let ends = play_all(&UNEVEN);
    assert!(ALL_ENDS.iter().all(|&end| ends.contains_key(end)));
}

/// The ways to end a game that a test must have met to have tested much.
const ALL_ENDS: [&str; 7] = [
    "draw",
    "fork",
    "bridge",
    "ring",
    "fork and bridge",
    "fork and ring",
    "bridge and ring",
];

/// How many games ended in which way.
type Ends = BTreeMap<String, u32>;

fn play_all(games: &[Games]) -> Ends {
    let mut ends = Ends::new();
    for (seed, &(shape, number)) in (1..).zip(games) {
        let mut rng = random::seeded(seed);
        let mut of_shape = Ends::new();
        for game in 0..number {
            let end = play(shape.parse().expect("a shape"), game % 2 == 1, &mut rng);
            *of_shape.entry(end).or_default() += 1;
        }
        println!("{shape:>5}: {of_shape:?}");
        for (end, count) in of_shape {
            *ends.entry(end).or_default() += count;
        }
    }
    ends
}

/// Plays one game to its end, which the referee must see at the same stone and not before.
fn play(shape: Shape, swap_rule: bool, rng: &mut Rng) -> String {
    let mut position = Position::new(shape);
    if swap_rule {
        position = position.under_swap_rule();
    }
    let mut referee = Referee::new(shape.sides(), swap_rule);
    let mut search = RingSearch::default();
    loop {
        let side = position.to_move();
        let colour = colour_of(side);
        assert_eq!(colour, referee.turn());
        let mv = position.random_move(rng).expect("a move");
        position.play(mv);
        referee.play(&position.write_move(mv, Dialect::Row));

        let complete = referee.structures(colour);
        let structure = position.structure().map(|structure| structure.to_string());
        assert_eq!(structure.as_deref(), complete.first().copied(), "{referee}");
        if let Move::Place(cell) = mv {
            check_ring(position.board(), cell, &referee, &complete, &mut search);
        }
        if !complete.is_empty() {
            assert_eq!(position.outcome(), Some(Outcome::Win(side)), "{referee}");
            return complete.join(" and ");
        }
        if referee.is_full() {
            assert_eq!(position.outcome(), Some(Outcome::Draw), "{referee}");
            return "draw".to_owned();
        }
        assert_eq!(position.outcome(), None, "{referee}");
    }
}

/// The ring search finds a ring through the last stone exactly where a ring is among what is complete,
/// and what it finds is one.
fn check_ring(
    board: &Board,
    last: Cell,
    referee: &Referee,
    complete: &[&str],
    search: &mut RingSearch,
) {
    let found = search.find(board, last, WantedRing::ANY, &mut { u64::MAX });
    let found = found.expect("an answer");
    assert_eq!(found.is_some(), complete.contains(&"ring"), "{referee}");
    if let Some(chain) = found {
        let name = |&cell: &Cell| write_cell(board.geometry(), cell, Dialect::Row);
        let names: Vec<String> = chain.iter().map(name).collect();
        assert!(names.len() >= 6 && chain[0] == last, "{names:?}");
        assert!(referee.is_chain(&names), "{names:?} on\n{referee}");
    }
}

fn colour_of(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

/// Boards where four stones of five are White's, so that a ring closes around own stones in every way
/// that it can, which is rare in games.
#[test]
fn lopsided_boards() {
    let mut rng = random::seeded(1);
    let mut search = RingSearch::default();
    let mut full_rings = 0;
    for (shape, number) in [
        ("3", 2_000),
        ("4", 2_000),
        ("5", 2_000),
        ("3x4x5", 2_000),
        ("7", 500),
    ] {
        let shape: Shape = shape.parse().expect("a shape");
        let geometry = Geometry::of(shape);
        for _ in 0..number {
            let mut board = Board::new(geometry);
            let mut referee = Referee::new(shape.sides(), false);
            let mut cells = geometry.cells().to_vec();
            random::shuffle(&mut cells, &mut rng);
            for cell in cells {
                let side = Side::BOTH[usize::from(random::below(5, &mut rng) == 0)];
                let colour = colour_of(side);
                let completed = board
                    .place(cell, side)
                    .map(|structure| structure.to_string());
                referee.put(&write_cell(geometry, cell, Dialect::Row), colour);
                let complete = referee.structures(colour);
                assert_eq!(completed.as_deref(), complete.first().copied(), "{referee}");
                check_ring(&board, cell, &referee, &complete, &mut search);
                if !complete.is_empty() {
                    full_rings += u32::from(referee.has_only_full_rings(colour));
                    break;
                }
            }
        }
    }
    assert!(
        full_rings > 100,
        "{full_rings} rings around own stones alone"
    );
}

/// The referee names the cells in its own way: by counting them on a drawing.
#[test]
fn both_name_the_same_cells() {
    for (shape, _) in SMALL.iter().chain(&LARGE).chain(&UNEVEN) {
        let shape: Shape = shape.parse().expect("a shape");
        let geometry = Geometry::of(shape);
        let names = Referee::new(shape.sides(), false).moves();
        let cells = names
            .iter()
            .map(|name| parse_cell(geometry, name, Dialect::Row));
        let cells: Vec<Cell> = cells.collect::<Result<_, _>>().expect("cells");
        assert_eq!(cells, geometry.cells());
    }
}
