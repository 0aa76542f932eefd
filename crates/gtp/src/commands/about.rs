//! The program and its commands.

use super::{Entry, Failure, Reply, commands};
use crate::Session;
use engine::Playable;

pub(super) fn protocol_version<G: Playable>(_: &mut Session<G>, _: &[&str]) -> Reply {
    Ok("2".to_owned())
}

pub(super) fn name<G: Playable>(_: &mut Session<G>, _: &[&str]) -> Reply {
    Ok("Papamu".to_owned())
}

pub(super) fn version<G: Playable>(_: &mut Session<G>, _: &[&str]) -> Reply {
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}

pub(super) fn known_command<G: Playable>(_: &mut Session<G>, arguments: &[&str]) -> Reply {
    let name = arguments.first().ok_or(Failure::Usage)?;
    Ok(Entry::<G>::named(name).is_some().to_string())
}

pub(super) fn list_commands<G: Playable>(_: &mut Session<G>, _: &[&str]) -> Reply {
    let names: Vec<&str> = Entry::<G>::all().map(|entry| entry.name).collect();
    Ok(names.join("\n"))
}

pub(super) fn help<G: Playable>(_: &mut Session<G>, arguments: &[&str]) -> Reply {
    if let Some(name) = arguments.first() {
        let entry = Entry::<G>::named(name).ok_or(Failure::because("unknown command"))?;
        return Ok(format!("{}: {}", entry.usage(), entry.help));
    }
    let width = commands::<G>().map(|(usage, _)| usage.len()).max();
    let width = width.unwrap_or_default();
    let mut lines = String::new();
    for (usage, help) in commands::<G>() {
        lines += &format!("\n{usage:width$}  {help}");
    }
    Ok(lines)
}

pub(super) fn quit<G: Playable>(session: &mut Session<G>, _: &[&str]) -> Reply {
    session.quit = true;
    Ok(String::new())
}
