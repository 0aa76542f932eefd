//! The protocol by which a node gets its children, with every order of events that the memory model
//! allows: `make loom`.

use super::access::TreeAccess;
use super::batched::BatchedUpdates;
use super::column::Column;
use super::node_statistics::NodeStatistics;
use super::tree::{ROOT, Tree};
use super::tree_policy::Leaf;
use game::{Outcome, Side};
use loom::sync::Arc;
use loom::thread;

const WON: Outcome = Outcome::Win(Side::White);

/// Three children, the second of them proven.
fn leaf() -> Leaf<u8> {
    let mut leaf = Leaf::default();
    leaf.push(7);
    leaf.push_end(8, WON);
    leaf.judge(f32::from);
    leaf
}

/// Gives the root children unless another thread does, and tells whether it did.
fn expand(tree: &Tree<u8>) -> bool {
    let claimed = tree.claim(ROOT);
    if claimed {
        tree.add_children(ROOT, &leaf()).expect("room");
    }
    claimed
}

/// Whoever sees children sees all of them.
fn look(tree: &Tree<u8>) {
    let link = tree.link(ROOT);
    if !link.is_expanded() {
        return;
    }
    let children: Vec<u32> = link.children().collect();
    assert_eq!(children.len(), 2);
    assert_eq!(tree.mv(children[0]), 7);
    assert_eq!(tree.mv(children[1]), 8);
    assert_eq!(tree.proven(children[0]), None);
    assert_eq!(tree.proven(children[1]), Some(WON));
    let mut shared = BatchedUpdates::new(tree);
    let (_, priors) = shared.siblings(link).priors.split();
    let priors = priors[..2].iter().map(|&prior| f32::from_bits(prior));
    let priors: Vec<f32> = priors.collect();
    assert_eq!(priors, [7.0, f32::NEG_INFINITY]);
}

#[test]
fn children_are_published_once_and_whole() {
    loom::model(|| {
        let tree = Arc::new(Tree::<u8>::new(0, false));
        let other = {
            let tree = tree.clone();
            thread::spawn(move || {
                let claimed = expand(&tree);
                look(&tree);
                claimed
            })
        };
        let claimed = expand(&tree);
        look(&tree);
        let by_other = other.join().expect("no panic");
        assert!(claimed != by_other, "one thread and only one expands");
        look(&tree);
        assert!(tree.link(ROOT).is_expanded());
        assert_eq!(tree.len(), 3);
    });
}

/// A proof that comes while the children are published neither loses them nor is lost.
#[test]
fn a_proof_and_children_do_not_lose_each_other() {
    loom::model(|| {
        let tree = Arc::new(Tree::<u8>::new(0, false));
        let other = {
            let tree = tree.clone();
            thread::spawn(move || {
                tree.prove(ROOT, WON, 3);
                look(&tree);
            })
        };
        assert!(expand(&tree));
        other.join().expect("no panic");
        look(&tree);
        let link = tree.link(ROOT);
        assert_eq!(
            (link.proven(), link.distance(), link.count()),
            (Some(WON), 3, 2)
        );
    });
}

/// One thread alone evaluates the node, and a child that is proven meanwhile stays so.
#[test]
fn an_evaluation_and_a_proof_do_not_lose_each_other() {
    loom::model(|| {
        let tree = Arc::new(Tree::<u8>::new(0, false));
        assert!(expand(&tree));
        let link = tree.link(ROOT);
        let child = link.first_child();
        let evaluate = move |tree: &Tree<u8>| {
            let claimed = tree.claim_evaluation(ROOT);
            if claimed {
                tree.add_to_priors(link, &[0.5, 0.5]);
            }
            claimed
        };
        let other = {
            let tree = tree.clone();
            thread::spawn(move || {
                tree.prove(child, WON, 3);
                evaluate(&tree)
            })
        };
        let claimed = evaluate(&tree);
        let by_other = other.join().expect("no panic");
        assert!(claimed != by_other, "one thread and only one evaluates");
        assert!(tree.link(ROOT).is_evaluated());
        assert_eq!(tree.proven(child), Some(WON));
        let mut shared = BatchedUpdates::new(&tree);
        let (_, priors) = shared.siblings(link).priors.split();
        for prior in &priors[..2] {
            assert_eq!(*prior, f32::NEG_INFINITY.to_bits());
        }
    });
}

/// No result of a simulation is lost, and what was assumed meanwhile is taken back.
#[test]
fn results_add_up() {
    loom::model(|| {
        let tree = Arc::new(Tree::<u8>::new(0, false));
        let lost = NodeStatistics::of(Outcome::Win(Side::Black), 2);
        let simulate = move |tree: &Tree<u8>| {
            BatchedUpdates::new(tree).add(ROOT, lost, NodeStatistics::default());
            assert!(tree.points(ROOT).visits >= 2);
            BatchedUpdates::new(tree).add(ROOT, NodeStatistics::of(WON, 1), lost);
        };
        let other = {
            let tree = tree.clone();
            thread::spawn(move || simulate(&tree))
        };
        simulate(&tree);
        other.join().expect("no panic");
        assert_eq!(tree.points(ROOT), NodeStatistics::of(WON, 2));
    });
}

/// Two threads that take room at the same moment get different rooms.
#[test]
fn rooms_do_not_overlap() {
    loom::model(|| {
        let tree = Arc::new(Tree::<u8>::new(0, false));
        let other = {
            let tree = tree.clone();
            thread::spawn(move || tree.arena.take(2).expect("room"))
        };
        let one = tree.arena.take(3).expect("room");
        let two = other.join().expect("no panic");
        assert!(one + 3 <= two || two + 2 <= one, "{one} {two}");
    });
}
