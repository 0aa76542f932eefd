//! Playouts without a search, to measure how fast a game is played.

use game::{Game, perft, random};
use search::clock::Instant;
use std::time::Duration;

/// What was played, and how long it took.
#[derive(Clone, Debug, Default)]
pub struct Playouts {
    /// A hash of what was played: the same on every machine.
    pub signature: u64,
    /// How many games were played, in which time.
    pub games: (u64, Duration),
    /// How many positions were counted by perft, in which time; nothing where that is not measured.
    pub nodes: Option<(u64, Duration)>,
    /// The ways in which games ended, with how many did, and the mean number of stones placed.
    pub ends: Vec<(String, u64, f64)>,
}

/// Stones placed by playouts, where no number of playouts is asked for.
pub const STONES: u64 = 50_000_000;

/// Uniformly random games from a position, and perft to a depth.
pub fn uniform_playouts<G: Game>(position: &G, games: u64, seed: u64, depth: u32) -> Playouts {
    let mut rng = random::seeded(seed);
    let mut signature = 0;
    let mut scratch = position.clone();
    let started = Instant::now();
    for _ in 0..games {
        scratch.clone_from(position);
        while let Some(mv) = scratch.random_move(&mut rng) {
            scratch.play_unchecked(mv);
        }
        signature = random::mix(signature ^ scratch.ply() as u64);
    }
    let games = (games, started.elapsed());
    let started = Instant::now();
    let nodes = perft(&mut position.clone(), depth);
    Playouts {
        signature: random::mix(signature ^ nodes),
        games,
        nodes: Some((nodes, started.elapsed())),
        ends: Vec::new(),
    }
}
