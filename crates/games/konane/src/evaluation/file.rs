//! The weights in a file that says what made them ([`engine::weights`]), as whole numbers of 16 bits.

use super::features::FEATURES;
use super::network::{FILTERS, ROWS, VIEWS};
use super::patterns::PATTERN_WEIGHTS;
use super::weights::Weights;
use engine::weights::{Origin, WeightsError, WeightsFormat, sha256};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The features, the patterns of windows, and the rows, filters and views of the network.
fn format() -> WeightsFormat {
    WeightsFormat {
        game: "konane",
        network: format!("{FEATURES} {PATTERN_WEIGHTS} {ROWS} {FILTERS} {VIEWS}"),
    }
}

/// The bytes of a file of weights; `None` if they are not all numbers.
pub fn to_bytes(origin: &Origin, learned: &[f32]) -> Option<Vec<u8>> {
    let rounded = Weights::rounded(learned)?;
    let numbers: Vec<u8> = rounded
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    Some(format().to_bytes(origin, &numbers))
}

/// The weights of a file with what made them.
///
/// # Errors
/// If they cannot be used, with the reason.
pub fn from_bytes(bytes: &[u8]) -> Result<(Weights, Origin), WeightsError> {
    let (content, origin) = format().from_bytes(bytes)?;
    let (numbers, rest) = content.as_chunks();
    if numbers.len() != super::NUMBERS || !rest.is_empty() {
        return Err(WeightsError::Damaged("it has another number of weights"));
    }
    let numbers = numbers.iter().copied().map(i16::from_le_bytes);
    let weights = Weights::new(numbers.collect()).ok_or(WeightsError::TooLarge)?;
    Ok((weights, origin))
}

/// The file of the weights that the program brings.
const SHIPPED: &[u8] = include_bytes!("konane.weights");

/// The SHA-256 of the file of the weights that the program brings.
pub fn shipped_sha256() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(|| sha256(SHIPPED));
    &HASH
}

/// The weights that the program brings.
///
/// # Panics
/// Never: a test reads them.
pub fn shipped() -> Arc<Weights> {
    static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| {
        let file = from_bytes(SHIPPED);
        Arc::new(file.expect("the weights of the program are whole").0)
    });
    Arc::clone(&WEIGHTS)
}

/// So many files are remembered.
const REMEMBERED: usize = 4;

/// The files that were read last, and their weights: who builds a player for each game makes the tables of its board once.
static LAST: Mutex<Vec<(Vec<u8>, Arc<Weights>)>> = Mutex::new(Vec::new());

/// The weights of a file.
///
/// # Errors
/// If they cannot be used, with the reason.
pub(crate) fn load(path: &Path) -> Result<Arc<Weights>, WeightsError> {
    let bytes = fs::read(path)?;
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, weights)) = last.iter().find(|(known, _)| *known == bytes) {
        return Ok(Arc::clone(weights));
    }
    let weights = Arc::new(from_bytes(&bytes)?.0);
    if last.len() == REMEMBERED {
        last.remove(0);
    }
    last.push((bytes, Arc::clone(&weights)));
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::super::NUMBERS;
    use super::*;

    #[test]
    fn weights_are_read_as_they_were_written() {
        let learned: Vec<f32> = (0..NUMBERS)
            .map(|number| (number % 100) as f32 / 100.0)
            .collect();
        let bytes = to_bytes(&Origin::default(), &learned).expect("numbers");
        let (weights, _) = from_bytes(&bytes).expect("weights");
        for (found, learned) in weights.learned_numbers().iter().zip(&learned) {
            assert!((found - learned).abs() <= 0.0101, "{found} {learned}");
        }
        let fewer = format().to_bytes(&Origin::default(), &vec![0; 2 * NUMBERS - 2]);
        let why = from_bytes(&fewer).expect_err("refused").to_string();
        assert_eq!(why, "is damaged: it has another number of weights");
        let large = format().to_bytes(&Origin::default(), &vec![0x7f; 2 * NUMBERS]);
        assert!(matches!(from_bytes(&large), Err(WeightsError::TooLarge)));
    }

    #[test]
    fn the_weights_of_the_program_are_whole() {
        let (_, origin) = from_bytes(SHIPPED).expect("weights");
        assert!(!origin.sizes.is_empty());
    }
}
