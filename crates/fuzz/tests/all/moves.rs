//! The move parsers of both games: any text is a move or an error, and a move is read back as it is
//! written.

use engine::{BoardOptions, Playable};
use havannah::Dialect;

const DICTIONARY: &[&str] = &[
    "a", "d", "g", "h", "aa", "ac", "1", "4", "7", "12", "29", "-", "swap", "resign", " ", ",",
    ";", "1.", "d4", "b2", "a1-a3", "D4", "0", "+", "é",
];

fn check<G: Playable>(start: &G, text: &str, dialect: G::Dialect) {
    if let Ok(mv) = start.parse_move(text, dialect) {
        let written = start.write_move(mv, dialect);
        assert_eq!(start.parse_move(&written, dialect), Ok(mv), "{text:?}");
        let mut position = start.clone();
        if position.try_play(mv).is_err() {
            assert!(
                position == *start,
                "a refused {text:?} changed the position"
            );
        }
    }
    let _ = start.clone().play_list(text, dialect);
}

#[test]
fn read() {
    let options = |size: &str| BoardOptions::sized(size);
    let boards: Vec<havannah::Position> = ["4", "3x4x5", "15"]
        .iter()
        .map(|size| Playable::start(&options(size)).expect("a board"))
        .collect();
    let konane = konane::Position::start(&options("12")).expect("a board");
    let check_text = bolero::check!().with_iterations(20_000).with_max_len(40);
    check_text.for_each(|bytes: &[u8]| {
        let input = fuzz::input(bytes, DICTIONARY);
        let text = String::from_utf8_lossy(&input);
        for board in &boards {
            for dialect in Dialect::ALL {
                check(board, &text, dialect);
            }
        }
        check(&konane, &text, ());
    });
}
