/// A move as a number, so that threads can share a tree of moves in atomic memory.
pub trait Packed: Sized {
    /// The move as a number.
    fn pack(self) -> u32;

    /// The move that [`pack`](Packed::pack) made a number of. Any other number gives some move, which may
    /// be on no board.
    fn unpack(packed: u32) -> Self;
}

/// For games whose moves are numbers.
impl Packed for u8 {
    fn pack(self) -> u32 {
        self.into()
    }

    fn unpack(packed: u32) -> u8 {
        packed as u8
    }
}

/// For games whose moves are two numbers.
impl Packed for (u8, u8) {
    fn pack(self) -> u32 {
        u32::from(u16::from_le_bytes([self.0, self.1]))
    }

    fn unpack(packed: u32) -> (u8, u8) {
        let [first, second, ..] = packed.to_le_bytes();
        (first, second)
    }
}
