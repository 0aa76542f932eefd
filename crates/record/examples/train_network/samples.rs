//! Positions to learn from.

use game::{Game, Side};
use havannah::knowledge::network::{PLANES, planes};
use havannah::{Move, Position, Shape};
use std::error::Error;
use std::fs;

/// Fewer visits say nothing of a move: all moves are tried so often.
const TRIED: f32 = 9.0;

/// What is known of a position.
pub enum Lesson {
    /// What its side to move scored.
    Score(f32),
    /// The share of a search's visits that cells got, by their places in the order of the board's cells, and the places
    /// of the empty cells.
    Choice {
        shares: Vec<(usize, f32)>,
        empty: Vec<usize>,
    },
}

/// A position and what is known of it.
pub struct Sample {
    pub size: usize,
    pub planes: Vec<[i16; PLANES]>,
    pub lesson: Lesson,
}

/// Reads files, in which a line is one of
///
/// ```text
/// game SIZE .CELL.CELL... RANDOM SCORE
/// search SIZE .CELL.CELL... CELL:VISITS,...
/// ```
///
/// the moves so far, White's first, as grid indices; how many of them were random, and White's score; or the visits of
/// the next move. Gives the samples to learn from, and those kept out.
pub fn read(files: &[String]) -> Result<(Vec<Sample>, Vec<Sample>), Box<dyn Error>> {
    let (mut learned, mut kept_out) = (Vec::new(), Vec::new());
    for file in files {
        for (number, line) in fs::read_to_string(file)?.lines().enumerate() {
            let samples = if number % 50 == 7 {
                &mut kept_out
            } else {
                &mut learned
            };
            read_line(line, samples).ok_or_else(|| format!("{file}: line {}", number + 1))?;
        }
    }
    Ok((learned, kept_out))
}

fn read_line(line: &str, samples: &mut Vec<Sample>) -> Option<()> {
    let words: Vec<&str> = line.split(' ').collect();
    let [kind, size, moves, rest @ ..] = &words[..] else {
        return None;
    };
    let shape = Shape::regular(size.parse().ok()?).ok()?;
    let mut position = Position::new(shape);
    let geometry = position.geometry();
    let cells = moves.split('.').filter(|word| !word.is_empty());
    let cells = cells.map(|word| geometry.cell(word.parse().ok()?));
    let cells: Vec<_> = cells.collect::<Option<_>>()?;
    let sample = |position: &Position, lesson| Sample {
        size: shape.size(),
        planes: planes(position),
        lesson,
    };
    match (*kind, rest) {
        ("game", [random, score]) => {
            let random: usize = random.parse().ok()?;
            let score: f32 = score.parse().ok()?;
            for (ply, &cell) in (1..).zip(&cells) {
                position.play(Move::Place(cell));
                // Positions that follow each other teach much the same.
                let counts = ply >= random && (ply - random).is_multiple_of(2);
                if counts && position.outcome().is_none() {
                    let score = match position.to_move() {
                        Side::White => score,
                        Side::Black => 1.0 - score,
                    };
                    samples.push(sample(&position, Lesson::Score(score)));
                }
            }
        }
        ("search", [visits]) => {
            for &cell in &cells {
                position.play(Move::Place(cell));
            }
            let place = |cell| geometry.cells().binary_search(&cell).ok();
            let mut shares = Vec::new();
            for entry in visits.split(',').filter(|entry| !entry.is_empty()) {
                let (cell, visits) = entry.split_once(':')?;
                let visits = visits.parse::<f32>().ok()? - TRIED;
                if visits > 0.0 {
                    shares.push((place(geometry.cell(cell.parse().ok()?)?)?, visits));
                }
            }
            let sum: f32 = shares.iter().map(|&(_, visits)| visits).sum();
            for (_, share) in &mut shares {
                *share /= sum;
            }
            let cells = geometry.cells().iter().enumerate();
            let empty = cells.filter(|&(_, &cell)| position.board().is_empty(cell));
            let empty = empty.map(|(place, _)| place).collect();
            if position.outcome().is_none() && sum > 0.0 {
                samples.push(sample(&position, Lesson::Choice { shares, empty }));
            }
        }
        _ => return None,
    }
    Some(())
}
