//! Work in a thread of its own, while the interpreter is free for other threads and hears of Ctrl-C.

use crate::errors::Fault;
use papamu::search::StopFlag;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long Ctrl-C may be unheard.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a thread sends: progress, and at the end its result.
enum Message<P, R> {
    Progress(P),
    Done(Result<R, Fault>),
}

/// Work under way. Dropping it stops it.
pub struct Job<P, R> {
    messages: Receiver<Message<P, R>>,
    stop: StopFlag,
    result: Option<Result<R, Fault>>,
}

impl<P: Send + 'static, R: Send + 'static> Job<P, R> {
    /// Starts work, which ends when the flag is raised and can tell of its progress.
    pub fn start(
        stop: StopFlag,
        work: impl FnOnce(&mut dyn FnMut(P)) -> Result<R, Fault> + Send + 'static,
    ) -> Job<P, R> {
        let (sender, messages) = mpsc::channel();
        let work = move || {
            // Nobody listens any more when the job is dropped: then nobody wants to know.
            let mut tell = |progress| drop(sender.send(Message::Progress(progress)));
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut tell)));
            let done = done.unwrap_or_else(|payload| Err(Fault::panicked(&*payload)));
            drop(sender.send(Message::Done(done)));
        };
        let started = thread::Builder::new().name("papamu".to_owned()).spawn(work);
        let result = started
            .err()
            .map(|why| Err(Fault::busy(format!("no thread could be started: {why}"))));
        Job {
            messages,
            stop,
            result,
        }
    }

    /// The newest progress, when there is any; `None` when the work is done. Whoever is too slow for the progress
    /// misses some.
    ///
    /// # Errors
    /// With an exception of a signal handler, such as `KeyboardInterrupt`. Then the work is stopped.
    pub fn next(&mut self, py: Python<'_>) -> PyResult<Option<P>> {
        let mut newest = None;
        while self.result.is_none() {
            let messages = &mut self.messages;
            let wait = if newest.is_none() {
                PATIENCE
            } else {
                Duration::ZERO
            };
            match py.detach(move || messages.recv_timeout(wait)) {
                Ok(Message::Progress(progress)) => newest = Some(progress),
                Ok(Message::Done(result)) => self.result = Some(result),
                Err(RecvTimeoutError::Timeout) if newest.is_some() => break,
                Err(RecvTimeoutError::Timeout) => self.signals(py)?,
                Err(RecvTimeoutError::Disconnected) => {
                    self.result = Some(Err(Fault::panicked(&"a thread ended without a result")));
                }
            }
        }
        self.signals(py)?;
        Ok(newest)
    }

    /// Waits for the result, telling of the progress: `heard` says whether to continue.
    ///
    /// # Errors
    /// Those of the work, of `heard` and of signals. The thread has ended then too.
    pub fn wait(
        &mut self,
        py: Python<'_>,
        mut heard: impl FnMut(P) -> PyResult<bool>,
    ) -> PyResult<R> {
        loop {
            let next = self.next(py);
            let next = next.and_then(|next| next.map(&mut heard).transpose());
            match next {
                Ok(Some(true)) => {}
                Ok(Some(false)) => self.stop.raise(),
                Ok(None) => return Ok(self.taken()?),
                Err(error) => {
                    self.stop.raise();
                    self.join(py);
                    return Err(error);
                }
            }
        }
    }

    /// Stops the work.
    pub fn stop(&self) {
        self.stop.raise();
    }

    fn signals(&self, py: Python<'_>) -> PyResult<()> {
        py.check_signals().inspect_err(|_| self.stop.raise())
    }

    /// Waits until a job that was stopped has ended.
    fn join(&mut self, py: Python<'_>) {
        let Job {
            messages, result, ..
        } = self;
        py.detach(move || {
            while result.is_none() {
                match messages.recv() {
                    Ok(Message::Progress(_)) => {}
                    Ok(Message::Done(done)) => *result = Some(done),
                    Err(_) => break,
                }
            }
        });
    }

    fn taken(&mut self) -> Result<R, Fault> {
        let again = Err(Fault::argument("the result was taken already"));
        self.result.take().unwrap_or(again)
    }
}

impl<P, R> Drop for Job<P, R> {
    fn drop(&mut self) {
        self.stop.raise();
    }
}
