//! A program with all that it has started, and what it writes on its standard error.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Lines of the standard error that are kept, and the most bytes of a line.
const LAST_LINES: usize = 8;
const MAX_LINE: u64 = 400;

/// How long to wait between two looks at whether a program has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// A running program. On Unix it leads a process group, which ends with it: an engine behind a wrapper
/// script does not outlive the script.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Whether it has ended and its number may be another process's.
    is_reaped: bool,
    last_lines: Arc<Mutex<VecDeque<String>>>,
    stderr: Option<JoinHandle<()>>,
}

/// The ends of the pipes to a program.
pub(super) type Pipes = (Option<ChildStdin>, Option<ChildStdout>);

impl Process {
    /// Starts a program. `told` gets each line of its standard error.
    pub fn start(
        program: &mut Command,
        mut told: impl FnMut(&str) + Send + 'static,
    ) -> io::Result<(Process, Pipes)> {
        program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A terminal's Ctrl-C is meant for this program, which may want to finish a game first.
        #[cfg(unix)]
        program.process_group(0);
        let mut child = program.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let last_lines = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&last_lines);
        let stderr = child.stderr.take().map(|stderr| {
            thread::spawn(move || {
                let mut stderr = BufReader::new(stderr);
                while let Some(line) = next_line(&mut stderr) {
                    told(&line);
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    if kept.len() == LAST_LINES {
                        kept.pop_front();
                    }
                    kept.push_back(line);
                }
            })
        });
        let process = Process {
            child,
            is_reaped: false,
            last_lines,
            stderr,
        };
        Ok((process, pipes))
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The last lines of its standard error. After its end those that are still under way are waited for,
    /// so long.
    pub fn last_words(&self, patience: Duration) -> String {
        let start = Instant::now();
        let is_open = || {
            self.stderr
                .as_ref()
                .is_some_and(|reader| !reader.is_finished())
        };
        while self.is_reaped && is_open() && start.elapsed() < patience {
            thread::sleep(BETWEEN_LOOKS);
        }
        let kept = self
            .last_lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        kept.iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Waits for the program to end, and ends what it has started; `None` if it does not end.
    pub fn await_end(&mut self, timeout: Duration) -> io::Result<Option<ExitStatus>> {
        let start = Instant::now();
        loop {
            if self.has_ended()? {
                return self.kill().map(Some);
            }
            if start.elapsed() >= timeout {
                return Ok(None);
            }
            thread::sleep(BETWEEN_LOOKS);
        }
    }

    /// Ends the program and what it has started.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        if !self.is_reaped {
            // Until it is waited for, its number is its own and that of its group. Both fail only where there is
            // nothing to kill.
            #[cfg(unix)]
            let _ = rustix::process::kill_process_group(
                rustix::process::Pid::from_child(&self.child),
                rustix::process::Signal::KILL,
            );
            let _ = self.child.kill();
        }
        let status = self.child.wait();
        self.is_reaped = true;
        status
    }

    /// Whether the program has ended, without waiting for it: its group keeps its number.
    #[cfg(unix)]
    fn has_ended(&self) -> io::Result<bool> {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        if self.is_reaped {
            return Ok(true);
        }
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(Pid::from_child(&self.child)), look)?.is_some())
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It fails only for a program that has ended already.
        let _ = self.kill();
    }
}

/// The next line that is not empty, cut into pieces where it is too long; `None` at the end.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    loop {
        let mut line = Vec::new();
        match input.take(MAX_LINE).read_until(b'\n', &mut line) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return None,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                let text: String = text.chars().filter(|c| !c.is_control()).collect();
                if !text.trim().is_empty() {
                    return Some(text);
                }
            }
        }
    }
}
