//! How long `papamu` takes to a depth, in every position of its games against itself.
//!
//! ```text
//! cargo run --release -p papamu-konane --example papamu_depth -- [DEPTH [GAMES]]
//! ```
//!
//! Figures are for 8×8, in processor time.

use game::{Game, random};
use konane::evaluation::Evaluator;
use konane::{Opening, PositionOn, Shape, SmallBitBoard, Start};
use search::{Limits, Pvs, pvs};

fn main() {
    let args: Vec<u32> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("a number"))
        .collect();
    let depth = args.first().copied().unwrap_or(10);
    let games = args.get(1).copied().unwrap_or(4);
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let start = Start {
        shape: Shape::new(8, 8).expect("a shape"),
        opening: Opening::Traditional,
    };
    let (mut nodes, mut seconds, mut turns, mut slowest) = (0, 0.0, 0_u32, 0.0);
    for game in 0..games {
        let mut position: PositionOn<SmallBitBoard> = PositionOn::new(&start).expect("a position");
        let mut rng = random::seeded(u64::from(game));
        for _ in 0..4 {
            if let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
            }
        }
        let evaluator = Evaluator::new(position.shape());
        let mut player = Pvs::new(position.clone(), evaluator, pvs::Params::default());
        let mut slowest_of_game: f64 = 0.0;
        while position.outcome().is_none() {
            let before = processor_seconds();
            let report = player.search(&limits, &mut |_| {});
            let took = processor_seconds() - before;
            slowest_of_game = slowest_of_game.max(took);
            seconds += took;
            nodes += report.nodes;
            turns += 1;
            let mv = report.best.expect("a move");
            position.play(mv);
            player.advance(mv).expect("a legal move");
        }
        slowest += slowest_of_game;
    }
    println!(
        "depth {depth}, {games} games: {:.4} s and {} nodes a turn, {:.2} million nodes/s, slowest turn of a game {:.3} s in the mean",
        seconds / f64::from(turns),
        nodes / u64::from(turns),
        nodes as f64 / seconds / 1e6,
        slowest / f64::from(games),
    );
}

/// The processor time of this thread.
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
