//! Adds to positions of `self_play` what a search of `papamu` makes of them, for `tune_evaluation`.
//!
//! ```text
//! cargo run --release -p konane --example label_positions -- [NODES [SIZE]] < FILE > LABELLED
//! ```
//!
//! Each line gets one number more: the value for the side to move in hundredths of a logit, or 9999 for a proven
//! win and −9999 for a proven loss.

use game::{Relative, Side};
use konane::evaluation::Evaluator;
use konane::{Board, Position, Shape, SmallBitBoard};
use search::{Limits, Pvs, pvs};
use std::io::{BufRead, BufWriter, Write};

const PROVEN: i32 = 9999;

fn main() -> std::io::Result<()> {
    let args = std::env::args().skip(1);
    let args: Vec<u64> = args.map(|arg| arg.parse().expect("a number")).collect();
    let limits = Limits {
        nodes: Some(args.first().copied().unwrap_or(2000)),
        ..Limits::default()
    };
    let size = args.get(1).copied().unwrap_or(8) as usize;
    let shape = Shape::new(size, size).expect("a shape");
    let evaluator = Evaluator::new(shape);
    let mut player: Option<Pvs<Position<SmallBitBoard>, Evaluator<1>>> = None;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let position = position(&line, shape);
        let player = player.get_or_insert_with(|| {
            let params = pvs::Params {
                memory: 1 << 20,
                ..pvs::Params::default()
            };
            Pvs::new(position.clone(), evaluator.clone(), params)
        });
        player.set_position(position);
        let report = player.search(&limits, &mut |_| {});
        let value = match report.proven {
            Some(Relative::Win) => PROVEN,
            Some(_) => -PROVEN,
            None => report.evaluation.expect("a value"),
        };
        writeln!(out, "{line} {value}")?;
    }
    out.flush()
}

/// The position of a line of `self_play`.
fn position(line: &str, shape: Shape) -> Position<SmallBitBoard> {
    let mut parts = line.split(' ');
    let stones = parts.next().expect("stones");
    let stones = u64::from_str_radix(stones, 16).expect("stones");
    let side: usize = parts.next().expect("a side").parse().expect("a side");
    let board = SmallBitBoard::new(shape, |cell| stones >> shape.index(cell) & 1 == 1);
    Position::from_board(board, Side::BOTH[side])
}
