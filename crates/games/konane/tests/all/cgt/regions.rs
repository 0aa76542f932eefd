//! Regions and their values against play on the whole board.

use game::random::{self, Rng};
use game::{Game, Side};
use konane::cgt::{Games, Outcome, Region, Value, Valuer};
use konane::{Board, Move, NaiveBoard, Opening, PositionOn, Shape, Start};
use std::collections::HashMap;

const BUDGET: usize = 1 << 22;

fn random_position(shape: Shape, plies: u32, rng: &mut Rng) -> PositionOn<NaiveBoard> {
    let opening = Opening::AnyStone;
    let mut position = PositionOn::new(&Start { shape, opening }).expect("a start");
    for _ in 0..2 + plies {
        let Some(mv) = position.random_move(rng) else {
            break;
        };
        position.play(mv);
    }
    position
}

fn with_turn(position: &PositionOn<NaiveBoard>, side: Side) -> PositionOn<NaiveBoard> {
    PositionOn::from_board(position.board().clone(), side)
}

/// Whether the side to move wins.
fn wins(position: &PositionOn<NaiveBoard>, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&value) = known.get(&position.hash()) {
        return value;
    }
    let mut moves: Vec<Move> = Vec::new();
    position.legal_moves(&mut moves);
    let value = moves.into_iter().any(|mv| {
        let mut after = position.clone();
        after.play(mv);
        !wins(&after, known)
    });
    known.insert(position.hash(), value);
    value
}

/// The value of the whole board from its moves, without regions.
fn whole(
    position: &PositionOn<NaiveBoard>,
    games: &mut Games,
    known: &mut HashMap<u64, Value>,
) -> Value {
    let position = with_turn(position, Side::Black);
    if let Some(&value) = known.get(&position.hash()) {
        return value;
    }
    let [right, left] = Side::BOTH.map(|side| {
        let position = with_turn(&position, side);
        let mut moves: Vec<Move> = Vec::new();
        position.legal_moves(&mut moves);
        let after = moves.into_iter().map(|mv| {
            let mut after = position.clone();
            after.play(mv);
            whole(&after, games, known)
        });
        after.collect::<Vec<Value>>()
    });
    let value = games.make(&left, &right);
    known.insert(position.hash(), value);
    value
}

/// Compares, and returns how many positions had several regions.
fn agree(rows: usize, cols: usize, least_plies: u32, positions: u32) -> u32 {
    let shape = Shape::new(rows, cols).expect("a shape");
    let mut rng = random::seeded((100 * rows + cols) as u64);
    let mut valuer = Valuer::new(BUDGET);
    let mut wholes = HashMap::new();
    let mut won = HashMap::new();
    let mut several = 0;
    for _ in 0..positions {
        let plies = least_plies + random::below(6, &mut rng);
        let position = random_position(shape, plies, &mut rng);
        let value = valuer.position(&position).expect("a small position");
        let expected = whole(&position, &mut valuer.games, &mut wholes);
        assert_eq!(value, expected, "{position:?}");
        let [white, black] = Side::BOTH.map(|side| wins(&with_turn(&position, side), &mut won));
        let outcome = match (black, white) {
            (true, true) => Outcome::First,
            (true, false) => Outcome::Left,
            (false, true) => Outcome::Right,
            (false, false) => Outcome::Second,
        };
        assert_eq!(valuer.games.outcome(value), outcome, "{position:?}");
        let regions = Region::of(&position).expect("a small board");
        several += u32::from(regions.len() > 1);
        for region in regions {
            one_sided_regions_are_integers(&region, &mut valuer);
        }
    }
    several
}

/// A region in which only one side ever moves is worth its longest series of moves.
fn one_sided_regions_are_integers(region: &Region, valuer: &mut Valuer) {
    fn can_ever_move(region: &Region, side: Side) -> bool {
        let moves = |side| region.after_moves(side);
        !moves(side).is_empty() || moves(!side).iter().any(|after| can_ever_move(after, side))
    }
    fn longest(region: &Region, side: Side) -> i64 {
        let after = region.after_moves(side);
        let lengths = after.iter().map(|after| 1 + longest(after, side));
        lengths.max().unwrap_or(0)
    }
    for side in Side::BOTH {
        if region.area() <= 9 && !can_ever_move(region, !side) {
            let moves = longest(region, side);
            let sign = if side == Side::Black { 1 } else { -1 };
            let expected = valuer.games.integer(sign * moves);
            assert_eq!(valuer.region(region), Ok(expected), "{region}");
        }
    }
}

#[test]
fn a_position_is_worth_the_sum_of_its_regions() {
    let mut several = 0;
    for (rows, cols, plies, positions) in [
        (1, 9, 0, 200),
        (1, 14, 1, 300),
        (2, 8, 2, 300),
        (9, 2, 3, 300),
        (3, 5, 3, 300),
        (4, 4, 4, 300),
        (5, 4, 7, 200),
    ] {
        several += agree(rows, cols, plies, positions);
    }
    assert!(several > 100, "{several}");
}

/// A region and its value on paper.
#[test]
fn small_regions() {
    let mut valuer = Valuer::new(BUDGET);
    for (diagram, value) in [
        ("xo.", "1"),
        (".xo.", "*"),
        ("ox.", "-1"),
        ("xo.o.", "1"),
        ("xo.#xo.", "2"),
        (".xo./####/.xo.", "0"),
        ("...", "0"),
        ("x", "0"),
        ("xox", "0"),
    ] {
        let region: Region = diagram.parse().expect("a diagram");
        let found = valuer.sum(&region.parts()).expect("a small region");
        assert_eq!(valuer.games.write(found), value, "{diagram}");
    }
}

#[test]
fn moved_turned_and_exchanged_regions_share_a_key() {
    let key = |diagram: &str| {
        let region: Region = diagram.parse().expect("a diagram");
        region.key()
    };
    let (first, exchanged) = key(".xo.o");
    let region = first.region().expect("a region");
    assert_eq!(region.key(), (first, false));
    for (other, turned) in [
        ("o.ox.", false),
        ("##/#./#x/#o/#./#o", false),
        (".ox.x", true),
    ] {
        let (same, by) = key(other);
        assert_eq!(same, first, "{other}");
        assert_eq!(by != exchanged, turned, "{other}");
    }
}

#[test]
fn diagrams_that_are_refused() {
    for (diagram, reason) in [
        ("", "the rows of a diagram have the same length, at least 1"),
        (
            "xo/x",
            "the rows of a diagram have the same length, at least 1",
        ),
        (
            "x?",
            "'?' has no meaning in a diagram: x is black, o is white, . is empty and # is a wall",
        ),
        (
            "xx",
            "row 1, column 2: black and white stones stand on cells of different colours, as on a chequered board",
        ),
        (
            ".........................",
            "a diagram has at most 64 cells, and at most 24 rows and columns",
        ),
        (
            "........../........../........../........../........../........../..........",
            "a diagram has at most 64 cells, and at most 24 rows and columns",
        ),
    ] {
        let refusal = diagram.parse::<Region>().expect_err("no region");
        assert_eq!(refusal.to_string(), reason, "{diagram}");
    }
}

#[test]
fn a_budget_ends_the_work() {
    let diagram = "xoxoxox/o.oxoxo/xoxoxox/oxoxoxo/xoxoxox";
    let region: Region = diagram.parse().expect("a diagram");
    let refusal = Valuer::new(1000).sum(&region.parts()).unwrap_err();
    assert!(refusal.to_string().contains("1000"), "{refusal}");
    let empty = Shape::new(9, 9).expect("a shape");
    let start = Start {
        shape: empty,
        opening: Opening::AnyStone,
    };
    let position = PositionOn::<NaiveBoard>::new(&start).expect("a start");
    assert_eq!(position.board().pieces(Side::Black), 41);
    assert!(Valuer::new(1000).position(&position).is_err());
}

/// A solid row of n stones, black first, with room on both sides (Ernst, "Playing Konane mathematically",
/// 1995): −j for n = 2j + 1, 0 for n = 4j and ∗ for n = 4j + 2.
#[test]
fn solid_rows_are_worth_what_ernst_found() {
    let mut valuer = Valuer::new(1 << 22);
    for n in 1..=21 {
        let row: String = (0..n).map(|cell| ['x', 'o'][cell % 2]).collect();
        let region: Region = format!(".{row}.").parse().expect("a diagram");
        let value = valuer.sum(&region.parts()).expect("a small region");
        let expected = match n % 4 {
            0 => "0".to_owned(),
            2 => "*".to_owned(),
            _ => (-(n as i64) / 2).to_string(),
        };
        assert_eq!(valuer.games.write(value), expected, "{n} stones");
    }
}

/// The same with a white stone below its first stone, which counts as one of the n (Ernst's "tail").
#[test]
fn rows_with_a_tail_are_worth_what_ernst_found() {
    let mut valuer = Valuer::new(1 << 22);
    for n in 2..=8 {
        let row: String = (1..n).map(|cell| ['o', 'x'][cell % 2]).collect();
        let width = n + 1;
        let empty = ".".repeat(width);
        let tail = format!(".o{}", ".".repeat(width - 2));
        let diagram = format!("{empty}/{empty}/.{row}./{tail}/{empty}/{empty}");
        let region: Region = diagram.parse().expect("a diagram");
        let value = valuer.sum(&region.parts()).expect("a small region");
        let j = n as i64 / 4;
        let expected = match (n, n % 4) {
            (2 | 3, _) => "*".to_owned(),
            (4, _) => "{*|v}".to_owned(),
            (_, 0) => format!("{{*|{}}}", 2 - 2 * j),
            (_, 1) => format!("{{{}|*}}", 2 * j - 1),
            (_, 2) => format!("{{0|{}}}", 1 - 2 * j),
            _ => format!("{{{}|0}}", 2 * j),
        };
        let expected = valuer.games.parse(&expected).expect("a value");
        assert_eq!(value, expected, "{n}: {}", valuer.games.write(value));
    }
}
