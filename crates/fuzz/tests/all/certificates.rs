//! The checker of certificates: any bytes are refused or show what exhaustive search shows too, with work that
//! the length bounds.

use certificate::{Claim, Unchecked};
use engine::Playable;
use game::{Game, Notation, Outcome};
use registry::verify_while;
use std::collections::HashMap;

const DICTIONARY: &[&str] = &[
    "papamu certificate 4\ngame havannah\nboard 2\nmoves \nclaim white wins\nsearch 0\n\n",
    "papamu certificate 4\ngame havannah\nboard 2\nmoves a1\nclaim black holds\nsearch 3\n\n",
    "papamu certificate 4\ngame konane\nboard 3x3 corner\nmoves \nclaim black wins\nsearch 1\n\n",
    "papamu certificate 4\ngame konane\nboard 3x4 any\nmoves a1\nclaim white wins\nsearch 0\n\n",
    "papamu certificate 3\ngame havannah\nboard 2\nmoves \nclaim white wins\n\n",
    "papamu certificate 3\ngame konane\nboard 3x4 any\nmoves a1\nclaim white wins\n\n",
    "papamu certificate 4\n",
    "search 0\n\n",
    "search 7\n\n",
    "piece 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n",
    "papamu certificate 2\n",
    "papamu certificate 3\n",
    "game havannah\n",
    "game konane\n",
    "board 3\n",
    "board 2x2x3\n",
    "board 14\n",
    "board 2x5 centre\n",
    "board 4x3 traditional\n",
    "moves \n",
    "moves a1\n",
    "moves a1 b2\n",
    "moves a1 a2\n",
    "claim white wins\n",
    "claim black wins\n",
    "claim white holds\n",
    "claim black holds\n",
    "claim draw\n",
    "\n",
    " ",
    "a1",
    "+",
    "0",
    "\u{0}",
    "\u{1}",
    "\u{2}",
    "\u{3}",
    "\u{5}",
    "\u{8}",
];

#[test]
fn read() {
    let check = bolero::check!().with_iterations(20_000).with_max_len(120);
    check.for_each(|bytes: &[u8]| {
        let mut file = fuzz::input(bytes, DICTIONARY);
        check_file(&file);
        // Hardly any bytes end with their checksum.
        let sum = |number: u64, &byte: &u8| {
            (number ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        };
        let sum = file.iter().fold(0xcbf2_9ce4_8422_2325, sum);
        file.extend(sum.to_le_bytes());
        check_file(&file);
    });
}

fn check_file(file: &[u8]) {
    let mut visits = 0;
    let verdict = verify_while(file, |_| {
        visits += 1;
        true
    });
    let searched = Unchecked::read(file).map_or(0, |unchecked| unchecked.terms.searched);
    // A position of the side of the promise, the one after its move, and what is searched.
    let free = if file.starts_with(b"papamu certificate 2") {
        1 << 16
    } else {
        256 * (2 + u64::from(searched))
    };
    assert!(visits <= free * (file.len() as u64 + 1), "{visits} visits");
    let Ok(verdict) = verdict else { return };
    let header = &verdict.header;
    let (board, moves) = (header.board.as_str(), header.moves.join(" "));
    let value = if header.game == "havannah" {
        let shape = board.parse().expect("a shape");
        value_of(havannah::Position::new(shape), &moves)
    } else {
        let options = konane::Position::options_of_certified(board).expect("a board");
        value_of(konane::Position::start(&options).expect("a start"), &moves)
    };
    // What is too large to be searched here is left to other tests.
    let Some(value) = value else { return };
    match header.claim {
        Claim::Promise(promise) => assert!(promise.is_kept_by(value), "{header:?}"),
        Claim::Draw => assert_eq!(value, Outcome::Draw),
    }
}

/// The value by looking at everything, if that is not too much.
fn value_of<G: Game + Notation>(start: G, moves: &str) -> Option<Outcome> {
    let mut position = start;
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text, G::Dialect::default());
        position.play(mv.expect("a legal move"));
    }
    search(&position, &mut HashMap::new(), &mut 200_000)
}

/// By hash: what is claimed falsely here fails a test, and nothing more.
fn search<G: Game>(
    position: &G,
    known: &mut HashMap<u64, Outcome>,
    left: &mut u32,
) -> Option<Outcome> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome);
    }
    if let Some(&outcome) = known.get(&position.hash()) {
        return Some(outcome);
    }
    *left = left.checked_sub(1)?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best: Option<Outcome> = None;
    for mv in moves {
        let mut after = position.clone();
        after.play(mv);
        let value = search(&after, known, left)?;
        let side = position.to_move();
        if best.is_none_or(|best| value.seen_by(side) > best.seen_by(side)) {
            best = Some(value);
        }
    }
    known.insert(position.hash(), best?);
    best
}
