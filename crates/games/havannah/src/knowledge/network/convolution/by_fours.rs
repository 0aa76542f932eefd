//! The products of a layer by instructions that multiply four inputs at a time.

/// Products of four inputs at a time, of `$cells` cells together: as many as there are registers for.
macro_rules! by_fours {
    ($name:ident, $feature:literal, $lanes:literal, $cells:literal, $zero:ident, $load:ident, $store:ident,
     $splat:ident, $multiply:ident) => {
        #[target_feature(enable = $feature)]
        pub(super) fn $name(layer: &Layer, inputs: &[Inputs], near: &Near, sums: &mut Sums) {
            const REGISTERS: usize = CHANNELS / $lanes;
            const FOURS: usize = CHANNELS / 4;
            let quads = &layer.quads[..NEAR * FOURS];
            for first in (0..TOGETHER).step_by($cells) {
                let mut totals = [[$zero(); REGISTERS]; $cells];
                for cell in 0..$cells {
                    for part in 0..REGISTERS {
                        let sums = &sums[first + cell].as_chunks::<$lanes>().0[part];
                        // SAFETY: so many numbers of 32 bits are a register.
                        totals[cell][part] = unsafe { $load(sums.as_ptr().cast()) };
                    }
                }
                for direction in 0..NEAR {
                    let mut rows = [inputs[0].as_chunks().0; $cells];
                    for cell in 0..$cells {
                        rows[cell] = inputs[near[first + cell][direction]].as_chunks().0;
                    }
                    for place in 0..FOURS {
                        let quad = quads[direction * FOURS + place]
                            .as_chunks::<{ 4 * $lanes }>()
                            .0;
                        let mut weights = [$zero(); REGISTERS];
                        for part in 0..REGISTERS {
                            // SAFETY: four times so many numbers of 8 bits are a register.
                            weights[part] = unsafe { $load(quad[part].as_ptr().cast()) };
                        }
                        for cell in 0..$cells {
                            let input = $splat(i32::from_le_bytes(rows[cell][place]));
                            for part in 0..REGISTERS {
                                totals[cell][part] =
                                    $multiply(totals[cell][part], input, weights[part]);
                            }
                        }
                    }
                }
                for cell in 0..$cells {
                    for part in 0..REGISTERS {
                        let sums = &mut sums[first + cell].as_chunks_mut::<$lanes>().0[part];
                        // SAFETY: as for reading them.
                        unsafe { $store(sums.as_mut_ptr().cast(), totals[cell][part]) };
                    }
                }
            }
        }
    };
}

pub(super) use by_fours;
