//! The requests of `papamu worker` that has no store of its own: the server's store answers them.
//!
//! They need a token of their own, in the header `Authorization`. A browser sends none by itself, so the other rules for
//! requests of pages ([`crate::guard`]) are not needed. What they contain is the business of [`solving`], and changes
//! with the version; it is not part of the described interface.

use crate::app::{LARGEST_BODY, StartError};
use crate::guard::same;
use axum::Json;
use axum::body::{self, Body};
use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::json;
use solving::{Refusal, Store, VERSION, VERSION_HEADER};
use std::sync::Arc;

/// What workers without a store of their own are given.
#[derive(Clone)]
struct Work {
    store: Store,
    token: Arc<str>,
}

/// The answers to workers: if there is a token, from the store at a place.
///
/// # Errors
/// If there is a token and the store cannot be opened.
pub async fn router(place: &str, token: Option<String>) -> Result<axum::Router, StartError> {
    let work = match token {
        Some(token) => Some(Work {
            store: Store::open(place).await?,
            token: token.into(),
        }),
        None => None,
    };
    Ok(axum::Router::new()
        .route(solving::PATH, post(answer))
        .with_state(work))
}

async fn answer(State(work): State<Option<Work>>, request: Request) -> Response {
    match answered(work, request).await {
        Ok(response) => response,
        Err((status, message)) => {
            tracing::warn!("a worker is refused: {message}");
            (status, Json(json!({ "message": message }))).into_response()
        }
    }
}

async fn answered(work: Option<Work>, request: Request) -> Result<Response, (StatusCode, String)> {
    let Some(work) = work else {
        let why =
            "this server gives workers no jobs: start it with --store and --worker-token-file";
        return Err((StatusCode::NOT_FOUND, why.to_owned()));
    };
    work.check(request.headers())?;
    let body = read(request.into_body()).await?;
    // A worker that goes away does not stop in the middle what its request has begun.
    let answer = tokio::spawn(async move { solving::answer(&work.store, &body).await });
    let answer = answer.await.map_err(|why| {
        let why = format!("the server could not do this: {why}");
        (StatusCode::INTERNAL_SERVER_ERROR, why)
    })?;
    match answer {
        Ok(answer) => Ok(Json(answer).into_response()),
        Err(Refusal::Unreadable(why)) => Err((StatusCode::BAD_REQUEST, why)),
        Err(Refusal::Store(why)) => {
            let status = if why.passing {
                StatusCode::SERVICE_UNAVAILABLE
            } else {
                StatusCode::INTERNAL_SERVER_ERROR
            };
            // Where the store is does not concern a worker.
            Err((status, why.what().to_owned()))
        }
    }
}

async fn read(body: Body) -> Result<body::Bytes, (StatusCode, String)> {
    body::to_bytes(body, LARGEST_BODY).await.map_err(|why| {
        let most = LARGEST_BODY >> 20;
        let why = format!("a request has at most {most} MiB, and has to arrive: {why}");
        (StatusCode::PAYLOAD_TOO_LARGE, why)
    })
}

impl Work {
    /// Whether a worker may ask, and is of the version of this server.
    fn check(&self, headers: &HeaderMap) -> Result<(), (StatusCode, String)> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let given = text(AUTHORIZATION.as_str()).and_then(|given| given.strip_prefix("Bearer "));
        let Some(given) = given else {
            let why = "a worker needs the token of this server: --token-file FILE";
            return Err((StatusCode::UNAUTHORIZED, why.to_owned()));
        };
        if !same(given, &self.token) {
            let why = "the token is not the one of this server";
            return Err((StatusCode::FORBIDDEN, why.to_owned()));
        }
        let version = text(VERSION_HEADER).unwrap_or("unknown");
        if version != VERSION {
            let why = format!(
                "the worker is papamu {version} and this server papamu {VERSION}: use the same version"
            );
            return Err((StatusCode::CONFLICT, why));
        }
        Ok(())
    }
}
