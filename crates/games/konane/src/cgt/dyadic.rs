use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A dyadic fraction: a whole number divided by a power of two, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    numerator: i64,
    /// The binary logarithm of the denominator.
    exponent: u32,
}

impl Dyadic {
    /// 0.
    pub const ZERO: Dyadic = Dyadic::whole(0);

    /// A whole number.
    pub const fn whole(number: i64) -> Dyadic {
        Dyadic {
            numerator: number,
            exponent: 0,
        }
    }

    /// `numerator / 2^exponent`.
    pub const fn new(mut numerator: i64, mut exponent: u32) -> Dyadic {
        while exponent > 0 && numerator % 2 == 0 {
            numerator /= 2;
            exponent -= 1;
        }
        Dyadic {
            numerator,
            exponent,
        }
    }

    /// The numerator in lowest terms.
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// The binary logarithm of the denominator in lowest terms.
    pub const fn exponent(self) -> u32 {
        self.exponent
    }

    /// Half of it.
    #[must_use]
    pub const fn half(self) -> Dyadic {
        Dyadic::new(self.numerator, self.exponent + 1)
    }

    /// The next smaller and the next larger fraction with the same denominator: the options of the
    /// number in canonical form, where it is no whole number.
    pub(super) const fn neighbours(self) -> [Dyadic; 2] {
        [
            Dyadic::new(self.numerator - 1, self.exponent),
            Dyadic::new(self.numerator + 1, self.exponent),
        ]
    }

    /// Both numerators over one denominator.
    fn aligned(self, other: Dyadic) -> (i64, i64, u32) {
        let exponent = self.exponent.max(other.exponent);
        let scaled = |number: Dyadic| number.numerator << (exponent - number.exponent);
        (scaled(self), scaled(other), exponent)
    }
}

impl Add for Dyadic {
    type Output = Dyadic;

    fn add(self, other: Dyadic) -> Dyadic {
        let (own, other, exponent) = self.aligned(other);
        Dyadic::new(own + other, exponent)
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic {
            numerator: -self.numerator,
            ..self
        }
    }
}

impl Sub for Dyadic {
    type Output = Dyadic;

    fn sub(self, other: Dyadic) -> Dyadic {
        self + -other
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        let (own, other, _) = self.aligned(*other);
        own.cmp(&other)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `3`, `-3/4`
impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => write!(f, "{}", self.numerator),
            exponent => write!(f, "{}/{}", self.numerator, 1_u64 << exponent),
        }
    }
}
