//! Ctrl-C, and SIGTERM where there is one: a long run ends with what is known, and writes it down. A second one
//! ends the process at once.

use search::StopFlag;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;

/// A flag that a signal raises.
pub fn stop_flag() -> StopFlag {
    static FLAG: OnceLock<StopFlag> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = StopFlag::new();
        let raised = flag.clone();
        // Without a handler a signal ends the process, which loses what came after the last checkpoint.
        in_a_thread(Signals::listen, move |signals| watch(signals, raised));
        flag
    });
    flag.clone()
}

/// Lets a signal that nothing waits for end the process also where it is the first one of a container: the kernel keeps
/// from that one the signals for which it has no handler.
pub fn end_as_first_process() {
    if std::process::id() == 1 {
        in_a_thread(Signals::open, |mut signals| async move {
            while let Some(code) = signals.next().await {
                if !AWAITED.load(Ordering::Relaxed) {
                    std::process::exit(i32::from(code));
                }
            }
        });
    }
}

/// Whether something waits for signals.
static AWAITED: AtomicBool = AtomicBool::new(false);

/// Listens for signals in a thread of its own; returns when it does, or cannot.
fn in_a_thread<F: Future<Output = ()>>(
    listen: fn() -> std::io::Result<Signals>,
    watch: impl FnOnce(Signals) -> F + Send + 'static,
) {
    let (listening, begun) = mpsc::channel();
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        if let Ok(runtime) = runtime {
            runtime.block_on(async {
                if let Ok(signals) = listen() {
                    let _ = listening.send(());
                    watch(signals).await;
                }
            });
        }
    };
    let thread = thread::Builder::new().name("signals".to_owned());
    if thread.spawn(run).is_ok() {
        // It answers or ends.
        let _ = begun.recv();
    }
}

/// The exit code of a process that a signal ended, as shells have it: 128 and the number of the signal. `None`
/// if none came.
pub fn exit_code() -> Option<u8> {
    match CAUGHT.load(Ordering::Relaxed) {
        0 => None,
        code => Some(code),
    }
}

static CAUGHT: AtomicU8 = AtomicU8::new(0);

/// The exit code at Ctrl-C.
const INTERRUPTED: u8 = 130;
/// The exit code at SIGTERM.
#[cfg(unix)]
const TERMINATED: u8 = 143;

async fn watch(mut signals: Signals, flag: StopFlag) {
    while let Some(code) = signals.next().await {
        if flag.is_raised() {
            std::process::exit(i32::from(code));
        }
        CAUGHT.store(code, Ordering::Relaxed);
        flag.raise();
    }
}

/// Ctrl-C and SIGTERM. What comes between two waits is not lost.
#[cfg(unix)]
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// Listens from now on.
    pub fn listen() -> std::io::Result<Signals> {
        AWAITED.store(true, Ordering::Relaxed);
        Signals::open()
    }
}

#[cfg(unix)]
impl Signals {
    fn open() -> std::io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one, and gives the exit code of a process that it ends.
    pub async fn next(&mut self) -> Option<u8> {
        tokio::select! {
            caught = self.interrupt.recv() => caught.map(|()| INTERRUPTED),
            caught = self.terminate.recv() => caught.map(|()| TERMINATED),
        }
    }
}

/// Ctrl-C.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn open() -> std::io::Result<Signals> {
        Ok(Signals)
    }

    /// Waits for the next one, and gives the exit code of a process that it ends.
    pub async fn next(&mut self) -> Option<u8> {
        tokio::signal::ctrl_c().await.ok().map(|()| INTERRUPTED)
    }
}
