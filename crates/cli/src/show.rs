//! `papamu show`: a position, as a picture and in words.

use crate::args::{Game, PositionArgs};
use crate::output;
use anyhow::Result;
use diagram::Options;
use engine::Playable;
use registry::with_game;
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show a position: the board, the side to move, the result and the legal moves.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu show havannah --size 5 --moves \"c3 d4 e5\"")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    position: PositionArgs,
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
    if let Some(file) = &args.svg {
        let options = Options {
            highlighted: position.winning_cells(),
            ..Options::default()
        };
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
    };
    if args.json {
        return output::json_line(&shown);
    }
    let board = output::coloured_board(&position, dialect);
    output::text(&format!("{board}{}\n", in_words(&shown)))
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
