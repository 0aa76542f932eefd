//! Looks of limited effort against exhaustive search.

use super::exhaustive::{Exhaustive, drawish_position, random_position, shape};
use crate::Position;
use crate::solver::{Look, Params, Solver};
use game::random;
use game::{Game, Outcome, Side};
use search::Limits;
use std::time::Duration;

#[test]
fn what_a_look_says_is_true() {
    let mut rng = random::seeded(8);
    let mut exhaustive = Exhaustive::default();
    let mut counts = [0; 3];
    for number in 0..300 {
        let (text, empty) = [("3", 13), ("4", 11), ("3x4x3", 11)][number % 3];
        let position = if number % 5 == 0 {
            drawish_position(text, empty, &mut rng)
        } else {
            random_position(text, empty, &mut rng)
        };
        exhaustive.forget();
        let params = Params {
            memory: 1 << 16,
            ..Params::default()
        };
        let mut solver = Solver::new(shape(text), &params).expect("a board that fits");
        let attacker = Side::BOTH[number / 2 % 2];
        let limits = Limits {
            nodes: Some(1 + number as u64 % 7),
            ..Limits::default()
        };
        match solver.look(&position, attacker, &limits) {
            Look::Value(outcome) => {
                counts[0] += 1;
                assert_eq!(outcome, exhaustive.value(&position), "{position:?}");
            }
            Look::Only(moves) => {
                counts[1] += 1;
                let lost = Outcome::Win(!position.to_move());
                let mut legal = Vec::new();
                position.legal_moves(&mut legal);
                assert!(moves.iter().all(|mv| legal.contains(mv)));
                legal.retain(|mv| !moves.contains(mv));
                for mv in legal {
                    let mut after = position.clone();
                    after.play(mv);
                    assert_eq!(exhaustive.value(&after), lost, "{mv:?} in {position:?}");
                }
            }
            Look::Unknown => counts[2] += 1,
        }
    }
    assert!(
        counts[0] > 100 && counts[1] > 1 && counts[2] > 1,
        "{counts:?}"
    );
}

/// However much effort is allowed, the flag of the search that asks ends a look, and so does its time: one that would
/// find a value soon, and one that would take for ever.
#[test]
fn a_look_ends_when_it_has_to() {
    let stopped = Limits::default();
    stopped.stop.raise();
    let late = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    let [small, large] = ["3", "10"].map(|text| Position::new(shape(text)));
    for position in [&small, &large] {
        let shape = position.geometry().shape();
        let mut solver = Solver::new(shape, &Params::default()).expect("a board that fits");
        for limits in [&stopped, &late] {
            assert_eq!(solver.look(position, Side::White, limits), Look::Unknown);
        }
    }
    let mut solver = Solver::new(shape("3"), &Params::default()).expect("a board that fits");
    let found = solver.look(&small, Side::White, &Limits::default());
    assert_eq!(found, Look::Value(Outcome::Win(Side::White)));
}
