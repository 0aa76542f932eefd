use crate::named::named;
use crate::prover::no_prover;
use crate::{
    BoardError, BoardOptions, ExpectedStructures, Insight, Level, MoveKind, NodesLeft, Opinion,
    OptionKind, Player, Playouts, Prover, Resources, STONES, SetUp, Sight, SolveError, Solver,
    StartOption, UnknownSolver, uniform_playouts,
};
use certificate::Provable;
use diagram::Drawn;
use game::Picture;
use search::proof::{Combination, SolveProgress};
use std::fmt::Debug;
use std::path::Path;
use thiserror::Error;

/// Between a board and the stones that are set up on it, in the line of a certificate.
const STONES_OF_BOARD: &str = " stones ";

/// Between these and the side that moves first.
const TURN_OF_BOARD: &str = " turn ";

/// No player has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no player {name:?} of {game}; there are: {known}")]
pub struct UnknownPlayer {
    /// What was asked for.
    pub name: String,
    /// The game.
    pub game: &'static str,
    /// The names that exist.
    pub known: String,
}

/// A game that people and programs can play here: it has players, and boards that are asked for in
/// words. What has a body below is left out by games that have nothing to say there.
pub trait Playable: Picture + Drawn + Provable {
    /// The board and the rules of a game, read and found to make sense.
    type Start: Clone + Debug + PartialEq + Send + Sync;

    /// The name for people.
    const TITLE: &'static str;

    /// How the game is played and won, in a sentence or two for people who do not know it.
    const GOAL: &'static str;

    /// What can be chosen before a game.
    const OPTIONS: &'static [StartOption];

    /// Boards that people play on, as values of the option `size`.
    const SIZES: &'static [&'static str];

    /// The board where no size is asked for.
    const DEFAULT_SIZE: &'static str;

    /// The board for a first game.
    const FIRST_SIZE: &'static str;

    /// A size that is not among [`SIZES`](Playable::SIZES), to show how one is written.
    const OTHER_SIZE: &'static str;

    /// What a small picture of the game shows: a size, and the moves from the start.
    const EXAMPLE: (&'static str, &'static str);

    /// Boards of puzzles: those on which the [prover](Playable::prover) is quick.
    const PUZZLE_SIZES: &'static [&'static str] = &[];

    /// The arguments of GTP's `boardsize`, in words.
    const BOARDSIZE: &'static str = "N";

    /// The names of the ways of writing cells; empty where there is only one.
    const DIALECTS: &'static [&'static str] = &[];

    /// Whether the cells of the board are hexagons, and a move is a stone on one of them.
    const HEXAGONS: bool = false;

    /// Levels of strength for people, the weakest first.
    const LEVELS: &'static [Level];

    /// What [`insight`](Playable::insight) tells of.
    const SIGHTS: &'static [Sight] = &[];

    /// Whether a game can end in a draw.
    const DRAWS: bool = true;

    /// Simulations for a position in a review or an analysis without a budget (nodes, for players that count nodes).
    const SIMULATIONS: u64 = 10_000;

    /// Whether the game has a [`prover`](Playable::prover).
    const PROVES: bool = false;

    /// Whether [`playouts`](Playable::playouts) runs perft too.
    const PERFT: bool = true;

    /// The players, the default one first.
    fn players() -> Vec<Player<Self>>;

    /// The solvers, the default one first.
    fn solvers() -> Vec<Solver<Self>> {
        Vec::new()
    }

    /// The board and the rules that options ask for, none of which is unknown.
    ///
    /// # Errors
    /// If a value makes no sense.
    fn read_options(options: &BoardOptions) -> Result<Self::Start, BoardError>;

    /// The beginning of a game.
    ///
    /// # Errors
    /// If there is no such board.
    fn begin(start: &Self::Start) -> Result<Self, BoardError>;

    /// The start of a game on the board asked for.
    ///
    /// # Errors
    /// If there is no such board, or an option is not this game's.
    fn start(options: &BoardOptions) -> Result<Self, BoardError> {
        for (name, value) in options.iter() {
            let option = Self::OPTIONS.iter().find(|option| option.name == name);
            let Some(option) = option else {
                let known: Vec<&str> = Self::OPTIONS.iter().map(|option| option.name).collect();
                let why = format!(
                    "{} has no option {name}; it has: {}",
                    Self::NAME,
                    known.join(", ")
                );
                return Err(BoardError::of(why).about(name));
            };
            if option.kind == OptionKind::Switch && !["yes", "no"].contains(&value) {
                let why = format!("{name} = {value:?}: expected yes or no");
                return Err(BoardError::of(why).about(name));
            }
        }
        let start = Self::begin(&Self::read_options(options)?)?;
        let Some(set_up) = SetUp::of(options)? else {
            return Ok(start);
        };
        let position = start
            .set_up(&set_up)
            .and_then(|position| match position.outcome() {
                None => Ok(position),
                Some(outcome) => Err(BoardError::of(format!(
                    "the game is over in this position ({outcome}): there is nothing left to play"
                ))),
            });
        position.map_err(|why| why.about(SetUp::STONES.name))
    }

    /// The position with these stones and no others on the board of this one, which is the start of a game.
    ///
    /// # Errors
    /// If it is no position of the game, with the reason.
    fn set_up(&self, set_up: &SetUp) -> Result<Self, BoardError> {
        let _ = set_up;
        Err(BoardError::of(format!(
            "positions of {} cannot be set up",
            Self::NAME
        )))
    }

    /// The same options with the size that the arguments of GTP's `boardsize` give.
    ///
    /// # Errors
    /// If they are not as many as the game needs. Whether there is such a board is for
    /// [`start`](Playable::start) to say.
    fn resized(options: &BoardOptions, arguments: &[&str]) -> Result<BoardOptions, BoardError> {
        let [size] = arguments else {
            return Err(BoardError::of(format!(
                "expected {}, such as {}",
                Self::BOARDSIZE,
                Self::FIRST_SIZE
            )));
        };
        Ok(options.clone().with("size", size))
    }

    /// The arguments of GTP's `boardsize` for this board.
    fn boardsize(&self) -> String {
        self.size_name()
    }

    /// The size of the board: a number, or the sides joined by `x` where they differ.
    fn size_name(&self) -> String;

    /// What the last move completed, in a game that is won by completing something.
    fn structure(&self) -> Option<String> {
        None
    }

    /// The way of writing moves with this name.
    fn dialect(name: &str) -> Option<Self::Dialect> {
        let _ = name;
        None
    }

    /// The name of a way of writing moves; `None` where there is only one.
    fn dialect_name(dialect: Self::Dialect) -> Option<&'static str> {
        let mut names = Self::DIALECTS.iter().copied();
        names.find(|name| Self::dialect(name) == Some(dialect))
    }

    /// The start of a game under the swap rule, if the game has it.
    #[must_use]
    fn under_swap_rule(self) -> Self {
        self
    }

    /// The same position under rules that allow the moves of a list, where there is a choice of rules: the
    /// start of a game whose second move is a swap is under the swap rule.
    #[must_use]
    fn admitting(self, moves: &[&str]) -> Self {
        let swaps = |mv: &&str| mv.eq_ignore_ascii_case("swap");
        if self.ply() == 0 && moves.get(1).is_some_and(swaps) {
            self.under_swap_rule()
        } else {
            self
        }
    }

    /// The options of the board that a record is about, from the properties of its root (in SGF). As it
    /// stands here, `SZ` is the size, and the swap rule is as it [is recorded](Playable::recorded_swap_rule).
    ///
    /// # Errors
    /// If a property has a value that it cannot have.
    fn recorded_options(
        property: &dyn Fn(&str) -> Option<String>,
    ) -> Result<BoardOptions, BoardError> {
        let size = property("SZ");
        let size = size.ok_or_else(|| BoardError::of("the game has no board size (SZ)"))?;
        let options = BoardOptions::sized(size);
        Ok(if Self::recorded_swap_rule(property) {
            options.with("swap", "yes")
        } else {
            options
        })
    }

    /// Whether a record says that it was played under the swap rule. As it stands here, `RU[swap]` says so.
    fn recorded_swap_rule(property: &dyn Fn(&str) -> Option<String>) -> bool {
        rules(property).any(|rule| rule == "swap")
    }

    /// The properties from which [`recorded_options`](Playable::recorded_options) reads the same options.
    fn record_properties(options: &BoardOptions) -> Vec<(&'static str, String)> {
        let size = options.get("size").unwrap_or(Self::DEFAULT_SIZE).to_owned();
        let mut properties = vec![("SZ", size)];
        if options.has("swap") {
            properties.push(("RU", "swap".to_owned()));
        }
        properties
    }

    /// The dialects that the moves of a record may be written in, the likeliest first, as far as the
    /// properties of its root tell.
    fn recorded_dialects(property: &dyn Fn(&str) -> Option<String>) -> Vec<Self::Dialect> {
        let _ = property;
        vec![Self::Dialect::default()]
    }

    /// The options under which the moves of a list are allowed, where there is a choice of rules. As it
    /// stands here, a game whose second move is a swap is played under the swap rule.
    #[must_use]
    fn options_admitting(options: BoardOptions, moves: &[&str]) -> BoardOptions {
        let has_rule = Self::OPTIONS.iter().any(|option| option.name == "swap");
        let swaps = |mv: &&str| mv.eq_ignore_ascii_case("swap");
        if has_rule && moves.get(1).is_some_and(swaps) {
            options.with("swap", "yes")
        } else {
            options
        }
    }

    /// The dialect of files of Little Golem (HGF), which do not name their game; `None` for a game that has
    /// no such files.
    fn little_golem() -> Option<Self::Dialect> {
        None
    }

    /// The dialects that a list of moves may be written in, the likeliest first.
    fn listed_dialects() -> Vec<Self::Dialect> {
        vec![Self::Dialect::default()]
    }

    /// The options that the words behind the game's name ask for, on the first line of a list of moves. The
    /// dialect is not among them. As it stands here, the first word is the size, and `swap` may follow.
    ///
    /// # Errors
    /// If they are no board.
    fn listed_options(words: &[&str]) -> Result<BoardOptions, BoardError> {
        let has_rule = Self::OPTIONS.iter().any(|option| option.name == "swap");
        match words {
            [size] => Ok(BoardOptions::sized(size)),
            [size, "swap"] if has_rule => Ok(BoardOptions::sized(size).with("swap", "yes")),
            _ => Err(BoardError::of(format!(
                "expected a size behind {}, such as {}",
                Self::NAME,
                Self::FIRST_SIZE
            ))),
        }
    }

    /// The words from which [`listed_options`](Playable::listed_options) reads the same options.
    fn listed_words(options: &BoardOptions) -> Vec<String> {
        let size = options.get("size").unwrap_or(Self::DEFAULT_SIZE).to_owned();
        let swap = options.has("swap").then(|| "swap".to_owned());
        std::iter::once(size).chain(swap).collect()
    }

    /// Uniformly random games from here, as many as asked for or as take about a second, and perft to a
    /// depth where that is of interest. The position is not over.
    fn playouts(&self, games: Option<u64>, seed: u64, depth: u32) -> Playouts {
        let cells = self.scene(Self::Dialect::default()).tiles.len();
        let games = games.unwrap_or(STONES / (4 * cells.max(1)) as u64);
        uniform_playouts(self, games, seed, depth)
    }

    /// What somebody does on the board to make a move, and the names of the cells: of a jump where it begins
    /// and where it ends. As it stands here, a move is a cell or `swap`.
    fn made_on(&self, mv: Self::Move, dialect: Self::Dialect) -> (MoveKind, Vec<String>) {
        let text = self.write_move(mv, dialect);
        if text == "swap" {
            (MoveKind::Swap, Vec::new())
        } else {
            (MoveKind::Place, vec![text])
        }
    }

    /// What can be seen in the position without a search.
    fn insight(&self, dialect: Self::Dialect) -> Insight {
        let _ = dialect;
        Insight::default()
    }

    /// What a network says of the position, which is not over: that of a file of weights, or of a name that the players'
    /// parameter `network` knows, or the one that the program brings for the board. `None` if the game has none.
    ///
    /// # Errors
    /// If the file cannot be used, with the reason.
    fn opinion(
        &self,
        weights: Option<&Path>,
        dialect: Self::Dialect,
    ) -> Result<Option<Opinion>, String> {
        let _ = (weights, dialect);
        Ok(None)
    }

    /// How games end that such a network plays from the position, which is not over: about a second of work, where it is
    /// asked after each game whether to go on. `None` if the game has no structures.
    ///
    /// # Errors
    /// If the file cannot be used, with the reason.
    fn expected_structures(
        &self,
        weights: Option<&Path>,
        dialect: Self::Dialect,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<ExpectedStructures>, String> {
        let _ = (weights, dialect, go_on);
        Ok(None)
    }

    /// One of each class of symmetric moves, those whose values take longest to find first.
    fn distinct_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    /// How many nodes are left of a search of the [prover](Playable::prover). `None` if that cannot be told.
    fn nodes_left(progress: &SolveProgress) -> Option<NodesLeft> {
        let _ = progress;
        None
    }

    /// A solver for the board of this position that shows what it says, and knows nothing yet. Threads are
    /// for those that can use several.
    ///
    /// # Errors
    /// If the game has none, or the board is too large.
    fn prover(&self, resources: Resources) -> Result<Box<dyn Prover<Self>>, SolveError> {
        let _ = resources;
        Err(no_prover::<Self>())
    }

    /// How the solver combines the proof numbers of positions after the moves: what lies above its searches does so too.
    fn combination() -> Combination {
        Combination::Weak
    }

    /// What certificates call the board of an option list that sets no position up.
    ///
    /// # Errors
    /// If there are no certificates about such games.
    fn certified_start(&self, options: &BoardOptions) -> Result<String, BoardError> {
        let _ = options;
        Err(BoardError::of(format!(
            "{} has no certificates",
            Self::NAME
        )))
    }

    /// The board that [`certified_start`](Playable::certified_start) calls so.
    ///
    /// # Errors
    /// If that is no board.
    fn options_of_start(board: &str) -> Result<BoardOptions, BoardError> {
        Self::listed_options(&board.split(' ').collect::<Vec<_>>())
    }

    /// What certificates call the board on which this position came about, with the stones that were set up:
    /// `4 stones white a1 black c3 turn white`. No game has a version of its own.
    ///
    /// # Errors
    /// If there are no certificates about such games.
    fn certified_board(&self, options: &BoardOptions) -> Result<String, BoardError> {
        let board = self.certified_start(&SetUp::taken_from(options))?;
        if options.get(SetUp::STONES.name).is_none() {
            return Ok(board);
        }
        // In the order of the board: there is one way to write it.
        let start = Self::start(options)?;
        let tiles = start.scene(Self::Dialect::default()).tiles.into_iter();
        let stones = tiles.filter_map(|tile| Some((tile.stone?, tile.name)));
        let set_up = SetUp {
            stones: stones.collect(),
            turn: None,
        };
        let turn = start.to_move();
        Ok(format!(
            "{board}{STONES_OF_BOARD}{set_up}{TURN_OF_BOARD}{turn}"
        ))
    }

    /// The board that certificates call so. No game has a version of its own.
    ///
    /// # Errors
    /// If that is no board.
    fn options_of_certified(board: &str) -> Result<BoardOptions, BoardError> {
        let Some((board, set_up)) = board.split_once(STONES_OF_BOARD) else {
            return Self::options_of_start(board);
        };
        let (stones, turn) = set_up.split_once(TURN_OF_BOARD).ok_or_else(|| {
            BoardError::of("expected turn white or turn black after the stones of the board")
        })?;
        let options = Self::options_of_start(board)?.with(SetUp::STONES.name, stones);
        Ok(options.with(SetUp::TURN.name, turn))
    }

    /// Reads a list of moves separated by white space, commas or semicolons, and plays them one after
    /// the other, under rules that [admit](Playable::admitting) them; numbers such as `1.` are passed
    /// over.
    ///
    /// # Errors
    /// If a text is no move, or the move is not legal; the message says which.
    fn play_list(self, moves: &str, dialect: Self::Dialect) -> Result<Self, BoardError> {
        let moves: Vec<&str> = list_items(moves).collect();
        let mut position = self.admitting(&moves);
        for (place, text) in moves.into_iter().enumerate() {
            let wrong = |why: &dyn std::fmt::Display| {
                BoardError::of(format!("move {} ({text}): {why}", place + 1))
            };
            let mv = position
                .parse_move(text, dialect)
                .map_err(|why| wrong(&why.reason))?;
            position.try_play(mv).map_err(|why| wrong(&why))?;
        }
        Ok(position)
    }

    /// The solver with a name or an alias; the default one where no name is given.
    ///
    /// # Errors
    /// If there is none.
    fn solver(name: Option<&str>) -> Result<Solver<Self>, UnknownSolver> {
        named(Self::solvers(), name).map_err(|known| UnknownSolver {
            name: name.unwrap_or_default().to_owned(),
            game: Self::NAME,
            known,
        })
    }

    /// The player with a name or an alias; the default one where no name is given.
    ///
    /// # Errors
    /// If there is none.
    fn player(name: Option<&str>) -> Result<Player<Self>, UnknownPlayer> {
        named(Self::players(), name).map_err(|known| UnknownPlayer {
            name: name.unwrap_or_default().to_owned(),
            game: Self::NAME,
            known,
        })
    }
}

/// The rules that the property `RU` of a record names, in small letters.
pub fn rules(property: &dyn Fn(&str) -> Option<String>) -> impl Iterator<Item = String> + use<> {
    let rules = property("RU").unwrap_or_default().to_ascii_lowercase();
    let rules: Vec<String> = rules.split([',', ' ']).map(str::to_owned).collect();
    rules.into_iter()
}

/// The moves of a list: what stands between white space, commas and semicolons, without numbers such as
/// `12.`.
pub fn list_items(list: &str) -> impl Iterator<Item = &str> {
    let is_number = |text: &str| {
        text.strip_suffix('.')
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    list.split(|c: char| c.is_whitespace() || c == ',' || c == ';')
        .filter(move |text| !text.is_empty() && !is_number(text))
}
