//! `papamu show`: a position, as a picture and in words.

use crate::args::{Game, PositionArgs};
use crate::output;
use anyhow::{Context, Result, bail};
use diagram::{Options, Shading};
use engine::{ExpectedCell, ExpectedStructures, LikelyMove, Opinion, Playable};
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
  papamu show havannah --size 6 --moves \"c3 d4\" --structures --svg structures.svg
  papamu show konane --size 8 --moves \"d4 d5\" --network")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    position: PositionArgs,
    /// Show the output of the game's network, without a search: the expected score, and the likely moves of Havannah, also in
    /// the picture
    #[arg(long, group = "output")]
    network: bool,
    /// Show the structures with which games of Havannah's network end from here, each move drawn with its probability: who wins
    /// with what, and the cells of these structures, also in the picture in place of the likely moves
    #[arg(long, group = "output")]
    structures: bool,
    /// Other weights for the network than those for the board: a file, or a name that the players' parameter `network` takes,
    /// such as large-boards
    #[arg(long, value_name = "FILE", requires = "output")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    structures: Option<ExpectedStructures>,
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
    let structures = args
        .structures
        .then(|| structures(&position, args, dialect));
    let structures = structures.transpose()?;
    if let Some(file) = &args.svg {
        let mut options = Options {
            highlighted: position.winning_cells(),
            ..Options::default()
        };
        match (&structures, &network) {
            (Some(structures), _) => shade_structures(&position, structures, dialect, &mut options),
            (None, Some(opinion)) => expected(&position, opinion, dialect, &mut options),
            (None, None) => {}
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
        structures,
    };
    if args.json {
        return output::json_line(&shown);
    }
    let board = output::coloured_board(&position, dialect);
    output::text(&format!("{board}{}\n", in_words(&shown)))?;
    if let Some(opinion) = &shown.network {
        output::text(&likely(opinion, &shown.to_move))?;
    }
    if let Some(structures) = &shown.structures {
        output::text(&structures_in_words(structures))?;
    }
    Ok(())
}

fn opinion<G: Playable>(position: &G, args: &Args, dialect: G::Dialect) -> Result<Opinion> {
    if position.outcome().is_some() {
        bail!("the game is over: there is no move to choose");
    }
    let opinion = position.opinion(args.weights.as_deref(), dialect);
    let opinion = opinion.map_err(anyhow::Error::msg)?;
    opinion.with_context(|| format!("{} has no network", G::TITLE))
}

fn structures<G: Playable>(
    position: &G,
    args: &Args,
    dialect: G::Dialect,
) -> Result<ExpectedStructures> {
    if position.outcome().is_some() {
        bail!("the game is over: there is nothing to expect");
    }
    let structures = position.expected_structures(args.weights.as_deref(), dialect, &mut || true);
    let structures = structures.map_err(anyhow::Error::msg)?;
    structures.with_context(|| format!("{} has no structures", G::TITLE))
}

/// The moves that are shown, in words.
const LIKELY: usize = 10;
/// Smaller shares have no label in the picture.
const LABELLED: f64 = 0.005;
/// Cells that are part of structures less often than this share of the most are left out of the picture.
const SHADED: f64 = 0.15;

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

/// What a network says, in a picture.
fn expected<G: Playable>(
    position: &G,
    opinion: &Opinion,
    dialect: G::Dialect,
    options: &mut Options<G::Cell>,
) {
    let side = position.to_move();
    let moves = opinion.moves.iter();
    let moves = moves.map(|LikelyMove { mv, probability }| (mv.as_str(), side, *probability));
    shade(position, &moves.collect::<Vec<_>>(), dialect, options);
}

/// Shades cells in the colours of sides: the greater the share, the darker, with per cent.
fn shade<G: Playable>(
    position: &G,
    cells: &[(&str, Side, f64)],
    dialect: G::Dialect,
    options: &mut Options<G::Cell>,
) {
    let most = cells
        .iter()
        .fold(0.0, |most: f64, &(.., share)| most.max(share));
    for tile in position.scene(dialect).tiles {
        let Some(&(_, side, share)) = cells.iter().find(|(name, ..)| *name == tile.name) else {
            continue;
        };
        let shading = match side {
            Side::White => Shading::White(share / most),
            Side::Black => Shading::Black(share / most),
        };
        options.shaded.push((tile.cell, shading));
        if share >= LABELLED {
            let label = format!("{:.0}", 100.0 * share);
            options.labels.push((tile.cell, label));
        }
    }
}

/// The structures that a network expects, in words.
fn structures_in_words(structures: &ExpectedStructures) -> String {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let mut text = format!("In {} games of the network from here:\n", structures.games);
    for side in Side::BOTH {
        let ends = structures.ends.iter().filter(|end| end.side == side);
        let ends = ends.map(|end| format!("{} {}", end.structure, percent(end.probability)));
        let ends = ends.collect::<Vec<_>>().join(", ");
        let score = percent(structures.score(side));
        let _ = writeln!(text, "  {side:<5} wins {score:>5} ({ends})");
        let share = |cell: &ExpectedCell| match side {
            Side::White => cell.white,
            Side::Black => cell.black,
        };
        let mut cells: Vec<&ExpectedCell> = structures.cells.iter().collect();
        cells.sort_by(|one, other| share(other).total_cmp(&share(one)));
        let told = cells.iter().take(LIKELY).filter(|cell| share(cell) > 0.0);
        let told = told.map(|cell| format!("{} {}", cell.cell, percent(share(cell))));
        let told = told.collect::<Vec<_>>().join(", ");
        if !told.is_empty() {
            let _ = writeln!(text, "    through {told}");
        }
    }
    text
}

/// The same in a picture: each cell for the side that has it more often in its structures.
fn shade_structures<G: Playable>(
    position: &G,
    structures: &ExpectedStructures,
    dialect: G::Dialect,
    options: &mut Options<G::Cell>,
) {
    let of_cell = |cell: &ExpectedCell| {
        if cell.white > cell.black {
            (Side::White, cell.white)
        } else {
            (Side::Black, cell.black)
        }
    };
    let shares = structures.cells.iter().map(|cell| of_cell(cell).1);
    let most = shares.fold(0.0, f64::max);
    let cells = structures.cells.iter().filter_map(|cell| {
        let (side, share) = of_cell(cell);
        (share >= SHADED * most).then_some((cell.cell.as_str(), side, share))
    });
    shade(position, &cells.collect::<Vec<_>>(), dialect, options);
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
