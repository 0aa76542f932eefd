use super::{Dyadic, Thermograph};
use std::collections::HashMap;

/// A value, kept by the [`Games`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);

/// Who wins a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Left, whoever begins: the value is positive.
    Left,
    /// Right, whoever begins: the value is negative.
    Right,
    /// Whoever begins: the value is confused with 0.
    First,
    /// Whoever does not begin: the value is 0.
    Second,
}

/// Left's and Right's options, each sorted and without repetition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Form {
    left: Vec<Value>,
    right: Vec<Value>,
}

/// Values in canonical form, each kept once.
#[derive(Clone, Debug)]
pub struct Games {
    forms: Vec<Form>,
    /// The values that are numbers, by value.
    numbers: Vec<Option<Dyadic>>,
    stops: Vec<[Dyadic; 2]>,
    birthdays: Vec<u32>,
    pub(super) thermographs: HashMap<Value, Thermograph>,
    values: HashMap<Form, Value>,
    of_numbers: HashMap<Dyadic, Value>,
    at_most: HashMap<(Value, Value), bool>,
    sums: HashMap<(Value, Value), Value>,
    negatives: HashMap<Value, Value>,
}

impl Default for Games {
    fn default() -> Self {
        Games::new()
    }
}

impl Games {
    /// Knows 0.
    pub fn new() -> Games {
        let mut games = Games {
            forms: Vec::new(),
            numbers: Vec::new(),
            stops: Vec::new(),
            birthdays: Vec::new(),
            thermographs: HashMap::new(),
            values: HashMap::new(),
            of_numbers: HashMap::new(),
            at_most: HashMap::new(),
            sums: HashMap::new(),
            negatives: HashMap::new(),
        };
        games.intern(Form::default());
        games
    }

    /// 0, in which nobody can move.
    pub fn zero(&self) -> Value {
        Value(0)
    }

    /// How much is remembered: values, comparisons and sums.
    pub fn size(&self) -> usize {
        self.forms.len() + self.at_most.len() + self.sums.len()
    }

    /// Left's options in canonical form.
    pub fn left(&self, value: Value) -> &[Value] {
        &self.forms[value.0 as usize].left
    }

    /// Right's options in canonical form.
    pub fn right(&self, value: Value) -> &[Value] {
        &self.forms[value.0 as usize].right
    }

    /// The number that a value is, if it is one.
    pub fn as_number(&self, value: Value) -> Option<Dyadic> {
        self.numbers[value.0 as usize]
    }

    /// A number as a value: a whole number above 0 is `{n − 1 | }`, a fraction `{x − 2⁻ᵏ | x + 2⁻ᵏ}`.
    pub fn number(&mut self, number: Dyadic) -> Value {
        if let Some(&value) = self.of_numbers.get(&number) {
            return value;
        }
        let form = if number.exponent() > 0 {
            let [left, right] = number.neighbours().map(|next| vec![self.number(next)]);
            Form { left, right }
        } else {
            // From 0 outwards, so that no recursion is deep.
            let step = number.numerator().signum();
            let mut value = self.zero();
            for size in 1..=number.numerator().abs() {
                let next = Dyadic::whole(size * step);
                value = match self.of_numbers.get(&next) {
                    Some(&known) => known,
                    None if step > 0 => self.intern(Form {
                        left: vec![value],
                        right: Vec::new(),
                    }),
                    None => self.intern(Form {
                        left: Vec::new(),
                        right: vec![value],
                    }),
                };
            }
            return value;
        };
        self.intern(form)
    }

    /// A whole number as a value.
    pub fn integer(&mut self, number: i64) -> Value {
        self.number(Dyadic::whole(number))
    }

    /// The nimber ∗n: both sides can move to every smaller one.
    pub fn nimber(&mut self, size: u32) -> Value {
        let mut smaller = Vec::new();
        let mut nimber = self.zero();
        for _ in 0..size {
            smaller.push(nimber);
            nimber = self.make(&smaller, &smaller);
        }
        nimber
    }

    /// The value with these options, in canonical form: no option is dominated, and none can be
    /// reversed (Siegel, section II.2).
    pub fn make(&mut self, left: &[Value], right: &[Value]) -> Value {
        let mut form = Form {
            left: left.to_vec(),
            right: right.to_vec(),
        };
        loop {
            form.left.sort_unstable();
            form.left.dedup();
            form.right.sort_unstable();
            form.right.dedup();
            self.drop_dominated(&mut form);
            if let Some(&value) = self.values.get(&form) {
                return value;
            }
            if !self.bypass_reversible(&mut form) {
                return self.intern(form);
            }
        }
    }

    /// Of Left's options keeps those that are not at most another, of Right's those that no other is at
    /// most.
    fn drop_dominated(&mut self, form: &mut Form) {
        let mut kept: Vec<Value> = Vec::with_capacity(form.left.len());
        for &option in &form.left {
            if kept.iter().any(|&other| self.at_most(option, other)) {
                continue;
            }
            kept.retain(|&other| !self.at_most(other, option));
            kept.push(option);
        }
        form.left = kept;
        let mut kept: Vec<Value> = Vec::with_capacity(form.right.len());
        for &option in &form.right {
            if kept.iter().any(|&other| self.at_most(other, option)) {
                continue;
            }
            kept.retain(|&other| !self.at_most(option, other));
            kept.push(option);
        }
        form.right = kept;
        form.left.sort_unstable();
        form.right.sort_unstable();
    }

    /// Replaces an option of Left's that has an option of Right's at most the whole by what Left can do
    /// then, and the other way round. Whether there was one.
    fn bypass_reversible(&mut self, form: &mut Form) -> bool {
        for index in 0..form.left.len() {
            let option = form.left[index];
            for reply in self.right(option).to_vec() {
                if self.value_at_most_form(reply, form) {
                    form.left.swap_remove(index);
                    let through = self.left(reply).to_vec();
                    form.left.extend(through);
                    return true;
                }
            }
        }
        for index in 0..form.right.len() {
            let option = form.right[index];
            for reply in self.left(option).to_vec() {
                if self.form_at_most_value(form, reply) {
                    form.right.swap_remove(index);
                    let through = self.right(reply).to_vec();
                    form.right.extend(through);
                    return true;
                }
            }
        }
        false
    }

    /// `value ≤ form`: no option of Left's of the value is at least the form, and no option of Right's of
    /// the form is at most the value.
    fn value_at_most_form(&mut self, value: Value, form: &Form) -> bool {
        !form.right.iter().any(|&option| self.at_most(option, value))
            && !self
                .left(value)
                .to_vec()
                .into_iter()
                .any(|option| self.form_at_most_value(form, option))
    }

    fn form_at_most_value(&mut self, form: &Form, value: Value) -> bool {
        !form.left.iter().any(|&option| self.at_most(value, option))
            && !self
                .right(value)
                .to_vec()
                .into_iter()
                .any(|option| self.value_at_most_form(option, form))
    }

    fn intern(&mut self, form: Form) -> Value {
        if let Some(&value) = self.values.get(&form) {
            return value;
        }
        let value = Value(self.forms.len() as u32);
        let number = self.number_of(&form);
        if let Some(number) = number {
            self.of_numbers.insert(number, value);
        }
        let stops = number.map_or_else(|| self.stops_of(&form), |number| [number; 2]);
        let options = form.left.iter().chain(&form.right);
        let latest = options.map(|&option| self.birthday(option)).max();
        self.birthdays.push(latest.map_or(0, |latest| latest + 1));
        self.stops.push(stops);
        self.numbers.push(number);
        self.forms.push(form.clone());
        self.values.insert(form, value);
        value
    }

    /// The number that a canonical form is, if it is one: its options are numbers too, at most one on
    /// each side, Left's less than Right's.
    fn number_of(&self, form: &Form) -> Option<Dyadic> {
        let one = Dyadic::whole(1);
        match (&form.left[..], &form.right[..]) {
            ([], []) => Some(Dyadic::ZERO),
            (&[left], []) => self.as_number(left).map(|left| left + one),
            ([], &[right]) => self.as_number(right).map(|right| right - one),
            (&[left], &[right]) => {
                let (left, right) = (self.as_number(left)?, self.as_number(right)?);
                (left < right).then(|| (left + right).half())
            }
            _ => None,
        }
    }

    /// Whether `a ≤ b`: Right wins `a − b` if Left begins.
    pub fn at_most(&mut self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        if let (Some(a), Some(b)) = (self.as_number(a), self.as_number(b)) {
            return a <= b;
        }
        if let Some(&known) = self.at_most.get(&(a, b)) {
            return known;
        }
        let (left, right) = (self.left(a).to_vec(), self.right(b).to_vec());
        let answer = !left.into_iter().any(|option| self.at_most(b, option))
            && !right.into_iter().any(|option| self.at_most(option, a));
        self.at_most.insert((a, b), answer);
        answer
    }

    /// Who wins.
    pub fn outcome(&mut self, value: Value) -> Outcome {
        let zero = self.zero();
        match (self.at_most(value, zero), self.at_most(zero, value)) {
            (true, true) => Outcome::Second,
            (true, false) => Outcome::Right,
            (false, true) => Outcome::Left,
            (false, false) => Outcome::First,
        }
    }

    /// The same game with the sides exchanged.
    pub fn negative(&mut self, value: Value) -> Value {
        if let Some(number) = self.as_number(value) {
            return self.number(-number);
        }
        if let Some(&known) = self.negatives.get(&value) {
            return known;
        }
        let (left, right) = (self.left(value).to_vec(), self.right(value).to_vec());
        let mut exchange = |options: Vec<Value>| {
            let mut options: Vec<Value> = options
                .into_iter()
                .map(|option| self.negative(option))
                .collect();
            options.sort_unstable();
            options
        };
        let form = Form {
            right: exchange(left),
            left: exchange(right),
        };
        // The negative of a canonical form is canonical.
        let negative = self.intern(form);
        self.negatives.insert(value, negative);
        self.negatives.insert(negative, value);
        negative
    }

    /// Both games at once: a move is a move in one of them.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = (a.min(b), a.max(b));
        match (self.as_number(a), self.as_number(b)) {
            (Some(a), Some(b)) => return self.number(a + b),
            (Some(Dyadic::ZERO), None) => return b,
            _ => {}
        }
        if let Some(&known) = self.sums.get(&(a, b)) {
            return known;
        }
        // Nobody needs to move in a number while there is anything else (Siegel, theorem II.3.6).
        let moves_in_a = self.as_number(a).is_none();
        let moves_in_b = self.as_number(b).is_none();
        let mut left = Vec::new();
        let mut right = Vec::new();
        if moves_in_a {
            for option in self.left(a).to_vec() {
                left.push(self.add(option, b));
            }
            for option in self.right(a).to_vec() {
                right.push(self.add(option, b));
            }
        }
        if moves_in_b {
            for option in self.left(b).to_vec() {
                left.push(self.add(a, option));
            }
            for option in self.right(b).to_vec() {
                right.push(self.add(a, option));
            }
        }
        let sum = self.make(&left, &right);
        self.sums.insert((a, b), sum);
        sum
    }

    /// `a − b`.
    pub fn subtract(&mut self, a: Value, b: Value) -> Value {
        let b = self.negative(b);
        self.add(a, b)
    }

    /// The number of moves of the longest play of the canonical form.
    pub fn birthday(&self, value: Value) -> u32 {
        self.birthdays[value.0 as usize]
    }

    /// The numbers that play comes to if Left begins and if Right begins, and each stops at the first
    /// number.
    pub fn stops(&self, value: Value) -> [Dyadic; 2] {
        self.stops[value.0 as usize]
    }

    /// The stops of what is no number, and so has options on both sides.
    fn stops_of(&self, form: &Form) -> [Dyadic; 2] {
        let left = form.left.iter().map(|&option| self.stops(option)[1]);
        let right = form.right.iter().map(|&option| self.stops(option)[0]);
        [
            left.max().unwrap_or(Dyadic::ZERO),
            right.min().unwrap_or(Dyadic::ZERO),
        ]
    }
}
