//! Queries from an input, worked at by threads.

use crate::SCHEMA;
use crate::answer::Answer;
use crate::job::{Defaults, Job};
use crate::lines::{self, Request, next_line};
use crate::query::Refused;
use search::StopFlag;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io::{self, BufRead, ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Answers the queries of an input until it ends and all are answered. `threads` positions are searched at a time.
/// Each answer is a line, and the output is flushed after it.
///
/// # Errors
/// If the input cannot be read, or the output cannot be written. That nobody reads the output any more is no error:
/// the work ends.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
    threads: usize,
    defaults: &Defaults,
) -> io::Result<()> {
    let (say, events) = mpsc::channel();
    let from_input = say.clone();
    // It waits for the input, which may never end: nobody waits for it.
    thread::spawn(move || listen(input, &from_input));
    let desk = Desk {
        state: Mutex::default(),
        wake: Condvar::new(),
        output: Mutex::new(output),
        say,
    };
    let ended = thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| desk.work());
        }
        let mut result = Ok(());
        for event in events {
            match event {
                Event::Line(line) => desk.hear(&line, defaults),
                Event::End => break,
                Event::Failed(why) => {
                    result = Err(why);
                    desk.drop_all();
                    break;
                }
            }
        }
        desk.close();
        result
    });
    let failed_later = desk.state().failed.take();
    match ended.and(failed_later.map_or(Ok(()), Err)) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

enum Event {
    Line(Vec<u8>),
    End,
    Failed(io::Error),
}

fn listen(mut input: impl BufRead, say: &Sender<Event>) {
    loop {
        let event = match next_line(&mut input) {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::End,
            Err(why) => Event::Failed(why),
        };
        let is_line = matches!(event, Event::Line(_));
        if say.send(event).is_err() || !is_line {
            break;
        }
    }
}

/// What the threads share.
struct Desk<W> {
    state: Mutex<State>,
    /// Something was added to the state.
    wake: Condvar,
    output: Mutex<W>,
    say: Sender<Event>,
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Waiting>,
    /// The queries that are not answered, waiting or at work.
    open: HashMap<String, StopFlag>,
    /// Queries that came so far.
    arrived: u64,
    /// No more queries come.
    closed: bool,
    /// Why the output could not be written.
    failed: Option<io::Error>,
}

/// A query that waits: the first is the one with the highest priority, and of several the oldest.
struct Waiting {
    order: (i64, Reverse<u64>),
    job: Job,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}

impl<W: Write> Desk<W> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an answer. If that fails, nothing more is written, and all work ends.
    fn tell(&self, answer: &Answer) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state().failed.is_some() {
            return;
        }
        let written = serde_json::to_writer(&mut *output, answer)
            .map_err(io::Error::from)
            .and_then(|()| output.write_all(b"\n"))
            .and_then(|()| output.flush());
        if let Err(why) = written {
            let told = io::Error::from(why.kind());
            self.state().failed = Some(why);
            // If nobody hears it any more, the end has come already.
            let _ = self.say.send(Event::Failed(told));
        }
    }

    fn refuse(&self, id: Option<String>, refused: Refused) {
        self.tell(&Answer::Error {
            id,
            field: refused.field,
            error: refused.error,
        });
    }

    /// Does what a line asks for, or says why not.
    fn hear(&self, line: &[u8], defaults: &Defaults) {
        match lines::read(line) {
            None => {}
            Some(Err((id, refused))) => self.refuse(id, refused),
            Some(Ok(Request::Version(id))) => self.tell(&Answer::Version {
                id,
                schema: SCHEMA,
                program: env!("CARGO_PKG_VERSION"),
            }),
            Some(Ok(Request::Cancel(cancel))) if self.cancel(&cancel.of) => {}
            Some(Ok(Request::Cancel(cancel))) => {
                let why = format!("no query {:?} is open", cancel.of);
                self.refuse(Some(cancel.id), Refused::of("of", why));
            }
            Some(Ok(Request::Analyse(query))) => {
                let id = query.id.clone();
                if self.state().open.contains_key(&id) {
                    let why = "a query with this id is open already";
                    self.refuse(Some(id), Refused::of("id", why));
                    return;
                }
                match Job::new(*query, defaults) {
                    Ok(job) => self.add(job),
                    Err(refused) => self.refuse(Some(id), refused),
                }
            }
        }
    }

    fn add(&self, job: Job) {
        let mut state = self.state();
        state.open.insert(job.id().to_owned(), job.stop_flag());
        let order = (job.priority(), Reverse(state.arrived));
        state.arrived += 1;
        state.waiting.push(Waiting { order, job });
        self.wake.notify_one();
    }

    /// Ends a query; `false` if none of this name is open. One that waits is gone at once, one at work when its
    /// search has stopped.
    fn cancel(&self, id: &str) -> bool {
        let mut state = self.state();
        let Some(flag) = state.open.get(id) else {
            return false;
        };
        flag.raise();
        let waiting = std::mem::take(&mut state.waiting).into_vec();
        let (gone, kept): (Vec<Waiting>, Vec<Waiting>) = waiting
            .into_iter()
            .partition(|waiting| waiting.job.id() == id);
        state.waiting = kept.into();
        if !gone.is_empty() {
            state.open.remove(id);
        }
        drop(state);
        for Waiting { job, .. } in gone {
            self.tell(&cancelled(&job));
        }
        true
    }

    /// Lets the threads end when all is answered.
    fn close(&self) {
        self.state().closed = true;
        self.wake.notify_all();
    }

    /// Stops all work.
    fn drop_all(&self) {
        let mut state = self.state();
        state.waiting.clear();
        for flag in state.open.values() {
            flag.raise();
        }
    }

    /// Works at the most urgent queries. After each position another one may be more urgent.
    fn work(&self) {
        while let Some(Waiting { order, mut job }) = self.next() {
            let step = || job.step(&mut |answer| self.tell(&answer));
            let goes_on = catch_unwind(AssertUnwindSafe(step));
            let failed = self.state().failed.is_some();
            match goes_on {
                Ok(true) if !failed && !job.stop_flag().is_raised() => {
                    self.state().waiting.push(Waiting { order, job });
                    self.wake.notify_one();
                }
                Ok(_) => {
                    self.state().open.remove(job.id());
                    if job.stop_flag().is_raised() {
                        self.tell(&cancelled(&job));
                    }
                }
                // A fault of this program must not end the other queries.
                Err(_) => {
                    self.state().open.remove(job.id());
                    let error = "the search failed; this is a fault of the program".to_owned();
                    self.refuse(Some(job.id().to_owned()), Refused { field: None, error });
                }
            }
        }
    }

    /// Waits for something to do; `None` at the end.
    fn next(&self) -> Option<Waiting> {
        let mut state = self.state();
        loop {
            if let Some(next) = state.waiting.pop() {
                return Some(next);
            }
            // What other threads are at comes back as long as it has turns left, and they go on with it.
            if state.closed {
                return None;
            }
            state = self
                .wake
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn cancelled(job: &Job) -> Answer {
    Answer::Cancelled {
        id: job.id().to_owned(),
        turns: job.left(),
    }
}
