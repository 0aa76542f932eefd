//! `papamu show`: a position, as a picture and in words.

use crate::args::{Game, PositionArgs};
use crate::output;
use anyhow::{Context, Result, bail};
use diagram::{Options, Shading};
use engine::{LikelyMove, Opinion, Playable};
use game::Side;
use registry::with_game;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show a position: the board, the side to move, the result and the legal moves.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu show havannah --size 5 --moves \"c3 d4 e5\"
  papamu show havannah --size 8 --moves \"c3 d4\" --network --svg network.svg
  papamu show konane --size 8 --moves \"d4 d5\" --network")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    position: PositionArgs,
    /// Show the output of the game's network, without a search: the expected score, and the likely moves of Havannah, also in
    /// the picture
    #[arg(long)]
    network: bool,
    /// Other weights for the network than the built-in ones
    #[arg(long, value_name = "FILE", requires = "network")]
    weights: Option<PathBuf>,
    /// Write a picture of the board to this file (SVG)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown {
    game: &'static str,
    size: Value,
    to_move: String,
    outcome: Option<String>,
    structure: Option<String>,
    legal: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<Opinion>,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        with_game!(self.game.0, G => show::<G>(&self))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn show<G: Playable>(args: &Args) -> Result<()> {
    let position: G = args.position.position()?;
    let dialect = args.position.dialect.of_game::<G>()?;
    let network = args.network.then(|| opinion(&position, args, dialect));
    let network = network.transpose()?;
    if let Some(file) = &args.svg {
        let mut options = Options {
            highlighted: position.winning_cells(),
            ..Options::default()
        };
        if let Some(opinion) = &network {
            expected(&position, opinion, dialect, &mut options);
        }
        output::file(file, position.svg(dialect, &options).as_bytes())?;
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let shown = Shown {
        game: G::NAME,
        size: output::size(&position),
        to_move: position.to_move().to_string(),
        outcome: position.outcome().map(|outcome| outcome.to_string()),
        structure: position.structure(),
        legal: legal
            .iter()
            .map(|&mv| position.write_move(mv, dialect))
            .collect(),
        network,
    };
    if args.json {
        return output::json_line(&shown);
    }
    let board = output::coloured_board(&position, dialect);
    output::text(&format!("{board}{}\n", in_words(&shown)))?;
    match &shown.network {
        Some(opinion) => output::text(&likely(opinion, &shown.to_move)),
        None => Ok(()),
    }
}

fn opinion<G: Playable>(position: &G, args: &Args, dialect: G::Dialect) -> Result<Opinion> {
    if position.outcome().is_some() {
        bail!("the game is over: there is no move to choose");
    }
    let opinion = position.opinion(args.weights.as_deref(), dialect);
    let opinion = opinion.map_err(anyhow::Error::msg)?;
    opinion.with_context(|| format!("{} has no network", G::TITLE))
}

/// The moves that are shown, in words.
const LIKELY: usize = 10;
/// Moves that are less likely have no label in the picture.
const LABELLED: f64 = 0.005;

/// What a network says, in words.
fn likely(opinion: &Opinion, to_move: &str) -> String {
    let mut text = format!(
        "Network: {to_move} scores {:.1} % (before any search).",
        100.0 * opinion.value
    );
    text += if opinion.moves.is_empty() {
        "\n"
    } else {
        " Likely moves:\n"
    };
    for LikelyMove { mv, probability } in opinion.moves.iter().take(LIKELY) {
        let _ = writeln!(text, "  {mv:<4} {:>5.1} %", 100.0 * probability);
    }
    text
}

/// What a network says, in a picture: the darker a cell, the likelier the move, with per cent.
fn expected<G: Playable>(
    position: &G,
    opinion: &Opinion,
    dialect: G::Dialect,
    options: &mut Options<G::Cell>,
) {
    let most = opinion.moves.first().map_or(1.0, |most| most.probability);
    for tile in position.scene(dialect).tiles {
        let likely = opinion.moves.iter().find(|likely| likely.mv == tile.name);
        let Some(LikelyMove { probability, .. }) = likely else {
            continue;
        };
        let depth = probability / most;
        let shading = match position.to_move() {
            Side::White => Shading::White(depth),
            Side::Black => Shading::Black(depth),
        };
        options.shaded.push((tile.cell, shading));
        if *probability >= LABELLED {
            let label = format!("{:.0}", 100.0 * probability);
            options.labels.push((tile.cell, label));
        }
    }
}

/// The state of the game in a line.
fn in_words(shown: &Shown) -> String {
    match (shown.outcome.as_deref(), &shown.structure) {
        (Some("draw"), _) => "The game is a draw.".to_owned(),
        (Some(winner), Some(structure)) => format!("{winner} has won with a {structure}."),
        (Some(winner), None) => format!("{winner} has won: {} cannot move.", shown.to_move),
        (None, _) => format!(
            "It is {}'s turn, with {} legal moves.",
            shown.to_move,
            shown.legal.len()
        ),
    }
}
