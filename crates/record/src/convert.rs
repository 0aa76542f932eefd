//! Games written in another form or dialect, with all that their files hold.

use crate::record::{Fault, Record};
use crate::write::{describe, to_sgf};
use engine::{Playable, SetUp};
use sgf::{Collection, NodeId, Property, Tree, Value};
use thiserror::Error;

/// The form of a file with games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// SGF, FF\[4\].
    Sgf,
    /// Little Golem's form of SGF: cells in capitals and in the dialect of
    /// [`little_golem`](Playable::little_golem), no `GM`.
    Hgf,
    /// A plain list of moves: the main line of one game, and nothing else.
    List,
}

/// Why games cannot be written in a form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConvertError {
    /// A move that has to be translated is not legal.
    #[error("{0}: only legal moves can be written in another form or dialect")]
    Fault(Fault),
    /// Little Golem has no files of this game.
    #[error("it is a game of {0}, of which there is no HGF")]
    NoHgf(&'static str),
    /// HGF has one dialect.
    #[error("HGF is written in the {0} dialect")]
    DialectOfHgf(&'static str),
    /// A list is one game.
    #[error("a list holds one game, and these are {0}: write SGF")]
    SeveralGames(usize),
    /// A list begins at the start of a game.
    #[error("a list has no place for a position that is set up: write SGF")]
    SetUp,
}

/// A game in a form.
#[derive(Clone, Debug)]
pub enum Converted {
    /// A list of moves.
    List(String),
    /// SGF or HGF.
    Tree(Tree),
}

/// The text of a file with these games.
///
/// # Errors
/// If there are several, of which one is a list.
pub fn collection(games: Vec<Converted>) -> Result<String, ConvertError> {
    let count = games.len();
    let mut collection = Collection::default();
    for game in games {
        match game {
            Converted::List(list) if count == 1 => return Ok(list),
            Converted::List(_) => return Err(ConvertError::SeveralGames(count)),
            Converted::Tree(tree) => collection.trees.push(tree),
        }
    }
    Ok(collection.to_string())
}

/// A game in a form. Without a `dialect` SGF and lists keep that of the game, and HGF has its own.
///
/// SGF and HGF keep what the game's own file holds: variations, comments, and all properties, known or not.
/// Cells in the standard's properties for marks (`TR`, `LB`, `CR` and so on) are translated with the moves.
///
/// # Errors
/// See [`ConvertError`].
pub fn converted<G: Playable>(
    record: &Record<G>,
    form: Form,
    dialect: Option<G::Dialect>,
) -> Result<Converted, ConvertError> {
    let dialect = match form {
        Form::Sgf | Form::List => dialect.unwrap_or(record.dialect),
        Form::Hgf => {
            let own = G::little_golem().ok_or(ConvertError::NoHgf(G::NAME))?;
            if dialect.is_some_and(|asked| asked != own) {
                let name = G::dialect_name(own).unwrap_or_default();
                return Err(ConvertError::DialectOfHgf(name));
            }
            own
        }
    };
    let stays = record.source.is_some() && form == Form::Sgf && dialect == record.dialect;
    if let (Some(fault), false) = (&record.fault, stays) {
        return Err(ConvertError::Fault(fault.clone()));
    }
    if form == Form::List {
        if record.options.get(SetUp::STONES.name).is_some() {
            return Err(ConvertError::SetUp);
        }
        return Ok(Converted::List(list(record, dialect)));
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
        translate(&mut tree, record, &write).map_err(ConvertError::Fault)?;
    }
    describe::<G>(&mut tree, &record.options, dialect, record.winner());
    if form == Form::Hgf {
        tree.remove(NodeId::ROOT, "GM");
        tree.remove(NodeId::ROOT, "DIALECT");
        tree.set(NodeId::ROOT, "RU", "LG");
        let root = tree.root();
        let says_swap = G::recorded_swap_rule(&|name| root.simple_text(name).map(String::from));
        if record.options.has("swap") && !says_swap {
            tree.set(NodeId::ROOT, "RU", "LG,swap");
        }
    }
    Ok(Converted::Tree(tree))
}

/// The main line of a game as a list, two moves a line.
fn list<G: Playable>(record: &Record<G>, dialect: G::Dialect) -> String {
    let mut board = G::listed_words(&record.options);
    if let Some(name) = G::dialect_name(dialect) {
        board.insert(1.min(board.len()), name.to_owned());
    }
    let mut text = format!("{} {}\n", G::NAME, board.join(" "));
    let mut moves = record.moves_in(dialect);
    moves.extend(record.resigned.map(|_| "resign".to_owned()));
    for (pair, number) in moves.chunks(2).zip(1..) {
        text += &format!("{number}. {}\n", pair.join(" "));
    }
    text
}

/// The standard's properties whose values are cells, or begin with one: marks, and stones that are set up.
const MARKS: [&str; 14] = [
    "AB", "AR", "AW", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW",
];

/// Writes every move of a tree anew, and the cells of its marks.
fn translate<G: Playable>(
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
pub fn translated_marks<G: Playable>(
    property: &Property,
    start: &G,
    from: G::Dialect,
    to: G::Dialect,
) -> Option<Property> {
    marks(property, start, from, &|position, mv| {
        position.write_move(mv, to)
    })
}

fn marks<G: Playable>(
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
