use search::Report;
use serde::{Deserialize, Serialize};

/// What one search did, for experiments: what Shokry's thesis (2023) plots of a turn, and what its
/// program logs besides. What does not apply to a search is 0 or `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnStatistics {
    /// The legal moves.
    pub branching: usize,
    /// Positions visited below the root, or nodes added to the tree.
    pub nodes: u64,
    /// The place of the chosen move in the list of moves as it was generated, counted from 0.
    pub best_index: Option<usize>,
    /// Positions in which a move was good enough to leave out the others.
    pub cutoffs: u64,
    /// Legal moves left out because they begin outside the window.
    pub window_cutoffs: u64,
    /// The value of the chosen move in the units of the evaluation function.
    pub evaluation: Option<i32>,
    /// Simulations, those of earlier turns not counted.
    pub iterations: u64,
    /// The estimated win rate of the chosen move, between 0 and 1 (Monte Carlo).
    pub win_rate: Option<f64>,
    /// Visits that the root had from earlier turns (Monte Carlo).
    pub inherited_visits: u64,
}

impl TurnStatistics {
    /// The statistics in the report of a search.
    pub fn of<M>(report: &Report<M>) -> TurnStatistics {
        let is_monte_carlo = report.simulations + report.details.inherited > 0;
        let chosen = report.moves.first().filter(|_| is_monte_carlo);
        TurnStatistics {
            branching: report.moves.len(),
            nodes: report.nodes,
            best_index: report.details.best_index,
            cutoffs: report.details.cutoffs,
            window_cutoffs: report.details.left_out,
            evaluation: report.evaluation,
            iterations: report.simulations,
            win_rate: chosen.map(|chosen| chosen.value.0),
            inherited_visits: report.details.inherited,
        }
    }
}
