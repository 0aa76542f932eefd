//! The solver against exhaustive search by the rules, on positions from the middle and the end of games.
//! Whole boards would hide mistakes: few of their positions decide them.

use engine::Prover;
use game::random::{self, Rng};
use game::{Game, Outcome, Side};
use konane::solver::{Params, RegionalParams, RegionalSolver, Solver};
use konane::{Move, NaiveBoard, Opening, PositionOn, Setup, Shape, SmallBitBoard, Start};
use search::proof::{CheckpointError, ProofNumbers, Spent};
use search::{Every, Limits, StopReason};
use std::collections::HashMap;

/// Whether the side to move wins: if some move leads to a position where the other does not.
fn wins(position: &mut PositionOn<NaiveBoard>, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&value) = known.get(&position.hash()) {
        return value;
    }
    let mut moves: Vec<Move> = Vec::new();
    position.legal_moves(&mut moves);
    let value = moves
        .into_iter()
        .any(|mv| position.explore(mv, |child| !wins(child, known)));
    known.insert(position.hash(), value);
    value
}

fn start(shape: Shape, opening: Opening) -> PositionOn<NaiveBoard> {
    PositionOn::new(&Start { shape, opening }).expect("a start")
}

/// A position some random plies into a game that began with any pair.
fn random_position(shape: Shape, plies: u32, rng: &mut Rng) -> PositionOn<NaiveBoard> {
    let mut position = start(shape, Opening::AnyStone);
    for _ in 0..2 + plies {
        let Some(mv) = position.random_move(rng) else {
            break;
        };
        position.play(mv);
    }
    position
}

/// Compares values, and that the best move keeps them.
fn agree(rows: usize, cols: usize, least_plies: u32, positions: u32) {
    let shape = Shape::new(rows, cols).expect("a shape");
    let mut rng = random::seeded((100 * rows + cols) as u64);
    let params = Params {
        memory: 1 << 20,
        ..Params::default()
    };
    let mut solver = Solver::new(shape, &params).expect("a small board");
    let regional = RegionalParams {
        // Now and then none is small enough, and everything is searched.
        largest: [0, 8, 14][(rows + cols) % 3],
        values: [1 << 8, 1 << 20][rows % 2],
        ..RegionalParams::default()
    };
    let mut regional = RegionalSolver::new(shape, &regional).expect("a small board");
    let mut known = HashMap::new();
    let (mut won, mut open) = (0, 0);
    for _ in 0..positions {
        let plies = least_plies + random::below(8, &mut rng);
        let mut position = random_position(shape, plies, &mut rng);
        let expected = wins(&mut position, &mut known);
        let report = solver.solve(&position, &Limits::default(), &mut |_| {});
        let side = position.to_move();
        let winner = if expected { side } else { !side };
        assert_eq!(report.outcome, Some(Outcome::Win(winner)), "{position:?}");
        assert_eq!(report.stop, StopReason::Proven);
        let second = regional.solve(&position, &Limits::default(), &mut |_| {});
        assert_eq!(second.outcome, report.outcome, "by regions: {position:?}");
        if let Some(best) = second.best {
            let kept = position.explore(best, |after| wins(after, &mut known));
            assert_eq!(kept, !expected, "by regions: {position:?}");
        }
        assert_eq!(report.best.is_none(), position.outcome().is_some());
        assert_eq!(
            solver.winning(&position, &Limits::default()).is_some(),
            expected
        );
        if let Some(best) = report.best {
            position.play(best);
            assert_eq!(wins(&mut position, &mut known), !expected);
            open += 1;
        }
        won += u32::from(expected);
    }
    assert!(won > positions / 10 && won < positions * 9 / 10, "{won}");
    assert!(open > positions / 4, "{open}");
}

#[test]
fn random_positions_of_narrow_boards() {
    for (rows, cols, plies) in [(2, 9, 0), (9, 2, 0), (3, 6, 0), (6, 3, 1), (3, 7, 2)] {
        agree(rows, cols, plies, 4_000);
    }
}

#[test]
fn random_positions_of_wide_boards() {
    for (rows, cols, plies) in [
        (4, 4, 0),
        (4, 5, 2),
        (5, 4, 2),
        (5, 5, 5),
        (4, 6, 5),
        (6, 5, 9),
    ] {
        agree(rows, cols, plies, 4_000);
    }
}

#[test]
fn the_opening_is_searched_too() {
    for (rows, cols) in [(1, 1), (1, 6), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4)] {
        for opening in [Opening::Traditional, Opening::AnyStone] {
            let shape = Shape::new(rows, cols).expect("a shape");
            let mut position = start(shape, opening);
            let expected = wins(&mut position, &mut HashMap::new());
            let mut solver = Solver::new(shape, &Params::default()).expect("a small board");
            let report = solver.solve(&position, &Limits::default(), &mut |_| {});
            let side = position.to_move();
            let winner = if expected { side } else { !side };
            assert_eq!(report.winner(), Some(winner), "{shape} {opening:?}");
        }
    }
}

#[test]
fn the_largest_board_it_takes() {
    let shape = Shape::new(8, 8).expect("a shape");
    let mut rng = random::seeded(1);
    let mut solver = Solver::new(shape, &Params::default()).expect("64 cells");
    for _ in 0..20 {
        let mut position = random_position(shape, 36, &mut rng);
        let expected = wins(&mut position, &mut HashMap::new());
        let report = solver.solve(&position, &Limits::default(), &mut |_| {});
        let side = position.to_move();
        assert_eq!(report.winner(), Some(if expected { side } else { !side }));
    }
    let larger = Shape::new(5, 13).expect("a shape");
    let refusal = Solver::new(larger, &Params::default()).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the solver takes boards of at most 64 cells, and a 5×13 board has 65"
    );
}

#[test]
fn limits_end_a_search_without_a_claim() {
    let shape = Shape::new(6, 6).expect("a shape");
    let position = start(shape, Opening::Traditional);
    let mut solver = Solver::new(shape, &Params::default()).expect("a small board");
    let limits = Limits {
        nodes: Some(100),
        ..Limits::default()
    };
    let report = solver.solve(&position, &limits, &mut |_| {});
    assert_eq!(report.outcome, None);
    assert_eq!(report.best, None);
    assert_eq!(report.stop, StopReason::Nodes);
    assert_eq!(solver.winning(&position, &limits), None);
}

/// A solver that was stopped and begun again many times knows what it knew, and all searches together take no
/// more than a twentieth more nodes than one that was never stopped.
#[test]
fn stops_cost_next_to_nothing() {
    let [mut straight, mut in_parts, mut stops] = [0; 3];
    for (rows, cols, setup) in [
        (5, 6, Setup::Centre),
        (6, 5, Setup::Corner),
        (6, 6, Setup::Corner),
        (6, 6, Setup::Centre),
    ] {
        let shape = Shape::new(rows, cols).unwrap();
        let opening = Opening::Removed(setup);
        let position = PositionOn::<SmallBitBoard>::new(&Start { shape, opening }).unwrap();
        let solver = || Solver::new(shape, &Params::default()).unwrap();
        let saved = |solver: &Solver| {
            let mut bytes = Vec::new();
            solver.save(Spent::default(), &mut bytes).unwrap();
            bytes
        };
        let whole = solver().solve(&position, &Limits::default(), &mut |_| {});
        straight += whole.nodes;
        let mut bytes = saved(&solver());
        loop {
            let mut solver = solver();
            solver.load(&mut bytes.as_slice()).unwrap();
            assert_eq!(saved(&solver).len(), bytes.len(), "something was forgotten");
            let limits = Limits {
                nodes: Some(whole.nodes / 10),
                ..Limits::default()
            };
            let report = solver.solve(&position, &limits, &mut |_| {});
            in_parts += report.nodes;
            if report.outcome.is_some() {
                assert_eq!(report.outcome, whole.outcome);
                break;
            }
            stops += 1;
            assert!(stops < 200, "it gets no further");
            bytes = saved(&solver);
        }
        let params = Params {
            memory: 1 << 12,
            ..Params::default()
        };
        let mut small = Solver::new(shape, &params).unwrap();
        let refused = small.load(&mut bytes.as_slice()).unwrap_err();
        assert!(
            matches!(refused, CheckpointError::NoRoom { .. }),
            "{refused}"
        );
    }
    assert!(stops > 20, "{stops} stops");
    let most = straight + straight / 20;
    assert!(in_parts <= most, "{in_parts} nodes for {straight}");
}

/// A region is not valued to its end when the search has been told to stop.
#[test]
fn values_of_regions_are_not_looked_for_beyond_the_limits() {
    let shape = Shape::new(4, 4).expect("a shape");
    let position = random_position(shape, 2, &mut random::seeded(1));
    let params = RegionalParams {
        largest: 16,
        ..RegionalParams::default()
    };
    let known = |limits: &Limits| {
        let mut solver = RegionalSolver::new(shape, &params).expect("a small board");
        let report = solver.solve(&position, limits, &mut |_| {});
        (report.stop, solver.valuer_mut().known().count())
    };
    let (stop, values) = known(&Limits::default());
    assert_eq!(stop, StopReason::Proven);
    assert!(values > 20, "{values} values test nothing");
    let stopped = Limits::default();
    stopped.stop.raise();
    assert_eq!(known(&stopped), (StopReason::Stopped, 0));
    let late = Limits {
        time: Some(std::time::Duration::ZERO),
        ..Limits::default()
    };
    assert_eq!(known(&late), (StopReason::Time, 0));
}

/// Threads that share a table, roomy or with hardly any room, say what one thread says.
#[test]
fn threads_find_what_one_finds() {
    let shape = Shape::new(6, 6).expect("a shape");
    let mut rng = random::seeded(5);
    let mut alone = Solver::new(shape, &Params::default()).expect("a small board");
    for threads in 2..5 {
        for memory in [1 << 16, 1 << 22] {
            let params = Params { memory, threads };
            let mut together = Solver::new(shape, &params).expect("a small board");
            for _ in 0..20 {
                let plies = 4 + random::below(6, &mut rng);
                let mut position = random_position(shape, plies, &mut rng);
                let expected = alone.solve(&position, &Limits::default(), &mut |_| {});
                let report = together.solve(&position, &Limits::default(), &mut |_| {});
                assert_eq!(report.outcome, expected.outcome, "{position:?}");
                if let Some(best) = report.best {
                    position.play(best);
                    let after = alone.solve(&position, &Limits::default(), &mut |_| {});
                    assert_eq!(after.outcome, expected.outcome, "{position:?}");
                }
            }
        }
    }
}

/// What a solver notes is enough for another one that has searched nothing, of the same shape.
#[test]
fn another_solver_knows_what_was_noted() {
    let shape = Shape::new(5, 6).expect("a board");
    let position = PositionOn::new(&Start {
        shape,
        opening: Opening::Removed(Setup::Corner),
    })
    .expect("a start");
    let solver = |shape, threads| {
        let memory = 1 << 20;
        Solver::new(shape, &Params { memory, threads }).expect("a solver")
    };
    let attacker = Side::White;
    let search = |solver: &mut Solver| {
        solver.take_root(&position);
        solver.search(&position, attacker, ProofNumbers::NEVER, &Limits::default())
    };
    for threads in [1, 2] {
        let mut first = solver(shape, threads);
        assert!(first.note(Some(1)));
        let (answer, nodes) = search(&mut first);
        assert!(answer.is_solved() && nodes > 100);
        let noted = first.noted().expect("it has noted something");
        assert_eq!(first.noted(), None, "once");
        let mut second = solver(shape, threads);
        second.take_noted(&noted).expect("of the same board");
        assert_eq!(search(&mut second), (answer, 0));
        let mut other = solver(Shape::new(6, 5).expect("a board"), threads);
        let refused = other.take_noted(&noted);
        assert!(matches!(refused, Err(CheckpointError::Other(..))));
        first.note(None);
        search(&mut first);
        assert_eq!(first.noted(), None, "none is noted any more");
    }
}

#[test]
fn threads_join_a_search() {
    let shape = Shape::new(6, 6).expect("a shape");
    let opening = Opening::Removed(Setup::Centre);
    let position = PositionOn::<SmallBitBoard>::new(&Start { shape, opening }).expect("a start");
    let mut solver = Solver::new(shape, &Params::default()).expect("a small board");
    let crew = solver.crew().expect("a crew");
    let limits = Limits {
        progress: Every::Work(1_000),
        ..Limits::default()
    };
    let report = solver.solve(&position, &limits, &mut |_| {
        if crew.count() < 3 {
            crew.add();
        }
    });
    assert_eq!(crew.count(), 3);
    assert_eq!(report.outcome, Some(Outcome::Win(Side::White)));
}
