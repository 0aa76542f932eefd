//! A few positions by hand, so that the referee and the rules do not agree on a misunderstanding.

use super::referee::Referee;
use game::Side;
use havannah::rules::notation::parse_cell;
use havannah::{Board, Dialect, Geometry, Shape};

/// Stones in the row dialect, Black's in capitals, and what the last completes; the others complete
/// nothing. The corners of size 4 are a1, a4, d7, g4, g1 and d1.
const EXAMPLES: [(&str, &str, Option<&str>); 18] = [
    ("4", "a1 a3 a4 a2", Some("bridge")),
    ("4", "a1 a3 a4", None),
    ("4", "a1 b2 c3 d4 f4 g4 e4", Some("bridge")),
    ("2", "a1 c2 c1", Some("bridge")),
    ("2", "a1 c2", None),
    // The top, the left and the right edge.
    ("4", "a2 b2 b1 c3 d4 d5 d6 c6", Some("fork")),
    // Two edges and a corner: corners belong to no edge.
    ("4", "a2 b2 a1 c3 d4 d5 d6 c6", None),
    // One edge twice counts once.
    ("4", "a2 a3 b2 b1", None),
    // Six stones around an empty cell, a stone of the opponent, an own stone.
    ("4", "c3 c4 d3 d5 e3 e4", Some("ring")),
    ("4", "D4 c3 c4 d3 d5 e3 e4", Some("ring")),
    ("4", "d4 c3 c4 d3 d5 e3 e4", Some("ring")),
    // Eight stones around two, empty and full.
    ("4", "c3 c4 c5 d3 d6 e3 e5 e4", Some("ring")),
    ("4", "d4 d5 c3 c4 c5 d3 d6 e3 e5 e4", Some("ring")),
    // Three stones that touch each other, and four, enclose nothing.
    ("4", "c3 c4 d4", None),
    ("4", "c3 c4 d4 d3", None),
    // Stones and the edge of the board enclose nothing.
    ("4", "B2 a1 b3 a3", None),
    ("4", "a2 b2 b3 a3", None),
    // A fork and a ring by one stone: the fork is named.
    ("4", "a2 b2 b1 c3 d3 e3 e4 d5 b4 b5 c4", Some("fork")),
];

#[test]
fn examples() {
    for (shape, stones, expected) in EXAMPLES {
        let shape: Shape = shape.parse().expect("a shape");
        let mut referee = Referee::new(shape.sides(), false);
        let mut board = Board::new(Geometry::of(shape));
        let stones: Vec<&str> = stones.split(' ').collect();
        for (number, text) in (1..).zip(&stones) {
            let (side, colour) = if text.starts_with(|c: char| c.is_uppercase()) {
                (Side::Black, 'b')
            } else {
                (Side::White, 'w')
            };
            let cell = parse_cell(board.geometry(), text, Dialect::Row).expect("a cell");
            let completed = board
                .place(cell, side)
                .map(|structure| structure.to_string());
            referee.put(&text.to_lowercase(), colour);
            let expected = expected.filter(|_| number == stones.len());
            assert_eq!(completed.as_deref(), expected, "{text} of {stones:?}");
            assert_eq!(
                referee.structures(colour).first().copied(),
                expected,
                "{text} of {stones:?}"
            );
        }
    }
}
