//! Reviews, where something is known about the moves without a search: by symmetry, or by solving.

use engine::{BoardOptions, Playable, ReviewedMove, Reviewer};
use game::{Game, Relative, Score, Symmetric};
use havannah::{Dialect, Move, Position};
use search::Limits;

fn start(size: &str) -> Position {
    Position::start(&BoardOptions::sized(size)).expect("a board")
}

/// The review of moves after a position.
fn review(start: &Position, moves: Vec<Move>, simulations: u64) -> Vec<ReviewedMove<Move>> {
    let player = Position::player(None).expect("a player");
    let mut engine = player.build(start.clone(), 1, &[]).expect("an engine");
    let limits = Limits {
        simulations: Some(simulations),
        ..Limits::default()
    };
    let mut reviewer = Reviewer::new(start.clone(), moves).expect("legal moves");
    std::iter::from_fn(|| reviewer.next(engine.as_mut(), &limits, &mut |_| {})).collect()
}

/// On the empty board the twelve images of the best move are as good as it is, whatever the search says of the
/// positions before and after: its value sags with every move.
#[test]
fn the_images_of_the_best_move_are_no_mistakes() {
    for size in ["4", "6"] {
        let start = start(size);
        let any = start.parse_list("a1").first().copied().expect("a move");
        let best = review(&start, vec![any], 500)[0].best.expect("a move");
        for symmetry in 0..start.symmetries() {
            let image = start.transformed_move(symmetry, best);
            let of = &review(&start, vec![image], 500)[0];
            assert_eq!(of.mark(), "", "size {size}, {of:?}");
        }
    }
}

trait Listed {
    fn parse_list(&self, text: &str) -> Vec<Move>;
}

impl Listed for Position {
    fn parse_list(&self, text: &str) -> Vec<Move> {
        let mut position = self.clone();
        let read = |text| {
            let mv = game::Notation::parse_move(&position, text, Dialect::Grid).expect("a move");
            position.play(mv);
            mv
        };
        text.split_whitespace().map(read).collect()
    }
}

#[test]
fn a_win_that_was_missed_is_called_so_with_the_lines_that_show_it() {
    // White has a1, a2, a3 of the edge of size 4 between the corners a1 and a4, and a4 makes the bridge. Black is as far
    // on the edge between g4 and g7.
    let start = start("4");
    let moves = start.parse_list("a1 g4 a2 g5 a3 g6 d4 g7");
    let reviewed = review(&start, moves, 2_000);
    let missed = &reviewed[6];
    assert_eq!(
        missed.mistake().map(engine::Mistake::name),
        Some("missed win")
    );
    assert_eq!(
        (missed.before, missed.best_proven),
        (Score(1.0), Some(Relative::Win))
    );
    let best = missed.best.expect("a move");
    assert_eq!(missed.line.first(), Some(&best));
    assert!(missed.loss() > 0.0 && missed.mark() != "");
    // What the engine would have played itself loses nothing.
    for of in &reviewed {
        assert!(of.best != Some(of.mv) || of.mistake().is_none());
        assert!((0.0..=1.0).contains(&of.loss()) && of.margin >= 0.0);
    }
}
