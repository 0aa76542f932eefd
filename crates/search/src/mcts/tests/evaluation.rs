//! Searches in which an evaluation takes the place of playouts.

use super::common::TicTacToe;
use super::{Leaf, Limits, Mcts, Outcome, Params, Rng, TreePolicy};
use crate::mcts::{Probe, ProbeResult};
use game::Game;
use std::sync::{Arc, Mutex};

/// Expects half a point of every position, and notes which were evaluated and which probed, by their cells.
#[derive(Clone, Debug, Default)]
struct Halves(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    begun: Vec<Option<u64>>,
    probed: Vec<(String, bool)>,
    evaluated: Vec<String>,
}

impl TreePolicy<TicTacToe> for Halves {
    fn begin(&mut self, limits: &Limits) {
        let mut noted = self.0.lock().expect("no panic");
        noted.begun.push(limits.simulations);
    }

    fn playout(&mut self, _: &TicTacToe, _: &mut Rng) -> Outcome {
        unreachable!("no playouts")
    }

    fn has_evaluation(&self) -> bool {
        true
    }

    fn evaluate(&mut self, position: &TicTacToe, leaf: &mut Leaf<u8>) {
        assert_eq!(position.outcome(), None);
        let mut noted = self.0.lock().expect("one thread");
        noted.evaluated.push(format!("{position:?}"));
        leaf.judge(|_| 0.1);
        leaf.expect(0.5);
    }

    fn probe(&mut self, position: &TicTacToe, probe: &Probe) -> ProbeResult<u8> {
        let mut noted = self.0.lock().expect("one thread");
        noted
            .probed
            .push((format!("{position:?}"), probe.expects_win));
        ProbeResult::Nothing
    }
}

fn params() -> Params {
    Params {
        expand_after: 0,
        expectation: 60,
        puct: 1.0,
        puct_unit: 60,
        playouts: 3,
        ..Params::default()
    }
}

#[test]
fn what_is_certain_counts_as_much_as_what_is_expected() {
    let mut search = Mcts::with_policy(TicTacToe::default(), params(), 1, Halves::default());
    // Enough to find ends of the game, and not to solve it.
    let limits = Limits {
        simulations: Some(300),
        ..Limits::default()
    };
    let report = search.search(&limits, &mut |_| {});
    assert_eq!(report.proven, None);
    let visits: u64 = report.moves.iter().map(|mv| mv.visits).sum();
    // The first simulation evaluates the root.
    assert!(
        visits.is_multiple_of(60) && visits >= 60 * 299,
        "{visits} visits"
    );
}

#[test]
fn the_policy_of_each_thread_is_told_what_a_search_may_take() {
    let policy = Halves::default();
    let noted = Arc::clone(&policy.0);
    let params = Params {
        threads: 2,
        ..params()
    };
    let mut search = Mcts::with_policy(TicTacToe::default(), params, 1, policy);
    for simulations in [10, 20] {
        let limits = Limits {
            simulations: Some(simulations),
            ..Limits::default()
        };
        search.search(&limits, &mut |_| {});
    }
    let begun = &noted.lock().expect("no panic").begun;
    assert_eq!(**begun, [Some(10), Some(10), Some(20), Some(20)]);
}

#[test]
fn a_probe_that_is_due_at_once_comes_before_the_evaluation() {
    let policy = Halves::default();
    let noted = Arc::clone(&policy.0);
    let params = Params {
        probe_after: 60,
        ..params()
    };
    let mut search = Mcts::with_policy(TicTacToe::default(), params, 1, policy);
    let limits = Limits {
        simulations: Some(100),
        ..Limits::default()
    };
    search.search(&limits, &mut |_| {});
    let noted = noted.lock().expect("one thread");
    assert!(noted.evaluated.len() > 50);
    for position in &noted.evaluated {
        let mut probes = noted.probed.iter().filter(|(probed, _)| probed == position);
        // Of a position of which nothing is known it is asked whether it is won.
        assert_eq!(probes.next(), Some(&(position.clone(), true)));
    }
}
