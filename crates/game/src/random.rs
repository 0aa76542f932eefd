//! Seeded randomness: every random choice of the program comes from [`Rng`], so that a seed and a
//! number of simulations give the same answer on every machine.

use rand::{Rng as _, SeedableRng};

/// The generator: xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators",
/// 2021), 256 bits of state.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// The generator with the given seed.
pub fn seeded(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// A number below `bound`, which must not be 0: the high half of the product of 32 random bits and
/// the bound. The bias is below `bound / 2³²`, far under what any number of games could show.
#[inline]
pub fn below(bound: u32, rng: &mut Rng) -> u32 {
    let bits = rng.next_u64() >> 32;
    ((bits * u64::from(bound)) >> 32) as u32
}

/// One of the items, each with the same probability; `None` when there are none.
#[inline]
pub fn choose<T: Copy>(items: &[T], rng: &mut Rng) -> Option<T> {
    if items.is_empty() {
        return None;
    }
    Some(items[below(items.len() as u32, rng) as usize])
}

/// A number between 0 (included) and 1 (excluded) with 53 random bits.
#[inline]
pub fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// The place of one of some chances, which need not add up to 1: each is drawn as often as it is large. `None` if none is above
/// 0.
pub fn draw(chances: &[f64], rng: &mut Rng) -> Option<usize> {
    let mut left = unit(rng) * chances.iter().sum::<f64>();
    let found = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    // What rounding left over is the last one's.
    found.or_else(|| chances.iter().rposition(|&chance| chance > 0.0))
}

/// Puts the items in a random order, each with the same probability (Fisher and Yates).
pub fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u32 + 1, rng) as usize);
    }
}

/// 64 well-mixed bits from a number: the output function of SplitMix64 (Steele, Lea and Flood, 2014).
/// For tables of Zobrist keys, which then need no storage of their own and no seed.
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_a_sequence() {
        // Fixed for good: a change of generator is a change of every recorded experiment.
        let mut rng = seeded(1);
        let numbers: Vec<u32> = (0..5).map(|_| below(1000, &mut rng)).collect();
        assert_eq!(numbers, [811, 747, 100, 746, 184]);
    }

    #[test]
    fn every_number_below_the_bound_is_about_as_frequent() {
        let mut rng = seeded(7);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[below(7, &mut rng) as usize] += 1;
        }
        assert!(
            counts.iter().all(|&count| (9_600..10_400).contains(&count)),
            "{counts:?}"
        );
    }

    #[test]
    fn chances_are_drawn_as_often_as_they_are_large() {
        let mut rng = seeded(3);
        let mut counts = [0u32; 4];
        for _ in 0..40_000 {
            counts[draw(&[3.0, 0.0, 1.0, 4.0], &mut rng).expect("a place")] += 1;
        }
        for (count, expected) in counts.into_iter().zip([15_000, 0, 5_000, 20_000]) {
            assert!(count.abs_diff(expected) < 400, "{counts:?}");
        }
    }

    #[test]
    fn nothing_to_choose_from() {
        assert_eq!(choose::<u8>(&[], &mut seeded(0)), None);
        assert_eq!(draw(&[], &mut seeded(0)), None);
        assert_eq!(draw(&[0.0, 0.0], &mut seeded(0)), None);
    }
}
