//! Files with games, read as they stand.

use crate::dialect::{Start, replay_in_best};
use crate::record::{Record, Written};
use crate::set_up;
use engine::{BoardError, BoardOptions, Playable};
use game::{Outcome, Side};
use sgf::{Collection, Node, Tree};
use thiserror::Error;

/// A game of a file, before anybody looks at its moves under the rules.
#[derive(Clone, Debug)]
pub struct RawGame {
    game: Option<String>,
    board: Origin,
    moves: Vec<Written>,
    claimed: Option<Outcome>,
}

/// Where the board is said.
#[derive(Clone, Debug)]
enum Origin {
    /// In the root of a game tree.
    Tree(Tree),
    /// In the first line of a list.
    List(String),
}

/// Why a file gives no games.
#[derive(Debug, Error)]
pub enum ReadError {
    /// It begins like SGF and goes wrong.
    #[error(transparent)]
    Sgf(#[from] sgf::ReadError),
    /// There is no such board, or it is neither SGF nor a list of moves.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// It is about another game than the one that was asked for.
    #[error("it is a game of {0}")]
    OtherGame(String),
    /// It names no game, as files of Little Golem do, and is not about the one that was asked for.
    #[error("it names no game: {0} needs GM[{0}]")]
    Unnamed(&'static str),
}

const EXPECTED: &str = "expected an SGF file, or a list of moves whose first line is like \
                        `havannah 8` or `konane 6x8 centre`";

/// Reads the games of a file: SGF, HGF, or a list of moves.
///
/// # Errors
/// If the file has no games that can be read.
pub fn read(bytes: &[u8]) -> Result<Vec<RawGame>, ReadError> {
    let (text, _) = sgf::decode(bytes);
    if text.contains("(;") || text.trim_start().starts_with('(') {
        let collection: Collection = text.parse()?;
        return collection.trees.into_iter().map(of_tree).collect();
    }
    Ok(vec![of_list(&text)?])
}

/// The main line of a game tree.
fn of_tree(tree: Tree) -> Result<RawGame, ReadError> {
    let root = tree.root();
    let game = root.simple_text("GM").unwrap_or_default();
    let game = game.trim().to_ascii_lowercase();
    let moves = written_moves(&tree);
    let claimed = root.simple_text("RE").and_then(|result| claimed(&result));
    if root.property("AE").is_some() {
        let why =
            "the file takes stones off the first board (AE): say those that are there (AB, AW)";
        return Err(BoardError::of(why.to_owned()).into());
    }
    Ok(RawGame {
        game: (!game.is_empty()).then_some(game),
        moves,
        claimed,
        board: Origin::Tree(tree),
    })
}

/// A list: `havannah 8`, `havannah 8 row swap` or `konane 6x8 centre` on the first line, moves on the others.
/// `#` begins a comment.
fn of_list(text: &str) -> Result<RawGame, BoardError> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut lines = lines.filter(|line| !line.is_empty());
    let first = lines
        .next()
        .ok_or_else(|| BoardError::of(format!("the file is empty: {EXPECTED}")))?;
    let (game, _) = first
        .split_once(char::is_whitespace)
        .filter(|(game, _)| game.bytes().all(|byte| byte.is_ascii_lowercase()))
        .ok_or_else(|| names_no_board(first))?;
    let moves = lines.flat_map(engine::list_items).map(|text| Written {
        side: None,
        text: text.to_owned(),
    });
    Ok(RawGame {
        game: Some(game.to_owned()),
        moves: moves.collect(),
        claimed: None,
        board: Origin::List(first.to_owned()),
    })
}

fn names_no_board(first: &str) -> BoardError {
    BoardError::of(format!("{first:?} names no board: {EXPECTED}"))
}

impl RawGame {
    /// The name of the game, if the file has it.
    pub fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// The game under the rules. A `dialect` overrules what the file says of the writing of the moves;
    /// without one it is [found](Playable::recorded_dialects). A game with a wrong move is no error: it
    /// has a [fault](Record::fault).
    ///
    /// # Errors
    /// If the file is about another game, or there is no such board.
    pub fn replay<G: Playable>(&self, dialect: Option<G::Dialect>) -> Result<Record<G>, ReadError> {
        match &self.game {
            Some(name) if name != G::NAME => return Err(ReadError::OtherGame(name.clone())),
            None if G::little_golem().is_none() => return Err(ReadError::Unnamed(G::NAME)),
            _ => {}
        }
        let (options, dialects) = match &self.board {
            Origin::Tree(tree) => {
                let root = tree.root();
                let property = |name: &str| Some(root.simple_text(name)?.trim().to_owned());
                let options = G::recorded_options(&property)?;
                (options, G::recorded_dialects(&property))
            }
            Origin::List(first) => {
                let (named, words): (Vec<&str>, Vec<&str>) = first
                    .split_whitespace()
                    .skip(1)
                    .partition(|word| G::dialect(word).is_some());
                let options = G::listed_options(&words).map_err(|_| names_no_board(first))?;
                let named = named.last().and_then(|name| G::dialect(name));
                // A list is written by hand or by this program.
                let dialects = named.map_or_else(G::listed_dialects, |one| vec![one]);
                (options, dialects)
            }
        };
        let dialects = dialect.map_or(dialects, |one| vec![one]);
        let texts: Vec<&str> = self.moves.iter().map(|one| one.text.as_str()).collect();
        let start_in = |dialect: G::Dialect| -> Result<Start<G>, BoardError> {
            let options: BoardOptions = match &self.board {
                Origin::Tree(tree) if set_up::is_in(tree.root()) => {
                    set_up::read::<G>(tree.root(), &options, dialect)?
                }
                _ => options.clone(),
            };
            let position = G::start(&options)?.admitting(&texts);
            Ok(Start {
                dialect,
                options,
                position,
            })
        };
        let (mut starts, mut wrong) = (Vec::new(), None);
        for dialect in dialects {
            match start_in(dialect) {
                Ok(start) => starts.push(start),
                Err(why) => wrong = wrong.or(Some(why)),
            }
        }
        if let (true, Some(why)) = (starts.is_empty(), wrong) {
            return Err(why.into());
        }
        let record = replay_in_best(&starts, &self.moves, self.claimed);
        let record = record.ok_or_else(|| BoardError::of("no dialect to read the moves in"))?;
        let source = match &self.board {
            Origin::Tree(tree) => Some(tree.clone()),
            Origin::List(_) => None,
        };
        Ok(Record { source, ..record })
    }
}

/// The moves of the main line as they are written.
fn written_moves(tree: &Tree) -> Vec<Written> {
    let of_node = |node: Node<'_>| {
        let of_side = |(name, side)| {
            let text = node.simple_text(name)?.trim().to_owned();
            Some(Written {
                side: Some(side),
                text,
            })
        };
        [("W", Side::White), ("B", Side::Black)]
            .into_iter()
            .filter_map(of_side)
            .collect::<Vec<_>>()
    };
    tree.main_line().flat_map(of_node).collect()
}

/// The result that a file claims: `W`, `B+R`, `Draw`, `0` and the like.
fn claimed(result: &str) -> Option<Outcome> {
    let result = result.trim();
    match result.bytes().next()?.to_ascii_uppercase() {
        b'W' => Some(Outcome::Win(Side::White)),
        b'B' => Some(Outcome::Win(Side::Black)),
        b'0' | b'D' => Some(Outcome::Draw),
        _ => None,
    }
}
