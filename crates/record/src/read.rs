//! Files with games, read as they stand.

use crate::dialect::replay_in_best;
use crate::record::{Record, Written};
use engine::{BoardError, Playable};
use game::{Outcome, Side};
use sgf::{Node, Tree};
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
    /// In words behind the name of the game.
    List(Vec<String>),
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
}

/// Reads the games of a file: SGF, HGF, or a list of moves.
///
/// # Errors
/// If the file has no games that can be read.
pub fn read(bytes: &[u8]) -> Result<Vec<RawGame>, ReadError> {
    let is_sgf = bytes.windows(2).any(|pair| pair == b"(;") || bytes.trim_ascii().starts_with(b"(");
    if is_sgf {
        let trees = sgf::read(bytes)?.trees;
        return trees.into_iter().map(of_tree).collect();
    }
    Ok(vec![of_list(&String::from_utf8_lossy(bytes))?])
}

/// The main line of a game tree.
fn of_tree(tree: Tree) -> Result<RawGame, ReadError> {
    let root = tree.root();
    let game = root.simple_text("GM").unwrap_or_default();
    let game = game.trim().to_ascii_lowercase();
    let moves = written_moves(&tree);
    let claimed = root.simple_text("RE").and_then(|result| claimed(&result));
    if ["AB", "AW", "AE"]
        .iter()
        .any(|name| root.property(name).is_some())
    {
        let why = "games that begin with stones set up (AB, AW, AE) are not read";
        return Err(BoardError(why.to_owned()).into());
    }
    Ok(RawGame {
        game: (!game.is_empty()).then_some(game),
        moves,
        claimed,
        board: Origin::Tree(tree),
    })
}

/// A list: `havannah 8` or `konane 6x8 centre` on the first line, moves on the others. `#` begins a
/// comment.
fn of_list(text: &str) -> Result<RawGame, BoardError> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut lines = lines.filter(|line| !line.is_empty());
    let expected = "expected an SGF file, or a list of moves whose first line is like \
                    `havannah 8` or `konane 6x8 centre`";
    let first = lines
        .next()
        .ok_or_else(|| BoardError(format!("the file is empty: {expected}")))?;
    let mut words = first.split_whitespace().map(str::to_owned);
    let game = words.next();
    let words: Vec<String> = words.collect();
    let is_heading = |text: &String| text.bytes().all(|byte| byte.is_ascii_lowercase());
    if words.is_empty() || !game.as_ref().is_some_and(is_heading) {
        return Err(BoardError(expected.to_owned()));
    }
    let moves = lines.flat_map(engine::list_items).map(|text| Written {
        side: None,
        text: text.to_owned(),
    });
    Ok(RawGame {
        game,
        moves: moves.collect(),
        claimed: None,
        board: Origin::List(words),
    })
}

impl RawGame {
    /// The name of the game, if the file has it.
    pub fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// The whole tree of a game in SGF or HGF.
    pub fn tree(&self) -> Option<&Tree> {
        match &self.board {
            Origin::Tree(tree) => Some(tree),
            Origin::List(_) => None,
        }
    }

    /// The game under the rules. A `dialect` overrules what the file says of the writing of the moves;
    /// without one it is [found](Playable::recorded_dialects). A game with a wrong move is no error: it
    /// has a [fault](Record::fault).
    ///
    /// # Errors
    /// If there is no such board.
    pub fn replay<G: Playable>(&self, dialect: Option<G::Dialect>) -> Result<Record<G>, ReadError> {
        let (options, dialects) = match &self.board {
            Origin::Tree(tree) => {
                let root = tree.root();
                let property = |name: &str| Some(root.simple_text(name)?.trim().to_owned());
                let options = G::recorded_options(&property)?;
                (options, G::recorded_dialects(&property))
            }
            Origin::List(words) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let options = G::listed_options(&words)?;
                // A list is written by hand or by this program.
                (options, G::listed_dialects())
            }
        };
        let dialects = dialect.map_or(dialects, |one| vec![one]);
        let texts: Vec<&str> = self.moves.iter().map(|one| one.text.as_str()).collect();
        let options = G::options_admitting(options, &texts);
        let start = G::start(&options)?;
        let record = replay_in_best(&options, &start, &self.moves, &dialects, self.claimed);
        record.ok_or_else(|| BoardError("no dialect to read the moves in".to_owned()).into())
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
