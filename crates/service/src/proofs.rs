//! Walks through the proofs of certificates: what the strategy answers at a place, and the certificate of what is below it.

use crate::certificates::{Bounded, NowAndThen};
use crate::position::GameState;
use crate::problem::Problem;
use crate::searches::written;
use analysis::{Next, Place};
use certificate::proof::{self, Proof, Said};
use certificate::{Checker, Header, WriteError};
use engine::Playable;
use registry::with_game;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use utoipa::ToSchema;

/// The most memory, in bytes, of a proof that stays there between two questions.
const KEPT: u64 = 256 << 20;

/// A place in a proof that is asked about.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProofQuery {
    /// The game up to the position.
    pub state: GameState,
    /// Of a draw, which is two proofs: whose strategy to look at, `white` or `black`.
    #[serde(default)]
    pub side: Option<String>,
}

/// What a proof says of a position.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProofView {
    /// Whose turn it is.
    pub to_move: String,
    /// What is shown: `white wins` and the like.
    pub claim: String,
    /// What comes next.
    pub state: ProofState,
    /// The strategy's move.
    pub best: Option<String>,
    /// The plies that the other side can resist.
    pub plies: u32,
    /// The positions below in which the strategy plays, where it does so here.
    pub positions: Option<u64>,
    /// The replies of the other side that are not settled at once, those that resist longest first.
    pub replies: Vec<ReplyView>,
    /// The number of replies that are settled at once.
    pub settled: usize,
    /// The line of longest resistance.
    pub line: Vec<String>,
}

/// What comes next in a proof.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProofState {
    /// The strategy has a move.
    Plays,
    /// The other side moves, and there is an answer to each of its moves.
    Answers,
    /// The rules alone settle the rest.
    Settled,
    /// The certificate leaves out the rest, which a checker finds.
    #[serde(rename = "left-out")]
    LeftOut,
    /// The strategy never comes here.
    Nothing,
}

/// A reply of the other side.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplyView {
    /// The reply.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the strategy plays then.
    pub answer: String,
    /// The plies that the other side can resist after it.
    pub plies: u32,
    /// The positions below in which the strategy plays.
    pub positions: u64,
}

impl From<Place> for ProofView {
    fn from(place: Place) -> ProofView {
        let reply = |reply: analysis::PlaceReply| ReplyView {
            mv: reply.mv,
            answer: reply.answer.unwrap_or_default(),
            plies: reply.plies,
            positions: reply.positions,
        };
        ProofView {
            to_move: place.to_move,
            claim: place.claim,
            state: match place.state {
                Next::Plays => ProofState::Plays,
                Next::Answers => ProofState::Answers,
                Next::Settled => ProofState::Settled,
                Next::LeftOut => ProofState::LeftOut,
                Next::Nothing => ProofState::Nothing,
            },
            best: place.best,
            plies: place.plies,
            positions: place.positions,
            replies: place.replies.into_iter().map(reply).collect(),
            settled: place.settled,
            line: place.line,
        }
    }
}

/// The proof that was asked about last, by the number of its certificate.
#[derive(Default)]
pub struct Proofs(Mutex<Option<(u64, Arc<dyn Any + Send + Sync>)>>);

impl Proofs {
    fn kept<T: Send + Sync + 'static>(&self, id: u64) -> Option<Arc<T>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, proofs) = kept.as_ref()?;
        Arc::clone(proofs).downcast().ok().filter(|_| *known == id)
    }

    fn keep<T: Send + Sync + 'static>(&self, id: u64, proofs: &Arc<T>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((id, Arc::clone(proofs) as Arc<dyn Any + Send + Sync>));
    }
}

/// What a certificate says of a position. `id` is what the certificate is called among the proofs that are kept.
///
/// # Errors
/// If the certificate is about another board, or not valid.
pub fn explore(
    certificate: &[u8],
    query: &ProofQuery,
    proofs: &Proofs,
    id: u64,
) -> Result<ProofView, Problem> {
    with_game!(query.state.game, G => {
        let asked = Asked::<G>::of(certificate, query, proofs, id)?;
        Ok(Place::of(asked.proof(), &asked.position, query.state.dialect::<G>()?).into())
    })
}

/// The certificate of a position that the strategy of a certificate comes to. `goes_on` is called now and then, and says
/// whether somebody waits for it.
///
/// # Errors
/// Those of [`explore`]; if the strategy does not come to the position; and if it is too long.
pub fn part(
    certificate: &[u8],
    query: &ProofQuery,
    proofs: &Proofs,
    id: u64,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<u8>, Problem> {
    with_game!(query.state.game, G => {
        Asked::<G>::of(certificate, query, proofs, id)?.part(goes_on)
    })
}

/// A place in a proof that was asked about.
struct Asked<G: Playable> {
    header: Header,
    /// The proofs of the certificate, and which of them it is.
    proofs: Arc<Vec<Proof<G>>>,
    chosen: usize,
    /// The moves from the start of the game, in the default dialect.
    moves: Vec<String>,
    position: G,
}

impl<G: Playable> Asked<G> {
    fn of(bytes: &[u8], query: &ProofQuery, proofs: &Proofs, id: u64) -> Result<Asked<G>, Problem> {
        let state = &query.state;
        let (moves, position) = state.played::<G>()?;
        let start = state.start::<G>()?;
        let header = proof::read_header(bytes).map_err(Problem::internal)?;
        let board = start.certified_board(&state.board.options());
        if header.game != G::NAME || board.ok().as_deref() != Some(&*header.board) {
            let why = format!("the proof is about {} {}", header.game, header.board);
            return Err(Problem::bad_request(why));
        }
        let read: Arc<Vec<Proof<G>>> = if let Some(kept) = proofs.kept(id) {
            kept
        } else {
            let read = proof::read(&start, G::Dialect::default(), &Checker::default(), bytes);
            let read = Arc::new(read.map_err(Problem::internal)?);
            if crate::certificates::memory(bytes) <= KEPT {
                proofs.keep(id, &read);
            }
            read
        };
        let of_side = |proof: &Proof<G>| {
            let side = proof.promise.side().to_string();
            query.side.as_ref().is_none_or(|asked| *asked == side)
        };
        let chosen = read.iter().position(of_side).ok_or_else(|| {
            let side = query.side.as_deref().unwrap_or_default();
            Problem::bad_request(format!("the certificate has no strategy of {side:?}"))
        })?;
        Ok(Asked {
            header,
            proofs: read,
            chosen,
            moves: written(&start, G::Dialect::default(), &moves),
            position,
        })
    }

    fn proof(&self) -> &Proof<G> {
        &self.proofs[self.chosen]
    }

    fn part(self, goes_on: &mut dyn FnMut() -> bool) -> Result<Vec<u8>, Problem> {
        let Asked {
            header,
            proofs,
            chosen,
            moves,
            position,
        } = self;
        let proof = &proofs[chosen];
        if proof.said(&position) == Said::Nothing {
            let why = "the strategy of the proof does not come to this position";
            return Err(Problem::bad_request(why));
        }
        let mut now_and_then = NowAndThen::begin();
        let goes_on = || !now_and_then.is_now() || goes_on();
        let mut bytes = Bounded::default();
        let written = proof.write_part(&mut bytes, &header, moves, &position, goes_on);
        match written {
            Ok(_) => Ok(bytes.0),
            Err(WriteError::Io(_)) => Err(Problem::too_large(
                "this part is too long for the server: papamu explore --part writes it to a file",
            )),
            Err(why) => Err(Problem::bad_request(why)),
        }
    }
}
