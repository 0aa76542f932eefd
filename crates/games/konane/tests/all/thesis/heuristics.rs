use super::common::for_positions;
use game::Side;
use konane::shokry::knowledge::{Comparison, Count, Heuristic};
use konane::{Board, Cell, Direction, NaiveBoard};

/// The jumps of the stone on a cell in a direction, cell by cell from the rules.
fn jumps(board: &NaiveBoard, from: Cell, direction: Direction) -> u32 {
    let Some(side) = board.stone(from) else {
        return 0;
    };
    let mut jumps = 0;
    loop {
        let over = from.step(direction, 2 * jumps + 1);
        let landing = from.step(direction, 2 * jumps + 2);
        let is_free = |cell: Cell| board.shape().contains(cell) && board.stone(cell).is_none();
        if over.is_none_or(|over| board.stone(over) != Some(!side)) || !landing.is_some_and(is_free)
        {
            return jumps as u32;
        }
        jumps += 1;
    }
}

fn slow_count(board: &NaiveBoard, count: Count, side: Side) -> u32 {
    let stones = board
        .shape()
        .cells()
        .filter(|&cell| board.stone(cell) == Some(side));
    let moves = |cell| {
        Direction::ALL
            .into_iter()
            .map(|direction| jumps(board, cell, direction))
            .sum::<u32>()
    };
    match count {
        Count::Pieces => stones.count() as u32,
        Count::Moves => stones.map(moves).sum(),
        Count::Movables => stones.filter(|&cell| moves(cell) > 0).count() as u32,
    }
}

#[test]
fn heuristics_are_what_they_say() {
    for_positions(24, 12, |_, position| {
        let board = position.board();
        for side in Side::BOTH {
            for heuristic in Heuristic::all() {
                let own = i64::from(slow_count(board, heuristic.count, side));
                let other = i64::from(slow_count(board, heuristic.count, !side));
                let ratio = |divisor: i64| match divisor {
                    0 => own * 1000,
                    divisor => own * 1000 / divisor,
                };
                let expected = match heuristic.comparison {
                    Comparison::Own => own,
                    Comparison::Opponent => -other,
                    Comparison::Difference => own - other,
                    Comparison::WeightedDifference => own - 3 * other,
                    Comparison::Ratio => ratio(other),
                    Comparison::WeightedRatio => ratio(3 * other),
                };
                let value = i64::from(heuristic.value(board, side));
                assert_eq!(value, expected, "{heuristic} for {side} of {position:?}");
            }
        }
    });
}

#[test]
fn every_heuristic_has_a_name_and_a_letter() {
    let names: Vec<String> = Heuristic::all().map(|one| one.to_string()).collect();
    let letters: String = Heuristic::all().map(Heuristic::letter).collect();
    assert_eq!(letters, "abcdefghijklmnopqr");
    assert_eq!(
        [&names[0], &names[9], &names[13], &names[16], &names[17]],
        [
            "pieces-own",
            "moves-difference-3",
            "movables-opponent",
            "movables-ratio",
            "movables-ratio-3"
        ]
    );
    for heuristic in Heuristic::all() {
        assert_eq!(heuristic.to_string().parse(), Ok(heuristic));
        assert_eq!(heuristic.letter().to_string().parse(), Ok(heuristic));
    }
    assert_eq!("q".parse(), Ok(Heuristic::Q));
    for wrong in [
        "",
        "s",
        "Q",
        "movables",
        "movables-",
        "own",
        "pieces-ratio-2",
    ] {
        assert!(wrong.parse::<Heuristic>().is_err(), "{wrong}");
    }
}
