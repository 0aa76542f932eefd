//! The laws of an ordered group, and comparison as play decides it.

use konane::cgt::{Games, Outcome, Value};
use proptest::prelude::*;

/// A game as a tree, not simplified.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tree {
    left: Vec<Tree>,
    right: Vec<Tree>,
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree {
        left: Vec::new(),
        right: Vec::new(),
    });
    leaf.prop_recursive(3, 20, 3, |inner| {
        let options = || prop::collection::vec(inner.clone(), 0..3);
        (options(), options()).prop_map(|(left, right)| Tree { left, right })
    })
}

impl Tree {
    fn value(&self, games: &mut Games) -> Value {
        let mut values = |options: &[Tree]| -> Vec<Value> {
            options.iter().map(|option| option.value(games)).collect()
        };
        let (left, right) = (values(&self.left), values(&self.right));
        games.make(&left, &right)
    }
}

/// Whether the side to move wins the sum of some games, by trying every move.
fn wins(parts: &[&Tree], left_moves: bool) -> bool {
    (0..parts.len()).any(|index| {
        let tree = parts[index];
        let options = if left_moves { &tree.left } else { &tree.right };
        options.iter().any(|option| {
            let mut after = parts.to_vec();
            after[index] = option;
            !wins(&after, !left_moves)
        })
    })
}

fn played(parts: &[&Tree]) -> Outcome {
    match (wins(parts, true), wins(parts, false)) {
        (true, true) => Outcome::First,
        (true, false) => Outcome::Left,
        (false, true) => Outcome::Right,
        (false, false) => Outcome::Second,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_ordered_group(a in trees(), b in trees(), c in trees()) {
        let mut games = Games::new();
        let [a, b, c] = [a, b, c].map(|tree| tree.value(&mut games));
        let zero = games.zero();
        prop_assert_eq!(games.add(a, zero), a);
        let ab = games.add(a, b);
        prop_assert_eq!(games.add(b, a), ab);
        let bc = games.add(b, c);
        prop_assert_eq!(games.add(ab, c), games.add(a, bc));
        let minus = games.negative(a);
        prop_assert_eq!(games.add(a, minus), zero);
        prop_assert_eq!(games.negative(minus), a);
        // Adding the same keeps the order.
        let ac = games.add(a, c);
        prop_assert_eq!(games.at_most(a, b), games.at_most(ac, bc));
        // Equal means the same.
        prop_assert_eq!(a == b, games.at_most(a, b) && games.at_most(b, a));
        prop_assert!(!(games.at_most(a, b) && games.at_most(b, c)) || games.at_most(a, c));
    }

    #[test]
    fn outcomes_are_those_of_play(a in trees(), b in trees()) {
        let mut games = Games::new();
        let values = [&a, &b].map(|tree| tree.value(&mut games));
        prop_assert_eq!(games.outcome(values[0]), played(&[&a]));
        let sum = games.add(values[0], values[1]);
        prop_assert_eq!(games.outcome(sum), played(&[&a, &b]));
    }

    #[test]
    fn a_canonical_form_is_read_as_it_is_written(tree in trees()) {
        let mut games = Games::new();
        let value = tree.value(&mut games);
        let text = games.write(value);
        prop_assert_eq!(games.parse(&text), Ok(value));
        let ascii = games.write_ascii(value);
        prop_assert_eq!(games.parse(&ascii), Ok(value));
        let [left, right] = games.stops(value);
        let heat = games.thermograph(value);
        prop_assert!(right <= heat.mean && heat.mean <= left);
    }
}
