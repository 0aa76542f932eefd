//! Writing for people and for programs.

use crate::progress::above_bars;
use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use engine::{Playable, replace_file};
use game::{Picture, Side};
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::path::Path;

/// Writes an object as a line of JSON.
pub fn json_line(object: &impl Serialize) -> Result<()> {
    above_bars(|| {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer(&mut out, object)?;
        out.write_all(b"\n")?;
        out.flush()?;
        Ok(())
    })
}

/// Writes a text, without its colours where the output is no terminal.
pub fn text(text: &str) -> Result<()> {
    above_bars(|| {
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    })
}

/// Writes a file; if that fails, the old one stays.
pub fn file(path: &Path, bytes: &[u8]) -> Result<()> {
    let written = replace_file(path, |file| file.write_all(bytes));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// A board with coloured stones, the last one underlined.
pub fn coloured_board<G: Picture>(position: &G, dialect: G::Dialect) -> String {
    position.draw(dialect, &|side, stone, last| {
        let colour = match side {
            Side::White => AnsiColor::BrightYellow,
            Side::Black => AnsiColor::BrightBlue,
        };
        let style = Style::new().bold().fg_color(Some(colour.into()));
        let style = if last { style.underline() } else { style };
        format!("{style}{stone}{style:#}")
    })
}

/// The size of a board as JSON: a number where one number says it, otherwise text such as `4x4x5`.
pub fn size<G: Playable>(position: &G) -> Value {
    let name = position.size_name();
    name.parse::<u32>()
        .map_or_else(|_| Value::from(name), Value::from)
}

/// A rate for people: three digits and a unit.
pub fn rate(per_second: f64, what: &str) -> String {
    let (number, unit) = match per_second {
        rate if rate >= 1e6 => (rate / 1e6, " million"),
        rate if rate >= 1e3 => (rate / 1e3, " thousand"),
        rate => (rate, ""),
    };
    format!("{number:.3}{unit} {what}/s")
}
