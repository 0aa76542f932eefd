//! Progress bars on a terminal, nothing elsewhere.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::LazyLock;
use std::time::Duration;

/// All bars, of which several can be in progress, a line each.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Writes to the terminal where the bars are, which are drawn again behind it.
pub fn above_bars<R>(write: impl FnOnce() -> R) -> R {
    BARS.suspend(write)
}

/// A bar for so many steps.
pub fn bar(steps: u64, what: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {what}, {{eta}} left");
    on_terminal(ProgressBar::new(steps), &template)
}

/// A bar for a file of so many bytes.
pub fn bytes(bytes: u64) -> ProgressBar {
    let template = "{wide_bar} {bytes} of {total_bytes}, {eta} left";
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
        Ok(style) => BARS.add(bar.with_style(style)),
        Err(_) => bar,
    }
}
