//! The boards against the slow referee, position by position, in random games.

use super::referee::{self, Referee};
use game::random::{self, Rng};
use game::{Game, Notation, Outcome, Side};
use konane::shokry::DynamicBoard;
use konane::{
    BitBoard, Board, Cell, LargeBitBoard, NaiveBoard, Opening, PositionOn, Setup, Shape,
    SmallBitBoard, Start,
};
use std::collections::HashSet;

/// Rows, columns and the number of games for each opening.
const BOARDS: [(usize, usize, u32); 10] = [
    (1, 12, 2000),
    (2, 9, 2000),
    (3, 3, 1000),
    (4, 4, 1000),
    (4, 7, 500),
    (5, 5, 500),
    (6, 6, 300),
    (8, 8, 100),
    (14, 17, 8),
    (20, 20, 4),
];

#[test]
fn traditional_games() {
    for (rows, cols, games) in BOARDS {
        let referee = Referee::new(rows, cols, referee::Opening::Traditional);
        compare(&referee, Opening::Traditional, games);
    }
}

#[test]
fn games_that_begin_anywhere() {
    for (rows, cols, games) in BOARDS {
        let referee = Referee::new(rows, cols, referee::Opening::AnyStone);
        compare(&referee, Opening::AnyStone, games);
    }
}

#[test]
fn games_from_a_setup() {
    for (rows, cols, games) in BOARDS {
        let (row, col) = (rows / 2, cols / 2);
        for (setup, removed) in [
            ("corner", [(0, 0), (0, 1)]),
            ("centre", [(row, col), (row, col - 1)]),
        ] {
            let referee = Referee::without(rows, cols, removed);
            let setup = setup.parse::<Setup>().expect("a setup");
            compare(&referee, Opening::Removed(setup), games / 2);
        }
        if rows > 1 {
            for (setup, removed) in [
                ("corner-vertical", [(0, 0), (1, 0)]),
                ("centre-vertical", [(row, col), (row - 1, col)]),
                ("a2,b2", [(1, 0), (1, 1)]),
            ] {
                let referee = Referee::without(rows, cols, removed);
                let setup = setup.parse::<Setup>().expect("a setup");
                compare(&referee, Opening::Removed(setup), games / 4);
            }
        }
    }
}

/// The smallest boards, where games are over before they begin.
#[test]
fn games_that_hardly_begin() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1)] {
        let referee = Referee::new(rows, cols, referee::Opening::Traditional);
        compare(&referee, Opening::Traditional, 20);
    }
}

/// The same position on every kind of board that is large enough for it.
struct Boards {
    naive: PositionOn<NaiveBoard>,
    dynamic: PositionOn<DynamicBoard>,
    large: PositionOn<LargeBitBoard>,
    middle: Option<PositionOn<BitBoard<4>>>,
    small: Option<PositionOn<SmallBitBoard>>,
}

fn compare(start: &Referee, opening: Opening, games: u32) {
    let start_of_game = Start {
        shape: Shape::new(start.rows(), start.cols()).expect("a shape"),
        opening,
    };
    let mut rng = random::seeded(u64::from(games) + start.cols() as u64);
    for _ in 0..games {
        let mut referee = start.clone();
        let mut boards = Boards {
            naive: PositionOn::new(&start_of_game).expect("a start"),
            dynamic: PositionOn::new(&start_of_game).expect("a start"),
            large: PositionOn::new(&start_of_game).expect("a start"),
            middle: PositionOn::new(&start_of_game).ok(),
            small: PositionOn::new(&start_of_game).ok(),
        };
        let cells = start.rows() * start.cols();
        assert_eq!(boards.small.is_some(), cells <= 64);
        assert_eq!(boards.middle.is_some(), cells <= 256);
        while follow(&mut referee, &mut boards, &mut rng) {}
    }
}

/// Compares everything that can be seen, and plays a random move; `false` at the end of the game.
fn follow(referee: &mut Referee, boards: &mut Boards, rng: &mut Rng) -> bool {
    let moves = referee.moves();
    let hash = agree(referee, &moves, &boards.naive);
    assert_eq!(agree(referee, &moves, &boards.dynamic), hash);
    assert_eq!(agree(referee, &moves, &boards.large), hash);
    if let Some(middle) = &boards.middle {
        assert_eq!(agree(referee, &moves, middle), hash);
    }
    if let Some(small) = &boards.small {
        assert_eq!(agree(referee, &moves, small), hash);
    }
    if moves.is_empty() {
        return false;
    }

    let written = &moves[random::below(moves.len() as u32, rng) as usize];
    referee.play(written);
    play(&mut boards.naive, written);
    play(&mut boards.dynamic, written);
    play(&mut boards.large, written);
    if let Some(middle) = &mut boards.middle {
        play(middle, written);
    }
    if let Some(small) = &mut boards.small {
        play(small, written);
    }
    true
}

fn play<B: Board>(position: &mut PositionOn<B>, written: &str) {
    let mv = position.parse_move(written, ()).expect("a move");
    position.play(mv);
}

/// Checks a position against the referee's, and returns its hash.
fn agree<B: Board>(referee: &Referee, moves: &[String], position: &PositionOn<B>) -> u64 {
    let mut listed = Vec::new();
    position.legal_moves(&mut listed);
    let mut written: Vec<String> = listed.iter().map(ToString::to_string).collect();
    written.sort();
    assert_eq!(written, moves, "{position:?}");

    assert_eq!(letter(position.to_move()), referee.turn());
    let winner = moves.is_empty().then(|| Outcome::Win(!position.to_move()));
    assert_eq!(position.outcome(), winner, "{position:?}");

    let board = position.board();
    for row in 0..referee.rows() {
        for col in 0..referee.cols() {
            let cell = Cell::new(col, row).expect("a cell");
            let stone = board.stone(cell).map_or('.', letter);
            assert_eq!(stone, referee.at(row, col), "{cell} in {position:?}");
        }
    }
    for side in Side::BOTH {
        let jumps = referee.jumps(letter(side));
        let movable: HashSet<_> = jumps.iter().map(|jump| jump.from).collect();
        assert_eq!(board.pieces(side) as usize, referee.pieces(letter(side)));
        assert_eq!(board.moves(side) as usize, jumps.len(), "{position:?}");
        assert_eq!(board.movable(side) as usize, movable.len(), "{position:?}");
        assert_eq!(board.can_jump(side), !jumps.is_empty(), "{position:?}");
    }
    position.hash()
}

fn letter(side: Side) -> char {
    match side {
        Side::Black => 'b',
        Side::White => 'w',
    }
}
