//! What solvers answer, for people and as JSON.

use crate::certify::Certificate;
use crate::{FAILED, NOT_SOLVED, signals};
use game::Outcome;
use search::StopReason;
use serde::{Serialize, Serializer};
use std::process::ExitCode;
use std::time::Duration;

/// What is said of a position.
#[derive(Serialize)]
pub struct Solved {
    /// The moves to the position, as they were given.
    pub moves: String,
    /// `white`, `black`, `draw` or `unknown`.
    #[serde(serialize_with = "as_name")]
    pub outcome: Option<Outcome>,
    /// A move that keeps the value.
    pub best: Option<String>,
    /// Nodes expanded.
    pub nodes: u64,
    /// The time of the search, without that of writing a certificate.
    pub seconds: f64,
    /// The name of the solver.
    pub solver: &'static str,
    /// Why it ended: `proven`, or what ended it before.
    #[serde(serialize_with = "as_text")]
    pub stop: StopReason,
    /// The certificate that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// What else was asked for and could not be done, such as writing a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Solved {
    /// Whether the value is known.
    pub fn is_solved(&self) -> bool {
        self.outcome.is_some()
    }

    /// Whether a signal ended the search, and so all that was to come.
    pub fn is_stopped(&self) -> bool {
        self.stop == StopReason::Stopped
    }

    /// For people.
    pub fn in_words(&self) -> String {
        let value = self
            .outcome
            .map_or_else(|| format!("not solved ({})", self.stop), in_words);
        let best = self
            .best
            .as_ref()
            .map_or(String::new(), |best| format!(", best move {best}"));
        format!(
            "{value}{best} ({} nodes in {:.3} s, {})\n",
            self.nodes, self.seconds, self.solver
        )
    }

    /// The first line of a table of positions.
    pub fn heading() -> String {
        "solver        value    best       nodes     seconds  moves\n".to_owned()
    }

    /// A line of it.
    pub fn row(&self) -> String {
        format!(
            "{:12}  {:7}  {:6} {:>11}  {:>9.4}  {}\n",
            self.solver,
            named(self.outcome),
            self.best.as_deref().unwrap_or("-"),
            self.nodes,
            self.seconds,
            self.moves
        )
    }
}

/// The exit code for what was to be solved, of which something was left out if a signal came.
pub fn exit_code<'a>(all: impl IntoIterator<Item = &'a Solved>, is_complete: bool) -> ExitCode {
    let (mut is_solved, mut is_done) = (is_complete, true);
    for solved in all {
        is_solved &= solved.is_solved();
        is_done &= solved.problem.is_none();
    }
    match signals::exit_code() {
        _ if is_solved && is_done => ExitCode::SUCCESS,
        Some(code) => ExitCode::from(code),
        None if !is_done => ExitCode::from(FAILED),
        None => ExitCode::from(NOT_SOLVED),
    }
}

/// An outcome for people: "white wins", "a draw".
pub fn in_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Draw => "a draw".to_owned(),
        Outcome::Win(winner) => format!("{winner} wins"),
    }
}

/// Writes an outcome as in JSON.
#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes references"
)]
pub fn as_name<S: Serializer>(outcome: &Option<Outcome>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&named(*outcome))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn as_text<S: Serializer>(stop: &StopReason, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(stop)
}

/// An outcome as in JSON.
pub fn named(outcome: Option<Outcome>) -> String {
    outcome.map_or_else(|| "unknown".to_owned(), |outcome| outcome.to_string())
}

/// How many positions were solved, and how long they took, those that were not solved included.
#[derive(Serialize)]
pub struct Summary {
    positions: usize,
    solved: usize,
    /// From the first to the last, several at once or not.
    seconds: f64,
    mean_seconds: f64,
    median_seconds: f64,
    most_seconds: f64,
    nodes: u64,
}

impl Summary {
    /// Of all positions of a table, which took so long together.
    pub fn of(all: &[Solved], elapsed: Duration) -> Summary {
        let solved = all.iter().filter(|solved| solved.is_solved());
        let mut seconds: Vec<f64> = all.iter().map(|solved| solved.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        let middle = [seconds.len().saturating_sub(1) / 2, seconds.len() / 2];
        let middle = middle.map(|place| seconds.get(place).copied().unwrap_or(0.0));
        Summary {
            positions: all.len(),
            solved: solved.count(),
            seconds: elapsed.as_secs_f64(),
            mean_seconds: seconds.iter().sum::<f64>() / all.len().max(1) as f64,
            median_seconds: f64::midpoint(middle[0], middle[1]),
            most_seconds: seconds.last().copied().unwrap_or(0.0),
            nodes: all.iter().map(|solved| solved.nodes).sum(),
        }
    }

    /// For people.
    pub fn in_words(&self) -> String {
        if self.positions == 0 {
            return "no positions\n".to_owned();
        }
        format!(
            "\n{} of {} solved in {:.3} s; each: mean {:.4}, median {:.4}, most {:.4} s; {} nodes\n",
            self.solved,
            self.positions,
            self.seconds,
            self.mean_seconds,
            self.median_seconds,
            self.most_seconds,
            self.nodes
        )
    }
}
