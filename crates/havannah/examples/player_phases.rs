//! Where the time of a search goes: the tables "Time Used by MCTS Phase" of the Castro thesis (2012).
//!
//! ```text
//! cargo run --release -p havannah --example player_phases -- [seconds a search]
//! ```

use havannah::{Guide, GuideParams, Position, Shape};
use search::mcts::{Lookahead, Params};
use search::{Limits, Mcts};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: f64 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 10.0,
    };
    let uct = Params {
        lookahead: Lookahead::TwoPlies,
        memory: 4 << 30,
        ..Params::default()
    };
    let rave = Params {
        exploration: 0.0,
        first_play: 1.0,
        rave: 500.0,
        ..uct.clone()
    };
    println!("playouts player size simulations  descent expansion playout back-propagation  depth");
    for playouts in [1, 2, 10] {
        for (name, params) in [("UCT", &uct), ("RAVE", &rave)] {
            for size in [5, 10] {
                let position = Position::new(Shape::regular(size)?);
                let guide = Guide::new(position.geometry(), &GuideParams::default());
                let params = Params {
                    playouts,
                    ..params.clone()
                };
                let limits = Limits {
                    time: Some(Duration::from_secs_f64(seconds)),
                    ..Limits::default()
                };
                let mut search = Mcts::with_guide(position, params, 1, guide);
                let report = search.search(&limits, &mut |_| {});
                let statistics = search.statistics();
                let [descent, expansion, playout, back] =
                    statistics.phases.map(|share| 100.0 * share);
                println!(
                    "{playouts:8} {name:6} {size:4} {:11}  {descent:6.1}% {expansion:8.1}% {playout:6.1}% {back:15.1}%  {:5.2}",
                    report.simulations, statistics.mean_depth
                );
            }
        }
    }
    Ok(())
}
