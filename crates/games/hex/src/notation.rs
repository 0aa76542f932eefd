//! How people write Hex: a letter for the column and a number for the row, `a1` top left.

use crate::{Move, Position};
use game::{Notation, ParseMoveError, Picture, Side};

impl Notation for Position {
    /// There is one way of writing: `c2`, and `swap`.
    type Dialect = ();

    fn parse_move(&self, text: &str, (): ()) -> Result<Move, ParseMoveError> {
        if text.eq_ignore_ascii_case("swap") {
            return Ok(Move::Swap);
        }
        let letter = text.bytes().next().filter(u8::is_ascii_alphabetic);
        let cell = letter.and_then(|letter| {
            let row: u8 = text.get(1..)?.parse().ok()?;
            let plain = text.as_bytes()[1].is_ascii_digit();
            Some((letter.to_ascii_lowercase() - b'a', row.checked_sub(1)?)).filter(|_| plain)
        });
        match cell {
            Some((x, y)) if x.max(y) < self.size() => Ok(Move::Place(x, y)),
            _ => {
                let last = name(self.size() - 1, self.size() - 1);
                let why = format!("expected swap, or a cell from a1 to {last}");
                Err(ParseMoveError::new(text, why))
            }
        }
    }

    fn write_move(&self, mv: Move, (): ()) -> String {
        match mv {
            Move::Place(x, y) => name(x, y),
            Move::Swap => "swap".to_owned(),
        }
    }

    fn every_move(&self) -> Vec<Move> {
        let cells = self.cells().map(|(x, y)| Move::Place(x, y));
        cells.chain([Move::Swap]).collect()
    }
}

/// The name of a cell.
pub fn name(x: u8, y: u8) -> String {
    format!("{}{}", char::from(b'a' + x), y + 1)
}

/// `X` is Black, who joins the top with the bottom, `O` is White, and the last stone stands in brackets.
impl Picture for Position {
    fn draw(&self, (): (), paint: &dyn Fn(Side, &str, bool) -> String) -> String {
        let size = self.size();
        let letters: Vec<String> = (0..size)
            .map(|x| char::from(b'a' + x).to_string())
            .collect();
        let mut lines = vec![format!("   {}", letters.join(" "))];
        for y in 0..size {
            let mut line = format!("{}{:<2}", " ".repeat(y.into()), y + 1);
            let mut open = false;
            for x in 0..size {
                let is_last = self.last_move() == Some(Move::Place(x, y));
                line.push(match (open, is_last) {
                    (true, _) => ')',
                    (_, true) => '(',
                    _ => ' ',
                });
                open = is_last;
                line += &match self.stone(x, y) {
                    Some(Side::Black) => paint(Side::Black, "X", is_last),
                    Some(Side::White) => paint(Side::White, "O", is_last),
                    None => ".".to_owned(),
                };
            }
            lines.push(line + if open { ")" } else { "" });
        }
        lines.join("\n") + "\n"
    }
}
