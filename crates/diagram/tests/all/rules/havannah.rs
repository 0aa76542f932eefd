//! The pictures of Havannah.

use super::Picture;
use diagram::{Drawn, Options};
use game::{Game, Notation, Outcome};
use havannah::rules::geometry::{CORNERS, Rim};
use havannah::rules::notation::parse_cell;
use havannah::{Cell, Dialect, Move, Position};

pub fn pictures() -> Vec<Picture> {
    vec![
        board(),
        turns(),
        bridge(),
        fork(),
        ring(),
        filled_ring(),
        no_fork(),
        no_ring(),
        before_the_swap(),
        after_the_swap(),
        draw(),
        uneven_sides(),
        dialect(Dialect::Grid, "havannah-grid-dialect"),
        dialect(Dialect::Row, "havannah-row-dialect"),
    ]
}

fn picture(
    name: &'static str,
    position: &Position,
    title: &str,
    options: Options<Cell>,
) -> Picture {
    let options = Options {
        title: Some(title.to_owned()),
        ..options
    };
    Picture {
        name,
        svg: position.svg(Dialect::Grid, &options),
    }
}

fn start(shape: &str) -> Position {
    Position::new(shape.parse().expect("a shape"))
}

/// The moves, White's and Black's in turns, on a board.
fn played(start: Position, white: &str, black: &str) -> (Position, Vec<Move>) {
    let mut position = start;
    let mut moves = Vec::new();
    let mut rest = [white, black].map(str::split_whitespace);
    while let Some(text) = rest[position.to_move().index()].next() {
        let mv = position.parse_move(text, Dialect::Grid).expect("a cell");
        position.play(mv);
        moves.push(mv);
    }
    assert!(rest.into_iter().all(|mut rest| rest.next().is_none()));
    (position, moves)
}

fn cells(position: &Position, texts: &str) -> Vec<Cell> {
    let texts = texts.split_whitespace();
    texts
        .map(|text| parse_cell(position.geometry(), text, Dialect::Grid).expect("a cell"))
        .collect()
}

fn on_corners(position: &Position) -> Vec<Cell> {
    position.geometry().corners().into()
}

/// Corners in blue, each edge with its number.
fn board() -> Picture {
    let position = start("5");
    let geometry = position.geometry();
    let number = |&cell: &Cell| {
        let edge = (geometry.rim(cell) & !CORNERS).trailing_zeros();
        let number = edge.checked_sub(5).filter(|_| edge < Rim::BITS)?;
        Some((cell, number.to_string()))
    };
    let options = Options {
        highlighted: on_corners(&position),
        labels: geometry.cells().iter().filter_map(number).collect(),
        ..Options::default()
    };
    picture(
        "havannah-board",
        &position,
        "A board of size 5: six corners, and six edges of three cells each",
        options,
    )
}

fn turns() -> Picture {
    let (position, moves) = played(start("5"), "d5 f6 c5", "f5 g6 c4");
    let options = Options {
        labels: havannah::move_numbers(&moves),
        ..Options::default()
    };
    picture(
        "havannah-turns",
        &position,
        "The first six moves of a game",
        options,
    )
}

fn won(name: &'static str, title: &str, white: &str, black: &str) -> Picture {
    let (position, _) = played(start("5"), white, black);
    assert!(
        matches!(position.outcome(), Some(Outcome::Win(_))),
        "{name}"
    );
    let options = Options {
        highlighted: position.winning_cells(),
        ..Options::default()
    };
    picture(name, &position, title, options)
}

fn bridge() -> Picture {
    won(
        "havannah-bridge",
        "A bridge: White has joined two corners",
        "c3 d2 b4 e1 a5 e2 b5 d3 c4",
        "e5 f6 g6 c5 d6 f3 e7 b2",
    )
}

fn fork() -> Picture {
    won(
        "havannah-fork",
        "A fork: White has joined three edges",
        "e5 f7 c4 g3 a3 g8 f4 d5 g9 b4 g4 f5 f6",
        "c5 e6 g7 f3 b3 h8 e4 d4 e7 h5 d6 g6",
    )
}

fn ring() -> Picture {
    won(
        "havannah-ring",
        "A ring: White has closed a loop around two cells, one of which holds a black stone",
        "d4 d5 e7 f5 e4 f7 d6 f6",
        "e5 c4 d7 g6 c5 g7 e3",
    )
}

fn filled_ring() -> Picture {
    won(
        "havannah-filled-ring",
        "The smallest ring: White has closed a loop around a white stone",
        "e5 d4 e6 f6 e4 f5 d5",
        "c4 d6 f7 g6 e3 d3",
    )
}

/// Three ends, two of them on edges, one in a corner.
fn no_fork() -> Picture {
    let (position, _) = played(
        start("5"),
        "e5 f7 c4 a3 g8 d5 g9 b4 f6 e4 e2 e1 e3",
        "c5 e6 g7 b3 h8 d4 e7 f4 d6 g6 f5 d2 f3",
    );
    assert_eq!(position.outcome(), None);
    let options = Options {
        highlighted: cells(&position, "a3 g9 e1"),
        last_move: false,
        ..Options::default()
    };
    picture(
        "havannah-no-fork",
        &position,
        "No fork: the white group touches two edges and a corner, which belongs to no edge",
        options,
    )
}

/// A triangle, a rhombus, and a loop that only the edge closes.
fn no_ring() -> Picture {
    let (position, _) = played(start("5"), "c5 b1 d6 c2 d5 d2 d1", "g5 c1 h6 g6 h7 e6 c6");
    assert_eq!(position.outcome(), None);
    let labelled = |texts: &str, label: &str| -> Vec<(Cell, String)> {
        let cells = cells(&position, texts).into_iter();
        cells.map(|cell| (cell, label.to_owned())).collect()
    };
    let options = Options {
        labels: [
            labelled("c5 d6 d5", "A"),
            labelled("g5 g6 h6 h7", "B"),
            labelled("b1 c2 d2 d1", "C"),
        ]
        .concat(),
        last_move: false,
        ..Options::default()
    };
    picture(
        "havannah-no-ring",
        &position,
        "No rings: a triangle, a rhombus, and a chain from the edge to the edge",
        options,
    )
}

fn before_the_swap() -> Picture {
    let (position, _) = played(start("4").under_swap_rule(), "c4", "");
    picture(
        "havannah-swap-before",
        &position,
        "White has placed the first stone",
        Options::default(),
    )
}

fn after_the_swap() -> Picture {
    let (position, _) = played(start("4").under_swap_rule(), "c4", "swap");
    picture(
        "havannah-swap-after",
        &position,
        "Black has swapped: the stone is black now",
        Options::default(),
    )
}

fn draw() -> Picture {
    let (position, _) = played(
        start("3"),
        "a3 c2 c1 d4 c4 b3 e4 a1 d5 d2",
        "b4 c3 a2 d3 e5 b2 b1 e3 c5",
    );
    assert_eq!(position.outcome(), Some(Outcome::Draw));
    picture(
        "havannah-draw",
        &position,
        "A drawn game: the board is full, and nobody has a structure",
        Options {
            last_move: false,
            ..Options::default()
        },
    )
}

fn uneven_sides() -> Picture {
    let position = start("4x4x5");
    let options = Options {
        highlighted: on_corners(&position),
        ..Options::default()
    };
    picture(
        "havannah-4x4x5",
        &position,
        "A board of size 4×4×5",
        options,
    )
}

/// Every cell with its name.
fn dialect(dialect: Dialect, name: &'static str) -> Picture {
    let position = start("4");
    let cells = position.geometry().cells().iter();
    let options = Options {
        title: Some(format!(
            "The cells of a board of size 4 in the {dialect} dialect"
        )),
        labels: cells
            .map(|&cell| (cell, position.write_move(Move::Place(cell), dialect)))
            .collect(),
        ..Options::default()
    };
    Picture {
        name,
        svg: position.svg(dialect, &options),
    }
}
