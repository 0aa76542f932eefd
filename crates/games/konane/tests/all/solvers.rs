//! The solvers of the Castro thesis on Kōnane against exhaustive search.

use game::random::{self, Rng};
use game::{Game, Outcome, Side};
use konane::{CastroSolver, Move, NaiveBoard, Opening, PositionOn, Shape, SmallBitBoard, Start};
use search::Limits;
use search::Lookahead;
use search::castro::{Draws, Initial, Method, Params};
use std::collections::HashMap;

/// The value of a position by looking at everything, under the rules of the naive board.
#[derive(Default)]
struct Exhaustive {
    known: HashMap<u64, Vec<(PositionOn<NaiveBoard>, Outcome)>>,
}

impl Exhaustive {
    fn value(&mut self, position: &PositionOn<NaiveBoard>) -> Outcome {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let known = self.known.get(&position.hash()).into_iter().flatten();
        for (other, outcome) in known {
            if other == position {
                return *outcome;
            }
        }
        let mover = position.to_move();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let wins = |mv: &Move| {
            let mut after = position.clone();
            after.play(*mv);
            self.value(&after) == Outcome::Win(mover)
        };
        let outcome = if moves.iter().any(wins) {
            Outcome::Win(mover)
        } else {
            Outcome::Win(!mover)
        };
        let same = self.known.entry(position.hash()).or_default();
        same.push((position.clone(), outcome));
        outcome
    }
}

fn start(rows: usize, cols: usize, opening: Opening) -> PositionOn<NaiveBoard> {
    let shape = Shape::new(rows, cols).expect("a shape");
    PositionOn::new(&Start { shape, opening }).expect("a board")
}

/// Every solver with every value of every parameter, a few at a time.
fn ways() -> Vec<(Method, Params, u32)> {
    let base = Params {
        memory: 1 << 20,
        ..Params::default()
    };
    let mut ways = Vec::new();
    for method in [Method::AlphaBeta, Method::Pns, Method::PnsTable] {
        for lookahead in [Lookahead::None, Lookahead::OnePly, Lookahead::TwoPlies] {
            let params = Params {
                lookahead,
                ..base.clone()
            };
            ways.push((method, params, 3));
        }
        let other = Params {
            depth_first: false,
            draws: Draws::TwoSearches,
            initial: Initial::Distance,
            depth_bound: 2,
            table: false,
            copy_proofs: 20,
            threads: 2,
            ..base.clone()
        };
        ways.push((method, other, 0));
        let little = Params {
            memory: 1,
            initial: Initial::One,
            copy_proofs: 3,
            ..base.clone()
        };
        ways.push((method, little, 100));
    }
    ways
}

fn check(
    way: &(Method, Params, u32),
    exhaustive: &mut Exhaustive,
    position: &PositionOn<NaiveBoard>,
) {
    let (method, params, symmetric_plies) = way;
    let mut solver = CastroSolver::new(*method, params, *symmetric_plies);
    let report = solver.solve(position, &Limits::default(), &mut |_| {});
    let expected = exhaustive.value(position);
    assert_eq!(report.outcome, Some(expected), "{way:?} {position:?}");
    if position.outcome().is_none() {
        let mut after = position.clone();
        after.play(report.best.expect("a move"));
        assert_eq!(exhaustive.value(&after), expected, "{way:?} {position:?}");
    }
}

/// A position some random moves into a game.
fn random_position(rng: &mut Rng) -> PositionOn<NaiveBoard> {
    let sides = [(4, 5), (5, 4), (4, 4), (3, 5), (2, 5), (1, 9), (3, 3)];
    let (rows, cols) = sides[random::below(sides.len() as u32, rng) as usize];
    let opening = if random::below(2, rng) == 0 {
        Opening::Traditional
    } else {
        Opening::AnyStone
    };
    let mut position = start(rows, cols, opening);
    let plies = if rows * cols > 15 { 2 } else { 0 } + random::below(6, rng);
    for _ in 0..plies {
        match position.random_move(rng) {
            Some(mv) => position.play(mv),
            None => break,
        }
    }
    position
}

#[test]
fn random_positions() {
    let mut rng = random::seeded(12);
    let mut exhaustive = Exhaustive::default();
    let ways = ways();
    let mut next = ways.iter().cycle();
    let mut white = 0;
    for _ in 0..600 {
        let position = random_position(&mut rng);
        white += usize::from(exhaustive.value(&position) == Outcome::Win(Side::White));
        for way in next.by_ref().take(2) {
            check(way, &mut exhaustive, &position);
        }
    }
    assert!((100..500).contains(&white), "{white}");
}

/// On 4×4 White wins from the corner and from the centre, on 5×5 Black does.
#[test]
fn known_boards() {
    for (side, winner) in [(4, Side::White), (5, Side::Black)] {
        for setup in ["corner", "centre"] {
            let opening = Opening::Removed(setup.parse().expect("a setup"));
            let shape = Shape::new(side, side).expect("a shape");
            let start = Start { shape, opening };
            let position = PositionOn::<SmallBitBoard>::new(&start).expect("a board");
            for method in [Method::AlphaBeta, Method::Pns, Method::PnsTable] {
                let params = Params {
                    memory: 1 << 26,
                    ..Params::default()
                };
                let mut solver = CastroSolver::new(method, &params, 3);
                let report = solver.solve(&position, &Limits::default(), &mut |_| {});
                assert_eq!(
                    report.outcome,
                    Some(Outcome::Win(winner)),
                    "{method:?} {setup}"
                );
            }
        }
    }
}
