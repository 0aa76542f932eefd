//! `papamu arena reproduce`: play a stored game again.

use super::{StoreArg, read};
use crate::output;
use anyhow::{Context, Result};
use arena::schedule::{Colour, pair};
use arena::{Loaded, OtherWeights, Tables};
use serde::Serialize;
use std::process::ExitCode;

/// Replay a stored game from its seeds, and report whether the moves are the same.
///
/// They are if both players are deterministic for a given seed, as papamu's are with a budget in simulations, nodes or
/// depth and one thread.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu arena reproduce 3f1c9a2b7e5d4c60-12-0")]
pub struct Args {
    /// The game: EXPERIMENT-PAIR-COLOUR, the property GN of its SGF file
    id: String,
    #[command(flatten)]
    store: StoreArg,
    /// Write the stored game as SGF, and exit
    #[arg(long)]
    sgf: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// What came of it.
#[derive(Serialize)]
struct Compared {
    game: String,
    agrees: bool,
    /// The first move that differs, counted from 1.
    differs_at: Option<usize>,
    plies: u64,
    moves: Vec<String>,
    /// The first player that has other weights than those with which the experiment was begun.
    other_weights: Option<OtherWeights>,
}

impl Args {
    /// Runs the command.
    pub async fn run(self) -> Result<ExitCode> {
        let mut parts = self.id.rsplitn(3, '-');
        let numbers = (|| {
            let colour: i64 = parts.next()?.parse().ok()?;
            let number: u64 = parts.next()?.parse().ok()?;
            Some((parts.next()?, number, Colour::of_index(colour)?))
        })();
        let (experiment, number, colour) = numbers.with_context(|| {
            format!(
                "{:?} is not a game: expected EXPERIMENT-PAIR-COLOUR",
                self.id
            )
        })?;
        let store = self.store.open_existing().await?;
        let row = super::find(&store, Some(experiment)).await?;
        let stored = store.game(&row.id, number, colour.index()).await?;
        let stored = stored.with_context(|| format!("game {} is not stored", self.id))?;
        if self.sgf {
            output::text(&stored.sgf)?;
            return Ok(ExitCode::SUCCESS);
        }
        let loaded = Loaded::new(read(&row)?, 1)?;
        let pair = pair(&loaded.experiment, number);
        let game =
            tokio::task::block_in_place(|| Tables::default().play(&loaded, pair, colour, &|_| {}))?;
        let before = stored_moves(&stored.sgf)?;
        let differs = (0..before.len().max(game.moves.len()))
            .find(|&ply| before.get(ply) != game.moves.get(ply));
        let compared = Compared {
            game: self.id,
            agrees: differs.is_none() && game.score == stored.score,
            differs_at: differs.map(|ply| ply + 1),
            plies: stored.plies,
            moves: game.moves,
            other_weights: (row.weights).and_then(|begun| begun.difference(&loaded.weights())),
        };
        if self.json {
            output::json_line(&compared)?;
        } else {
            if let Some(OtherWeights {
                player,
                begun,
                found,
            }) = &compared.other_weights
            {
                let [begun, found] = [begun, found].map(|hash| hash.as_deref().unwrap_or("none"));
                eprintln!(
                    "papamu: {player} has other weights than in the stored game: {found}, not {begun}"
                );
            }
            let text = match compared.differs_at {
                None => format!("the same {} moves\n", compared.plies),
                Some(ply) => format!("move {ply} differs\n"),
            };
            output::text(&text)?;
        }
        Ok(if compared.agrees {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(crate::FAILED)
        })
    }
}

/// The moves of a file that the arena wrote.
fn stored_moves(text: &str) -> Result<Vec<String>> {
    let collection: sgf::Collection = text.parse().context("the stored game")?;
    let tree = collection
        .trees
        .first()
        .context("the stored game is empty")?;
    let of_node = |node: sgf::Node<'_>| {
        let text = node.simple_text("W").or_else(|| node.simple_text("B"))?;
        (text != "resign").then(|| text.into_owned())
    };
    Ok(tree.main_line().filter_map(of_node).collect())
}
