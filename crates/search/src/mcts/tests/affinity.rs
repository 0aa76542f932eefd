//! Where a thread stays.

use super::*;
use crate::mcts::worker::Worker;
use game::random::seeded;

/// Whether a thread stays below a move with so many visits, if what is expected of a position counts as so many.
fn stays(expectation: u32, visits: u32) -> bool {
    let tree = tree(&[node(visits, 0, 0)]);
    let params = Params {
        expectation,
        ..Params::default()
    };
    let policy = UniformPlayout::new();
    let mut worker = Worker::new(&TicTacToe::default(), &params, policy, seeded(1));
    let assumed = NodeStatistics::of(BLACK, 1);
    for node in [ROOT, 1] {
        worker.path.push(Step {
            node,
            mover: Side::White,
            content_with: None,
            assumed,
        });
    }
    worker.settle(&mut BatchedUpdates::new(&tree), &params);
    tree.visits(1) > visits
}

#[test]
fn a_thread_stays_where_many_simulations_were_and_not_many_visits() {
    assert!(!stays(0, 127));
    assert!(stays(0, 128));
    assert!(!stays(60, 128));
    assert!(!stays(60, 128 * 60 - 1));
    assert!(stays(60, 128 * 60));
}
