//! `papamu arena report`: what came of an experiment.

use super::{StoreArg, read};
use crate::output;
use anyhow::{Context, Result};
use arena::report::report;
use clap::ValueEnum;
use figures::{Item, Report};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Show the results of an experiment: figures with intervals, published values beside measured ones, the score of every
/// point, ratings, and the players' faults.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu arena report
  papamu arena report rave-vs-uct --html report.html
  papamu arena report rave-vs-uct --format markdown --pictures images > report.md
  papamu arena report --all docs/lab/experiments --about \"Played on two cores.\"")]
pub struct Args {
    /// The experiment: its name, or the beginning of its identifier [default: the only one]
    name: Option<String>,
    #[command(flatten)]
    store: StoreArg,
    /// The format of the report
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write a self-contained page with the figures to this file instead
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write each figure as SVG and PNG into this folder
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// Write a Markdown page with pictures for each experiment of the store into this folder, and a
    /// README.md that lists them
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["name", "format", "html", "pictures"])]
    all: Option<PathBuf>,
    /// With --all: introduction of the list, in Markdown
    #[arg(
        long,
        value_name = "TEXT",
        requires = "all",
        default_value = "",
        hide_default_value = true
    )]
    about: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// Markdown, with the pictures of --pictures
    Markdown,
    /// A line for each point of each figure
    Csv,
    /// One object with everything
    Json,
}

/// Pixels of a PNG for each unit of the drawing.
#[cfg(feature = "png")]
const SCALE: f32 = 2.0;

impl Args {
    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let store = self.store.open_existing().await?;
        if let Some(folder) = &self.all {
            super::pages::write_all(&store, folder, &self.about).await?;
            return Ok(ExitCode::SUCCESS);
        }
        let row = super::find(&store, self.name.as_deref()).await?;
        let report = report(&store, &read(&row)?).await?;
        if let Some(folder) = &self.pictures {
            write_pictures(&report, folder)?;
        }
        if let Some(file) = &self.html {
            write(file, report.html().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        match self.format {
            Format::Text => output::text(&report.text())?,
            Format::Markdown => {
                let pictures = self
                    .pictures
                    .as_ref()
                    .map(|folder| folder.display().to_string());
                output::text(&report.markdown(pictures.as_deref()))?;
            }
            Format::Csv => output::text(&report.csv())?,
            Format::Json => output::json_line(&report.json())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes each figure of a report as SVG and PNG into a folder; as SVG alone, with a note, without the feature `png`.
pub fn write_pictures(report: &Report, folder: &Path) -> Result<()> {
    for item in &report.items {
        if let Item::Figure(figure) = item {
            let path = |extension| folder.join(format!("{}.{extension}", figure.name));
            write(&path("svg"), figure.svg().as_bytes())?;
            #[cfg(feature = "png")]
            write(&path("png"), &figure.png(SCALE)?)?;
        }
    }
    #[cfg(not(feature = "png"))]
    anstream::eprintln!(
        "papamu: wrote SVG only: this papamu is built without PNG (cargo install --path crates/cli builds one with it)"
    );
    Ok(())
}

/// Writes a file, and the folder that it is in.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    output::file(path, bytes)
}
