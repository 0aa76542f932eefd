//! `papamu solve --positions`: the values of the positions of a file.

use crate::args::PositionArgs;
use crate::crews::Crews;
use crate::output;
use crate::solved::{Solved, Summary, exit_code};
use crate::turns::{AtOnce, Turn, solve_in_turns};
use anyhow::{Context, Result};
use engine::Playable;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Reads all positions of a file: a line of moves each.
pub fn read<G: Playable>(args: &PositionArgs, file: &Path) -> Result<Vec<PositionArgs>> {
    let lines = std::fs::read_to_string(file);
    let lines = lines.with_context(|| format!("cannot read {}", file.display()))?;
    let mut positions = Vec::new();
    for (number, line) in lines.lines().enumerate() {
        let moves = line.split(['#', '\t']).next().unwrap_or_default().trim();
        if moves.is_empty() {
            continue;
        }
        let position = PositionArgs {
            moves: moves.to_owned(),
            ..args.clone()
        };
        let place = || format!("{}, line {}", file.display(), number + 1);
        position.position::<G>().with_context(place)?;
        positions.push(position);
    }
    Ok(positions)
}

/// What a turn of a position brought.
pub enum Brought<S> {
    Solved(Solved),
    /// It needs another turn. What is known of it takes so many bytes meanwhile.
    Part {
        kept: S,
        bytes: usize,
    },
}

/// Solves positions [in turns](solve_in_turns), and tells the results in the order of the positions. `solve` has the position,
/// and what was kept of its last turn.
pub fn solve<'p, S: Send>(
    positions: &'p [PositionArgs],
    at_once: AtOnce,
    crews: &Crews,
    json: bool,
    solve: impl Fn(&'p PositionArgs, Option<S>) -> Result<Brought<S>> + Sync,
) -> Result<ExitCode> {
    let started = Instant::now();
    let table = Mutex::new(Table::new(json));
    let in_table = || table.lock().unwrap_or_else(PoisonError::into_inner);
    solve_in_turns(positions.len(), at_once, crews, |number, kept| {
        if in_table().failed.is_some() {
            return Turn::Over { goes_on: false };
        }
        let solved = match solve(&positions[number], kept) {
            Ok(Brought::Part { kept, bytes }) => return Turn::Next { kept, bytes },
            Ok(Brought::Solved(solved)) => Ok(solved),
            Err(why) => Err(why),
        };
        Turn::Over {
            goes_on: in_table().add(number, solved),
        }
    });
    let table = table.into_inner().unwrap_or_else(PoisonError::into_inner);
    let summary = Summary::of(&table.told, started.elapsed());
    if json {
        output::json_line(&summary)?;
    } else {
        output::text(&summary.in_words())?;
    }
    let is_complete = table.told.len() == positions.len();
    let code = exit_code(&table.told, is_complete);
    table.failed.map_or(Ok(code), Err)
}

/// What is known of the positions so far.
struct Table {
    json: bool,
    /// In their order.
    told: Vec<Solved>,
    /// By number: those that are told after another that is in progress.
    waiting: BTreeMap<usize, Solved>,
    failed: Option<anyhow::Error>,
    is_stopped: bool,
}

impl Table {
    fn new(json: bool) -> Table {
        Table {
            json,
            told: Vec::new(),
            waiting: BTreeMap::new(),
            failed: None,
            is_stopped: false,
        }
    }

    /// Adds what there is to say of a position, and gives whether there is to be another one.
    fn add(&mut self, number: usize, solved: Result<Solved>) -> bool {
        let told = solved.and_then(|solved| {
            self.is_stopped |= solved.is_stopped();
            self.waiting.insert(number, solved);
            while let Some(next) = self.waiting.remove(&self.told.len()) {
                self.tell(&next)?;
                self.told.push(next);
            }
            Ok(())
        });
        if let Err(why) = told {
            self.failed.get_or_insert(why);
        }
        self.failed.is_none() && !self.is_stopped
    }

    fn tell(&self, solved: &Solved) -> Result<()> {
        if self.json {
            return output::json_line(solved);
        }
        if self.told.is_empty() {
            output::text(&Solved::heading())?;
        }
        output::text(&solved.row())
    }
}
