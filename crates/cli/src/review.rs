//! `papamu review`: what each move of a game was worth.

use crate::args::{BudgetArgs, DialectArg, PlayerArgs};
use crate::{output, progress};
use analysis::{Answer, Defaults, Item, Job, Query, Reviewed};
use anyhow::{Context, Result};
use engine::Playable;
use game::Outcome;
use record::Record;
use registry::{GameName, with_game};
use std::path::PathBuf;
use std::process::ExitCode;

/// Review a game: the value of each move and of the best move, the mistakes, and proven values.
///
/// Values are expected scores from 0 (loss) to 1 (win) for the side that moved. Without a budget each position gets
/// 2,000 simulations in Havannah, 10,000 in other games.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu review game.hgf --simulations 20000")]
pub struct Args {
    /// A file of games: SGF, HGF or a list of moves; the first game is reviewed
    file: PathBuf,
    #[command(flatten)]
    player: PlayerArgs,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    dialect: DialectArg,
    /// Number of mistakes to list, the costliest first
    #[arg(long, value_name = "N", default_value_t = 10)]
    mistakes: usize,
    /// Write JSON, a line for each move
    #[arg(long)]
    json: bool,
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
            self.review::<G>(&record, game)?;
        });
        Ok(ExitCode::SUCCESS)
    }

    fn review<G: Playable>(&self, record: &Record<G>, game: GameName) -> Result<()> {
        if let Some(fault) = &record.fault {
            anstream::eprintln!("papamu: reviewing the game as far as it is legal: {fault}");
        }
        let reviewed = self.values(record, game)?;
        if self.json {
            return reviewed.iter().try_for_each(output::json_line);
        }
        output::text(&heading(record))?;
        output::text(&whole_game(&reviewed))?;
        output::text(&mistakes(&reviewed, self.mistakes))
    }

    /// Analyses every position of the game, and sees each move from both sides of it.
    fn values<G: Playable>(&self, record: &Record<G>, game: GameName) -> Result<Vec<Reviewed>> {
        let dialect = G::dialect_name(record.dialect).map(str::to_owned);
        let moves = record.moves_in(record.dialect);
        let query = Query {
            report: vec![Item::Review],
            ..Query::of_game("review", game, &record.options, moves, dialect)
        };
        let defaults = Defaults {
            player: self.player.player.clone(),
            settings: self.player.settings(),
            seed: self.player.seed,
            limits: self.budget.given(),
        };
        let mut job = Job::new(query, &defaults)?;
        let bar = progress::bar(record.moves.len() as u64, "moves");
        let mut reviewed = Vec::with_capacity(record.moves.len());
        let mut tell = |answer| {
            if let Answer::Result(position) = answer {
                bar.set_position(position.turn as u64);
                reviewed.extend(position.review);
            }
        };
        while job.step(&mut tell) {}
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
