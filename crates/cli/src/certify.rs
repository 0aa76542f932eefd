//! Certificates in files, written as they are found and gone on with where they were cut.

use crate::args::PositionArgs;
use crate::signals;
use anyhow::{Context, Result, bail};
use certificate::{Header, WriteError};
use engine::{Playable, Prover, certificate_header, strategy, with_suffix};
use game::Outcome;
use search::Limits;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, ErrorKind};
use std::path::Path;
use std::time::Instant;

/// The header of the certificate of a value.
pub fn header<G: Playable>(args: &PositionArgs, position: &G, outcome: Outcome) -> Result<Header> {
    let moves = args.moves_written::<G>(G::Dialect::default())?;
    Ok(certificate_header(
        position,
        &args.board.options(),
        moves,
        outcome,
    )?)
}

/// Sees that a certificate of the position can be written to the file: a search may take days.
pub fn prepare<G: Playable>(file: &Path, args: &PositionArgs, position: &G) -> Result<()> {
    let mut lines = Vec::new();
    header(args, position, Outcome::Draw)?.write(&mut lines)?;
    let partial = with_suffix(file, ".partial");
    let begun = begun(&partial).with_context(|| format!("cannot read {}", partial.display()))?;
    // All but the claim, which nobody knows yet.
    let known = lines.len() - "draw\n\n".len();
    let common = known.min(begun.len());
    if begun[..common] != lines[..common] {
        let partial = partial.display();
        bail!(
            "{partial} is an unfinished certificate of another position or claim: remove it, or name another file"
        );
    }
    if file.is_dir() {
        bail!("cannot write {}: it is a folder", file.display());
    }
    let opened = OpenOptions::new().create(true).append(true).open(&partial);
    opened.with_context(|| format!("cannot write {}", partial.display()))?;
    if begun.is_empty() {
        fs::remove_file(&partial)?;
    }
    Ok(())
}

/// Writes the certificate of a value that a solver has found. Says how long it is.
pub fn write<G: Playable>(
    file: &Path,
    args: &PositionArgs,
    prover: &mut dyn Prover<G>,
    position: &G,
    outcome: Outcome,
) -> Result<String> {
    let started = Instant::now();
    let header = header(args, position, outcome)?;
    let partial = with_suffix(file, ".partial");
    let mut written = append(&partial, &header, prover, position);
    if is_of_another(&written) && !signals::stop_flag().is_raised() {
        fs::remove_file(&partial)?;
        written = append(&partial, &header, prover, position);
    }
    let written = match written {
        Ok(written) => written,
        Err(_) if signals::stop_flag().is_raised() => {
            let partial = partial.display();
            bail!("stopped; the same command resumes the certificate in {partial}");
        }
        Err(why) => {
            // Where the disk is full, half a certificate is in everybody's way.
            let _ = fs::remove_file(&partial);
            let why = anyhow::Error::new(why);
            return Err(why.context(format!("cannot write {}", partial.display())));
        }
    };
    fs::rename(&partial, file).with_context(|| format!("cannot write {}", file.display()))?;
    let (positions, bytes) = (written.positions, written.bytes);
    let seconds = started.elapsed().as_secs_f64();
    Ok(format!(
        "certificate: {positions} positions, {bytes} bytes, written in {seconds:.1} s\n"
    ))
}

/// Whether what was begun is damaged, or its claim another one.
fn is_of_another(written: &Result<certificate::Written, WriteError>) -> bool {
    match written {
        Err(WriteError::Hole { .. }) => true,
        Err(WriteError::Io(why)) => why.kind() == ErrorKind::InvalidData,
        _ => false,
    }
}

/// What is there of a certificate; nothing if the file is not.
fn begun(partial: &Path) -> io::Result<Vec<u8>> {
    match fs::read(partial) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

/// Adds what is missing of a certificate.
fn append<G: Playable>(
    partial: &Path,
    header: &Header,
    prover: &mut dyn Prover<G>,
    position: &G,
) -> Result<certificate::Written, WriteError> {
    let begun = begun(partial)?;
    let output = OpenOptions::new().create(true).append(true).open(partial)?;
    let limits = Limits {
        stop: signals::stop_flag(),
        ..Limits::default()
    };
    let goes_on = || !limits.stop.is_raised();
    let strategy = strategy::<G>(prover, &limits);
    certificate::resume(
        &begun,
        BufWriter::new(output),
        header,
        position,
        strategy,
        goes_on,
    )
}
