//! Playouts without a search, with how they end.

use crate::playout::UniformPlayout;
use crate::{Position, Structure};
use engine::{Playouts, STONES};
use game::{Game, Side, random};
use search::clock::Instant;

pub(crate) fn playouts(position: &Position, games: Option<u64>, seed: u64) -> Playouts {
    let (board, first) = (position.board(), position.to_move());
    let cells = board.geometry().cells().len() as u64;
    let games = games.unwrap_or(STONES / cells.max(1));
    let mut policy = UniformPlayout::new(board.geometry());
    let mut rng = random::seeded(seed);
    let mut counts = [(0, 0); 4];
    let mut signature = 0;
    policy.prepare(board);
    let started = Instant::now();
    for _ in 0..games {
        let ended = policy.play_again(board, first, &mut rng);
        let kind = ended.win.map_or(3, |(_, structure)| structure as usize);
        let by_black = u64::from(matches!(ended.win, Some((Side::Black, _))));
        counts[kind].0 += 1;
        counts[kind].1 += ended.stones as u64;
        signature = random::mix(signature ^ (ended.stones as u64 * 8 + kind as u64 * 2 + by_black));
    }
    let elapsed = started.elapsed();
    let kinds = [Structure::Fork, Structure::Bridge, Structure::Ring].map(|kind| kind.to_string());
    let kinds = kinds.into_iter().chain(["draw".to_owned()]);
    let end = |(end, (count, stones)): (String, (u64, u64))| {
        let mean = if count == 0 {
            0.0
        } else {
            stones as f64 / count as f64
        };
        (end, count, mean)
    };
    Playouts {
        signature,
        games: (games, elapsed),
        nodes: None,
        ends: kinds.zip(counts).map(end).collect(),
    }
}
