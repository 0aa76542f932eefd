//! Types of other crates in JSON: the rules and the searches need no serde.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(remote = "game::Side")]
pub(crate) enum Side {
    White,
    Black,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "game::Outcome")]
pub(crate) enum Outcome {
    Win(#[serde(with = "Side")] game::Side),
    Draw,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "search::proof::ProofNumbers")]
pub(crate) struct ProofNumbers {
    proof: u32,
    disproof: u32,
    lost: bool,
}

/// A value that may not be known.
pub(crate) mod if_known {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Known(#[serde(with = "super::Outcome")] game::Outcome);

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "this is how serde calls it"
    )]
    pub fn serialize<S: Serializer>(
        outcome: &Option<game::Outcome>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        outcome.map(Known).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<game::Outcome>, D::Error> {
        Ok(Option::deserialize(from)?.map(|Known(outcome)| outcome))
    }
}
