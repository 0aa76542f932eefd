//! Proofs in memory: what they say of positions is what a search through the whole proof says.

use super::samples;
use certificate::proof::{self, Below, Proof, Said};
use certificate::{Checker, Header, Provable};
use game::{Game, Notation};
use havannah::{Dialect, Position};
use registry::verify;
use std::collections::HashSet;

fn havannah(board: &str, moves: &str) -> (Vec<u8>, Vec<Proof<Position>>) {
    let bytes = samples::havannah(board, moves);
    let start = Position::new(board.parse().expect("a shape"));
    let proofs =
        proof::read(&start, Dialect::Grid, &Checker::default(), &bytes[..]).expect("a certificate");
    (bytes, proofs)
}

/// What follows from a position, by looking at all of it.
fn search(
    proof: &Proof<Position>,
    position: &Position,
    seen: &mut HashSet<<Position as Provable>::Key>,
) -> u32 {
    let moves = match proof.said(position) {
        Said::Settled => return 0,
        Said::LeftOut => panic!("nothing is left out"),
        Said::Nothing => panic!("the strategy does not come to {position:?}"),
        Said::Plays(mv, _) => {
            seen.insert(position.key());
            vec![mv]
        }
        Said::Answers(replies, settled) => {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            assert_eq!(replies.len() + settled, legal.len());
            let answers = replies.iter().map(|reply| reply.mv);
            // Those that are settled count as replies too.
            if replies.is_empty() {
                return 1;
            }
            answers.collect()
        }
    };
    let after = |mv| {
        let mut after = position.clone();
        after.play(mv);
        after
    };
    let plies = moves
        .into_iter()
        .map(|mv| 1 + search(proof, &after(mv), seen));
    plies.max().unwrap_or(0)
}

#[test]
fn what_follows_is_counted() {
    let mut counted = 0;
    for (board, moves) in [
        ("3", ""),
        ("3", "a1"),
        ("2x3x4", "a1 b2"),
        ("4", "b1 d2 a2 e4"),
    ] {
        let (bytes, proofs) = havannah(board, moves);
        let named = verify(&bytes[..]).expect("valid").positions;
        let positions = proofs.iter().map(Proof::positions).sum();
        assert!(named <= positions);
        for proof in proofs {
            let line = proof.longest_line(&proof.position);
            let mut position = proof.position.clone();
            for at in 0..=line.len() {
                let mut seen = HashSet::new();
                let plies = search(&proof, &position, &mut seen);
                assert_eq!(line.len() - at, plies as usize);
                if let Said::Plays(_, below) = proof.said(&position) {
                    let positions = below.positions;
                    assert_eq!(below, Below { plies, positions });
                    // With few stones symmetric positions count as the same, and are gone through here.
                    assert!(positions <= seen.len() as u64);
                    if !position.shares_key() {
                        assert_eq!(positions, seen.len() as u64);
                        counted += 1;
                    }
                }
                if let Some(&mv) = line.get(at) {
                    position.play(mv);
                }
            }
        }
    }
    assert!(counted > 5, "{counted}");
}

/// A certificate of an earlier version is checked and explored as before.
#[test]
fn version_3_is_read() {
    let bytes = include_bytes!("../data/version3.cert");
    let verdict = verify(&bytes[..]).expect("valid");
    assert_eq!((verdict.positions, verdict.bytes), (327, 414));
    assert_eq!(verdict.header.moves, ["b1", "d2", "a2", "e4"]);
    let start = Position::new("4".parse().expect("a shape"));
    let proofs = proof::read(&start, Dialect::Grid, &Checker::default(), &bytes[..]);
    let proof = &proofs.expect("a certificate")[0];
    let mut seen = HashSet::new();
    let plies = search(proof, &proof.position, &mut seen);
    assert_eq!(proof.longest_line(&proof.position).len(), plies as usize);
    assert!(seen.len() >= 327);
    for at in 0..bytes.len() {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 1;
        assert!(verify(&damaged[..]).is_err(), "{at}");
    }
}

/// The part of a proof behind some moves is a certificate of its own.
#[test]
fn a_part_is_a_certificate() {
    for (board, moves) in [("3", ""), ("3", "a1"), ("2x3x4", "a1 b2")] {
        let (certificate, proofs) = havannah(board, moves);
        let whole = proof::read_header(&certificate[..]).expect("a header");
        let proof = &proofs[0];
        let mut position = proof.position.clone();
        let mut names: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        for mv in proof.longest_line(&proof.position).into_iter().take(3) {
            names.push(position.write_move(mv, Dialect::Grid));
            position.play(mv);
            let header = Header {
                game: "havannah".to_owned(),
                board: board.to_owned(),
                moves: names.clone(),
                claim: certificate::Claim::Promise(proof.promise),
            };
            let mut bytes = Vec::new();
            let written = proof.write_part(&mut bytes, &whole, names.clone(), &position, || true);
            written.expect("a part");
            let verdict = verify(&bytes[..]).expect("valid");
            assert_eq!(verdict.header, header);
        }
    }
}
