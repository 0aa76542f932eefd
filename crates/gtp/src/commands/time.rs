//! Limits for a move.

use super::{Failure, Reply, arguments};
use crate::{Clock, Period, Session};
use engine::Playable;
use game::Side;
use std::time::Duration;

pub(super) fn time_settings<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let [main, byo_yomi, stones, ..] = arguments else {
        return Err(Failure::Usage);
    };
    let clock = Clock::time_settings(
        arguments::seconds(main)?,
        arguments::seconds(byo_yomi)?,
        arguments::number(stones)?,
    );
    match clock {
        Some(_) => session.clocks.set_full(clock),
        None => session.clocks.set_default(),
    }
    Ok(String::new())
}

/// The clocks of `kata-time_settings`, by name.
const KATA_CLOCKS: &str = "none absolute fischer canadian byoyomi";

pub(super) fn kata_list_time_settings<G: Playable>(
    _session: &mut Session<G>,
    _arguments: &[&str],
) -> Reply {
    Ok(KATA_CLOCKS.to_owned())
}

/// KataGo's extension of GTP. Of several periods of byo-yomi one is used: a player that never oversteps
/// it keeps all.
pub(super) fn kata_time_settings<G: Playable>(
    session: &mut Session<G>,
    arguments: &[&str],
) -> Reply {
    let clock = match arguments {
        ["none"] => None,
        ["absolute", main] => Clock::time_settings(arguments::seconds(main)?, Duration::ZERO, 0),
        ["fischer", main, increment] => {
            Clock::fischer(arguments::seconds(main)?, arguments::seconds(increment)?)
        }
        ["canadian", main, period, moves] => Clock::time_settings(
            arguments::seconds(main)?,
            arguments::seconds(period)?,
            arguments::number(moves)?,
        ),
        ["byoyomi", main, period, periods] => {
            let period = match arguments::number::<u32>(periods)? {
                0 => Duration::ZERO,
                _ => arguments::seconds(period)?,
            };
            Clock::time_settings(arguments::seconds(main)?, period, 1)
        }
        _ => return Err(Failure::Usage),
    };
    match clock {
        Some(_) => session.clocks.set_full(clock),
        None => session.clocks.set_default(),
    }
    Ok(String::new())
}

pub(super) fn time_left<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    let [side, time, stones, ..] = arguments else {
        return Err(Failure::Usage);
    };
    let side = arguments::side(side)?;
    let (time, stones) = (arguments::seconds(time)?, arguments::number(stones)?);
    session.clocks.set_left(side, time, stones);
    Ok(String::new())
}

/// Castro's options, except for those that say how the time of a game is shared out.
pub(super) fn time<G: Playable>(session: &mut Session<G>, arguments: &[&str]) -> Reply {
    if arguments.is_empty() {
        return Ok(settings(session));
    }
    let mut clock = session.clocks.full().unwrap_or_default();
    let mut simulations = session.simulations;
    let mut left = None;
    let mut clock_changes = false;
    let mut options = arguments.iter();
    while let Some(&option) = options.next() {
        let value = options.next().ok_or(Failure::Usage)?;
        match option {
            "-m" | "--move" => clock.per_move = arguments::seconds(value)?,
            "-g" | "--game" => clock.main = arguments::seconds(value)?,
            "-f" | "--flexible" => clock.saves = arguments::switch(value)?,
            "-r" | "--remain" => left = Some(arguments::seconds(value)?),
            "-i" | "--maxsims" => {
                simulations = Some(arguments::number(value)?).filter(|&limit| limit > 0);
            }
            _ => return Err(Failure::Usage),
        }
        clock_changes |= matches!(
            option,
            "-m" | "--move" | "-g" | "--game" | "-f" | "--flexible"
        );
    }
    session.simulations = simulations;
    if clock_changes {
        let clock = Clock {
            byo_yomi: None,
            increment: Duration::ZERO,
            ..clock
        };
        let limits = !clock.per_move.is_zero() || !clock.main.is_zero();
        session.clocks.set_full(limits.then_some(clock));
    }
    if let Some(left) = left {
        session.clocks.set_main(left);
    }
    Ok(String::new())
}

fn settings<G: Playable>(session: &Session<G>) -> String {
    let clock = session.clocks.full().unwrap_or_default();
    let left = |side| format!("{side} {}", left(session.clocks.of(side)));
    let mut lines = vec![
        format!("-m {}: seconds for each move", clock.per_move.as_secs_f64()),
        format!("-g {}: seconds for the game", clock.main.as_secs_f64()),
        format!(
            "-r: seconds left: {}, {}",
            left(Side::White),
            left(Side::Black)
        ),
        format!(
            "-i {}: simulations for each move, 0 for any number",
            session.simulations.unwrap_or(0)
        ),
        format!(
            "-f {}: whether unused seconds of a move are kept",
            u8::from(clock.saves)
        ),
    ];
    if !clock.increment.is_zero() {
        let seconds = clock.increment.as_secs_f64();
        lines.push(format!("increment: {seconds} seconds after each move"));
    }
    if let Some(Period { time, moves }) = clock.byo_yomi {
        lines.push(format!(
            "byo-yomi: {} seconds for {moves} moves",
            time.as_secs_f64()
        ));
    }
    "\n".to_owned() + &lines.join("\n")
}

fn left(clock: Option<Clock>) -> String {
    match clock {
        None => "no limit".to_owned(),
        Some(Clock {
            period: Some(Period { time, moves }),
            ..
        }) => format!("{} for {moves} moves", time.as_secs_f64()),
        Some(Clock { main, .. }) => main.as_secs_f64().to_string(),
    }
}
