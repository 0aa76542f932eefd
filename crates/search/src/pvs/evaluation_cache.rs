//! A cache of evaluations: of the positions that a search asks about it has come to nearly half before, by
//! other moves or in an earlier iteration.

use super::Evaluation;

/// The evaluations of one thread by the keys of their positions. A new one takes the place of an older one whose hash
/// begins with the same bits.
pub(super) struct EvaluationCache<K>(Box<[Option<(K, Evaluation)>]>);

/// Entries for all evaluations would find a quarter more, but in a short search each of them is far away when it is
/// looked for.
const BITS: u32 = 13;

impl<K> EvaluationCache<K> {
    /// What they take.
    pub const BYTES: usize = size_of::<Option<(K, Evaluation)>>() << BITS;
}

impl<K: Copy + Eq> EvaluationCache<K> {
    pub fn new() -> Self {
        EvaluationCache(vec![None; 1 << BITS].into_boxed_slice())
    }

    /// What is known of a position, or else what `evaluate` says of it.
    #[inline]
    pub fn get_or(
        &mut self,
        hash: u64,
        key: K,
        evaluate: impl FnOnce() -> Evaluation,
    ) -> Evaluation {
        let EvaluationCache(entries) = self;
        let entry = &mut entries[(hash >> (u64::BITS - BITS)) as usize];
        if let Some((known, evaluation)) = entry
            && *known == key
        {
            return *evaluation;
        }
        let evaluation = evaluate();
        *entry = Some((key, evaluation));
        evaluation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_evaluated_once_until_another_takes_their_place() {
        let mut evaluations = EvaluationCache::new();
        let (one, other) = (Evaluation::Open(1), Evaluation::Open(2));
        assert_eq!(evaluations.get_or(5, 'a', || one), one);
        assert_eq!(evaluations.get_or(5, 'a', || other), one);
        assert_eq!(evaluations.get_or(6, 'b', || other), other);
        assert_eq!(evaluations.get_or(5, 'a', || other), other);
    }
}
