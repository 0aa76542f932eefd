//! The default player: principal-variation search with an evaluation fitted to games of self-play.

use super::adapted::{BoardAdapter, BoardSearch};
use super::on;
use crate::evaluation::{Evaluator, Weights, load, shipped, shipped_sha256};
use crate::{BitBoard, Move, Position, PositionOn};
use engine::memory::Shares;
use engine::parameter::{Field, Mebibytes, Number, Switch, Text, apply, describe};
use engine::weights::{WeightsError, WeightsInUse, sha256};
use engine::{Engine, ParameterError, Player};
use search::{Limits, Progress, Pvs, Report, pvs};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The default limit: 64 MiB for the solver, and about half as much for the search.
const MEMORY: usize = 97 << 20;
/// The most that the table of the solver gets.
const SOLVER_MEMORY: usize = 64 << 20;
/// The most that it gets of the player's limit.
const SOLVER_SHARE: f64 = 0.75;

/// What the solver can use, which is a power of two.
fn solver_memory(limit: usize) -> usize {
    let mut memory = SOLVER_MEMORY;
    while memory > limit / 4 * 3 {
        memory /= 2;
    }
    memory
}

/// What the player can be told.
#[derive(Clone)]
struct Settings {
    search: pvs::Params,
    /// [`SHIPPED`], [`NONE`] or a file.
    network: String,
}

/// The parameter that chooses the weights.
const NETWORK: &str = "network";
/// The weights that the program brings.
const SHIPPED: &str = "shipped";
/// What is known without learning.
const NONE: &str = "none";

/// The weights with a name, which the parameter may have, or of a file.
pub(crate) fn weights(network: &Path) -> Result<Arc<Weights>, WeightsError> {
    match network.to_str() {
        Some(SHIPPED) => Ok(shipped()),
        Some(NONE) => Ok(Weights::unlearned()),
        _ => load(network),
    }
}

/// Which file [`weights`] takes them from, if any.
fn weights_in_use(network: &str) -> Result<Option<WeightsInUse>, ParameterError> {
    match network {
        SHIPPED => Ok(Some(shipped_in_use())),
        NONE => Ok(None),
        file => {
            let bytes = fs::read(file).map_err(|why| unusable(file, &why.into()))?;
            Ok(Some(WeightsInUse {
                file: file.to_owned(),
                sha256: sha256(bytes),
            }))
        }
    }
}

/// The weights that the program brings.
pub(super) fn shipped_in_use() -> WeightsInUse {
    WeightsInUse {
        file: SHIPPED.to_owned(),
        sha256: shipped_sha256().to_owned(),
    }
}

fn unusable(file: &str, why: &WeightsError) -> ParameterError {
    ParameterError::Unusable {
        name: NETWORK.to_owned(),
        value: file.to_owned(),
        why: why.to_string(),
    }
}

pub(super) fn player() -> Player<Position> {
    let defaults = Settings {
        search: pvs::Params {
            memory: MEMORY,
            ..pvs::Params::default()
        },
        network: SHIPPED.to_owned(),
    };
    Player::new(
        "papamu",
        "principal-variation search with an evaluation fitted to games of self-play",
        describe(FIELDS, &defaults),
        move |position, seed, settings| {
            let settings = apply(FIELDS, &defaults, settings)?;
            let file = &settings.network;
            let weights = weights(Path::new(file)).map_err(|why| unusable(file, &why))?;
            // Two words are faster than four, but three are not.
            let make = move |position: &Position, _| match position.shape().area().div_ceil(64) {
                0 | 1 => board_search::<1>(position, &settings, &weights),
                2 => board_search::<2>(position, &settings, &weights),
                3 | 4 => board_search::<4>(position, &settings, &weights),
                _ => board_search::<7>(position, &settings, &weights),
            };
            Ok(Box::new(BoardAdapter::new(position, seed, make)) as Box<dyn Engine<_>>)
        },
    )
    .with_weights(|_, settings| {
        let network = settings.iter().rfind(|setting| setting.name == NETWORK);
        weights_in_use(network.map_or(SHIPPED, |setting| &setting.value))
    })
    .with_book(include_str!("book.txt"))
}

fn board_search<const WORDS: usize>(
    position: &Position,
    settings: &Settings,
    weights: &Weights,
) -> Box<dyn BoardSearch> {
    // The solver takes boards of one word.
    let solvers = usize::from(WORDS == 1);
    let limit = settings.search.memory;
    let shares = Shares::of(limit, solvers, solver_memory(limit), SOLVER_SHARE);
    let evaluator = Evaluator::<WORDS>::with_weights(position.shape(), weights)
        .with_solver_memory(shares.solver);
    let params = pvs::Params {
        memory: shares.search,
        ..settings.search.clone()
    };
    Box::new(Pvs::new(on(position), evaluator, params))
}

impl<const WORDS: usize> BoardSearch for Pvs<PositionOn<BitBoard<WORDS>>, Evaluator<WORDS>> {
    fn advance(&mut self, mv: Move) {
        // The move is legal; were it not, nothing would happen.
        let _: Result<(), _> = Pvs::advance(self, mv);
    }

    /// It makes no simulations; a limit of them is taken for one of nodes.
    fn search(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(&Progress<Move>),
    ) -> Report<Move> {
        let limits = Limits {
            nodes: limits.nodes.or(limits.simulations),
            ..limits.clone()
        };
        Pvs::search(self, &limits, progress)
    }
}

const FIELDS: &[Field<Settings>] = &[
    Field {
        name: "memory",
        meaning: "memory limit of the search, in MiB",
        values: &Mebibytes(1, 1 << 20, |settings: &mut Settings| {
            &mut settings.search.memory
        }),
    },
    Field {
        name: "threads",
        meaning: "search threads, from 1 to 256; with more than one, runs differ",
        values: &Number(1, 256, |settings: &mut Settings| {
            &mut settings.search.threads
        }),
    },
    Field {
        name: "aspiration",
        meaning: "half the width of the aspiration window, in hundredths of a logit from 1 to 100000",
        values: &Number(1, 100_000, |settings: &mut Settings| {
            &mut settings.search.aspiration
        }),
    },
    Field {
        name: "reductions",
        meaning: "late move reductions: yes or no",
        values: &Switch(|settings: &mut Settings| &mut settings.search.reductions),
    },
    Field {
        name: "finish",
        meaning: "whether it searches to the end of the game when the end is near: yes or no",
        values: &Switch(|settings: &mut Settings| &mut settings.search.finish),
    },
    Field {
        name: NETWORK,
        meaning: "weights of the evaluation: shipped, none (stones that can jump) or a file made by papamu learn",
        values: &Text(
            "shipped, none or the path of a file",
            |settings: &mut Settings| &mut settings.network,
        ),
    },
    Field {
        name: "every-move",
        meaning: "whether every move gets a value of its own, for analysis, instead of the best one alone: yes or no",
        values: &Switch(|settings: &mut Settings| &mut settings.search.every_move),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, Start};
    use engine::Playable;

    #[test]
    fn a_player_tells_which_weights_it_plays_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.weights").display().to_string();
        fs::write(&file, "any bytes").expect("written");
        let (own, other) = (shipped_sha256(), sha256("any bytes"));
        let named = format!("network={file}");
        let cases: [(&str, &[&str], _); 7] = [
            ("papamu", &[], Some((SHIPPED, own))),
            ("papamu", &["book=no"], Some((SHIPPED, own))),
            ("papamu", &[&named], Some((&file, &other))),
            ("papamu", &["network=none"], None),
            ("imcts", &["playout=2"], Some((SHIPPED, own))),
            ("shokry-dabs", &[], None),
            ("random", &[], None),
        ];
        let shape = Shape::new(6, 6).expect("a shape");
        let start = Start {
            shape,
            opening: crate::Opening::AnyStone,
        };
        let position = Position::new(&start).expect("a position");
        for (player, settings, expected) in cases {
            let read = |text: &&str| text.parse().expect("a setting");
            let settings: Vec<engine::Setting> = settings.iter().map(read).collect();
            let player = Position::player(Some(player)).expect("a player");
            let found = player.weights(&position, &settings).expect("settings");
            let found = (found.as_ref()).map(|found| (&*found.file, &*found.sha256));
            assert_eq!(found, expected, "{} {settings:?}", player.name);
        }
        fs::remove_file(&file).expect("removed");
        let refused = player().weights(&position, &[named.parse().expect("a setting")]);
        let refused = refused.expect_err("refused").to_string();
        assert!(refused.contains("cannot be read"), "{refused}");
    }
}
