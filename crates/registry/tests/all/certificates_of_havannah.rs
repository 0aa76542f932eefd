//! Certificates of Havannah positions that the solver writes, whole and damaged.

use certificate::{Claim, Header, Promise, Refusal, Verdict, write};
use game::{Game, Notation, Outcome, Side};
use havannah::solver::{Params, Solver};
use havannah::{Dialect, Position, Shape};
use proptest::prelude::*;
use registry::verify;
use search::Limits;
use std::sync::LazyLock;

fn header(size: &str, moves: &str, claim: Claim) -> Header {
    Header {
        game: Position::NAME.to_owned(),
        board: size.to_owned(),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        claim,
    }
}

fn position(size: &str, moves: &str) -> Position {
    let shape: Shape = size.parse().expect("a shape");
    let mut position = Position::new(shape);
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text, Dialect::Grid).expect("a move");
        position.play(mv);
    }
    position
}

/// Solves a position and writes the certificate of its value.
fn certificate(size: &str, moves: &str) -> (Outcome, Vec<u8>) {
    let position = position(size, moves);
    let shape = position.geometry().shape();
    let mut solver = Solver::new(shape, &Params::default()).expect("a board that fits");
    let report = solver.solve(&position, &Limits::default(), &mut |_| {});
    let outcome = report.outcome.expect("a value");
    let header = header(size, moves, Claim::value(outcome));
    let mut bytes = Vec::new();
    let written = write(&mut bytes, &header, &position, |position, promise| {
        solver.keep(position, promise, &Limits::default())
    });
    let written = written.expect("a certificate");
    assert_eq!(written.bytes, bytes.len() as u64);
    (outcome, bytes)
}

fn check(size: &str, moves: &str) -> (Outcome, Verdict) {
    let (outcome, bytes) = certificate(size, moves);
    let verdict = verify(bytes.as_slice()).expect("a valid certificate");
    assert_eq!(verdict.header, header(size, moves, Claim::value(outcome)));
    (outcome, verdict)
}

#[test]
fn the_whole_of_size_3() {
    let start = position("3", "");
    assert_eq!(check("3", "").0, Outcome::Win(Side::White));
    let mut moves = Vec::new();
    start.legal_moves(&mut moves);
    for mv in moves {
        let opening = start.write_move(mv, Dialect::Grid);
        let corner = ["a1", "a3", "c1", "c5", "e3", "e5"].contains(&opening.as_str());
        let winner = if corner { Side::White } else { Side::Black };
        assert_eq!(check("3", &opening).0, Outcome::Win(winner), "{opening}");
    }
}

/// Castro thesis, figure "Early Position Solvable by MCTS in 1 Minute".
#[test]
fn the_early_position() {
    let (outcome, verdict) = check("4", "b1 d2 a2 e4");
    assert_eq!(outcome, Outcome::Win(Side::White));
    assert!(verdict.positions > 100);
}

/// The end of a drawn game: the certificate shows that each side holds.
#[test]
fn a_draw() {
    let drawn = drawn_position();
    let (outcome, verdict) = check("3", &drawn);
    assert_eq!(outcome, Outcome::Draw);
    assert_eq!(verdict.claim(), Claim::Draw);
}

/// A position of size 3 whose value is a draw, found by playing at random without winning.
fn drawn_position() -> String {
    let mut rng = game::random::seeded(3);
    let mut solver = Solver::new("3".parse().expect("a shape"), &Params::default()).expect("fits");
    loop {
        let mut position = position("3", "");
        let mut text = String::new();
        while position.empty_cells() > 5 && position.outcome().is_none() {
            let mv = position.random_move(&mut rng).expect("a move");
            text.push_str(&position.write_move(mv, Dialect::Grid));
            text.push(' ');
            position.play(mv);
        }
        if position.outcome().is_none() {
            let report = solver.solve(&position, &Limits::default(), &mut |_| {});
            if report.outcome == Some(Outcome::Draw) {
                return text.trim_end().to_owned();
            }
        }
    }
}

#[test]
fn a_false_claim_is_refused_where_it_fails() {
    // The strategy of the side that loses: the first legal move.
    let claim = Claim::Promise(Promise::Wins(Side::Black));
    let start = position("3", "");
    let written = write(
        Vec::new(),
        &header("3", "", claim),
        &start,
        |position, _| {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves.first().copied()
        },
    );
    let error = written.expect_err("no certificate").to_string();
    assert!(error.contains("two winning moves"), "{error}");
}

#[test]
fn the_first_hole_is_named() {
    let (_, bytes) = certificate("3", "b2");
    let lines = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let body = lines.map(|(at, _)| at).nth(5).expect("six lines") + 1;
    let refusal = verify(&bytes[..body]).expect_err("nothing shown");
    let Refusal::Hole { line, reason } = refusal else {
        panic!("{refusal}");
    };
    assert_eq!(reason, "the certificate ends here");
    assert_eq!(line, [""; 0]);
    let refusal = verify(&bytes[..=body]).expect_err("one move is not enough");
    assert!(matches!(refusal, Refusal::Hole { line, .. } if line.len() == 2));
    let refusal = verify(&bytes[..bytes.len() - 1]).expect_err("the checksum is cut");
    assert!(matches!(refusal, Refusal::Checksum(_)));
    for other in [
        "",
        "papamu certificate 3\n",
        "papamu certificate 1\ngame chess\n",
    ] {
        assert!(verify(other.as_bytes()).is_err());
    }
}

/// The certificate up to each byte, and what a strategy adds to it, are the same as the whole.
#[test]
fn a_certificate_can_be_gone_on_with() {
    let (_, whole) = certificate("4", "b1 d2 a2 e4");
    let start = position("4", "b1 d2 a2 e4");
    let wins = Claim::Promise(Promise::Wins(Side::White));
    let mut solver = Solver::new("4".parse().expect("a shape"), &Params::default()).expect("fits");
    let mut strategy =
        |position: &Position, promise| solver.keep(position, promise, &Limits::default());
    for cut in [0, 10, 80, 81, 200, whole.len() - 3, whole.len()] {
        let header = header("4", "b1 d2 a2 e4", wins);
        let mut bytes = whole[..cut].to_vec();
        let (begun, mut rest) = (bytes.clone(), Vec::new());
        let going = || true;
        let written = certificate::resume(&begun, &mut rest, &header, &start, &mut strategy, going);
        bytes.extend(rest);
        assert_eq!(written.expect("a certificate").bytes, bytes.len() as u64);
        let verdict = verify(bytes.as_slice()).expect("a valid certificate");
        assert_eq!(verdict.bytes, bytes.len() as u64);
    }
    let other = header("4", "b1 d2 a2 e4", Claim::Draw);
    let refused = certificate::resume(&whole, Vec::new(), &other, &start, &mut strategy, || true);
    assert!(refused.is_err());
}

/// Every byte of the lines, of the moves and of the checksum matters: any other value is refused, with
/// the line or the place where it is noticed.
#[test]
fn every_byte_matters() {
    let whole = &*SAMPLE;
    let body = whole
        .windows(2)
        .position(|two| two == b"\n\n")
        .expect("lines")
        + 2;
    let checksum = whole.len() - 8;
    let [mut lines, mut places, mut ends] = [0; 3];
    for at in 0..whole.len() {
        for value in [0, 1, 7, 13, b'\n', b' ', b'9', 0x80, 0xff] {
            let mut damaged = whole.clone();
            if damaged[at] == value {
                continue;
            }
            damaged[at] = value;
            match verify(damaged.as_slice()).expect_err("a damaged certificate") {
                Refusal::Header(_) | Refusal::Game(_) | Refusal::Position(_) => {
                    assert!(at < body);
                    lines += 1;
                }
                Refusal::Hole { reason, .. } => {
                    assert!(at < checksum && !reason.is_empty());
                    places += 1;
                }
                // Another proof of the same, or of something else that is true as well.
                Refusal::Checksum(_) => ends += 1,
                refusal @ (Refusal::Io(_) | Refusal::Stopped) => panic!("{refusal}"),
            }
        }
    }
    assert!(
        lines > 300 && places > 100 && ends > 60,
        "{lines} {places} {ends}"
    );
}

/// FNV-1a, as the format has it.
fn checksum(bytes: &[u8]) -> [u8; 8] {
    let add = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, add);
    sum.to_le_bytes()
}

/// The lines can be written in one way. A file that says the same in another, or something besides, is refused
/// although its proof and its checksum are right: who reads it would not read what was checked.
#[test]
fn the_lines_are_read_strictly() {
    let (outcome, whole) = certificate("3", "b2");
    let mut lines = Vec::new();
    let header = header("3", "b2", Claim::value(outcome));
    header.write(&mut lines).expect("written");
    let proof = &whole[lines.len()..whole.len() - 8];
    let lines = String::from_utf8(lines).expect("text");
    let file = |lines: &str| {
        let mut bytes = [lines.as_bytes(), proof].concat();
        bytes.extend(checksum(&bytes));
        bytes
    };
    assert_eq!(file(&lines), whole);
    for (from, to) in [
        ("certificate 3", "certificate 37"),
        ("certificate 3", "certificate 27"),
        ("certificate 3", "certificate 03"),
        ("certificate 3", "certificate 3 "),
        ("game havannah", "game Havannah"),
        ("game havannah", "game havannah "),
        ("board 3", "board +3"),
        ("board 3", "board 03"),
        ("board 3", "board 3x3x3"),
        ("board 3", "board 3 "),
        ("moves b2", "moves B2"),
        ("moves b2", "moves b02"),
        ("moves b2", "moves  b2"),
        ("moves b2", "moves b2 "),
        ("\n\n", " \n\n"),
        ("\n\n", "\nclaim white wins\n"),
        ("\n\n", "\r\n\n"),
    ] {
        assert_eq!(lines.matches(from).count(), 1, "{from:?}");
        let refusal = verify(file(&lines.replace(from, to)).as_slice());
        let refusal = refusal.expect_err(to);
        let of_the_lines = matches!(
            refusal,
            Refusal::Header(_) | Refusal::Game(_) | Refusal::Position(_)
        );
        assert!(of_the_lines, "{to:?}: {refusal}");
    }
}

static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(|| certificate("3", "b2").1);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_flipped_bit_is_refused(at in 0..SAMPLE.len(), bit in 0..8_u8) {
        let mut damaged = SAMPLE.clone();
        damaged[at] ^= 1_u8 << bit;
        prop_assert!(verify(damaged.as_slice()).is_err());
    }

    #[test]
    fn a_cut_or_longer_certificate_is_refused(at in 0..SAMPLE.len(), more in any::<u8>()) {
        prop_assert!(verify(&SAMPLE[..at]).is_err());
        let mut longer = SAMPLE.clone();
        longer.push(more);
        prop_assert!(verify(longer.as_slice()).is_err());
    }

    #[test]
    fn any_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(verify(bytes.as_slice()).is_err());
        let mut begun = SAMPLE[..80].to_vec();
        begun.extend(bytes);
        prop_assert!(verify(begun.as_slice()).is_err());
    }
}
