//! From values to places in the picture.

use crate::X;

/// A straight scale from `from` to `to`, in values, over pixels.
#[derive(Debug, Clone, Copy)]
pub struct Linear {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Linear {
    /// The scale; an empty range of values becomes one around it.
    pub fn new((from, to): (f64, f64), (start, end): (f64, f64)) -> Linear {
        let (from, to) = if from < to {
            (from, to)
        } else {
            (from - 1.0, to + 1.0)
        };
        Linear {
            from,
            to,
            start,
            end,
        }
    }

    /// The pixel of a value.
    pub fn at(&self, value: f64) -> f64 {
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }
}

/// The greatest and the smallest of some values; `None` without finite ones.
pub fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .filter(|value| value.is_finite())
        .fold(None, |range, value| match range {
            None => Some((value, value)),
            Some((low, high)) => Some((value.min(low), value.max(high))),
        })
}

/// Round values in a range, about `wanted` of them, in steps of 1, 2 or 5 times a power of ten.
pub fn ticks((low, high): (f64, f64), wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted.max(1) as f64;
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![low];
    }
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    // Dividing by a whole number where the step is a fraction keeps 0.3 from becoming 0.30000000000000004.
    let value = |count: i64| {
        if step < 1.0 {
            count as f64 / (1.0 / step).round()
        } else {
            count as f64 * step
        }
    };
    (first..=last).map(value).collect()
}

/// A horizontal axis.
#[derive(Debug, Clone)]
pub enum Horizontal {
    /// Numbers in proportion.
    Straight(Linear, Vec<f64>),
    /// Places one beside the other, names or numbers that lie too unevenly (50, 100 … 10,000).
    Places(Linear, Vec<X>),
}

impl Horizontal {
    /// The axis that shows these places best, between two pixels.
    pub fn new(places: &[X], (start, end): (f64, f64)) -> Horizontal {
        let numbers: Vec<f64> = places
            .iter()
            .filter_map(|place| match place {
                X::Number(number) => Some(*number),
                X::Name(_) => None,
            })
            .collect();
        let gaps = || numbers.windows(2).map(|pair| pair[1] - pair[0]);
        let uneven = range(gaps()).is_some_and(|(least, most)| most > 4.5 * least);
        let inset = (start + 26.0, end - 26.0);
        if numbers.len() < places.len() || (uneven && numbers.len() <= 15) || numbers.len() < 2 {
            let last = places.len().saturating_sub(1) as f64;
            return Horizontal::Places(Linear::new((0.0, last), inset), places.to_vec());
        }
        let ends = (numbers[0], numbers[numbers.len() - 1]);
        let shown = if numbers.len() <= 12 {
            numbers.clone()
        } else {
            ticks(ends, 8)
        };
        Horizontal::Straight(Linear::new(ends, inset), shown)
    }

    /// The pixel of a place.
    pub fn at(&self, x: &X) -> Option<f64> {
        match self {
            Horizontal::Straight(scale, _) => match x {
                X::Number(number) => Some(scale.at(*number)),
                X::Name(_) => None,
            },
            Horizontal::Places(scale, places) => {
                let index = places.iter().position(|place| place == x)?;
                Some(scale.at(index as f64))
            }
        }
    }

    /// Whether a line from one place to the next means anything: not between names.
    pub fn has_order(&self) -> bool {
        match self {
            Horizontal::Straight(..) => true,
            Horizontal::Places(_, places) => {
                places.iter().all(|place| matches!(place, X::Number(_)))
            }
        }
    }

    /// Pixel and text of each tick.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        match self {
            Horizontal::Straight(scale, shown) => {
                let tick = |value: &f64| (scale.at(*value), X::Number(*value).to_string());
                shown.iter().map(tick).collect()
            }
            Horizontal::Places(scale, places) => (0..)
                .zip(places)
                .map(|(index, place)| (scale.at(f64::from(index)), place.to_string()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks((0.0, 100.0), 5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks((0.0, 0.37), 4), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(ticks((3.0, 3.0), 4), [3.0]);
        assert_eq!(ticks((-7.0, 12.0), 4), [-5.0, 0.0, 5.0, 10.0]);
    }

    #[test]
    fn uneven_numbers_stand_side_by_side() {
        let places: Vec<X> = [50.0, 100.0, 10_000.0].map(X::Number).into();
        let axis = Horizontal::new(&places, (0.0, 152.0));
        assert_eq!(axis.at(&X::Number(100.0)), Some(76.0));
        let sizes: Vec<X> = [4.0, 6.0, 10.0].map(X::Number).into();
        let axis = Horizontal::new(&sizes, (0.0, 112.0));
        assert_eq!(axis.at(&X::Number(7.0)), Some(56.0));
        assert_eq!(axis.at(&X::from("all")), None);
    }
}
