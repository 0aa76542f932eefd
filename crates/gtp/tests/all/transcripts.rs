//! Conversations with the answers that they had before: each file `NAME.gtp` of `transcripts` is put in,
//! and what comes out is compared with `NAME.out`. `BLESS=1` takes what comes out as what is expected.

use engine::BoardOptions;
use gtp::{Session, SessionOptions, serve};
use std::path::Path;
use std::{env, fs};

type Konane = Session<konane::Position>;

fn answers(game: &str, input: &[u8]) -> String {
    let options = SessionOptions {
        simulations: Some(100),
        ..SessionOptions::default()
    };
    let board = BoardOptions::default();
    let mut output = Vec::new();
    let served = match game {
        "havannah" => {
            let session = Session::<havannah::Position>::new(board, &options).expect("a session");
            serve(session, input, &mut output)
        }
        "hex" => {
            let session = Session::<hex::Position>::new(board, &options).expect("a session");
            serve(session, input, &mut output)
        }
        "konane" => {
            let session = Konane::new(board, &options).expect("a session");
            serve(session, input, &mut output)
        }
        game => panic!("no game {game}"),
    };
    served.expect("input and output in memory");
    String::from_utf8(output).expect("UTF-8")
}

#[test]
fn answers_are_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut compared = 0;
    for entry in fs::read_dir(&folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "gtp") {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy();
        let game = name.split('-').next().unwrap_or_default();
        let answered = answers(game, &fs::read(&path).expect("the input"));
        let expected = path.with_extension("out");
        if env::var_os("BLESS").is_some() {
            fs::write(&expected, &answered).expect("to write");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        assert!(
            answered == expected,
            "{name}: what is answered is not in the .out file (BLESS=1 puts it there):\n{answered}"
        );
        compared += 1;
    }
    assert!(compared >= 6, "only {compared} transcripts");
}
