//! Certificates of Kōnane positions that the solver writes, whole and damaged.

use certificate::{Claim, Header, Promise, Refusal, write};
use game::{Game, Notation, Outcome};
use konane::solver::{Params, Solver};
use konane::{Opening, Position, Setup, Shape, Start, board_name};
use registry::verify;
use search::Limits;

/// Solves a position and writes the certificate of its value.
fn certificate(rows: usize, cols: usize, opening: Opening, moves: &str) -> (Outcome, Vec<u8>) {
    let shape = Shape::new(rows, cols).expect("a shape");
    let start = Start { shape, opening };
    let mut position = Position::new(&start).expect("a start");
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text, ()).expect("a move"));
    }
    let mut solver = Solver::new(shape, &Params::default()).expect("a board that fits");
    let report = solver.solve(&position, &Limits::default(), &mut |_| {});
    let outcome = report.outcome.expect("a value");
    let header = Header {
        game: "konane".to_owned(),
        board: board_name(&start),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        claim: Claim::value(outcome),
    };
    let mut bytes = Vec::new();
    write(&mut bytes, &header, &position, |position, promise| {
        assert_eq!(promise, Promise::Wins(position.to_move()));
        solver.winning(position, &Limits::default())
    })
    .expect("the solver keeps its claim");
    (outcome, bytes)
}

#[test]
fn what_the_solver_claims_is_shown() {
    for (rows, cols, opening, moves) in [
        (4, 4, Opening::Removed(Setup::Corner), ""),
        (4, 4, Opening::Removed(Setup::Centre), ""),
        (5, 5, Opening::Removed(Setup::Corner), ""),
        (5, 5, Opening::Removed(Setup::Centre), ""),
        (5, 5, Opening::Removed(Setup::Corner), "a3-a1"),
        (3, 6, Opening::Traditional, ""),
        (2, 7, Opening::AnyStone, "c1"),
        (1, 1, Opening::AnyStone, ""),
    ] {
        let (outcome, bytes) = certificate(rows, cols, opening, moves);
        let verdict = verify(&bytes[..]).expect("a valid certificate");
        assert_eq!(verdict.claim(), Claim::value(outcome));
        assert_eq!(verdict.bytes, bytes.len() as u64);
    }
}

#[test]
fn the_other_side_cannot_be_claimed_to_win() {
    let (_, bytes) = certificate(5, 5, Opening::Removed(Setup::Corner), "");
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("claim black wins"));
    let at = bytes
        .windows(11)
        .position(|window| window == b"claim black")
        .expect("the claim");
    let mut forged = bytes.clone();
    forged.splice(at + 6..at + 11, *b"white");
    assert!(matches!(
        verify(&forged[..]),
        Err(Refusal::Unproven { .. } | Refusal::Damaged { .. } | Refusal::Checksum(_))
    ));
}

#[test]
fn damage_is_found() {
    let (_, bytes) = certificate(4, 4, Opening::Removed(Setup::Centre), "");
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        assert!(verify(&damaged[..]).is_err(), "byte {place}");
        assert!(verify(&bytes[..place]).is_err(), "{place} bytes");
    }
    assert!(verify(&bytes[..]).is_ok());
}

#[test]
fn boards_that_make_no_sense() {
    for board in [
        "",
        "6",
        "6x7",
        "6x7 middle",
        "0x4 any",
        "25x3 any",
        "4x4 a1,c1",
        "axb any",
        "+6x7 any",
        "06x7 any",
        "6x7  any",
        "6x7 Any",
        "4x4 corner ",
        "4x4 a1, b1",
    ] {
        let text = format!(
            "papamu certificate 3\ngame konane\nboard {board}\nmoves \nclaim black wins\n\n"
        );
        let refusal = verify(text.as_bytes()).expect_err("no board");
        assert!(matches!(refusal, Refusal::Position(_)), "{refusal}");
    }
}
