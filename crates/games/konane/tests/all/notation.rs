//! Reading and writing: what is read back, what is refused and in which words, and that nothing panics.

use game::{Notation, Picture};
use konane::{Cell, Move, NaiveBoard, Opening, PositionOn, Setup, Shape, Start};
use proptest::prelude::*;

fn position(rows: usize, cols: usize) -> PositionOn<NaiveBoard> {
    let start = Start {
        shape: Shape::new(rows, cols).expect("a shape"),
        opening: Opening::Traditional,
    };
    PositionOn::new(&start).expect("a start")
}

/// A cell of the largest square board.
fn any_cell() -> impl Strategy<Value = Cell> {
    (0..20_usize, 0..20_usize).prop_map(|(col, row)| Cell::new(col, row).expect("a cell"))
}

fn any_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        any_cell().prop_map(Move::Remove),
        (any_cell(), any_cell()).prop_map(|(from, to)| Move::Jump { from, to }),
    ]
}

/// Text of the letters that moves and setups are made of, which is more often nearly right.
fn nearly_notation() -> impl Strategy<Value = String> {
    "[a-uA-U0-9,. \\-]{0,8}|[a-t][0-9]{1,30}([-,][a-t][0-9]{1,2})?"
}

proptest! {
    #[test]
    fn moves_are_read_back(mv in any_move()) {
        let text = mv.to_string();
        prop_assert_eq!(text.parse::<Move>(), Ok(mv));
        prop_assert_eq!(text.to_uppercase().parse::<Move>(), Ok(mv));
        prop_assert_eq!(position(20, 20).parse_move(&text, ()), Ok(mv));
    }

    #[test]
    fn setups_are_read_back(first in any_cell(), second in any_cell()) {
        for setup in [
            Setup::Corner,
            Setup::CornerVertical,
            Setup::Centre,
            Setup::CentreVertical,
            Setup::Pair(first, second),
        ] {
            prop_assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup));
            prop_assert_eq!(setup.to_string().to_uppercase().parse::<Setup>(), Ok(setup));
        }
    }

    #[test]
    fn any_text_is_a_move_of_the_board_or_an_error(
        text in prop_oneof![any::<String>(), nearly_notation()],
        rows in 1..=20_usize,
        cols in 1..=20_usize,
    ) {
        let position = position(rows, cols);
        if let Ok(mv) = position.parse_move(&text, ()) {
            let cells = match mv {
                Move::Remove(cell) => [cell, cell],
                Move::Jump { from, to } => [from, to],
            };
            prop_assert!(cells.iter().all(|&cell| position.shape().contains(cell)));
            prop_assert_eq!(position.parse_move(&position.write_move(mv, ()), ()), Ok(mv));
        }
    }

    #[test]
    fn any_text_is_a_setup_of_the_board_or_an_error(
        text in prop_oneof![any::<String>(), nearly_notation()],
        rows in 1..=20_usize,
        cols in 1..=20_usize,
    ) {
        let shape = Shape::new(rows, cols).expect("a shape");
        if let Ok(setup) = text.parse::<Setup>()
            && let Ok([first, second]) = setup.removed(shape)
        {
            prop_assert!(shape.contains(first) && shape.contains(second));
            prop_assert!(first.is_beside(second));
            prop_assert!(first.colour() != second.colour());
        }
    }

    #[test]
    fn steps_lead_to_the_cell_or_off_the_board(
        cell in any_cell(),
        steps in prop_oneof![0..25_usize, any::<usize>()],
    ) {
        use konane::Direction;
        for direction in Direction::ALL {
            if let Some(there) = cell.step(direction, steps) {
                let far = there.col().abs_diff(cell.col()) + there.row().abs_diff(cell.row());
                prop_assert_eq!(far, steps);
                prop_assert_eq!(there.step(direction.opposite(), steps), Some(cell));
            }
        }
    }
}

#[test]
fn moves_in_any_case_and_with_space_around() {
    let position = position(8, 8);
    for (text, written) in [
        ("d4", "d4"),
        (" H8 ", "h8"),
        ("D4-d8", "d4-d8"),
        ("a1 - c1", "a1-c1"),
    ] {
        let mv = position.parse_move(text, ()).expect(text);
        assert_eq!(position.write_move(mv, ()), written);
    }
}

#[test]
fn what_is_not_a_move_and_why() {
    let position = position(6, 8);
    let off_board = "the cells of a 6×8 board are a1 to h6";
    let malformed = "expected a cell such as d4, or a jump such as d4-d6";
    for (text, reason) in [
        ("", malformed),
        ("d", malformed),
        ("4d", malformed),
        ("d4-", malformed),
        ("d4-d6-d8", malformed),
        ("d+4", malformed),
        ("é4", malformed),
        ("d４", malformed),
        ("d7", off_board),
        ("d0", off_board),
        ("i1", off_board),
        ("z99", off_board),
        ("a1-a7", off_board),
        ("a99999999999999999999999", off_board),
    ] {
        let refused = position.parse_move(text, ()).expect_err(text);
        assert_eq!(refused.reason, reason, "{text}");
    }
}

#[test]
fn setups_and_the_pairs_they_remove() {
    for (rows, cols, setup, removed) in [
        (8, 8, "corner", "a1 b1"),
        (8, 8, "corner-vertical", "a1 a2"),
        (8, 8, "centre", "e5 d5"),
        (8, 8, "centre-vertical", "e5 e4"),
        (5, 5, "centre", "c3 b3"),
        (6, 9, "centre", "e4 d4"),
        (1, 2, "centre", "b1 a1"),
        (8, 8, "d4,e4", "d4 e4"),
        (8, 8, " E4 , D4 ", "e4 d4"),
    ] {
        let shape = Shape::new(rows, cols).expect("a shape");
        let pair = setup.parse::<Setup>().expect(setup).removed(shape);
        let [first, second] = pair.expect(setup);
        assert_eq!(format!("{first} {second}"), removed);
    }
}

#[test]
fn what_is_not_a_setup_and_why() {
    for (rows, cols, setup, why) in [
        (
            5,
            1,
            "corner",
            "the setup corner does not fit a 5×1 board, whose cells are a1 to a5",
        ),
        (
            5,
            1,
            "centre",
            "the setup centre does not fit a 5×1 board, whose cells are a1 to a5",
        ),
        (
            1,
            5,
            "centre-vertical",
            "the setup centre-vertical does not fit a 1×5 board, whose cells are a1 to e1",
        ),
        (
            4,
            4,
            "d4,e4",
            "the setup d4,e4 does not fit a 4×4 board, whose cells are a1 to d4",
        ),
        (
            8,
            8,
            "d4,e5",
            "d4 and e5 are not neighbours: the removed pair is a black stone and a white stone beside it",
        ),
        (
            8,
            8,
            "d4,d4",
            "d4 and d4 are not neighbours: the removed pair is a black stone and a white stone beside it",
        ),
    ] {
        let shape = Shape::new(rows, cols).expect("a shape");
        let start = Start {
            shape,
            opening: Opening::Removed(setup.parse().expect(setup)),
        };
        let refused = PositionOn::<NaiveBoard>::new(&start).expect_err(setup);
        assert_eq!(refused.to_string(), why);
    }
    for text in [
        "",
        "center",
        "d4",
        "d4,",
        "d4,e4,f4",
        "d4,y4",
        "corner vertical",
    ] {
        let refused = text.parse::<Setup>().expect_err(text);
        assert!(refused.to_string().contains("such as d4,e4"), "{text}");
    }
}

#[test]
fn the_picture_of_an_uneven_board_with_its_last_move() {
    let start = Start {
        shape: Shape::new(3, 12).expect("a shape"),
        opening: Opening::Removed(Setup::Corner),
    };
    let mut position = PositionOn::<NaiveBoard>::new(&start).expect("a start");
    let mv = position.parse_move("a3-a1", ());
    game::Game::play(&mut position, mv.expect("a move"));
    let drawn = position.draw((), &|_, stone, is_last| {
        if is_last {
            format!("[{stone}]")
        } else {
            stone.to_owned()
        }
    });
    let expected = "
 3 . O X O X O X O X O X O
 2 . X O X O X O X O X O X
 1 [X] . X O X O X O X O X O
   a b c d e f g h i j k l
";
    assert_eq!(drawn, expected.trim_start_matches('\n'));
}
