//! What only the tree itself shows: the other tests are in the `tests` folder.

mod affinity;
#[path = "../../tests/all/common.rs"]
mod common;
mod evaluation;
mod final_move;
mod selection;

use super::access::TreeAccess;
use super::backup::{Step, back_up, conclude};
use super::batched::BatchedUpdates;
use super::node_statistics::NodeStatistics;
use super::playout::{Playout, UniformPlayout};
use super::tree::{Node, ROOT, Tree};
use super::tree_policy::{Leaf, TreePolicy};
use super::{Mcts, Params, WhenFull};
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
