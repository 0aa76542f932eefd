//! Certificates: kept for a while for those who asked for them, and checked.

use crate::pool::{Pool, Turn, Weight};
use axum::body::Bytes;
use service::Problem;
use service::certificates::{LARGEST, VerifiedView};
use service::proofs::{ProofQuery, ProofView, Proofs};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// As many bytes as all that are kept may have together; the oldest go first.
const ROOM: usize = 4 * LARGEST;

/// The certificates that were written since the server began, or brought and found valid.
#[derive(Default)]
pub struct Certificates(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    next: u64,
    all: VecDeque<(u64, Bytes)>,
}

impl Certificates {
    /// Keeps a certificate, once if it is there, and gives the number under which it can be asked for.
    pub fn keep(&self, certificate: impl Into<Bytes>) -> u64 {
        let certificate = certificate.into();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((id, _)) = kept.all.iter().find(|(_, known)| *known == certificate) {
            return *id;
        }
        kept.next += 1;
        let id = kept.next;
        kept.all.push_back((id, certificate));
        while kept.all.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > ROOM {
            kept.all.pop_front();
        }
        id
    }

    /// A certificate, if it is still there.
    pub fn get(&self, id: u64) -> Result<Bytes, Problem> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.all.iter().find(|(known, _)| *known == id);
        found
            .map(|(_, bytes)| bytes.clone())
            .ok_or_else(|| Problem::not_found(format!("certificate {id} is no longer kept")))
    }
}

/// Checks a certificate with the rules alone, when it is its turn, and keeps it to be explored if it is valid.
pub async fn verify(
    pool: &Pool,
    certificates: &Certificates,
    certificate: Bytes,
) -> Result<VerifiedView, Problem> {
    let mut verified = check(pool, certificate.clone()).await?;
    if verified.valid {
        verified.certificate = Some(certificates.keep(certificate));
    }
    Ok(verified)
}

async fn check(pool: &Pool, certificate: Bytes) -> Result<VerifiedView, Problem> {
    let weight = weight(&certificate, 1)?;
    let check =
        move |turn: &mut Turn| service::certificates::verify(&certificate, &mut || turn.pass());
    pool.answer(weight, check).await
}

/// What the proof of a certificate says of a position, when it is its turn.
pub async fn explore(
    pool: &Pool,
    certificates: &Certificates,
    proofs: &Arc<Proofs>,
    id: u64,
    query: ProofQuery,
) -> Result<ProofView, Problem> {
    let certificate = certificates.get(id)?;
    let weight = weight(&certificate, 1)?;
    let proofs = Arc::clone(proofs);
    let look = move |_: &mut Turn| service::proofs::explore(&certificate, &query, &proofs, id);
    pool.answer(weight, look).await?
}

/// The certificate of a position that the strategy of another one comes to, when it is its turn.
pub async fn part(
    pool: &Pool,
    certificates: &Certificates,
    proofs: &Arc<Proofs>,
    id: u64,
    query: ProofQuery,
) -> Result<Vec<u8>, Problem> {
    let certificate = certificates.get(id)?;
    // It is read, and what was read is written.
    let weight = weight(&certificate, 2)?;
    let proofs = Arc::clone(proofs);
    let write = move |turn: &mut Turn| {
        service::proofs::part(&certificate, &query, &proofs, id, &mut || turn.pass())
    };
    pool.answer(weight, write).await?
}

/// The memory of so many walks through a certificate, which may be more than there is.
fn weight(certificate: &[u8], walks: u64) -> Result<Weight, Problem> {
    let memory = walks.saturating_mul(service::certificates::memory(certificate));
    Weight::of_bytes(memory).ok_or_else(|| {
        let mebibytes = memory >> 20;
        Problem::bad_request(format!(
            "this certificate may take {mebibytes} MiB, which is too much for the server: papamu verify checks it, and \
             papamu explore shows its proof and writes parts of it"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::JobControl;
    use tokio::sync::Notify;

    /// Forced moves and threats on a large board, each of which takes a while to look at, and zeros behind them. In
    /// version 2 the check comes to many of them before it asks for a zero; in version 3 it asks soon.
    fn hard(version: u8) -> Bytes {
        let lines = format!(
            "papamu certificate {version}\ngame havannah\nboard 14\nmoves \nclaim black holds\n\n"
        );
        let mut file = lines.into_bytes();
        file.extend([1; 101]);
        file.extend(std::iter::repeat_n(0, 1 << 16));
        file.into()
    }

    #[tokio::test]
    async fn what_takes_too_much_memory_is_refused() {
        let pool = Pool::new(1);
        let mut file = hard(3).to_vec();
        assert!(weight(&file, 1).is_ok());
        file.resize(LARGEST, 0);
        let refused = check(&pool, file.into()).await;
        assert!(refused.is_err_and(|why| why.message.contains("papamu verify")));
        // The largest of a small board is checked.
        let lines = "papamu certificate 3\ngame havannah\nboard 4\nmoves \nclaim black holds\n\n";
        let mut file = lines.as_bytes().to_vec();
        file.resize(LARGEST, 0);
        assert!(weight(&file, 1).is_ok());
    }

    #[tokio::test]
    async fn a_check_that_nobody_waits_for_leaves_its_place() {
        let pool = Pool::new(1);
        let began = Arc::new(Notify::new());
        let waiting = {
            let (pool, began) = (pool.clone(), began.clone());
            tokio::spawn(async move {
                began.notify_one();
                check(&pool, hard(2)).await.map(|_| ())
            })
        };
        began.notified().await;
        // The page is closed, which may be before the check has begun; others have their turn.
        waiting.abort();
        let (tell, told) = tokio::sync::oneshot::channel();
        let other = move |_: &mut Turn| tell.send(()).unwrap();
        pool.start(Weight::TREE, &JobControl::default(), other)
            .unwrap();
        told.await.unwrap();
    }

    #[tokio::test]
    async fn others_have_their_turn_while_a_check_goes_on() {
        let pool = Pool::new(1);
        let control = JobControl::default();
        let mut checking = Box::pin(check(&pool, hard(2)));
        let other = async {
            let (tell, told) = tokio::sync::oneshot::channel();
            let other = move |_: &mut Turn| tell.send(()).unwrap();
            pool.start(Weight::TREE, &control, other).unwrap();
            told.await.unwrap();
        };
        tokio::select! {
            biased;
            verdict = &mut checking => panic!("{verdict:?}"),
            () = other => {}
        }
    }
}
