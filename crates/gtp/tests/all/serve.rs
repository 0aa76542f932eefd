//! The conversation as such, whatever it is about.

use engine::BoardOptions;
use gtp::{MAX_LINE, Session, SessionOptions, serve};
use proptest::prelude::*;
use std::io::{self, ErrorKind, Write};

fn session() -> Session<havannah::Position> {
    let options = SessionOptions {
        simulations: Some(5),
        ..SessionOptions::default()
    };
    let board = BoardOptions::sized("3");
    Session::new(board, &options).expect("a session")
}

fn answers(input: &[u8]) -> String {
    let mut output = Vec::new();
    serve(session(), input, &mut output).expect("input and output in memory");
    String::from_utf8(output).expect("UTF-8")
}

#[test]
fn the_end_of_the_input_ends_the_conversation() {
    assert_eq!(answers(b""), "");
    assert_eq!(answers(b"name\n"), "= Papamu\n\n");
    assert_eq!(answers(b"name"), "= Papamu\n\n");
    assert_eq!(answers(b"quit\nname\n"), "= \n\n");
}

#[test]
fn line_breaks_of_every_kind_of_machine() {
    assert_eq!(
        answers(b"1 name\r\n\r\n2 name\r\n"),
        "=1 Papamu\n\n=2 Papamu\n\n"
    );
}

#[test]
fn what_is_not_utf_8_is_refused() {
    assert_eq!(
        answers(b"4 play white \xff\xfe\nname\n"),
        "?4 invalid UTF-8\n\n= Papamu\n\n"
    );
}

#[test]
fn a_line_of_a_megabyte_is_refused_and_the_next_is_read() {
    let mut input = vec![b'x'; 1 << 20];
    input.extend(b"\nname\n");
    assert_eq!(answers(&input), "? line too long\n\n= Papamu\n\n");
    assert_eq!(answers(&vec![b'7'; 1 << 20]), "? line too long\n\n");
}

#[test]
fn a_line_may_have_64_kib() {
    let line = |length: usize| format!("name{}\n", " ".repeat(length - 4));
    assert_eq!(answers(line(MAX_LINE).as_bytes()), "= Papamu\n\n");
    assert_eq!(
        answers(line(MAX_LINE + 1).as_bytes()),
        "? line too long\n\n"
    );
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(answers(b"version\n"), format!("= {version}\n\n"));
}

/// Counts what is written and flushed, and fails after so many flushes.
struct Pipe {
    unflushed: usize,
    flushes: usize,
    readable: usize,
    error: ErrorKind,
}

impl Write for &mut Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.flushes == self.readable {
            return Err(self.error.into());
        }
        self.unflushed += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unflushed = 0;
        self.flushes += 1;
        Ok(())
    }
}

#[test]
fn an_output_that_nobody_reads_any_more_is_the_end() {
    let mut pipe = Pipe {
        unflushed: 0,
        flushes: 0,
        readable: 2,
        error: ErrorKind::BrokenPipe,
    };
    let served = serve(session(), &b"name\nname\nname\nname\n"[..], &mut pipe);
    assert!(served.is_ok(), "{served:?}");
    // Each response was sent on its own.
    assert_eq!((pipe.flushes, pipe.unflushed), (2, 0));
}

#[test]
fn other_errors_of_the_output_are_errors() {
    let mut pipe = Pipe {
        unflushed: 0,
        flushes: 0,
        readable: 0,
        error: ErrorKind::StorageFull,
    };
    let error = serve(session(), &b"name\n"[..], &mut pipe).expect_err("an error");
    assert_eq!(error.kind(), ErrorKind::StorageFull);
}

/// The number of lines that are to be answered, by the letter of the specification: control characters
/// go, then comments, then lines of white space alone.
fn commands_in(input: &[u8]) -> usize {
    let mut commands = 0;
    for line in input.split(|&byte| byte == b'\n') {
        let mut line = line.to_vec();
        line.retain(|&byte| byte == b'\t' || (byte >= 32 && byte != 127));
        let comment = line.iter().position(|&byte| byte == b'#');
        line.truncate(comment.unwrap_or(line.len()));
        commands += usize::from(line.iter().any(|&byte| byte != b' ' && byte != b'\t'));
    }
    commands
}

proptest! {
    #[test]
    fn each_command_gets_one_response(
        input in proptest::collection::vec(
            prop_oneof![
                4 => any::<u8>(),
                2 => Just(b' '),
                3 => Just(b'\n'),
                1 => Just(b'\r'),
                1 => Just(b'#'),
                2 => b'0'..=b'9',
            ],
            0..400,
        ),
    ) {
        let answered = answers(&input);
        let responses: Vec<&str> = answered.split_terminator("\n\n").collect();
        prop_assert_eq!(responses.len(), commands_in(&input));
        for response in responses {
            prop_assert!(response.starts_with(['=', '?']), "{:?}", response);
        }
    }

    #[test]
    fn words_that_mean_something_get_one_response_too(
        lines in proptest::collection::vec(
            "[1-3]? ?(genmove|play|undo|showboard|time|set|nonsense|boardsize|playgame) [ -~]{0,12}",
            0..20,
        ),
    ) {
        let input = lines.join("\n");
        let answered = answers(input.as_bytes());
        prop_assert_eq!(answered.split_terminator("\n\n").count(), commands_in(input.as_bytes()));
    }
}
