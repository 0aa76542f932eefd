//! Progress bars on a terminal, nothing elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

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
    let spinner = on_terminal(ProgressBar::new_spinner(), "{spinner} {elapsed} {wide_msg}");
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
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
