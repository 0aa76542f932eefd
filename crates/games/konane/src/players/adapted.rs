use crate::{Illegal, Move, Position};
use engine::Engine;
use game::Game;
use game::random::mix;
use search::{Limits, Progress, Report, mcts};

/// A search that plays on a board of its own.
pub(super) trait BoardSearch: Send {
    /// Plays a legal move.
    fn advance(&mut self, mv: Move);

    /// Looks for a move.
    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move>;

    /// What the searches did, if they are Monte Carlo.
    fn statistics(&self) -> Option<mcts::Statistics> {
        None
    }
}

type Make = dyn Fn(&Position, u64) -> Box<dyn BoardSearch> + Send;

/// An engine whose search plays on another kind of board than the program's.
pub(super) struct BoardAdapter {
    position: Position,
    make: Box<Make>,
    search: Box<dyn BoardSearch>,
    /// The seed of the search. Each new position has one of its own.
    seed: u64,
}

impl BoardAdapter {
    /// The engine with the search that `make` makes of a position and a seed.
    pub fn new(
        position: Position,
        seed: u64,
        make: impl Fn(&Position, u64) -> Box<dyn BoardSearch> + Send + 'static,
    ) -> Self {
        BoardAdapter {
            search: make(&position, seed),
            make: Box::new(make),
            position,
            seed,
        }
    }
}

impl Engine<Position> for BoardAdapter {
    fn position(&self) -> &Position {
        &self.position
    }

    fn set_position(&mut self, position: Position) {
        self.seed = mix(self.seed);
        self.search = (self.make)(&position, self.seed);
        self.position = position;
    }

    fn advance(&mut self, mv: Move) -> Result<(), Illegal> {
        self.position.try_play(mv)?;
        self.search.advance(mv);
        Ok(())
    }

    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        self.search.search(limits, progress)
    }

    fn statistics(&self) -> Option<mcts::Statistics> {
        self.search.statistics()
    }
}
