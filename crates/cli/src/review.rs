//! `papamu review`: what each move of a game was worth.

use crate::args::{BudgetArgs, DialectArg, PlayerArgs};
use crate::{output, progress};
use anyhow::{Context, Result};
use engine::{Engine, Playable, Reviewer};
use game::Outcome;
use record::Record;
use registry::{GameName, with_game};
use search::Limits;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Review a game: the value of each move beside that of the best one, the mistakes, and what is proven.
///
/// Values are expected scores between 0 (loss) and 1 (win), from the point of view of the side that
/// moved.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu review game.hgf --simulations 20000")]
pub struct Args {
    /// The game: SGF, HGF or a list of moves; of several, the first is reviewed
    file: PathBuf,
    #[command(flatten)]
    player: PlayerArgs,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    dialect: DialectArg,
    /// How many of the costliest moves to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    mistakes: usize,
    /// Write JSON, a line for each move
    #[arg(long)]
    json: bool,
}

/// Simulations for each position, where no budget is given: some seconds for a whole game.
const SIMULATIONS: u64 = 10_000;

/// A move under review. Values are those of the side that moved.
#[derive(Serialize)]
struct Reviewed {
    ply: usize,
    side: String,
    #[serde(rename = "move")]
    mv: String,
    /// The expected score after the move.
    value: f64,
    /// The expected score before the move, with best play.
    before: f64,
    /// What the engine would have played.
    best: String,
    /// How much the move lost, at least 0.
    loss: f64,
    /// How bad the move was: `??`, `?`, `?!` or nothing.
    mark: &'static str,
    /// The exact value after the move, where it is known: `win`, `draw` or `loss`.
    proven: Option<String>,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let name = self.file.display();
        let bytes = std::fs::read(&self.file).with_context(|| format!("cannot read {name}"))?;
        let games = record::read(&bytes).with_context(|| format!("{name}"))?;
        let first = games
            .into_iter()
            .next()
            .with_context(|| format!("{name} holds no game"))?;
        let game = GameName::of_file(first.game()).with_context(|| format!("{name}"))?;
        with_game!(game, G => {
            let dialect = self.dialect.named::<G>()?;
            let record = first.replay(dialect).with_context(|| format!("{name}"))?;
            self.review::<G>(&record)?;
        });
        Ok(ExitCode::SUCCESS)
    }

    fn review<G: Playable>(&self, record: &Record<G>) -> Result<()> {
        if let Some(fault) = &record.fault {
            anstream::eprintln!("papamu: reviewing the game as far as it is legal: {fault}");
        }
        let player = G::player(self.player.player.as_deref())?;
        let mut engine = player.build(
            record.start.clone(),
            self.player.seed,
            &self.player.settings(),
        )?;
        let reviewed = self.values(engine.as_mut(), record)?;
        if self.json {
            return reviewed.iter().try_for_each(output::json_line);
        }
        output::text(&heading(record))?;
        output::text(&whole_game(&reviewed))?;
        output::text(&mistakes(&reviewed, self.mistakes))
    }

    /// Searches every position of the game, and sees each move from both sides of it.
    fn values<G: Playable>(
        &self,
        engine: &mut dyn Engine<G>,
        record: &Record<G>,
    ) -> Result<Vec<Reviewed>> {
        let limits = self.budget.limits(Limits {
            simulations: Some(SIMULATIONS),
            ..Limits::default()
        });
        let bar = progress::bar(record.moves.len() as u64, "moves");
        let mut reviewer = Reviewer::new(record.start.clone(), record.moves.clone())?;
        let mut reviewed = Vec::with_capacity(record.moves.len());
        let mut position = record.start.clone();
        while let Some(of) = reviewer.next(engine, &limits, &mut |_| {}) {
            bar.inc(1);
            let write = |mv| position.write_move(mv, record.dialect);
            reviewed.push(Reviewed {
                ply: of.ply,
                side: of.side.to_string(),
                mv: write(of.mv),
                value: of.value.0,
                before: of.before.0,
                best: of.best.map(write).unwrap_or_default(),
                loss: of.loss(),
                mark: of.mark(),
                proven: of.proven.map(|proven| proven.to_string()),
            });
            position.play(of.mv);
        }
        bar.finish_and_clear();
        Ok(reviewed)
    }
}

fn heading<G: Playable>(record: &Record<G>) -> String {
    let end = match (record.winner(), record.last.structure()) {
        (Some(Outcome::Win(side)), Some(structure)) => format!("{side} wins with a {structure}"),
        (Some(outcome), None) => format!("{outcome} ({})", record.end()),
        _ => record.end().to_string(),
    };
    let size = record.start.size_name();
    format!(
        "{} {size}, {} moves: {end}\n\n",
        G::NAME,
        record.moves.len()
    )
}

fn whole_game(reviewed: &[Reviewed]) -> String {
    let mut table = "move            value   best    lost\n".to_owned();
    for row in reviewed {
        table += &line(row);
    }
    table
}

fn mistakes(reviewed: &[Reviewed], count: usize) -> String {
    let mut costly: Vec<&Reviewed> = reviewed.iter().filter(|row| !row.mark.is_empty()).collect();
    costly.sort_by(|one, other| {
        other
            .loss
            .total_cmp(&one.loss)
            .then(one.ply.cmp(&other.ply))
    });
    if costly.is_empty() || count == 0 {
        return "\nNo move lost 5 % or more.\n".to_owned();
    }
    let mut table = "\nThe moves that lost most\nmove            value   best    lost\n".to_owned();
    for row in costly.into_iter().take(count) {
        table += &line(row);
    }
    table
}

fn line(row: &Reviewed) -> String {
    let mv = format!("{}{}", row.mv, row.mark);
    let proven = row
        .proven
        .as_ref()
        .map_or(String::new(), |proven| format!("  proven {proven}"));
    let line = format!(
        "{:>3} {:<5} {mv:<6} {:5.1}   {:<6} {:5.1}{proven}",
        row.ply,
        row.side,
        100.0 * row.value,
        row.best,
        100.0 * row.loss,
    );
    line.trim_end().to_owned() + "\n"
}
