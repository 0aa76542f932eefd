//! Principal-variation search: its claims against the exhaustive truth.

use crate::common::{Nim, RandomTree, Shape, TicTacToe, after, legal, truth, truth_of_move};
use game::{Game, Relative, Score, Side};
use search::pvs::{Domain, Evaluation, Params, Solved};
use search::{Limits, Pvs, StopReason};

/// An evaluation that knows nothing, but is the same each time. Hashes are keys in such small games.
#[derive(Clone)]
struct Nonsense(i32);

impl<G: Game> Domain<G> for Nonsense {
    type State = G;
    type Move = G::Move;
    type Key = u64;

    fn state(&self, position: &G) -> G {
        position.clone()
    }

    fn game_move(&self, mv: G::Move) -> G::Move {
        mv
    }

    fn to_move(&self, position: &G) -> Side {
        position.to_move()
    }

    fn key(&self, position: &G) -> u64 {
        position.hash()
    }

    fn hash(key: &u64) -> u64 {
        *key
    }

    fn for_each_move(&self, position: &G, mut visit: impl FnMut(G::Move, G)) {
        for mv in legal(position) {
            visit(mv, after(position, mv));
        }
    }

    fn evaluate(&mut self, position: &G) -> Evaluation {
        match position.outcome() {
            Some(outcome) => Evaluation::Over(outcome.seen_by(position.to_move())),
            None => Evaluation::Open((position.recomputed_hash() >> 20) as i32 % self.0),
        }
    }

    fn slots(&self) -> usize {
        7
    }

    fn slot(&self, mv: G::Move) -> usize {
        format!("{mv:?}").len() % 7
    }

    fn plies_left(&self, _position: &G) -> u32 {
        6
    }
}

fn params(number: u64) -> Params {
    Params {
        memory: [0, 1 << 10, 1 << 20][number as usize % 3],
        threads: 1 + number as usize % 3 / 2,
        aspiration: [1, 30, 100_000][number as usize / 3 % 3],
        reductions: number.is_multiple_of(2),
        finish: number % 4 < 2,
        every_move: number.is_multiple_of(5),
        ..Params::default()
    }
}

fn search<G: Game>(position: &G, params: Params, limits: &Limits) -> search::Report<G::Move> {
    Pvs::new(position.clone(), Nonsense(1000), params).search(limits, &mut |_| {})
}

/// Whatever it claims is true, however early it is stopped, and its move is legal.
fn check_claims<G: Game>(position: &G, report: &search::Report<G::Move>) {
    let best = report.best.expect("a move");
    assert!(legal(position).contains(&best));
    assert_eq!(report.principal_variation.first(), Some(&best));
    if let Some(claim) = report.proven {
        assert_eq!(claim, truth(position), "{position:?}");
        if claim == Relative::Win {
            assert_eq!(truth_of_move(position, best), Relative::Win, "{report:?}");
        }
    }
    for stats in &report.moves {
        if let Some(claim) = stats.proven {
            assert_eq!(
                claim,
                truth_of_move(position, stats.mv),
                "{position:?} {report:?}"
            );
        }
    }
    let mut line = position.clone();
    for &mv in &report.principal_variation {
        line.play(mv);
    }
}

#[test]
fn claims_are_true_and_wins_and_losses_are_found() {
    let to_the_end = Limits {
        depth: Some(60),
        ..Limits::default()
    };
    for number in 0..600 {
        let position = RandomTree::new(Shape::small(number), number);
        if position.outcome().is_some() {
            continue;
        }
        let truth = truth(&position);
        let report = search(&position, params(number), &to_the_end);
        check_claims(&position, &report);
        if truth != Relative::Draw && !has_draw(&position) {
            assert_eq!(report.proven, Some(truth), "tree {number}");
            assert_eq!(report.stop, StopReason::Proven);
        }
        for nodes in [1, 5, 20, 100] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            check_claims(&position, &search(&position, params(number), &limits));
        }
    }
}

fn has_draw<G: Game>(position: &G) -> bool {
    match position.outcome() {
        Some(outcome) => outcome.winner().is_none(),
        None => legal(position)
            .into_iter()
            .any(|mv| has_draw(&after(position, mv))),
    }
}

#[test]
fn nim_is_solved() {
    for number in 1..216_u64 {
        let heaps = [number % 6, number / 6 % 6, number / 36];
        let position = Nim::new(heaps.map(|heap| heap as u8));
        let report = search(&position, params(number), &Limits::default());
        assert_eq!(report.proven, Some(position.theory()), "{heaps:?}");
        check_claims(&position, &report);
    }
}

#[test]
fn every_move_can_have_a_value_of_its_own() {
    // Exact to a depth, without what comes from elsewhere.
    let exact = Params {
        memory: 0,
        reductions: false,
        finish: false,
        every_move: true,
        ..Params::default()
    };
    let to_depth = |depth| Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    for number in 0..40 {
        let position = RandomTree::new(Shape::HUGE, number);
        let report = search(&position, exact.clone(), &to_depth(4));
        assert_eq!(report.variations.len(), report.moves.len());
        let values: Vec<f64> = report.moves.iter().map(|stats| stats.value.0).collect();
        assert!(values.is_sorted_by(|one, other| one >= other), "{values:?}");
        for (stats, line) in report.moves.iter().zip(&report.variations) {
            assert_eq!(line.first(), Some(&stats.mv));
            let below = after(&position, stats.mv);
            // Where there is no choice, the search goes deeper.
            if below.outcome().is_some() || legal(&below).len() == 1 {
                continue;
            }
            let below_it = search(&below, exact.clone(), &to_depth(3));
            assert_eq!(line[1..], below_it.principal_variation);
            let Score(value) = below_it.value;
            let is_movers = below.to_move() == position.to_move();
            let expected = if is_movers { value } else { 1.0 - value };
            assert!((stats.value.0 - expected).abs() < 1e-9, "{stats:?}");
        }
    }
}

#[test]
fn a_draw_is_a_value_and_no_proof() {
    let limits = Limits {
        depth: Some(12),
        ..Limits::default()
    };
    let report = search(&TicTacToe::after(&[]), Params::default(), &limits);
    assert_eq!((report.proven, report.evaluation), (None, Some(0)));
}

#[test]
fn one_thread_does_the_same_each_time_and_keeps_what_it_knows() {
    let position = Nim::new([5, 5, 4]);
    let limits = Limits {
        nodes: Some(300),
        ..Limits::default()
    };
    let run = || search(&position, Params::default(), &limits).signature;
    assert_eq!(run(), run());
    let mut pvs = Pvs::new(position.clone(), Nonsense(1000), Params::default());
    let first = pvs.search(&Limits::default(), &mut |_| {});
    let again = pvs.search(&Limits::default(), &mut |_| {});
    assert_eq!(first.proven, again.proven);
    assert!(again.nodes < first.nodes / 2);
}

/// A domain with a search of its own, which knows the truth.
#[derive(Clone)]
struct Oracle;

impl Domain<Nim> for Oracle {
    type State = Nim;
    type Move = (u8, u8);
    type Key = u64;

    fn state(&self, position: &Nim) -> Nim {
        position.clone()
    }

    fn game_move(&self, mv: (u8, u8)) -> (u8, u8) {
        mv
    }

    fn to_move(&self, position: &Nim) -> Side {
        position.to_move()
    }

    fn key(&self, position: &Nim) -> u64 {
        position.hash()
    }

    fn hash(key: &u64) -> u64 {
        *key
    }

    fn for_each_move(&self, position: &Nim, mut visit: impl FnMut((u8, u8), Nim)) {
        for mv in legal(position) {
            visit(mv, after(position, mv));
        }
    }

    fn evaluate(&mut self, position: &Nim) -> Evaluation {
        match position.outcome() {
            Some(outcome) => Evaluation::Over(outcome.seen_by(position.to_move())),
            None => Evaluation::Open(0),
        }
    }

    fn slots(&self) -> usize {
        1
    }

    fn slot(&self, _mv: (u8, u8)) -> usize {
        0
    }

    fn plies_left(&self, _position: &Nim) -> u32 {
        20
    }

    fn solve(&mut self, position: &Nim, _limits: &Limits) -> Option<Solved<(u8, u8)>> {
        let wins = |mv: &(u8, u8)| after(position, *mv).theory() == Relative::Loss;
        Some(Solved {
            proven: Some(position.theory()),
            best: legal(position).into_iter().find(wins),
            nodes: 7,
        })
    }
}

#[test]
fn what_the_games_own_search_proves_is_taken_over() {
    for heaps in [[9, 8, 7], [9, 8, 1], [15, 9, 6]] {
        let position = Nim::new(heaps);
        let limits = Limits {
            nodes: Some(2_000),
            ..Limits::default()
        };
        let mut pvs = Pvs::new(position.clone(), Oracle, Params::default());
        let report = pvs.search(&limits, &mut |_| {});
        assert_eq!(report.proven, Some(position.theory()), "{heaps:?}");
        let best = report.best.expect("a move");
        if position.theory() == Relative::Win {
            assert_eq!(after(&position, best).theory(), Relative::Loss, "{heaps:?}");
            assert!(report.nodes < 1_000, "it ends at once");
        }
    }
}

#[test]
fn an_ended_game_and_a_raised_flag_end_at_once() {
    let report = search(&Nim::new([0, 0, 0]), Params::default(), &Limits::default());
    assert_eq!((report.best, report.nodes), (None, 0));
    let limits = Limits::default();
    limits.stop.raise();
    let report = search(&Nim::new([9, 8, 7]), Params::default(), &limits);
    assert_eq!(report.stop, StopReason::Stopped);
    assert!(report.best.is_some());
}
