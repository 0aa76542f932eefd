//! Makes openings of Havannah that a long search judges balanced: random stones, alternately White's and
//! Black's, after which the expected score of the side to move is near a half.
//!
//! ```text
//! cargo run --release -p papamu-havannah --example balanced_openings -- SIZE COUNT [SIMULATIONS [SEED [KEY=VALUE]...]]
//! ```
//!
//! One a line as in the list `moves` of `[openings]` in the file of an experiment, with the judgement as a comment.

use engine::{BoardOptions, Playable, Setting};
use game::{Game, Notation, random};
use havannah::{Dialect, Position};
use search::{Limits, Report};
use std::error::Error;

/// How far from a half the score may be.
const TOLERANCE: f64 = 0.03;
/// A search this much shorter does away with most candidates; it may err by more.
const SHORT: f64 = 0.15;
const SHORT_TOLERANCE: f64 = 0.04;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(size), Some(count)) = (arguments.first(), arguments.get(1)) else {
        return Err("usage: balanced_openings SIZE COUNT [SIMULATIONS [SEED]]".into());
    };
    let count: usize = count.parse()?;
    let simulations: u64 = arguments.get(2).map_or(Ok(100_000), |text| text.parse())?;
    let seed: u64 = arguments.get(3).map_or(Ok(1), |text| text.parse())?;
    let settings: Vec<Setting> = arguments
        .iter()
        .skip(4)
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let start = Position::start(&BoardOptions::sized(size))?;
    println!(
        "# Openings of size {size} that {simulations} simulations of `papamu` judge at 47 to 53 % for the side to move."
    );
    println!(
        "# cargo run --release -p papamu-havannah --example balanced_openings -- {}",
        arguments.join(" ")
    );
    let player = Position::player(None)?;
    let mut rng = random::seeded(seed);
    let mut found = 0;
    let mut tried = 0;
    while found < count {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..3 + tried % 2 {
            let Some(mv) = position.random_move(&mut rng) else {
                break;
            };
            moves.push(position.write_move(mv, Dialect::Grid));
            position.play(mv);
        }
        tried += 1;
        let mut engine = player.build(position, seed, &settings)?;
        let mut judge = |simulations, tolerance| {
            let limits = Limits {
                simulations: Some(simulations),
                ..Limits::default()
            };
            let report: Report<_> = engine.search(&limits, &mut |_| {});
            let near = (report.value.0 - 0.5).abs() <= tolerance;
            (report.proven.is_none() && near).then_some(report.value.0)
        };
        if judge((SHORT * simulations as f64) as u64, SHORT_TOLERANCE).is_some()
            && let Some(value) = judge(simulations, TOLERANCE)
        {
            found += 1;
            println!("    \"{}\", # {:.1} %", moves.join(" "), 100.0 * value);
        }
    }
    Ok(())
}
