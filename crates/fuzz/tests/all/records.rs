//! Games in files: any bytes are games or an error, and every move of a game is legal.

use engine::Playable;
use record::RawGame;
use registry::{GameName, with_game};

const DICTIONARY: &[&str] = &[
    "(;",
    "(",
    ")",
    ";",
    "W",
    "B",
    "W[",
    "B[",
    "]",
    "SZ[4]",
    "SZ[2]",
    "SZ[3:2]",
    "GM[konane]",
    "SU[corner]",
    "RU[LG]",
    "RU[any]",
    "DIALECT[row]",
    "RE[W]",
    "[a1]",
    "[b1]",
    "[B2]",
    "[c3]",
    "[a1-c1]",
    "[swap]",
    "[resign]",
    "havannah 2\n",
    "konane 3x4 centre\n",
    "a1",
    "b2",
    "swap",
    " ",
    "1.",
    "#",
    "\n",
];

#[test]
fn read() {
    let check = bolero::check!().with_iterations(50_000).with_max_len(120);
    check.for_each(|bytes: &[u8]| {
        let games = record::read(&fuzz::input(bytes, DICTIONARY));
        for raw in games.into_iter().flatten() {
            if let Ok(game) = GameName::of_file(raw.game()) {
                with_game!(game, G => check_game::<G>(&raw));
            }
        }
    });
}

fn check_game<G: Playable>(raw: &RawGame) {
    let Ok(record) = raw.replay::<G>(None) else {
        return;
    };
    let mut position = record.start.clone();
    for &mv in &record.moves {
        position.play(mv);
    }
    assert!(position == record.last);
    let _ = (record.end(), record.winner());
}
