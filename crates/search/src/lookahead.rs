/// How many plies a search looks ahead where it comes to a position (Castro thesis, 2012, "Proof Backups").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lookahead {
    /// Not at all: the end of a game is seen when it is there.
    None,
    /// At the moves that end the game. A win leaves nothing else to look at.
    #[default]
    OnePly,
    /// At the opponent's wins as well, should the side to move not prevent them: one must be prevented,
    /// two or more cannot be. A game whose tree policy knows no threats looks one ply ahead.
    TwoPlies,
}
