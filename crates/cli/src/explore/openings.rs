//! A folder of certificates as a table and a picture.

use crate::{FAILED, output, progress};
use anyhow::{Context, Result, bail};
use certificate::{Claim, Promise, Space, Verdict};
use diagram::{Drawn, Options, Shading};
use game::{Game, Notation, Side, Symmetric};
use havannah::{Dialect, Move, Position, Shape};
use registry::folder::Folder;
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;

#[derive(Serialize)]
struct Row {
    file: String,
    valid: bool,
    game: Option<String>,
    board: Option<String>,
    moves: Option<String>,
    claim: Option<String>,
    positions: u64,
    bytes: u64,
}

impl Row {
    /// The position, in words. The board tells those of a game apart whose proofs begin at the start.
    fn position(&self) -> String {
        match (&self.game, &self.board, self.moves.as_deref()) {
            (Some(game), Some(board), None | Some("")) => format!("{game} {board}"),
            (Some(game), Some(board), Some(moves)) => format!("{game} {board}, after {moves}"),
            _ => self.file.clone(),
        }
    }
}

/// Checks the certificates of a folder, and tells of each.
pub fn explore(folder: &Path, svg: Option<&Path>, json: bool) -> Result<ExitCode> {
    let cannot = || format!("cannot read {}", folder.display());
    let files = Folder::files_in(folder).with_context(cannot)?;
    if files.is_empty() {
        bail!("{} has no certificates (*.cert)", folder.display());
    }
    let files = Folder::read(files).with_context(cannot)?;
    let bar = progress::spinner();
    bar.set_message(format!("{} certificates", files.files().len()));
    let checked = files.check(1, &Space::unlimited(), &|| true);
    bar.finish_and_clear();
    let (mut rows, mut valid) = (Vec::new(), Vec::new());
    let all = checked.len();
    for one in checked {
        let verdict = one.verdict.ok();
        rows.push(row(&one.path, verdict.as_ref()));
        valid.extend(verdict);
    }
    rows.sort_by_key(|row| row.positions);
    let width = rows.iter().map(|row| row.position().len());
    let width = width.max().unwrap_or(0).max("position".len());
    if !json {
        output::text(&format!(
            "{:width$}  value         positions       bytes\n",
            "position"
        ))?;
    }
    for row in &rows {
        if json {
            output::json_line(row)?;
        } else {
            let position = row.position();
            let claim = row.claim.as_deref().unwrap_or("NOT VALID");
            let (positions, bytes) = (row.positions, row.bytes);
            output::text(&format!(
                "{position:width$}  {claim:12}  {positions:>9}  {bytes:>10}\n"
            ))?;
        }
    }
    if let Some(file) = svg {
        let svg = picture(&valid)?;
        output::file(file, svg.as_bytes())?;
    }
    Ok(if valid.len() == all {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAILED)
    })
}

fn row(file: &Path, verdict: Option<&Verdict>) -> Row {
    let header = verdict.map(|verdict| &verdict.header);
    Row {
        file: file.display().to_string(),
        valid: verdict.is_some(),
        game: header.map(|header| header.game.clone()),
        board: header.map(|header| header.board.clone()),
        moves: header.map(|header| header.moves.join(" ")),
        claim: header.map(|header| header.claim.to_string()),
        positions: verdict.map_or(0, |verdict| verdict.positions),
        bytes: verdict.map_or(0, |verdict| verdict.bytes),
    }
}

/// The board with the winner of each opening as its colour, the more positions its proof has the darker, and
/// their number as a label. Openings that are symmetric to each other have one certificate.
fn picture(verdicts: &[Verdict]) -> Result<String> {
    let is_opening = |verdict: &&Verdict| {
        verdict.header.game == Position::NAME && verdict.header.moves.len() == 1
    };
    let openings: Vec<&Verdict> = verdicts.iter().filter(is_opening).collect();
    let Some(first) = openings.first() else {
        bail!("there is no certificate of an opening of havannah to be drawn");
    };
    let board = &first.header.board;
    if openings
        .iter()
        .any(|verdict| verdict.header.board != *board)
    {
        bail!("the certificates are of several boards");
    }
    let start = Position::new(board.parse::<Shape>()?);
    let logarithms = openings.iter().map(|verdict| logarithm(verdict.positions));
    let (low, high) = logarithms.fold((f64::MAX, 0.0_f64), |(low, high), number| {
        (low.min(number), high.max(number))
    });
    let (mut shaded, mut labels) = (Vec::new(), Vec::new());
    for verdict in openings {
        let mv = start.parse_move(&verdict.header.moves[0], Dialect::Grid)?;
        let spread = (high - low).max(f64::EPSILON);
        let depth = 0.25 + 0.75 * (logarithm(verdict.positions) - low) / spread;
        let colour = match verdict.header.claim {
            Claim::Promise(Promise::Wins(Side::White)) => Shading::White(depth),
            Claim::Promise(Promise::Wins(Side::Black)) => Shading::Black(depth),
            _ => Shading::Draw(depth),
        };
        for symmetry in 0..start.symmetries() {
            if let Move::Place(cell) = start.transformed_move(symmetry, mv)
                && !shaded.iter().any(|&(known, _)| known == cell)
            {
                shaded.push((cell, colour));
                labels.push((cell, short(verdict.positions)));
            }
        }
    }
    let options = Options {
        title: Some(format!(
            "Who wins havannah {board} after each opening: red White, blue Black, grey a draw; the darker and the \
             larger the number, the more positions its proof has"
        )),
        shaded,
        labels,
        ..Options::default()
    };
    Ok(start.svg(Dialect::Grid, &options))
}

fn logarithm(positions: u64) -> f64 {
    (positions.max(1) as f64).ln()
}

/// In three characters or so: 712, 61k, 4.2M.
fn short(number: u64) -> String {
    let (number, unit) = match number {
        0..1_000 => return number.to_string(),
        1_000..1_000_000 => (number as f64 / 1e3, "k"),
        1_000_000..1_000_000_000 => (number as f64 / 1e6, "M"),
        _ => (number as f64 / 1e9, "G"),
    };
    let digits = usize::from(number < 9.95);
    format!("{number:.digits$}{unit}")
}
