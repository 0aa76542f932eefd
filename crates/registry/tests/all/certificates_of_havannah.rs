//! Certificates of Havannah positions that the solver writes, whole and damaged.

use certificate::{Claim, Header, Log, Promise, Refusal, Terms, Verdict, Writer, write};
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
/// Black's win is found here by the question whether White wins. Not every move that refutes White shows that.
#[test]
fn a_win_that_the_goal_of_the_opponent_shows() {
    assert_eq!(check("4", "b1 d2 a2 e4 d4").0, Outcome::Win(Side::Black));
}

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
    let body = lines.map(|(at, _)| at).nth(6).expect("seven lines") + 1;
    for cut in [body, body + 1] {
        let refusal = verify(&bytes[..cut]).expect_err("nothing shown");
        let Refusal::Damaged { at, reason } = refusal else {
            panic!("{refusal}");
        };
        assert_eq!((at, reason), (cut as u64, "the certificate ends here"));
    }
    let refusal = verify(&bytes[..bytes.len() - 1]).expect_err("the checksum is cut");
    assert!(matches!(refusal, Refusal::Checksum(_)));
    for other in [
        "",
        "papamu certificate 4\n",
        "papamu certificate 1\ngame chess\n",
    ] {
        assert!(verify(other.as_bytes()).is_err());
    }
}

/// What was found before is not asked for again, wherever the log was cut.
#[test]
fn a_certificate_can_be_gone_on_with() {
    let start = position("4", "b1 d2 a2 e4");
    let header = header(
        "4",
        "b1 d2 a2 e4",
        Claim::Promise(Promise::Wins(Side::White)),
    );
    let mut solver = Solver::new("4".parse().expect("a shape"), &Params::default()).expect("fits");
    let mut written = |mut begun: &[u8]| {
        let (mut kept, mut bytes, mut asked) = (Vec::new(), Vec::new(), 0);
        let strategy = |position: &Position, promise| {
            asked += 1;
            solver.keep(position, promise, &Limits::default())
        };
        let log = Log {
            begun: &mut begun,
            output: &mut kept,
        };
        let writer = Writer::default();
        let written = writer.write(&mut bytes, &header, &start, Some(log), strategy, || true);
        written.expect("a certificate");
        (bytes, kept, asked)
    };
    // What the solver learns the first time may change its answers.
    written(&[]);
    let (whole, log, asked) = written(&[]);
    assert_eq!(log.len(), asked * Log::RECORD as usize);
    assert!(asked > 100);
    for cut in [1, 50, asked - 1, asked] {
        let (begun, rest) = log.split_at(cut * Log::RECORD as usize);
        let (bytes, kept, again) = written(begun);
        assert_eq!((kept.len(), again), (rest.len(), asked - cut));
        verify(bytes.as_slice()).expect("a valid certificate");
        if cut == asked {
            assert_eq!(bytes, whole);
        }
    }
    let mut log = log;
    log[1] = 0x77;
    let mut begun = &log[..];
    let damaged = Log {
        begun: &mut begun,
        output: &mut Vec::new(),
    };
    let writer = Writer::default();
    let refused = writer.write(
        Vec::new(),
        &header,
        &start,
        Some(damaged),
        |_, _| None,
        || true,
    );
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
                Refusal::Unproven { reason, .. } | Refusal::Damaged { reason, .. } => {
                    assert!(at < checksum && !reason.is_empty());
                    places += 1;
                }
                // Another proof of the same, or of something else that is true as well.
                Refusal::Checksum(_) => ends += 1,
                refusal => panic!("{refusal}"),
            }
        }
    }
    assert!(
        lines > 300 && places > 50 && ends > 60,
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
    header
        .write(&Terms::default(), &mut lines)
        .expect("written");
    let proof = &whole[lines.len()..whole.len() - 8];
    let lines = String::from_utf8(lines).expect("text");
    let file = |lines: &str| {
        let mut bytes = [lines.as_bytes(), proof].concat();
        bytes.extend(checksum(&bytes));
        bytes
    };
    assert_eq!(file(&lines), whole);
    for (from, to) in [
        ("certificate 4", "certificate 47"),
        ("certificate 4", "certificate 24"),
        ("certificate 4", "certificate 04"),
        ("certificate 4", "certificate 4 "),
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
        ("search 0", "search 00"),
        ("search 0", "search +0"),
        ("search 0", "search 10001"),
        ("search 0", "search"),
        ("search 0\n", "search 0\npiece 12\n"),
        (
            "search 0\n",
            &format!("search 0\npiece {}\n", "AB".repeat(32)),
        ),
        (
            "search 0\n",
            &format!("search 0\npiece {0}\npiece {0}\n", "ab".repeat(32)),
        ),
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
