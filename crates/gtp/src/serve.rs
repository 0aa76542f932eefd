//! The loop that reads commands and writes responses.

use crate::lines::{Line, read_line, skip_line};
use crate::{Command, MAX_LINE, Response, parse_line};
use search::StopFlag;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

/// What answers commands.
pub trait Respond {
    /// Does what a command asks for. The time that it may take counts from when it was received.
    fn respond(&mut self, command: &Command, received: Instant) -> Response;

    /// Whether the last response was only the first line of an answer that [`go_on`](Respond::go_on)
    /// continues.
    fn goes_on(&self) -> bool;

    /// Writes the rest of an answer, its last line included, while the next command may be on its way:
    /// `next` is raised when it is there.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn go_on(&mut self, next: &StopFlag, output: &mut dyn Write) -> io::Result<()>;

    /// Is called when a response has been sent: the time for work that nobody has to wait for, until
    /// `next` is raised because the next command is there.
    fn settle(&mut self, next: &StopFlag);

    /// Whether the conversation is over.
    fn has_quit(&self) -> bool;
}

/// A line of the input, and when it came.
struct Heard {
    line: io::Result<Line>,
    bytes: Vec<u8>,
    at: Instant,
}

/// Answers the commands of an input until `quit`, or until its end. Each line that holds anything but
/// white space and comments gets one response, and the output is flushed after it. A line of more than
/// [`MAX_LINE`] bytes is refused without being kept.
///
/// The input is read in a thread of its own, so that work can go on until the next command is there. It
/// reads a line only when it is asked for one: after `quit` nothing more is read.
///
/// # Errors
/// If the input cannot be read, or the output cannot be written. That nobody reads the output any more
/// is no error: the conversation is over.
pub fn serve(
    session: impl Respond,
    input: impl BufRead + Send,
    output: impl Write,
) -> io::Result<()> {
    let (ask, asked) = mpsc::channel();
    let (tell, heard) = mpsc::channel();
    let next = StopFlag::new();
    let flag = next.clone();
    let conversation = thread::scope(|scope| {
        scope.spawn(move || listen(input, &asked, &tell, &flag));
        converse(session, output, &next, ask, &heard)
    });
    match conversation {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Reads a line whenever it is asked to.
fn listen(mut input: impl BufRead, asked: &Receiver<()>, tell: &Sender<Heard>, next: &StopFlag) {
    while asked.recv().is_ok() {
        let mut bytes = Vec::new();
        let mut line = read_line(&mut input, MAX_LINE, &mut bytes);
        if matches!(line, Ok(Line::TooLong)) {
            line = skip_line(&mut input).map(|()| Line::TooLong);
        }
        let at = Instant::now();
        next.raise();
        if tell.send(Heard { line, bytes, at }).is_err() {
            break;
        }
    }
}

/// `ask` is dropped at the end, which ends the listening.
fn converse(
    mut session: impl Respond,
    mut output: impl Write,
    next: &StopFlag,
    ask: Sender<()>,
    heard: &Receiver<Heard>,
) -> io::Result<()> {
    while !session.has_quit() {
        next.lower();
        // The other thread listens until this one ends, and answers each time.
        if ask.send(()).is_err() {
            break;
        }
        if session.goes_on() {
            session.go_on(next, &mut output)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
        session.settle(next);
        let Ok(Heard { line, bytes, at }) = heard.recv() else {
            break;
        };
        let response = match line? {
            Line::End => break,
            Line::Whole => respond_to(&bytes, &mut session, at),
            Line::TooLong => Some(Response {
                id: None,
                result: Err("line too long".to_owned()),
            }),
        };
        let Some(response) = response else { continue };
        let text = response.to_string();
        tracing::debug!(response = text.trim_end());
        let text = if session.goes_on() {
            // Without the empty line that ends a response.
            &text[..text.len() - 1]
        } else {
            &text[..]
        };
        output.write_all(text.as_bytes())?;
        output.flush()?;
    }
    drop(ask);
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
