//! What a first stone is worth: from games of self-play, or by a proof.

use crate::{Cell, Dialect, Move, Position};
use engine::Evidence;
use game::{Notation, Symmetric};

/// A line for one of each class of symmetric cells.
const TABLE: &str = include_str!("first_stones.tsv");

/// A first stone, and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstStone {
    /// Where the stone is.
    pub cell: Cell,
    /// White's share of the points, from 0 to 1.
    pub score: f64,
    /// Where that is from.
    pub evidence: Evidence,
}

/// What is known of the first stones on a board without stones: of all cells, or of none.
pub fn first_stones(empty: &Position) -> Vec<FirstStone> {
    let size = empty.geometry().shape().to_string();
    let mut all = Vec::new();
    for line in TABLE.lines() {
        let mut fields = line.split('\t');
        if fields.next() != Some(size.as_str()) {
            continue;
        }
        let mut field = || fields.next().unwrap_or_default();
        let (cell, percent, evidence) = (field(), field(), field());
        let evidence = match evidence.split_once(' ') {
            Some(("games", number)) => number.parse().map(Evidence::Games).ok(),
            Some(("nodes", number)) => number.parse().map(Evidence::Proof).ok(),
            _ => None,
        };
        let (Ok(mv), Ok(percent), Some(evidence)) = (
            empty.parse_move(cell, Dialect::Grid),
            percent.parse::<f64>(),
            evidence,
        ) else {
            continue;
        };
        for symmetry in 0..empty.symmetries() {
            if let Move::Place(cell) = empty.transformed_move(symmetry, mv) {
                all.push(FirstStone {
                    cell,
                    score: percent / 100.0,
                    evidence,
                });
            }
        }
    }
    all.sort_by_key(|stone| stone.cell.index());
    all.dedup_by_key(|stone| stone.cell);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use std::collections::BTreeSet;

    #[test]
    fn each_cell_is_known_once_or_none_is() {
        let mut known = BTreeSet::new();
        let of_table = TABLE.lines().filter(|line| !line.starts_with('#'));
        for line in of_table {
            let size = line.split('\t').next().unwrap_or_default();
            let empty = Position::new(size.parse().expect("a size"));
            let stones = first_stones(&empty);
            let cells: Vec<Cell> = stones.iter().map(|stone| stone.cell).collect();
            let mut all = empty.geometry().cells().to_vec();
            all.sort_by_key(|cell| cell.index());
            assert_eq!(cells, all, "size {size}");
            known.insert(size);
            for stone in stones {
                let is_exact = [0.0, 0.5, 1.0].contains(&stone.score);
                match stone.evidence {
                    Evidence::Proof(_) => assert!(is_exact),
                    Evidence::Games(games) => {
                        assert!((0.0..=1.0).contains(&stone.score) && games > 0);
                    }
                }
            }
        }
        assert!(
            ["3x4x4", "4", "6", "8"]
                .iter()
                .all(|size| known.contains(size))
        );
        let large = Position::new(Shape::regular(12).expect("a size"));
        assert_eq!(first_stones(&large), []);
    }
}
