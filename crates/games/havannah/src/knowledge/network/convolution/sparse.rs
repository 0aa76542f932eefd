//! The inputs of a cell that are not 0. Two thirds of the pairs are: activations of most channels, and all of the margin.

use super::super::layer::Inputs;
use super::super::layout::{CHANNELS, NEAR};

/// Pairs of inputs that are looked at together.
pub(super) const EIGHT: usize = 8;
/// More than a cell has with its neighbours, and eight.
const MOST: usize = 128;

/// Pairs of inputs of a cell and its neighbours.
pub(super) struct Pairs {
    all: [[i16; 2]; MOST],
    /// The places of those that are not 0, in order; what is behind them has no meaning.
    places: [u8; MOST],
    count: usize,
}

impl Pairs {
    pub(super) fn new() -> Pairs {
        Pairs {
            all: [[0; 2]; MOST],
            places: [0; MOST],
            count: 0,
        }
    }

    /// Those of another cell. `not_zero` tells which of eight pairs are not 0, a bit each. It is compiled with the instructions of
    /// the function that calls it. There is no branch for each pair, which would often be predicted wrongly.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        near: &[usize; NEAR],
        inputs: &[Inputs],
        not_zero: impl Fn(&[[u8; 2]; EIGHT]) -> u8,
    ) {
        const { assert!(NEAR * CHANNELS / 2 + EIGHT <= MOST) };
        self.count = 0;
        for direction in 0..NEAR {
            let (eights, _) = inputs[near[direction]]
                .as_chunks::<2>()
                .0
                .as_chunks::<EIGHT>();
            for (part, eight) in eights.iter().enumerate() {
                let first = direction * CHANNELS / 2 + part * EIGHT;
                let mut wide = [[0; 2]; EIGHT];
                for pair in 0..EIGHT {
                    wide[pair] = [i16::from(eight[pair][0]), i16::from(eight[pair][1])];
                }
                self.all[first..first + EIGHT].copy_from_slice(&wide);
                let found = not_zero(eight);
                let places = PLACES[usize::from(found)] + 0x0101_0101_0101_0101 * first as u64;
                // Eight are written, of which the next ones overwrite those that were not found.
                self.places[self.count..self.count + EIGHT].copy_from_slice(&places.to_le_bytes());
                self.count += found.count_ones() as usize;
            }
        }
    }

    /// The places of the pairs that are not 0.
    #[inline(always)]
    pub(super) fn places(&self) -> &[u8] {
        &self.places[..self.count]
    }

    /// The pair at a place.
    #[inline(always)]
    pub(super) fn at(&self, place: u8) -> &[i16; 2] {
        &self.all[usize::from(place) % MOST]
    }
}

/// The places of the bits of a number, from the lowest, a byte each.
static PLACES: [u64; 256] = {
    let mut places = [0; 256];
    let mut number = 0;
    while number < places.len() {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if number >> bit & 1 == 1 {
                places[number] |= bit << (8 * found);
                found += 1;
            }
            bit += 1;
        }
        number += 1;
    }
    places
};
