//! Writing games as SGF.

use crate::record::Record;
use engine::{BoardOptions, Playable};
use game::{Outcome, Side};
use sgf::{NodeId, Tree};

/// The game as an SGF tree: the root says the game, the board, the rules, the dialect and the result;
/// each move is a node on the main line.
pub fn to_sgf<G: Playable>(record: &Record<G>) -> Tree {
    let mut tree = Tree::new();
    tree.set(NodeId::ROOT, "FF", "4");
    tree.set(NodeId::ROOT, "GM", G::NAME);
    for (name, value) in root_properties::<G>(&record.options, record.dialect) {
        tree.set(NodeId::ROOT, name, value.as_str());
    }
    let resigned = if record.resigned.is_some() { "R" } else { "" };
    let result = match record.winner() {
        Some(Outcome::Win(Side::White)) => Some(format!("W+{resigned}")),
        Some(Outcome::Win(Side::Black)) => Some(format!("B+{resigned}")),
        Some(Outcome::Draw) => Some("0".to_owned()),
        None => None,
    };
    if let Some(result) = result {
        tree.set(NodeId::ROOT, "RE", result.as_str());
    }
    let mut node = NodeId::ROOT;
    let mut position = record.start.clone();
    for &mv in &record.moves {
        node = tree.add_child(node);
        let text = position.write_move(mv, record.dialect);
        tree.set(node, property_of(position.to_move()), text.as_str());
        position.play(mv);
    }
    if let Some(side) = record.resigned {
        node = tree.add_child(node);
        tree.set(node, property_of(side), "resign");
    }
    tree
}

/// The properties of the root that say the board, the rules and the dialect.
pub fn root_properties<G: Playable>(
    options: &BoardOptions,
    dialect: G::Dialect,
) -> Vec<(&'static str, String)> {
    let mut properties = G::record_properties(options);
    if let Some(name) = G::dialect_name(dialect) {
        properties.insert(1, ("DIALECT", name.to_owned()));
    }
    properties
}

/// The property that holds a side's move.
const fn property_of(side: Side) -> &'static str {
    match side {
        Side::White => "W",
        Side::Black => "B",
    }
}
