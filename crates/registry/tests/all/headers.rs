//! What a folder of certificates shows is never taken for an answer to another question.

use engine::{BoardOptions, Playable, certificate_header};
use game::Outcome;

/// Two boards that some option tells apart have different headers, or no certificates. `without` boards have
/// no certificates.
fn check<G: Playable>(boards: &[BoardOptions], without: usize) {
    // A new option has to be thought of here.
    for option in G::OPTIONS {
        let of_option = |board: &&BoardOptions| board.get(option.name).is_some();
        assert!(
            boards.iter().any(|board| of_option(&board)),
            "{}",
            option.name
        );
    }
    let mut headers = Vec::new();
    for board in boards {
        let position = G::start(board).expect("a board");
        if let Ok(header) = certificate_header(&position, board, Vec::new(), Outcome::Draw) {
            assert!(!headers.contains(&header), "{header:?} of {board:?}");
            let options = G::options_of_certified(&header.board).expect("a board");
            let again = G::start(&options).expect("a board");
            assert_eq!(again.hash(), position.hash(), "{header:?}");
            headers.push(header);
        }
    }
    assert_eq!(headers.len(), boards.len() - without);
}

#[test]
fn every_option_of_a_board_is_in_the_header() {
    let of = BoardOptions::default;
    let havannah = [
        of(),
        BoardOptions::sized(5),
        BoardOptions::sized("4x4x5"),
        BoardOptions::sized("4x5x4"),
        of().with("swap", "yes"),
        BoardOptions::sized(5).with("swap", "yes"),
        of().with("stones", "white a1 black c3"),
        of().with("stones", "black a1 white c3"),
        of().with("stones", "white a1 black c3")
            .with("turn", "black"),
    ];
    check::<havannah::Position>(&havannah, 2);
    let konane = [
        of(),
        BoardOptions::sized(6),
        of().with("rows", 6).with("cols", 7),
        of().with("rows", 7).with("cols", 6),
        of().with("setup", "corner"),
        of().with("setup", "corner-vertical"),
        of().with("setup", "centre"),
        of().with("setup", "d4,e4"),
        of().with("opening", "any"),
        of().with("stones", "black b2 white c2"),
        of().with("stones", "black b2 white c2")
            .with("turn", "white"),
    ];
    check::<konane::Position>(&konane, 0);
}
