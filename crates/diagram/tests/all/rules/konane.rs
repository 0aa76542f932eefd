//! The pictures of Kōnane.

use super::Picture;
use diagram::{Drawn, Options};
use game::{Game, Notation, Outcome, Side};
use konane::{AnyBitBoard, Board, Cell, Move, Opening, Position, Setup, Shape, Start};

pub fn pictures() -> Vec<Picture> {
    let mut pictures = vec![
        start_position(),
        black_removes(),
        white_removes(),
        first_jump(),
        after_the_first_jump(),
        multi_jump(),
        after_the_multi_jump(),
        end(),
    ];
    pictures.extend(setups());
    pictures
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
        svg: position.svg((), &options),
    }
}

/// A 6×6 board after some moves.
fn played(opening: Opening, moves: &str) -> Position {
    let shape = Shape::new(6, 6).expect("a shape");
    let mut position = Position::new(&Start { shape, opening }).expect("a start");
    play(&mut position, moves);
    position
}

fn play(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text, ()).expect("a move"));
    }
}

fn legal(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.sort_unstable();
    moves
}

fn removals(position: &Position) -> Vec<Cell> {
    let removal = |mv| match mv {
        Move::Remove(cell) => Some(cell),
        Move::Jump { .. } => None,
    };
    legal(position).into_iter().filter_map(removal).collect()
}

fn jumps(position: &Position) -> Vec<(Cell, Cell)> {
    let jump = |mv| match mv {
        Move::Jump { from, to } => Some((from, to)),
        Move::Remove(_) => None,
    };
    legal(position).into_iter().filter_map(jump).collect()
}

fn start_position() -> Picture {
    picture(
        "konane-start",
        &played(Opening::Traditional, ""),
        "The start: every cell holds a stone",
        Options::default(),
    )
}

fn black_removes() -> Picture {
    let position = played(Opening::Traditional, "");
    let options = Options {
        highlighted: removals(&position),
        ..Options::default()
    };
    picture(
        "konane-black-removes",
        &position,
        "Black may remove one of four stones",
        options,
    )
}

fn white_removes() -> Picture {
    let position = played(Opening::Traditional, "d4");
    let options = Options {
        highlighted: removals(&position),
        ..Options::default()
    };
    picture(
        "konane-white-removes",
        &position,
        "White may remove one of the four stones beside the gap on d4",
        options,
    )
}

fn first_jump() -> Picture {
    let position = played(Opening::Traditional, "d4 c4");
    let options = Options {
        arrows: jumps(&position),
        last_move: false,
        ..Options::default()
    };
    picture("konane-jumps", &position, "Black's three jumps", options)
}

fn after_the_first_jump() -> Picture {
    picture(
        "konane-jumped",
        &played(Opening::Traditional, "d4 c4 d2-d4"),
        "Black has jumped from d2 to d4 and captured d3",
        Options::default(),
    )
}

/// A black stone that can jump once, twice or three times, and not round the corner.
fn before_the_multi_jump() -> Position {
    let shape = Shape::new(4, 8).expect("a shape");
    let stones = ["b2", "c2", "e2", "g2", "d3", "a1", "f4", "g4", "h4", "a4"];
    let cells = stones.map(cell);
    let board = AnyBitBoard::new(shape, |cell| cells.contains(&cell));
    Position::from_board(board, Side::Black)
}

fn cell(text: &str) -> Cell {
    text.parse().expect("a cell")
}

fn multi_jump() -> Picture {
    let options = Options {
        arrows: [("b2", "d2"), ("d2", "f2"), ("f2", "h2")]
            .map(|(from, to)| (cell(from), cell(to)))
            .into(),
        labels: vec![(cell("d4"), "no".to_owned())],
        ..Options::default()
    };
    picture(
        "konane-multi-jump",
        &before_the_multi_jump(),
        "The black stone on b2 can jump to d2, f2 or h2, but not round the corner to d4",
        options,
    )
}

fn after_the_multi_jump() -> Picture {
    let mut position = before_the_multi_jump();
    play(&mut position, "b2-f2");
    picture(
        "konane-multi-jumped",
        &position,
        "Black has jumped twice, from b2 to f2, and captured c2 and e2",
        Options::default(),
    )
}

fn end() -> Picture {
    let position = played(
        Opening::Traditional,
        "d4 e4 b4-d4 c2-c4 c5-c3 e2-e4 b2-b4 b5-b3 c3-e3 d5-d3 e3-c3 b3-d3 f4-d4 d3-d5 f6-f4 e6-e4 \
         f4-d4 c6-e6 f2-f4 d5-d3 d2-d4 a6-c6",
    );
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::White)));
    picture(
        "konane-end",
        &position,
        "The end: Black is to jump and cannot, so White has won",
        Options::default(),
    )
}

fn setups() -> Vec<Picture> {
    let named = [
        ("konane-corner", Setup::Corner),
        ("konane-corner-vertical", Setup::CornerVertical),
        ("konane-centre", Setup::Centre),
        ("konane-centre-vertical", Setup::CentreVertical),
    ];
    let drawn = named.map(|(name, setup)| {
        let title = format!("The setup {setup}");
        let position = played(Opening::Removed(setup), "");
        picture(name, &position, &title, Options::default())
    });
    drawn.into()
}
