//! The checker against a second one, in Python, which was written from the description of the format.

use super::{samples, threats};
use certificate::{Refusal, write};
use registry::verify;
use std::path::Path;
use std::process::Command;

/// What the second checker says of certificates, or `None` where there is no Python.
pub fn second(certificates: &[Vec<u8>]) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |number: usize| folder.path().join(number.to_string());
    for (number, bytes) in certificates.iter().enumerate() {
        std::fs::write(file(number), bytes).expect("written");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checker.py");
    let mut command = Command::new("python3");
    command.arg(script).args((0..certificates.len()).map(file));
    let output = command.output().ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{errors}");
    let text = String::from_utf8(output.stdout).expect("text");
    Some(text.lines().map(str::to_owned).collect())
}

fn first(certificate: &[u8]) -> String {
    match verify(certificate) {
        Ok(verdict) => format!("valid: {}, {} moves", verdict.claim(), verdict.positions),
        Err(Refusal::Io(why)) => panic!("{why}"),
        Err(_) => "not valid".to_owned(),
    }
}

#[test]
fn both_checkers_say_the_same() {
    let mut whole = samples::all();
    whole.extend(samples::with_omissions());
    let (position, header) = threats::prepared(10);
    let mut bytes = Vec::new();
    write(&mut bytes, &header, &position, |_, _| None).expect("a certificate");
    whole.push(bytes);
    let mut certificates = whole.clone();
    let mut rng = game::random::seeded(5);
    for bytes in &whole {
        for _ in 0..12 {
            certificates.push(samples::damaged(bytes, &mut rng));
        }
    }
    let Some(second) = second(&certificates) else {
        eprintln!("skipped: there is no python3");
        return;
    };
    assert_eq!(second.len(), certificates.len());
    let mut refused = 0;
    for (number, (bytes, said)) in certificates.iter().zip(&second).enumerate() {
        let first = first(bytes);
        assert_eq!(said.split(": ").next(), first.split(": ").next(), "{said}");
        if said.starts_with("valid") {
            assert_eq!(*said, first);
        } else {
            assert!(number >= whole.len(), "{said}");
            refused += 1;
        }
    }
    assert!(refused > 10 * whole.len(), "{refused} refused");
}
