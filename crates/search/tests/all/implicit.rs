//! Monte Carlo tree search with implicit minimax backups: its claims against the exhaustive truth.

use crate::common::{Nim, TicTacToe, legal, truth, truth_of_move};
use game::{Game, Relative};
use search::implicit::{ImplicitMcts, Params};
use search::{Limits, Report, StopReason};

fn search<G: Game>(position: &G, params: Params, limits: &Limits) -> Report<G::Move> {
    let nonsense = |position: &G| (position.recomputed_hash() >> 20) as i32 % 1000;
    ImplicitMcts::new(position.clone(), nonsense, params, 1).search(limits, &mut |_| {})
}

fn params(number: u64) -> Params {
    Params {
        weight: [0.0, 0.3, 1.0][number as usize % 3],
        playout: (number % 4) as u32,
        ..Params::default()
    }
}

fn check_claims<G: Game>(position: &G, report: &Report<G::Move>) {
    let best = report.best.expect("a move");
    assert!(legal(position).contains(&best));
    assert_eq!(report.moves.len(), legal(position).len());
    if let Some(claim) = report.proven {
        assert_eq!(claim, truth(position), "{position:?}");
        if claim == Relative::Win {
            assert_eq!(truth_of_move(position, best), Relative::Win, "{report:?}");
        }
    }
    for stats in &report.moves {
        if let Some(claim) = stats.proven {
            assert_eq!(claim, truth_of_move(position, stats.mv), "{report:?}");
        }
    }
}

#[test]
fn nim_is_solved() {
    for number in 1..125_u64 {
        let heaps = [number % 5, number / 5 % 5, number / 25];
        let position = Nim::new(heaps.map(|heap| heap as u8));
        let report = search(&position, params(number), &Limits::default());
        assert_eq!(report.proven, Some(position.theory()), "{heaps:?}");
        check_claims(&position, &report);
    }
}

#[test]
fn claims_are_true_however_early_it_ends() {
    for (number, moves) in [&[][..], &[4], &[0, 1], &[0, 4, 8], &[0, 1, 3, 4]]
        .into_iter()
        .enumerate()
    {
        let position = TicTacToe::after(moves);
        for simulations in [0, 1, 10, 100, 1000] {
            let limits = Limits {
                simulations: Some(simulations),
                ..Limits::default()
            };
            let report = search(&position, params(number as u64), &limits);
            check_claims(&position, &report);
            let again = search(&position, params(number as u64), &limits);
            assert_eq!(again.signature, report.signature);
        }
    }
}

#[test]
fn limits_and_flags_end_it() {
    let stopped = Limits::default();
    stopped.stop.raise();
    let nodes = Limits {
        nodes: Some(50),
        ..Limits::default()
    };
    let position = TicTacToe::after(&[]);
    for (limits, reason) in [(stopped, StopReason::Stopped), (nodes, StopReason::Nodes)] {
        let report = search(&position, Params::default(), &limits);
        assert_eq!(report.stop, reason);
        assert!(report.best.is_some());
    }
    let report = search(&Nim::new([0, 0, 0]), Params::default(), &Limits::default());
    assert_eq!((report.best, report.stop), (None, StopReason::Proven));
}
