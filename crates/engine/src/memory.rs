//! How the limit of memory of a player or a solver is divided.
//!
//! A limit is for all that the search allocates: its tree or its table, the tables of the solvers that it asks, and what it
//! works with. What the program takes before it searches, some 10 MB, is no part of it.

/// What is left of a limit for tree and tables. The rest is what a search works with: weights of patterns, buffers, what
/// each of its threads has learnt.
pub fn for_tables(limit: usize) -> usize {
    limit - (limit / 8).min(1 << 20)
}

/// A limit that a search shares with the solvers that it asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// For the tree or the table of the search.
    pub search: usize,
    /// For the table of each solver.
    pub solver: usize,
}

impl Shares {
    /// Each of so many solvers gets what it wants, but all together no more than a share of the limit.
    pub fn of(limit: usize, solvers: usize, wanted: usize, share: f64) -> Shares {
        let tables = for_tables(limit);
        let most = (tables as f64 * share) as usize / solvers.max(1);
        let solver = wanted.min(most);
        Shares {
            search: tables - solver * solvers,
            solver,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_come_to_the_limit() {
        for limit in [1 << 20, 16 << 20, 1 << 30] {
            for solvers in 0..4 {
                let Shares { search, solver } = Shares::of(limit, solvers, 64 << 20, 0.25);
                assert_eq!(search + solvers * solver, for_tables(limit));
                assert!(4 * solvers * solver <= limit && solver <= 64 << 20);
            }
        }
    }
}
