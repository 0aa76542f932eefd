//! The parts of the search that a game's policy makes possible, on tic-tac-toe: RAVE, knowledge, and the
//! look at the opponent's threats.

use crate::common::{self, TicTacToe, legal, truth, truth_of_move};
use game::random::{self, Rng};
use game::{Game, Outcome, Relative, Side};
use search::mcts::{Expansion, Leaf, Lookahead, Params, Phase, Probe, ProbeResult};
use search::{Every, Limits, Mcts, MoveStats, Report, StopReason, TreePolicy};
use std::time::Duration;

/// What the side to move is expected to score wherever it has several moves.
const EXPECTED: f32 = 0.9;

/// Knows what a mark would complete, by making it.
#[derive(Clone, Default)]
struct Threats {
    filled: Vec<(Side, usize)>,
    forced: u32,
    lost: u32,
    evaluated: u32,
    /// Probes that found something.
    probed: u32,
    /// Of the last probe.
    limits: Limits,
}

/// The cells in which a mark of this side would win.
fn wins(position: &TicTacToe, side: Side) -> Vec<u8> {
    let winning = |&mv: &u8| position.completes(mv, side);
    legal(position).into_iter().filter(winning).collect()
}

impl TreePolicy<TicTacToe> for Threats {
    fn playout(&mut self, position: &TicTacToe, rng: &mut Rng) -> Outcome {
        let mut game = position.clone();
        self.filled.clear();
        while let Some(mv) = game.random_move(rng) {
            self.filled.push((game.to_move(), mv.into()));
            game.play(mv);
        }
        game.outcome().expect("a game played to its end")
    }

    fn expand(
        &mut self,
        position: &mut TicTacToe,
        expansion: Expansion,
        leaf: &mut Leaf<u8>,
        rng: &mut Rng,
    ) {
        leaf.look(position, expansion.lookahead, rng);
        let mover = position.to_move();
        if expansion.lookahead == Lookahead::TwoPlies && wins(position, mover).is_empty() {
            let threats = wins(position, !mover);
            match threats[..] {
                [] => {}
                [answer] => {
                    self.forced += 1;
                    leaf.only_answer(answer, common::after(position, answer).outcome());
                }
                _ => {
                    self.lost += 1;
                    leaf.no_answer(&threats, mover);
                }
            }
        }
        leaf.judge(|mv| if mv == 4 { 0.1 } else { 0.0 });
    }

    fn has_evaluation(&self) -> bool {
        true
    }

    fn evaluate(&mut self, position: &TicTacToe, leaf: &mut Leaf<u8>) {
        let mut moves = leaf.moves().to_vec();
        moves.sort_unstable();
        assert_eq!(moves, legal(position), "all moves, once each");
        self.evaluated += 1;
        leaf.judge(|mv| if mv == 0 { -0.1 } else { 0.0 });
        // Not true, as expectations can be.
        leaf.expect(EXPECTED);
    }

    /// Sees the truth with an effort of three, and which moves are not lost with an effort of two, in the
    /// second half of the game.
    fn probe(&mut self, position: &TicTacToe, probe: &Probe) -> ProbeResult<u8> {
        if position.ply() < 4 {
            return ProbeResult::Nothing;
        }
        let mut good = legal(position);
        good.retain(|&mv| truth_of_move(position, mv) != Relative::Loss);
        let value = truth(position);
        self.limits = probe.limits.clone();
        let effort = probe.limits.nodes.unwrap_or(u64::MAX);
        self.probed += u32::from(effort > 1);
        match effort {
            0 | 1 => ProbeResult::Nothing,
            2 if good.is_empty() => ProbeResult::Nothing,
            2 => ProbeResult::Only(good),
            _ if probe.wants_move && value == Relative::Win => {
                good.retain(|&mv| truth_of_move(position, mv) == Relative::Win);
                ProbeResult::WinningMove(good[0])
            }
            _ => ProbeResult::Value(value.for_side(position.to_move())),
        }
    }

    fn cells(&self, _position: &TicTacToe) -> usize {
        9
    }

    fn cell_of(&self, _position: &TicTacToe, mv: u8) -> Option<usize> {
        Some(mv.into())
    }

    fn empty_cells(&self, position: &TicTacToe) -> usize {
        9 - position.ply()
    }

    fn played(&self, mut visit: impl FnMut(Side, usize)) {
        self.filled
            .iter()
            .for_each(|&(side, cell)| visit(side, cell));
    }
}

fn params(number: u64) -> Params {
    Params {
        exploration: [0.0, 0.3, 0.9][number as usize % 3],
        rave: [0.0, 20.0, 500.0][number as usize / 3 % 3],
        rave_per_empty: [0.0, 1.0][number as usize / 9 % 2],
        first_play: [f64::INFINITY, 0.8][number as usize / 18 % 2],
        lookahead: [Lookahead::TwoPlies, Lookahead::OnePly, Lookahead::None]
            [number as usize / 2 % 3],
        playouts: 1 + number as u32 / 5 % 3,
        expand_after: number as u32 / 7 % 3,
        evaluate_after: [0, 5, 20][number as usize / 16 % 3],
        expectation: [0, 6][number as usize / 8 % 2],
        history: [0.0, 0.5][number as usize / 3 % 2],
        probe_after: [0, 1, 4][number as usize / 4 % 3],
        probe_effort: [0.5, 2.0][number as usize / 12 % 2],
        ..Params::default()
    }
}

/// Every claim at every moment of searches with all parts, from positions of random games on, through
/// the games with the tree kept.
#[test]
fn what_is_proven_is_true_with_every_part() {
    let mut claims = [0; 3];
    let (mut forced, mut lost, mut evaluated, mut probed) = (0, 0, 0, 0);
    let mut rng = random::seeded(1);
    for number in 0..600 {
        let mut position = TicTacToe::default();
        for _ in 0..3 + random::below(3, &mut rng) {
            if let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
            }
        }
        let mut search =
            Mcts::with_policy(position.clone(), params(number), number, Threats::default());
        while search.position().outcome().is_none() {
            let position = search.position().clone();
            let exact = truth(&position);
            let mut check = |proven: Option<Relative>, moves: &[MoveStats<u8>]| {
                if let Some(proven) = proven {
                    assert_eq!(proven, exact, "{position:?}");
                    claims[proven as usize] += 1;
                }
                for stats in moves {
                    if let Some(proven) = stats.proven {
                        assert_eq!(proven, truth_of_move(&position, stats.mv), "{position:?}");
                    }
                }
            };
            let limits = Limits {
                simulations: Some(number % 300),
                progress: Every::Work(1 + number % 7),
                ..Limits::default()
            };
            let report = search.search(&limits, &mut |progress| {
                check(progress.proven, &progress.moves);
            });
            check(report.proven, &report.moves);
            if let Some(proven) = report.proven {
                let best = report.best.expect("a move");
                assert_eq!(
                    truth_of_move(&position, best),
                    proven,
                    "{best} {position:?}"
                );
            }
            // Not always the best: the tree must hold in every position that it is kept for.
            let mv = if number % 2 == 0 {
                report.best
            } else {
                position.random_move(&mut rng)
            };
            search.advance(mv.expect("a move")).expect("legal");
        }
        forced += search.policy().forced;
        lost += search.policy().lost;
        evaluated += search.policy().evaluated;
        probed += search.policy().probed;
    }
    assert!(claims.iter().all(|&count| count > 100), "{claims:?}");
    assert!(forced > 500 && lost > 100, "{forced} {lost}");
    assert!(probed > 1_000 && evaluated > 1_000, "{probed} {evaluated}");
}

#[test]
fn tic_tac_toe_is_a_draw_with_every_part() {
    for number in 0..36 {
        let search = Mcts::with_policy(
            TicTacToe::default(),
            params(number),
            number,
            Threats::default(),
        );
        let mut search = search;
        let limits = Limits {
            simulations: Some(200_000),
            ..Limits::default()
        };
        let report = search.search(&limits, &mut |_| {});
        assert_eq!(report.proven, Some(Relative::Draw), "{number}");
    }
}

/// White's marks on three corners and Black's in the centre: whatever Black does, White wins with the
/// next mark.
#[test]
fn of_lost_moves_one_that_meets_a_threat_is_played() {
    let position = TicTacToe::after(&[0, 4, 8, 1, 6]);
    assert_eq!(wins(&position, Side::White), [3, 7]);
    // Black wins with 7 itself here; without that line it is lost.
    assert_eq!(wins(&position, Side::Black), [7]);
    let position = TicTacToe::after(&[0, 1, 6, 3, 8]);
    assert_eq!(wins(&position, Side::White), [4, 7]);
    assert!(wins(&position, Side::Black).is_empty());
    let params = Params {
        lookahead: Lookahead::TwoPlies,
        ..Params::default()
    };
    let mut search = Mcts::with_policy(position, params, 1, Threats::default());
    let report = search.search(&Limits::default(), &mut |_| {});
    assert_eq!(report.stop, StopReason::Proven);
    assert_eq!(report.proven, Some(Relative::Loss));
    assert_eq!(report.simulations, 0);
    assert!([4, 7].contains(&report.best.expect("a move")));
    let lost = |stats: &MoveStats<u8>| stats.proven == Some(Relative::Loss);
    assert!(report.moves.len() == 4 && report.moves.iter().all(lost));
    // Whatever is played, the win is there in the tree or found anew.
    for mv in [2, 4, 5, 7] {
        let mut search = Mcts::with_policy(
            search.position().clone(),
            search.params().clone(),
            1,
            Threats::default(),
        );
        search.search(&Limits::default(), &mut |_| {});
        search.advance(mv).expect("legal");
        let report = search.search(&Limits::default(), &mut |_| {});
        assert_eq!(report.proven, Some(Relative::Win));
        let best = report.best.expect("a move");
        assert!(search.position().completes(best, Side::White), "{best}");
    }
}

/// A search from the empty board.
fn nine_simulations(params: Params) -> Report<u8> {
    let limits = Limits {
        simulations: Some(9),
        ..Limits::default()
    };
    let mut search = Mcts::with_policy(TicTacToe::default(), params, 3, Threats::default());
    search.search(&limits, &mut |_| {})
}

/// A simulation that evaluates the node ends there, without a playout, but not at the root.
#[test]
fn what_is_expected_counts_as_so_many_playouts() {
    let params = Params {
        expand_after: 0,
        expectation: 10,
        ..Params::default()
    };
    let report = nine_simulations(params);
    assert_eq!((report.simulations, report.playouts), (9, 0));
    for stats in report.progress.moves {
        assert_eq!(stats.visits, 10);
        assert!((stats.value.0 - f64::from(1.0 - EXPECTED)).abs() < 1e-6);
    }
}

/// A simulation without a tree below the root's children counts for RAVE all moves that the same side
/// made, each once.
#[test]
fn several_playouts_count_as_so_many_visits() {
    let params = Params {
        playouts: 5,
        rave: 100.0,
        ..Params::default()
    };
    let report = nine_simulations(params);
    assert_eq!((report.simulations, report.playouts), (9, 45));
    let visits: u64 = report.moves.iter().map(|stats| stats.visits).sum();
    assert_eq!(visits, 45);
}

#[test]
fn the_statistics_fit() {
    let mut search = Mcts::with_policy(TicTacToe::default(), params(2), 1, Threats::default());
    assert_eq!(search.statistics().simulations, 0);
    let limits = Limits {
        simulations: Some(100),
        ..Limits::default()
    };
    let report = search.search(&limits, &mut |_| {});
    let statistics = search.statistics();
    assert_eq!(statistics.simulations, 100);
    assert_eq!(statistics.max_depth, report.depth);
    assert!(statistics.mean_depth > 1.0 && statistics.mean_depth < f64::from(report.depth));
    let total: f64 = statistics.phases.iter().sum();
    assert!((total - 1.0).abs() < 1e-9, "{statistics:?}");
    assert!(statistics.phases[Phase::Playout as usize] > 0.0);
}

/// The tree is dropped where it would not do for the new parameters.
#[test]
fn other_parts_need_another_tree() {
    let limits = Limits {
        simulations: Some(50),
        ..Limits::default()
    };
    let plain = Params::default();
    let mut search = Mcts::with_policy(TicTacToe::default(), plain.clone(), 1, Threats::default());
    search.search(&limits, &mut |_| {});
    let nodes = search.tree_nodes();
    let wider = Params {
        exploration: 2.0,
        ..plain.clone()
    };
    search.set_params(wider.clone());
    assert_eq!(search.tree_nodes(), nodes);
    for other in [
        Params {
            rave: 10.0,
            ..wider.clone()
        },
        Params {
            lookahead: Lookahead::TwoPlies,
            ..wider.clone()
        },
    ] {
        search.set_params(other);
        assert_eq!(search.tree_nodes(), 1);
        search.search(&limits, &mut |_| {});
        assert!(search.tree_nodes() > 1);
    }
    let forgetful = Params {
        keep_tree: false,
        ..search.params().clone()
    };
    search.set_params(forgetful);
    let best = search.search(&limits, &mut |_| {}).best.expect("a move");
    search.advance(best).expect("legal");
    assert_eq!(search.tree_nodes(), 1);
}

/// A probe ends when the search has to: it gets what is left of the time, and the search's flag.
#[test]
fn a_probe_knows_the_limits_of_the_search() {
    let hour = Duration::from_hours(1);
    for time in [None, Some(hour)] {
        let params = Params {
            probe_after: 4,
            probe_effort: 0.5,
            ..Params::default()
        };
        let mut search = Mcts::with_policy(TicTacToe::default(), params, 1, Threats::default());
        for mv in [4, 1, 0, 8] {
            search.advance(mv).expect("legal");
        }
        let limits = Limits {
            time,
            simulations: Some(20),
            ..Limits::default()
        };
        search.search(&limits, &mut |_| {});
        let policy = search.policy();
        assert!(policy.probed > 0);
        assert_eq!(policy.limits.time.is_some(), time.is_some());
        assert!(policy.limits.time.is_none_or(|left| left < hour));
        assert!(policy.limits.nodes.is_some_and(|nodes| nodes > 0));
        limits.stop.raise();
        assert!(policy.limits.stop.is_raised());
    }
}
