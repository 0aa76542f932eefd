//! What a picture says, read back from the picture.

mod read;

use diagram::{Drawn, Options};
use game::{Game, Notation, Side, random};
use havannah::rules::geometry::{CORNERS, EDGES};
use havannah::{Cell, Dialect, Geometry, Move, Shape, Structure};
use konane::Board;
use read::{PITCH, Point, Read, distance, read};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// What rounding to tenths may cost.
const ROUNDING: f64 = 0.3;

fn is_at(place: Point) -> impl Fn(&Point) -> bool {
    move |&other| distance(place, other) < ROUNDING
}

fn shape(text: &str) -> Shape {
    text.parse().expect("a shape")
}

const SHAPES: [&str; 9] = [
    "2", "3", "5", "4x4x5", "3x2x4", "3x4x2", "2x5x3", "5x2x2", "15",
];

/// A position after so many random moves, or at the end of the game.
fn random_position<G: Game>(mut position: G, moves: usize, seed: u64) -> G {
    let mut rng = random::seeded(seed);
    for _ in 0..moves {
        let Some(mv) = position.random_move(&mut rng) else {
            break;
        };
        position.play(mv);
    }
    position
}

/// The picture of a position with the name of each cell on it, and where each cell is.
fn havannah_with_names(
    position: &havannah::Position,
    dialect: Dialect,
) -> (Read, HashMap<Cell, Point>) {
    let cells = position.geometry().cells();
    let name = |&cell: &Cell| (cell, position.write_move(Move::Place(cell), dialect));
    let names: Vec<(Cell, String)> = cells.iter().map(name).collect();
    let options = Options {
        labels: names.clone(),
        ..Options::default()
    };
    let read = read(&position.svg(dialect, &options));
    let place = |name: &str| {
        let mut places = read.labels.iter().filter(|(_, text)| text == name);
        let (place, _) = places.next().expect("each label is there");
        assert!(places.next().is_none(), "{name} twice");
        *place
    };
    let places = names
        .iter()
        .map(|(cell, name)| (*cell, place(name)))
        .collect();
    (read, places)
}

#[test]
fn every_hexagon_is_drawn_once_beside_its_neighbours() {
    for text in SHAPES {
        let geometry = Geometry::of(shape(text));
        let position = random_position(havannah::Position::new(shape(text)), 20, 5);
        let (read, places) = havannah_with_names(&position, Dialect::Grid);
        assert_eq!(read.cells.len(), geometry.cells().len());
        for (&cell, &place) in &places {
            let here = read
                .cells
                .iter()
                .copied()
                .filter(|other| is_at(place)(other));
            assert_eq!(here.count(), 1);
            for (&other, &there) in &places {
                let apart = distance(place, there) / PITCH;
                match geometry.distance(cell, other) {
                    0 => assert_eq!(cell, other),
                    1 => assert!((apart - 1.0).abs() * PITCH < ROUNDING),
                    _ => assert!(apart > 1.7),
                }
            }
            let stone = position.board().stone(cell);
            assert_eq!(
                read.white.iter().any(is_at(place)),
                stone == Some(Side::White)
            );
            assert_eq!(
                read.black.iter().any(is_at(place)),
                stone == Some(Side::Black)
            );
        }
        let [first, right, .., left] = geometry.corners().map(|corner| places[&corner]);
        assert!((first.1 - right.1).abs() < ROUNDING && first.0 < right.0);
        assert!(first.1 < left.1, "row a is on top");
        let Some(Move::Place(last)) = position.last_move() else {
            panic!("a stone was placed");
        };
        assert_eq!(read.last.len(), 1);
        assert!(is_at(places[&last])(&read.last[0]));
    }
}

/// Going from a cell to the left one comes to its letter; going along the line that keeps the number,
/// up or down to the right, to its number. No coordinate is there for nothing.
#[test]
fn coordinates_are_those_of_the_cells_in_their_line() {
    let slope = 3.0_f64.sqrt();
    for text in SHAPES {
        let [_, _, c] = shape(text).sides();
        for dialect in Dialect::ALL {
            let position = havannah::Position::new(shape(text));
            let (read, places) = havannah_with_names(&position, dialect);
            let mut used = HashSet::new();
            for (&cell, &(x, y)) in &places {
                let name = position.write_move(Move::Place(cell), dialect);
                let digits = name.trim_start_matches(char::is_alphabetic);
                let (_, row) = position.geometry().coordinates(cell);
                let lower_half = dialect == Dialect::Row && row >= c;
                let right = if lower_half { slope } else { -slope };
                for (dx, dy, expected) in [
                    (-1.0, 0.0, name.trim_end_matches(char::is_numeric)),
                    (1.0, right, digits),
                ] {
                    let mut met = Vec::new();
                    for (index, ((there_x, there_y), written)) in
                        read.coordinates.iter().enumerate()
                    {
                        let ahead = (there_x - x) / dx;
                        if ahead > 0.0 && (there_y - y - ahead * dy).abs() < 2.0 * ROUNDING {
                            met.push(written);
                            used.insert(index);
                        }
                    }
                    assert_eq!(met, [expected], "{name}, {text} in the {dialect} dialect");
                }
            }
            assert_eq!(used.len(), read.coordinates.len(), "{text} in {dialect}");
        }
    }
}

#[test]
fn every_square_is_drawn_once_with_its_coordinates() {
    for (rows, cols) in [(1, 1), (1, 20), (20, 1), (3, 5), (6, 6)] {
        let shape = konane::Shape::new(rows, cols).expect("a shape");
        let start = konane::Start {
            shape,
            opening: konane::Opening::Traditional,
        };
        let position = konane::Position::new(&start).expect("a start");
        let position = random_position(position, 9, 3);
        let read = read(&position.svg((), &Options::default()));
        assert_eq!(read.cells.len(), shape.area());
        let coordinate = |text: &str| {
            let mut found = read.coordinates.iter().filter(|(_, other)| other == text);
            let (place, _) = found.next().expect("a coordinate");
            assert!(found.next().is_none());
            *place
        };
        assert_eq!(read.coordinates.len(), rows + cols);
        for cell in shape.cells() {
            let name = cell.to_string();
            let (column, row) = name.split_at(1);
            let place = (coordinate(column).0, coordinate(row).1);
            let here = read
                .cells
                .iter()
                .copied()
                .filter(|other| is_at(place)(other));
            assert_eq!(here.count(), 1, "{name}");
            let stone = position.board().stone(cell);
            assert_eq!(
                read.white.iter().any(is_at(place)),
                stone == Some(Side::White)
            );
            assert_eq!(
                read.black.iter().any(is_at(place)),
                stone == Some(Side::Black)
            );
        }
        let (low, high) = (coordinate("1").1, coordinate(&rows.to_string()).1);
        let between = (rows - 1) as f64 * PITCH;
        assert!(
            (low - high - between).abs() < ROUNDING,
            "row 1 is at the bottom"
        );
    }
}

/// White has two long rows beside each other, in which there are millions of millions of chains, and closes a ring at
/// their end.
#[test]
fn winning_stones_of_a_group_with_countless_chains_are_found() {
    let mut position = havannah::Position::new(shape("16"));
    let geometry = position.geometry();
    let middle = geometry.cell_at(15, 15).expect("the middle");
    let step = |cell, direction| geometry.neighbour(cell, direction).expect("a cell");
    for direction in 0..6 {
        // The last stone is one of six round the middle; the rows begin at it.
        let last = step(middle, direction);
        let mut white: Vec<Cell> = (0..6).map(|around| step(middle, around)).collect();
        let mut row = last;
        for _ in 0..12 {
            row = step(row, direction);
            white.extend([row, step(row, (direction + 2) % 6)]);
        }
        white.retain(|&cell| cell != last);
        white.push(last);
        position = havannah::Position::new(shape("16"));
        let far = |cell: &Cell| geometry.distance(*cell, middle) >= 2 && geometry.rim(*cell) == 0;
        let free = geometry.cells().iter().copied().filter(far);
        let mut black = free.filter(|cell| !white.contains(cell)).step_by(5);
        for &cell in &white {
            assert_eq!(position.structure(), None);
            position.play(Move::Place(cell));
            if cell != last {
                position.play(Move::Place(black.next().expect("a cell")));
            }
        }
        assert_eq!(position.structure(), Some(Structure::Ring));
        let stones = position.winning_cells();
        assert!(stones.contains(&last) && stones.len() >= 6);
        assert!(stones.iter().all(|cell| white.contains(cell)));
    }
}

#[test]
fn winning_stones_are_a_structure() {
    let mut seen = HashMap::new();
    for seed in 0..600 {
        let position = random_position(havannah::Position::new(shape("4")), 100, seed);
        let stones = position.winning_cells();
        let (Some(structure), Some(Move::Place(last))) =
            (position.structure(), position.last_move())
        else {
            assert!(stones.is_empty());
            continue;
        };
        *seen.entry(structure).or_insert(0) += 1;
        let geometry = position.geometry();
        let set: HashSet<Cell> = stones.iter().copied().collect();
        assert!(set.len() == stones.len() && set.contains(&last));
        let winner = position.outcome().and_then(game::Outcome::winner);
        assert!(
            stones
                .iter()
                .all(|&cell| position.board().stone(cell) == winner)
        );
        let rim = stones.iter().fold(0, |rim, &cell| rim | geometry.rim(cell));
        match structure {
            Structure::Fork => assert!((rim & EDGES).count_ones() >= 3),
            Structure::Bridge => assert!((rim & CORNERS).count_ones() >= 2),
            Structure::Ring => {
                assert!(stones.len() >= 6);
                let next = stones.iter().skip(1).chain(&stones);
                for (&stone, &next) in stones.iter().zip(next) {
                    assert_eq!(geometry.distance(stone, next), 1);
                }
            }
        }
        let connected = |set: &HashSet<Cell>| {
            let mut reached: Vec<Cell> = set.iter().copied().take(1).collect();
            let mut connected: HashSet<Cell> = reached.iter().copied().collect();
            while let Some(stone) = reached.pop() {
                for next in geometry.neighbours(stone) {
                    if set.contains(&next) && connected.insert(next) {
                        reached.push(next);
                    }
                }
            }
            connected == *set
        };
        assert!(connected(&set));
        // No dead ends: without any one of its stones it is no fork and no bridge.
        for stone in &set {
            let mut fewer = set.clone();
            fewer.remove(stone);
            let rim = fewer.iter().fold(0, |rim, &cell| rim | geometry.rim(cell));
            let stands = match structure {
                Structure::Fork => (rim & EDGES).count_ones() >= 3,
                Structure::Bridge => (rim & CORNERS).count_ones() >= 2,
                Structure::Ring => false,
            };
            assert!(
                !stands || !connected(&fewer),
                "{structure} with {stone:?} too many"
            );
        }
    }
    assert_eq!(seen.len(), 3, "every structure occurs: {seen:?}");
}

#[test]
fn cells_of_other_boards_are_passed_over() {
    let position = random_position(havannah::Position::new(shape("2")), 3, 1);
    let far = Geometry::of(shape("9")).corners()[3];
    let plain = position.svg(Dialect::Grid, &Options::default());
    let options = Options {
        highlighted: vec![far],
        labels: vec![(far, "A".to_owned())],
        arrows: vec![(far, position.geometry().cells()[0])],
        ..Options::default()
    };
    assert_eq!(position.svg(Dialect::Grid, &options), plain);
}

#[test]
fn any_text_can_be_title_and_label() {
    let position = havannah::Position::new(shape("2"));
    let odd = "</svg> & \"'\u{0}\u{1b}\u{fffe}";
    let options = Options {
        title: Some(odd.to_owned()),
        labels: vec![(position.geometry().cells()[0], odd.to_owned())],
        ..Options::default()
    };
    let read = read(&position.svg(Dialect::Grid, &options));
    assert_eq!(read.labels[0].1, "</svg> & \"'\u{fffd}\u{fffd}\u{fffd}");
}

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.svg"))
}

#[test]
fn small_boards_are_drawn_as_before() {
    let mut position = havannah::Position::new(shape("2"));
    for text in ["b2", "a1", "c3", "b1"] {
        position.play(position.parse_move(text, Dialect::Grid).expect("a cell"));
    }
    let cells = position.geometry().cells();
    let options = Options {
        title: Some("All that a picture of Havannah can show".to_owned()),
        highlighted: vec![cells[0], cells[1]],
        labels: vec![(cells[0], "2".to_owned()), (cells[3], "long".to_owned())],
        arrows: vec![(cells[1], cells[6])],
        ..Options::default()
    };
    crate::support::compare(&golden("havannah"), &position.svg(Dialect::Row, &options));
    let bare = Options {
        coordinates: false,
        last_move: false,
        ..Options::default()
    };
    crate::support::compare(
        &golden("havannah-bare"),
        &position.svg(Dialect::Grid, &bare),
    );

    let start = konane::Start {
        shape: konane::Shape::new(3, 4).expect("a shape"),
        opening: konane::Opening::Removed(konane::Setup::Corner),
    };
    let mut position = konane::Position::new(&start).expect("a start");
    position.play(position.parse_move("a3-a1", ()).expect("a jump"));
    let arrow = ["b3", "b1"].map(|text| text.parse().expect("a cell"));
    let options = Options {
        highlighted: vec![arrow[1]],
        arrows: vec![arrow.into()],
        ..Options::default()
    };
    crate::support::compare(&golden("konane"), &position.svg((), &options));
}
