//! Who beat whom.

use crate::Games;

/// The results of every player against every other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossTable {
    /// `cells[a][b]`: the games of a against b, from a's point of view.
    cells: Vec<Vec<Games>>,
}

impl CrossTable {
    /// The empty table of this many players.
    pub fn new(players: usize) -> CrossTable {
        CrossTable {
            cells: vec![vec![Games::default(); players]; players],
        }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.cells.len()
    }

    /// Adds games between two players, seen by the first. Games of a player against itself, or of one
    /// that is not in the table, say nothing and are left out.
    pub fn add(&mut self, first: usize, second: usize, games: Games) {
        if first != second && first.max(second) < self.players() {
            self.cells[first][second] += games;
            self.cells[second][first] += games.reversed();
        }
    }

    /// The games of `first` against `second`, seen by the first; none for players out of the table.
    pub fn between(&self, first: usize, second: usize) -> Games {
        let row = self.cells.get(first);
        row.and_then(|row| row.get(second))
            .copied()
            .unwrap_or_default()
    }

    /// All games of a player.
    pub fn of(&self, player: usize) -> Games {
        let row = self.cells.get(player).into_iter().flatten();
        row.fold(Games::default(), |sum, games| sum + *games)
    }

    /// The games of each two players that met, each once.
    pub(crate) fn meetings(&self) -> impl Iterator<Item = (usize, usize, Games)> + '_ {
        let pairs = (0..self.players()).flat_map(|a| (a + 1..self.players()).map(move |b| (a, b)));
        pairs
            .map(|(a, b)| (a, b, self.cells[a][b]))
            .filter(|(_, _, games)| games.total() > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_counts_for_both() {
        let mut table = CrossTable::new(3);
        table.add(0, 2, Games::of(3, 1, 2));
        table.add(2, 0, Games::of(1, 0, 0));
        table.add(0, 1, Games::of(1, 0, 0));
        table.add(1, 1, Games::of(9, 9, 9));
        table.add(1, 7, Games::of(9, 9, 9));
        assert_eq!(table.between(0, 2), Games::of(3, 1, 3));
        assert_eq!(table.between(2, 0), Games::of(3, 1, 3));
        assert_eq!(table.of(0), Games::of(4, 1, 3));
        assert_eq!(table.of(1), Games::of(0, 0, 1));
        assert_eq!(table.between(7, 0), Games::default());
    }
}
