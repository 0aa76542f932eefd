//! Certificates: kept for a while for those who asked for them, and checked.

use crate::error::Problem;
use crate::pool::{Pool, Reins, Weight};
use axum::body::Bytes;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};
use utoipa::ToSchema;

/// The longest certificate that is kept or checked, in bytes.
pub const LARGEST: usize = 32 << 20;

/// As many bytes as all that are kept may have together; the oldest go first.
const ROOM: usize = 4 * LARGEST;

/// The certificates that were written since the server began.
#[derive(Default)]
pub struct Certificates(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    next: u64,
    all: VecDeque<(u64, Bytes)>,
}

impl Certificates {
    /// Keeps a certificate, and gives the number under which it can be asked for.
    pub fn keep(&self, certificate: Vec<u8>) -> u64 {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.next += 1;
        let id = kept.next;
        kept.all.push_back((id, certificate.into()));
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

/// What the checker says of a certificate.
#[derive(Debug, Serialize, ToSchema)]
pub struct VerifiedView {
    /// Whether every line of play is as claimed.
    pub valid: bool,
    /// What it claims, if it is valid.
    pub claim: Option<String>,
    /// The game and the board.
    pub board: Option<String>,
    /// The moves to the position.
    pub moves: Option<String>,
    /// The first thing that is wrong, if it is not valid.
    pub first_hole: Option<String>,
}

/// Ends a check when nobody waits for it any more.
struct Waiting {
    pool: Pool,
    reins: Reins,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.pool.stop(&self.reins);
    }
}

/// Checks a certificate with the rules alone, when it is its turn.
pub async fn verify(pool: &Pool, certificate: Bytes) -> Result<VerifiedView, Problem> {
    let reins = Reins::default();
    let _waiting = Waiting {
        pool: pool.clone(),
        reins: reins.clone(),
    };
    let (tell, told) = tokio::sync::oneshot::channel();
    let check = move |turn: &mut crate::pool::Turn| {
        let reader = Interruptible {
            bytes: &certificate,
            each: &mut || turn.pass().then_some(()),
        };
        let _ = tell.send(view(certificate::verify(reader)));
    };
    pool.start(Weight::SOLVER, &reins, check)
        .map_err(Problem::bad_request)?;
    told.await.map_err(Problem::internal)
}

fn view(verdict: Result<certificate::Verdict, certificate::Refusal>) -> VerifiedView {
    match verdict {
        Ok(verdict) => VerifiedView {
            valid: true,
            claim: Some(verdict.claim().to_string()),
            board: Some(format!("{} {}", verdict.header.game, verdict.header.board)),
            moves: Some(verdict.header.moves.join(" ")),
            first_hole: None,
        },
        Err(refusal) => VerifiedView {
            valid: false,
            claim: None,
            board: None,
            moves: None,
            first_hole: Some(refusal.to_string()),
        },
    }
}

/// Bytes in small pieces, between which others have their turn.
struct Interruptible<'a> {
    bytes: &'a [u8],
    /// Waits for its turn; `None` if nobody wants an answer any more.
    each: &'a mut dyn FnMut() -> Option<()>,
}

impl Read for Interruptible<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// A few milliseconds' work.
        const PIECE: usize = 1024;
        (self.each)().ok_or_else(|| io::Error::other("nobody waits"))?;
        let count = buffer.len().min(PIECE);
        self.bytes.read(&mut buffer[..count])
    }
}
