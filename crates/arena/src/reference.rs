//! Standardised time: seconds of the reference machine.
//!
//! The Castro thesis (2012) gives times on a machine that does 500,000 simulations of basic UCT on
//! Havannah size 4 in 11 seconds. A budget in such seconds allows the same number of simulations of
//! basic UCT on every machine, and so keeps results comparable as machines and programs become faster.

use engine::{Playable, Setting};
use havannah::Position;
use search::Limits;
use std::time::Instant;

/// Simulations of basic UCT on size 4 that the reference machine does in a second.
pub const SIMULATIONS_PER_SECOND: f64 = 500_000.0 / 11.0;

/// Simulations of one measurement.
const MEASURED: u64 = 40_000;

/// Seconds of this machine for one second of the reference machine, while `threads` threads are busy:
/// the median of five measurements of each thread.
pub fn seconds_for_one(threads: usize) -> f64 {
    let mut rates: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(rates)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_default())
            .collect()
    });
    rates.sort_by(f64::total_cmp);
    let median = rates.get(rates.len() / 2).copied();
    median.map_or(1.0, |rate| SIMULATIONS_PER_SECOND / rate)
}

/// Simulations a second of basic UCT (no lookahead) from the empty board of size 4.
fn rates() -> Vec<f64> {
    let size = engine::BoardOptions::sized("4");
    let plain = [Setting {
        name: "lookahead".to_owned(),
        value: "0".to_owned(),
    }];
    let (Ok(start), Ok(player)) = (Position::start(&size), Position::player(Some("uct"))) else {
        return Vec::new();
    };
    let measure = |seed: u64| {
        let mut engine = player.build(start.clone(), seed, &plain).ok()?;
        let limits = Limits {
            simulations: Some(MEASURED),
            ..Limits::default()
        };
        let started = Instant::now();
        let report = engine.search(&limits, &mut |_| {});
        Some(report.simulations as f64 / started.elapsed().as_secs_f64())
    };
    (1..=5).filter_map(measure).collect()
}
