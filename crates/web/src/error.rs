//! What is answered to a request that cannot be fulfilled.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was refused, in words for a person. Nothing has changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// What is wrong, and what was expected.
    pub message: String,
    #[serde(skip)]
    status: StatusCode,
}

impl Problem {
    /// The request asks for something that does not exist or makes no sense.
    pub fn bad_request(why: impl std::fmt::Display) -> Problem {
        Problem {
            message: why.to_string(),
            status: StatusCode::BAD_REQUEST,
        }
    }

    /// The request cannot be read; of the reasons, only that it is too large has a status of its own.
    pub fn unreadable(status: StatusCode, why: String) -> Problem {
        Problem {
            message: why,
            status: if status == StatusCode::PAYLOAD_TOO_LARGE {
                status
            } else {
                StatusCode::BAD_REQUEST
            },
        }
    }

    /// There is nothing under this name.
    pub fn not_found(what: impl std::fmt::Display) -> Problem {
        Problem {
            message: what.to_string(),
            status: StatusCode::NOT_FOUND,
        }
    }

    /// Something went wrong here; the details are in the log.
    pub fn internal(why: impl std::fmt::Display) -> Problem {
        tracing::error!("{why}");
        Problem {
            message: "the server could not do this; its log says why".to_owned(),
            status: StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}
