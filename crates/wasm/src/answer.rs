//! What is known at once.

use analysis::{Answer as Analysed, Defaults, Job, Query};
use serde::Serialize;
use serde::de::DeserializeOwned;
use service::proofs::{self, Proofs};
use service::{
    GameState, PositionView, Problem, catalogue, certificates, position, structures, threats, tree,
};
use tree::GameTree;
use wasm_bindgen::prelude::wasm_bindgen;

/// As much memory as the check of a certificate may take, in bytes: a page has 4 GiB at most. Memory that can be shared has 1 GiB
/// (`packaging/web-app`).
const MOST_MEMORY: u64 = if cfg!(target_feature = "atomics") {
    1 << 29
} else {
    1 << 30
};

/// An answer, as of HTTP.
#[wasm_bindgen]
pub struct Answer {
    status: u16,
    body: Vec<u8>,
}

#[wasm_bindgen]
impl Answer {
    /// The status: 200, or that of a problem.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// What is answered: JSON or text. A problem is JSON.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> Vec<u8> {
        self.body.clone()
    }
}

/// Answers a request as the server does that has the same path.
#[wasm_bindgen]
pub fn answer(path: &str, body: &[u8]) -> Answer {
    let answered = answered(path, body);
    let body = answered.map_err(|problem| (problem.kind as u16, json(&problem)));
    match body {
        Ok(body) => Answer { status: 200, body },
        Err((status, body)) => Answer {
            status,
            body: body.unwrap_or_default(),
        },
    }
}

fn answered(path: &str, body: &[u8]) -> Result<Vec<u8>, Problem> {
    match path {
        "/api/games" => json(&catalogue::games()),
        // There is no other machine that could reach this one.
        "/api/link" => json(&None::<String>),
        "/api/position" => json(&PositionView::after(&read(body)?)?),
        "/api/picture" => position::picture(&read(body)?).map(Vec::from),
        "/api/threats" => json(&threats::seen_in(&read::<GameState>(body)?)?),
        "/api/structures" => json(&structures::expected_after(
            &read::<GameState>(body)?,
            &mut || true,
        )?),
        "/api/files/read" => json(&tree::read(body)?),
        "/api/files/sgf" => read::<GameTree>(body)?.to_sgf().map(Vec::from),
        // The question on the first line, and behind it the certificate.
        "/api/certificates/explore" => {
            let end = body.iter().position(|&byte| byte == b'\n');
            let (query, certificate) = body.split_at(end.unwrap_or(body.len()));
            let certificate = certificate.get(1..).unwrap_or_default();
            check_memory(certificate)?;
            json(&proofs::explore(
                certificate,
                &read(query)?,
                &Proofs::default(),
                0,
            )?)
        }
        "/api/certificates/verify" => {
            check_memory(body)?;
            json(&certificates::verify(body, &mut || true))
        }
        _ => match path.strip_prefix("/api/files/dialect/") {
            Some(dialect) => json(&read::<GameTree>(body)?.in_dialect(dialect)?),
            None => Err(Problem::not_found(format!("there is no {path} here"))),
        },
    }
}

/// A page cannot have as much memory as a server.
fn check_memory(certificate: &[u8]) -> Result<(), Problem> {
    if certificate.len() > certificates::LARGEST || certificates::memory(certificate) > MOST_MEMORY
    {
        let why =
            "checking this certificate takes too much memory for a page: papamu verify checks it";
        return Err(Problem::bad_request(why));
    }
    Ok(())
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(Problem::bad_request)
}

fn json(answer: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(answer).map_err(Problem::internal)
}

/// The answers of the analysis engine to a query.
pub(crate) fn analysed(query: &str) -> String {
    let mut answers = Vec::new();
    let job = query
        .parse::<Query>()
        .and_then(|query| Job::new(query, &Defaults::default()));
    match job {
        Ok(mut job) => while job.step(&mut |answer| answers.push(answer)) {},
        Err(why) => answers.push(Analysed::Error {
            id: None,
            field: why.field,
            error: why.error,
        }),
    }
    serde_json::to_string(&answers).unwrap_or_default()
}
