//! The browser app, built from `ui/` and made part of the program when it is compiled.

use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../ui/dist"]
#[allow_missing = true]
struct Files;

/// The page that all others are in.
const PAGE: &str = "index.html";

/// Whether the browser app is part of this program. It is not where `ui/` was not built before the
/// program was.
pub fn is_built() -> bool {
    Files::get(PAGE).is_some()
}

/// The file at a path of the app.
pub async fn file(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => PAGE,
        path => path,
    };
    match Files::get(path) {
        Some(file) => answer(path, file),
        None => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}

fn answer(path: &str, file: EmbeddedFile) -> Response {
    // Vite puts a hash of the contents into the names of everything but the page itself.
    let cache = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let kind = HeaderValue::from_str(file.metadata.mimetype())
        .unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
    ];
    (headers, file.data).into_response()
}
