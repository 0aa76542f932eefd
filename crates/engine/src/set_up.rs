//! Positions that are set up: stones that are on the board before the first move, and who moves first.

use crate::{BoardError, BoardOptions, OptionKind, StartOption, list_items};
use game::Side;
use std::fmt;

/// The stones of a position that is set up. Whether it is a position of the game is for the game to say.
///
/// ```
/// use engine::{BoardOptions, SetUp};
/// use game::Side;
///
/// let options = BoardOptions::sized(4).with("stones", "white a1 b2 black c3").with("turn", "black");
/// let set_up = SetUp::of(&options)?.expect("stones");
/// assert_eq!(set_up.stones[1], (Side::White, "b2".to_owned()));
/// assert_eq!(set_up.turn, Some(Side::Black));
/// assert_eq!(set_up.to_string(), "white a1 b2 black c3");
/// # Ok::<(), engine::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// The stones: whose each is, and the name of its cell in the default dialect.
    pub stones: Vec<(Side, String)>,
    /// Who moves first; the side that begins a game where nothing is said.
    pub turn: Option<Side>,
}

impl SetUp {
    /// The option with the stones.
    pub const STONES: StartOption = StartOption::new(
        "stones",
        OptionKind::Text("LIST"),
        "start from a position with these stones: the cells of each side, such as \"white a1 b2 black c3\"",
    );

    /// The option with the side to move.
    pub const TURN: StartOption = StartOption::new(
        "turn",
        OptionKind::Text("SIDE"),
        "with stones: the side to move, white or black; by default the side that begins a game",
    )
    .choices(&["white", "black"]);

    /// What options ask for; `None` where they set no position up.
    ///
    /// # Errors
    /// If the stones are no list, or nobody is called as the side to move is.
    pub fn of(options: &BoardOptions) -> Result<Option<SetUp>, BoardError> {
        let turn = options.get(Self::TURN.name).map(|text| {
            let wrong = || BoardError::of(format!("turn {text:?}: expected white or black"));
            side(text).ok_or_else(wrong)
        });
        let turn = turn.transpose().map_err(|why| why.about(Self::TURN.name))?;
        let Some(list) = options.get(Self::STONES.name) else {
            return match turn {
                None => Ok(None),
                Some(_) => Err(BoardError::of(
                    "a turn is said of a position that is set up: its stones are missing",
                )
                .about(Self::TURN.name)),
            };
        };
        let (mut stones, mut of) = (Vec::new(), None);
        for word in list_items(list) {
            match (side(word), of) {
                (Some(side), _) => of = Some(side),
                (None, Some(side)) => stones.push((side, word.to_owned())),
                (None, None) => {
                    let why = format!(
                        "stones {list:?}: expected white or black before {word:?}, such as \"white a1 b2 black c3\""
                    );
                    return Err(BoardError::of(why).about(Self::STONES.name));
                }
            }
        }
        Ok(Some(SetUp { stones, turn }))
    }

    /// The options that ask for it.
    #[must_use]
    pub fn into_options(self, options: BoardOptions) -> BoardOptions {
        let options = options.with(Self::STONES.name, &self);
        match self.turn {
            Some(turn) => options.with(Self::TURN.name, turn),
            None => options.without(Self::TURN.name),
        }
    }

    /// The same options without a position that is set up.
    #[must_use]
    pub fn taken_from(options: &BoardOptions) -> BoardOptions {
        let options = options.clone().without(Self::STONES.name);
        options.without(Self::TURN.name)
    }

    /// As many moves as a game had at least that came to so many stones, one for each move.
    pub fn plies(&self, first: Side) -> usize {
        let parity = usize::from(self.turn.is_some_and(|turn| turn != first));
        self.stones.len() + (self.stones.len() + parity) % 2
    }
}

/// The list that is read back as the same stones, White's first.
impl fmt::Display for SetUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        for side in Side::BOTH {
            let own = self.stones.iter().filter(|(of, _)| *of == side);
            let before = words.len();
            words.extend(own.map(|(_, cell)| cell.clone()));
            if words.len() > before {
                words.insert(before, side.to_string());
            }
        }
        f.pad(&words.join(" "))
    }
}

fn side(text: &str) -> Option<Side> {
    let mut sides = Side::BOTH.into_iter();
    sides.find(|side| text.eq_ignore_ascii_case(&side.to_string()))
}
