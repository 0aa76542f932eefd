//! Symmetric positions, told apart only once.

use crate::Shape;
use crate::rules::Symmetry;

/// The symmetries of the board that keep a root as it is. Only through them can two positions below the
/// root be symmetric in more than a few cases, so the others are not worth their time.
#[derive(Clone, Debug)]
pub(crate) struct Stabiliser {
    /// For each symmetry but the identity, where each cell goes.
    places: Vec<Vec<u8>>,
}

impl Stabiliser {
    /// Those of a position.
    pub fn of(shape: Shape, stones: u64) -> Stabiliser {
        let places = Symmetry::of(shape).skip(1).map(|symmetry| {
            let place = |cell| shape.index(symmetry.place(shape, cell)) as u8;
            shape.cells().map(place).collect()
        });
        let mut all = Stabiliser {
            places: places.collect(),
        };
        all.places.retain(|places| placed(places, stones) == stones);
        all
    }

    /// The same position for all that are symmetric to each other.
    #[inline]
    pub fn representative(&self, stones: u64) -> u64 {
        let images = self.places.iter().map(|places| placed(places, stones));
        images.fold(stones, u64::min)
    }
}

/// The stones where a symmetry puts them.
fn placed(places: &[u8], stones: u64) -> u64 {
    let mut left = stones;
    let mut image = 0;
    while left != 0 {
        image |= 1 << places[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    image
}
