//! Reading the command line, and what is wrong with it in one line.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Parser};
use std::ffi::OsString;

/// Why there is nothing to run.
pub enum Unusable {
    /// Help or the version was asked for.
    Asked(clap::Error),
    /// The command line cannot be understood: one line that says why and what to do.
    Wrong(String),
}

/// Reads a command line. A value may be a negative number, so that its own check can refuse it and say what is
/// expected.
pub fn parse<T: Parser>(line: impl IntoIterator<Item = OsString>) -> Result<T, Unusable> {
    let line: Vec<OsString> = line.into_iter().collect();
    let mut command = with_negative_numbers(T::command());
    let read = command
        .try_get_matches_from_mut(&line)
        .and_then(|matches| T::from_arg_matches(&matches).map_err(|why| why.format(&mut command)));
    read.map_err(|error| {
        if !error.use_stderr() {
            return Unusable::Asked(error);
        }
        let help = format!("{} --help", path(&command, &line));
        Unusable::Wrong(
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                format!("no command is given: {help} lists the commands")
            } else {
                format!("{}{} (see {help})", reason(&error), suggestion(&error))
            },
        )
    })
}

fn with_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| {
            let takes_value = arg.get_action().takes_values() && !arg.is_positional();
            arg.allow_negative_numbers(takes_value)
        })
        .mut_subcommands(with_negative_numbers)
}

/// The command and the subcommands that a line begins with, such as `papamu arena run`.
fn path(command: &Command, line: &[OsString]) -> String {
    let mut path = command.get_name().to_owned();
    let mut here = command;
    for word in line.iter().skip(1) {
        match here.find_subcommand(word) {
            Some(subcommand) => here = subcommand,
            None => break,
        }
        path = format!("{path} {}", here.get_name());
    }
    path
}

/// What the parser says, without its paragraphs on usage.
fn reason(error: &clap::Error) -> String {
    let message = error.to_string();
    let first = message.split("\n\n").next().unwrap_or(&message);
    let words: Vec<&str> = first.split_whitespace().collect();
    let text = words.join(" ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    // What the standard library says of a text that is no number.
    text.replace(
        "invalid digit found in string",
        "expected a whole number from 0",
    )
    .replace(
        "number too large to fit in target type",
        "the number is too large",
    )
}

/// What was probably meant.
fn suggestion(error: &clap::Error) -> String {
    let kinds = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let name = kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.clone()),
        // The likeliest comes last.
        ContextValue::Strings(names) => names.last().cloned(),
        _ => None,
    });
    name.map(|name| format!("; did you mean {name}?"))
        .unwrap_or_default()
}
