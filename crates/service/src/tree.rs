//! Games with variations and comments: read from files, and written as SGF.

use crate::position::{Board, GameName, GameState};
use crate::problem::Problem;
use engine::Playable;
use game::{Game, Outcome, Side};
use record::{RawGame, Record};
use registry::with_game;
use serde::{Deserialize, Serialize};
use sgf::{Node, NodeId, Property, Tree, Value, is_identifier};
use utoipa::ToSchema;

/// A game with its variations.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameTree {
    /// The game, the board and the dialect; no moves.
    pub state: GameState,
    /// Who played White.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// Who played Black.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// The result as it is written in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// What else the file says of the game: event, date, and all that is not known here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<FileProperty>,
    /// What was left out because it is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The nodes: the first is the start of the game, and each other one comes after its parent. The
    /// first child of a node is the main line.
    pub nodes: Vec<TreeNode>,
}

/// A move in a game with variations.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeNode {
    /// The place of the position before it among the nodes; absent for the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// The move; absent for the start.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// What is said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Who resigned after it: `white` or `black`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<String>,
    /// What else the file says of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<FileProperty>,
}

/// A property of an SGF file that means nothing here and is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FileProperty {
    /// Its identifier, such as `EV`.
    pub name: String,
    /// Its values as they stand between the brackets.
    pub values: Vec<String>,
}

impl FileProperty {
    /// The properties of a node, without those that have another place here.
    fn kept(node: Node<'_>, known: &[&str]) -> impl Iterator<Item = FileProperty> {
        let properties = node.properties().iter();
        let kept = properties.filter(|property| !known.iter().any(|name| property.is(name)));
        kept.map(FileProperty::of)
    }

    fn of(property: &Property) -> FileProperty {
        let raw = |value: &Value| value.raw().to_owned();
        FileProperty {
            name: property.identifier().to_owned(),
            values: property.values().iter().map(raw).collect(),
        }
    }

    /// The property as a file has it.
    fn written(&self) -> Result<Property, Problem> {
        let wrong = || Problem::bad_request(format!("{:?} is not a property of SGF", self.name));
        if !is_identifier(&self.name) || self.values.is_empty() {
            return Err(wrong());
        }
        let values = self.values.iter().map(|raw| Value::from_raw(raw.as_str()));
        let values: Option<Vec<Value>> = values.collect();
        Ok(Property::new(&self.name, values.ok_or_else(wrong)?))
    }
}

/// Properties of a root that have another place in a [`GameTree`], or are written anew.
const OF_ROOT: [&str; 12] = [
    "FF", "GM", "SZ", "DIALECT", "SU", "CA", "PW", "PB", "RE", "AB", "AW", "PL",
];

/// Properties of a node that have another place in a [`TreeNode`].
const OF_NODE: [&str; 3] = ["W", "B", "C"];

/// The move of a node, and the position after it.
type Reached<G> = (Option<<G as Game>::Move>, G);

/// More nodes than a file has that people look at.
const MOST_NODES: usize = 10_000;

/// The games of a file in any of the formats, with their variations.
///
/// # Errors
/// If the file cannot be read.
pub fn read(bytes: &[u8]) -> Result<Vec<GameTree>, Problem> {
    let games = record::read(bytes).map_err(Problem::bad_request)?;
    games.iter().map(of_game).collect()
}

fn of_game(raw: &RawGame) -> Result<GameTree, Problem> {
    let game = GameName::of_file(raw.game()).map_err(Problem::bad_request)?;
    with_game!(game, G => replayed::<G>(game, raw))
}

fn replayed<G: Playable>(game: GameName, raw: &RawGame) -> Result<GameTree, Problem> {
    let record: Record<G> = raw.replay(None).map_err(Problem::bad_request)?;
    let state = GameState {
        game,
        board: Board(record.options_admitting()),
        moves: Vec::new(),
        dialect: G::dialect_name(record.dialect).map(str::to_owned),
    };
    of_record(state, &record)
}

fn of_record<G: Playable>(state: GameState, record: &Record<G>) -> Result<GameTree, Problem> {
    let tree = record.source.as_ref();
    let text = |name: &str| tree.and_then(|tree| Some(tree.root().simple_text(name)?.into_owned()));
    let mut read = GameTree {
        state,
        white: text("PW"),
        black: text("PB"),
        result: text("RE"),
        properties: tree.map_or_else(Vec::new, |tree| {
            let known = [&OF_ROOT[..], &OF_NODE].concat();
            FileProperty::kept(tree.root(), &known).collect()
        }),
        faults: record
            .fault
            .iter()
            .map(ToString::to_string)
            .chain(contradiction(record))
            .collect(),
        nodes: vec![TreeNode::default()],
    };
    match tree {
        Some(tree) if tree.len() <= MOST_NODES => read.add_variations(record, tree),
        Some(_) => return Err(Problem::bad_request("the file has more than 10,000 moves")),
        None => read.add_line(record),
    }
    Ok(read)
}

/// What is wrong with the result that a file claims.
fn contradiction<G: Playable>(record: &Record<G>) -> Option<String> {
    let (claimed, winner) = record.claimed.zip(record.winner())?;
    let says = |outcome: Outcome| match outcome {
        Outcome::Win(side) => format!("{side} won"),
        Outcome::Draw => "the game is drawn".to_owned(),
    };
    (claimed != winner).then(|| {
        format!(
            "the file says that {}, but by its moves {}",
            says(claimed),
            says(winner)
        )
    })
}

impl GameTree {
    /// The moves of a game without variations.
    fn add_line<G: Playable>(&mut self, record: &Record<G>) {
        let mut position = record.start.clone();
        for &mv in &record.moves {
            self.nodes.push(TreeNode {
                parent: Some(self.nodes.len() - 1),
                mv: Some(position.write_move(mv, record.dialect)),
                ..TreeNode::default()
            });
            position.play(mv);
        }
        if let (Some(last), Some(side)) = (self.nodes.last_mut(), record.resigned) {
            last.resigned = Some(side.to_string());
        }
    }

    /// The moves of a tree, as far as they are legal.
    fn add_variations<G: Playable>(&mut self, record: &Record<G>, tree: &Tree) {
        // Nodes of the file that are still to be read, with the place of the last one here that has a
        // move, and the position there.
        let mut waiting = vec![(tree.root(), 0, record.start.clone())];
        while let Some((node, mut place, mut position)) = waiting.pop() {
            let moves = [("W", Side::White), ("B", Side::Black)];
            let moves = moves.map(|(name, side)| (node.simple_text(name), side));
            for (text, side) in moves {
                let Some(text) = text else { continue };
                let text = text.trim();
                if text.is_empty() {
                    continue;
                }
                if text.eq_ignore_ascii_case("resign") {
                    if let Some(here) = self.nodes.get_mut(place) {
                        here.resigned = Some(side.to_string());
                    }
                    continue;
                }
                let read = position.parse_move(text, record.dialect).ok();
                let Some(mv) = read.filter(|&mv| position.check(mv).is_ok()) else {
                    let fault = format!("left out after move {}: {text:?}", position.ply());
                    if self.faults.len() < 10 && record.fault.is_none() {
                        self.faults.push(fault);
                    }
                    place = usize::MAX;
                    break;
                };
                self.nodes.push(TreeNode {
                    parent: Some(place),
                    mv: Some(position.write_move(mv, record.dialect)),
                    ..TreeNode::default()
                });
                place = self.nodes.len() - 1;
                position.play(mv);
            }
            let Some(here) = self.nodes.get_mut(place) else {
                continue;
            };
            if let Some(comment) = node.text("C") {
                // Nodes without a move of their own belong to the one before.
                here.comment = Some(match here.comment.take() {
                    Some(before) => format!("{before}\n{comment}"),
                    None => comment.into_owned(),
                });
            }
            if node.parent().is_some() {
                here.properties.extend(FileProperty::kept(node, &OF_NODE));
            }
            let children: Vec<_> = node.children().collect();
            let children = children.into_iter().rev();
            waiting.extend(children.map(|child| (child, place, position.clone())));
        }
    }

    /// The game as SGF.
    ///
    /// # Errors
    /// If a move is not legal, or a property is none of SGF.
    pub fn to_sgf(&self) -> Result<String, Problem> {
        with_game!(self.state.game, G => self.write::<G>())
    }

    /// The same game with its moves in another dialect.
    ///
    /// # Errors
    /// If there is no such dialect, or a move is not legal.
    pub fn in_dialect(mut self, dialect: &str) -> Result<GameTree, Problem> {
        fn translated<G: Playable>(tree: &mut GameTree, name: &str) -> Result<(), Problem> {
            let dialect = G::dialect(name);
            let dialect = dialect.ok_or_else(|| no_dialect(G::NAME, name))?;
            let positions = tree.positions::<G>()?;
            let from = tree.state.dialect::<G>()?;
            for node in &mut tree.nodes {
                for property in &mut node.properties {
                    let translated = record::translated_marks(
                        &property.written()?,
                        &positions[0].1,
                        from,
                        dialect,
                    );
                    if let Some(translated) = translated {
                        *property = FileProperty::of(&translated);
                    }
                }
            }
            for place in 1..tree.nodes.len() {
                let before = tree.nodes[place].parent.unwrap_or_default();
                let (mv, _) = &positions[place];
                let text = mv.map(|mv| positions[before].1.write_move(mv, dialect));
                tree.nodes[place].mv = text;
            }
            tree.state.dialect = Some(name.to_owned());
            Ok(())
        }
        with_game!(self.state.game, G => translated::<G>(&mut self, dialect))?;
        Ok(self)
    }

    /// What each node leads to.
    fn positions<G: Playable>(&self) -> Result<Vec<Reached<G>>, Problem> {
        let wrong = |place: usize, why: &dyn std::fmt::Display| {
            Problem::bad_request(format!("node {place}: {why}"))
        };
        if self.nodes.is_empty() || self.nodes.len() > MOST_NODES {
            let why = format!("a game has from 1 to {MOST_NODES} nodes");
            return Err(Problem::bad_request(why));
        }
        let dialect = self.state.dialect::<G>()?;
        let start = G::start(&self.state.board.options()).map_err(Problem::bad_request)?;
        let texts = self.nodes.iter().filter_map(|node| node.mv.as_deref());
        let start = start.admitting(&texts.collect::<Vec<_>>());
        let mut positions: Vec<Reached<G>> = Vec::with_capacity(self.nodes.len());
        for (place, node) in self.nodes.iter().enumerate() {
            positions.push(match (node.parent, &node.mv) {
                (None, None) if place == 0 => (None, start.clone()),
                (Some(parent), Some(text)) if parent < place => {
                    let mut position = positions[parent].1.clone();
                    let mv = position.parse_move(text, dialect);
                    let mv = mv.map_err(|why| wrong(place, &why.reason))?;
                    position.try_play(mv).map_err(|why| wrong(place, &why))?;
                    (Some(mv), position)
                }
                _ => {
                    let why = "expected a move, and a parent that stands before it";
                    return Err(wrong(place, &why));
                }
            });
        }
        Ok(positions)
    }

    fn write<G: Playable>(&self) -> Result<String, Problem> {
        let positions = self.positions::<G>()?;
        let dialect = self.state.dialect::<G>()?;
        let mut tree = Tree::new();
        for property in &self.properties {
            tree.properties_mut(NodeId::ROOT).push(property.written()?);
        }
        record::describe::<G>(&mut tree, &self.state.board.options(), dialect, None);
        for (name, value) in [
            ("PW", &self.white),
            ("PB", &self.black),
            ("RE", &self.result),
        ] {
            if let Some(value) = value {
                tree.set(NodeId::ROOT, name, value.as_str());
            }
        }
        let mut written = vec![NodeId::ROOT];
        for (place, node) in self.nodes.iter().enumerate() {
            if let (Some(parent), Some(text)) = (node.parent, &node.mv) {
                let name = match positions[parent].1.to_move() {
                    Side::White => "W",
                    Side::Black => "B",
                };
                let id = tree.add_child(written[parent]);
                tree.set(id, name, text.as_str());
                written.push(id);
            }
            if let Some(comment) = &node.comment {
                tree.set(written[place], "C", comment.as_str());
            }
            for property in &node.properties {
                tree.properties_mut(written[place])
                    .push(property.written()?);
            }
        }
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some(side) = &node.resigned {
                let name = match side.as_str() {
                    "white" => "W",
                    "black" => "B",
                    _ => return Err(Problem::bad_request("who resigned is white or black")),
                };
                let id = tree.add_child(written[place]);
                tree.set(id, name, "resign");
            }
        }
        Ok(tree.to_string())
    }
}

fn no_dialect(game: &str, name: &str) -> Problem {
    Problem::bad_request(format!("{game} has no dialect {name:?}"))
}
