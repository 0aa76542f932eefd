//! A place in a proof: what the strategy answers there, how long the other side can resist, how much lies below.

use certificate::Claim;
use certificate::proof::{Below, Proof, Said};
use engine::Playable;
use serde::Serialize;

/// What a proof says of a position. Moves are in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Whose turn it is.
    pub to_move: String,
    /// What is shown of the position: `white wins` and the like.
    pub claim: String,
    /// What comes next.
    pub state: Next,
    /// The strategy's move.
    pub best: Option<String>,
    /// The plies that the other side can resist.
    pub plies: u32,
    /// The positions below in which the strategy plays, where it does so here.
    pub positions: Option<u64>,
    /// The replies of the other side that are not settled at once, those that resist longest first.
    pub replies: Vec<PlaceReply>,
    /// The number of replies that are settled at once.
    pub settled: usize,
    /// The line of longest resistance.
    pub line: Vec<String>,
}

/// What comes next in a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Next {
    /// The strategy has a move.
    Plays,
    /// The other side moves, and has an answer to each of its moves.
    Answers,
    /// The rules alone settle the rest.
    Settled,
    /// The certificate leaves out the rest: a checker finds it, or another certificate has it.
    LeftOut,
    /// The strategy never comes here.
    Nothing,
}

/// A reply of the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceReply {
    /// The reply.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the strategy plays then; none if the certificate leaves out the rest.
    pub answer: Option<String>,
    /// The plies that the other side can resist after it.
    pub plies: u32,
    /// The positions below in which the strategy plays.
    pub positions: u64,
}

impl Place {
    /// What a proof says of a position.
    pub fn of<G: Playable>(proof: &Proof<G>, position: &G, dialect: G::Dialect) -> Place {
        let line = proof.longest_line(position);
        let mut place = Place {
            to_move: position.to_move().to_string(),
            claim: Claim::Promise(proof.promise).to_string(),
            state: Next::Settled,
            best: None,
            plies: line.len() as u32,
            positions: None,
            replies: Vec::new(),
            settled: 0,
            line: Vec::new(),
        };
        match proof.said(position) {
            Said::Settled => {}
            Said::LeftOut => place.state = Next::LeftOut,
            Said::Nothing => place.state = Next::Nothing,
            Said::Plays(mv, below) => {
                place.state = Next::Plays;
                place.best = Some(position.write_move(mv, dialect));
                place.positions = Some(below.positions);
            }
            Said::Answers(replies, settled) => {
                place.state = Next::Answers;
                place.settled = settled;
                for reply in replies {
                    let Below { plies, positions } = reply.below;
                    let mut after = position.clone();
                    after.play(reply.mv);
                    place.replies.push(PlaceReply {
                        mv: position.write_move(reply.mv, dialect),
                        answer: reply.answer.map(|mv| after.write_move(mv, dialect)),
                        plies,
                        positions,
                    });
                }
            }
        }
        let mut on_the_way = position.clone();
        for mv in line {
            place.line.push(on_the_way.write_move(mv, dialect));
            on_the_way.play(mv);
        }
        place
    }
}
