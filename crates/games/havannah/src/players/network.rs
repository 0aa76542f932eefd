//! The weights of Havannah's network as a parameter of its players.

use crate::knowledge::network::Weights;
use engine::weights::{WeightsError, WeightsInUse, sha256};
use engine::{Parameter, ParameterError, Setting};
use std::fs;
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

/// Weights that the program brings for a player.
#[derive(Clone, Copy)]
pub(crate) struct Shipped {
    /// Reads them.
    pub weights: fn() -> Arc<Weights>,
    /// The SHA-256 of their file.
    pub sha256: fn() -> &'static str,
}

/// Those that are learned by self-play.
pub(crate) const LEARNED: Shipped = Shipped {
    weights: Weights::learned,
    sha256: Weights::learned_sha256,
};

/// Those that are learned from games of people.
pub(crate) const OF_PEOPLE: Shipped = Shipped {
    weights: Weights::of_people,
    sha256: Weights::of_people_sha256,
};

/// The weights that settings ask for, or else those `shipped` for a player, and the other settings.
pub(crate) fn taken_from(
    settings: &[Setting],
    shipped: Shipped,
) -> Result<(Arc<Weights>, Vec<Setting>), ParameterError> {
    let others = settings.iter().filter(|setting| setting.name != NAME);
    let weights = match file(settings) {
        None => (shipped.weights)(),
        Some(setting) => {
            let loaded = Weights::load(Path::new(&setting.value));
            let (weights, _) = loaded.map_err(|why| unusable(setting, &why))?;
            Arc::new(weights)
        }
    };
    Ok((weights, others.cloned().collect()))
}

/// Which weights [`taken_from`] takes.
pub(crate) fn in_use(
    settings: &[Setting],
    shipped: Shipped,
) -> Result<WeightsInUse, ParameterError> {
    Ok(match file(settings) {
        None => WeightsInUse {
            file: SHIPPED.to_owned(),
            sha256: (shipped.sha256)().to_owned(),
        },
        Some(setting) => WeightsInUse {
            file: setting.value.clone(),
            sha256: sha256(fs::read(&setting.value).map_err(|why| unusable(setting, &why.into()))?),
        },
    })
}

/// The setting that names a file.
fn file(settings: &[Setting]) -> Option<&Setting> {
    let named = settings.iter().rfind(|setting| setting.name == NAME);
    named.filter(|setting| setting.value != SHIPPED)
}

fn unusable(setting: &Setting, why: &WeightsError) -> ParameterError {
    ParameterError::Unusable {
        name: setting.name.clone(),
        value: setting.value.clone(),
        why: why.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::network::{Layout, to_bytes};
    use crate::{Position, Shape};
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

    #[test]
    fn a_player_tells_which_weights_it_plays_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("flat.weights").display().to_string();
        fs::write(&file, "any bytes").expect("written");
        let (learned, people) = (Weights::learned_sha256(), Weights::of_people_sha256());
        assert_ne!(learned, people);
        let other = sha256("any bytes");
        let named = format!("network={file}");
        let (shipped, from_file) = (Some("shipped"), Some(&*file));
        let cases: [(&str, u32, &[&str], _, &str); 10] = [
            ("papamu", 8, &[], shipped, learned),
            ("papamu", 8, &["book=no", "exploration=1"], shipped, learned),
            ("papamu", 8, &[&named], from_file, &other),
            ("papamu", 8, &[&named, "network=shipped"], shipped, learned),
            ("papamu", 8, &["know-network=0", &named], None, ""),
            ("papamu", 4, &[&named], None, ""),
            ("papamu", 4, &["know-network=1"], shipped, learned),
            ("uct", 8, &[], None, ""),
            ("human-like", 4, &["temperature=0"], shipped, people),
            ("random", 8, &[], None, ""),
        ];
        for (player, size, settings, file, hash) in cases {
            let read = |text: &&str| text.parse().expect("a setting");
            let settings: Vec<Setting> = settings.iter().map(read).collect();
            let position = Position::new(Shape::regular(size).expect("a size"));
            let player = Position::player(Some(player)).expect("a player");
            let found = player.weights(&position, &settings).expect("settings");
            let expected = file.map(|file| WeightsInUse {
                file: file.to_owned(),
                sha256: hash.to_owned(),
            });
            assert_eq!(found, expected, "{} {size} {settings:?}", player.name);
        }
        fs::remove_file(&file).expect("removed");
        let player = Position::player(None).expect("a player");
        let position = Position::new(Shape::regular(8).expect("a size"));
        let settings = [named.parse().expect("a setting")];
        let refused = player.weights(&position, &settings).expect_err("refused");
        assert!(refused.to_string().contains("flat.weights"), "{refused}");
    }
}
