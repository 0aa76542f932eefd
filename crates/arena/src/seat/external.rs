//! Another program behind the Go Text Protocol.

use super::{Allowance, Fault, Seat, Thought, Trouble};
use crate::engine_log::EngineLog;
use crate::experiment::{Budget, External, Time};
use engine::Playable;
use game::Side;
use gtp::{Client, ClientError};
use std::process::Command;
use std::time::Duration;

/// A program, started when it is first needed and again after each fault.
pub struct ExternalSeat<G: Playable> {
    /// The name of the player.
    name: String,
    program: External,
    log: EngineLog,
    budget: Budget,
    /// Seconds of this machine for one of the reference machine.
    reference: f64,
    dialect: G::Dialect,
    client: Option<Client>,
    /// Whether the program has once been started and set up: if it cannot be again, that is a fault of its own.
    has_started: bool,
    told: Vec<String>,
    /// The position after the moves told, to write them in.
    position: Option<G>,
}

/// What a program did wrong, with its last words.
fn fault(error: &ClientError, while_doing: &str, last_words: &str) -> Fault {
    let mut what = format!("{while_doing}: {error}");
    if !last_words.is_empty() {
        what += &format!("; its last words: {}", last_words.replace('\n', " | "));
    }
    match error {
        ClientError::Refused(_) | ClientError::NotACommand(_) => Fault::Refused(what),
        ClientError::Timeout(_) => Fault::NoAnswer(what),
        ClientError::Garbage(_) | ClientError::TooLong => Fault::Garbage(what),
        ClientError::Start { .. }
        | ClientError::Exited(_)
        | ClientError::Io(_)
        | ClientError::Closed => Fault::Crash(what),
    }
}

/// Seconds as other programs read them: without a fraction where there is none.
fn seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl<G: Playable> ExternalSeat<G> {
    /// A seat for the program of a player. `reference` is how many seconds of this machine are one of the reference
    /// machine; `log` gets what the program writes on its standard error.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub fn new(
        name: &str,
        program: &External,
        budget: &Budget,
        reference: f64,
        log: &EngineLog,
    ) -> Result<ExternalSeat<G>, String> {
        let dialect = match &program.dialect {
            None => G::Dialect::default(),
            Some(name) => {
                G::dialect(name).ok_or_else(|| format!("{} has no dialect {name:?}", G::NAME))?
            }
        };
        Ok(ExternalSeat {
            name: name.to_owned(),
            program: program.clone(),
            log: log.clone(),
            budget: budget.clone(),
            reference,
            dialect,
            client: None,
            has_started: false,
            told: Vec::new(),
            position: None,
        })
    }

    fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.program.start_seconds)
    }

    /// Starts the program and sets it up. One that never could be is not here: nobody loses a game for that.
    fn start(&mut self) -> Result<(), Trouble> {
        let mut command = Command::new(&self.program.command[0]);
        command.args(&self.program.command[1..]);
        let client = Client::start_logged(&mut command, self.log.of_player(&self.name));
        self.client = Some(client.map_err(|error| Trouble::NotHere(error.to_string()))?);
        match self.set_up() {
            Ok(()) => {
                self.has_started = true;
                Ok(())
            }
            Err(fault) if self.has_started => Err(fault.into()),
            Err(fault) => {
                self.reset();
                let command = self.program.command.join(" ");
                Err(Trouble::NotHere(format!("{command:?}: {fault}")))
            }
        }
    }

    /// Looks whether the program answers, and sends what it is to be told once.
    fn set_up(&mut self) -> Result<(), Fault> {
        self.offer("name")?;
        let simulations = self
            .budget
            .simulations
            .map_or(String::new(), |count| count.to_string());
        let per_move = self.per_move().map_or(String::new(), seconds);
        for line in self.program.setup.clone() {
            let line = line
                .replace("{simulations}", &simulations)
                .replace("{seconds}", &per_move);
            self.send(&line)?;
        }
        Ok(())
    }

    /// The time for a move, where it is the same for each.
    fn per_move(&self) -> Option<Duration> {
        match self.budget.time? {
            Time::PerMove(seconds) => Some(Duration::from_secs_f64(seconds)),
            Time::Reference(seconds) => Some(Duration::from_secs_f64(seconds * self.reference)),
            Time::PerGame { .. } | Time::Opponent { .. } => None,
        }
    }

    fn tells_time_by_itself(&self) -> bool {
        self.program.genmove.contains("{seconds}")
    }

    fn send(&mut self, line: &str) -> Result<String, Fault> {
        let patience = self.patience();
        self.send_within(line, patience)
    }

    fn send_within(&mut self, line: &str, patience: Duration) -> Result<String, Fault> {
        let client = self
            .client
            .as_mut()
            .ok_or_else(|| Fault::Crash("not running".to_owned()))?;
        client.send(line, patience).map_err(|error| {
            let is_refusal = matches!(error, ClientError::Refused(_));
            let last_words = if is_refusal {
                String::new()
            } else {
                client.last_words()
            };
            fault(&error, line, &last_words)
        })
    }

    /// Sends a command that a program need not know.
    fn offer(&mut self, line: &str) -> Result<(), Fault> {
        match self.send(line) {
            Ok(_) | Err(Fault::Refused(_)) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    fn new_game(&mut self, start: &G, seed: u64) -> Result<(), Fault> {
        self.send(&format!("boardsize {}", start.boardsize()))?;
        self.send("clear_board")?;
        for line in self.program.each_game.clone() {
            self.send(&line.replace("{seed}", &seed.to_string()))?;
        }
        if !self.tells_time_by_itself() {
            if let Some(time) = self.per_move() {
                self.offer(&format!("time_settings 0 {} 1", seconds(time)))?;
            } else if let Some(Time::PerGame { main, .. }) = self.budget.time {
                self.offer(&format!(
                    "time_settings {} 0 0",
                    seconds(Duration::from_secs_f64(main))
                ))?;
            }
        }
        Ok(())
    }

    fn genmove(&mut self, side: Side, allowance: &Allowance) -> Result<String, Fault> {
        for line in std::mem::take(&mut self.told) {
            self.send(&line)?;
        }
        let colour = side.to_string();
        if let (Some(clock), false) = (&allowance.clock, self.tells_time_by_itself()) {
            self.offer(&format!("time_left {colour} {} 0", seconds(clock.main)))?;
        }
        let time = allowance.time.map_or(String::new(), seconds);
        let line = self
            .program
            .genmove
            .replace("{colour}", &colour)
            .replace("{seconds}", &time);
        let margin = Duration::from_secs_f64(self.budget.margin);
        match allowance.at_most() {
            Some(limit) => {
                let answer = self.send_within(&line, limit + margin);
                answer.map_err(|fault| match fault {
                    Fault::NoAnswer(what) => Fault::Time(what),
                    other => other,
                })
            }
            None => self.send_within(&line, Duration::from_secs_f64(self.program.answer_seconds)),
        }
    }
}

impl<G: Playable> Seat<G> for ExternalSeat<G> {
    fn begin(&mut self, start: &G, seed: u64) -> Result<(), Trouble> {
        self.told.clear();
        self.position = Some(start.clone());
        if self.client.is_none() {
            self.start()?;
        }
        Ok(self.new_game(start, seed)?)
    }

    fn tell(&mut self, mv: G::Move) {
        if let Some(position) = &mut self.position {
            let side = position.to_move();
            self.told.push(format!(
                "play {side} {}",
                position.write_move(mv, self.dialect)
            ));
            position.play_unchecked(mv);
        }
    }

    fn think(&mut self, position: &G, allowance: &Allowance) -> Result<Thought<G::Move>, Trouble> {
        let text = self.genmove(position.to_move(), allowance)?;
        let mv = if text.trim().eq_ignore_ascii_case("resign") {
            None
        } else {
            let mv = position.parse_move(text.trim(), self.dialect);
            let mv = mv.map_err(|error| Fault::Illegal(error.to_string()))?;
            position
                .check(mv)
                .map_err(|error| Fault::Illegal(format!("{}: {error}", text.trim())))?;
            if let Some(own) = &mut self.position {
                own.play_unchecked(mv);
            }
            Some(mv)
        };
        Ok(Thought {
            mv,
            value: None,
            statistics: None,
        })
    }

    fn reset(&mut self) {
        self.client = None;
    }
}
