//! Writing games as SGF.

use crate::record::Record;
use crate::set_up;
use engine::{BoardOptions, Playable};
use game::{Outcome, Side};
use sgf::{NodeId, Property, Tree};

/// The game as an SGF tree: the root says the game, the board, the rules, the dialect and the result;
/// each move is a node on the main line. What the [source](Record::source) holds besides is left out.
pub fn to_sgf<G: Playable>(record: &Record<G>) -> Tree {
    let mut tree = Tree::new();
    describe::<G>(&mut tree, &record.options, record.dialect, record.winner());
    if record.resigned.is_some()
        && let Some(Outcome::Win(side)) = record.winner()
    {
        tree.set(NodeId::ROOT, "RE", format!("{}+R", property_of(side)));
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

/// The property that holds a side's move.
const fn property_of(side: Side) -> &'static str {
    match side {
        Side::White => "W",
        Side::Black => "B",
    }
}

/// Lets the root say the game, the board, the rules and the dialect. What it says already stays as it is,
/// except for the dialect and a swap rule that it lacks. A result is added where there is none.
pub fn describe<G: Playable>(
    tree: &mut Tree,
    options: &BoardOptions,
    dialect: G::Dialect,
    winner: Option<Outcome>,
) {
    let mut wanted = vec![("FF", "4".to_owned()), ("GM", G::NAME.to_owned())];
    let mut board = G::record_properties(options);
    if let Some(name) = G::dialect_name(dialect) {
        board.insert(1.min(board.len()), ("DIALECT", name.to_owned()));
    }
    wanted.extend(board);
    let result = match winner {
        Some(Outcome::Win(Side::White)) => Some("W+"),
        Some(Outcome::Win(Side::Black)) => Some("B+"),
        Some(Outcome::Draw) => Some("0"),
        None => None,
    };
    wanted.extend(result.map(|result| ("RE", result.to_owned())));
    // Where the next property goes that the root lacks.
    let mut place = 0;
    for (name, value) in wanted {
        let root = tree.root();
        let has_swap_rule =
            name == "RU" && G::recorded_swap_rule(&|name| root.simple_text(name).map(String::from));
        let properties = tree.properties_mut(NodeId::ROOT);
        match properties.iter().position(|property| property.is(name)) {
            None => {
                properties.insert(place, Property::new(name, [value]));
                place += 1;
            }
            Some(found) => {
                let known = properties[found].value().simple_text().into_owned();
                let replaced = match name {
                    "DIALECT" => Some(value),
                    "GM" | "RU" if known.trim().is_empty() => Some(value),
                    "RU" if value == "swap" && !has_swap_rule => Some(format!("{known},swap")),
                    _ => None,
                };
                if let Some(value) = replaced {
                    properties[found] = Property::new(name, [value]);
                }
                place = place.max(found + 1);
            }
        }
    }
    for property in set_up::properties::<G>(options, dialect) {
        let properties = tree.properties_mut(NodeId::ROOT);
        if !properties
            .iter()
            .any(|known| known.is(property.identifier()))
        {
            properties.insert(place.min(properties.len()), property);
            place += 1;
        }
    }
}
