//! Positions to learn from.

use game::{Game, Side};
use havannah::knowledge::network::{PLANES, planes};
use havannah::{Cell, Move, Position, Shape};
use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::sync::Arc;

/// Fewer visits say nothing of a move: all moves are tried so often.
const TRIED: f32 = 9.0;

/// A position and what is known of it.
pub struct Sample {
    pub shape: Shape,
    /// Moves from the empty board, of which the first `plies` lead to the position.
    cells: Arc<[Cell]>,
    plies: usize,
    /// What the side to move scored.
    pub score: Option<f32>,
    pub choice: Option<Choice>,
}

/// What a search chose.
pub struct Choice {
    /// The share of the visits that cells got, by their places in the order of the board's cells.
    pub shares: Vec<(usize, f32)>,
    /// The places of the empty cells.
    pub empty: Vec<usize>,
}

impl Sample {
    pub fn planes(&self) -> Vec<[i16; PLANES]> {
        planes(&after(self.shape, &self.cells[..self.plies]))
    }
}

/// The position after moves from the empty board.
fn after(shape: Shape, cells: &[Cell]) -> Position {
    let mut position = Position::new(shape);
    for &cell in cells {
        position.play(Move::Place(cell));
    }
    position
}

/// Reads files, in which a line is one of
///
/// ```text
/// game SIZE .CELL.CELL... RANDOM SCORE
/// search SIZE .CELL.CELL... CELL:VISITS,...
/// ```
///
/// the moves so far, White's first, as grid indices; how many of them were random, and White's score; or the visits of
/// the next move. Searches are known before the game that they belong to. Gives the samples to learn from, and those of
/// games kept out.
pub fn read(files: &[String]) -> Result<(Vec<Sample>, Vec<Sample>), Box<dyn Error>> {
    let (mut learned, mut kept_out) = (Vec::new(), Vec::new());
    for file in files {
        let text = fs::read_to_string(file)?;
        read_text(&text, &mut learned, &mut kept_out)
            .map_err(|fault| format!("{file}: {fault}"))?;
    }
    Ok((learned, kept_out))
}

pub fn read_text(
    text: &str,
    learned: &mut Vec<Sample>,
    kept_out: &mut Vec<Sample>,
) -> Result<(), Box<dyn Error>> {
    let mut searches = HashMap::new();
    let mut games = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = || format!("line {number}");
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["search", size, moves, visits] => {
                searches.insert((size, moves), visits);
            }
            ["game", size, moves, random, score] => {
                games += 1;
                let samples = if games % 50 == 7 {
                    &mut *kept_out
                } else {
                    &mut *learned
                };
                let (random, score) = (random.parse()?, score.parse()?);
                let shape = Shape::regular(size.parse()?)?;
                let cells = cells(shape, moves).ok_or_else(wrong)?;
                let starts = moves.match_indices('.').map(|(start, _)| start);
                for (plies, start) in starts.enumerate() {
                    let visits = searches.remove(&(size, &moves[..start]));
                    if plies >= random {
                        let sample = sample(shape, &cells, plies, Some(score), visits);
                        samples.extend(sample.map_err(|fault| format!("{}: {fault}", wrong()))?);
                    }
                }
            }
            _ => return Err(wrong().into()),
        }
    }
    for ((size, moves), visits) in searches {
        let shape = Shape::regular(size.parse()?)?;
        let wrong = || format!("the search after {moves}");
        let cells = cells(shape, moves).ok_or_else(wrong)?;
        let sample = sample(shape, &cells, cells.len(), None, Some(visits));
        learned.extend(sample.map_err(|fault| format!("{}: {fault}", wrong()))?);
    }
    Ok(())
}

/// `None` unless the moves are legal.
fn cells(shape: Shape, moves: &str) -> Option<Arc<[Cell]>> {
    let mut position = Position::new(shape);
    let mut cells = Vec::new();
    for word in moves.split('.').skip(1) {
        let cell = position.geometry().cell(word.parse().ok()?)?;
        position.try_play(Move::Place(cell)).ok()?;
        cells.push(cell);
    }
    Some(cells.into())
}

/// `None` where the game is over, or nothing is known.
fn sample(
    shape: Shape,
    cells: &Arc<[Cell]>,
    plies: usize,
    white_score: Option<f32>,
    visits: Option<&str>,
) -> Result<Option<Sample>, Box<dyn Error>> {
    let position = after(shape, &cells[..plies]);
    let score = white_score.map(|score| match position.to_move() {
        Side::White => score,
        Side::Black => 1.0 - score,
    });
    let choice = match visits {
        Some(visits) => choice(&position, visits)?,
        None => None,
    };
    let is_known = score.is_some() || choice.is_some();
    Ok((is_known && position.outcome().is_none()).then(|| Sample {
        shape,
        cells: Arc::clone(cells),
        plies,
        score,
        choice,
    }))
}

/// `None` if no move was visited often enough.
fn choice(position: &Position, visits: &str) -> Result<Option<Choice>, Box<dyn Error>> {
    let geometry = position.geometry();
    let place = |cell| geometry.cells().binary_search(&cell).ok();
    let mut shares = Vec::new();
    for entry in visits.split(',').filter(|entry| !entry.is_empty()) {
        let (cell, visits) = entry.split_once(':').ok_or("a cell without visits")?;
        let cell = geometry.cell(cell.parse()?).and_then(place);
        let cell = cell.ok_or("no cell of the board")?;
        let visits = visits.parse::<f32>()? - TRIED;
        if visits > 0.0 {
            shares.push((cell, visits));
        }
    }
    let sum: f32 = shares.iter().map(|&(_, visits)| visits).sum();
    for (_, share) in &mut shares {
        *share /= sum;
    }
    let cells = geometry.cells().iter().enumerate();
    let empty = cells.filter(|&(_, &cell)| position.board().is_empty(cell));
    let empty = empty.map(|(place, _)| place).collect();
    Ok((sum > 0.0).then_some(Choice { shares, empty }))
}
