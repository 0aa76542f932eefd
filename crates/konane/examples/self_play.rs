//! Games of `papamu` against itself, as a set of positions for `tune_evaluation`.
//!
//! ```text
//! cargo run --release -p konane --example self_play -- FILE [GAMES [NODES [SEED [SIZE]]]]
//! ```
//!
//! A game begins with 4 to 27 random moves. For each position after them the file gets a line: the stones as a
//! hexadecimal number, the side to move (1 is Black), whether it won, the plies that were left, and the game.
//! As soon as the solver finds out who wins, all positions before are given that result.

use game::{Game, Side, random};
use konane::evaluation::Evaluator;
use konane::solver::{self, Solver};
use konane::{Board, Opening, Position, Shape, SmallBitBoard, Start};
use search::{Limits, Pvs, pvs};
use std::fs::File;
use std::io::{BufWriter, Write};

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a file");
    let args: Vec<u64> = args.map(|arg| arg.parse().expect("a number")).collect();
    let arg = |index: usize, default: u64| args.get(index).copied().unwrap_or(default);
    let (games, nodes, seed, size) = (arg(0, 1000), arg(1, 1500), arg(2, 1), arg(3, 8));
    let shape = Shape::new(size as usize, size as usize).expect("a shape");
    let mut out = BufWriter::new(File::create(file)?);
    let mut solver =
        Solver::new(shape, &solver::Params { memory: 1 << 26 }).expect("a small board");
    let evaluator = Evaluator::new(shape);
    for game in 0..games {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(game);
        for line in play(seed, nodes, &evaluator, shape, &mut solver) {
            writeln!(out, "{line} {game}")?;
        }
    }
    out.flush()
}

fn play(
    seed: u64,
    nodes: u64,
    evaluator: &Evaluator<1>,
    shape: Shape,
    solver: &mut Solver,
) -> Vec<String> {
    let mut rng = random::seeded(seed);
    let opening = Opening::Traditional;
    let mut position: Position<SmallBitBoard> =
        Position::new(&Start { shape, opening }).expect("a position");
    let limits = |nodes| Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    for _ in 0..4 + random::below(24, &mut rng) {
        if let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
        }
    }
    let params = pvs::Params {
        memory: 1 << 17,
        ..pvs::Params::default()
    };
    let mut player = Pvs::new(position.clone(), evaluator.clone(), params);
    let mut seen = Vec::new();
    let mut proven: Option<(usize, Side)> = None;
    while position.outcome().is_none() {
        let board = position.board();
        let stones = shape
            .cells()
            .filter(|&cell| board.stone(cell).is_some())
            .fold(0_u64, |stones, cell| stones | 1 << shape.index(cell));
        seen.push((stones, position.to_move()));
        if proven.is_none() && stones.count_ones() as usize * 10 < shape.area() * 6 {
            let report = solver.solve(&position, &limits(150), &mut |_| {});
            proven = report.winner().map(|winner| (seen.len(), winner));
        }
        let mv = player
            .search(&limits(nodes), &mut |_| {})
            .best
            .expect("a move");
        position.play(mv);
        player.advance(mv).expect("a legal move");
    }
    let loser = position.to_move();
    let plies = seen.len();
    let line = |(ply, (stones, side)): (usize, (u64, Side))| {
        let winner = match proven {
            Some((known, winner)) if ply < known => winner,
            _ => !loser,
        };
        let won = u8::from(winner == side);
        format!("{stones:x} {} {won} {}", side.index(), plies - ply)
    };
    seen.into_iter().enumerate().map(line).collect()
}
