//! Which child a simulation goes to.

use super::super::Params;
use super::super::access::TreeAccess;
use super::super::batched::BatchedUpdates;
use super::super::select::{Choice, Selection};
use super::super::tree::{Node, ROOT, Tree};
use super::{BLACK, DRAW, node, proven, tree, tree_with};
use game::Side;

/// The choice at the root with an exploration constant and RAVE's k.
fn choose_with(tree: &Tree<u8>, mover: Side, params: &Params) -> Choice {
    let (link, points) = (tree.link(ROOT), tree.points(ROOT));
    Selection::new(params).select(
        &mut BatchedUpdates::new(tree),
        link,
        points,
        mover,
        params.rave as f32,
    )
}

fn choose(tree: &Tree<u8>, mover: Side, exploration: f64) -> Choice {
    let params = Params {
        exploration,
        ..Params::default()
    };
    choose_with(tree, mover, &params)
}

#[test]
fn selection_follows_the_formula() {
    // ln 10 = 2.302585: 0.6667 + 0.9 √(ln 10 / 3) = 1.4551; 0.4286 + 0.9 √(ln 10 / 7) = 0.9448.
    let children = [node(2, 0, 1), node(3, 0, 4)];
    assert_eq!(choose(&tree(&children), Side::White, 0.9).child, 1);
    // For Black 0.3333 + 0.7885 = 1.1218 and 0.5714 + 0.5162 = 1.0876; without exploration 0.3333 and
    // 0.5714.
    assert_eq!(choose(&tree(&children), Side::Black, 0.9).child, 1);
    assert_eq!(choose(&tree(&children), Side::Black, 0.0).child, 2);
    // The constants where both are equal for Black: 0.2381 / (0.8761 − 0.5735) = 0.7869.
    assert_eq!(choose(&tree(&children), Side::Black, 0.78).child, 2);
    assert_eq!(choose(&tree(&children), Side::Black, 0.79).child, 1);
    // A child without visits comes first.
    let children = [node(9, 0, 0), node(0, 0, 0)];
    assert_eq!(choose(&tree(&children), Side::White, 0.9).child, 2);
}

#[test]
fn first_play_urgency_is_the_winrate_of_what_was_not_played() {
    let tree = tree(&[node(3, 0, 1), node(0, 0, 0), node(1, 0, 0)]);
    for (first_play, child) in [(f64::INFINITY, 2), (1.1, 2), (0.9, 3)] {
        let params = Params {
            exploration: 0.0,
            first_play,
            ..Params::default()
        };
        assert_eq!(choose_with(&tree, Side::White, &params).child, child);
    }
}

#[test]
fn knowledge_wanes_with_the_root_of_the_visits() {
    // 0.25 + k/√4 against 0.6 + 0/√5: even where k is 0.7.
    let children = [node(1, 0, 3), node(3, 0, 2)];
    for (prior, child) in [(0.69, 2), (0.71, 1)] {
        let tree = tree_with(&children, &[prior, 0.0], false);
        assert_eq!(choose(&tree, Side::White, 0.0).child, child);
    }
    // For Black 0.75 against 0.4 + k/√5: even where k is 0.7826.
    for (prior, child) in [(0.78, 1), (0.79, 2)] {
        let tree = tree_with(&children, &[0.0, prior], false);
        assert_eq!(choose(&tree, Side::Black, 0.0).child, child);
    }
}

#[test]
fn puct_explores_by_probability() {
    // Of 9 visits White's winrates are 0.5 in 6 and 1/3 in 3: 0.5 + 0.2 c · 3/7 = 0.3333 + 0.6 c · 3/4 where c = 0.4575.
    // The same where each of them counts as so many.
    for unit in [1, 60] {
        let children = [node(3 * unit, 0, 3 * unit), node(unit, 0, 2 * unit)];
        let tree = tree_with(&children, &[0.2, 0.6], false);
        for (puct, child) in [(0.45, 1), (0.46, 2)] {
            let params = Params {
                exploration: 0.0,
                puct,
                puct_unit: unit,
                ..Params::default()
            };
            assert_eq!(choose_with(&tree, Side::White, &params).child, child);
        }
    }
}

#[test]
fn first_play_urgency_can_be_less_than_the_parents_winrate() {
    // The parent has ½ for both sides; what was played has 0.4 for White, 0.6 for Black.
    let tree = tree(&[node(2, 0, 3), node(0, 0, 0)]);
    let cases = [
        (Side::White, 0.09, 2),
        (Side::White, 0.11, 1),
        (Side::Black, 0.01, 1),
    ];
    for (side, first_play_reduction, child) in cases {
        let params = Params {
            exploration: 0.0,
            first_play_reduction,
            ..Params::default()
        };
        assert_eq!(choose_with(&tree, side, &params).child, child);
    }
}

#[test]
fn rave_outweighs_few_visits() {
    use super::super::node_statistics::pair;
    // Own winrate 3 of 4 and RAVE 2 of 10 against own 1 of 4 and RAVE 9 of 10, for White; the third was
    // never played but is known to be won by 6 of 10.
    let tree = tree_with(&[node(3, 0, 1), node(1, 0, 3), node(0, 0, 0)], &[], true);
    let halves = [4, 18, 12];
    BatchedUpdates::new(&tree).add_rave(ROOT, tree.link(ROOT), |mv: u8| {
        pair(10, halves[usize::from(mv)])
    });
    assert_eq!(tree.rave(2).white_halves, 18);
    let choose = |rave, exploration| {
        let params = Params {
            rave,
            exploration,
            first_play: 0.1,
            ..Params::default()
        };
        choose_with(&tree, Side::White, &params).child
    };
    // The third has 0.6 for any k. The first has (4 · 0.75 + 0.2 k) / (4 + k), 0.6 where k = 1.5; the
    // second has (4 · 0.25 + 0.9 k) / (4 + k), 0.6 where k = 14/3.
    assert_eq!(choose(1.4, 0.0), 1);
    assert_eq!(choose(1.6, 0.0), 3);
    assert_eq!(choose(4.6, 0.0), 3);
    assert_eq!(choose(4.7, 0.0), 2);
    // With exploration what was not played has the whole of √ln 8, what has 4 visits half of it.
    assert_eq!(choose(4.7, 0.5), 3);
    assert_eq!(choose(1.4, 0.1), 3);
}

#[test]
fn selection_leaves_alone_what_is_proven() {
    let choose = |children: &[Node], exploration| {
        let choice = choose(&tree(children), Side::White, exploration);
        (choice.child, choice.content_with)
    };
    assert_eq!(choose(&[proven(BLACK, 0), node(0, 0, 5)], 0.9), (2, None));
    // 0.2 is worse than the draw at hand, 0.8 is not, and nothing is known of the last.
    assert_eq!(choose(&[node(1, 0, 4), proven(DRAW, 0)], 0.0), (1, Some(2)));
    assert_eq!(choose(&[node(4, 0, 1), proven(DRAW, 0)], 0.0), (1, None));
    assert_eq!(choose(&[node(0, 0, 0), proven(DRAW, 0)], 0.0), (1, None));
    // With exploration the first looks good enough: 0.2 + 0.9 √(ln 5 / 5) = 0.71.
    assert_eq!(choose(&[node(1, 0, 4), proven(DRAW, 0)], 0.9), (1, None));
}
