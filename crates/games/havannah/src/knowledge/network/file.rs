//! The weights in a file that says what made them ([`engine::weights`]), as single-precision numbers.

use super::{CHANNELS, HIDDEN, LAYERS, PLANES, WEIGHTS, Weights};
use engine::weights::{Origin, WeightsError, WeightsFormat};
use std::fs;
use std::path::Path;

fn format() -> WeightsFormat {
    WeightsFormat {
        game: "havannah",
        network: format!("{PLANES} {CHANNELS} {LAYERS} {HIDDEN}"),
    }
}

/// The bytes of a file of weights.
pub fn to_bytes(origin: &Origin, weights: &[f32]) -> Vec<u8> {
    let numbers = weights.iter().flat_map(|weight| weight.to_le_bytes());
    format().to_bytes(origin, &numbers.collect::<Vec<u8>>())
}

/// The weights of a file with what made them.
///
/// # Errors
/// If they cannot be used, with the reason.
pub fn from_bytes(bytes: &[u8]) -> Result<(Vec<f32>, Origin), WeightsError> {
    let (content, origin) = format().from_bytes(bytes)?;
    let (numbers, rest) = content.as_chunks();
    if numbers.len() != WEIGHTS || !rest.is_empty() {
        return Err(WeightsError::Damaged("it has another number of weights"));
    }
    let numbers = numbers.iter().copied().map(f32::from_le_bytes);
    Ok((numbers.collect(), origin))
}

impl Weights {
    /// From a file, with what made them.
    ///
    /// # Errors
    /// If the file cannot be used, with the reason.
    pub fn load(path: &Path) -> Result<(Weights, Origin), WeightsError> {
        let (numbers, origin) = from_bytes(&fs::read(path)?)?;
        let weights = Weights::new(&numbers).ok_or(WeightsError::TooLarge)?;
        Ok((weights, origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_they_were_written() {
        let weights: Vec<f32> = (0..WEIGHTS).map(|number| number as f32 * 1e-9).collect();
        let (found, _) = from_bytes(&to_bytes(&Origin::default(), &weights)).expect("weights");
        assert_eq!(found, weights);
        let fewer = to_bytes(&Origin::default(), &weights[1..]);
        let why = from_bytes(&fewer).expect_err("refused").to_string();
        assert_eq!(why, "is damaged: it has another number of weights");
    }
}
