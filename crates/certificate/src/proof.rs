//! A proof in memory, to be looked at: what the strategy answers, how long the other side can resist, how
//! much lies below.

use crate::check::{Ways, pieces, position_of, walked};
use crate::depth_first::FromSource;
use crate::header::Version;
use crate::model::Said as Coded;
use crate::plies::{Block, Lines, Met, Script, Stop, Way, pass};
use crate::walk::{Moves, Payment, Step, Walk};
use crate::{
    Candidate, Checker, Claim, Header, Judgement, Promise, Provable, Refusal, Space, Terms,
    Unchecked, WriteError, Writer, Written,
};
use game::Notation;
use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

/// The strategy with which a certificate shows one promise.
pub struct Proof<G: Provable> {
    /// The position of the claim.
    pub position: G,
    /// What is shown of it.
    pub promise: Promise,
    /// What the certificate leaves out.
    pub terms: Terms,
    graph: Graph<G>,
}

/// The positions in which the strategy plays a move.
struct Graph<G: Provable> {
    nodes: Vec<Node<G>>,
    known: HashMap<G::Key, u32>,
}

struct Node<G: Provable> {
    /// None where the certificate leaves out the rest.
    mv: Option<G::Move>,
    plies: u32,
    next: Vec<u32>,
}

/// What a proof says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said<M> {
    /// The game is over, or the rules alone settle the rest.
    Settled,
    /// The certificate leaves out the rest: the checker finds it, or another certificate has it.
    LeftOut,
    /// The strategy plays this.
    Plays(M, Below),
    /// The other side moves: its replies that are not settled at once, those that resist longest first, and
    /// the number of those that are.
    Answers(Vec<Reply<M>>, usize),
    /// The strategy never comes here.
    Nothing,
}

/// A reply of the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply<M> {
    /// The reply.
    pub mv: M,
    /// What the strategy plays then; none if the certificate leaves out the rest.
    pub answer: Option<M>,
    /// What follows.
    pub below: Below,
}

/// What follows from a position in which the strategy plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Below {
    /// The plies that the other side can resist, until the rules alone settle the rest, or the certificate leaves it
    /// out.
    pub plies: u32,
    /// The positions in which the strategy plays, this one counted.
    pub positions: u64,
}

/// Reads the header of a certificate, without a look at the proof.
///
/// # Errors
/// If it is none.
pub fn read_header(input: impl Read) -> Result<Header, Refusal> {
    Ok(Unchecked::read(input)?.header)
}

/// Reads and checks the proofs of a certificate of a game with this start: one, or two of a draw.
///
/// # Errors
/// If it is not valid.
pub fn read<G: Provable + Notation>(
    start: &G,
    dialect: G::Dialect,
    checker: &Checker<'_>,
    input: impl Read,
) -> Result<Vec<Proof<G>>, Refusal> {
    let Unchecked {
        header,
        terms,
        version,
        mut source,
    } = Unchecked::read(input)?;
    let position = position_of(start, dialect, &header)?;
    let pieces = pieces(start, dialect, &header, &terms, checker)?;
    let mut proofs = Vec::new();
    for promise in header.claim.promises() {
        let mut met = Vec::new();
        if version == Version::Four {
            let ways = Ways {
                terms: &terms,
                pieces: &pieces,
                checker,
            };
            let mut hear = |one| met.push(one);
            let goes_on = &mut |_| true;
            ways.check::<_, true>(&position, promise, &mut source, &mut hear, goes_on)?;
        } else {
            let moves = FromSource {
                source: &mut source,
                version,
                goes_on: &mut |_| true,
            };
            met = in_order(&position, promise, moves)?;
        }
        proofs.push(Proof {
            position: position.clone(),
            promise,
            terms: terms.clone(),
            graph: Graph::of(met),
        });
    }
    let end = source.position;
    if source.ends_well()? {
        Ok(proofs)
    } else {
        Err(Refusal::Checksum(end))
    }
}

/// Reads a proof that goes depth first.
fn in_order<G: Provable, R: BufRead>(
    position: &G,
    promise: Promise,
    moves: FromSource<'_, R>,
) -> Result<Vec<Met<G>>, Refusal> {
    let mut keeping = Keeping {
        moves,
        kept: HashMap::new(),
    };
    walked(Walk::through(position, promise, &mut keeping))?;
    let way = Way {
        promise,
        searched: 0,
        threads: 1,
        room: Space::unlimited().room::<G::Key>(),
    };
    let mut kept = Kept {
        moves: Arc::new(keeping.kept),
        met: Vec::new(),
    };
    match pass(position, &way, &mut kept, &mut || true) {
        Ok(_) => Ok(kept.met),
        Err(Stop::Hole { position, reason }) => Err(Refusal::Unproven { position, reason }),
        Err(Stop::Damaged(reason)) => Err(Refusal::Damaged { at: 0, reason }),
        Err(Stop::Error(error)) => Err(Refusal::Io(error)),
        Err(Stop::Stopped) => Err(Refusal::Stopped),
    }
}

/// Keeps the moves that it reads, each for the position that stands for all with its key.
struct Keeping<'a, G: Provable, R> {
    moves: FromSource<'a, R>,
    kept: HashMap<G::Key, G::Move>,
}

impl<G: Provable, R: BufRead> Moves<G> for Keeping<'_, G, R> {
    type Error = io::Error;

    fn next(&mut self, position: &G, legal: &[G::Move], view: usize) -> io::Result<Step<G>> {
        let step = self.moves.next(position, legal, view)?;
        if let Step::Play(mv) = step {
            let key = position.key();
            let first = position.of_key(&key);
            let view = (0..first.views()).find(|&view| first.in_view(view).is_same(position));
            if let Some(view) = view {
                self.kept.insert(key, first.move_from_view(view, mv));
            }
        }
        Ok(step)
    }

    fn pay(&mut self) -> io::Result<Payment> {
        Moves::<G>::pay(&mut self.moves)
    }

    fn free(&self) -> u64 {
        Moves::<G>::free(&self.moves)
    }
}

/// Says what was kept.
struct Kept<G: Provable> {
    moves: Arc<HashMap<G::Key, G::Move>>,
    met: Vec<Met<G>>,
}

struct KeptLines<G: Provable>(Arc<HashMap<G::Key, G::Move>>);

impl<G: Provable> Script<G> for Kept<G> {
    type Lines = KeptLines<G>;

    fn begin(&mut self, _: &[G::Key], _: u32) -> Result<Self::Lines, Stop> {
        Ok(KeptLines(Arc::clone(&self.moves)))
    }

    fn end(&mut self, block: Block<G, Self::Lines>, _: bool) -> Result<(), Stop> {
        self.met.extend(block.met);
        Ok(())
    }
}

impl<G: Provable> Lines<G> for KeptLines<G> {
    const COLLECTS: bool = true;

    fn next(&mut self, position: &G, _: Vec<Candidate<G>>) -> Result<Coded<G::Move>, &'static str> {
        // What is behind a symmetric position that was done is kept as it was there.
        let kept = (0..position.views()).find_map(|view| {
            let &mv = self.0.get(&position.in_view(view).key())?;
            Some(position.move_from_view(view, mv))
        });
        kept.map(Coded::Play).ok_or("there is no move")
    }
}

impl<G: Provable> Graph<G> {
    /// Of positions, those that follow behind those that they follow from.
    fn of(met: Vec<Met<G>>) -> Self {
        let has_node = |met: &Met<G>| met.mv.is_some() || met.is_left_out;
        let keys = met.iter().filter(|met| has_node(met)).zip(0..);
        let known: HashMap<G::Key, u32> = keys.map(|(met, node)| (met.key.clone(), node)).collect();
        let mut nodes: Vec<Node<G>> = Vec::with_capacity(known.len());
        let mut ends = Vec::with_capacity(known.len());
        for met in met.into_iter().filter(has_node) {
            let mut next: Vec<u32> = Vec::new();
            let mut settled = met.settled;
            for key in met.next {
                match known.get(&key) {
                    Some(&node) => next.push(node),
                    // The move of the side of the promise, and the reply.
                    None => settled = settled.max(2),
                }
            }
            ends.push(settled);
            nodes.push(Node {
                mv: met.mv,
                plies: 0,
                next,
            });
        }
        for node in (0..nodes.len()).rev() {
            let below = nodes[node]
                .next
                .iter()
                .map(|&next| nodes[next as usize].plies + 2);
            nodes[node].plies = below.max().unwrap_or(0).max(ends[node]);
        }
        Graph { nodes, known }
    }
}

impl<G: Provable> Proof<G> {
    /// The number of positions in which the strategy plays a move.
    pub fn positions(&self) -> u64 {
        self.graph.nodes.len() as u64
    }

    /// What the proof says of a position that the strategy may come to.
    pub fn said(&self, position: &G) -> Said<G::Move> {
        if position.outcome().is_some() {
            return Said::Settled;
        }
        match position.judge(self.promise) {
            Judgement::Kept => Said::Settled,
            Judgement::Broken(_) => Said::Nothing,
            Judgement::Forced(_) | Judgement::Open => match self.node(position) {
                Some((Some(mv), node)) => Said::Plays(mv, self.below(node)),
                Some((None, _)) => Said::LeftOut,
                None => Said::Nothing,
            },
            Judgement::Answer(replies) => self.answers(position, &replies),
        }
    }

    fn answers(&self, position: &G, replies: &[G::Move]) -> Said<G::Move> {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let mut open = Vec::new();
        for &mv in replies {
            let mut after = position.clone();
            after.play(mv);
            if after.outcome().is_some() || after.judge(self.promise) == Judgement::Kept {
                continue;
            }
            let Some((answer, node)) = self.node(&after) else {
                return Said::Nothing;
            };
            open.push(Reply {
                mv,
                answer,
                below: self.below(node),
            });
        }
        let settled = legal.len() - open.len();
        open.sort_by_key(|reply| std::cmp::Reverse((reply.below.plies, reply.below.positions)));
        Said::Answers(open, settled)
    }

    /// The strategy's move in a position that it comes to, as [`write`](crate::write()) asks for it.
    pub fn strategy(&self, position: &G) -> Option<G::Move> {
        self.node(position)?.0
    }

    /// Writes the certificate of a position that the strategy comes to. `header` is that of the whole proof, and `moves`
    /// lead to the position from the start of the game, in the default dialect. `goes_on` is asked for each position.
    ///
    /// # Errors
    /// If the strategy does not come to the position, or what it leaves to other certificates is needed; those of the
    /// output; and if `goes_on` ends it.
    pub fn write_part(
        &self,
        output: impl Write,
        header: &Header,
        moves: Vec<String>,
        position: &G,
        goes_on: impl FnMut() -> bool,
    ) -> Result<Written, WriteError> {
        let header = Header {
            moves,
            claim: Claim::Promise(self.promise),
            ..header.clone()
        };
        let writer = Writer {
            searched: self.terms.searched,
            ..Writer::default()
        };
        let strategy = |position: &G, _: Promise| self.strategy(position);
        writer.write(output, &header, position, None, strategy, goes_on)
    }

    /// The strategy's move in a position, and its node.
    fn node(&self, position: &G) -> Option<(Option<G::Move>, u32)> {
        // What is behind a symmetric position of few stones is kept as it is there.
        let (view, node) = (0..position.views()).find_map(|view| {
            let node = self.graph.known.get(&position.in_view(view).key())?;
            Some((view, *node))
        })?;
        let Some(mv) = self.graph.nodes[node as usize].mv else {
            return Some((None, node));
        };
        if !position.shares_key() {
            return Some((Some(position.move_from_view(view, mv)), node));
        }
        Some((Some(position.move_of_first(mv)?), node))
    }

    /// A line of play in which the other side resists as long as it can, from a position that the strategy comes
    /// to, until the rules alone settle the rest.
    pub fn longest_line(&self, position: &G) -> Vec<G::Move> {
        let mut position = position.clone();
        let mut line = Vec::new();
        while position.outcome().is_none() {
            let mv = match position.judge(self.promise) {
                Judgement::Kept | Judgement::Broken(_) => None,
                Judgement::Forced(mv) => Some(mv),
                Judgement::Open => self.strategy(&position),
                Judgement::Answer(replies) => self.longest_reply(&position, &replies),
            };
            let Some(mv) = mv else { break };
            position.play(mv);
            line.push(mv);
        }
        line
    }

    /// The first of those that resist longest.
    fn longest_reply(&self, position: &G, replies: &[G::Move]) -> Option<G::Move> {
        let plies = |&mv: &G::Move| {
            let mut after = position.clone();
            after.play(mv);
            let node = self.node(&after).map(|(_, node)| node);
            node.map(|node| self.graph.nodes[node as usize].plies + 1)
        };
        replies.iter().copied().rev().max_by_key(plies)
    }

    fn below(&self, node: u32) -> Below {
        let graph = &self.graph;
        let mut seen = vec![false; graph.nodes.len()];
        let (mut todo, mut positions) = (vec![node], 0);
        while let Some(node) = todo.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            positions += 1;
            todo.extend(&graph.nodes[node as usize].next);
        }
        Below {
            plies: graph.nodes[node as usize].plies,
            positions,
        }
    }
}
