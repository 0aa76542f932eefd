//! What the layers of the network do with the cells of a board, and the way back.
//!
//! Each sum is added up in the same order whatever instructions the processor has, and products are rounded before they
//! are added: training gives the same weights on every machine.

use havannah::knowledge::network::{CHANNELS, NEAR};
use havannah::{Position, Shape};

/// What the network computes for a cell, or its slopes.
pub(super) type Row = [f32; CHANNELS];

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

/// Adds to the rows of cells what a matrix makes of those near them. `inputs` begins with what lies off the board.
pub(super) fn convolve<const INPUTS: usize>(
    matrix: &[Row],
    near: &[[usize; NEAR]],
    inputs: &[[f32; INPUTS]],
    outputs: &mut [Row],
) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has these instructions.
            return unsafe { wide_512::convolve(matrix, near, inputs, outputs) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            return unsafe { wide_256::convolve(matrix, near, inputs, outputs) };
        }
    }
    convolve_plainly(matrix, near, inputs, outputs);
}

/// Adds the slopes of a matrix, from those of what it made of the cells near.
pub(super) fn add_slopes<const INPUTS: usize>(
    slopes: &[Row],
    near: &[[usize; NEAR]],
    inputs: &[[f32; INPUTS]],
    matrix: &mut [Row],
) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has these instructions.
            return unsafe { wide_512::add_slopes(slopes, near, inputs, matrix) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            return unsafe { wide_256::add_slopes(slopes, near, inputs, matrix) };
        }
    }
    add_slopes_plainly(slopes, near, inputs, matrix);
}

fn convolve_plainly<const INPUTS: usize>(
    matrix: &[Row],
    near: &[[usize; NEAR]],
    inputs: &[[f32; INPUTS]],
    outputs: &mut [Row],
) {
    for (near, outputs) in near.iter().zip(outputs) {
        let mut sums = [0.0; CHANNELS];
        let inputs = near.iter().flat_map(|&near| inputs[near].iter());
        for (input, weights) in inputs.zip(matrix) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += input * weight;
            }
        }
        for (output, sum) in outputs.iter_mut().zip(sums) {
            *output += sum;
        }
    }
}

fn add_slopes_plainly<const INPUTS: usize>(
    slopes: &[Row],
    near: &[[usize; NEAR]],
    inputs: &[[f32; INPUTS]],
    matrix: &mut [Row],
) {
    for (near, slopes) in near.iter().zip(slopes) {
        let inputs = near.iter().flat_map(|&near| inputs[near].iter());
        for (input, row) in inputs.zip(&mut *matrix) {
            for (sum, slope) in row.iter_mut().zip(slopes) {
                *sum += input * slope;
            }
        }
    }
}

/// A loop over the numbers below a bound.
#[cfg(target_arch = "x86_64")]
macro_rules! each {
    ($number:ident < $bound:expr, $body:block) => {
        let mut $number = 0;
        while $number < $bound {
            $body
            $number += 1;
        }
    };
}

/// The same with registers of `$lanes` numbers. `$tile` rows are computed together, as many as there are registers for.
/// What is called is not compiled for these instructions, and a build with `opt-level = 1` calls even what a range does next
/// (training took twelve times as long): hence the loops.
#[cfg(target_arch = "x86_64")]
macro_rules! wide {
    ($name:ident, $feature:literal, $lanes:literal, $tile:literal, $zero:ident, $load:ident, $store:ident, $splat:ident,
     $add:ident, $mul:ident) => {
        mod $name {
            use super::{CHANNELS, NEAR, Row};
            use std::arch::x86_64::{$add, $load, $mul, $splat, $store, $zero};

            const REGISTERS: usize = CHANNELS / $lanes;

            #[target_feature(enable = $feature)]
            pub(super) fn convolve<const INPUTS: usize>(
                matrix: &[Row],
                near: &[[usize; NEAR]],
                inputs: &[[f32; INPUTS]],
                outputs: &mut [Row],
            ) {
                assert_eq!(matrix.len(), NEAR * INPUTS);
                assert_eq!(near.len(), outputs.len());
                let mut first = 0;
                while first < near.len() {
                    let mut count = near.len() - first;
                    if count > $tile {
                        count = $tile;
                    }
                    let mut sums = [[$zero(); REGISTERS]; $tile];
                    each!(number < NEAR, {
                        let mut rows = [&inputs[0]; $tile];
                        each!(cell < count, {
                            rows[cell] = &inputs[near[first + cell][number]];
                        });
                        each!(input < INPUTS, {
                            let weights = &matrix[number * INPUTS + input];
                            let mut row = [$zero(); REGISTERS];
                            each!(part < REGISTERS, {
                                let weights = weights.as_ptr().wrapping_add($lanes * part);
                                // SAFETY: a row is so many registers.
                                row[part] = unsafe { $load(weights) };
                            });
                            each!(cell < $tile, {
                                let factor = $splat(rows[cell][input]);
                                each!(part < REGISTERS, {
                                    let product = $mul(factor, row[part]);
                                    sums[cell][part] = $add(sums[cell][part], product);
                                });
                            });
                        });
                    });
                    each!(cell < count, {
                        each!(part < REGISTERS, {
                            let output = &mut outputs[first + cell];
                            let output = output.as_mut_ptr().wrapping_add($lanes * part);
                            // SAFETY: as above.
                            unsafe { $store(output, $add($load(output), sums[cell][part])) };
                        });
                    });
                    first += $tile;
                }
            }

            #[target_feature(enable = $feature)]
            pub(super) fn add_slopes<const INPUTS: usize>(
                slopes: &[Row],
                near: &[[usize; NEAR]],
                inputs: &[[f32; INPUTS]],
                matrix: &mut [Row],
            ) {
                assert_eq!(matrix.len(), NEAR * INPUTS);
                assert_eq!(near.len(), slopes.len());
                assert_eq!(INPUTS % $tile, 0);
                each!(number < NEAR, {
                    let mut first = 0;
                    while first < INPUTS {
                        let rows = &mut matrix[number * INPUTS + first..][..$tile];
                        let mut sums = [[$zero(); REGISTERS]; $tile];
                        each!(row < $tile, {
                            each!(part < REGISTERS, {
                                let numbers = rows[row].as_ptr().wrapping_add($lanes * part);
                                // SAFETY: as above.
                                sums[row][part] = unsafe { $load(numbers) };
                            });
                        });
                        each!(cell < near.len(), {
                            let mut slope = [$zero(); REGISTERS];
                            each!(part < REGISTERS, {
                                let numbers = slopes[cell].as_ptr().wrapping_add($lanes * part);
                                // SAFETY: as above.
                                slope[part] = unsafe { $load(numbers) };
                            });
                            let inputs = &inputs[near[cell][number]][first..][..$tile];
                            each!(row < $tile, {
                                let factor = $splat(inputs[row]);
                                each!(part < REGISTERS, {
                                    let product = $mul(factor, slope[part]);
                                    sums[row][part] = $add(sums[row][part], product);
                                });
                            });
                        });
                        each!(row < $tile, {
                            each!(part < REGISTERS, {
                                let numbers = rows[row].as_mut_ptr().wrapping_add($lanes * part);
                                // SAFETY: as above.
                                unsafe { $store(numbers, sums[row][part]) };
                            });
                        });
                        first += $tile;
                    }
                });
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
wide!(
    wide_512,
    "avx512f",
    16,
    8,
    _mm512_setzero_ps,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_set1_ps,
    _mm512_add_ps,
    _mm512_mul_ps
);
#[cfg(target_arch = "x86_64")]
wide!(
    wide_256,
    "avx2",
    8,
    2,
    _mm256_setzero_ps,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_set1_ps,
    _mm256_add_ps,
    _mm256_mul_ps
);

/// The way back through a layer's matrix: from what lies near a cell to what it lies near.
pub(super) fn transposed(matrix: &[Row]) -> Vec<Row> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use game::random::{self, Rng};
    use havannah::knowledge::network::PLANES;

    fn rows<const WIDTH: usize>(count: usize, rng: &mut Rng) -> Vec<[f32; WIDTH]> {
        let mut number = |_| random::unit(rng) as f32 - 0.5;
        (0..count)
            .map(|_| std::array::from_fn(&mut number))
            .collect()
    }

    type Convolve<const INPUTS: usize> =
        unsafe fn(&[Row], &[[usize; NEAR]], &[[f32; INPUTS]], &mut [Row]);

    /// Instructions for many numbers give the same bits as plain code, on boards of all remainders.
    fn compare<const INPUTS: usize>(convolving: Convolve<INPUTS>, adding: Convolve<INPUTS>) {
        let mut rng = random::seeded(3);
        for size in [2, 3, 5, 6] {
            let near = &neighbours(Shape::regular(size).expect("a size"))[5];
            let matrix = rows(NEAR * INPUTS, &mut rng);
            let inputs = rows::<INPUTS>(near.len() + 1, &mut rng);
            let outputs: Vec<Row> = rows(near.len(), &mut rng);
            let (mut plain, mut wide) = (outputs.clone(), outputs.clone());
            convolve_plainly(&matrix, near, &inputs, &mut plain);
            // SAFETY: the caller has looked whether the processor has the instructions.
            unsafe { convolving(&matrix, near, &inputs, &mut wide) };
            assert_eq!(plain, wide, "size {size}");
            let (mut plain, mut wide) = (matrix.clone(), matrix.clone());
            add_slopes_plainly(&outputs, near, &inputs, &mut plain);
            // SAFETY: as above.
            unsafe { adding(&outputs, near, &inputs, &mut wide) };
            assert_eq!(plain, wide, "size {size}");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn all_instructions_give_the_same_bits() {
        if std::arch::is_x86_feature_detected!("avx512f") {
            compare::<CHANNELS>(wide_512::convolve, wide_512::add_slopes);
            compare::<PLANES>(wide_512::convolve, wide_512::add_slopes);
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            compare::<CHANNELS>(wide_256::convolve, wide_256::add_slopes);
            compare::<PLANES>(wide_256::convolve, wide_256::add_slopes);
        }
    }
}
