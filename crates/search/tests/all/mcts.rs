//! Monte Carlo tree search as its callers see it: claims against the exhaustive truth, limits,
//! determinism, the tree kept between moves.

use crate::common::{self, Nim, RandomTree, Shape, TicTacToe, legal, truth, truth_of_move};
use game::random::{self, Rng};
use game::{Game, Outcome, Relative, Score};
use search::mcts::{FinalMove, Params, WhenFull};
use search::{Every, Limits, Mcts, MoveStats, Playout, Report, StopReason, UniformPlayout};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn simulations(number: u64) -> Limits {
    Limits {
        simulations: Some(number),
        ..Limits::default()
    }
}

fn run<G: Game>(position: &G, limits: &Limits, seed: u64) -> Report<G::Move> {
    Mcts::new(position.clone(), Params::default(), seed).search(limits, &mut |_| {})
}

/// A report without what differs from run to run.
fn timeless<M>(mut report: Report<M>) -> Report<M> {
    report.progress.elapsed = Duration::ZERO;
    report
}

/// Claims at the root, at every moment of a search, of random games with random parameters.
#[test]
fn what_is_proven_is_true_at_every_moment() {
    let mut claims = [0; 3];
    for number in 0..3_000 {
        let position = RandomTree::new(Shape::small(number), number ^ 0x5555);
        let exact = truth(&position);
        let of_moves: Vec<(u8, Relative)> = legal(&position)
            .into_iter()
            .map(|mv| (mv, truth_of_move(&position, mv)))
            .collect();
        let mut check = |proven: Option<Relative>, value: Score, moves: &[MoveStats<u8>]| {
            assert_eq!(moves.len(), of_moves.len());
            if let Some(proven) = proven {
                assert_eq!(proven, exact, "{position:?}");
                assert_eq!(value, exact.score());
                claims[proven as usize] += 1;
            }
            for stats in moves {
                if let Some(proven) = stats.proven {
                    assert!(of_moves.contains(&(stats.mv, proven)), "{position:?}");
                    assert_eq!(stats.value, proven.score());
                }
            }
        };
        let params = Params {
            exploration: [0.1, 0.9, 2.0][number as usize % 3],
            expand_after: number as u32 % 3,
            ..Params::default()
        };
        let limits = Limits {
            progress: Every::Work(1 + number % 5),
            ..simulations(20_000)
        };
        let mut search = Mcts::new(position.clone(), params, number);
        let report = search.search(&limits, &mut |progress| {
            check(progress.proven, progress.value, &progress.moves);
        });
        check(report.proven, report.value, &report.moves);
        // Games as small as these are always solved in the end.
        assert_eq!(report.stop, StopReason::Proven, "{position:?}");
        assert_eq!(report.proven, Some(exact));
        let best = report.best.expect("a move");
        assert!(of_moves.contains(&(best, exact)), "{best} in {position:?}");
    }
    assert!(claims.iter().all(|&count| count > 100), "{claims:?}");
}

#[test]
fn nim_is_solved_as_the_theory_says() {
    for heaps in [[1, 2, 3], [1, 2, 4], [3, 3, 0], [3, 4, 5], [1, 4, 5]] {
        let position = Nim::new(heaps);
        let report = run(&position, &simulations(200_000), 1);
        assert_eq!(report.stop, StopReason::Proven, "{heaps:?}");
        assert_eq!(report.proven, Some(position.theory()), "{heaps:?}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let report = run(&TicTacToe::default(), &simulations(200_000), 1);
    assert_eq!(report.stop, StopReason::Proven);
    assert_eq!(report.proven, Some(Relative::Draw));
    assert!(report.principal_variation.len() > 1);
}

/// Few simulations: too few for proofs of the root where it is not won at once.
#[test]
fn the_best_move_of_tic_tac_toe_is_found() {
    // After a corner only the centre holds the draw.
    let position = TicTacToe::after(&[0]);
    let good: Vec<u8> = legal(&position)
        .into_iter()
        .filter(|&mv| truth_of_move(&position, mv) == Relative::Draw)
        .collect();
    assert_eq!(good, [4]);
    for final_move in [FinalMove::Visits, FinalMove::Wins, FinalMove::LowerBound] {
        for seed in 0..20 {
            let params = Params {
                final_move,
                ..Params::default()
            };
            let report =
                Mcts::new(position.clone(), params, seed).search(&simulations(1_000), &mut |_| {});
            assert_eq!(report.best, Some(4), "{final_move:?}, seed {seed}");
        }
    }
}

/// A tree that never grows beyond the first moves is a bandit over uniform playouts: its means near
/// those that looking at every game gives.
#[test]
fn values_near_those_of_uniform_play() {
    let position = TicTacToe::after(&[0]);
    let params = Params {
        expand_after: u32::MAX,
        ..Params::default()
    };
    let mut search = Mcts::new(position.clone(), params, 3);
    let report = search.search(&simulations(50_000), &mut |_| {});
    assert_eq!(report.stop, StopReason::Simulations);
    for stats in report.moves.iter().filter(|stats| stats.visits > 1_000) {
        let expected = mean_of_uniform_play(&common::after(&position, stats.mv));
        // Five standard deviations of at most ½ a game.
        let tolerance = 2.5 / (stats.visits as f64).sqrt();
        assert!(
            (stats.value.0 - (1.0 - expected)).abs() < tolerance,
            "{stats:?}"
        );
    }
}

/// The exact mean result of uniformly random play, for the side to move.
fn mean_of_uniform_play(position: &TicTacToe) -> f64 {
    if let Some(outcome) = position.outcome() {
        return outcome.seen_by(position.to_move()).score().0;
    }
    let moves = legal(position);
    let sum: f64 = moves
        .iter()
        .map(|&mv| 1.0 - mean_of_uniform_play(&common::after(position, mv)))
        .sum();
    sum / moves.len() as f64
}

#[test]
fn a_seed_and_a_number_of_simulations_name_a_report() {
    let position = RandomTree::new(Shape::HUGE, 2);
    let report = timeless(run(&position, &simulations(5_000), 7));
    assert_eq!(timeless(run(&position, &simulations(5_000), 7)), report);
    // Looking at the progress changes nothing.
    let watched = Limits {
        progress: Every::Work(100),
        ..simulations(5_000)
    };
    let mut seen = timeless(run(&position, &watched, 7));
    assert_eq!(seen.variations[0], report.principal_variation);
    seen.progress.variations.clear();
    assert_eq!(seen, report);
    let mut signatures: Vec<u64> = (0..10)
        .map(|seed| run(&position, &simulations(5_000), seed).signature)
        .collect();
    signatures.sort_unstable();
    signatures.dedup();
    assert_eq!(signatures.len(), 10);
}

/// The same on every machine: a change of these numbers is a change of what is searched.
#[test]
fn the_signature_is_known() {
    let report = run(&TicTacToe::default(), &simulations(1_000), 1);
    let found = (report.nodes, report.playouts, report.signature);
    assert_eq!(found, (1_790, 971, 16_191_094_411_800_579_608));
}

#[test]
fn the_counters_fit() {
    let position = RandomTree::new(Shape::HUGE, 9);
    let mut told = Vec::new();
    let limits = Limits {
        progress: Every::Work(250),
        ..simulations(1_000)
    };
    let mut search = Mcts::new(position.clone(), Params::default(), 1);
    let report = search.search(&limits, &mut |progress| told.push(progress.simulations));
    assert_eq!(told, [250, 500, 750]);
    assert_eq!((report.simulations, report.playouts), (1_000, 1_000));
    assert_eq!(report.nodes as usize + 1, search.tree_nodes());
    assert_eq!(report.stop, StopReason::Simulations);
    let visits: u64 = report.moves.iter().map(|stats| stats.visits).sum();
    assert_eq!(visits, 1_000);
    let most = report.moves.iter().max_by_key(|stats| stats.visits);
    assert_eq!(report.best, most.map(|stats| stats.mv));
    assert_eq!(report.principal_variation.first(), report.best.as_ref());
    assert!(report.depth as usize >= report.principal_variation.len());
    let mut line = position;
    for &mv in &report.principal_variation {
        line.play(mv);
    }
}

#[test]
fn no_simulation_still_gives_a_legal_move() {
    let report = run(&TicTacToe::default(), &simulations(0), 1);
    assert_eq!(report.stop, StopReason::Simulations);
    assert_eq!((report.simulations, report.value), (0, Score::DRAW));
    assert!(report.best.is_some_and(|mv| mv < 9));
    let flagged = Limits::default();
    flagged.stop.raise();
    let report = run(&TicTacToe::default(), &flagged, 1);
    assert_eq!((report.stop, report.simulations), (StopReason::Stopped, 0));
    assert!(report.best.is_some());
}

#[test]
fn a_game_that_is_over_has_a_result_and_no_move() {
    for (position, result) in [
        (TicTacToe::after(&[0, 3, 1, 4, 2]), Relative::Loss),
        (
            TicTacToe::after(&[0, 1, 2, 4, 3, 5, 7, 6, 8]),
            Relative::Draw,
        ),
    ] {
        let report = run(&position, &Limits::default(), 1);
        assert_eq!((report.best, report.proven), (None, Some(result)));
        assert_eq!(
            (report.value, report.stop),
            (result.score(), StopReason::Proven)
        );
        assert!(report.moves.is_empty() && report.principal_variation.is_empty());
    }
}

#[test]
fn the_tree_is_kept_between_moves() {
    let position = RandomTree::new(Shape::HUGE, 11);
    let mut search = Mcts::new(position.clone(), Params::default(), 1);
    let report = search.search(&simulations(2_000), &mut |_| {});
    let best = report.moves[0];
    let nodes = search.tree_nodes();
    search.advance(best.mv).expect("a legal move");
    assert_eq!(*search.position(), common::after(&position, best.mv));
    assert!(search.tree_nodes() > 1 && search.tree_nodes() < nodes);
    let next = search.search(&simulations(0), &mut |_| {});
    let visits: u64 = next.moves.iter().map(|stats| stats.visits).sum();
    // The first visit to a node is its own playout.
    assert_eq!(visits, best.visits - 1);

    // Nothing is known of a position set anew, nor below a move that the tree has not.
    search.set_position(position.clone());
    assert_eq!(search.tree_nodes(), 1);
    search.advance(best.mv).expect("a legal move");
    assert_eq!(search.tree_nodes(), 1);
    assert!(search.advance(200).is_err());
    assert_eq!(*search.position(), common::after(&position, best.mv));
}

#[test]
fn a_move_that_the_tree_left_out_is_searched_anew() {
    let position = TicTacToe::after(&[0, 3, 1, 4]);
    for &mv in &[5, 6, 7, 8] {
        let mut search = Mcts::new(position.clone(), Params::default(), 1);
        // Won in one: the tree has this move alone.
        let report = search.search(&simulations(10), &mut |_| {});
        assert_eq!((report.best, search.tree_nodes()), (Some(2), 2));
        search.advance(mv).expect("a legal move");
        let report = search.search(&Limits::default(), &mut |_| {});
        assert_eq!(report.proven, Some(truth(search.position())), "{mv}");
    }
}

#[test]
fn a_solved_game_is_played_out_of_the_tree() {
    let mut search = Mcts::new(Nim::new([3, 4, 5]), Params::default(), 1);
    let first = search.search(&Limits::default(), &mut |_| {});
    assert_eq!(first.proven, Some(Relative::Win));
    let mut rng = random::seeded(1);
    search.advance(first.best.expect("a move")).expect("legal");
    while let Some(reply) = search.position().random_move(&mut rng) {
        search.advance(reply).expect("legal");
        let report = search.search(&simulations(0), &mut |_| {});
        assert_eq!(report.proven, Some(Relative::Win));
        assert_eq!((report.stop, report.nodes), (StopReason::Proven, 0));
        let best = report.best.expect("a move");
        assert_eq!(report.principal_variation.first(), Some(&best));
        search.advance(best).expect("legal");
    }
    assert!(search.position().outcome().is_some());
}

#[test]
fn the_principal_variation_of_a_solved_game_reaches_its_end() {
    let position = Nim::new([3, 4, 5]);
    let report = run(&position, &Limits::default(), 5);
    let mut end = position.clone();
    for &mv in &report.principal_variation {
        end.play(mv);
    }
    let result = end
        .outcome()
        .map(|outcome| outcome.seen_by(position.to_move()));
    assert_eq!(result, report.proven);
}

/// What a tree takes at least: 8,192 nodes.
const LEAST: usize = 8192 * 24;

#[test]
fn the_memory_limit_is_kept() {
    let position = RandomTree::new(Shape::HUGE, 13);
    for memory in [0, LEAST, 2 * LEAST + 5, 5 * LEAST - 1] {
        // A node takes 24 bytes, and a bit when the tree is collected.
        let room = (memory * 8 / (24 * 8 + 1)).max(LEAST / 24);
        let mut params = Params {
            memory,
            when_full: WhenFull::Stop,
            ..Params::default()
        };
        let mut search = Mcts::new(position.clone(), params.clone(), 1);
        let report = search.search(&simulations(100_000), &mut |_| {});
        assert_eq!(report.stop, StopReason::MemoryLimit);
        assert!(search.tree_bytes() <= room * 24);
        assert!(report.best.is_some());
        // Full but for less than a node's children.
        let nodes = search.tree_nodes();
        assert!(nodes <= room && nodes + 6 > room, "{nodes}");

        params.when_full = WhenFull::KeepSearching;
        search.set_params(params.clone());
        let report = search.search(&simulations(20_000), &mut |_| {});
        assert_eq!(report.stop, StopReason::Simulations);
        assert_eq!(report.simulations, 20_000);
        assert!(search.tree_nodes() < nodes + 6);
        assert!(search.tree_bytes() <= room * 24);

        params.when_full = WhenFull::Collect;
        search.set_params(params);
        let report = search.search(&simulations(40_000), &mut |_| {});
        assert_eq!(report.simulations, 40_000);
        assert!(report.nodes as usize > nodes / 2, "{}", report.nodes);
        assert!(search.statistics().collections > 0);
        assert!(search.tree_bytes() <= room * 24);
    }
}

/// What is collected is what was visited least: the moves are judged as without.
#[test]
fn collections_leave_the_values_alone() {
    let position = RandomTree::new(Shape::HUGE, 21);
    let params = Params {
        memory: LEAST,
        ..Params::default()
    };
    let mut small = Mcts::new(position.clone(), params, 1);
    let mut large = Mcts::new(position, Params::default(), 1);
    let small_report = small.search(&simulations(50_000), &mut |_| {});
    let large_report = large.search(&simulations(50_000), &mut |_| {});
    assert!(small.statistics().collections > 3);
    let best = large_report
        .moves
        .iter()
        .find(|stats| Some(stats.mv) == small_report.best);
    let best = best.expect("a legal move").value.0;
    assert!(best > large_report.moves[0].value.0 - 0.03, "{best}");
    assert!((small_report.value.0 - large_report.value.0).abs() < 0.03);
    let visits: u64 = small_report.moves.iter().map(|stats| stats.visits).sum();
    assert_eq!(visits, 50_000);
}

/// A game that does not fit the tree by far, in a tree that keeps its size.
#[test]
fn a_solved_game_is_played_with_what_collections_leave() {
    let mut solved_again = 0;
    for keep_proofs in [true, false] {
        let params = Params {
            memory: LEAST,
            keep_proofs,
            ..Params::default()
        };
        let mut search = Mcts::new(Nim::new([3, 4, 5]), params, 1);
        let mut rng = random::seeded(1);
        while search.position().outcome().is_none() {
            let report = search.search(&simulations(1_000_000), &mut |_| {});
            assert_eq!(report.proven, Some(search.position().theory()));
            solved_again += u32::from(!keep_proofs && report.simulations > 0);
            let to_move = report.proven == Some(Relative::Win);
            let random = search.position().random_move(&mut rng);
            let mv = report.best.filter(|_| to_move).or(random).expect("a move");
            search.advance(mv).expect("legal");
        }
        assert!(search.statistics().collections > 0);
    }
    assert!(solved_again > 1);
}

/// Two threads: nothing is lost, nothing is left of what was assumed, and what is proven is true.
#[test]
fn threads_share_a_tree() {
    let threads = |threads| Params {
        threads,
        ..Params::default()
    };
    let mut search = Mcts::new(RandomTree::new(Shape::HUGE, 23), threads(3), 1);
    for round in 1..=5 {
        let report = search.search(&simulations(2_000), &mut |_| {});
        assert_eq!((report.simulations, report.playouts), (2_000, 2_000));
        assert_eq!(report.details.inherited, (round - 1) * 2_000);
        let visits: u64 = report.moves.iter().map(|stats| stats.visits).sum();
        assert_eq!(visits, round * 2_000);
    }
    assert_eq!(search.statistics().simulations, 10_000);
    for seed in 0..30 {
        let position = Nim::new([3, 4, 5]);
        let mut search = Mcts::new(position.clone(), threads(2), seed);
        let report = search.search(&Limits::default(), &mut |_| {});
        assert_eq!(report.stop, StopReason::Proven);
        assert_eq!(report.proven, Some(position.theory()));
    }
    // The first thread goes on alone as if there had never been another.
    let mut search = Mcts::new(RandomTree::new(Shape::HUGE, 25), threads(2), 1);
    search.set_params(threads(1));
    let alone = run(&RandomTree::new(Shape::HUGE, 25), &simulations(1_000), 1);
    let report = search.search(&simulations(1_000), &mut |_| {});
    assert_eq!(timeless(report), timeless(alone));
}

#[test]
fn limits_stop_all_threads() {
    let params = Params {
        threads: 2,
        ..Params::default()
    };
    let mut search = Mcts::new(RandomTree::new(Shape::HUGE, 27), params, 1);
    let nodes = Limits {
        nodes: Some(1_000),
        ..Limits::default()
    };
    let report = search.search(&nodes, &mut |_| {});
    assert_eq!(report.stop, StopReason::Nodes);
    assert!((1_000..1_020).contains(&report.nodes), "{}", report.nodes);
    let time = Limits {
        time: Some(Duration::from_millis(5)),
        ..Limits::default()
    };
    assert_eq!(search.search(&time, &mut |_| {}).stop, StopReason::Time);
}

#[test]
fn the_node_limit_is_kept() {
    let position = RandomTree::new(Shape::HUGE, 15);
    let limits = Limits {
        nodes: Some(1_000),
        ..Limits::default()
    };
    let mut search = Mcts::new(position, Params::default(), 1);
    for _ in 0..3 {
        let report = search.search(&limits, &mut |_| {});
        assert_eq!(report.stop, StopReason::Nodes);
        assert!((1_000..1_006).contains(&report.nodes), "{}", report.nodes);
    }
}

#[test]
fn time_and_the_flag_stop_it() {
    /// Slower than the clock is read.
    #[derive(Clone)]
    struct Slow(UniformPlayout<RandomTree>);
    impl Playout<RandomTree> for Slow {
        fn run(&mut self, position: &RandomTree, rng: &mut Rng) -> Outcome {
            thread::sleep(Duration::from_millis(2));
            self.0.run(position, rng)
        }
    }
    let position = RandomTree::new(Shape::HUGE, 17);
    let limits = Limits {
        time: Some(Duration::from_millis(20)),
        progress: Every::Time(Duration::from_millis(5)),
        ..Limits::default()
    };
    let report = run(&position, &limits, 1);
    assert_eq!(report.stop, StopReason::Time);
    let playout = Slow(UniformPlayout::new());
    let mut slow = Mcts::with_playout(position.clone(), Params::default(), 1, playout);
    let report = slow.search(&limits, &mut |_| {});
    assert_eq!(report.stop, StopReason::Time);
    assert!(report.simulations <= 11);

    // Another thread raises the flag as soon as the search has begun.
    let limits = Limits {
        progress: Every::Work(10),
        ..Limits::default()
    };
    let flag = limits.stop.clone();
    let (begun, begins) = mpsc::channel();
    let report = thread::scope(|scope| {
        scope.spawn(move || {
            begins.recv().expect("the search begins");
            flag.raise();
        });
        let mut search = Mcts::new(position.clone(), Params::default(), 1);
        search.search(&limits, &mut |_| begun.send(()).unwrap_or(()))
    });
    assert_eq!(report.stop, StopReason::Stopped);
    assert!(report.simulations >= 10);
}
