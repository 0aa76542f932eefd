//! An adaptive binary range coder, as in LZMA (Pavlov), with probabilities of 16 bits.

/// The probability of a decision, which follows what was decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    /// That it is false, in 65536ths.
    no: u32,
    /// The decisions so far, up to a bound.
    seen: u32,
}

/// The bound of what is counted: older decisions matter less and less.
const SEEN: u32 = 60;
/// The smallest probability.
const LEAST: u32 = 32;

impl Chance {
    pub const EVEN: Chance = Chance {
        no: 1 << 15,
        seen: 0,
    };

    fn learn(&mut self, value: bool) {
        if value {
            self.no -= self.no / (self.seen + 2);
        } else {
            self.no += ((1 << 16) - self.no) / (self.seen + 2);
        }
        self.no = self.no.clamp(LEAST, (1 << 16) - LEAST);
        self.seen = (self.seen + 1).min(SEEN);
    }
}

/// Writes or reads decisions: one description of what a block holds serves for both.
pub(crate) trait Coder {
    /// Writes the decision and returns it, or returns the one that was written.
    fn decide(&mut self, chance: &mut Chance, value: bool) -> bool;
}

/// Below this, a byte is moved out.
const SMALL: u32 = 1 << 24;

/// Writes.
#[derive(Debug)]
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte that a carry may still change, and the bytes 255 behind it; none at the start.
    held: Option<u8>,
    full: usize,
    bytes: Vec<u8>,
}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder {
            low: 0,
            range: u32::MAX,
            held: None,
            full: 0,
            bytes: Vec::new(),
        }
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let next = (self.low >> 24) as u8;
        if carry == 0 && next == u8::MAX {
            self.full += 1;
        } else {
            // Nothing is held at the start, and then there is no carry: the number is less than one.
            self.bytes.extend(self.held.map(|byte| byte + carry));
            let full = u8::MAX.wrapping_add(carry);
            self.bytes.extend(std::iter::repeat_n(full, self.full));
            self.full = 0;
            self.held = Some(next);
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// The bytes, without the zeros at their end.
    pub fn finish(mut self) -> Vec<u8> {
        // Of the numbers in the range, the one with the most zeros at its end.
        let last = self.low + u64::from(self.range) - 1;
        let ends = (0..=32).rev().map(|zeros| last >> zeros << zeros);
        let low = self.low;
        self.low = ends.into_iter().find(|&end| end >= low).unwrap_or(low);
        for _ in 0..5 {
            self.shift();
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    fn decide(&mut self, chance: &mut Chance, value: bool) -> bool {
        let bound = (self.range >> 16) * chance.no;
        if value {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < SMALL {
            self.range <<= 8;
            self.shift();
        }
        chance.learn(value);
        value
    }
}

/// Reads.
#[derive(Debug)]
pub(crate) struct Decoder {
    bytes: Vec<u8>,
    at: usize,
    code: u32,
    range: u32,
}

impl Decoder {
    pub fn new(bytes: Vec<u8>) -> Decoder {
        let mut decoder = Decoder {
            bytes,
            at: 0,
            code: 0,
            range: u32::MAX,
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    /// Zeros follow the bytes.
    fn shift(&mut self) {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.code = self.code << 8 | u32::from(byte);
        self.at += 1;
    }

    /// The bytes behind those that were read, if there are any.
    pub fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }
}

impl Coder for Decoder {
    fn decide(&mut self, chance: &mut Chance, _: bool) -> bool {
        let bound = (self.range >> 16) * chance.no;
        let value = self.code >= bound;
        if value {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < SMALL {
            self.range <<= 8;
            self.shift();
        }
        chance.learn(value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::random;

    /// Decisions of any likelihood, also such that carries run through many bytes.
    #[test]
    fn what_is_written_is_read() {
        let mut rng = random::seeded(1);
        for round in 0..300 {
            let count = random::below(3000, &mut rng);
            let odds = [1, 2, 50, 1000][round % 4];
            let decisions: Vec<(usize, bool)> = (0..count)
                .map(|_| {
                    let which = random::below(3, &mut rng) as usize;
                    (which, random::below(odds, &mut rng) == 0)
                })
                .collect();
            let mut encoder = Encoder::new();
            let mut chances = [Chance::EVEN; 3];
            for &(which, value) in &decisions {
                encoder.decide(&mut chances[which], value);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(bytes);
            let mut chances = [Chance::EVEN; 3];
            for &(which, value) in &decisions {
                assert_eq!(decoder.decide(&mut chances[which], false), value);
            }
            assert!(decoder.rest().is_empty());
        }
    }

    #[test]
    fn what_is_likely_takes_little() {
        let mut encoder = Encoder::new();
        let mut chance = Chance::EVEN;
        for _ in 0..100_000 {
            encoder.decide(&mut chance, false);
        }
        assert!(encoder.finish().len() < 20);
        let mut encoder = Encoder::new();
        for _ in 0..100 {
            encoder.decide(&mut Chance::EVEN.clone(), true);
        }
        assert!((12..=14).contains(&encoder.finish().len()));
    }
}
