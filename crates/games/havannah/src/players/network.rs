//! The weights of Havannah's network as a parameter of its players.

use crate::knowledge::network::{ByLength, Choice, Shipped, Weights};
use engine::weights::{WeightsError, WeightsInUse, sha256};
use engine::{Parameter, ParameterError, Setting};
use std::fs;
use std::path::Path;
use std::sync::Arc;

const NAME: &str = "network";
/// The value that means the weights that the program brings for the player and the board.
const SHIPPED: &str = "shipped";

pub(crate) fn parameter(meaning: &'static str) -> Parameter {
    Parameter {
        name: NAME,
        meaning,
        default: SHIPPED.to_owned(),
    }
}

/// What a name asks for.
enum Asked<'a> {
    Shipped(ByLength),
    File(&'a Path),
}

impl Asked<'_> {
    /// A name of shipped weights, or a file; `default` are those of the player and the board.
    fn by(name: &Path, default: ByLength) -> Asked<'_> {
        if name == Path::new(SHIPPED) {
            return Asked::Shipped(default);
        }
        let mut all = Shipped::ALL.iter();
        let shipped = all.find(|shipped| name == Path::new(shipped.name()));
        shipped.map_or(Asked::File(name), |&shipped| {
            Asked::Shipped(ByLength::only(shipped))
        })
    }
}

/// The weights with a name, which the parameter may have, or of a file; `default` are those of the player and the board.
pub(crate) fn named(name: &Path, default: ByLength) -> Result<Choice, WeightsError> {
    Ok(match Asked::by(name, default) {
        Asked::Shipped(shipped) => Choice::Shipped(shipped),
        Asked::File(file) => Choice::Other(Arc::new(Weights::load(file)?.0)),
    })
}

/// What the last setting that names weights says.
fn name_in(settings: &[Setting]) -> &str {
    let named = settings.iter().rfind(|setting| setting.name == NAME);
    named.map_or(SHIPPED, |setting| &setting.value)
}

/// The weights that settings ask for, or else those by `default` for a player, and the other settings.
pub(crate) fn taken_from(
    settings: &[Setting],
    default: ByLength,
) -> Result<(Choice, Vec<Setting>), ParameterError> {
    let others = settings.iter().filter(|setting| setting.name != NAME);
    let name = name_in(settings);
    let weights = named(Path::new(name), default).map_err(|why| unusable(name, &why))?;
    Ok((weights, others.cloned().collect()))
}

/// Which weights [`taken_from`] takes. Those that the program brings have the name of their own, since they depend on the board.
pub(crate) fn in_use(
    settings: &[Setting],
    default: ByLength,
) -> Result<WeightsInUse, ParameterError> {
    let name = name_in(settings);
    Ok(match Asked::by(Path::new(name), default) {
        Asked::Shipped(ByLength { short, long }) if short == long => WeightsInUse {
            file: short.name().to_owned(),
            sha256: short.sha256().to_owned(),
        },
        Asked::Shipped(ByLength { short, long }) => WeightsInUse {
            file: format!("{} and {}", short.name(), long.name()),
            sha256: sha256([short.file(), long.file()].concat()),
        },
        Asked::File(file) => WeightsInUse {
            file: name.to_owned(),
            sha256: sha256(fs::read(file).map_err(|why| unusable(name, &why.into()))?),
        },
    })
}

fn unusable(file: &str, why: &WeightsError) -> ParameterError {
    ParameterError::Unusable {
        name: NAME.to_owned(),
        value: file.to_owned(),
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
        let [small, large, people] =
            [Shipped::SmallBoards, Shipped::LargeBoards, Shipped::People].map(Shipped::sha256);
        let by_length = [Shipped::LargeBoards, Shipped::Deep].map(Shipped::file);
        let by_length = &*sha256(by_length.concat());
        let other = sha256("any bytes");
        let named = format!("network={file}");
        let [on_small, on_large, on_large_by_length, from_file] = [
            "small-boards",
            "large-boards",
            "large-boards and deep",
            &*file,
        ]
        .map(Some);
        let cases: [(&str, u32, &[&str], _, &str); 13] = [
            ("papamu", 8, &[], on_large_by_length, by_length),
            ("papamu", 8, &["network=large-boards"], on_large, large),
            ("papamu", 6, &[], on_small, small),
            ("papamu", 8, &["network=small-boards"], on_small, small),
            (
                "papamu",
                8,
                &["book=no", "exploration=1"],
                on_large_by_length,
                by_length,
            ),
            ("papamu", 8, &[&named], from_file, &other),
            (
                "papamu",
                8,
                &[&named, "network=shipped"],
                on_large_by_length,
                by_length,
            ),
            ("papamu", 8, &["know-network=0", &named], None, ""),
            ("papamu", 4, &[&named], None, ""),
            ("papamu", 4, &["know-network=1"], on_small, small),
            ("uct", 8, &[], None, ""),
            ("human-like", 4, &["temperature=0"], Some("people"), people),
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
