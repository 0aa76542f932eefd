//! The loop that reads commands and writes responses.

use crate::lines::{Line, read_line, skip_line};
use crate::{Command, MAX_LINE, Response, parse_line};
use std::io::{self, BufRead, ErrorKind, Write};
use std::time::{Duration, Instant};

/// A line that is read in less time was there before the reading began.
const AT_ONCE: Duration = Duration::from_millis(1);

/// What answers commands.
pub trait Respond {
    /// Does what a command asks for. The time that it may take counts from when it was received.
    fn respond(&mut self, command: &Command, received: Instant) -> Response;

    /// Is called when a response has been sent: the time for work that nobody has to wait for.
    fn settle(&mut self);

    /// Whether the conversation is over.
    fn has_quit(&self) -> bool;
}

/// Answers the commands of an input until `quit`, or until its end. Each line that holds anything but
/// white space and comments gets one response, and the output is flushed after it. A line of more than
/// [`MAX_LINE`] bytes is refused without being kept.
///
/// # Errors
/// If the input cannot be read, or the output cannot be written. That nobody reads the output any more
/// is no error: the conversation is over.
pub fn serve(
    mut session: impl Respond,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut responded = Instant::now();
    while !session.has_quit() {
        let listening = Instant::now();
        let response = match read_line(&mut input, MAX_LINE, &mut line)? {
            Line::End => break,
            Line::Whole => {
                // A command that came while the session settled has been waiting since then.
                let waited = listening.elapsed() < AT_ONCE;
                let received = if waited { responded } else { Instant::now() };
                respond_to(&line, &mut session, received)
            }
            Line::TooLong => {
                skip_line(&mut input)?;
                Some(Response {
                    id: None,
                    result: Err("line too long".to_owned()),
                })
            }
        };
        let Some(response) = response else { continue };
        let text = response.to_string();
        tracing::debug!(response = text.trim_end());
        match output
            .write_all(text.as_bytes())
            .and_then(|()| output.flush())
        {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            result => result?,
        }
        responded = Instant::now();
        session.settle();
    }
    Ok(())
}

fn respond_to(line: &[u8], session: &mut impl Respond, received: Instant) -> Option<Response> {
    match parse_line(line) {
        Ok(None) => None,
        Ok(Some(command)) => {
            tracing::debug!(?command);
            Some(session.respond(&command, received))
        }
        Err(error) => Some(error.into()),
    }
}
