//! Which weight is for what.

use super::PLANES;
use std::ops::Range;

/// Numbers that a layer computes for each cell.
pub const CHANNELS: usize = 32;
/// Layers behind the first.
pub const LAYERS: usize = 4;
/// The layer that also sees the mean of the whole board.
pub const MIDDLE: usize = LAYERS / 2;
/// Numbers that the value is computed from.
pub const HIDDEN: usize = 32;
/// A cell and its neighbours.
pub const NEAR: usize = 7;

/// The weights are one list of single-precision numbers, part after part. A matrix has a row for each input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Of the first layer: for the cell itself, then for its neighbours in the order of the directions, the planes of
    /// each.
    First,
    /// What the first layer adds.
    FirstBias,
    /// Of a layer: for the cell itself, then its neighbours, the channels of each.
    Layer(usize),
    /// What a layer adds.
    LayerBias(usize),
    /// From the mean of the board to what layer [`MIDDLE`] adds.
    Whole,
    /// From a cell's channels to how likely a move there is.
    Policy,
    /// From the mean of the board to the hidden numbers.
    Hidden,
    /// What is added there.
    HiddenBias,
    /// From the hidden numbers to the value.
    Value,
    /// What is added there.
    ValueBias,
}

impl Part {
    const fn len(self) -> usize {
        match self {
            Part::First => NEAR * PLANES * CHANNELS,
            Part::Layer(_) => NEAR * CHANNELS * CHANNELS,
            Part::FirstBias | Part::LayerBias(_) | Part::Policy => CHANNELS,
            Part::Whole => CHANNELS * CHANNELS,
            Part::Hidden => CHANNELS * HIDDEN,
            Part::HiddenBias | Part::Value => HIDDEN,
            Part::ValueBias => 1,
        }
    }

    const fn start(self) -> usize {
        let before = match self {
            Part::First => return 0,
            Part::FirstBias => Part::First,
            Part::Layer(0) => Part::FirstBias,
            Part::Layer(layer) => Part::LayerBias(layer - 1),
            Part::LayerBias(layer) => Part::Layer(layer),
            Part::Whole => Part::LayerBias(LAYERS - 1),
            Part::Policy => Part::Whole,
            Part::Hidden => Part::Policy,
            Part::HiddenBias => Part::Hidden,
            Part::Value => Part::HiddenBias,
            Part::ValueBias => Part::Value,
        };
        before.start() + before.len()
    }

    /// Where the weights of this part are.
    pub const fn range(self) -> Range<usize> {
        self.start()..self.start() + self.len()
    }
}

/// How many weights there are.
pub const WEIGHTS: usize = Part::ValueBias.range().end;
