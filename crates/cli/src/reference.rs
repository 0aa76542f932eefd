//! `papamu reference`: the pages that list what the program understands.

use crate::{Cli, output};
use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use engine::{OptionKind, Parameter, Playable, StartOption};
use registry::{GameName, with_game};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write the reference as pages in Markdown: all commands and options, and for each game its board options, players and
/// solvers with their parameters, and GTP commands.
///
/// The pages are generated from the program's own tables, so they match this version.
#[derive(clap::Args)]
#[command(after_help = "Example: papamu reference reference")]
pub struct Args {
    /// The folder to write to; it is created if it does not exist
    folder: PathBuf,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        output::file(&self.folder.join("commands.md"), commands().as_bytes())?;
        for &game in GameName::ALL {
            let page = with_game!(game, G => page::<G>());
            output::file(
                &self.folder.join(format!("{}.md", game.name())),
                page.as_bytes(),
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn commands() -> String {
    let mut page = String::from("# Commands\n\nWhat `--help` prints of each command.\n");
    let mut program = Cli::command().term_width(100);
    program.build();
    add_commands(&mut page, &mut program);
    page
}

/// Adds a command and what it consists of.
fn add_commands(page: &mut String, command: &mut Command) {
    let name = command
        .get_bin_name()
        .unwrap_or(command.get_name())
        .to_owned();
    let help = command.render_long_help().to_string();
    *page += &format!("\n## {name}\n\n```text\n{}\n```\n", help.trim_end());
    for subcommand in command.get_subcommands_mut() {
        if subcommand.get_name() != "help" {
            add_commands(page, subcommand);
        }
    }
}

fn page<G: Playable>() -> String {
    let mut page = format!("# {}: reference\n", G::TITLE);
    page += "\n## Board options\n\nEach is an option of the commands (`--size 8`), a key of `[board]` in \
        experiments, and a field of queries.\n\n| option | value | meaning |\n|---|---|---|\n";
    for option in G::OPTIONS {
        add_row(
            &mut page,
            &[&code(option.name), &kind(option), option.meaning],
        );
    }
    page += "\n## Players\n\nThe first is the default. `--player NAME` chooses one.\n\n| player | what it is |\n|---|---|\n";
    let players = G::players();
    for player in &players {
        add_row(
            &mut page,
            &[&names(player.name, player.aliases), player.summary],
        );
    }
    page += "\n### Parameters of players\n\n`--set NAME=VALUE` changes one.\n\n";
    let parameters = players
        .iter()
        .map(|player| (player.name, &player.parameters[..]));
    add_parameters(&mut page, parameters.collect());
    let solvers = G::solvers();
    if !solvers.is_empty() {
        page += "\n## Solvers\n\nThe first is the default. `papamu solve --solver NAME` chooses one.\n\n| solver | what it is | threads |\n|---|---|---|\n";
        for solver in &solvers {
            let threads = if solver.has_threads { "several" } else { "one" };
            let names = names(solver.name, solver.aliases);
            add_row(&mut page, &[&names, solver.summary, threads]);
        }
        page += "\n### Parameters of solvers\n\n`papamu solve --set NAME=VALUE` changes one.\n\n";
        let parameters = solvers
            .iter()
            .map(|solver| (solver.name, &solver.parameters[..]));
        add_parameters(&mut page, parameters.collect());
    }
    page += &format!(
        "\n## Commands of GTP\n\n`papamu gtp {}` reads them.\n\n| command | what it does |\n|---|---|\n",
        G::NAME
    );
    for (usage, help) in gtp::commands::<G>() {
        add_row(&mut page, &[&code(&usage), help]);
    }
    page
}

/// A name with those that mean the same.
fn names(name: &str, aliases: &[&str]) -> String {
    let aliases: Vec<String> = aliases.iter().map(|alias| code(alias)).collect();
    if aliases.is_empty() {
        code(name)
    } else {
        format!("{}, or {}", code(name), aliases.join(", "))
    }
}

fn kind(option: &StartOption) -> String {
    match option.kind {
        OptionKind::Switch => "yes or no".to_owned(),
        _ if !option.choices.is_empty() => option.choices.join(", "),
        OptionKind::Number(_) => "a number".to_owned(),
        OptionKind::Text(_) => "a text".to_owned(),
    }
}

/// Adds a table of parameters: each meaning once, with the default of each that has it.
fn add_parameters(page: &mut String, owners: Vec<(&str, &[Parameter])>) {
    type Row<'a> = (&'a Parameter, Vec<(&'a str, Vec<&'a str>)>);
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (owner, parameters) in owners {
        for parameter in parameters {
            let same = |row: &&mut Row<'_>| {
                (row.0.name, row.0.meaning) == (parameter.name, parameter.meaning)
            };
            let defaults = if let Some((_, defaults)) = rows.iter_mut().find(same) {
                defaults
            } else {
                rows.push((parameter, Vec::new()));
                &mut rows.last_mut().expect("a row was added").1
            };
            match defaults
                .iter_mut()
                .find(|(value, _)| *value == parameter.default)
            {
                Some((_, owners)) => owners.push(owner),
                None => defaults.push((&parameter.default, vec![owner])),
            }
        }
    }
    *page += "| parameter | meaning | default |\n|---|---|---|\n";
    for (parameter, defaults) in rows {
        let mut all = String::new();
        for (value, owners) in &defaults {
            let between = if all.is_empty() { "" } else { "; " };
            let value = if value.is_empty() {
                "nothing".to_owned()
            } else {
                code(value)
            };
            write!(all, "{between}{value} ({})", owners.join(", "))
                .expect("a text takes what is written");
        }
        add_row(page, &[&code(parameter.name), parameter.meaning, &all]);
    }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Adds a row of a table.
fn add_row(page: &mut String, cells: &[&str]) {
    for cell in cells {
        *page += "| ";
        *page += &cell.replace('|', "\\|");
        *page += " ";
    }
    *page += "|\n";
}
