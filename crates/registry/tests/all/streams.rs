//! Certificates that leave something out, and checks with little memory and several threads.

use super::samples;
use certificate::{Checker, Refusal, Space};
use registry::{verify, verify_as};

#[test]
fn memory_and_threads_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for bytes in samples::all().iter().chain(&samples::with_omissions()) {
        let expected = verify(&bytes[..]).expect("valid");
        for (threads, memory) in [(1, 0), (3, 0), (3, 1 << 20)] {
            let checker = Checker {
                threads,
                space: Space {
                    memory,
                    folder: folder.path().to_owned(),
                },
                ..Checker::default()
            };
            let verdict = verify_as(&mut &bytes[..], &checker, &mut |_| true);
            assert_eq!(verdict.expect("valid"), expected);
        }
    }
}

#[test]
fn what_is_left_out_has_to_be_found() {
    let mut omitted = 0;
    for bytes in samples::with_omissions() {
        let verdict = verify(&bytes[..]).expect("valid");
        omitted += verdict.omitted;
        if verdict.omitted == 0 {
            continue;
        }
        let searched = format!("search {}\n", verdict.terms.searched);
        let at = bytes
            .windows(searched.len())
            .position(|window| window == searched.as_bytes())
            .expect("the line");
        let mut less = bytes.clone();
        less.splice(at..at + searched.len(), *b"search 1\n");
        let refused = verify(&less[..]).expect_err("less is not enough");
        assert!(
            matches!(&refused, Refusal::Unproven { reason, .. } if reason.contains("left out")),
            "{refused}"
        );
    }
    assert!(omitted > 0);
}
