//! What a program needs of a player, and the searches that give it.

use game::random::{self, Rng};
use game::{Game, Relative, Score};
use search::{
    AlphaBeta, Limits, Mcts, MoveStats, Progress, Report, StopReason, TreePolicy, alphabeta, mcts,
};

/// A player of a game: a position, and a search that finds moves in it.
pub trait Engine<G: Game>: Send {
    /// The position that the next search starts from.
    fn position(&self) -> &G;

    /// Goes to another position, forgetting what belonged to the one before.
    fn set_position(&mut self, position: G);

    /// Plays a move, keeping what is still of use.
    ///
    /// # Errors
    /// If the move is not legal. Nothing has changed then.
    fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal>;

    /// Looks for a move within limits, telling of the progress on the way.
    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move>;

    /// Looks for the move to play, as [`search`](Engine::search) does. A player may know it without a search, or choose
    /// another than the best of the search; an analysis is not asked for here.
    fn choose(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        self.search(limits, progress)
    }

    /// What the searches did since the last [`set_position`](Engine::set_position); `None` from a search
    /// that is not Monte Carlo.
    fn statistics(&self) -> Option<mcts::Statistics> {
        None
    }
}

impl<G: Game, P: TreePolicy<G> + Send> Engine<G> for Mcts<G, P> {
    fn position(&self) -> &G {
        self.position()
    }

    fn set_position(&mut self, position: G) {
        self.set_position(position);
    }

    fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.advance(mv)
    }

    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        self.search(limits, progress)
    }

    fn statistics(&self) -> Option<mcts::Statistics> {
        Some(self.statistics())
    }
}

/// Alpha-beta to a depth of its own, which the limits of a search can only lower.
pub(crate) struct DepthLimited<G, U> {
    pub search: AlphaBeta<G, U>,
    pub depth: u32,
}

impl<G: Game, U: alphabeta::MoveOrdering<G> + Send> Engine<G> for DepthLimited<G, U> {
    fn position(&self) -> &G {
        self.search.position()
    }

    fn set_position(&mut self, position: G) {
        self.search.set_position(position);
    }

    fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.search.advance(mv)
    }

    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        let depth = limits
            .depth
            .map_or(self.depth, |depth| depth.min(self.depth));
        let limits = Limits {
            depth: Some(depth),
            ..limits.clone()
        };
        self.search.search(&limits, progress)
    }
}

/// Plays any legal move, each with the same probability.
pub(crate) struct Random<G> {
    pub position: G,
    pub rng: Rng,
}

impl<G: Game> Engine<G> for Random<G> {
    fn position(&self) -> &G {
        &self.position
    }

    fn set_position(&mut self, position: G) {
        self.position = position;
    }

    fn advance(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.position.try_play(mv)
    }

    fn search(
        &mut self,
        _limits: &Limits,
        _progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        let best = random::choose(&moves, &mut self.rng);
        let result = self
            .position
            .outcome()
            .map(|outcome| outcome.seen_by(self.position.to_move()));
        let stats = |&mv| MoveStats {
            mv,
            visits: 0,
            value: Score::DRAW,
            proven: None,
        };
        Report {
            progress: Progress {
                best,
                value: result.map_or(Score::DRAW, Relative::score),
                proven: result,
                principal_variation: best.into_iter().collect(),
                moves: moves.iter().map(stats).collect(),
                ..Progress::nothing()
            },
            stop: if result.is_some() {
                StopReason::Proven
            } else {
                StopReason::Depth
            },
            signature: 0,
        }
    }
}
