//! Certificates in files, written as they are found and gone on with where they were cut.

use crate::args::PositionArgs;
use crate::long_run;
use anyhow::{Context, Result, bail};
use engine::{Solvable, certificate_header, strategy, with_suffix};
use game::Outcome;
use search::Limits;
use std::fs::{self, OpenOptions};
use std::io::{BufWriter, ErrorKind};
use std::path::Path;
use std::time::Instant;

/// Writes the certificate of a value that a solver has found. Says how long it is.
pub fn write<G: Solvable>(
    file: &Path,
    args: &PositionArgs,
    prover: &mut G::Prover,
    position: &G,
    outcome: Outcome,
) -> Result<String> {
    let started = Instant::now();
    let moves = args.moves_written::<G>(G::Dialect::default())?;
    let header = certificate_header(position, &args.board.options(), moves, outcome)?;
    let cannot = || format!("cannot write {}", file.display());
    let partial = with_suffix(file, ".partial");
    let begun = match fs::read(&partial) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.with_context(|| format!("cannot read {}", partial.display()))?,
    };
    let output = OpenOptions::new().create(true).append(true).open(&partial);
    let output = BufWriter::new(output.with_context(cannot)?);
    let limits = Limits {
        stop: long_run::stop_flag(),
        ..Limits::default()
    };
    let strategy = strategy(prover, &limits);
    let written = certificate::resume(&begun, output, &header, position, strategy);
    if written.is_err() && limits.stop.is_raised() {
        let partial = partial.display();
        bail!("stopped; the same command goes on with the certificate in {partial}");
    }
    let written = written.with_context(|| format!("cannot write {}", partial.display()))?;
    fs::rename(&partial, file).with_context(cannot)?;
    let (positions, bytes) = (written.positions, written.bytes);
    let seconds = started.elapsed().as_secs_f64();
    Ok(format!(
        "certificate: {positions} positions, {bytes} bytes, written in {seconds:.1} s\n"
    ))
}
