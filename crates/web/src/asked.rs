//! What is read of a request. Where it cannot be read, the answer is a [`Problem`] like any other, as the
//! description of the interface says.

use crate::app::LARGEST_BODY;
use crate::error::Refused;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use service::Problem;
use service::certificates::LARGEST;

/// A body in JSON.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T> FromRequest<S> for Body<T>
where
    Json<T>: FromRequest<S, Rejection = JsonRejection>,
{
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refused> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(why) => Err(unreadable(why.status(), why.body_text())),
        }
    }
}

/// A body as it is.
pub struct File(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for File {
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refused> {
        let bytes = Bytes::from_request(request, state).await;
        bytes
            .map(File)
            .map_err(|why: BytesRejection| unreadable(why.status(), why.body_text()))
    }
}

/// What the path names. What it cannot name is not there.
pub struct Named<T>(pub T);

impl<S: Send + Sync, T> FromRequestParts<S> for Named<T>
where
    Path<T>: FromRequestParts<S, Rejection = PathRejection>,
{
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refused> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Named(name)),
            Err(why) => Err(Problem::not_found(why.body_text()).into()),
        }
    }
}

/// The request cannot be read; of the reasons, only that it is too large has a status of its own.
fn unreadable(status: StatusCode, why: String) -> Refused {
    Refused(if status == StatusCode::PAYLOAD_TOO_LARGE {
        Problem::too_large(format!(
            "this is too large: a request has at most {} MiB, and a certificate to verify {} MiB",
            LARGEST_BODY >> 20,
            LARGEST >> 20
        ))
    } else {
        Problem::bad_request(why)
    })
}
