use std::fmt;
use std::ops::Not;

/// One of the two players. Which side moves first is the game's business: White in Havannah, Black in
/// Kōnane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The player of the white stones.
    White,
    /// The player of the black stones.
    Black,
}

impl Side {
    /// Both sides, in the order of [`Side::index`].
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black: an index into tables with one entry a side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side, as a constant function; elsewhere write `!side`.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// The opponent: `!Side::White` is `Side::Black`.
impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        self.other()
    }
}

/// `white` or `black`, as in the program's JSON.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::White => "white",
            Side::Black => "black",
        })
    }
}
