//! A game as the browser knows it, and the position it leads to.

use crate::moves::{MoveKind, MoveView};
use crate::problem::Problem;
use diagram::{Drawn, Material, Options, Tile, Tone};
use engine::{BoardOptions, OptionKind, Playable};
pub use registry::GameName;
use registry::with_game;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The name of a game in the description of the interface.
pub struct Name;

impl PartialSchema for Name {
    fn schema() -> RefOr<Schema> {
        let names = GameName::ALL.iter().map(|game| game.name());
        let object = ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(names))
            .description(Some("The games."));
        object.into()
    }
}

impl ToSchema for Name {
    fn name() -> std::borrow::Cow<'static, str> {
        "GameName".into()
    }
}

/// A board and the rules: values by the names of the options that `/api/games` lists for the game.
/// What is not given has the default of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board(pub BoardOptions);

impl Board {
    /// The board as the engines ask for it.
    pub fn options(&self) -> BoardOptions {
        self.0.clone()
    }
}

/// The kind of an option, whichever game has it.
fn kind(name: &str) -> Option<OptionKind> {
    let options = registry::options().into_iter();
    let mut named = options.filter(|(option, _)| option.name == name);
    named.next().map(|(option, _)| option.kind)
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |(name, text): (&str, &str)| {
            let value = match kind(name) {
                Some(OptionKind::Switch) => Value::from(text == "yes"),
                Some(OptionKind::Number(_)) => text
                    .parse::<u32>()
                    .map_or_else(|_| text.into(), Value::from),
                _ => Value::from(text),
            };
            (name.to_owned(), value)
        };
        serializer.collect_map(self.0.iter().map(value))
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut options = BoardOptions::default();
        for (name, value) in BTreeMap::<String, Value>::deserialize(deserializer)? {
            let read = registry::option_value(&name, &value).map_err(D::Error::custom)?;
            if let Some(value) = read {
                options = options.with(name, value);
            }
        }
        Ok(Board(options))
    }
}

impl PartialSchema for Board {
    fn schema() -> RefOr<Schema> {
        let about = "A board and the rules. What is not given has the default of the game.";
        let mut object = ObjectBuilder::new().description(Some(about));
        for (option, _) in registry::options() {
            let kind = match option.kind {
                OptionKind::Text(_) => Type::String,
                OptionKind::Number(_) => Type::Integer,
                OptionKind::Switch => Type::Boolean,
            };
            let property = ObjectBuilder::new()
                .schema_type(kind)
                .description(Some(registry::meaning(option.name)));
            object = object.property(option.name, property);
        }
        object.into()
    }
}

impl ToSchema for Board {
    fn name() -> std::borrow::Cow<'static, str> {
        "Board".into()
    }
}

/// A game: a board, and the moves played on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameState {
    /// Which game.
    #[schema(value_type = Name)]
    pub game: GameName,
    /// Which board.
    #[serde(default)]
    pub board: Board,
    /// The moves from the start, in the dialect.
    #[serde(default)]
    pub moves: Vec<String>,
    /// How Havannah's cells are numbered: `grid` (the default) or `row`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
}

/// More moves than any game has.
const LONGEST: usize = 2_000;

impl GameState {
    /// The dialect of the moves.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub fn dialect<G: Playable>(&self) -> Result<G::Dialect, Problem> {
        match &self.dialect {
            None => Ok(G::Dialect::default()),
            Some(name) => G::dialect(name).ok_or_else(|| {
                Problem::bad_request(format!("{} has no dialect {name:?}", G::NAME))
            }),
        }
    }

    /// The position before the first move.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn start<G: Playable>(&self) -> Result<G, Problem> {
        let start = G::start(&self.board.options()).map_err(Problem::bad_request)?;
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        Ok(start.admitting(&moves))
    }

    /// The moves, read and found legal, and the position after them.
    ///
    /// # Errors
    /// If a move is not legal, or there is no such board.
    pub fn played<G: Playable>(&self) -> Result<(Vec<G::Move>, G), Problem> {
        if self.moves.len() > LONGEST {
            return Err(Problem::bad_request("the game has too many moves"));
        }
        let dialect = self.dialect::<G>()?;
        let mut position: G = self.start()?;
        let mut moves = Vec::with_capacity(self.moves.len());
        for (text, ply) in self.moves.iter().zip(1..) {
            let wrong =
                |why: &dyn std::fmt::Display| Problem::bad_request(format!("move {ply}: {why}"));
            let mv = position
                .parse_move(text, dialect)
                .map_err(|why| wrong(&why))?;
            position.try_play(mv).map_err(|why| wrong(&why))?;
            moves.push(mv);
        }
        Ok((moves, position))
    }
}

/// The position after the moves of a game, as an SVG picture.
///
/// # Errors
/// If a move is not legal, or there is no such board.
pub fn picture(state: &GameState) -> Result<String, Problem> {
    with_game!(state.game, G => {
        let (_, position) = state.played::<G>()?;
        let options = Options {
            highlighted: position.winning_cells(),
            ..Options::default()
        };
        Ok(position.svg(state.dialect::<G>()?, &options))
    })
}

/// A position, with all that is needed to draw it and to play on.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PositionView {
    /// The game and the board, in words.
    pub name: String,
    /// Whose turn it is, or how the game has ended, as a sentence.
    pub state: String,
    /// Whose turn it is: `white` or `black`.
    pub to_move: String,
    /// `white`, `black` or `draw`; absent while the game goes on.
    pub outcome: Option<String>,
    /// What the last move completed: `fork`, `bridge` or `ring`.
    pub structure: Option<String>,
    /// The distance between the middles of neighbouring cells.
    pub pitch: f64,
    /// What the board is made of: `wood` or `lava`.
    pub material: &'static str,
    /// The corners of the board: the middles of its outermost cells.
    pub slab: Vec<Place>,
    /// How far the board reaches beyond them on all sides.
    pub border: f64,
    /// The corners of a cell, relative to its middle.
    pub outline: Vec<Place>,
    /// The cells.
    pub cells: Vec<CellView>,
    /// Parts of the border that belong to a side, in games in which that matters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Border>,
    /// What is written round the board.
    pub coordinates: Vec<Coordinate>,
    /// The cells where the last move began and ended.
    pub last: Vec<String>,
    /// The cells of the structure that has won.
    pub winning: Vec<String>,
    /// The legal moves.
    pub legal: Vec<MoveView>,
    /// The moves that led here.
    pub played: Vec<PlayedMove>,
}

/// A move that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayedMove {
    /// Who made it: `white` or `black`.
    pub side: String,
    /// What it did.
    pub kind: MoveKind,
}

/// A place on the drawing: to the right, and down.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Place {
    x: f64,
    y: f64,
}

/// A cell.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CellView {
    /// Its name in the dialect.
    pub name: String,
    x: f64,
    y: f64,
    /// `white` or `black`, if there is a stone.
    pub stone: Option<String>,
    /// The number of the move that brought the stone here, from 1; absent for a stone that never moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Its shade: `plain`, `edge` or `corner`.
    pub tone: &'static str,
}

/// A part of the border.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Border {
    /// Whose it is: `white` or `black`.
    pub side: String,
    /// Where it runs.
    pub points: Vec<Place>,
}

/// A letter or a number beside the board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Coordinate {
    x: f64,
    y: f64,
    text: String,
}

fn places(points: &[diagram::Point]) -> Vec<Place> {
    points.iter().map(|at| Place { x: at.x, y: at.y }).collect()
}

impl PositionView {
    /// The position after the moves of a game.
    ///
    /// # Errors
    /// If a move is not legal, or there is no such board.
    pub fn after(state: &GameState) -> Result<PositionView, Problem> {
        fn view<G: Playable>(state: &GameState) -> Result<PositionView, Problem> {
            let (moves, position) = state.played::<G>()?;
            let dialect = state.dialect::<G>()?;
            let mut view = PositionView::of(&position, dialect);
            view.number(state.start::<G>()?, &moves, dialect);
            Ok(view)
        }
        with_game!(state.game, G => view::<G>(state))
    }

    /// Says who made the moves that led here, and which of them brought each stone where it is.
    fn number<G: Playable>(&mut self, start: G, moves: &[G::Move], dialect: G::Dialect) {
        let mut position = start;
        let mut numbers = HashMap::new();
        for (&mv, number) in moves.iter().zip(1..) {
            let MoveView { kind, cells, .. } = MoveView::new(&position, mv, dialect);
            self.played.push(PlayedMove {
                side: position.to_move().to_string(),
                kind,
            });
            if let [from, _] = cells.as_slice() {
                numbers.remove(from);
            }
            if let Some(last) = cells.into_iter().next_back() {
                numbers.insert(last, number);
            }
            position.play(mv);
        }
        for cell in &mut self.cells {
            if cell.stone.is_some() {
                cell.number = numbers.get(&cell.name).copied();
            }
        }
    }

    /// The view of a position, without the moves that led to it.
    fn of<G: Playable>(position: &G, dialect: G::Dialect) -> PositionView {
        let scene = position.scene(dialect);
        let name = |cell: &G::Cell| {
            let tile: Option<&Tile<G::Cell>> = scene.tile(cell);
            tile.map(|tile| tile.name.clone())
        };
        let mut last: Vec<String> = scene
            .last
            .iter()
            .flat_map(|(from, to)| [name(from), name(to)])
            .flatten()
            .collect();
        last.dedup();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        PositionView {
            state: scene.state.clone(),
            to_move: position.to_move().to_string(),
            outcome: position.outcome().map(|outcome| outcome.to_string()),
            structure: position.structure(),
            pitch: diagram::PITCH,
            material: match scene.material {
                Material::Wood => "wood",
                Material::Lava => "lava",
            },
            slab: places(&scene.slab),
            border: diagram::BORDER * diagram::PITCH,
            outline: places(&scene.outline),
            sides: scene
                .sides
                .iter()
                .map(|(side, points)| Border {
                    side: side.to_string(),
                    points: places(points),
                })
                .collect(),
            coordinates: scene
                .coordinates
                .iter()
                .map(|(at, text)| Coordinate {
                    x: at.x,
                    y: at.y,
                    text: text.clone(),
                })
                .collect(),
            last,
            winning: position.winning_cells().iter().filter_map(name).collect(),
            legal: legal
                .into_iter()
                .map(|mv| MoveView::new(position, mv, dialect))
                .collect(),
            played: Vec::new(),
            cells: scene
                .tiles
                .iter()
                .map(|tile| CellView {
                    name: tile.name.clone(),
                    x: tile.centre.x,
                    y: tile.centre.y,
                    stone: tile.stone.map(|side| side.to_string()),
                    number: None,
                    tone: match tile.tone {
                        Tone::Plain => "plain",
                        Tone::Edge => "edge",
                        Tone::Corner => "corner",
                    },
                })
                .collect(),
            name: scene.name,
        }
    }
}
