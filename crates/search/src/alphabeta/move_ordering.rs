use super::Evaluate;
use game::Game;

/// What a game adds to the search: an evaluation, the order in which moves are searched, and which of
/// them are left out.
///
/// Every [`Evaluate`] is an ordering that leaves the moves to the generator.
///
/// The search asks depth first: when it asks about a position some plies below the root, the last that
/// it has listed moves of one ply less is the position before.
pub trait MoveOrdering<G: Game> {
    /// An iteration begins at a position in which the game is not over.
    fn begin(&mut self, root: &G) {
        let _ = root;
    }

    /// A move of the root is about to be searched: until the next one, all questions are about positions
    /// below it.
    fn enter(&mut self, mv: G::Move) {
        let _ = mv;
    }

    /// Appends the moves to search from a position, `ply` plies below the root, in which the game is not
    /// over: the first to be searched first. Returns how many legal moves it leaves out. At the root it
    /// leaves out none. A position for which it lists none is evaluated as if it were at the horizon.
    fn list_moves(&mut self, position: &G, ply: usize, moves: &mut Vec<G::Move>) -> u64 {
        let _ = ply;
        position.legal_moves(moves);
        0
    }

    /// How good a position is, `ply` plies below the root, in which the game is not over. Units, range
    /// and point of view are those of [`Evaluate::evaluate`].
    fn evaluate(&mut self, position: &G, ply: usize) -> i32;
}

impl<G: Game, E: Evaluate<G>> MoveOrdering<G> for E {
    #[inline]
    fn evaluate(&mut self, position: &G, _ply: usize) -> i32 {
        Evaluate::evaluate(self, position)
    }
}
