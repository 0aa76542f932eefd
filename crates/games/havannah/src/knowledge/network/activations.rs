//! What the layers make of a position.

use super::convolution::{Near, TOGETHER};
use super::layer::{ACTIVATION, Channels, Inputs, Layer, inputs_of_planes};
use super::layout::CHANNELS;
use super::planes::planes;
use crate::rules::geometry::{Cell, Geometry};
use crate::rules::position::Position;

/// The numbers of all cells, on boards of one shape, by grid index: 0 in the margin.
#[derive(Clone, Debug)]
pub(super) struct Activations {
    geometry: &'static Geometry,
    /// For all cells, some together: the grid indices of what counts for them. The last is there again where there are
    /// fewer.
    near: Vec<Near>,
    inputs: Vec<Inputs>,
    channels: Vec<Channels>,
    /// Of the layer under way.
    next: Vec<Channels>,
}

impl Activations {
    pub(super) fn new(geometry: &'static Geometry) -> Activations {
        let grid = geometry.grid();
        let near = |cell: Cell| {
            std::array::from_fn(|place| match place {
                0 => cell.index(),
                _ => geometry.step(cell.index(), place - 1),
            })
        };
        let near_all =
            |cells: &[Cell]| std::array::from_fn(|place| near(cells[place.min(cells.len() - 1)]));
        Activations {
            geometry,
            near: geometry.cells().chunks(TOGETHER).map(near_all).collect(),
            inputs: vec![[0; CHANNELS]; grid],
            channels: vec![[0; CHANNELS]; grid],
            next: vec![[0; CHANNELS]; grid],
        }
    }

    /// What the first layer makes of a position.
    pub(super) fn begin(&mut self, first: &Layer, position: &Position) {
        let cells = self.geometry.cells();
        for (cell, planes) in cells.iter().zip(planes(position)) {
            self.inputs[cell.index()] = inputs_of_planes(&planes);
        }
        let (inputs, channels) = (&self.inputs, &mut self.channels);
        first.compute(&first.bias, &self.near, inputs, None, channels);
    }

    /// What the next layer makes of that; `whole` is the matrix by which means are added, if they are.
    pub(super) fn pass(&mut self, layer: &Layer, whole: Option<&[[f32; CHANNELS]]>) {
        let mut bias = layer.bias;
        if let Some(whole) = whole {
            let added = times(&self.mean(), whole, [0.0; CHANNELS]);
            for (channel, bias) in bias.iter_mut().enumerate() {
                *bias += layer.addend(channel, added[channel]);
            }
        }
        layer.read(&self.channels, &mut self.inputs);
        let kept = Some(&*self.channels);
        layer.compute(&bias, &self.near, &self.inputs, kept, &mut self.next);
        std::mem::swap(&mut self.channels, &mut self.next);
    }

    /// The channels of a cell.
    pub(super) fn of(&self, cell: Cell) -> &Channels {
        &self.channels[cell.index()]
    }

    /// The mean of each channel.
    pub(super) fn mean(&self) -> [f32; CHANNELS] {
        let mut sums = [0; CHANNELS];
        let cells = self.geometry.cells();
        for &cell in cells {
            for (sum, &channel) in sums.iter_mut().zip(self.of(cell)) {
                *sum += i32::from(channel);
            }
        }
        sums.map(|sum| sum as f32 / (cells.len() as f32 * ACTIVATION))
    }

    /// The largest of each channel.
    pub(super) fn largest(&self) -> Channels {
        let mut largest = [0; CHANNELS];
        for channels in &self.channels {
            for (largest, &channel) in largest.iter_mut().zip(channels) {
                *largest = channel.max(*largest);
            }
        }
        largest
    }
}

/// A vector times a matrix, and a vector added.
pub(super) fn times<const OUTPUTS: usize>(
    vector: &[f32],
    matrix: &[[f32; OUTPUTS]],
    mut sums: [f32; OUTPUTS],
) -> [f32; OUTPUTS] {
    for (number, row) in vector.iter().zip(matrix) {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += number * weight;
        }
    }
    sums
}
