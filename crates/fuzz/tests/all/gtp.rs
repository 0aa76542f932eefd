//! The reader of GTP lines: any bytes are a command, nothing, or an error, and a session answers each
//! command once and goes on.

use engine::BoardOptions;
use gtp::{Session, SessionOptions, parse_line, serve};

const DICTIONARY: &[&str] = &[
    "\n",
    " ",
    "#",
    "1",
    "17 ",
    "play",
    "genmove",
    "boardsize",
    "clear_board",
    "undo",
    "showboard",
    "white",
    "b",
    "d4",
    "a1",
    "swap",
    "4",
    "3x4x4",
    "playgame",
    "time_settings",
    "time_left",
    "time",
    "-m",
    "0.01",
    "known_command",
    "list_commands",
    "all_legal",
    "havannah_winner",
    "dialect",
    "row",
    "player",
    "random",
    "set",
    "seed",
    "komi",
    "quit",
    "\r",
    "\t",
    "é",
];

#[test]
fn read() {
    let board = BoardOptions::sized("3");
    let options = SessionOptions {
        player: Some("random".to_owned()),
        ..SessionOptions::default()
    };
    let check = bolero::check!().with_iterations(5_000).with_max_len(60);
    check.for_each(|bytes: &[u8]| {
        let input = fuzz::input(bytes, DICTIONARY);
        for line in input.split(|&byte| byte == b'\n') {
            let _ = parse_line(line);
        }
        let session = Session::<havannah::Position>::new(board.clone(), &options);
        let mut output = Vec::new();
        serve(session.expect("a session"), &input[..], &mut output).expect("memory does not fail");
        assert!(output.is_empty() || output.ends_with(b"\n\n"));
    });
}
