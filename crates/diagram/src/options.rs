/// What a picture shows besides the stones. `C` is the game's cell. Cells that are not on the board are
/// passed over.
///
/// ```
/// let options = diagram::Options::<konane::Cell> {
///     title: Some("The first jump".to_owned()),
///     ..Default::default()
/// };
/// assert!(options.coordinates && options.last_move);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options<C> {
    /// What the picture is about, for people who cannot see it and as a tooltip. Without one: the game
    /// and the size of the board.
    pub title: Option<String>,
    /// Whether the coordinates are written round the board. They are by default.
    pub coordinates: bool,
    /// Whether the last move is marked: by a ring, and a jump by an arrow too. It is by default.
    pub last_move: bool,
    /// Cells in another colour, such as those of a [winning structure](crate::winning_stones).
    pub highlighted: Vec<C>,
    /// Texts on cells, with a stone or without: [move numbers](crate::move_numbers), letters, marks. One
    /// to three characters are easy to read.
    pub labels: Vec<(C, String)>,
    /// Arrows from one cell to another, such as jumps that are possible.
    pub arrows: Vec<(C, C)>,
}

impl<C> Default for Options<C> {
    fn default() -> Self {
        Options {
            title: None,
            coordinates: true,
            last_move: true,
            highlighted: Vec::new(),
            labels: Vec::new(),
            arrows: Vec::new(),
        }
    }
}
