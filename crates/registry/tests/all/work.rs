//! The work for a certificate is bounded by its length.

use super::threats::prepared;
use certificate::{Refusal, Writer, write};
use havannah::Position;
use registry::verify;
use registry::verify_while;
use std::iter;

/// A byte stands for 256 positions of the side of the promise at most, and one follows each.
const VISITS_PER_BYTE: u64 = 512;

/// The positions that the check of a certificate comes to, which ends behind so many.
fn visits(certificate: &[u8], most: u64) -> (u64, Result<(), Refusal>) {
    let mut visits = 0;
    let verdict = verify_while(certificate, |_| {
        visits += 1;
        visits <= most
    });
    (visits, verdict.map(|_| ()))
}

#[test]
fn what_no_move_is_named_for_is_written_too() {
    let mut before = 0;
    for size in [10, 12, 14] {
        let (position, header) = prepared(size);
        let mut bytes = Vec::new();
        let nobody = |position: &Position, _| panic!("a move is asked for in {position:?}");
        let written = write(&mut bytes, &header, &position, nobody).expect("a certificate");
        assert_eq!(written.positions, 0);
        let (visits, verdict) = visits(&bytes, u64::MAX);
        assert!(verdict.is_ok(), "{verdict:?}");
        // Three times as many with each pair of cells, and a byte for so many of them.
        assert!(visits > 2 * before, "{visits} after {before}");
        assert!(visits <= VISITS_PER_BYTE * bytes.len() as u64);
        let lines = bytes
            .windows(2)
            .position(|two| two == b"\n\n")
            .expect("lines")
            + 2;
        before = visits;
        for cut in lines..bytes.len() {
            assert!(verify(&bytes[..cut]).is_err());
        }
    }
    assert!(before > 1024, "{before}");
}

/// A file in which forced moves and threats stood for more positions than anybody could check.
#[test]
fn a_short_file_is_little_work() {
    for (version, search, most) in [
        (2, "", 66_000),
        (3, "", 256 * 110),
        (4, "search 0\n", VISITS_PER_BYTE * 200),
    ] {
        let mut file = format!(
            "papamu certificate {version}\ngame havannah\nboard 14\nmoves \nclaim black holds\n{search}\n"
        );
        file.extend(iter::repeat_n('\u{1}', 101));
        let mut file = file.into_bytes();
        file.extend([0; 8]);
        let (visits, verdict) = visits(&file, most);
        let hole = matches!(
            verdict,
            Err(Refusal::Hole { .. } | Refusal::Damaged { .. } | Refusal::Unproven { .. })
        );
        assert!(
            hole && visits <= most,
            "{visits} visits in version {version}: {verdict:?}"
        );
    }
}

#[test]
fn a_check_ends_when_nobody_waits_for_it() {
    let (position, header) = prepared(12);
    let mut bytes = Vec::new();
    write(&mut bytes, &header, &position, |_, _| None).expect("a certificate");
    let mut visits = 0;
    let verdict = verify_while(&bytes[..], |read| {
        assert!(read > 0);
        visits += 1;
        visits < 100
    });
    assert!(matches!(verdict, Err(Refusal::Stopped)));
    assert_eq!(visits, 100);
    let mut output = Vec::new();
    let writer = Writer::default();
    let stopped = writer.write(&mut output, &header, &position, None, |_, _| None, || false);
    assert!(matches!(stopped, Err(certificate::WriteError::Stopped)));
}
