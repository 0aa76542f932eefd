//! Certificates in files, written as they are found and gone on with where they were cut.

use crate::args::PositionArgs;
use crate::proving::{ProofArgs, Resources};
use crate::signals;
use anyhow::{Context, Result, bail};
use certificate::{Digest, Header, Log, Promise, Space, WriteError, Writer, Written};
use engine::{Certified, Playable, Prover, Replacement, certificate_header, with_suffix};
use game::Outcome;
use registry::folder::Folder;
use search::Limits;
use serde::Serialize;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
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

/// How much of its memory a position leaves to writing and checking its certificate, in bytes. What does not fit is in
/// files beside the certificate.
pub fn share(resources: Resources) -> usize {
    engine::Resources::from(resources).memory / 8
}

/// Where the answers are kept until all are found.
fn partial(file: &Path) -> PathBuf {
    with_suffix(file, ".partial")
}

/// The beginning of that file: what it is about.
fn title<G: Playable>(header: &Header, writer: &Writer<G>) -> Result<Vec<u8>> {
    let mut lines = b"unfinished ".to_vec();
    header.write(&writer.terms(), &mut lines)?;
    Ok(lines)
}

/// Sees that a certificate of the position can be written to the file: a search may take days.
pub fn prepare<G: Playable>(
    file: &Path,
    args: &PositionArgs,
    position: &G,
    proof: &ProofArgs,
) -> Result<()> {
    let writer = writer(args, position, proof, Space::unlimited())?;
    let lines = title(&header(args, position, Outcome::Draw)?, &writer)?;
    let partial = partial(file);
    // All but the claim, which nobody knows yet.
    let claim = lines.windows(6).position(|six| six == b"claim ");
    let known = claim.map_or(lines.len(), |at| at + 6);
    let begun = begun(&partial, known);
    let begun = begun.with_context(|| format!("cannot read {}", partial.display()))?;
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

/// What a certificate leaves out, as asked for.
fn writer<G: Playable>(
    args: &PositionArgs,
    position: &G,
    proof: &ProofArgs,
    space: Space,
) -> Result<Writer<G>> {
    Ok(Writer {
        searched: proof.certificate_omit,
        pieces: match &proof.certificate_pieces {
            Some(folder) => pieces(folder, args, position)?,
            None => HashMap::new(),
        },
        space,
    })
}

/// The memory for writing and checking a certificate, and where its other files are.
pub fn space(file: &Path, resources: Resources) -> Space {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    Space {
        memory: share(resources),
        folder: folder.unwrap_or(Path::new(".")).to_owned(),
    }
}

/// The certificates of a folder that are about the same board, by what they show of the side to move.
fn pieces<G: Playable>(
    folder: &Path,
    args: &PositionArgs,
    position: &G,
) -> Result<HashMap<(G::Key, Promise), Digest>> {
    let cannot = || format!("cannot read {}", folder.display());
    let files = Folder::files_in(folder).with_context(cannot)?;
    let files = Folder::read(files).with_context(cannot)?;
    let own = header(args, position, Outcome::Draw)?;
    let start = G::start(&args.board.options())?;
    let mut pieces = HashMap::new();
    for member in files.files() {
        let Some(header) = &member.header else {
            continue;
        };
        if (&header.game, &header.board) != (&own.game, &own.board) {
            continue;
        }
        let of = start
            .clone()
            .play_list(&header.moves.join(" "), G::Dialect::default());
        let of = of.with_context(|| format!("cannot use {}", member.path.display()))?;
        for promise in header.claim.promises() {
            if promise.side() == of.to_move() {
                pieces.insert((of.key(), promise), member.digest);
            }
        }
    }
    Ok(pieces)
}

/// What is said of a certificate that was written.
#[derive(Serialize)]
pub struct Certificate {
    /// The positions for which it gives a move.
    pub positions: u64,
    /// Those that it leaves out, since the checker finds them.
    pub omitted: u64,
    /// Those that it leaves to other certificates.
    pub pieces: u64,
    /// The length of the file.
    pub bytes: u64,
    /// The time of writing it.
    pub seconds: f64,
}

impl Certificate {
    /// For people.
    pub fn in_words(&self) -> String {
        let mut text = format!("certificate: {} positions, ", self.positions);
        if self.omitted > 0 {
            text += &format!("{} left out, ", self.omitted);
        }
        if self.pieces > 0 {
            text += &format!("{} in other certificates, ", self.pieces);
        }
        text += &format!("{} bytes, written in {:.1} s\n", self.bytes, self.seconds);
        text
    }
}

/// Writes the certificate of a value that a solver has found.
pub fn write<G: Playable>(
    file: &Path,
    args: &PositionArgs,
    prover: &mut dyn Prover<G>,
    position: &G,
    outcome: Outcome,
    proof: &ProofArgs,
    space: Space,
) -> Result<Certificate> {
    let started = Instant::now();
    let writer = writer(args, position, proof, space)?;
    let header = header(args, position, outcome)?;
    let partial = partial(file);
    let mut written = finish(file, &header, &writer, prover, position);
    if matches!(written, Err(WriteError::Hole { .. })) && !signals::stop_flag().is_raised() {
        // What was begun may be damaged.
        fs::remove_file(&partial)?;
        written = finish(file, &header, &writer, prover, position);
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
            return Err(why.context(format!("cannot write {}", file.display())));
        }
    };
    fs::remove_file(&partial)?;
    let Written {
        positions,
        omitted,
        pieces,
        bytes,
    } = written;
    Ok(Certificate {
        positions,
        omitted,
        pieces,
        bytes,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// So many bytes of a file, or what it has; nothing if there is none.
fn begun(partial: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut begun = Vec::new();
    match File::open(partial) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        opened => {
            opened?.take(most as u64).read_to_end(&mut begun)?;
        }
    }
    Ok(begun)
}

/// Finds the answers that are missing, and writes the certificate.
fn finish<G: Playable>(
    file: &Path,
    header: &Header,
    writer: &Writer<G>,
    prover: &mut dyn Prover<G>,
    position: &G,
) -> Result<Written, WriteError> {
    let title = title(header, writer).map_err(io::Error::other)?;
    let (mut begun, kept) = log(&partial(file), &title)?;
    let mut kept = BufWriter::new(kept);
    let limits = Limits {
        stop: signals::stop_flag(),
        ..Limits::default()
    };
    let log = Log {
        begun: &mut begun,
        output: &mut kept,
    };
    let mut replacement = Replacement::begin(file)?;
    let value = Certified {
        writer,
        header,
        position,
    };
    let mut goes_on = || !limits.stop.is_raised();
    let written = prover.certify(
        &value,
        &mut BufWriter::new(&mut replacement),
        Some(log),
        &limits,
        &mut goes_on,
    )?;
    replacement.finish()?;
    Ok(written)
}

/// The answers that are there, and the file in which others follow them. What is there of something else is removed.
fn log(partial: &Path, title: &[u8]) -> io::Result<(impl Read + use<>, File)> {
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(partial)?;
    let mut begun = Vec::new();
    Read::by_ref(&mut file)
        .take(title.len() as u64)
        .read_to_end(&mut begun)?;
    if begun != title {
        file.set_len(0)?;
        file.write_all(title)?;
    }
    let title = title.len() as u64;
    let answers = (file.metadata()?.len() - title) / Log::RECORD * Log::RECORD;
    // The last may have been cut.
    file.set_len(title + answers)?;
    let mut begun = File::open(partial)?;
    begun.seek(SeekFrom::Start(title))?;
    Ok((BufReader::new(begun.take(answers)), file))
}
