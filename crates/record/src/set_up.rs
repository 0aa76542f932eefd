//! Positions that are set up, in SGF: the stones in `AB` and `AW` of the root, who moves first in `PL`.

use engine::{BoardError, BoardOptions, Playable, SetUp};
use game::Side;
use sgf::{Node, Property};

/// The properties that set a position up, and whose stones they are.
const STONES: [(&str, Side); 2] = [("AW", Side::White), ("AB", Side::Black)];

/// Whether the root of a tree sets a position up.
pub(crate) fn is_in(root: Node<'_>) -> bool {
    STONES.iter().any(|(name, _)| root.property(name).is_some())
}

/// The options of a board with the position that the root of a tree sets up on it.
pub(crate) fn read<G: Playable>(
    root: Node<'_>,
    options: &BoardOptions,
    dialect: G::Dialect,
) -> Result<BoardOptions, BoardError> {
    let empty = G::start(options)?;
    let mut stones = Vec::new();
    for (name, side) in STONES {
        for value in root.values(name) {
            let text = value.simple_text();
            let wrong =
                |why: &dyn std::fmt::Display| BoardError::of(format!("{name}[{text}]: {why}"));
            let mv = empty
                .parse_move(text.trim(), dialect)
                .map_err(|why| wrong(&why.reason))?;
            stones.push((side, empty.write_move(mv, G::Dialect::default())));
        }
    }
    let turn = match root.simple_text("PL") {
        None => empty.to_move(),
        Some(text) => match text
            .trim()
            .bytes()
            .next()
            .map(|byte| byte.to_ascii_lowercase())
        {
            Some(b'w') => Side::White,
            Some(b'b') => Side::Black,
            _ => return Err(BoardError::of(format!("PL[{text}]: expected W or B"))),
        },
    };
    let turn = Some(turn);
    Ok(SetUp { stones, turn }.into_options(options.clone()))
}

/// The properties from which [`read`] reads the same position; none where none is set up.
pub(crate) fn properties<G: Playable>(
    options: &BoardOptions,
    dialect: G::Dialect,
) -> Vec<Property> {
    let (Ok(Some(set_up)), Ok(start)) = (SetUp::of(options), G::start(options)) else {
        return Vec::new();
    };
    // What a cell is called does not depend on the position.
    let translated = |cell: &String| {
        let mv = start.parse_move(cell, G::Dialect::default()).ok();
        mv.map_or_else(|| cell.clone(), |mv| start.write_move(mv, dialect))
    };
    let mut properties = Vec::new();
    for (name, side) in STONES {
        let own = set_up.stones.iter().filter(|(of, _)| *of == side);
        let cells: Vec<String> = own.map(|(_, cell)| translated(cell)).collect();
        if !cells.is_empty() {
            properties.push(Property::new(name, cells));
        }
    }
    let turn = match start.to_move() {
        Side::White => "W",
        Side::Black => "B",
    };
    properties.push(Property::new("PL", [turn]));
    properties
}
