use super::{Dyadic, Games, Value};
use std::fmt;

/// What cooling does to a game: the stops of the game by temperature (Berlekamp, Conway and Guy, *Winning
/// Ways*, chapter 6; Siegel, section II.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
    /// The number that the game is worth on average in a large sum of copies of it.
    pub mean: Dyadic,
    /// How much it is worth to move first: below 0 for numbers (−2⁻ᵏ for a denominator of 2ᵏ), 0 for other
    /// infinitesimals and their sums with numbers, above 0 where a move gains.
    pub temperature: Dyadic,
}

/// A stop by temperature from 0 on: straight between the points, constant after the last.
type Wall = Vec<(Dyadic, Dyadic)>;

/// The stop at a temperature.
fn at(wall: &Wall, temperature: Dyadic) -> Dyadic {
    let next = wall.iter().position(|&(point, _)| point >= temperature);
    match next {
        None => wall[wall.len() - 1].1,
        Some(0) => wall[0].1,
        Some(next) => {
            let ((start, from), (_, to)) = (wall[next - 1], wall[next]);
            // Walls have slopes of −1, 0 and 1.
            let way = temperature - start;
            match from.cmp(&to) {
                std::cmp::Ordering::Less => from + way,
                std::cmp::Ordering::Equal => from,
                std::cmp::Ordering::Greater => from - way,
            }
        }
    }
}

impl Thermograph {
    /// Left's stop when the game is cooled by a temperature of at least 0.
    pub fn left_stop(&self, temperature: Dyadic) -> Dyadic {
        at(&self.left, temperature)
    }

    /// Right's stop when the game is cooled by a temperature of at least 0.
    pub fn right_stop(&self, temperature: Dyadic) -> Dyadic {
        at(&self.right, temperature)
    }

    /// Left's and Right's wall: pairs of a temperature and the stop there, straight in between, constant after
    /// the last.
    pub fn walls(&self) -> [&[(Dyadic, Dyadic)]; 2] {
        [&self.left, &self.right]
    }

    fn of_number(number: Dyadic) -> Thermograph {
        let mast = vec![(Dyadic::ZERO, number)];
        Thermograph {
            left: mast.clone(),
            right: mast,
            mean: number,
            temperature: Dyadic::new(-1, number.exponent()),
        }
    }
}

/// The widest picture, in steps of the finest fraction in it.
const WIDEST: i64 = 60;

/// A picture, as it is usual: the hotter the higher, and what is better for Left further to the left. It is
/// left out where it would be too wide.
///
/// ```
/// let mut games = konane::cgt::Games::new();
/// let switch = games.parse("{2|-1}")?;
/// let picture = "
///     2    |
///   3/2    |
///     1   / \\
///   1/2  /   \\
///     0 /     \\
///       2     -1
/// ";
/// assert_eq!(games.thermograph(switch).to_string(), picture[1..]);
/// # Ok::<(), konane::cgt::ParseValueError>(())
/// ```
impl fmt::Display for Thermograph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = || self.left.iter().chain(&self.right);
        let exponents =
            points().map(|(temperature, stop)| temperature.exponent().max(stop.exponent()));
        let finest = exponents.max().unwrap_or(0);
        let step = Dyadic::new(1, finest);
        // In steps.
        let steps = |number: Dyadic| number.numerator() << (finest - number.exponent());
        let stops = || points().map(|&(_, stop)| stop);
        let (Some(most), Some(least)) = (stops().max(), stops().min()) else {
            return Ok(());
        };
        let last = points().map(|&(temperature, _)| steps(temperature)).max();
        let last = last.unwrap_or(0) + 1;
        if steps(most) - steps(least) > WIDEST || last > WIDEST {
            return writeln!(f, "(the thermograph is too large to be drawn)");
        }
        let column = |stop: Dyadic| (steps(most) - steps(stop)) as usize;
        let mut rows = Vec::new();
        let mut temperature = Dyadic::ZERO;
        for _ in 0..=last {
            let after = temperature + step;
            let [left, right] = [self.left_stop(temperature), self.right_stop(temperature)];
            let mut row = vec![' '; column(right) + 1];
            row[column(right)] = if self.right_stop(after) == right {
                '|'
            } else {
                '\\'
            };
            row[column(left)] = if self.left_stop(after) == left {
                '|'
            } else {
                '/'
            };
            rows.push((temperature, row.into_iter().collect::<String>()));
            temperature = after;
        }
        for (temperature, row) in rows.into_iter().rev() {
            writeln!(f, "{:>5} {row}", temperature.to_string())?;
        }
        let [left, right] = [self.left_stop(Dyadic::ZERO), self.right_stop(Dyadic::ZERO)];
        let gap = column(right)
            .saturating_sub(column(left) + left.to_string().len())
            .max(1);
        if left == right {
            return writeln!(f, "{:6}{:width$}{left}", "", "", width = column(left));
        }
        writeln!(
            f,
            "{:6}{:indent$}{left}{:gap$}{right}",
            "",
            "",
            "",
            indent = column(left)
        )
    }
}

impl Games {
    /// The thermograph of a value.
    pub fn thermograph(&mut self, value: Value) -> Thermograph {
        if let Some(known) = self.thermographs.get(&value) {
            return known.clone();
        }
        let thermograph = self.drawn(value);
        self.thermographs.insert(value, thermograph.clone());
        thermograph
    }

    fn drawn(&mut self, value: Value) -> Thermograph {
        if let Some(number) = self.as_number(value) {
            return Thermograph::of_number(number);
        }
        let (lefts, rights) = (self.left(value).to_vec(), self.right(value).to_vec());
        let mut after = |options: Vec<Value>| -> Vec<Thermograph> {
            let all = options.into_iter().map(|option| self.thermograph(option));
            all.collect()
        };
        let (lefts, rights) = (after(lefts), after(rights));
        // The scaffold: the best stop after a move that costs the temperature.
        let left = |temperature| {
            let stops = lefts.iter().map(|after| after.right_stop(temperature));
            stops.max().unwrap_or(Dyadic::ZERO) - temperature
        };
        let right = |temperature| {
            let stops = rights.iter().map(|after| after.left_stop(temperature));
            stops.min().unwrap_or(Dyadic::ZERO) + temperature
        };

        // The scaffolds bend only where a wall of an option does, or where two of them cross. All of
        // that is at multiples of a fraction that follows from the options' points: walls have whole
        // slopes and points on a grid, and crossings halve it.
        let walls = lefts.iter().map(|after| &after.right);
        let walls = walls.chain(rights.iter().map(|after| &after.left));
        let mut finest = 0;
        let mut last = Dyadic::ZERO;
        let mut widest = left(Dyadic::ZERO) - right(Dyadic::ZERO);
        for &(temperature, stop) in walls.flatten() {
            finest = finest.max(temperature.exponent()).max(stop.exponent());
            last = last.max(temperature);
        }
        // Beyond the last point the two scaffolds come nearer by 2 a unit.
        widest = widest.max(left(last) - right(last)).max(Dyadic::ZERO);
        let end = last + widest + Dyadic::whole(1);
        let step = Dyadic::new(1, finest + 1);

        let mut walls: [Wall; 2] = [Vec::new(), Vec::new()];
        let mut temperature = Dyadic::ZERO;
        let mut crossing = temperature;
        while temperature <= end {
            let (high, low) = (left(temperature), right(temperature));
            crossing = temperature;
            add_point(&mut walls[0], (temperature, high));
            add_point(&mut walls[1], (temperature, low));
            if high <= low {
                break;
            }
            temperature = temperature + step;
        }
        let [left, right] = walls;
        let mean = left[left.len() - 1].1;
        Thermograph {
            left,
            right,
            mean,
            temperature: crossing,
        }
    }
}

/// Adds a point to a wall, and leaves out the one before if it is on the straight line.
fn add_point(wall: &mut Wall, point: (Dyadic, Dyadic)) {
    if let [.., (t0, x0), (t1, x1)] = wall[..] {
        let slope = |from: Dyadic, to: Dyadic| to.cmp(&from);
        let straight = t1 > t0 && slope(x0, x1) == slope(x1, point.1);
        if straight {
            wall.pop();
        }
    }
    wall.push(point);
}
