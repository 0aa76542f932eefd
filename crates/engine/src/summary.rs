//! What a search did, for a person and as JSON.

use crate::Engine;
use game::{Game, Notation};
use search::{Report, mcts};
use serde::Serialize;

/// The last search of an engine, and what its searches did in this game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// What is true of Monte Carlo searches only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monte_carlo: Option<MonteCarlo>,
    /// The line of play that the last search expects.
    pub principal_variation: Vec<String>,
    /// Every move of the last search, the best first.
    pub moves: Vec<MoveSummary>,
}

/// What Monte Carlo searches did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MonteCarlo {
    /// Simulations.
    pub simulations: u64,
    /// The share of each phase in the time of a simulation; together 1.
    pub phases: Phases,
    /// The mean number of plies that a simulation went down the tree.
    pub mean_depth: f64,
    /// The longest way down the tree, in plies.
    pub max_depth: u32,
    /// How often parts of the tree were dropped because it was full.
    pub collections: u64,
    /// How playouts ended, if the player counts that.
    pub ends: Vec<End>,
}

/// Shares of the time of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Phases {
    /// Down the tree.
    pub descent: f64,
    /// Children for a leaf.
    pub expansion: f64,
    /// The playouts.
    pub playout: f64,
    /// The results up the tree.
    pub back_propagation: f64,
}

/// Playouts that ended in one way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct End {
    /// The way.
    pub end: &'static str,
    /// How many.
    pub count: u64,
}

/// A move in a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveSummary {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Simulations, or nodes.
    pub visits: u64,
    /// The expected score of the side that makes the move.
    pub value: f64,
    /// See [`MoveStats::lower_bound`](search::MoveStats::lower_bound).
    pub lower_bound: f64,
    /// `win`, `draw` or `loss`, where it is proven.
    pub proven: Option<String>,
}

impl Summary {
    /// Of a search that started from a position.
    pub fn new<G: Game + Notation>(
        engine: &dyn Engine<G>,
        report: &Report<G::Move>,
        position: &G,
        dialect: G::Dialect,
    ) -> Summary {
        let write = |mv| position.write_move(mv, dialect);
        let line = &report.principal_variation;
        Summary {
            monte_carlo: engine.statistics().map(MonteCarlo::from),
            principal_variation: line.iter().copied().map(write).collect(),
            moves: report
                .moves
                .iter()
                .map(|stats| MoveSummary {
                    mv: write(stats.mv),
                    visits: stats.visits,
                    value: stats.value.0,
                    lower_bound: stats.lower_bound().0,
                    proven: stats.proven.map(|proven| proven.to_string()),
                })
                .collect(),
        }
    }

    /// A table without its moves.
    pub fn for_people(&self) -> String {
        let mut text = String::new();
        if let Some(of) = &self.monte_carlo {
            text += &of.for_people();
        }
        text + &format!("expects     {}\n", self.principal_variation.join(" "))
    }
}

impl MonteCarlo {
    fn for_people(&self) -> String {
        let percent = |share: f64| 100.0 * share;
        let Phases {
            descent,
            expansion,
            playout,
            back_propagation,
        } = self.phases;
        let mut text = format!(
            "phases      descent {:.1} %, expansion {:.1} %, playout {:.1} %, back-propagation {:.1} %\n\
             depth       {:.2} plies in the mean, {} at most\n",
            percent(descent),
            percent(expansion),
            percent(playout),
            percent(back_propagation),
            self.mean_depth,
            self.max_depth,
        );
        let total: u64 = self.ends.iter().map(|end| end.count).sum();
        if total > 0 {
            let share = |end: &End| {
                let share = percent(end.count as f64 / total as f64);
                format!("{} {share:.1} %", end.end)
            };
            let ends: Vec<String> = self.ends.iter().map(share).collect();
            text += &format!("ends        {}\n", ends.join(", "));
        }
        if self.collections > 0 {
            text += &format!("collections {}\n", self.collections);
        }
        text
    }
}

impl From<mcts::Statistics> for MonteCarlo {
    fn from(statistics: mcts::Statistics) -> MonteCarlo {
        let [descent, expansion, playout, back_propagation] = statistics.phases;
        MonteCarlo {
            simulations: statistics.simulations,
            phases: Phases {
                descent,
                expansion,
                playout,
                back_propagation,
            },
            mean_depth: statistics.mean_depth,
            max_depth: statistics.max_depth,
            collections: statistics.collections,
            ends: statistics
                .ends
                .into_iter()
                .map(|(end, count)| End { end, count })
                .collect(),
        }
    }
}
