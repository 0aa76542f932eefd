//! What the layers of the network do with the cells of a board, and the way back.

use havannah::knowledge::network::{CHANNELS, NEAR};
use havannah::{Position, Shape};
use wide::f32x16;

/// Cells, and rows of a matrix, that are computed together: what they need stays in registers.
const CELLS: usize = 4;
const ROWS: usize = 8;

/// What the network computes for a cell, or its slopes.
pub type Row = [f32; CHANNELS];

/// For each cell, in the order of the board's cells: its own place and those of its neighbours. Place 0 is off the
/// board, the first cell's is 1.
pub type Near = Vec<[usize; NEAR]>;

/// The neighbours on a board, as each of the twelve symmetries shows them.
pub fn neighbours(shape: Shape) -> [Near; 12] {
    let position = Position::new(shape);
    let geometry = position.geometry();
    let place = |cell| geometry.cells().binary_search(&cell).map_or(0, |at| at + 1);
    std::array::from_fn(|symmetry| {
        let near = |&cell: &_| {
            std::array::from_fn(|number| {
                let direction = match (number, symmetry) {
                    (0, _) => return place(cell),
                    (_, 0..6) => (number - 1 + symmetry) % 6,
                    _ => (symmetry + 7 - number) % 6,
                };
                geometry.neighbour(cell, direction).map_or(0, place)
            })
        };
        geometry.cells().iter().map(near).collect()
    })
}

/// A row as vectors.
type Lanes = [f32x16; CHANNELS / 16];

fn load(row: &Row) -> Lanes {
    let (lanes, _) = row.as_chunks();
    std::array::from_fn(|number| f32x16::new(lanes[number]))
}

fn store(lanes: &Lanes, row: &mut Row) {
    for (lanes, numbers) in lanes.iter().zip(row.as_chunks_mut().0) {
        *numbers = lanes.to_array();
    }
}

fn add_product(sums: &mut Lanes, factor: f32, lanes: &Lanes) {
    for (sum, lanes) in sums.iter_mut().zip(lanes) {
        *sum = f32x16::splat(factor).mul_add(*lanes, *sum);
    }
}

/// Adds to the rows of cells what a matrix makes of those near them. `inputs` begins with what lies off the board.
pub fn convolve<const INPUTS: usize>(
    matrix: &[Row],
    near: &[[usize; NEAR]],
    inputs: &[[f32; INPUTS]],
    outputs: &mut [Row],
) {
    for (near, outputs) in near.chunks(CELLS).zip(outputs.chunks_mut(CELLS)) {
        let mut sums = [load(&[0.0; CHANNELS]); CELLS];
        for (number, matrix) in matrix.as_chunks::<INPUTS>().0.iter().enumerate() {
            let row = |cell: usize| &inputs[near.get(cell).map_or(0, |places| places[number])];
            let rows: [&[f32; INPUTS]; CELLS] = std::array::from_fn(row);
            for (input, weights) in matrix.iter().enumerate() {
                let weights = load(weights);
                for cell in 0..CELLS {
                    add_product(&mut sums[cell], rows[cell][input], &weights);
                }
            }
        }
        for (output, sums) in outputs.iter_mut().zip(&sums) {
            let mut sum = load(output);
            add_product(&mut sum, 1.0, sums);
            store(&sum, output);
        }
    }
}

/// Adds the slopes of a matrix, from those of what it made of the cells near.
pub fn add_slopes<const INPUTS: usize>(
    slopes: &[Row],
    near: &[[usize; NEAR]],
    inputs: &[[f32; INPUTS]],
    matrix: &mut [Row],
) {
    for (block, rows) in matrix.as_chunks_mut::<ROWS>().0.iter_mut().enumerate() {
        let (number, first) = (block * ROWS / INPUTS, block * ROWS % INPUTS);
        let mut sums: [Lanes; ROWS] = std::array::from_fn(|row| load(&rows[row]));
        for (near, slopes) in near.iter().zip(slopes) {
            let slopes = load(slopes);
            let inputs = &inputs[near[number]].as_chunks::<ROWS>().0[first / ROWS];
            for row in 0..ROWS {
                add_product(&mut sums[row], inputs[row], &slopes);
            }
        }
        for (sums, row) in sums.iter().zip(rows) {
            store(sums, row);
        }
    }
}

/// The way back through a layer's matrix: from what lies near a cell to what it lies near.
pub fn transposed(matrix: &[Row]) -> Vec<Row> {
    let mut transposed = vec![[0.0; CHANNELS]; matrix.len()];
    let blocks = transposed.chunks_exact_mut(CHANNELS);
    for (transposed, matrix) in blocks.zip(matrix.chunks_exact(CHANNELS)) {
        for (input, weights) in matrix.iter().enumerate() {
            for (output, weight) in weights.iter().enumerate() {
                transposed[output][input] = *weight;
            }
        }
    }
    // Whose neighbour a cell is lies the other way.
    let others = &mut transposed[CHANNELS..];
    others.rotate_left(others.len() / 2);
    transposed
}
