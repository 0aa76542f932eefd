use super::Params;
use game::{Game, Relative, Score};

/// The value of a win at the root itself. One that is `n` plies away is worth `WIN - n`, a loss
/// `n - WIN`: the shorter win and the longer loss are preferred.
pub const WIN: i32 = 1_000_000_000;

/// The largest evaluation of a position in which the game goes on, and with its sign changed the
/// smallest. What an evaluation function returns beyond is cut off. Every win is worth more.
pub const MAX_EVALUATION: i32 = 900_000_000;

/// An evaluation function for positions in which the game goes on.
///
/// Closures `FnMut(&G) -> i32` are evaluation functions.
pub trait Evaluate<G: Game> {
    /// How good the position is from the point of view of the side to move: 0 for an even game, more
    /// the better, between −[`MAX_EVALUATION`] and [`MAX_EVALUATION`], in units of its own.
    fn evaluate(&mut self, position: &G) -> i32;
}

impl<G: Game, F: FnMut(&G) -> i32> Evaluate<G> for F {
    fn evaluate(&mut self, position: &G) -> i32 {
        self(position)
    }
}

/// The value of a game that is over `ply` plies below the root, from the point of view that the result
/// has. A draw is worth 0.
pub(crate) fn terminal(result: Relative, ply: usize) -> i32 {
    let distance = ply.min((WIN - MAX_EVALUATION) as usize - 1) as i32;
    match result {
        Relative::Win => WIN - distance,
        Relative::Draw => 0,
        Relative::Loss => distance - WIN,
    }
}

/// The expected score for a value of the search, from the same point of view: 1 and 0 for the values of
/// ended games, in between the logistic curve `1 / (1 + e^((even − value) / scale))`.
pub(super) fn score(value: i32, params: &Params) -> Score {
    if value > MAX_EVALUATION {
        Score::WIN
    } else if value < -MAX_EVALUATION {
        Score::LOSS
    } else {
        let worse = f64::from(params.even) - f64::from(value);
        Score(1.0 / (1.0 + libm::exp(worse / params.scale)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ended_games_lie_beyond_every_evaluation() {
        for ply in [0, 1, 1_000, usize::MAX] {
            assert!(terminal(Relative::Win, ply) > MAX_EVALUATION);
            assert!(terminal(Relative::Loss, ply) < -MAX_EVALUATION);
        }
        assert!(terminal(Relative::Win, 3) > terminal(Relative::Win, 5));
        assert!(terminal(Relative::Loss, 3) < terminal(Relative::Loss, 5));
    }

    #[test]
    fn scores_grow_with_the_value() {
        let params = Params::default();
        let scores = [-WIN, -MAX_EVALUATION, -100, 0, 100, MAX_EVALUATION, WIN]
            .map(|value| score(value, &params).0);
        assert!(scores.is_sorted(), "{scores:?}");
        assert_eq!(
            scores.map(|score| (score * 100.0).round() as i32),
            [0, 0, 27, 50, 73, 100, 100]
        );
        let params = Params {
            even: 1_000,
            ..params
        };
        assert_eq!(score(1_000, &params), Score::DRAW);
    }
}
