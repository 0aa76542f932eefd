//! A server that has a store, as a worker sees it: requests in JSON over HTTP.

use crate::source::Request;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{StatusCode, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use jobs::StoreError;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

/// The path of the requests of workers, below the address of a server.
pub const PATH: &str = "/api/work";
/// The header in which a worker names its version.
pub const VERSION_HEADER: &str = "papamu-version";
/// The version of requests and answers: that of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How long a server may take to answer. A new worker of a large proof asks for all of its answers.
const PATIENCE: Duration = Duration::from_mins(1);
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// A server that has a store. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Server {
    client: Client<HttpConnector, Full<Bytes>>,
    /// Where requests go.
    uri: Uri,
    /// The server as the user has named it.
    place: String,
    /// `Bearer` and the token; it is not shown.
    authorization: HeaderValue,
}

impl Server {
    /// A server at an address such as `http://host:8080`, with its token. It is not reached yet.
    ///
    /// # Errors
    /// If it is no such address, or the token cannot be sent.
    pub fn new(address: &str, token: &str) -> Result<Server, StoreError> {
        let refused = |why: &str| StoreError::lasting(address, why);
        let Some(rest) = address.strip_prefix("http://") else {
            return Err(refused(
                "only http:// is possible: let a tunnel or a proxy on this machine add the encryption of https://",
            ));
        };
        if rest.contains(['@', '?', '#']) {
            return Err(refused(
                "an address has a host, a port and perhaps a path, as in http://host:8080",
            ));
        }
        let uri = format!("{}{PATH}", address.trim_end_matches('/'));
        let uri = uri
            .parse()
            .map_err(|why| refused(&format!("this is no address: {why}")))?;
        let authorization = HeaderValue::from_str(&format!("Bearer {token}"));
        let mut authorization =
            authorization.map_err(|_| refused("the token has characters that cannot be sent"))?;
        authorization.set_sensitive(true);
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECT));
        connector.set_nodelay(true);
        Ok(Server {
            client: Client::builder(TokioExecutor::new()).build(connector),
            uri,
            place: address.to_owned(),
            authorization,
        })
    }

    /// Asks for something.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        request: &Request,
    ) -> Result<T, StoreError> {
        let answer = tokio::time::timeout(PATIENCE, self.answer(request)).await;
        let (status, body) = answer.map_err(|_| StoreError::silent(&self.place, PATIENCE))??;
        if status == StatusCode::OK {
            return serde_json::from_slice(&body).map_err(|why| {
                StoreError::lasting(&self.place, format!("the answer cannot be read: {why}"))
            });
        }
        let why: Option<Value> = serde_json::from_slice(&body).ok();
        let why = why.as_ref().and_then(|why| why["message"].as_str());
        let why = why.map_or_else(|| format!("it answers {status}"), str::to_owned);
        // What a proxy in front of a server says that is being restarted, too.
        let passing = [
            StatusCode::BAD_GATEWAY,
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::GATEWAY_TIMEOUT,
        ];
        Err(if passing.contains(&status) {
            StoreError::passing(&self.place, why)
        } else {
            StoreError::lasting(&self.place, why)
        })
    }

    async fn answer(&self, request: &Request) -> Result<(StatusCode, Bytes), StoreError> {
        let lasting = |why: String| StoreError::lasting(&self.place, why);
        let body = serde_json::to_vec(request).map_err(|why| lasting(why.to_string()))?;
        let request = hyper::Request::post(self.uri.clone())
            .header(AUTHORIZATION, self.authorization.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(VERSION_HEADER, VERSION)
            .body(Full::from(body))
            .map_err(|why| lasting(why.to_string()))?;
        let lost = |why: &dyn std::error::Error| {
            // The innermost reason says what happened, such as that nobody listens.
            let mut why = why;
            while let Some(inner) = why.source() {
                why = inner;
            }
            StoreError::passing(&self.place, format!("no connection: {why}"))
        };
        let answer = self.client.request(request).await;
        let answer = answer.map_err(|why| lost(&why))?;
        let status = answer.status();
        let body = answer.into_body().collect().await;
        Ok((status, body.map_err(|why| lost(&why))?.to_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_cannot_work_are_refused_with_the_reason() {
        for (address, why) in [
            ("https://host", "only http:// is possible"),
            ("host:80", "only http:// is possible"),
            ("http://me:secret@host", "a host, a port"),
            ("http://host:80/?token=abc", "a host, a port"),
            ("http://", "no address"),
            ("http://a b", "no address"),
        ] {
            let refused = Server::new(address, "token").expect_err(address);
            assert!(refused.to_string().contains(why), "{address}: {refused}");
        }
        let server = Server::new("http://host:80/below/", "s3cret").expect("a server");
        assert_eq!(server.uri, "http://host:80/below/api/work");
        assert!(!format!("{server:?}").contains("s3cret"));
        assert!(Server::new("http://host", "a\nb").is_err());
    }
}
