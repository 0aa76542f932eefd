//! The suite that every game runs from its tests: what must hold in every position of every game.
//!
//! Each function plays uniformly random games from a start position and panics with the position and
//! the move where something does not hold.

use crate::random::{self, Rng};
use crate::{Game, Notation, Symmetric, perft};
use std::collections::HashSet;

/// Checks in every position of `games` random games, moves being those of [`Notation::every_move`]:
/// - the generator lists exactly the moves that the predicate allows, each once;
/// - a refused move leaves the position as it was;
/// - exploring a move leaves the position as it was, and shows what playing it gives;
/// - the hash kept up to date is the hash computed anew, and the ply counts the moves;
/// - a game that is over has no legal move, one that goes on has at least one;
/// - random moves are legal.
///
/// # Panics
/// Where one of these does not hold.
pub fn rules<G: Notation>(start: &G, games: u32, seed: u64) {
    let mut rng = random::seeded(seed);
    for _ in 0..games {
        let mut position = start.clone();
        loop {
            check_position(&mut position, &mut rng);
            let Some(mv) = position.random_move(&mut rng) else {
                break;
            };
            let ply = position.ply();
            position.play(mv);
            assert_eq!(position.ply(), ply + 1, "ply after {mv:?} in {position:?}");
        }
        assert!(
            position.outcome().is_some(),
            "no move, no outcome: {position:?}"
        );
    }
}

fn check_position<G: Notation>(position: &mut G, rng: &mut Rng) {
    let before = position.clone();
    assert_eq!(
        position.hash(),
        position.recomputed_hash(),
        "hash of {position:?}"
    );

    let mut listed = Vec::new();
    position.legal_moves(&mut listed);
    let generated: HashSet<G::Move> = listed.iter().copied().collect();
    assert_eq!(
        generated.len(),
        listed.len(),
        "a move twice in {position:?}"
    );
    assert_eq!(
        listed.is_empty(),
        position.outcome().is_some(),
        "{position:?}"
    );

    let every = position.every_move();
    for &mv in &every {
        let allowed = position.is_legal(mv);
        assert_eq!(allowed, generated.contains(&mv), "{mv:?} in {position:?}");
        if !allowed {
            assert!(position.try_play(mv).is_err());
            assert!(*position == before, "a refused {mv:?} changed {before:?}");
        }
    }
    for &mv in &listed {
        assert!(
            every.contains(&mv),
            "{mv:?} cannot be written in {position:?}"
        );
        let mut child = before.clone();
        child.play_unchecked(mv);
        position.explore(mv, |explored| {
            assert!(*explored == child, "exploring {mv:?} in {before:?}");
            assert_eq!(explored.hash(), child.hash());
        });
        assert!(*position == before, "exploring {mv:?} changed {before:?}");
        assert_eq!(position.hash(), before.hash());
    }
    if let Some(mv) = position.random_move(rng) {
        assert!(generated.contains(&mv), "random {mv:?} in {position:?}");
    }
}

/// Checks that in every position of `games` random games each move that can be written is read back in
/// the same dialect.
///
/// # Panics
/// Where it is not.
pub fn notation<G: Notation>(start: &G, dialects: &[G::Dialect], games: u32, seed: u64) {
    for_each_position(start, games, seed, |position| {
        for &dialect in dialects {
            for mv in position.every_move() {
                let text = position.write_move(mv, dialect);
                assert_eq!(
                    position.parse_move(&text, dialect).as_ref(),
                    Ok(&mv),
                    "{text}"
                );
            }
        }
    });
}

/// Checks that the random choice among the legal moves of a position is uniform: a chi-squared test
/// with 400 draws for each move, failing at six standard deviations.
///
/// # Panics
/// Where it is not.
pub fn uniform_random_moves<G: Game>(position: &G, seed: u64) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut counts = vec![0u32; moves.len()];
    let mut rng = random::seeded(seed);
    let expected = 400.0;
    for _ in 0..moves.len() * 400 {
        let drawn = position.random_move(&mut rng).expect("a legal move");
        let place = moves.iter().position(|&mv| mv == drawn);
        counts[place.expect("a listed move")] += 1;
    }
    let chi: f64 = counts
        .iter()
        .map(|&count| (f64::from(count) - expected).powi(2) / expected)
        .sum();
    let freedom = (moves.len() - 1) as f64;
    assert!(
        chi <= freedom + 6.0 * (2.0 * freedom).sqrt() + 6.0,
        "chi squared {chi:.1} for {freedom} degrees of freedom: {counts:?}"
    );
}

/// Checks in every position of `games` random games, for every symmetry of the board: undoing it gives
/// the position back; it keeps the outcome, the side to move and the representative hash; and playing a
/// move, then transforming, is transforming, then playing the transformed move.
///
/// # Panics
/// Where one of these does not hold.
pub fn symmetry<G: Symmetric>(start: &G, games: u32, seed: u64) {
    for_each_position(start, games, seed, |position| {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let representative = position.representative_hash();
        assert!(position.transformed(0) == *position, "0 is the identity");
        for symmetry in 0..position.symmetries() {
            let inverse = position.inverse(symmetry);
            let shown = position.transformed(symmetry);
            assert!(
                shown.transformed(inverse) == *position,
                "{symmetry} of {position:?}"
            );
            assert_eq!(shown.hash(), shown.recomputed_hash());
            assert_eq!(shown.outcome(), position.outcome());
            assert_eq!(shown.to_move(), position.to_move());
            assert_eq!(shown.representative_hash(), representative, "{position:?}");
            for &mv in &moves {
                let there = position.transformed_move(symmetry, mv);
                assert_eq!(shown.transformed_move(inverse, there), mv);
                let mut first_played = position.clone();
                first_played.play(mv);
                let mut first_shown = shown.clone();
                first_shown.play(there);
                assert!(first_played.transformed(symmetry) == first_shown);
            }
        }
    });
}

/// Checks perft against published or independently computed counts, `(depth, nodes)` each.
///
/// # Panics
/// Where a count differs.
pub fn perft_counts<G: Game>(start: &G, counts: &[(u32, u64)]) {
    for &(depth, nodes) in counts {
        assert_eq!(
            perft(&mut start.clone(), depth),
            nodes,
            "perft {depth} of {start:?}"
        );
    }
}

fn for_each_position<G: Game>(start: &G, games: u32, seed: u64, mut look: impl FnMut(&G)) {
    let mut rng = random::seeded(seed);
    for _ in 0..games {
        let mut position = start.clone();
        look(&position);
        while let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
            look(&position);
        }
    }
}
