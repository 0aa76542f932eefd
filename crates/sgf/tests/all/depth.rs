//! Long games and deep trees, on the small stack of a test thread.

use sgf::{Collection, NodeId, Tree, read};

const DEEP: usize = 100_000;

/// A tree which, written, has as many parentheses open as half its depth.
fn comb() -> Tree {
    let mut tree = Tree::new();
    let mut last = NodeId::ROOT;
    for _ in 0..DEEP {
        let side = tree.add_child(last);
        tree.set(side, "B", "a1");
        last = tree.add_child(last);
        tree.set(last, "W", "b2");
    }
    tree
}

fn written_and_read(tree: &Tree) -> Collection {
    read(tree.to_string().as_bytes()).expect("reads")
}

#[test]
fn a_long_game() {
    let mut tree = Tree::new();
    let mut last = NodeId::ROOT;
    for _ in 0..DEEP {
        last = tree.add_child(last);
        tree.set(last, "B", "a1");
    }
    assert_eq!(tree.main_line().count(), DEEP + 1);
    assert_eq!(written_and_read(&tree).trees, [tree]);
}

#[test]
fn deep_variations() {
    let tree = comb();
    let read = written_and_read(&tree).trees.pop().expect("a game");
    assert_eq!(read.nodes().count(), 2 * DEEP + 1);
    assert_eq!(read, tree);
    assert_eq!(read.clone(), tree);
}

#[test]
fn deep_nesting_of_lone_variations() {
    let text = "(;A[]".repeat(DEEP) + &")".repeat(DEEP);
    let games = read(text.as_bytes()).expect("reads");
    assert_eq!(games.trees[0].main_line().count(), DEEP);
    assert_eq!(written_and_read(&games.trees[0]), games);
}

#[test]
fn many_variations_of_one_node() {
    let mut tree = Tree::new();
    for _ in 0..DEEP {
        tree.add_child(NodeId::ROOT);
    }
    assert_eq!(tree.root().children().count(), DEEP);
    assert_eq!(written_and_read(&tree).trees, [tree]);
}

#[test]
fn deep_mistakes() {
    for text in ["(", "(;", "((((;", "(;A[", "[", "\\", "(;CA["] {
        assert!(read(text.repeat(DEEP).as_bytes()).is_err());
    }
    assert!(read(")".repeat(DEEP).as_bytes()).is_err());
    assert!(read(("(;A[]".repeat(DEEP) + ")").as_bytes()).is_err());
}
