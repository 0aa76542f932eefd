//! What is said of Havannah positions without a strategy, against exhaustive search.

use certificate::{Judgement, Promise, Provable};
use game::random::{self, Rng};
use game::{Game, Outcome, Side};
use havannah::{Move, Position};
use std::collections::HashMap;

/// The value by looking at everything.
fn value(
    position: &Position,
    known: &mut HashMap<<Position as Provable>::Key, Outcome>,
) -> Outcome {
    if let Some(outcome) = position.outcome() {
        return outcome;
    }
    let key = position.key();
    if let Some(&outcome) = known.get(&key) {
        return outcome;
    }
    let to_move = position.to_move();
    let values = legal(position)
        .into_iter()
        .map(|mv| value(&after(position, mv), known));
    let best = values.max_by(|a, b| a.seen_by(to_move).cmp(&b.seen_by(to_move)));
    let best = best.expect("a move");
    known.insert(key, best);
    best
}

fn legal(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.play(mv);
    after
}

/// A position that is not over with so many empty cells, by random play; or, on the way to a draw, of
/// a game in which both sides avoid to win.
fn random_position(text: &str, empty: usize, drawn: bool, rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::new(text.parse().expect("a shape"));
        let mut kept = None;
        while position.outcome().is_none() {
            if position.empty_cells() == empty {
                kept = Some(position.clone());
            }
            let mut moves = legal(&position);
            random::shuffle(&mut moves, rng);
            let wins = |&mv: &Move| matches!(after(&position, mv).outcome(), Some(Outcome::Win(_)));
            let safe = moves.iter().copied().find(|mv| !(drawn && wins(mv)));
            position.play(safe.unwrap_or(moves[0]));
        }
        let as_wanted = !drawn || position.outcome() == Some(Outcome::Draw);
        if let (Some(kept), true) = (kept, as_wanted) {
            return kept;
        }
    }
}

#[test]
fn judgements_are_true() {
    let mut rng = random::seeded(11);
    let [mut kept, mut broken, mut forced, mut left_out, mut held] = [0; 5];
    for number in 0..800 {
        let text = ["3", "3x4x4", "4"][number % 3];
        let empty = 1 + random::below(6, &mut rng) as usize;
        let position = random_position(text, empty, number % 4 != 0, &mut rng);
        let mut known = HashMap::new();
        for side in Side::BOTH {
            for promise in [Promise::Wins(side), Promise::Holds(side)] {
                let mut is_kept =
                    |position: &Position| promise.is_kept_by(value(position, &mut known));
                match position.judge(promise) {
                    Judgement::Kept => {
                        kept += 1;
                        assert!(is_kept(&position), "{promise:?} in {position:?}");
                        held += usize::from(!is_won(&position, side, &mut known));
                    }
                    Judgement::Broken(_) => {
                        broken += 1;
                        assert!(!is_kept(&position), "{promise:?} in {position:?}");
                    }
                    Judgement::Forced(only) => {
                        assert_eq!(position.to_move(), side);
                        for mv in legal(&position).into_iter().filter(|&mv| mv != only) {
                            forced += 1;
                            assert!(!is_kept(&after(&position, mv)), "{position:?}");
                        }
                    }
                    Judgement::Open => assert_eq!(position.to_move(), side),
                    Judgement::Answer(answers) => {
                        assert_eq!(position.to_move(), !side);
                        assert!(answers.is_sorted());
                        for mv in legal(&position) {
                            if !answers.contains(&mv) {
                                left_out += 1;
                                assert!(is_kept(&after(&position, mv)), "{mv:?} in {position:?}");
                            }
                        }
                    }
                }
            }
        }
    }
    let counts = [kept, broken, forced, left_out];
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    assert!(held > 4, "{held}");
}

fn is_won(
    position: &Position,
    side: Side,
    known: &mut HashMap<<Position as Provable>::Key, Outcome>,
) -> bool {
    value(position, known) == Outcome::Win(side)
}
