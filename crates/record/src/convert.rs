//! Games written in another form or dialect, with all that their files hold.

use crate::any::AnyRecord;
use crate::list;
use crate::record::{Fault, Record};
use crate::recorded::Recorded;
use crate::write::{describe, to_sgf};
use havannah::Dialect;
use sgf::{Collection, NodeId, Property, Tree, Value};
use thiserror::Error;

/// The form of a file with games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// SGF, FF\[4\].
    Sgf,
    /// Little Golem's form of SGF for Havannah: cells in capitals and in the row dialect, no `GM`.
    Hgf,
    /// A plain list of moves: the main line of one game, and nothing else.
    List,
}

/// Why games cannot be written in a form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConvertError {
    /// A move that has to be translated is not legal.
    #[error("game {game}: {fault}: only legal moves can be written in another form or dialect")]
    Fault {
        /// The place of the game in its file, from 1.
        game: usize,
        /// The move, and what is wrong with it.
        fault: Fault,
    },
    /// Only Havannah has dialects and HGF.
    #[error("game {game} is Kōnane, which has one dialect and no HGF")]
    OnlyHavannah {
        /// The place of the game in its file, from 1.
        game: usize,
    },
    /// HGF has one dialect.
    #[error("HGF is written in the row dialect")]
    GridHgf,
    /// A list is one game.
    #[error("a list holds one game, and these are {0}: write SGF")]
    SeveralGames(usize),
}

/// The text of a file with these games. `dialect` is that of Havannah's moves; without it SGF and lists
/// keep the dialect of each game, and HGF is in the row dialect.
///
/// SGF and HGF keep what the games' own files hold: variations, comments, and all properties, known or not.
/// Cells in the standard's properties for marks (`TR`, `LB`, `CR` and so on) are translated with the moves.
///
/// # Errors
/// See [`ConvertError`].
pub fn convert(
    games: &[AnyRecord],
    form: Form,
    dialect: Option<Dialect>,
) -> Result<String, ConvertError> {
    if form == Form::List && games.len() != 1 {
        return Err(ConvertError::SeveralGames(games.len()));
    }
    if form == Form::Hgf && dialect == Some(Dialect::Grid) {
        return Err(ConvertError::GridHgf);
    }
    let mut text = String::new();
    let mut collection = Collection::default();
    for (record, game) in games.iter().zip(1..) {
        let faulty = |fault| ConvertError::Fault { game, fault };
        let written = match record {
            AnyRecord::Havannah(record) => {
                let kept = if form == Form::Hgf {
                    Dialect::Row
                } else {
                    record.dialect
                };
                written(record, form, dialect.unwrap_or(kept))
            }
            AnyRecord::Konane(_) if form == Form::Hgf || dialect.is_some() => {
                return Err(ConvertError::OnlyHavannah { game });
            }
            AnyRecord::Konane(record) => written(record, form, ()),
        };
        match written.map_err(faulty)? {
            Written::List(list) => text += &list,
            Written::Tree(tree) => collection.trees.push(tree),
        }
    }
    Ok(text + &collection.to_string())
}

/// A game in a form.
enum Written {
    List(String),
    Tree(Tree),
}

fn written<G: Recorded>(
    record: &Record<G>,
    form: Form,
    dialect: G::Dialect,
) -> Result<Written, Fault> {
    let stays = record.source.is_some() && form == Form::Sgf && dialect == record.dialect;
    if let (Some(fault), false) = (&record.fault, stays) {
        return Err(fault.clone());
    }
    if form == Form::List {
        return Ok(Written::List(list(record, dialect)));
    }
    let mut tree = match &record.source {
        Some(source) => source.clone(),
        None => to_sgf(record),
    };
    if !stays {
        let capitals = form == Form::Hgf;
        let write = |position: &G, mv| {
            let text = position.write_move(mv, dialect);
            match text.as_str() {
                "swap" => text,
                _ if capitals => text.to_ascii_uppercase(),
                _ => text,
            }
        };
        translate(&mut tree, record, &write)?;
    }
    describe::<G>(&mut tree, &record.options, dialect, record.winner());
    if form == Form::Hgf {
        tree.remove(NodeId::ROOT, "GM");
        tree.remove(NodeId::ROOT, "DIALECT");
        let swap = if record.options.swap { ",swap" } else { "" };
        tree.set(NodeId::ROOT, "RU", format!("LG{swap}"));
    }
    Ok(Written::Tree(tree))
}

/// The main line of a game as a list, two moves a line.
fn list<G: Recorded>(record: &Record<G>, dialect: G::Dialect) -> String {
    let mut position = record.start.clone();
    let mut words = Vec::with_capacity(record.moves.len() + 1);
    for &mv in &record.moves {
        words.push(position.write_move(mv, dialect));
        position.play(mv);
    }
    words.extend(record.resigned.map(|_| "resign".to_owned()));
    let mut text = list::heading(record, dialect) + "\n";
    for (pair, number) in words.chunks(2).zip(1..) {
        text += &format!("{number}. {}\n", pair.join(" "));
    }
    text
}

/// The standard's properties whose values are cells, or begin with one.
const MARKS: [&str; 12] = [
    "AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW",
];

/// Writes every move of a tree anew, and the cells of its marks.
fn translate<G: Recorded>(
    tree: &mut Tree,
    record: &Record<G>,
    write: &dyn Fn(&G, G::Move) -> String,
) -> Result<(), Fault> {
    let from = record.dialect;
    let texts: Vec<String> = tree
        .nodes()
        .flat_map(|node| ["W", "B"].map(|name| node.simple_text(name)))
        .flatten()
        .map(|text| text.trim().to_owned())
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let start = record.start.clone().admitting(&texts);
    let mut waiting = vec![(NodeId::ROOT, start.clone(), 0)];
    while let Some((id, mut position, mut ply)) = waiting.pop() {
        for property in tree.properties_mut(id) {
            if let Some(translated) = marks(property, &start, from, write) {
                *property = translated;
            }
        }
        for name in ["W", "B"] {
            let Some(text) = tree.node(id).simple_text(name) else {
                continue;
            };
            let text = text.trim().to_owned();
            if text.is_empty() || text.eq_ignore_ascii_case("resign") {
                continue;
            }
            ply += 1;
            let fault = |reason: String| Fault {
                ply,
                text: text.chars().take(40).collect(),
                reason,
            };
            let mv = position
                .parse_move(&text, from)
                .map_err(|why| fault(why.reason))?;
            let translated = write(&position, mv);
            position
                .try_play(mv)
                .map_err(|why| fault(why.to_string()))?;
            tree.set(id, name, translated);
        }
        let children: Vec<NodeId> = tree.node(id).children().map(sgf::Node::id).collect();
        let Some((&last, others)) = children.split_last() else {
            continue;
        };
        for &child in others {
            waiting.push((child, position.clone(), ply));
        }
        waiting.push((last, position, ply));
    }
    Ok(())
}

/// A property for marks (`TR`, `LB`, `CR` and so on) with its cells in another dialect; `None` for one that is
/// none. `start` is any position on the board.
pub fn translated_marks<G: Recorded>(
    property: &Property,
    start: &G,
    from: G::Dialect,
    to: G::Dialect,
) -> Option<Property> {
    marks(property, start, from, &|position, mv| {
        position.write_move(mv, to)
    })
}

fn marks<G: Recorded>(
    property: &Property,
    start: &G,
    from: G::Dialect,
    write: &dyn Fn(&G, G::Move) -> String,
) -> Option<Property> {
    if !MARKS.iter().any(|mark| property.is(mark)) {
        return None;
    }
    // What a cell is called does not depend on the position.
    let cell = |value: &Value| {
        let mv = start.parse_move(value.simple_text().trim(), from).ok()?;
        Some(Value::from(write(start, mv)))
    };
    let is_label = property.is("LB");
    let values = property.values().iter();
    let values = values.map(|value| marked(value, is_label, &cell));
    Some(Property::new(
        property.identifier(),
        values.collect::<Vec<_>>(),
    ))
}

/// A value of a mark with its cells translated: `d4`, `d4:e5`, or `d4:text` of a label.
fn marked(value: &Value, is_label: bool, cell: &dyn Fn(&Value) -> Option<Value>) -> Value {
    let translated = |value: &Value| cell(value).unwrap_or_else(|| value.clone());
    let Some((first, second)) = value.parts() else {
        return translated(value);
    };
    let first = translated(&first);
    let second = if is_label {
        second
    } else {
        translated(&second)
    };
    let raw = format!("{}:{}", first.raw(), second.raw());
    Value::from_raw(raw).unwrap_or_else(|| value.clone())
}
