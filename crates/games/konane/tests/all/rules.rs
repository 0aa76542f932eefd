//! Rules and promises that deserve an example of their own.

use game::{Game, Notation, Outcome, Picture, Side};
use konane::shokry::DynamicBoard;
use konane::{
    Board, Cell, LargeBitBoard, Move, NaiveBoard, Opening, PositionOn, Setup, Shape, SmallBitBoard,
    Stage, Start,
};

fn start<B: Board>(rows: usize, cols: usize, opening: Opening) -> PositionOn<B> {
    let shape = Shape::new(rows, cols).expect("a shape");
    PositionOn::new(&Start { shape, opening }).expect("a start")
}

/// A position from its picture: rows from the top, `.` for an empty cell. The colours follow from the
/// cells, so they are only there for the reader.
fn pictured<B: Board>(rows: &[&str], to_move: Side) -> PositionOn<B> {
    let shape = Shape::new(rows.len(), rows[0].len()).expect("a shape");
    let letter = |cell: Cell| rows[rows.len() - 1 - cell.row()].as_bytes()[cell.col()];
    let board = B::new(shape, |cell| letter(cell) != b'.');
    let position = PositionOn::from_board(board, to_move);
    for (row, drawn) in rows.iter().zip(position.picture(()).lines()) {
        assert_eq!(
            drawn[3..].replace(' ', ""),
            *row,
            "a stone of the wrong colour"
        );
    }
    position
}

fn legal<B: Board>(position: &PositionOn<B>) -> String {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let written: Vec<String> = moves.iter().map(Move::to_string).collect();
    written.join(" ")
}

fn refusal<B: Board>(position: &PositionOn<B>, text: &str) -> String {
    let refused = text.parse::<Move>().map(|mv| position.check(mv));
    refused.expect(text).expect_err(text).to_string()
}

#[test]
fn the_opening_of_the_thesis_on_eight_by_eight() {
    let mut position = start::<SmallBitBoard>(8, 8, Opening::Traditional);
    assert_eq!(legal(&position), "a1 d4 e5 h8");
    assert_eq!(refusal(&position, "b1"), "b1 holds a stone of the opponent");
    assert_eq!(
        refusal(&position, "c1"),
        "c1 is neither in a corner nor in the centre"
    );
    assert_eq!(
        refusal(&position, "a1-c1"),
        "the game begins with the removal of a stone of each colour, then stones jump"
    );

    position.play(position.parse_move("d4", ()).expect("d4"));
    assert_eq!(legal(&position), "d3 c4 e4 d5");
    assert_eq!(refusal(&position, "d4"), "d4 is empty");
    assert_eq!(
        refusal(&position, "b1"),
        "b1 is not beside d4, where Black removed a stone"
    );

    position.play(position.parse_move("e4", ()).expect("e4"));
    assert_eq!(position.stage(), Stage::Jumping);
    assert_eq!(position.ply(), 2);
    assert_eq!(position.to_move(), Side::Black);
    assert_eq!(
        refusal(&position, "a1"),
        "the opening is over: no stone is removed any more, stones jump"
    );
    let removed = start::<SmallBitBoard>(8, 8, Opening::Removed("d4,e4".parse().expect("a setup")));
    assert!(position == removed);
    assert_eq!(position.hash(), removed.hash());
}

#[test]
fn any_black_stone_may_be_the_first() {
    let position = start::<NaiveBoard>(2, 3, Opening::AnyStone);
    assert_eq!(legal(&position), "a1 c1 b2");
}

#[test]
fn on_a_single_cell_white_loses() {
    let mut position = start::<SmallBitBoard>(1, 1, Opening::Traditional);
    assert_eq!(position.outcome(), None);
    position.play(Move::Remove(Cell::new(0, 0).expect("a1")));
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::Black)));
    assert_eq!(refusal(&position, "a1"), "the game is over");
}

#[test]
fn every_landing_cell_is_a_move() {
    fn check<B: Board>() {
        let along = pictured::<B>(&["XO.O.O.."], Side::Black);
        assert_eq!(legal(&along), "a1-c1 a1-e1 a1-g1");
        let up = pictured::<B>(&[".", ".", "O", ".", "O", ".", "O", "X"], Side::Black);
        assert_eq!(legal(&up), "a1-a3 a1-a5 a1-a7");
        for mv in ["a1-a3", "a1-a5", "a1-a7"] {
            let mut landed = up.clone();
            landed.play(mv.parse().expect(mv));
            let captured = (mv.as_bytes()[4] - b'1') / 2;
            assert_eq!(landed.board().pieces(Side::White), 3 - u32::from(captured));
            assert_eq!(landed.board().pieces(Side::Black), 1);
        }
    }
    check::<SmallBitBoard>();
    check::<LargeBitBoard>();
    check::<NaiveBoard>();
    check::<DynamicBoard>();
}

#[test]
fn jumps_that_are_refused() {
    let position = pictured::<NaiveBoard>(&["XO.O..", "O.O...", "X.XO.O"], Side::Black);
    let not_straight = "a jump goes 2, 4, 6… cells in a straight line";
    for (mv, why) in [
        ("a1-c1", "there is no stone to jump over on b1"),
        ("a1-a3", "a stone cannot land on a3, which is not empty"),
        ("b1-d1", "b1 is empty"),
        ("d1-b1", "d1 holds a stone of the opponent"),
        ("c1-c1", not_straight),
        ("c1-d1", not_straight),
        ("a3-c1", not_straight),
        (
            "c1-g1",
            "g1 is off the board: the cells of a 3×6 board are a1 to f3",
        ),
        (
            "c1-c5",
            "c5 is off the board: the cells of a 3×6 board are a1 to f3",
        ),
    ] {
        assert_eq!(refusal(&position, mv), why, "{mv}");
    }
}

/// Searches without an ordering of their own depend on the order in which a board lists its jumps.
#[test]
fn each_board_has_its_order() {
    let rows = ["XO.O..", "O.O...", "X.XO.O"];
    let row_by_row = "c1-e1 c1-c3 a3-c3 a3-e3";
    assert_eq!(
        legal(&pictured::<NaiveBoard>(&rows, Side::Black)),
        row_by_row
    );
    assert_eq!(
        legal(&pictured::<DynamicBoard>(&rows, Side::Black)),
        row_by_row
    );
    let by_length = "c1-e1 a3-c3 c1-c3 a3-e3";
    assert_eq!(
        legal(&pictured::<SmallBitBoard>(&rows, Side::Black)),
        by_length
    );
}

#[test]
fn on_the_dynamic_board_the_freshest_come_first() {
    let mut position = start::<DynamicBoard>(6, 6, Opening::Removed(Setup::Centre));
    assert_eq!(legal(&position), "d2-d4 f4-d4 d6-d4");
    position.play("d2-d4".parse().expect("a move"));
    // The last three could jump before; the others are told from d3 and d4, in this order: b3 after f3,
    // e4, and last of all, from the end of the jump, d5.
    assert_eq!(
        legal(&position),
        "d5-d3 e4-c4 b3-d3 f3-d3 c2-c4 a4-c4 c6-c4"
    );
}

#[test]
fn what_decides_the_game_decides_the_hash() {
    let hash = |rows, cols, opening| start::<NaiveBoard>(rows, cols, opening).hash();
    let full = pictured::<NaiveBoard>(&["OX", "XO"], Side::Black);
    let hashes = [
        hash(2, 2, Opening::Traditional),
        hash(2, 2, Opening::AnyStone),
        hash(2, 3, Opening::Traditional),
        hash(3, 2, Opening::Traditional),
        hash(2, 2, Opening::Removed(Setup::Corner)),
        hash(2, 2, Opening::Removed(Setup::CornerVertical)),
        full.hash(),
        pictured::<NaiveBoard>(&["OX", "XO"], Side::White).hash(),
    ];
    let different: std::collections::HashSet<u64> = hashes.into_iter().collect();
    assert_eq!(different.len(), hashes.len());
}

#[test]
fn explored_positions_come_back_whatever_is_played_on_them() {
    fn check<B: Board>(start: &PositionOn<B>) {
        let mut rng = game::random::seeded(5);
        let mut position = start.clone();
        while let Some(mv) = position.random_move(&mut rng) {
            let before = (format!("{position:?}"), legal(&position), position.hash());
            position.explore(mv, |child| {
                while let Some(reply) = child.random_move(&mut rng) {
                    child.explore(reply, |grandchild| {
                        if let Some(mv) = grandchild.random_move(&mut rng) {
                            grandchild.play(mv);
                        }
                    });
                    child.play(reply);
                }
            });
            let after = (format!("{position:?}"), legal(&position), position.hash());
            assert_eq!(after, before);
            position.play(mv);
        }
    }
    for (rows, cols) in [(2, 9), (4, 4), (6, 6), (8, 8)] {
        for opening in [Opening::AnyStone, Opening::Removed(Setup::Centre)] {
            check(&start::<NaiveBoard>(rows, cols, opening));
            check(&start::<DynamicBoard>(rows, cols, opening));
            check(&start::<SmallBitBoard>(rows, cols, opening));
            check(&start::<LargeBitBoard>(rows, cols, opening));
        }
    }
}

#[test]
fn a_copy_made_on_an_excursion_lives_on() {
    let mut position = start::<DynamicBoard>(6, 6, Opening::Removed(Setup::Centre));
    let mv = position.parse_move("d2-d4", ()).expect("a move");
    let mut copy = position.explore(mv, |child| child.clone());
    position.play(mv);
    assert!(copy == position);
    let mut rng = game::random::seeded(3);
    while let Some(mv) = copy.random_move(&mut rng) {
        copy.play(mv);
        position.play(mv);
        assert!(copy == position);
    }
}
