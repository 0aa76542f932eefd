//! The weights in a file that says what made them ([`engine::weights`]), as single-precision numbers.

use super::{CHANNELS, HIDDEN, Layout, PLANES, Weights};
use engine::weights::{Origin, WeightsError, WeightsFormat};
use std::fs;
use std::path::Path;

/// Of networks with so many layers.
fn format(layers: &str) -> WeightsFormat {
    WeightsFormat {
        game: "havannah",
        network: format!("{PLANES} {CHANNELS} {layers} {HIDDEN}"),
    }
}

/// The bytes of a file of weights; `None` if there is no network with so many.
pub fn to_bytes(origin: &Origin, weights: &[f32]) -> Option<Vec<u8>> {
    let layers = Layout::of(weights.len())?.layers();
    let numbers = weights.iter().flat_map(|weight| weight.to_le_bytes());
    let numbers: Vec<u8> = numbers.collect();
    Some(format(&layers.to_string()).to_bytes(origin, &numbers))
}

/// The weights of a file with what made them.
///
/// # Errors
/// If they cannot be used, with the reason.
pub fn from_bytes(bytes: &[u8]) -> Result<(Vec<f32>, Origin), WeightsError> {
    let (content, origin) = format(WeightsFormat::ANY).from_bytes(bytes)?;
    let (numbers, rest) = content.as_chunks();
    if Layout::of(numbers.len()).is_none() || !rest.is_empty() {
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
        for layers in [1, 4, 9] {
            let count = Layout::new(layers).expect("a layout").weights();
            let weights: Vec<f32> = (0..count).map(|number| number as f32 * 1e-9).collect();
            let file = to_bytes(&Origin::default(), &weights).expect("a network");
            let (found, _) = from_bytes(&file).expect("weights");
            assert_eq!(found, weights);
            assert!(to_bytes(&Origin::default(), &weights[1..]).is_none());
            let fewer = format("4").to_bytes(&Origin::default(), &file[..400]);
            let why = from_bytes(&fewer).expect_err("refused").to_string();
            assert_eq!(why, "is damaged: it has another number of weights");
        }
    }
}
