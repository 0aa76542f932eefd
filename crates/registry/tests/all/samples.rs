//! Certificates that the solvers write, for several tests.

use certificate::{Claim, Digest, Header, Promise, Provable, Writer, write};
use game::random::{self, Rng};
use game::{Game, Notation};
use havannah::Dialect;
use havannah::solver::{Params, Solver};
use konane::{Opening, Setup, Shape, Start, board_name};
use search::Limits;
use std::collections::HashMap;

/// Of both games, of regular boards and others, of wins and draws, with few stones and with many, with the
/// opening of Kōnane and without.
pub fn all() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (board, moves) in [
        ("2", ""),
        ("3", ""),
        ("3", "a1"),
        ("3", "b2 c1"),
        ("2x2x3", ""),
        ("2x3x3", "b2"),
        ("2x3x4", "a1 b2"),
        ("3x3x4", "c2 a1 d3"),
        ("3", "c3 a1 c1 b1 e5 d5 a3 b4"),
    ] {
        all.push(havannah(board, moves));
    }
    for (rows, cols, opening, moves) in [
        (4, 4, Opening::Removed(Setup::Corner), ""),
        (4, 5, Opening::Removed(Setup::CentreVertical), ""),
        (5, 5, Opening::Removed(Setup::Corner), "a3-a1"),
        (3, 6, Opening::Traditional, ""),
        (3, 4, Opening::AnyStone, ""),
        (2, 7, Opening::AnyStone, "c1"),
        (1, 1, Opening::AnyStone, ""),
    ] {
        let shape = Shape::new(rows, cols).expect("a shape");
        all.push(konane(Start { shape, opening }, moves));
    }
    all
}

/// The certificate of a value of Havannah that the solver finds.
pub fn havannah(board: &str, moves: &str) -> Vec<u8> {
    havannah_as(board, moves, 0, HashMap::new())
}

/// Certificates that leave out what the checker finds.
pub fn with_omissions() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (board, moves, searched) in [
        ("3", "", 100),
        ("3", "b2", 40),
        ("2x3x4", "a1 b2", 200),
        ("4", "b1 d2 a2 e4 a1 c1", 50),
    ] {
        all.push(havannah_as(board, moves, searched, HashMap::new()));
    }
    all
}

/// The certificate of a value of Havannah that the solver finds, which leaves out what a search of so many positions
/// finds and what others prove.
pub fn havannah_as(
    board: &str,
    moves: &str,
    searched: u32,
    pieces: HashMap<(<havannah::Position as Provable>::Key, Promise), Digest>,
) -> Vec<u8> {
    let shape = board.parse().expect("a shape");
    let mut position = havannah::Position::new(shape);
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text, Dialect::Grid).expect("a move"));
    }
    let mut solver = Solver::new(shape, &Params::default()).expect("a board that fits");
    let report = solver.solve(&position, &Limits::default(), &mut |_| {});
    let header = Header {
        game: "havannah".to_owned(),
        board: board.to_owned(),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        claim: Claim::value(report.outcome.expect("a value")),
    };
    let writer = Writer {
        searched,
        pieces,
        ..Writer::default()
    };
    let mut bytes = Vec::new();
    let strategy =
        |position: &havannah::Position, promise| solver.keep(position, promise, &Limits::default());
    let written = writer.write(&mut bytes, &header, &position, None, strategy, || true);
    let written = written.expect("the solver keeps its claim");
    assert_eq!(written.bytes, bytes.len() as u64);
    bytes
}

/// The certificate of a value of Kōnane that the solver finds.
pub fn konane(start: Start, moves: &str) -> Vec<u8> {
    let mut position = konane::Position::new(&start).expect("a start");
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text, ()).expect("a move"));
    }
    let params = konane::solver::Params::default();
    let mut solver = konane::solver::Solver::new(start.shape, &params).expect("a board that fits");
    let report = solver.solve(&position, &Limits::default(), &mut |_| {});
    let header = Header {
        game: "konane".to_owned(),
        board: board_name(&start),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        claim: Claim::value(report.outcome.expect("a value")),
    };
    let mut bytes = Vec::new();
    write(&mut bytes, &header, &position, |position, _| {
        solver.winning(position, &Limits::default())
    })
    .expect("the solver keeps its claim");
    bytes
}

/// The same with something changed, and the checksum as it should be.
pub fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut body = bytes[..bytes.len() - 8].to_vec();
    let lines = body
        .windows(2)
        .position(|two| two == b"\n\n")
        .expect("lines")
        + 2;
    let anywhere = random::below(body.len() as u32, rng) as usize;
    let behind = lines + random::below((body.len() - lines).max(1) as u32, rng) as usize;
    let byte = random::below(256, rng) as u8;
    match random::below(6, rng) {
        0 => body[anywhere] = byte,
        1 if behind < body.len() => body[behind] = byte % 20,
        2 if behind < body.len() => body[behind] ^= 1,
        3 => body.insert(behind, byte % 20),
        4 if behind < body.len() => {
            body.remove(behind);
        }
        _ => body.truncate(anywhere),
    }
    let sum =
        |number: u64, &byte: &u8| (number ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = body.iter().fold(0xcbf2_9ce4_8422_2325, sum);
    body.extend(sum.to_le_bytes());
    body
}
