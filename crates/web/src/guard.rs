//! Who may talk to the server.
//!
//! A page from elsewhere that is open in the same browser can send requests to this machine. Two checks
//! keep it out: the `Host` header must name the address that the server listens on, which defeats DNS
//! rebinding, and an `Origin` header, which browsers add to what comes from another page, must be the
//! server's own. A server that listens to other machines also asks for a token: it is part of the address
//! that is opened first, and a cookie afterwards.

use axum::extract::{Request, State};
use axum::http::header::{COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;

/// The rules for requests.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The authorities (`host:port`) that a request may name; any if there is none.
    hosts: Arc<[String]>,
    /// The token that every request must have.
    token: Option<Arc<str>>,
}

const COOKIE_NAME: &str = "papamu_token";

impl Guard {
    /// The rules for a server at an address. One on the loopback interface is known by the names of
    /// that interface, any other by whatever name the token's holder uses.
    pub fn new(address: SocketAddr, token: Option<String>) -> Guard {
        let port = address.port();
        let hosts: Vec<String> = if address.ip().is_loopback() {
            ["127.0.0.1", "localhost", "[::1]"]
                .map(|host| format!("{host}:{port}"))
                .into()
        } else {
            Vec::new()
        };
        Guard {
            hosts: hosts.into(),
            token: token.map(Into::into),
        }
    }

    fn knows_host(&self, host: &str) -> bool {
        self.hosts.is_empty() || self.hosts.iter().any(|known| known == host)
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else {
            return true;
        };
        headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|cookie| cookie.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, value)| name == COOKIE_NAME && same(value, token))
    }

    /// The token in the query of an address, if it is the right one.
    fn token_in(&self, query: Option<&str>) -> Option<&str> {
        let token = self.token.as_deref()?;
        let given = query?
            .split('&')
            .find_map(|part| part.strip_prefix("token="))?;
        same(given, token).then_some(token)
    }
}

/// Compares in a time that does not tell how much is right.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let differences = one
        .bytes()
        .zip(other.bytes())
        .fold(0, |differences, (a, b)| differences | (a ^ b));
    one.len() == other.len() && differences == 0
}

/// Refuses what the rules forbid, and sets the headers that tell browsers what a page may do.
pub async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match instead(&guard, &request) {
        None => next.run(request).await,
        Some(response) => response,
    };
    for (name, value) in SECURITY_HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// What is answered instead of what the request asks for, if the rules forbid that.
fn instead(guard: &Guard, request: &Request) -> Option<Response> {
    let headers = request.headers();
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(HOST).or_else(|| request.uri().authority().map(Authority::as_str));
    let Some(host) = host.filter(|host| guard.knows_host(host)) else {
        return Some(refusal("this server is not known by that name"));
    };
    if let Some(origin) = text(ORIGIN) {
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        if authority != Some(host) {
            return Some(refusal("requests of other pages are not answered"));
        }
    }
    if guard.has_token(headers) {
        return None;
    }
    Some(match guard.token_in(request.uri().query()) {
        Some(token) => welcome(token),
        None => refusal("the address lacks its token: open the one that the server printed"),
    })
}

fn refusal(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}

/// Keeps the token in a cookie, and the address clean.
fn welcome(token: &str) -> Response {
    let cookie = format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Strict; Path=/");
    let headers = [(SET_COOKIE, cookie), (LOCATION, "/".to_owned())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

const SECURITY_HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
];
