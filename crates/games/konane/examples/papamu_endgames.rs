//! Whether `papamu` plays endgames perfectly: games against itself are cut off some plies before their
//! end and played out again, and an exhaustive search says after each move whether who was winning still
//! is.
//!
//! ```text
//! cargo run --release -p papamu-konane --example papamu_endgames -- [GAMES [PLIES [NODES [SEED]]]]
//! ```
//!
//! Figures are for 8×8. `NODES` is what `papamu` may search for each move.

use game::{Game, random};
use konane::evaluation::Evaluator;
use konane::{Board, Opening, PositionOn, Shape, SmallBitBoard, Start};
use search::{Limits, Pvs, pvs};
use std::collections::HashMap;

type Konane = PositionOn<SmallBitBoard>;

fn main() {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("a number"))
        .collect();
    let arg = |index: usize, default: u64| args.get(index).copied().unwrap_or(default);
    let (games, plies, nodes, seed) = (arg(0, 20), arg(1, 25), arg(2, 1_000_000), arg(3, 1));
    let (mut moves, mut mistakes, mut proven_at_once) = (0, 0, 0);
    for game in 0..games {
        let record = record(seed.wrapping_mul(1_000_003).wrapping_add(game));
        let Some(cut) = record.len().checked_sub(plies as usize + 1) else {
            continue;
        };
        let mut position = record[cut].clone();
        let mut player = player(&position);
        let mut known = HashMap::new();
        let mut wins = is_win(&mut position, &mut known);
        let mut is_first = true;
        while position.outcome().is_none() {
            let report = player.search(&limits(nodes), &mut |_| {});
            let proven = report.proven.is_some();
            proven_at_once += u64::from(is_first && proven);
            is_first = false;
            let mv = report.best.expect("a move");
            position.play(mv);
            player.advance(mv).expect("a legal move");
            let opponent_wins = is_win(&mut position, &mut known);
            if wins {
                moves += 1;
                mistakes += u64::from(opponent_wins);
            }
            wins = opponent_wins;
        }
        println!(
            "game {game}: {} positions known, {mistakes} mistakes in {moves} won positions so far",
            known.len()
        );
    }
    println!(
        "{games} positions {plies} plies before the end, {nodes} nodes a move: {proven_at_once} proven by the first search, {mistakes} of {moves} moves gave a win away"
    );
}

fn limits(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn player(position: &Konane) -> Pvs<Konane, Evaluator<1>> {
    let evaluator = Evaluator::new(position.shape());
    Pvs::new(position.clone(), evaluator, pvs::Params::default())
}

/// The positions of a game of `papamu` against itself after some random moves.
fn record(seed: u64) -> Vec<Konane> {
    let mut rng = random::seeded(seed);
    let start = Start {
        shape: Shape::new(8, 8).expect("a shape"),
        opening: Opening::Traditional,
    };
    let mut position = PositionOn::new(&start).expect("a position");
    for _ in 0..4 + random::below(5, &mut rng) {
        if let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
        }
    }
    let mut player = player(&position);
    let mut record = vec![position.clone()];
    while position.outcome().is_none() {
        let report = player.search(&limits(20_000), &mut |_| {});
        let mv = report.best.expect("a move");
        position.play(mv);
        player.advance(mv).expect("a legal move");
        record.push(position.clone());
    }
    record
}

/// Whether the side to move wins: every move tried, those first that leave the opponent the fewest
/// moves. Positions are told apart by their 64-bit hash, which is enough for a measurement.
fn is_win(position: &mut Konane, known: &mut HashMap<u64, bool>) -> bool {
    let hash = position.hash();
    if let Some(&wins) = known.get(&hash) {
        return wins;
    }
    let mover = position.to_move();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.sort_by_cached_key(|&mv| {
        position.explore(mv, |child| {
            let board = child.board();
            3 * board.moves(!mover) as i32 - 2 * board.moves(mover) as i32
        })
    });
    let wins = moves
        .into_iter()
        .any(|mv| position.explore(mv, |child| !is_win(child, known)));
    known.insert(hash, wins);
    wins
}
