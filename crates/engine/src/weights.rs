//! Weights in a file that says what made them.
//!
//! Lines of text come first: `papamu weights 1`, then a name and its value on each line, and an empty line. The numbers
//! follow, the lowest byte of each first, and the SHA-256 of all that is before it ends the file.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io;
use thiserror::Error;

/// The version of the format that this program writes and reads.
const VERSION: &str = "1";
const BEGIN: &str = "papamu weights ";
/// More than the lines of text ever take.
const LONGEST_TEXT: usize = 4096;
const CHECKSUM: usize = 32;

/// The SHA-256 of bytes in hexadecimal digits, as files of weights are named by it.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The weights that a player plays with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsInUse {
    /// Their file as the parameters of the player name it; what the program brings has a name.
    pub file: String,
    /// The [`sha256`] of the file.
    pub sha256: String,
}

/// What made weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The sizes of the boards that were learned from.
    pub sizes: Vec<u32>,
    /// The SHA-256 of the file of the learning run, in hexadecimal digits.
    pub learning: String,
    /// The random seed of the run.
    pub seed: u64,
    /// The version of the program that learned.
    pub program: String,
    /// The generation of the run, counted from 1.
    pub generation: u32,
    /// Games of self-play up to that generation.
    pub games: u64,
}

/// Why a file of weights cannot be used.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It begins otherwise.
    #[error("is not a file of weights")]
    NotWeights,
    /// Its format is of another version.
    #[error("has version {0} of the format of weights; this program reads version {VERSION}")]
    Version(String),
    /// It is not as it was written.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
    /// It is for another game.
    #[error("has weights for {found}, not for {expected}")]
    Game {
        /// The game of the file.
        found: String,
        /// The one asked for.
        expected: &'static str,
    },
    /// It is for a network with other layers.
    #[error("is for a network of the shape {found}; this program has {expected}")]
    Network {
        /// The layers of the file.
        found: String,
        /// Those of this program.
        expected: String,
    },
    /// The weights are not for whole numbers.
    #[error("has weights that are not numbers, or too large for the network's whole numbers")]
    TooLarge,
}

/// What a file of weights is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsFormat {
    /// The name of the game.
    pub game: &'static str,
    /// The numbers that say which layers the network has, with [`WeightsFormat::ANY`] for one that may be any when a file
    /// is read.
    pub network: String,
}

impl WeightsFormat {
    /// Stands for any number.
    pub const ANY: &'static str = "*";

    /// The bytes of a file with these numbers.
    pub fn to_bytes(&self, origin: &Origin, numbers: &[u8]) -> Vec<u8> {
        let mut text = format!("{BEGIN}{VERSION}\n");
        let mut line = |name: &str, value: &str| {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{name} {value}");
        };
        let sizes: Vec<String> = origin.sizes.iter().map(u32::to_string).collect();
        line("game", self.game);
        line("network", &self.network);
        line("sizes", &sizes.join(" "));
        line("learning", &origin.learning);
        line("seed", &origin.seed.to_string());
        line("program", &origin.program);
        line("generation", &origin.generation.to_string());
        line("games", &origin.games.to_string());
        let mut bytes = text.into_bytes();
        bytes.push(b'\n');
        bytes.extend(numbers);
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        bytes
    }

    /// The numbers of a file with what made them.
    ///
    /// # Errors
    /// If they cannot be used, with the reason.
    pub fn from_bytes<'a>(&self, bytes: &'a [u8]) -> Result<(&'a [u8], Origin), WeightsError> {
        let begin = bytes.strip_prefix(BEGIN.as_bytes());
        let after = begin.ok_or(WeightsError::NotWeights)?;
        let version = after
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        if version != VERSION.as_bytes() {
            let version = String::from_utf8_lossy(&version[..version.len().min(20)]);
            return Err(WeightsError::Version(version.into_owned()));
        }
        let end = bytes.len().saturating_sub(CHECKSUM);
        let (content, checksum) = bytes.split_at(end);
        if Sha256::digest(content).as_slice() != checksum {
            return Err(WeightsError::Damaged("its checksum is another"));
        }
        let damaged = WeightsError::Damaged;
        let text = &content[..content.len().min(LONGEST_TEXT)];
        let end = text.windows(2).position(|two| two == b"\n\n");
        let end = end.ok_or(damaged("its text has no end"))?;
        let text = str::from_utf8(&text[..end]).map_err(|_| damaged("its text is none"))?;
        let value = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            let found = lines.find(|(found, _)| *found == name);
            found.map_or("", |(_, value)| value)
        };
        if value("game") != self.game {
            return Err(WeightsError::Game {
                found: value("game").to_owned(),
                expected: self.game,
            });
        }
        if !self.fits(value("network")) {
            return Err(WeightsError::Network {
                found: value("network").to_owned(),
                expected: self.network.clone(),
            });
        }
        let numeral = |name: &str| value(name).parse::<u64>();
        let numeral = |name: &str| numeral(name).map_err(|_| damaged("a line has no number"));
        let sizes = value("sizes").split_whitespace().map(str::parse);
        let origin = Origin {
            sizes: sizes
                .collect::<Result<_, _>>()
                .map_err(|_| damaged("its sizes are no numbers"))?,
            learning: value("learning").to_owned(),
            seed: numeral("seed")?,
            program: value("program").to_owned(),
            generation: numeral("generation")? as u32,
            games: numeral("games")?,
        };
        Ok((&content[end + 2..], origin))
    }

    fn fits(&self, network: &str) -> bool {
        let (found, expected) = (network.split(' '), self.network.split(' '));
        found.clone().count() == expected.clone().count()
            && found.zip(expected).all(|(found, expected)| {
                found == expected || expected == Self::ANY && found.parse::<u32>().is_ok()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin() -> Origin {
        Origin {
            sizes: vec![5, 6],
            learning: "ab12".to_owned(),
            seed: u64::MAX,
            program: "0.1.0".to_owned(),
            generation: 3,
            games: 6000,
        }
    }

    fn format() -> WeightsFormat {
        WeightsFormat {
            game: "havannah",
            network: "16 32 4 32".to_owned(),
        }
    }

    fn numbers() -> Vec<u8> {
        (0..10_000_u32).flat_map(u32::to_le_bytes).collect()
    }

    fn file() -> Vec<u8> {
        format().to_bytes(&origin(), &numbers())
    }

    /// The file with its text changed, and a checksum that fits.
    fn with_text(from: &str, to: &str) -> Vec<u8> {
        let file = file();
        let content = &file[..file.len() - CHECKSUM];
        let at = content
            .windows(from.len())
            .position(|text| text == from.as_bytes());
        let at = at.expect("the text to change");
        let mut changed = [&content[..at], to.as_bytes(), &content[at + from.len()..]].concat();
        let checksum = Sha256::digest(&changed);
        changed.extend(checksum);
        changed
    }

    fn refusal(bytes: &[u8]) -> String {
        format().from_bytes(bytes).expect_err("refused").to_string()
    }

    /// The second example of FIPS 180-2, appendix B.
    #[test]
    fn a_hash_is_written_in_hexadecimal_digits() {
        assert_eq!(
            sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }

    #[test]
    fn weights_are_read_as_they_were_written() {
        let file = file();
        let (found, made_by) = format().from_bytes(&file).expect("weights");
        assert_eq!(made_by, origin());
        assert_eq!(found, numbers());
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_the_reason() {
        assert_eq!(refusal(b"PNG"), "is not a file of weights");
        assert_eq!(refusal(b""), "is not a file of weights");
        assert_eq!(
            refusal(&with_text("weights 1", "weights 2")),
            "has version 2 of the format of weights; this program reads version 1"
        );
        assert_eq!(
            refusal(&with_text("game havannah", "game konane")),
            "has weights for konane, not for havannah"
        );
        assert_eq!(
            refusal(&with_text("network 16 32", "network 18 64")),
            "is for a network of the shape 18 64 4 32; this program has 16 32 4 32"
        );
        assert_eq!(
            refusal(&with_text("seed ", "sead ")),
            "is damaged: a line has no number"
        );
    }

    /// Any byte that changes, and any end that is missing.
    #[test]
    fn damage_is_noticed() {
        let file = file();
        for at in (0..file.len()).step_by(997).chain([20, file.len() - 1]) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x10;
            assert!(format().from_bytes(&damaged).is_err(), "byte {at}");
            assert!(format().from_bytes(&file[..at]).is_err(), "cut at {at}");
        }
    }
}
