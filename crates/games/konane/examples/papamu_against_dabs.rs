//! Games of `papamu` against `dabs`, in which `papamu` has a share of the processor time that `dabs`
//! takes: a clock for each game, with that share of what `dabs` took for a game so far in the mean, and with
//! what is left over or was overdrawn in the games before.
//!
//! ```text
//! cargo run --release -p papamu-konane --example papamu_against_dabs -- [GAMES [DEPTH [SHARE [SEED [PLIES]]]]]
//! ```
//!
//! Games begin with PLIES random plies, the removal of a pair among them; 4 to 8 if it is not said. They are
//! played in pairs with colours swapped. So that other programs on the machine do not take from anybody's time,
//! `papamu` gets a number of nodes: those that it searched per second of processor time so far, times the time
//! that it has.

use game::{Game, Side, random};
use konane::evaluation::Evaluator;
use konane::shokry::DynamicBoard;
use konane::shokry::knowledge::Heuristic;
use konane::shokry::minimax::{Minimax, Order, Params};
use konane::{Opening, PositionOn, Shape, SmallBitBoard, Start, transferred};
use search::alphabeta::{self, Deepening};
use search::pvs::Domain;
use search::{AlphaBeta, Limits, Pvs, pvs};

fn main() {
    let args: Vec<f64> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("a number"))
        .collect();
    let arg = |index: usize, default: f64| args.get(index).copied().unwrap_or(default);
    let games = arg(0, 20.0) as u64;
    let depth = arg(1, 8.0) as u32;
    let share = arg(2, 0.1);
    let seed = arg(3, 1.0) as u64;
    let opening_plies = args.get(4).map(|&plies| plies as u32);

    let mut clocks = Clocks::default();
    let mut wins = 0;
    for game in 0..games {
        let start = opening(seed.wrapping_add(game / 2), opening_plies);
        let (won, plies) = play(game, start, depth, share, &mut clocks);
        wins += u64::from(won);
        if !won {
            println!("game {game} lost after {plies} plies");
        }
        let played = game + 1;
        if played.is_multiple_of(20) || played == games {
            tell(played, wins, &clocks);
        }
    }
}

fn tell(games: u64, wins: u64, clocks: &Clocks) {
    println!(
        "{wins} of {games} won; processor time {:.2} s against {:.2} s, {:.3} of it; {:.2} million nodes/s, {:.1} plies deep in the mean",
        clocks.papamu,
        clocks.dabs,
        clocks.papamu / clocks.dabs,
        clocks.nodes as f64 / clocks.papamu / 1e6,
        clocks.depths as f64 / clocks.turns as f64,
    );
}

/// Seconds of processor time and what was done with them, over all games.
#[derive(Default)]
struct Clocks {
    papamu: f64,
    dabs: f64,
    nodes: u64,
    depths: u64,
    turns: u64,
}

fn play(
    game: u64,
    mut position: PositionOn<SmallBitBoard>,
    depth: u32,
    share: f64,
    clocks: &mut Clocks,
) -> (bool, usize) {
    let colour = Side::BOTH[game as usize % 2];
    let mut dynamic: PositionOn<DynamicBoard> = transferred(&position).expect("a board");
    let ordering = Minimax::<1>::new(
        position.shape(),
        Params {
            order: Order::Effects,
            heuristic: Heuristic::Q,
            window: None,
        },
    );
    let at_once = alphabeta::Params {
        deepening: Deepening::AtOnce,
        ..alphabeta::Params::default()
    };
    let mut dabs = AlphaBeta::new(position.clone(), ordering, at_once);
    let evaluator = Evaluator::new(position.shape());
    let clock_keeper = evaluator.clone();
    let mut papamu = Pvs::new(position.clone(), evaluator, pvs::Params::default());
    // For the first game, what it may be.
    let of_a_game = if game > 0 {
        clocks.dabs / game as f64
    } else {
        0.5
    };
    let mut left = share * (clocks.dabs + of_a_game) - clocks.papamu;
    while position.outcome().is_none() {
        let before = processor_seconds();
        let mv = if position.to_move() == colour {
            let rate = if clocks.nodes > 0 {
                clocks.nodes as f64 / clocks.papamu
            } else {
                2e6
            };
            // The last moves need hardly any time, and the first ones decide more.
            let moves_left = f64::from(clock_keeper.plies_left(&position)) / 2.0;
            let moves = (0.7 * (moves_left - 4.0)).max(1.0) + 2.0;
            let limits = Limits {
                nodes: Some(((left * rate / moves) as u64).max(500)),
                ..Limits::default()
            };
            let report = papamu.search(&limits, &mut |_| {});
            let took = processor_seconds() - before;
            left -= took;
            clocks.papamu += took;
            clocks.nodes += report.nodes;
            clocks.depths += u64::from(report.depth);
            clocks.turns += 1;
            report.best
        } else {
            dabs.ordering_mut().recall(dynamic.board());
            let limits = Limits {
                depth: Some(depth),
                ..Limits::default()
            };
            let report = dabs.search(&limits, &mut |_| {});
            let took = processor_seconds() - before;
            clocks.dabs += took;
            report.best
        };
        let mv = mv.expect("a move");
        position.play(mv);
        dynamic.play(mv);
        dabs.advance(mv).expect("a legal move");
        papamu.advance(mv).expect("a legal move");
    }
    (position.to_move() != colour, position.ply())
}

/// An open game after the removal of a pair by chance and random moves.
fn opening(seed: u64, plies: Option<u32>) -> PositionOn<SmallBitBoard> {
    let start = Start {
        shape: Shape::new(8, 8).expect("a shape"),
        opening: Opening::Traditional,
    };
    let mut rng = random::seeded(seed);
    loop {
        let mut position = PositionOn::new(&start).expect("a position");
        for _ in 0..plies.unwrap_or_else(|| 4 + random::below(5, &mut rng)) {
            if let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// The processor time of this thread.
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
