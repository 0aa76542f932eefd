use crate::{BoardError, BoardOptions, Player, Solver, UnknownSolver};
use game::Picture;
use thiserror::Error;

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
/// words.
pub trait Playable: Picture {
    /// The players, the default one first.
    fn players() -> Vec<Player<Self>>;

    /// The solvers, the default one first.
    fn solvers() -> Vec<Solver<Self>>;

    /// The start of a game on the board asked for.
    ///
    /// # Errors
    /// If there is no such board, or an option is not this game's.
    fn start(options: &BoardOptions) -> Result<Self, BoardError>;

    /// The same options with the size that the arguments of GTP's `boardsize` give.
    ///
    /// # Errors
    /// If they are not as many as the game needs. Whether there is such a board is for
    /// [`start`](Playable::start) to say.
    fn resized(options: &BoardOptions, arguments: &[&str]) -> Result<BoardOptions, BoardError>;

    /// The size of the board: a number, or the sides joined by `x` where they differ.
    fn size_name(&self) -> String;

    /// What the last move completed, in a game that is won by completing something.
    fn structure(&self) -> Option<String> {
        None
    }

    /// The way of writing moves with this name.
    fn dialect(name: &str) -> Option<Self::Dialect>;

    /// The same position under rules that allow the moves of a list, where there is a choice of rules.
    #[must_use]
    fn admitting(self, moves: &[&str]) -> Self {
        let _ = moves;
        self
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
                BoardError(format!("move {} ({text}): {why}", place + 1))
            };
            let mv = position
                .parse_move(text, dialect)
                .map_err(|why| wrong(&why.reason))?;
            position.try_play(mv).map_err(|why| wrong(&why))?;
        }
        Ok(position)
    }

    /// The solver with a name; the default one where no name is given.
    ///
    /// # Errors
    /// If there is none.
    fn solver(name: Option<&str>) -> Result<Solver<Self>, UnknownSolver> {
        let solvers = Self::solvers();
        let known: Vec<&str> = solvers.iter().map(|solver| solver.name).collect();
        let unknown = UnknownSolver {
            name: name.unwrap_or_default().to_owned(),
            game: Self::NAME,
            known: known.join(", "),
        };
        let mut named = solvers
            .into_iter()
            .filter(|solver| name.is_none_or(|name| name == solver.name));
        named.next().ok_or(unknown)
    }

    /// The player with a name; the default one where no name is given.
    ///
    /// # Errors
    /// If there is none.
    fn player(name: Option<&str>) -> Result<Player<Self>, UnknownPlayer> {
        let players = Self::players();
        let known = players
            .iter()
            .map(|player| player.name)
            .collect::<Vec<_>>()
            .join(", ");
        let mut named = players
            .into_iter()
            .filter(|player| name.is_none_or(|name| name == player.name));
        named.next().ok_or_else(|| UnknownPlayer {
            name: name.unwrap_or_default().to_owned(),
            game: Self::NAME,
            known,
        })
    }
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
