//! How fast the alpha-beta players of Shokry's thesis (2023) search, and what their options change:
//! `dabs` plays games against itself, and in each position every player searches once.
//!
//! ```text
//! cargo run --release -p papamu-konane --example thesis_speed -- [DEPTH [WINDOWED DEPTH [PADDING [GAMES]]]]
//! ```
//!
//! Figures are for 8×8, in processor time. Nodes are counted as the thesis' program counts them: each position below the
//! root that the search visits, leaves included.

use game::{Game, random};
use konane::shokry::DynamicBoard;
use konane::shokry::knowledge::Heuristic;
use konane::shokry::minimax::{Minimax, Order, Params, Scope, WindowParams};
use konane::{Opening, PositionOn, Setup, Shape, SmallBitBoard, Start, transferred};
use search::alphabeta::{self, Deepening};
use search::{AlphaBeta, Details, Limits};

/// What a player did in all positions.
#[derive(Default)]
struct Total {
    nodes: u64,
    seconds: f64,
    /// The slowest turn of each game.
    slowest: Vec<f64>,
    cutoffs: u64,
    window_cutoffs: u64,
    turns: u32,
    /// Turns in which the best move was the first of the list.
    first: u32,
}

fn main() {
    let mut args = std::env::args()
        .skip(1)
        .map(|arg| arg.parse::<u32>().expect("a number"));
    let depth = args.next().unwrap_or(6);
    let windowed_depth = args.next().unwrap_or(8);
    let padding = args.next().unwrap_or(4) as usize;
    let games = args.next().unwrap_or(12);

    let plain = |order| Params {
        order,
        heuristic: Heuristic::Q,
        window: None,
    };
    let windowed = |scope| Params {
        window: Some(WindowParams { padding, scope }),
        ..plain(Order::Effects)
    };
    let players = [
        ("ab", plain(Order::Scan), depth),
        ("dab", plain(Order::Recent), depth),
        ("dabs", plain(Order::Effects), depth),
        ("dabs kept", plain(Order::KeptEffects), depth),
        ("dabs best-three", plain(Order::BestThree), depth),
        ("wdabs", windowed(Scope::Board), windowed_depth),
        ("wdabs in window", windowed(Scope::Window), windowed_depth),
    ];
    let mut totals = players.map(|_| Total::default());

    for game in 0..games {
        let mut position = opening(game);
        let mut dynamic: PositionOn<DynamicBoard> = transferred(&position).expect("a board");
        for total in &mut totals {
            total.slowest.push(0.0);
        }
        while position.outcome().is_none() {
            let mut to_play = None;
            for ((name, params, depth), total) in players.iter().zip(&mut totals) {
                let mut ordering = Minimax::<1>::new(position.shape(), *params);
                ordering.recall(dynamic.board());
                let at_once = alphabeta::Params {
                    deepening: Deepening::AtOnce,
                    ..alphabeta::Params::default()
                };
                let limits = Limits {
                    depth: Some(*depth),
                    ..Limits::default()
                };
                let mut search = AlphaBeta::new(position.clone(), ordering, at_once);
                let before = processor_seconds();
                let report = search.search(&limits, &mut |_| {});
                let Details {
                    best_index,
                    cutoffs,
                    left_out,
                    ..
                } = report.details;
                let seconds = processor_seconds() - before;
                total.nodes += report.nodes;
                total.seconds += seconds;
                total.cutoffs += cutoffs;
                total.window_cutoffs += left_out;
                total.turns += 1;
                total.first += u32::from(best_index == Some(0));
                if let Some(slowest) = total.slowest.last_mut() {
                    *slowest = slowest.max(seconds);
                }
                if *name == "dabs" {
                    to_play = report.best;
                }
            }
            let mv = to_play.expect("a move");
            position.play(mv);
            dynamic.play(mv);
        }
    }

    println!(
        "{games} games, depth {depth}, windows to depth {windowed_depth} with padding {padding}"
    );
    println!(
        "player          Mnodes/s   seconds      nodes   cut-offs  window  first  slowest turn"
    );
    for ((name, ..), total) in players.iter().zip(&totals) {
        println!(
            "{name:15} {:8.2} {:9.3} {:>10} {:>10} {:>7} {:4.0} % {:8.4} s",
            total.nodes as f64 / total.seconds / 1e6,
            total.seconds,
            total.nodes,
            total.cutoffs,
            total.window_cutoffs,
            100.0 * f64::from(total.first) / f64::from(total.turns),
            total.slowest.iter().sum::<f64>() / total.slowest.len() as f64,
        );
    }
}

/// A setup, with two more random moves for each time that all four have been used.
fn opening(game: u32) -> PositionOn<SmallBitBoard> {
    let setups = [
        Setup::Corner,
        Setup::CornerVertical,
        Setup::Centre,
        Setup::CentreVertical,
    ];
    let start = Start {
        shape: Shape::new(8, 8).expect("a shape"),
        opening: Opening::Removed(setups[game as usize % 4]),
    };
    let mut position = PositionOn::new(&start).expect("a position");
    let mut rng = random::seeded(u64::from(game));
    for _ in 0..game / 4 * 2 {
        if let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
        }
    }
    position
}

/// The processor time of this thread.
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
