//! What only the tree itself shows: the other tests are in the `tests` folder.

#[path = "../../tests/all/common.rs"]
mod common;

use super::access::TreeAccess;
use super::backup::{Step, back_up, conclude};
use super::batched::BatchedUpdates;
use super::decide::decide;
use super::node_statistics::NodeStatistics;
use super::playout::{Playout, UniformPlayout};
use super::select::{Choice, Selection};
use super::tree::{Node, ROOT, Tree};
use super::tree_policy::{Leaf, TreePolicy};
use super::{FinalMove, Mcts, Params, WhenFull};
use crate::Limits;
use crate::Lookahead;
use crate::sync::Ordering::Relaxed;
use common::{RandomTree, Shape, TicTacToe, after, truth};
use game::random::Rng;
use game::{Game, Outcome, Relative, Side};

const WHITE: Outcome = Outcome::Win(Side::White);
const BLACK: Outcome = Outcome::Win(Side::Black);
const DRAW: Outcome = Outcome::Draw;

/// A node with these results.
fn node(white_wins: u32, draws: u32, black_wins: u32) -> Node {
    let mut node = Node::default();
    for (outcome, count) in [(WHITE, white_wins), (DRAW, draws), (BLACK, black_wins)] {
        node.points += NodeStatistics::of(outcome, count);
    }
    node
}

fn proven(outcome: Outcome, distance: u8) -> Node {
    Node {
        proven: Some(outcome),
        distance,
        ..Node::default()
    }
}

/// A root with these children, whose moves are 0, 1, 2 …, and their visits.
fn tree(children: &[Node]) -> Tree<u8> {
    tree_with(children, &[], false)
}

fn tree_with(children: &[Node], priors: &[f32], with_rave: bool) -> Tree<u8> {
    let tree = Tree::new(1 << 20, with_rave);
    let mut leaf = Leaf::default();
    for (mv, _) in (0..).zip(children) {
        leaf.push(mv);
    }
    if !priors.is_empty() {
        leaf.judge(|mv| priors[usize::from(mv)]);
    }
    leaf.proven.extend(
        (0..)
            .zip(children)
            .filter_map(|(index, child)| Some((index, child.proven?, child.distance))),
    );
    tree.add_children(ROOT, &leaf).expect("room");
    for (index, child) in (1..).zip(children) {
        BatchedUpdates::new(&tree).add(index, child.points, NodeStatistics::default());
        BatchedUpdates::new(&tree).add(
            ROOT,
            NodeStatistics::of(DRAW, child.visits()),
            NodeStatistics::default(),
        );
    }
    tree
}

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

/// Looks at every node of a tree: proofs must be true, and everything else must fit. Garbage collection
/// can have dropped what shows a value.
fn check<G: Game>(
    tree: &Tree<G::Move>,
    index: u32,
    position: &G,
    collects: bool,
    checked: &mut [u32; 3],
) {
    let node = tree.node(index);
    let mover = position.to_move();
    if let Some(outcome) = node.proven {
        let exact = truth(position);
        assert_eq!(outcome.seen_by(mover), exact, "{position:?}");
        checked[exact as usize] += 1;
        if tree.link(index).is_expanded() {
            let follows = tree.children(index).any(|child| {
                let child = tree.node(child);
                child.proven == Some(outcome) && child.distance + 1 == node.distance
            });
            assert!(follows, "a proof without a move: {position:?}");
        } else if !collects || node.distance == 0 {
            assert_eq!(position.outcome(), Some(outcome));
            assert_eq!(node.distance, 0);
        }
    } else {
        assert_eq!(position.outcome(), None, "an end not recognised");
        let can_go_on = tree
            .children(index)
            .any(|child| tree.proven(child).is_none());
        assert!(can_go_on || !tree.link(index).is_expanded(), "{position:?}");
        let won = |child| tree.proven(child) == Some(Outcome::Win(mover));
        assert!(!tree.children(index).any(won), "a win not backed up");
    }
    assert!(node.points.white_halves <= 2 * node.visits());
    for child in tree.children(index) {
        assert!(child > index);
        assert!(tree.visits(child) <= node.visits());
        check(
            tree,
            child,
            &after(position, tree.mv(child)),
            collects,
            checked,
        );
    }
}

#[test]
fn every_proof_in_the_tree_is_true() {
    let mut checked = [0; 3];
    let mut collections = 0;
    for number in 0..4_000 {
        let position = RandomTree::new(Shape::small(number), number);
        let params = Params {
            exploration: [0.0, 0.9, 2.0][number as usize % 3],
            expand_after: number as u32 % 4,
            first_play: [f64::INFINITY, 0.6][number as usize / 3 % 2],
            playouts: 1 + number as u32 / 7 % 2,
            memory: if number % 5 < 2 { 0 } else { 1 << 20 },
            when_full: [WhenFull::KeepSearching, WhenFull::Collect][number as usize % 5 % 2],
            keep_proofs: number % 11 < 5,
            threads: 1 + u32::from(number % 32 == 0),
            ..Params::default()
        };
        let collects = params.when_full == WhenFull::Collect;
        let mut search = Mcts::new(position, params, number);
        loop {
            let limits = Limits {
                simulations: Some(number % 97),
                ..Limits::default()
            };
            let report = search.search(&limits, &mut |_| {});
            check(
                &search.tree,
                ROOT,
                search.position(),
                collects,
                &mut checked,
            );
            let Some(mv) = report.best else { break };
            search.advance(mv).expect("a legal move");
            check(
                &search.tree,
                ROOT,
                search.position(),
                collects,
                &mut checked,
            );
        }
        collections += search.collections;
    }
    assert!(checked.iter().all(|&count| count > 10_000), "{checked:?}");
    assert!(collections > 100, "{collections}");
}

#[test]
fn the_tree_below_a_move_is_the_same_after_the_move() {
    fn describe(tree: &Tree<u8>, index: u32, path: &[u8], into: &mut Vec<String>) {
        let node = tree.node(index);
        into.push(format!(
            "{path:?}: {} visits, {} half points, {:?} in {}",
            node.visits(),
            node.points.white_halves,
            node.proven,
            node.distance
        ));
        for child in tree.children(index) {
            describe(tree, child, &[path, &[tree.mv(child)]].concat(), into);
        }
    }
    let limits = Limits {
        simulations: Some(500),
        ..Limits::default()
    };
    for seed in 0..20 {
        let mut search = Mcts::new(TicTacToe::default(), Params::default(), seed);
        for _ in 0..4 {
            let best = search.search(&limits, &mut |_| {}).best.expect("a move");
            let children = search.tree.children(ROOT);
            let child = children
                .into_iter()
                .find(|&child| search.tree.mv(child) == best);
            let (mut before, mut now) = (Vec::new(), Vec::new());
            describe(&search.tree, child.expect("a child"), &[], &mut before);
            search.advance(best).expect("a legal move");
            describe(&search.tree, ROOT, &[], &mut now);
            assert_eq!(before, now);
            assert_eq!(search.tree_nodes(), now.len());
        }
    }
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
    let tree = tree_with(&[node(3, 0, 3), node(1, 0, 2)], &[0.2, 0.6], false);
    for (puct, child) in [(0.45, 1), (0.46, 2)] {
        let params = Params {
            exploration: 0.0,
            puct,
            ..Params::default()
        };
        assert_eq!(choose_with(&tree, Side::White, &params).child, child);
    }
}

#[test]
fn puct_counts_visits_in_units() {
    // The results of the test above, each 60 times.
    let tree = tree_with(&[node(180, 0, 180), node(60, 0, 120)], &[0.2, 0.6], false);
    for (puct, child) in [(0.45, 1), (0.46, 2)] {
        let params = Params {
            exploration: 0.0,
            puct,
            puct_unit: 60,
            ..Params::default()
        };
        assert_eq!(choose_with(&tree, Side::White, &params).child, child);
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
fn an_evaluation_adds_to_priors_once_while_there_are_children() {
    let tree = tree_with(&[node(1, 0, 0), node(0, 0, 1)], &[0.5, 0.25], false);
    tree.prove(2, Outcome::Draw, 1);
    assert!(tree.claim_evaluation(ROOT));
    assert!(!tree.claim_evaluation(ROOT));
    let link = tree.link(ROOT);
    tree.add_to_priors(link, &[0.25, 0.25]);
    let prior = |index: usize| f32::from_bits(tree.arena.priors[index].load(Relaxed));
    assert_eq!((prior(1), prior(2)), (0.75, f32::NEG_INFINITY));
    assert!(link.moved(5).is_evaluated());
    assert!(!link.without_children().is_evaluated());
}

#[test]
fn rave_outweighs_few_visits() {
    use super::node_statistics::pair;
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

#[test]
fn proofs_follow_from_the_children() {
    type Proof = Option<(Outcome, u8)>;
    let cases: [(&[Node], Proof); 9] = [
        (&[node(0, 0, 0), node(1, 0, 0)], None),
        (&[proven(BLACK, 2), node(0, 0, 0)], None),
        (&[proven(DRAW, 2), node(0, 0, 0)], None),
        (&[proven(WHITE, 2), node(0, 0, 0)], Some((WHITE, 3))),
        (
            &[node(0, 0, 0), proven(WHITE, 4), proven(WHITE, 2)],
            Some((WHITE, 3)),
        ),
        (
            &[proven(BLACK, 2), proven(DRAW, 0), proven(BLACK, 6)],
            Some((DRAW, 1)),
        ),
        (
            &[proven(BLACK, 2), proven(BLACK, 6), proven(BLACK, 4)],
            Some((BLACK, 7)),
        ),
        (
            &[proven(BLACK, 2), proven(DRAW, 9), proven(WHITE, 4)],
            Some((WHITE, 5)),
        ),
        (&[proven(BLACK, 255)], Some((BLACK, 255))),
    ];
    for (children, expected) in cases {
        let tree = tree(children);
        conclude(&tree, ROOT, Side::White);
        let root = tree.node(ROOT);
        let found = root.proven.map(|outcome| (outcome, root.distance));
        assert_eq!(found, expected, "{children:?}");
    }
}

#[test]
fn a_simulation_counts_as_what_is_certain_above_it() {
    let steps = |content_with| {
        [(ROOT, Side::White, content_with), (1, Side::Black, None)].map(
            |(node, mover, content_with)| Step {
                node,
                mover,
                content_with,
                assumed: NodeStatistics::default(),
            },
        )
    };
    let halves = |tree: &Tree<u8>, index| {
        let node = tree.node(index);
        (node.visits(), node.points.white_halves)
    };
    let lost = NodeStatistics::of(BLACK, 1);
    // A loss below, but White would have taken the draw.
    let drawn = tree(&[node(0, 0, 0), proven(DRAW, 0)]);
    back_up(
        &mut BatchedUpdates::new(&drawn),
        &steps(Some(2)),
        lost,
        |_, _, _, _, _| {},
    );
    assert_eq!(
        [0, 1, 2].map(|node| halves(&drawn, node)),
        [(1, 1), (1, 0), (1, 1)]
    );
    // The first child turns out to be lost, which leaves White the draw.
    let settled = tree(&[proven(BLACK, 0), proven(DRAW, 4)]);
    back_up(
        &mut BatchedUpdates::new(&settled),
        &steps(None),
        lost,
        |_, _, _, _, _| {},
    );
    assert_eq!(settled.node(ROOT).proven, Some(DRAW));
    assert_eq!(settled.node(ROOT).distance, 5);
    assert_eq!(
        [0, 1, 2].map(|node| halves(&settled, node)),
        [(1, 1), (1, 0), (0, 0)]
    );
}

/// The order of preference among the first moves of tic-tac-toe, that is of White.
fn preference(children: &[Node], final_move: FinalMove, exploration: f64) -> Vec<u8> {
    let params = Params {
        exploration,
        final_move,
        ..Params::default()
    };
    let decision = decide(&tree(children), &TicTacToe::default(), &params);
    let mut moves: Vec<u8> = decision.moves.iter().map(|stats| stats.mv).collect();
    moves.truncate(children.len());
    moves
}

#[test]
fn the_final_move_follows_its_rule() {
    // 60 of 100, 31 of 60, and 3 of 4; all other moves of the game have no visits.
    let children = [node(60, 0, 40), node(0, 62, 0), node(3, 0, 1)];
    assert_eq!(preference(&children, FinalMove::Visits, 1.0), [0, 1, 2]);
    assert_eq!(preference(&children, FinalMove::Wins, 1.0), [0, 1, 2]);
    assert_eq!(preference(&children, FinalMove::Mean, 1.0), [2, 0, 1]);
    // ln 166 = 5.11: 0.6 − 0.226 = 0.374, 0.5 − 0.287 = 0.213, 0.75 − 1.130 = −0.38.
    let lower = FinalMove::LowerBound;
    assert_eq!(preference(&children, lower, 1.0), [0, 1, 2]);
    // Without a constant there is no bound.
    assert_eq!(preference(&children, lower, 0.0), [0, 1, 2]);
    // More points with fewer visits.
    let children = [node(10, 0, 90), node(50, 0, 30)];
    assert_eq!(preference(&children, FinalMove::Visits, 1.0), [0, 1]);
    assert_eq!(preference(&children, FinalMove::Wins, 1.0), [1, 0]);
}

#[test]
fn with_puct_the_lower_bound_counts_visits_in_its_unit() {
    // 60 of 100 and 35 of 50: 0.550 and 0.629 in units of 1, 0.213 and 0.152 in units of 60.
    let tree = tree(&[node(60, 0, 40), node(35, 0, 15)]);
    for (puct_unit, best) in [(1, 1), (60, 0)] {
        let params = Params {
            puct: 0.5,
            puct_unit,
            final_move: FinalMove::LowerBound,
            ..Params::default()
        };
        let decision = decide(&tree, &TicTacToe::default(), &params);
        assert_eq!(decision.moves[0].mv, best);
    }
}

#[test]
fn the_final_move_is_certain_where_it_can_be() {
    let rules = [
        FinalMove::Visits,
        FinalMove::Wins,
        FinalMove::Mean,
        FinalMove::LowerBound,
    ];
    for rule in rules {
        let wins = [node(99, 0, 1), proven(WHITE, 4), proven(WHITE, 2)];
        assert_eq!(preference(&wins, rule, 0.1), [2, 1, 0]);
        let lost = proven(BLACK, 6);
        let mut visited = lost;
        visited.points.visits = 9;
        // Six moves that may yet be saved come before the losses.
        let mut losses = vec![lost, proven(BLACK, 8), visited];
        losses.extend([node(0, 0, 1); 6]);
        assert_eq!(preference(&losses, rule, 0.1)[6..], [1, 2, 0]);
        // A move that looks no better than the draw at hand is not preferred to it.
        let worse = [node(40, 0, 60), proven(DRAW, 0), node(0, 9, 0)];
        assert_eq!(preference(&worse, rule, 0.1)[0], 1);
        let better = [node(60, 0, 40), proven(DRAW, 0), node(1, 0, 2)];
        assert_eq!(preference(&better, rule, 0.1)[..2], [0, 1]);
    }
}

#[test]
fn wins_in_one_take_no_simulation_and_one_node() {
    let mut search = Mcts::new(TicTacToe::after(&[0, 3, 1, 4]), Params::default(), 1);
    let report = search.search(&Limits::default(), &mut |_| {});
    assert_eq!((report.best, report.proven), (Some(2), Some(Relative::Win)));
    assert_eq!((report.simulations, report.nodes), (0, 1));
    assert_eq!(report.moves.len(), 5);
}

/// Random games of tic-tac-toe, whose moves are cells.
#[derive(Clone, Debug)]
struct Cells(UniformPlayout<TicTacToe>);

impl TreePolicy<TicTacToe> for Cells {
    fn playout(&mut self, position: &TicTacToe, rng: &mut Rng) -> Outcome {
        self.0.run(position, rng)
    }

    fn cells(&self, _: &TicTacToe) -> usize {
        9
    }

    fn cell_of(&self, _: &TicTacToe, mv: u8) -> Option<usize> {
        Some(mv.into())
    }
}

/// Adds up the results of all moves of a tree, by side and cell: visits, and half points of the side.
fn add_up(tree: &Tree<u8>, index: u32, mover: Side, sums: &mut [[(u32, u32); 9]; 2]) {
    for child in tree.children(index) {
        let points = tree.points(child);
        let (visits, halves) = &mut sums[mover.index()][usize::from(tree.mv(child))];
        *visits += points.visits;
        *halves += points.halves(mover);
        add_up(tree, child, !mover, sums);
    }
}

#[test]
fn history_is_the_sum_of_the_tree() {
    for history in [0.0, 0.7] {
        let params = Params {
            rave: 20.0,
            history,
            // Nothing is proven, which would count otherwise from then on.
            lookahead: Lookahead::None,
            solver: false,
            ..Params::default()
        };
        let start = TicTacToe::default();
        let mover = start.to_move();
        let policy = Cells(UniformPlayout::new());
        let mut search = Mcts::with_policy(start, params, 5, policy);
        let limits = Limits {
            simulations: Some(400),
            ..Limits::default()
        };
        search.search(&limits, &mut |_| {});
        let mut sums = [[(0, 0); 9]; 2];
        add_up(&search.tree, ROOT, mover, &mut sums);
        for side in Side::BOTH {
            for (cell, (visits, halves)) in sums[side.index()].into_iter().enumerate() {
                assert!(visits > 0);
                let mean = f64::from(halves) / f64::from(2 * visits);
                let expected = if history > 0.0 { mean - 0.5 } else { 0.0 };
                let advantage = search.workers[0].history.advantage(side, cell);
                assert!((f64::from(advantage) - expected).abs() < 1e-6);
            }
        }
        let has_prior = |child: usize| search.tree.arena.priors[child].load(Relaxed) != 0;
        assert_eq!((1..search.tree.len()).any(has_prior), history > 0.0);
    }
}
