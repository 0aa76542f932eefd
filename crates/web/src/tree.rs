//! Games with variations and comments: read from files, and written as SGF.

use crate::error::Problem;
use crate::position::{Board, GameName, GameState};
use engine::Playable;
use game::{Game, Side};
use record::{RawGame, Record};
use registry::with_game;
use serde::{Deserialize, Serialize};
use sgf::{NodeId, Tree};
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
}

/// The move of a node, and the position after it.
type Reached<G> = (Option<<G as Game>::Move>, G);

/// More nodes than a file has that people look at.
const MOST_NODES: usize = 10_000;

/// The games of a file in any of the formats, with their variations.
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
        board: Board(record.options.clone()),
        moves: Vec::new(),
        dialect: G::dialect_name(record.dialect).map(str::to_owned),
    };
    of_record(state, &record, raw.tree())
}

fn of_record<G: Playable>(
    state: GameState,
    record: &Record<G>,
    tree: Option<&Tree>,
) -> Result<GameTree, Problem> {
    let text = |name: &str| tree.and_then(|tree| Some(tree.root().simple_text(name)?.into_owned()));
    let mut read = GameTree {
        state,
        white: text("PW"),
        black: text("PB"),
        result: text("RE"),
        faults: record.fault.iter().map(ToString::to_string).collect(),
        nodes: vec![TreeNode::default()],
    };
    match tree {
        Some(tree) if tree.len() <= MOST_NODES => read.add_variations(record, tree),
        Some(_) => return Err(Problem::bad_request("the file has more than 10,000 moves")),
        None => read.add_line(record),
    }
    Ok(read)
}

impl GameTree {
    /// The moves of a game without variations.
    fn add_line<G: Playable>(&mut self, record: &Record<G>) {
        let mut position = record.start.clone();
        for &mv in &record.moves {
            self.nodes.push(TreeNode {
                parent: Some(self.nodes.len() - 1),
                mv: Some(position.write_move(mv, record.dialect)),
                comment: None,
            });
            position.play(mv);
        }
    }

    /// The moves of a tree, as far as they are legal.
    fn add_variations<G: Playable>(&mut self, record: &Record<G>, tree: &Tree) {
        // Nodes of the file that are still to be read, with the place of the last one here that has a
        // move, and the position there.
        let mut waiting = vec![(tree.root(), 0, record.start.clone())];
        while let Some((node, mut place, mut position)) = waiting.pop() {
            let moves = ["W", "B"].iter().filter_map(|name| node.simple_text(name));
            for text in moves {
                let text = text.trim();
                if text.is_empty() || text.eq_ignore_ascii_case("resign") {
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
                    comment: None,
                });
                place = self.nodes.len() - 1;
                position.play(mv);
            }
            let Some(here) = self.nodes.get_mut(place) else {
                continue;
            };
            if let Some(comment) = node.text("C") {
                here.comment = Some(comment.into_owned());
            }
            let children: Vec<_> = node.children().collect();
            let children = children.into_iter().rev();
            waiting.extend(children.map(|child| (child, place, position.clone())));
        }
    }

    /// The game as SGF.
    pub fn to_sgf(&self) -> Result<String, Problem> {
        with_game!(self.state.game, G => self.write::<G>())
    }

    /// The same game with its moves in another dialect.
    pub fn in_dialect(mut self, dialect: &str) -> Result<GameTree, Problem> {
        fn translated<G: Playable>(tree: &mut GameTree, name: &str) -> Result<(), Problem> {
            let dialect = G::dialect(name);
            let dialect = dialect.ok_or_else(|| no_dialect(G::NAME, name))?;
            let positions = tree.positions::<G>()?;
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
        let mut set = |name: &str, value: &str| tree.set(NodeId::ROOT, name, value);
        set("FF", "4");
        set("GM", G::NAME);
        for (name, value) in record::root_properties::<G>(&self.state.board.options(), dialect) {
            set(name, &value);
        }
        for (name, value) in [
            ("PW", &self.white),
            ("PB", &self.black),
            ("RE", &self.result),
        ] {
            if let Some(value) = value {
                set(name, value);
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
        }
        Ok(tree.to_string())
    }
}

fn no_dialect(game: &str, name: &str) -> Problem {
    Problem::bad_request(format!("{game} has no dialect {name:?}"))
}
