//! How far work is: bars on a terminal, and of long work a line now and then elsewhere.

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All bars, of which several can be in progress, a line each.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Writes to the terminal where the bars are, which are drawn again behind it.
pub fn above_bars<R>(write: impl FnOnce() -> R) -> R {
    BARS.suspend(write)
}

/// A bar for so many steps.
pub fn bar(steps: u64, what: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {what}, {{left}} left");
    on_terminal(ProgressBar::new(steps), &template)
}

/// A bar for a file of so many bytes.
pub fn bytes(bytes: u64) -> ProgressBar {
    let template = "{wide_bar} {bytes} of {total_bytes}, {left} left";
    on_terminal(ProgressBar::new(bytes), template)
}

/// A line for work whose end nobody knows.
pub fn spinner() -> ProgressBar {
    let template = "{spinner} {elapsed} {prefix}{wide_msg}";
    let spinner = on_terminal(ProgressBar::new_spinner(), template);
    if !spinner.is_hidden() {
        spinner.enable_steady_tick(Duration::from_millis(100));
    }
    spinner
}

fn on_terminal(bar: ProgressBar, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    match ProgressStyle::with_template(template) {
        Ok(style) => BARS.add(bar.with_style(Pace::new(0).shown_as_left(style))),
        Err(_) => bar,
    }
}

/// The time between two lines on what is being done, where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_mins(1);

/// Lines on stderr where there is no terminal for a bar.
pub struct Lines {
    prefix: String,
    next: Instant,
    wanted: bool,
}

impl Lines {
    /// The first line is due a while after this.
    pub fn start() -> Lines {
        Lines {
            prefix: String::new(),
            next: Instant::now() + BETWEEN_LINES,
            wanted: !std::io::stderr().is_terminal(),
        }
    }

    /// The same, each of which begins with a prefix.
    pub fn with_prefix(self, prefix: String) -> Lines {
        Lines { prefix, ..self }
    }

    /// Whether a line is due.
    pub fn are_due(&self) -> bool {
        self.wanted && Instant::now() >= self.next
    }

    /// Writes a line if one is due.
    pub fn tell(&mut self, text: &str) {
        if self.are_due() {
            anstream::eprintln!("{}{text}", self.prefix);
            self.next = Instant::now() + BETWEEN_LINES;
        }
    }
}

/// How fast the steps of some work are done: at their mean rate since it began. What indicatif estimates follows the
/// last steps, and says weeks where a step takes minutes.
#[derive(Clone)]
pub struct Pace(Arc<Mutex<Beginning>>);

/// When work began, and how many steps were done then.
#[derive(Clone, Copy)]
struct Beginning {
    at: Instant,
    done: u64,
}

impl Beginning {
    /// The seconds left when so many of all steps are done after some time.
    fn left(self, elapsed: Duration, done: u64, all: u64) -> f64 {
        let rate = done.saturating_sub(self.done) as f64 / elapsed.as_secs_f64();
        all.saturating_sub(done) as f64 / rate
    }
}

impl Pace {
    /// Of work that begins now, of which so many steps are done.
    pub fn new(done: u64) -> Pace {
        let at = Instant::now();
        Pace(Arc::new(Mutex::new(Beginning { at, done })))
    }

    fn beginning(&self) -> MutexGuard<'_, Beginning> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Other work begins, of which so many steps are done.
    pub fn begin(&self, done: u64) {
        let at = Instant::now();
        *self.beginning() = Beginning { at, done };
    }

    /// The time left when so many of all steps are done, for people.
    pub fn left(&self, done: u64, all: u64) -> String {
        let beginning = *self.beginning();
        time(beginning.left(beginning.at.elapsed(), done, all))
    }

    /// A style in which `left` is the time left.
    pub fn shown_as_left(&self, style: ProgressStyle) -> ProgressStyle {
        let pace = self.clone();
        style.with_key("left", move |state: &ProgressState, to: &mut dyn Write| {
            let left = pace.left(state.pos(), state.len().unwrap_or(0));
            let _ = to.write_str(&left);
        })
    }
}

/// A time for people.
pub fn time(seconds: f64) -> String {
    match seconds {
        seconds if !seconds.is_finite() => "?".to_owned(),
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_steps_since_the_beginning() {
        let pace = Pace::new(0);
        assert_eq!(pace.left(0, 10), "?");
        pace.begin(500);
        assert_eq!(pace.left(500, 1000), "?");
        let left = |done, all| {
            let hour = Duration::from_hours(1);
            time(pace.beginning().left(hour, done, all))
        };
        assert_eq!(left(530, 560), "60 min");
        assert_eq!(left(560, 560), "0 s");
        assert_eq!(left(501, 521), "20.0 h");
    }
}
