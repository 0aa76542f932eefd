//! The other end: driving a program that speaks the protocol.

mod answer;
mod process;

use crate::MAX_LINE;
use answer::{Answer, AnswerError, read_answer};
use process::Process;
use std::io::{self, BufReader, Write};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// A program that is spoken to over its standard input and output.
///
/// One command at a time: each is sent with a number, and its response awaited. After any error but
/// [`ClientError::Refused`] and [`ClientError::NotACommand`] nobody can tell what the program will say
/// next; it is then killed, and further commands fail with [`ClientError::Closed`]. Dropping the client
/// kills the program. On Unix the programs that it has started are killed with it (its process group).
///
/// ```no_run
/// use gtp::Client;
/// use std::process::Command;
/// use std::time::Duration;
///
/// let mut program = Client::start(Command::new("castro").arg("-n"))?;
/// program.send("boardsize 5", Duration::from_secs(1))?;
/// let mv = program.send("genmove white 2", Duration::from_secs(3))?;
/// program.quit(Duration::from_secs(1))?;
/// # Ok::<(), gtp::ClientError>(())
/// ```
#[derive(Debug)]
pub struct Client {
    process: Process,
    /// Commands for the thread that writes them, so that a program that does not read them is met with
    /// patience of the same length. `None` when the conversation is over.
    commands: Option<Sender<String>>,
    answers: Receiver<Result<Answer, AnswerError>>,
    last_id: u32,
}

/// Why a program has not done what it was asked for.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The program cannot be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// What was to be sent is not one line of at most 64 KiB with a name of a command, or begins with a
    /// number of its own. Nothing was sent.
    #[error("{0:?} is not a command")]
    NotACommand(String),
    /// The program answered with an error; this is its message.
    #[error("refused: {0}")]
    Refused(String),
    /// There was no response in time.
    #[error("no response within {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// The program has ended or closed its output, with its status if it has ended.
    #[error("the program has ended{}", .0.map_or(String::new(), |status| format!(" ({status})")))]
    Exited(Option<ExitStatus>),
    /// The program wrote something that is no response to the command; this is its beginning.
    #[error("not a response: {0:?}")]
    Garbage(String),
    /// The response is longer than a mebibyte.
    #[error("a response of more than a mebibyte")]
    TooLong,
    /// The output of the program cannot be read, or its state not be learnt.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The program was killed after an earlier error.
    #[error("the program was killed after an earlier error")]
    Closed,
}

/// Responses that may wait to be looked at. A program that writes more of them unasked has to wait.
const WAITING_ANSWERS: usize = 4;

/// How long a program that has closed its output may take to end, to have its status and its last words told.
const TIME_TO_END: Duration = Duration::from_secs(5);

impl Client {
    /// Starts a program. The last lines of its standard error are kept for [`last_words`](Self::last_words);
    /// `tracing` gets all at the level `debug`. A terminal's Ctrl-C does not reach it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(program: &mut Command) -> Result<Client, ClientError> {
        Client::start_logged(program, |_| {})
    }

    /// Starts a program as [`start`](Self::start) does; `log` gets each line of its standard error, from a thread
    /// of its own.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start_logged(
        program: &mut Command,
        mut log: impl FnMut(&str) + Send + 'static,
    ) -> Result<Client, ClientError> {
        let name = program.get_program().to_string_lossy().into_owned();
        let of_line = name.clone();
        let told = move |line: &str| {
            tracing::debug!(program = of_line, stderr = line);
            log(line);
        };
        let (process, (stdin, stdout)) =
            Process::start(program, told).map_err(|source| ClientError::Start {
                program: name,
                source,
            })?;
        let (commands, to_write) = mpsc::channel::<String>();
        let (found, answers) = mpsc::sync_channel(WAITING_ANSWERS);
        if let Some(mut stdin) = stdin {
            // A program that does not read ends the writing; that it does not answer is noticed elsewhere.
            thread::spawn(move || {
                for command in to_write {
                    if stdin
                        .write_all(command.as_bytes())
                        .and_then(|()| stdin.flush())
                        .is_err()
                    {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = stdout {
            thread::spawn(move || {
                let mut output = BufReader::new(stdout);
                loop {
                    let answer = read_answer(&mut output);
                    let ends = answer.is_err();
                    if found.send(answer).is_err() || ends {
                        break;
                    }
                }
            });
        }
        Ok(Client {
            process,
            commands: Some(commands),
            answers,
            last_id: 0,
        })
    }

    /// The number of the program's process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The last lines that the program has written on its standard error, separated by line breaks.
    pub fn last_words(&self) -> String {
        self.process.last_words(TIME_TO_END)
    }

    /// Sends a command and waits for its response, of which it returns the text.
    ///
    /// # Errors
    /// If the program refuses the command, or there is no proper response in time.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<String, ClientError> {
        let line = self.numbered(command)?;
        let Some(commands) = &self.commands else {
            return Err(ClientError::Closed);
        };
        tracing::debug!(command = line.trim_end());
        // The thread that writes has ended only if the program has, which the reader tells too.
        let _ = commands.send(line);
        let answer = self.await_answer(timeout);
        tracing::debug!(?answer);
        match answer {
            Ok(Answer { result, .. }) => result.map_err(ClientError::Refused),
            Err(error) => {
                self.kill();
                Err(error)
            }
        }
    }

    /// Tells the program to quit, and waits for it to end.
    ///
    /// # Errors
    /// If it does not end in time; it is killed then.
    pub fn quit(mut self, timeout: Duration) -> Result<ExitStatus, ClientError> {
        let start = Instant::now();
        match self.send("quit", timeout) {
            Ok(_) | Err(ClientError::Refused(_) | ClientError::Exited(None)) => {}
            // It has not waited to say that it quits.
            Err(ClientError::Exited(Some(status))) => return Ok(status),
            Err(error) => return Err(error),
        }
        self.commands = None;
        let left = timeout.saturating_sub(start.elapsed());
        self.process
            .await_end(left)?
            .ok_or(ClientError::Timeout(timeout))
    }

    /// A command as a line with a number.
    fn numbered(&mut self, command: &str) -> Result<String, ClientError> {
        let first = command.split_whitespace().next();
        let has_name = first.is_some_and(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
        let one_line = !command.contains(|c: char| c.is_control() || c == '#');
        let id = self.last_id.wrapping_add(1);
        let line = format!("{id} {command}\n");
        if !has_name || !one_line || line.len() > MAX_LINE {
            return Err(ClientError::NotACommand(answer::beginning(command)));
        }
        self.last_id = id;
        Ok(line)
    }

    fn await_answer(&mut self, timeout: Duration) -> Result<Answer, ClientError> {
        match self.answers.recv_timeout(timeout) {
            Ok(Ok(answer)) if answer.id == Some(self.last_id) => Ok(answer),
            Ok(Ok(answer)) => Err(ClientError::Garbage(answer.to_string())),
            Ok(Err(AnswerError::Garbage(line))) => Err(ClientError::Garbage(line)),
            Ok(Err(AnswerError::TooLong)) => Err(ClientError::TooLong),
            Ok(Err(AnswerError::Io(error))) => Err(ClientError::Io(error)),
            Ok(Err(AnswerError::End)) | Err(RecvTimeoutError::Disconnected) => {
                Err(ClientError::Exited(self.process.await_end(TIME_TO_END)?))
            }
            Err(RecvTimeoutError::Timeout) => Err(ClientError::Timeout(timeout)),
        }
    }

    /// Ends the conversation.
    fn kill(&mut self) {
        self.commands = None;
        // It fails only for a program that has ended already.
        let _ = self.process.kill();
    }
}
