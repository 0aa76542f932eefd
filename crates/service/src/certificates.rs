//! Certificates, checked with the rules alone.

use crate::position::{Board, GameName, GameState};
use certificate::{Claim, Header, Unchecked};
use engine::Playable;
use registry::with_game;
use search::clock::Instant;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;
use utoipa::ToSchema;

/// The longest certificate that is written or checked, in bytes.
pub const LARGEST: usize = 32 << 20;

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
    /// The game up to the position, if the certificate is valid.
    pub state: Option<GameState>,
    /// Whether it says of each side that it does not lose: it is two proofs.
    pub is_draw: bool,
    /// The number under which its proof can be explored, if it is valid.
    pub certificate: Option<u64>,
    /// The first thing that is wrong, if it is not valid.
    pub first_hole: Option<String>,
}

/// The memory that a check may take, in bytes.
pub fn memory(certificate: &[u8]) -> u64 {
    // What has no header is refused at once.
    Unchecked::read(certificate).map_or(0, |unchecked| {
        registry::memory(&unchecked, certificate.len() as u64)
    })
}

/// Checks a certificate. `goes_on` is called now and then, and says whether somebody waits for it.
pub fn verify(certificate: &[u8], goes_on: &mut dyn FnMut() -> bool) -> VerifiedView {
    let mut now_and_then = NowAndThen::begin();
    let goes_on = |_| !now_and_then.is_now() || goes_on();
    view(registry::verify_while(certificate, goes_on))
}

fn view(verdict: Result<certificate::Verdict, certificate::Refusal>) -> VerifiedView {
    match verdict {
        Ok(verdict) => VerifiedView {
            valid: true,
            claim: Some(verdict.claim().to_string()),
            board: Some(format!("{} {}", verdict.header.game, verdict.header.board)),
            moves: Some(verdict.header.moves.join(" ")),
            state: state(&verdict.header),
            is_draw: verdict.header.claim == Claim::Draw,
            certificate: None,
            first_hole: None,
        },
        Err(refusal) => VerifiedView {
            valid: false,
            claim: None,
            board: None,
            moves: None,
            state: None,
            is_draw: false,
            certificate: None,
            first_hole: Some(refusal.to_string()),
        },
    }
}

/// The game up to the position of a certificate.
fn state(header: &Header) -> Option<GameState> {
    let game: GameName = header.game.parse().ok()?;
    let options = with_game!(game, G => G::options_of_certified(&header.board).ok()?);
    Some(GameState {
        game,
        board: Board(options),
        moves: header.moves.clone(),
        dialect: None,
    })
}

/// Bytes of a certificate, of which there is a most.
#[derive(Debug, Default)]
pub(crate) struct Bounded(pub Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LARGEST {
            let why = "it is too long for the server: papamu solve writes it to a file";
            return Err(io::Error::other(why));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// When it is time to let others have their turn, for work that has many small steps.
pub(crate) struct NowAndThen(Instant);

impl NowAndThen {
    /// The time between two.
    const BETWEEN: Duration = Duration::from_millis(10);

    pub(crate) fn begin() -> NowAndThen {
        NowAndThen(Instant::now())
    }

    /// Whether it is time; then the next is a while away.
    pub(crate) fn is_now(&mut self) -> bool {
        let is_now = self.0.elapsed() >= Self::BETWEEN;
        if is_now {
            self.0 = Instant::now();
        }
        is_now
    }
}
