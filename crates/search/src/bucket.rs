//! Which bucket of a table a hash belongs to.

/// The high half of a product, which spreads hashes evenly over any number of buckets.
#[inline(always)]
pub(crate) fn of(hash: u64, buckets: usize) -> usize {
    // WebAssembly calls a function to multiply numbers of 128 bits.
    if cfg!(target_pointer_width = "32") {
        by_halves(hash, buckets as u32)
    } else {
        ((u128::from(hash) * buckets as u128) >> 64) as usize
    }
}

/// The same where 32 bits hold the number of buckets.
#[inline(always)]
fn by_halves(hash: u64, buckets: u32) -> usize {
    let of_half = |half: u64| half * u64::from(buckets);
    let carried = of_half(hash & u64::from(u32::MAX)) >> 32;
    ((of_half(hash >> 32) + carried) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::random;

    #[test]
    fn halves_give_what_the_product_gives() {
        for number in 0..10_000 {
            let hash = random::mix(number);
            let buckets = random::mix(hash) as u32;
            let product = (u128::from(hash) * u128::from(buckets)) >> 64;
            assert_eq!(by_halves(hash, buckets) as u128, product);
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        assert_eq!(by_halves(u64::MAX, u32::MAX), (u32::MAX - 1) as usize);
        assert_eq!(of(u64::MAX, usize::MAX), usize::MAX - 1);
    }
}
