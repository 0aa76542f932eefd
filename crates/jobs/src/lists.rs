//! Lists in statements. A database keeps statements that it has seen before, so lists have few different lengths.

/// The longest list: SQLite takes at most 32,766 values, and a row may have seven.
const LONGEST: usize = 4096;

/// Lists of items for statements such as `… IN ($2, $3)`, in which an item may stand more than once: each is as long as a
/// power of two, and ends with copies of its last item.
pub fn lists<T: Clone>(items: impl IntoIterator<Item = T>) -> impl Iterator<Item = Vec<T>> {
    let items: Vec<T> = items.into_iter().collect();
    let list = |part: &[T]| {
        let mut list = part.to_vec();
        if let Some(last) = part.last() {
            list.resize(part.len().next_power_of_two(), last.clone());
        }
        list
    };
    items
        .chunks(LONGEST)
        .map(list)
        .collect::<Vec<_>>()
        .into_iter()
}

/// The places of so many values in a statement: `$2, $3` for two from the second.
pub fn places(first: usize, count: usize) -> String {
    let places = (first..first + count).map(|place| format!("${place}"));
    places.collect::<Vec<_>>().join(", ")
}

/// The places of rows that begin with values that are the same for all: `($1, $2, $3), ($1, $4, $5)` for two rows that
/// begin with `$1` and have two more values each.
pub fn rows(same: &str, count: usize, values: usize) -> String {
    let first = same.matches('$').count() + 1;
    let row = |row| format!("({same}, {})", places(first + row * values, values));
    (0..count).map(row).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_all_items_and_few_lengths() {
        assert_eq!(lists::<i64>([]).count(), 0);
        assert_eq!(lists([7]).collect::<Vec<_>>(), [[7]]);
        assert_eq!(lists([1, 2, 3]).collect::<Vec<_>>(), [[1, 2, 3, 3]]);
        let long: Vec<_> = lists(0..LONGEST + 3).collect();
        assert_eq!(
            (long[0].len(), &*long[1]),
            (LONGEST, &[4096, 4097, 4098, 4098][..])
        );
        assert_eq!(
            rows("$1, 0, $2", 2, 2),
            "($1, 0, $2, $3, $4), ($1, 0, $2, $5, $6)"
        );
    }
}
