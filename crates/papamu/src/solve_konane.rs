//! `papamu solve konane` with the solver `papamu`.

use crate::args::PositionArgs;
use crate::solve_havannah::ProofArgs;
use crate::solved::{Solved, named};
use crate::solvers::in_words;
use crate::{long_run, output, progress};
use anyhow::{Context, Result, bail};
use certificate::{Claim, Header};
use engine::Playable;
use game::{Game, Notation, Outcome};
use konane::solver::{Params, Solver};
use konane::{Opening, Setup, SmallBitBoard, Start};
use search::Limits;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

type Position = konane::Position<SmallBitBoard>;

/// Solves a position, knowing nothing of others.
pub fn solve(
    args: &PositionArgs,
    proof: &ProofArgs,
    memory: u64,
    limits: &Limits,
    json: bool,
) -> Result<Solved> {
    if proof.all_openings
        || proof.resume.is_some()
        || proof.export.is_some()
        || proof.guide.is_some()
    {
        bail!("checkpoints, proof trees and --all-openings are for havannah so far");
    }
    let position: Position = args.position()?;
    let params = Params {
        memory: (memory << 20) as usize,
    };
    let mut solver = Solver::new(position.shape(), &params)?;
    let bar = progress::spinner();
    let report = solver.solve(&position, limits, &mut |progress| {
        bar.set_message(in_words(progress));
    });
    bar.finish_and_clear();
    if let (Some(file), Some(outcome)) = (&proof.certificate, report.outcome) {
        let written = write_certificate(file, args, &mut solver, &position, outcome)?;
        if !json {
            output::text(&written)?;
        }
    }
    Ok(Solved {
        moves: args.moves.clone(),
        outcome: named(report.outcome),
        best: report.best.map(|best| position.write_move(best, ())),
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
        solver: "papamu",
        stop: report.stop.to_string(),
    })
}

/// Writes the certificate of a value that a solver has found. Says how long it is. The file is only there
/// when it is whole.
fn write_certificate(
    file: &Path,
    args: &PositionArgs,
    solver: &mut Solver,
    position: &Position,
    outcome: Outcome,
) -> Result<String> {
    let started = Instant::now();
    let header = Header {
        game: Position::NAME.to_owned(),
        board: certificate::konane::board_name(&start(args)?),
        moves: moves(args)?,
        claim: Claim::value(outcome),
    };
    let partial = long_run::with_suffix(file, ".partial");
    let cannot = || format!("cannot write {}", file.display());
    let output = BufWriter::new(File::create(&partial).with_context(cannot)?);
    let limits = Limits {
        stop: long_run::stop_flag(),
        ..Limits::default()
    };
    let written = certificate::write(output, &header, position, |position, _| {
        solver.winning(position, &limits)
    });
    if written.is_err() {
        let _ = fs::remove_file(&partial);
        if limits.stop.is_raised() {
            bail!("stopped before the certificate was whole; there is none");
        }
    }
    let written = written.with_context(cannot)?;
    fs::rename(&partial, file).with_context(cannot)?;
    let (positions, bytes) = (written.positions, written.bytes);
    let seconds = started.elapsed().as_secs_f64();
    Ok(format!(
        "certificate: {positions} positions, {bytes} bytes, written in {seconds:.1} s\n"
    ))
}

/// The start of the game that the arguments ask for.
fn start(args: &PositionArgs) -> Result<Start> {
    let board = &args.board;
    let position: Position = Position::start(&board.options())?;
    let opening = match (&board.setup, board.opening.as_deref()) {
        (Some(setup), _) => Opening::Removed(setup.parse::<Setup>()?),
        (None, Some("any")) => Opening::AnyStone,
        (None, _) => Opening::Traditional,
    };
    Ok(Start {
        shape: position.shape(),
        opening,
    })
}

/// The moves to the position, as certificates write them.
fn moves(args: &PositionArgs) -> Result<Vec<String>> {
    let mut position: Position = Position::start(&args.board.options())?;
    let mut moves = Vec::new();
    for text in engine::list_items(&args.moves) {
        let mv = position.parse_move(text, ())?;
        moves.push(mv.to_string());
        position.try_play(mv)?;
    }
    Ok(moves)
}
