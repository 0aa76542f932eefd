//! A game with the positions it went through.

use game::Game;

/// The position of a game, and all positions before it.
#[derive(Clone, Debug)]
pub(crate) struct History<G: Game> {
    position: G,
    /// Each earlier position with the move that was made in it.
    before: Vec<(G, G::Move)>,
}

impl<G: Game> History<G> {
    pub(crate) fn new(start: G) -> Self {
        History {
            position: start,
            before: Vec::new(),
        }
    }

    pub(crate) fn position(&self) -> &G {
        &self.position
    }

    /// The number of moves made since the start.
    pub(crate) fn len(&self) -> usize {
        self.before.len()
    }

    /// The moves made since the start.
    pub(crate) fn moves(&self) -> impl Iterator<Item = G::Move> {
        self.before.iter().map(|&(_, mv)| mv)
    }

    /// The position before the first move.
    pub(crate) fn start(&self) -> &G {
        self.before
            .first()
            .map_or(&self.position, |(start, _)| start)
    }

    /// Plays a move if it is legal.
    pub(crate) fn play(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        let before = self.position.clone();
        self.position.try_play(mv)?;
        self.before.push((before, mv));
        Ok(())
    }

    /// Goes back to the position after `len` moves, if there have been more.
    pub(crate) fn rewind(&mut self, len: usize) {
        if let Some((position, _)) = self.before.drain(len.min(self.before.len())..).next() {
            self.position = position;
        }
    }
}
