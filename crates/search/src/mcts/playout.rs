use game::random::Rng;
use game::{Game, Outcome};

/// A playout policy: how a game is played to its end from a leaf of the tree.
///
/// A game can bring its own, with a scratch position that it reuses and moves chosen with knowledge.
pub trait Playout<G: Game> {
    /// Plays from the position to the end of the game. Given the same position and the same state of the
    /// generator the outcome must be the same.
    fn run(&mut self, position: &G, rng: &mut Rng) -> Outcome;
}

/// Every legal move with the same probability.
#[derive(Clone, Debug)]
pub struct UniformPlayout<G> {
    scratch: Option<G>,
}

impl<G> UniformPlayout<G> {
    /// The policy.
    pub const fn new() -> Self {
        UniformPlayout { scratch: None }
    }
}

impl<G> Default for UniformPlayout<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Playout<G> for UniformPlayout<G> {
    fn run(&mut self, position: &G, rng: &mut Rng) -> Outcome {
        let game = match &mut self.scratch {
            Some(scratch) => {
                scratch.clone_from(position);
                scratch
            }
            empty => empty.insert(position.clone()),
        };
        while let Some(mv) = game.random_move(rng) {
            game.play_unchecked(mv);
        }
        // A position without a move has an outcome: the conformance suite holds every game to it.
        game.outcome().unwrap_or(Outcome::Draw)
    }
}
