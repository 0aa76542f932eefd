//! Games of `papamu` against itself, as a set of positions for `tune_evaluation`.
//!
//! ```text
//! cargo run --release -p papamu-konane --example self_play -- FILE [GAMES [NODES [SEED [SIZE]]]]
//! ```
//!
//! A game begins with 4 to 23 random moves. For each position after them the file gets a line: the stones as a
//! hexadecimal number, the side to move (1 is Black), whether it won, the plies that were left, the game, and
//! what the search of its move made of it: the value for the side to move in hundredths of a logit, or 9999 for a
//! proven win and −9999 for a proven loss. Where a search proves who wins, so the positions before it are labelled.

use game::{Game, Relative, random};
use konane::evaluation::Evaluator;
use konane::{Board, Opening, PositionOn, Shape, SmallBitBoard, Start};
use search::{Limits, Pvs, pvs};
use std::fs::File;
use std::io::{BufWriter, Write};

/// The value of a proven win.
const PROVEN: i32 = 9999;

type Player = Pvs<PositionOn<SmallBitBoard>, Evaluator<1>>;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a file");
    let args: Vec<u64> = args.map(|arg| arg.parse().expect("a number")).collect();
    let arg = |index: usize, default: u64| args.get(index).copied().unwrap_or(default);
    let (games, nodes, seed, size) = (arg(0, 1000), arg(1, 800), arg(2, 1), arg(3, 8));
    let shape = Shape::new(size as usize, size as usize).expect("a shape");
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut out = BufWriter::new(File::create(file)?);
    let params = pvs::Params {
        memory: 1 << 20,
        ..pvs::Params::default()
    };
    let mut player = Pvs::new(opening(0, shape), Evaluator::new(shape), params);
    for game in 0..games {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(game);
        for line in play(game, opening(seed, shape), &limits, &mut player) {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()
}

/// The removal of a pair and random moves after it, in an open game.
fn opening(seed: u64, shape: Shape) -> PositionOn<SmallBitBoard> {
    let mut rng = random::seeded(seed);
    let opening = Opening::Traditional;
    loop {
        let mut position = PositionOn::new(&Start { shape, opening }).expect("a position");
        for _ in 0..4 + random::below(20, &mut rng) {
            if let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// The lines of a game.
fn play(
    game: u64,
    mut position: PositionOn<SmallBitBoard>,
    limits: &Limits,
    player: &mut Player,
) -> Vec<String> {
    let shape = position.shape();
    player.set_position(position.clone());
    let mut seen = Vec::new();
    while position.outcome().is_none() {
        let board = position.board();
        let stones = shape
            .cells()
            .filter(|&cell| board.stone(cell).is_some())
            .fold(0_u64, |stones, cell| stones | 1 << shape.index(cell));
        let report = player.search(limits, &mut |_| {});
        let value = match report.proven {
            Some(Relative::Win) => PROVEN,
            Some(_) => -PROVEN,
            None => report.evaluation.expect("a value"),
        };
        seen.push((stones, position.to_move(), value));
        let mv = report.best.expect("a move");
        position.play(mv);
        player.advance(mv).expect("a legal move");
    }
    let mut winner = !position.to_move();
    let mut lines = Vec::new();
    for (left, (stones, side, value)) in (1..).zip(seen.into_iter().rev()) {
        if value.abs() == PROVEN {
            winner = if value > 0 { side } else { !side };
        }
        let won = u8::from(winner == side);
        lines.push(format!(
            "{stones:x} {} {won} {left} {game} {value}",
            side.index()
        ));
    }
    lines.reverse();
    lines
}
