//! What is answered to a request that cannot be fulfilled.

use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was refused, in words for a person. Nothing has changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// What is wrong, and what was expected.
    pub message: String,
    /// What kind of refusal it is.
    #[serde(skip)]
    pub kind: Kind,
}

/// The kinds of refusals, with their status in HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It makes no sense.
    BadRequest = 400,
    /// There is nothing of this name.
    NotFound = 404,
    /// It is too long.
    TooLarge = 413,
    /// Something went wrong on this side.
    Internal = 500,
}

impl Problem {
    fn new(kind: Kind, message: impl std::fmt::Display) -> Problem {
        Problem {
            message: message.to_string(),
            kind,
        }
    }

    /// The request asks for something that does not exist or makes no sense.
    pub fn bad_request(why: impl std::fmt::Display) -> Problem {
        Problem::new(Kind::BadRequest, why)
    }

    /// The request is longer than what is read.
    pub fn too_large(why: impl std::fmt::Display) -> Problem {
        Problem::new(Kind::TooLarge, why)
    }

    /// There is nothing under this name.
    pub fn not_found(what: impl std::fmt::Display) -> Problem {
        Problem::new(Kind::NotFound, what)
    }

    /// Something went wrong here; the details are in the log.
    pub fn internal(why: impl std::fmt::Display) -> Problem {
        tracing::error!("{why}");
        Problem::new(
            Kind::Internal,
            "the server could not do this; its log says why",
        )
    }
}
