//! The weights of Havannah's network as a parameter of its players.

use crate::knowledge::network::Weights;
use engine::{Parameter, ParameterError, Setting};
use std::path::Path;
use std::sync::Arc;

const NAME: &str = "network";
/// The value that means the weights that the program brings.
const SHIPPED: &str = "shipped";

pub(crate) fn parameter(meaning: &'static str) -> Parameter {
    Parameter {
        name: NAME,
        meaning,
        default: SHIPPED.to_owned(),
    }
}

/// The weights that settings ask for, or else those `shipped` for a player, and the other settings.
pub(crate) fn taken_from(
    settings: &[Setting],
    shipped: fn() -> Arc<Weights>,
) -> Result<(Arc<Weights>, Vec<Setting>), ParameterError> {
    let (named, others): (Vec<Setting>, Vec<Setting>) = settings
        .iter()
        .cloned()
        .partition(|setting| setting.name == NAME);
    let weights = match named.last() {
        Some(setting) if setting.value != SHIPPED => {
            let loaded = Weights::load(Path::new(&setting.value));
            let (weights, _) = loaded.map_err(|why| ParameterError::Unusable {
                name: setting.name.clone(),
                value: setting.value.clone(),
                why: why.to_string(),
            })?;
            Arc::new(weights)
        }
        _ => shipped(),
    };
    Ok((weights, others))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::knowledge::network::{Layout, to_bytes};
    use engine::weights::Origin;
    use engine::{BoardOptions, Playable};
    use search::Limits;
    use std::fs;

    fn signature(settings: &[String]) -> Result<u64, ParameterError> {
        let settings: Result<Vec<Setting>, _> = settings.iter().map(|text| text.parse()).collect();
        let start = Position::start(&BoardOptions::sized(4)).expect("a board");
        let player = Position::player(None).expect("a player");
        let mut engine = player.build(start, 1, &settings?)?;
        let limits = Limits {
            simulations: Some(200),
            ..Limits::default()
        };
        Ok(engine.search(&limits, &mut |_| {}).signature)
    }

    #[test]
    fn a_player_takes_the_weights_of_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("flat");
        let count = Layout::new(6).expect("a layout").weights();
        let flat = to_bytes(&Origin::default(), &vec![0.0; count]).expect("a network");
        fs::write(&file, flat).expect("written");
        let know = "know-network=30".to_owned();
        let network = format!("network={}", file.display());
        let shipped = signature(&[know.clone(), "network=shipped".to_owned()]).expect("searched");
        assert_eq!(
            signature(std::slice::from_ref(&know)).expect("searched"),
            shipped
        );
        assert_ne!(
            signature(&[know, network.clone()]).expect("searched"),
            shipped
        );
        fs::write(&file, "no weights").expect("written");
        let refused = signature(&[network]).expect_err("refused").to_string();
        assert!(refused.ends_with("is not a file of weights"), "{refused}");
    }
}
