//! Files with games of either kind.

use crate::dialect::replay_in_best;
use crate::record::{Record, Written};
use crate::recorded::Recorded;
use crate::{KonanePosition, list};
use engine::{BoardError, BoardOptions};
use game::{Outcome, Side};
use havannah::Dialect;
use sgf::{Collection, Node, Tree};
use thiserror::Error;

/// A game of one of the games.
#[derive(Clone, Debug)]
pub enum AnyRecord {
    /// A game of Havannah.
    Havannah(Box<Record<havannah::Position>>),
    /// A game of Kōnane.
    Konane(Box<Record<KonanePosition>>),
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
    /// It names a game that is not played here.
    #[error("the game is {0:?}: expected havannah or konane")]
    OtherGame(String),
}

/// Reads the games of a file: SGF, HGF, or a list of moves. A `dialect` overrules what the file says of
/// the writing of Havannah's moves; without one it is [found](crate::Recorded::dialects).
///
/// # Errors
/// If the file has no games that can be read. A game with a wrong move is no error: it has a
/// [fault](Record::fault).
pub fn read(bytes: &[u8], dialect: Option<Dialect>) -> Result<Vec<AnyRecord>, ReadError> {
    let (text, _) = sgf::decode(bytes);
    if text.contains("(;") || text.trim_start().starts_with('(') {
        let collection: Collection = text.parse()?;
        let trees = collection.trees.into_iter();
        return trees.map(|tree| of_tree(tree, dialect)).collect();
    }
    let list = list::read(&text)?;
    let dialect = dialect.or(list.dialect);
    of_game(&list.game, &list.options, &list.moves, None, None, dialect).map(|game| vec![game])
}

/// A game tree, its main line replayed.
fn of_tree(tree: Tree, dialect: Option<Dialect>) -> Result<AnyRecord, ReadError> {
    let mut record = replayed(&tree, dialect)?;
    match &mut record {
        AnyRecord::Havannah(record) => record.source = Some(tree),
        AnyRecord::Konane(record) => record.source = Some(tree),
    }
    Ok(record)
}

/// The main line of a game tree.
fn replayed(tree: &Tree, dialect: Option<Dialect>) -> Result<AnyRecord, ReadError> {
    let root = tree.root();
    let game = root
        .simple_text("GM")
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let moves = written_moves(tree);
    let claimed = root.simple_text("RE").and_then(|result| claimed(&result));
    if ["AB", "AW", "AE"]
        .iter()
        .any(|name| root.property(name).is_some())
    {
        let why = "games that begin with stones set up (AB, AW, AE) are not read";
        return Err(BoardError(why.to_owned()).into());
    }
    let options = match game.as_str() {
        "konane" => KonanePosition::options(root)?,
        _ => havannah::Position::options(root)?,
    };
    of_game(&game, &options, &moves, Some(root), claimed, dialect)
}

pub(crate) fn of_game(
    game: &str,
    options: &BoardOptions,
    moves: &[Written],
    root: Option<Node<'_>>,
    claimed: Option<Outcome>,
    dialect: Option<Dialect>,
) -> Result<AnyRecord, ReadError> {
    match game {
        // Little Golem's files do not name the game.
        "" | "havannah" => {
            let dialects =
                dialect.map_or_else(|| havannah::Position::dialects(root), |one| vec![one]);
            record(options, moves, &dialects, claimed)
                .map(Box::new)
                .map(AnyRecord::Havannah)
        }
        "konane" => record(options, moves, &[()], claimed)
            .map(Box::new)
            .map(AnyRecord::Konane),
        other => Err(ReadError::OtherGame(other.to_owned())),
    }
}

fn record<G: Recorded>(
    options: &BoardOptions,
    moves: &[Written],
    dialects: &[G::Dialect],
    claimed: Option<Outcome>,
) -> Result<Record<G>, ReadError> {
    let texts: Vec<&str> = moves.iter().map(|written| written.text.as_str()).collect();
    let start = G::start(options)?.admitting(&texts);
    let record = replay_in_best(options, &start, moves, dialects, claimed);
    record.ok_or_else(|| BoardError("no dialect to read the moves in".to_owned()).into())
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
