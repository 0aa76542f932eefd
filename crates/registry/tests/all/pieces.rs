//! Certificates that refer to others.

use super::{samples, second_checker};
use certificate::proof::{self, Said};
use certificate::{Checker, Digest, Promise, Provable, Refusal, Space, Verdict};
use game::{Game, Notation};
use havannah::{Dialect, Position};
use registry::folder::Folder;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

type Key = <Position as Provable>::Key;

fn digest(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// A position in which White, who wins, moves.
const EARLY: &str = "b1 d2 a2 e4";

/// Positions of its proof in which the winner moves, with the moves to them.
fn inside(plies: usize) -> Vec<(String, Position, Promise)> {
    let whole = samples::havannah("4", EARLY);
    let start = Position::new("4".parse().expect("a shape"));
    let proofs = proof::read(&start, Dialect::Grid, &Checker::default(), &whole[..]);
    let proof = proofs.expect("a proof").swap_remove(0);
    let mut lines = vec![(EARLY.to_owned(), proof.position.clone())];
    for _ in 0..plies {
        let mut longer = Vec::new();
        for (line, position) in lines {
            let moves = match proof.said(&position) {
                Said::Plays(mv, _) => vec![mv],
                Said::Answers(replies, _) => replies.iter().map(|reply| reply.mv).collect(),
                _ => Vec::new(),
            };
            for mv in moves {
                let mut after = position.clone();
                after.play(mv);
                longer.push((
                    format!("{line} {}", position.write_move(mv, Dialect::Grid)),
                    after,
                ));
            }
        }
        lines = longer;
    }
    lines.retain(|(_, position)| {
        position.to_move() == proof.promise.side()
            && matches!(proof.said(position), Said::Plays(..))
    });
    let all = lines.into_iter();
    all.map(|(line, position)| (line, position, proof.promise))
        .collect()
}

struct Sample {
    top: Vec<u8>,
    pieces: Vec<Vec<u8>>,
}

/// A certificate with pieces, some of which refer to others.
fn sample() -> Sample {
    let mut known: HashMap<(Key, Promise), Digest> = HashMap::new();
    let mut pieces = Vec::new();
    for plies in [4, 2] {
        for (line, position, promise) in inside(plies).into_iter().take(3) {
            let piece = samples::havannah_as("4", &line, 0, known.clone());
            known.insert((position.key(), promise), digest(&piece));
            pieces.push(piece);
        }
    }
    let top = samples::havannah_as("4", EARLY, 0, known);
    Sample { top, pieces }
}

/// What the folder of these files says of the first.
fn checked(files: &[Vec<u8>]) -> Result<Verdict, Refusal> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut paths: Vec<PathBuf> = Vec::new();
    for (number, bytes) in files.iter().enumerate() {
        let path = folder.path().join(format!("{number}.cert"));
        fs::write(&path, bytes).expect("written");
        paths.push(path);
    }
    let first = Folder::of_file(&paths[0]).expect("read");
    let all = Folder::read(paths).expect("read");
    let space = Space {
        memory: 1 << 20,
        folder: folder.path().to_owned(),
    };
    let together = all.check(2, &space, &|| true);
    let alone = first.check(1, &space, &|| true);
    let [first, again] = [together, alone].map(|checked| checked.into_iter().next().expect("one"));
    assert_eq!(first.verdict.is_ok(), again.verdict.is_ok());
    first.verdict
}

#[test]
fn pieces_prove_together_what_one_certificate_proves() {
    let Sample { top, pieces } = sample();
    let mut files = vec![top.clone()];
    files.extend(pieces.iter().cloned());
    let verdict = checked(&files).expect("valid");
    assert!(verdict.pieces > 0 && !verdict.terms.pieces.is_empty());
    let whole = registry::verify(&samples::havannah("4", EARLY)[..]).expect("valid");
    assert!(verdict.positions < whole.positions);
    // Alone it is no proof.
    assert!(matches!(
        registry::verify(&top[..]),
        Err(Refusal::Piece { .. })
    ));
    if let Some(second) = second_checker::second(&files) {
        assert!(
            second.iter().all(|said| said.starts_with("valid")),
            "{second:?}"
        );
        let alone = second_checker::second(&files[..1]).expect("as before");
        assert!(alone[0].starts_with("not valid"));
    }
}

#[test]
fn what_is_wrong_with_a_piece_is_wrong_with_the_whole() {
    let Sample { top, pieces } = sample();
    let listed = {
        let read = certificate::Unchecked::read(&top[..]).expect("a header");
        read.terms.pieces
    };
    assert!(listed.len() > 1);
    for missing in 0..pieces.len() {
        let mut files = vec![top.clone()];
        files.extend(pieces.iter().cloned());
        files.remove(missing + 1);
        let is_needed = checked(&files).is_err();
        if listed.contains(&digest(&pieces[missing])) {
            assert!(is_needed);
        }
        // A changed one has another hash; and where the reference is changed with it, it is not valid.
        let mut changed = pieces[missing].clone();
        let at = changed.len() - 9;
        changed[at] ^= 1;
        files.push(changed.clone());
        assert_eq!(checked(&files).is_err(), is_needed);
        if listed.contains(&digest(&pieces[missing])) {
            let forged = referring(&top, digest(&pieces[missing]), digest(&changed));
            let mut files = vec![forged, changed];
            files.extend(pieces.iter().cloned());
            assert!(checked(&files).is_err());
        }
    }
    // One that is valid, and proves something else.
    let other = samples::havannah("4", "b1 d2 a2 e4 a1");
    let forged = referring(&top, listed[0], digest(&other));
    let mut files = vec![forged.clone(), other.clone()];
    files.extend(pieces.iter().cloned());
    assert!(matches!(
        checked(&files),
        Err(Refusal::Unproven { .. } | Refusal::Damaged { .. } | Refusal::Header(_))
    ));
    let of_another_board = samples::havannah("3", "a1");
    let forged = referring(&top, listed[0], digest(&of_another_board));
    let mut files = vec![forged, of_another_board];
    files.extend(pieces);
    assert!(checked(&files).is_err());
}

/// The certificate with one piece in place of another, and with the right checksum.
fn referring(top: &[u8], from: Digest, to: Digest) -> Vec<u8> {
    let mut body = top[..top.len() - 8].to_vec();
    let from = from.to_string();
    let at = body
        .windows(from.len())
        .position(|window| window == from.as_bytes())
        .expect("the piece");
    body.splice(at..at + from.len(), to.to_string().into_bytes());
    let add = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = body.iter().fold(0xcbf2_9ce4_8422_2325, add);
    body.extend(sum.to_le_bytes());
    body
}
