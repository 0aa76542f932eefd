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
#[derive(Clone, Debug, PartialEq)]
pub struct Options<C> {
    /// What the picture is about, for people who cannot see it and as a tooltip. Without one: the game
    /// and the size of the board.
    pub title: Option<String>,
    /// Whether the coordinates are written round the board. They are by default.
    pub coordinates: bool,
    /// Whether the last move is marked: by a ring, and a jump by an arrow too. It is by default.
    pub last_move: bool,
    /// Cells in another colour, such as those of a [winning structure](crate::Drawn::winning_cells).
    pub highlighted: Vec<C>,
    /// Cells in shades that say who wins there, instead of their own colour.
    pub shaded: Vec<(C, Shading)>,
    /// Texts on cells, with a stone or without: move numbers, letters, marks. One
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
            shaded: Vec::new(),
            labels: Vec::new(),
            arrows: Vec::new(),
        }
    }
}

/// Who wins, and how much that means, from 0 to 1: the more the darker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shading {
    /// White wins: a shade of red.
    White(f64),
    /// Black wins: a shade of blue.
    Black(f64),
    /// A draw: a shade of grey.
    Draw(f64),
}

impl Shading {
    /// The colour, from nearly white to one on which dark text is still readable.
    pub(crate) fn colour(self) -> String {
        let (depth, full) = match self {
            Shading::White(depth) => (depth, [0xe2, 0x6d, 0x5a]),
            Shading::Black(depth) => (depth, [0x5a, 0x96, 0xd6]),
            Shading::Draw(depth) => (depth, [0x9a, 0x9a, 0x9a]),
        };
        let depth = depth.clamp(0.0, 1.0);
        let [red, green, blue] = full.map(|full| (250.0 + (f64::from(full) - 250.0) * depth) as u8);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}
