use super::{Board, Move, PositionOn};
use game::{Notation, ParseMoveError};

impl<B: Board> Notation for PositionOn<B> {
    /// There is one way of writing: `d4` for a removal, `d4-d6` for a jump.
    type Dialect = ();

    fn parse_move(&self, text: &str, (): ()) -> Result<Move, ParseMoveError> {
        Move::parse(text, self.shape())
    }

    fn write_move(&self, mv: Move, (): ()) -> String {
        mv.to_string()
    }

    /// All removals, and jumps between any two cells, in line or not.
    fn every_move(&self) -> Vec<Move> {
        let cells = || self.shape().cells();
        let jumps = cells().flat_map(|from| cells().map(move |to| Move::Jump { from, to }));
        cells().map(Move::Remove).chain(jumps).collect()
    }
}
