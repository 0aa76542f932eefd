//! The positions that `self_play` writes, for the programs that fit weights to them.

use game::Side;
use konane::{BitBoard, Board, PositionOn, Shape};
use std::fs;

/// What a search says counts for so much, who won for the rest; what is proven counts alone.
const SEARCHED: f32 = 0.75;
/// What `self_play` writes for a proven win.
const PROVEN: f32 = 9999.0;

/// A position with what came of it, from the point of view of the side to move.
pub struct Labelled {
    pub position: PositionOn<BitBoard<1>>,
    /// 1 if it won, otherwise 0.
    pub won: f32,
    /// The probability to win that weights are fitted to.
    pub target: f32,
    game: usize,
}

/// What `make` makes of the positions in the files: of those to fit weights to, and of those of a tenth of the games,
/// which are held out.
///
/// # Panics
/// If a file cannot be read, or is none of `self_play`.
pub fn read<S>(
    files: impl Iterator<Item = String>,
    shape: Shape,
    make: impl Fn(Labelled) -> S,
) -> (Vec<S>, Vec<S>) {
    let (mut fit, mut held_out) = (Vec::new(), Vec::new());
    for (number, file) in files.enumerate() {
        let text = fs::read_to_string(file).expect("a file");
        for line in text.lines() {
            let labelled = Labelled::of_line(line, shape);
            let is_held_out = (labelled.game + number).is_multiple_of(10);
            let samples = if is_held_out { &mut held_out } else { &mut fit };
            samples.push(make(labelled));
        }
    }
    println!("{} positions, {} held out", fit.len(), held_out.len());
    (fit, held_out)
}

impl Labelled {
    fn of_line(line: &str, shape: Shape) -> Labelled {
        let parts: Vec<&str> = line.split(' ').collect();
        let [stones, side, won, _, game, searched] = parts[..] else {
            panic!("six parts in {line:?}");
        };
        let won: f32 = won.parse().expect("0 or 1");
        let target = match searched.parse::<f32>().expect("a value") {
            value if value.abs() >= PROVEN => f32::from(value > 0.0),
            value => SEARCHED / (1.0 + (-value / 100.0).exp()) + (1.0 - SEARCHED) * won,
        };
        let stones = u64::from_str_radix(stones, 16).expect("stones");
        let side = Side::BOTH[side.parse::<usize>().expect("a side")];
        let board = BitBoard::<1>::new(shape, |cell| stones >> shape.index(cell) & 1 == 1);
        Labelled {
            position: PositionOn::from_board(board, side),
            won,
            target,
            game: game.parse().expect("a game"),
        }
    }
}
