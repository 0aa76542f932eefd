//! The weights that a run begins with.

use crate::error::LearnError;
use crate::folder;
use crate::games::Subject;
use crate::plan::{Plan, Start};
use crate::run::Options;

/// What a run begins with.
#[derive(Default)]
pub(crate) struct Beginning {
    /// As many weights as it learns, if they are not random.
    pub weights: Option<Vec<f32>>,
    /// Their file, if it is not the program's.
    pub file: Option<Vec<u8>>,
    /// The SHA-256 of the program's, if the run begins with it.
    pub shipped: Option<String>,
}

impl Beginning {
    pub(crate) fn of<S: Subject>(plan: &Plan, options: &Options) -> Result<Beginning, LearnError> {
        let mut shipped = None;
        let (weights, file) = match &plan.start {
            Start::Nothing => return Ok(Beginning::default()),
            Start::Shipped => {
                shipped = Some(S::shipped_sha256(plan).to_owned());
                (S::shipped(plan), None)
            }
            Start::Weights(start) => {
                let (path, file) = folder::start_file(&options.folder, start, &options.beside)?;
                let weights = S::from_file(&file);
                let weights = weights.map_err(|why| LearnError::Weights { path, why })?;
                (weights, Some(file))
            }
        };
        let weights = S::enlarged(plan, weights).ok_or(LearnError::TooDeep)?;
        Ok(Beginning {
            weights: Some(weights),
            file,
            shipped,
        })
    }
}
