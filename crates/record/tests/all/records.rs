//! Records of either game, good and bad.

use engine::Playable;
use game::{Game, Outcome, Side};
use havannah::Dialect;
use record::{Converted, End, Form, ReadError, Record, converted, read, to_sgf};

fn replayed<G: Playable>(text: &str) -> Result<Record<G>, ReadError> {
    let game = read(text.as_bytes())?.pop().expect("a game");
    game.replay(None)
}

fn havannah(text: &str) -> Record<havannah::Position> {
    replayed(text).expect("a board")
}

fn konane(text: &str) -> Record<konane::Position> {
    replayed(text).expect("a board")
}

fn refused(text: &str) -> String {
    let refused = match read(text.as_bytes()).map(|mut games| games.pop().expect("a game")) {
        Err(why) => Some(why),
        Ok(game) if game.game() == Some("konane") => game.replay::<konane::Position>(None).err(),
        Ok(game) => game.replay::<havannah::Position>(None).err(),
    };
    refused.expect("no game").to_string()
}

fn fault(text: &str) -> String {
    havannah(text).fault.expect("a fault").to_string()
}

#[test]
fn a_dialect_is_found_by_the_cells_it_lacks() {
    // g1 is no cell of the grid dialect, g7 none of the row dialect.
    assert_eq!(havannah("(;SZ[4];W[g1])").dialect, Dialect::Row);
    assert_eq!(havannah("(;SZ[4];W[g7])").dialect, Dialect::Grid);
    // Where both fit, the file may say, or look like Little Golem's.
    assert_eq!(havannah("(;SZ[4];W[g4])").dialect, Dialect::Grid);
    assert_eq!(havannah("(;SZ[4]RU[LG];W[g4])").dialect, Dialect::Row);
    assert_eq!(havannah("(;SZ[4]DIALECT[row];W[g4])").dialect, Dialect::Row);
}

#[test]
fn a_dialect_is_found_by_the_move_that_ends_the_game() {
    // In the row dialect e1 is beside d1: with a1 to d1 that joins two corners on the last move.
    let game = "(;SZ[4];W[a1];B[d5];W[b1];B[d6];W[c1];B[e4];W[d1])";
    assert_eq!(havannah(game).end(), End::Structure);
}

#[test]
fn swaps_are_admitted_and_recolour_the_stone() {
    let game = havannah("(;SZ[4];W[d4];B[swap];W[c3])");
    assert_eq!(game.fault, None);
    assert_eq!(game.last.ply(), 3);
    assert_eq!(game.last.to_move(), Side::Black);
    let first = game.last.geometry().cell_at(3, 3).expect("d4");
    assert_eq!(game.last.board().stone(first), Some(Side::Black));
    assert!(fault("(;SZ[4];W[d4];B[c3];W[swap])").contains("swap"));
}

#[test]
fn faults_name_the_move() {
    assert_eq!(
        fault("(;SZ[4];W[d4];B[d4])"),
        "move 2 (d4): the cell holds a white stone already"
    );
    assert_eq!(
        fault("(;SZ[4];W[d4];W[d5])"),
        "move 2 (d5): it is black's turn"
    );
    assert!(fault("(;SZ[4];W[z9])").starts_with("move 1 (z9): the rows of a board"));
    assert!(fault("(;SZ[4];W[d4];B[resign];W[d5])").contains("black has resigned already"));
    let over = "(;SZ[2];W[a1];B[b2];W[a2];B[b3])";
    assert_eq!(fault(over), "move 4 (b3): the game is over");
    assert_eq!(havannah(over).end(), End::Error);
    assert_eq!(havannah(over).winner(), None);
}

#[test]
fn files_that_are_no_games_are_refused() {
    assert!(refused("(;W[d4])").contains("no board size"));
    assert!(refused("(;SZ[99];W[d4])").contains("not a board size"));
    assert!(refused("(;SZ[4]AE[d4])").contains("AE"));
    assert!(refused("(;SZ[4]AB[d4]PL[red])").contains("PL[red]: expected W or B"));
    assert!(refused("(;SZ[4]AB[z9])").contains("AB[z9]: "));
    assert!(refused("(;SZ[4]AB[a1][a2][a3][a4])").contains("black has a bridge already"));
    assert!(refused("(;SZ[4]AB[a1]AW[a1])").contains("two stones on a1"));
    assert!(refused("(;GM[1]SZ[19];B[aa])").contains("a game of 1"));
    assert!(refused("(;SZ[4];W[d4").contains("line 1"));
    assert!(refused("").contains("empty"));
    assert!(refused("chess 8\ne4").contains("a game of chess"));
    assert!(refused("hello\ne4").contains("havannah 8"));
    assert!(refused("konane 6x x").contains("names no board"));
}

#[test]
fn a_position_that_is_set_up_is_read_and_written_in_every_dialect() {
    let game = havannah("(;SZ[4]AB[d4][e5]AW[a1]PL[B];B[c3];W[b2])");
    assert_eq!(game.fault, None);
    assert_eq!(game.options.get("stones"), Some("white a1 black d4 e5"));
    assert_eq!(
        (game.start.to_move(), game.last.empty_cells()),
        (Side::Black, 37 - 5)
    );
    // g1 is a cell of the row dialect alone: the stones are read in it too.
    let row = havannah("(;SZ[4]AB[g1]AW[a1];W[b2])");
    assert_eq!(
        (row.dialect, row.start.to_move()),
        (Dialect::Row, Side::White)
    );
    for record in [&game, &row] {
        for dialect in [Dialect::Grid, Dialect::Row] {
            let Ok(Converted::Tree(tree)) = converted(record, Form::Sgf, Some(dialect)) else {
                panic!("no tree");
            };
            let again = havannah(&tree.to_string());
            assert_eq!(
                (again.dialect, &again.options),
                (dialect, &record.options),
                "{tree}"
            );
            assert_eq!(
                (again.last == record.last, again.fault),
                (true, None),
                "{tree}"
            );
        }
        let written = to_sgf(record).to_string();
        assert!(havannah(&written).last == record.last, "{written}");
    }
    let konane = konane("(;GM[konane]SZ[4:4]AB[a1]AW[b1][d1]PL[B];B[a1-c1])");
    assert_eq!((konane.fault, konane.moves.len()), (None, 1));
    let refused = converted(&game, Form::List, None).expect_err("a list");
    assert!(refused.to_string().contains("write SGF"));
}

#[test]
fn little_golem_has_the_swap_rule_on_small_boards() {
    for (file, may_swap) in [
        ("(;SZ[8]RU[LG];W[d4];B[c3])", true),
        ("(;SZ[8]SO[http://www.littlegolem.com];W[d4];B[c3])", true),
        ("(;SZ[4]RU[LG])", true),
        ("(;SZ[9]RU[LG];W[d4];B[c3])", false),
        ("(;SZ[10]RU[LG,swap];W[d4];B[c3])", true),
        ("(;SZ[8];W[d4];B[c3])", false),
        ("(;SZ[8]RU[swap];W[d4];B[c3])", true),
        ("(;SZ[8]RU[LG]AB[a1]AW[b1];W[d4];B[c3])", false),
    ] {
        let game = havannah(file);
        assert_eq!(game.fault, None, "{file}");
        assert_eq!(game.options.has("swap"), may_swap, "{file}");
        assert_eq!(game.start.swap_rule(), may_swap, "{file}");
        // A file that is written says the same.
        let again = havannah(&to_sgf(&game).to_string());
        assert_eq!(again.options, game.options, "{file}");
    }
}

#[test]
fn lists_of_moves_are_games() {
    let game = havannah("# a game\nhavannah 4\n1. d4 swap\n2. c3, e5; # and on\n");
    assert_eq!((game.fault.clone(), game.moves.len()), (None, 4));
    let game = konane("konane 6x8 centre\nd2-d4");
    assert_eq!(
        (game.start.shape().rows(), game.start.shape().cols()),
        (6, 8)
    );
}

#[test]
fn games_of_konane_are_written_and_read_back() {
    for (start, moves) in [
        ("SZ[4:3]", &["a1", "b1"][..]),
        ("SZ[6]RU[any]", &["c1", "d1"]),
        ("SZ[4]SU[corner]", &[]),
        ("SZ[4]SU[b2,b3]", &[]),
    ] {
        let mut text = format!("(;FF[4]GM[konane]{start}");
        for (ply, mv) in moves.iter().enumerate() {
            text += &format!(";{}[{mv}]", if ply % 2 == 0 { "B" } else { "W" });
        }
        let mut game = konane(&(text + ")"));
        assert_eq!(game.fault, None, "{start}");
        while game.last.outcome().is_none() {
            let mut legal = Vec::new();
            game.last.legal_moves(&mut legal);
            game.last.play(legal[legal.len() / 2]);
            game.moves.push(legal[legal.len() / 2]);
        }
        let again = konane(&to_sgf(&game).to_string());
        assert_eq!(again.moves, game.moves, "{start}");
        assert_eq!(again.end(), End::NoMoves);
        assert!(matches!(again.winner(), Some(Outcome::Win(_))));
        assert_eq!(again.claimed, again.winner());
    }
}

#[test]
fn unknown_properties_do_no_harm() {
    let game = havannah("(;SZ[5]XX[odd]PB[Ann];W[a1]C[good]ZZ[1][2];B[b2])");
    assert_eq!((game.fault, game.moves.len()), (None, 2));
}
