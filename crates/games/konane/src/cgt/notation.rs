use super::{Dyadic, Games, Value};
use search::threads::with_deep_stack;
use std::iter::Peekable;
use std::str::Chars;
use thiserror::Error;

/// A text that is no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a value: expected for example 0, -3/4, *, ^*, +-1 or {{2|-1}}")]
pub struct ParseValueError(String);

/// The symbols of infinitesimals and switches.
struct Symbols {
    up: &'static str,
    double_up: &'static str,
    down: &'static str,
    double_down: &'static str,
    star: &'static str,
    plus_minus: &'static str,
    times: &'static str,
}

const USUAL: Symbols = Symbols {
    up: "↑",
    double_up: "⇑",
    down: "↓",
    double_down: "⇓",
    star: "*",
    plus_minus: "±",
    times: "·",
};

const ASCII: Symbols = Symbols {
    up: "^",
    double_up: "^^",
    down: "v",
    double_down: "vv",
    star: "*",
    plus_minus: "+-",
    times: ".",
};

/// As many ups, and nimbers up to this size, are known by name.
const MOST_UPS: u32 = 9;
const MOST_STARS: u32 = 8;
/// The deepest braces that are read.
const MOST_BRACES: u32 = 64;

impl Games {
    /// The value in the usual notation: `0`, `-3/4`, `*2`, `↑*`, `1⇑`, `±1`, `{2|-1}`. A number before the
    /// symbols is added; `3·↑` is three times `↑`.
    pub fn write(&mut self, value: Value) -> String {
        self.write_with(value, &USUAL)
    }

    /// The same with ASCII characters alone: `^` for up, `v` for down, `^^` and `vv` for two of them, `+-`
    /// for `±`.
    pub fn write_ascii(&mut self, value: Value) -> String {
        self.write_with(value, &ASCII)
    }

    fn write_with(&mut self, value: Value, symbols: &Symbols) -> String {
        if let Some(number) = self.as_number(value) {
            return number.to_string();
        }
        let [left_stop, right_stop] = self.stops(value);
        if left_stop == right_stop {
            let number = self.number(left_stop);
            let rest = self.subtract(value, number);
            if let Some(name) = self.infinitesimal(rest, symbols) {
                return if left_stop == Dyadic::ZERO {
                    name
                } else {
                    format!("{left_stop}{name}")
                };
            }
        }
        let (left, right) = (self.left(value).to_vec(), self.right(value).to_vec());
        if let ([left], [right]) = (&left[..], &right[..])
            && self.negative(*left) == *right
        {
            // Of a sum the sign would only take the first term.
            let option = self.write_with(*left, symbols);
            if self.as_number(*left).is_some() || option.starts_with('{') {
                return format!("{}{option}", symbols.plus_minus);
            }
        }
        let mut list = |options: Vec<Value>| -> String {
            let names = options
                .into_iter()
                .map(|option| self.write_with(option, symbols));
            names.collect::<Vec<String>>().join(",")
        };
        format!("{{{}|{}}}", list(left), list(right))
    }

    /// The name of a sum of ups and a nimber.
    fn infinitesimal(&mut self, value: Value, symbols: &Symbols) -> Option<String> {
        for stars in 0..MOST_STARS {
            let star = self.nimber(stars);
            let ups = self.subtract(value, star);
            for count in 0..=MOST_UPS {
                let up = self.ups(count);
                let is_up = ups == up;
                if !is_up && self.negative(up) != ups {
                    continue;
                }
                let (one, two) = if is_up {
                    (symbols.up, symbols.double_up)
                } else {
                    (symbols.down, symbols.double_down)
                };
                let arrows = match count {
                    0 => String::new(),
                    1 => one.to_owned(),
                    2 => two.to_owned(),
                    _ => format!("{count}{}{one}", symbols.times),
                };
                let stars = match stars {
                    0 => String::new(),
                    1 => symbols.star.to_owned(),
                    _ => format!("{}{stars}", symbols.star),
                };
                return Some(arrows + &stars);
            }
        }
        None
    }

    /// So many ups: ↑ is `{0|*}`.
    fn ups(&mut self, count: u32) -> Value {
        let (zero, star) = (self.zero(), self.nimber(1));
        let up = self.make(&[zero], &[star]);
        (0..count).fold(zero, |sum, _| self.add(sum, up))
    }

    /// Reads a value in either notation. Terms without a sign between them are added, as in `1/2↑*`.
    ///
    /// # Errors
    /// If the text is no value.
    pub fn parse(&mut self, text: &str) -> Result<Value, ParseValueError> {
        let mut reader = Reader {
            games: self,
            rest: text.chars().peekable(),
        };
        let value = with_deep_stack(|| reader.sum(0));
        value
            .filter(|_| reader.rest.next().is_none())
            .ok_or_else(|| ParseValueError(text.to_owned()))
    }
}

/// Reads values. What makes no sense is `None`.
struct Reader<'a> {
    games: &'a mut Games,
    rest: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    /// One term or more.
    fn sum(&mut self, braces: u32) -> Option<Value> {
        let mut sum = self.term(braces)?;
        while self.rest.peek().is_some_and(|next| !",|}".contains(*next)) {
            let term = self.term(braces)?;
            sum = self.games.add(sum, term);
        }
        Some(sum)
    }

    fn takes(&mut self, expected: char) -> bool {
        self.rest.next_if_eq(&expected).is_some()
    }

    fn whole(&mut self) -> Option<i64> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        // Far more moves than any board has.
        digits.parse().ok().filter(|&number| number <= 10_000)
    }

    fn term(&mut self, braces: u32) -> Option<Value> {
        if braces > MOST_BRACES {
            return None;
        }
        match *self.rest.peek()? {
            '{' => self.braces(braces),
            '±' => {
                self.rest.next();
                self.switch(braces)
            }
            '+' => {
                self.rest.next();
                if self.takes('-') {
                    self.switch(braces)
                } else {
                    self.term(braces + 1)
                }
            }
            '-' => {
                self.rest.next();
                let number = self.fraction()?;
                Some(self.games.number(-number))
            }
            '0'..='9' => {
                let number = self.fraction()?;
                if self.takes('·') || self.takes('.') {
                    let arrows = self.arrows()?;
                    let count = u32::try_from(number.numerator()).ok()?;
                    let few = number.exponent() == 0 && count <= MOST_UPS;
                    let zero = self.games.zero();
                    return few
                        .then(|| (0..count).fold(zero, |sum, _| self.games.add(sum, arrows)));
                }
                Some(self.games.number(number))
            }
            '*' => {
                self.rest.next();
                let size = match self.rest.peek() {
                    Some('0'..='9') => u32::try_from(self.whole()?).ok()?,
                    _ => 1,
                };
                (size < 64).then(|| self.games.nimber(size))
            }
            _ => self.arrows(),
        }
    }

    /// A whole number or a fraction, without a sign.
    fn fraction(&mut self) -> Option<Dyadic> {
        let numerator = self.whole()?;
        if !self.takes('/') {
            return Some(Dyadic::whole(numerator));
        }
        let denominator = self.whole()?.cast_unsigned();
        denominator
            .is_power_of_two()
            .then(|| Dyadic::new(numerator, denominator.ilog2()))
    }

    /// `↑`, `⇓`, `^^` and the like.
    fn arrows(&mut self) -> Option<Value> {
        let (count, up) = match self.rest.next()? {
            '↑' => (1, true),
            '⇑' => (2, true),
            '↓' => (1, false),
            '⇓' => (2, false),
            '^' => (1 + u32::from(self.takes('^')), true),
            'v' => (1 + u32::from(self.takes('v')), false),
            _ => return None,
        };
        let ups = self.games.ups(count);
        Some(if up { ups } else { self.games.negative(ups) })
    }

    /// What follows `±`.
    fn switch(&mut self, braces: u32) -> Option<Value> {
        if braces >= MOST_BRACES {
            return None;
        }
        let option = self.term(braces + 1)?;
        let negative = self.games.negative(option);
        Some(self.games.make(&[option], &[negative]))
    }

    fn braces(&mut self, braces: u32) -> Option<Value> {
        if braces >= MOST_BRACES || !self.takes('{') {
            return None;
        }
        let left = self.options('|', braces + 1)?;
        let right = self.options('}', braces + 1)?;
        Some(self.games.make(&left, &right))
    }

    /// Options with commas between them, up to a character.
    fn options(&mut self, end: char, braces: u32) -> Option<Vec<Value>> {
        let mut options = Vec::new();
        if self.takes(end) {
            return Some(options);
        }
        loop {
            options.push(self.sum(braces)?);
            if self.takes(end) {
                return Some(options);
            }
            if !self.takes(',') {
                return None;
            }
        }
    }
}
