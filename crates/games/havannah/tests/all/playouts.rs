//! Uniformly random playouts are games by the rules.

use game::random::{self, Rng};
use game::{Game, Outcome, Side};
use havannah::playout::{Ended, UniformPlayout};
use havannah::rules::notation::write_cell;
use havannah::{Board, Cell, Dialect, Geometry, Move, Position, Shape};
use proptest::prelude::*;

const SHAPES: &[&str] = &["2", "3", "4", "5", "8", "2x5x3", "4x4x5"];

/// A position some random moves after the start, not beyond the end of the game.
fn after_random_moves(shape: Shape, moves: usize, rng: &mut Rng) -> Position {
    let mut position = Position::new(shape);
    for _ in 0..moves {
        let mv = position.random_move(rng).expect("a move");
        let mut child = position.clone();
        child.play(mv);
        if child.outcome().is_some() {
            break;
        }
        position = child;
    }
    position
}

/// Plays the moves of a playout under the rules.
fn replay(start: &Position, moves: &[Cell], ended: &Ended) -> Result<(), TestCaseError> {
    let mut position = start.clone();
    for &cell in moves {
        prop_assert_eq!(
            position.outcome(),
            None,
            "the playout goes on after the end"
        );
        prop_assert!(position.try_play(Move::Place(cell)).is_ok());
    }
    prop_assert_eq!(position.outcome(), Some(ended.outcome()));
    prop_assert_eq!(
        position.structure(),
        ended.win.map(|(_, structure)| structure)
    );
    Ok(())
}

/// The same where the other side is to move, which no position is: Black moves at odd plies.
fn replay_out_of_turn(
    start: &Board,
    first: Side,
    moves: &[Cell],
    ended: &Ended,
) -> Result<(), TestCaseError> {
    let mut board = start.clone();
    let mut side = first;
    for (number, &cell) in (1..).zip(moves) {
        prop_assert!(board.is_empty(cell));
        let completed = board.place(cell, side).map(|structure| (side, structure));
        let expected = if number == moves.len() {
            ended.win
        } else {
            None
        };
        prop_assert_eq!(completed, expected);
        side = !side;
    }
    let full = board
        .geometry()
        .cells()
        .iter()
        .all(|&cell| !board.is_empty(cell));
    prop_assert!(ended.win.is_some() || full);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn playouts_are_legal_games(
        shape in prop::sample::select(SHAPES),
        moves in 0usize..60,
        seed: u64,
    ) {
        let shape: Shape = shape.parse().expect("a shape");
        let mut rng = random::seeded(seed);
        let start = after_random_moves(shape, moves % shape.cells(), &mut rng);
        let (board, side) = (start.board(), start.to_move());
        let mut playout = UniformPlayout::new(start.geometry());

        let ended = playout.play(board, side, &mut rng);
        prop_assert_eq!(playout.moves(&ended).len(), ended.stones);
        replay(&start, playout.moves(&ended), &ended)?;
        // Again from the same position, from another one, and with the other side to move.
        let ended = playout.play_again(board, side, &mut rng);
        replay(&start, playout.moves(&ended), &ended)?;
        let ended = playout.play(&Board::new(start.geometry()), Side::White, &mut rng);
        replay(&Position::new(shape), playout.moves(&ended), &ended)?;
        let ended = playout.play(board, !side, &mut rng);
        replay_out_of_turn(board, !side, playout.moves(&ended), &ended)?;
    }
}

/// A seed names a game. A change here changes what every seed of a search means.
#[test]
fn a_seed_names_a_game() {
    let geometry = Geometry::of(Shape::regular(4).expect("a size"));
    let mut playout = UniformPlayout::new(geometry);
    let ended = playout.play(&Board::new(geometry), Side::White, &mut random::seeded(1));
    let name = |&cell: &Cell| write_cell(geometry, cell, Dialect::Grid);
    let names: Vec<String> = playout.moves(&ended).iter().map(name).collect();
    assert_eq!(
        names.join(" "),
        "f5 d2 f3 e2 b4 d1 f4 b1 c5 e3 e5 g5 g7 b5 e6 b2 d4 a2 d6 g6 d5 c3 e7 f6 e4 b3 a1 c4 a3"
    );
}

#[test]
fn a_seed_names_a_thousand_games() {
    let geometry = Geometry::of(Shape::regular(8).expect("a size"));
    let mut playout = UniformPlayout::new(geometry);
    let mut rng = random::seeded(1);
    let (mut white_wins, mut stones) = (0, 0);
    for _ in 0..1000 {
        let ended = playout.play(&Board::new(geometry), Side::White, &mut rng);
        white_wins += u32::from(ended.outcome() == Outcome::Win(Side::White));
        stones += ended.stones;
    }
    assert_eq!((white_wins, stones), (498, 119_830));
}
