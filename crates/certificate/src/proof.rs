//! A proof in memory, to be looked at: what the strategy answers, how long the other side can resist, how
//! much lies below.

use crate::check::{FromSource, position_of, walk};
use crate::header::LONGEST_LINE;
use crate::stream::Source;
use crate::walk::{Met, Moves, Payment, Step};
use crate::{Header, Judgement, Promise, Provable, Refusal};
use game::Notation;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};

/// The strategy with which a certificate shows one promise.
pub struct Proof<G: Provable> {
    /// The position of the claim.
    pub position: G,
    /// What is shown of it.
    pub promise: Promise,
    graph: Graph<G>,
}

/// The positions in which the strategy plays a move.
struct Graph<G: Provable> {
    nodes: Vec<Node<G::Move>>,
    edges: Vec<Edge>,
    known: HashMap<G::Key, u32>,
    /// The positions of the nodes that share their key with others.
    shared: HashMap<u32, G>,
}

struct Node<M> {
    mv: M,
    plies: u32,
    /// The first of the edges to what may follow.
    edges: u32,
}

struct Edge {
    to: u32,
    /// The next edge of the same node.
    next: u32,
}

/// No edge.
const END: u32 = u32::MAX;

/// What a proof says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said<M> {
    /// The game is over, or the rules alone settle the rest.
    Settled,
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
    /// What the strategy plays then.
    pub answer: M,
    /// What follows.
    pub below: Below,
}

/// What follows from a position in which the strategy plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Below {
    /// The plies that the other side can resist, until the rules alone settle the rest.
    pub plies: u32,
    /// The positions in which the strategy plays, this one counted.
    pub positions: u64,
}

/// Reads the header of a certificate, without a look at the proof.
///
/// # Errors
/// If it is none.
pub fn read_header(input: impl Read) -> Result<Header, Refusal> {
    let mut source = Source::new(BufReader::new(input));
    let (_, header) = Header::read(|| source.line(LONGEST_LINE).map_err(Refusal::from))?;
    Ok(header)
}

/// Reads and checks the proofs of a certificate of a game with this start: one, or two of a draw.
///
/// # Errors
/// If it is not valid.
pub fn read<G: Provable + Notation>(
    start: &G,
    dialect: G::Dialect,
    input: impl Read,
) -> Result<Vec<Proof<G>>, Refusal> {
    let mut source = Source::new(BufReader::new(input));
    let (version, header) = Header::read(|| source.line(LONGEST_LINE).map_err(Refusal::from))?;
    let position = position_of(start, dialect, &header)?;
    let mut proofs = Vec::new();
    for promise in header.claim.promises() {
        let mut building = Building {
            source: FromSource {
                source: &mut source,
                version,
                goes_on: &mut |_| true,
            },
            graph: Graph {
                nodes: Vec::new(),
                edges: Vec::new(),
                known: HashMap::new(),
                shared: HashMap::new(),
            },
            open: Vec::new(),
        };
        walk(&position, promise, &mut building)?;
        building.close(0);
        proofs.push(Proof {
            position: position.clone(),
            promise,
            graph: building.graph,
        });
    }
    let end = source.position;
    if source.ends_well()? {
        Ok(proofs)
    } else {
        Err(Refusal::Checksum(end))
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
            Judgement::Forced(_) | Judgement::Open => match self.plays(position) {
                Some((mv, node)) => Said::Plays(mv, self.below(node)),
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
            let Some((answer, node)) = self.plays(&after) else {
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
        self.plays(position).map(|(mv, _)| mv)
    }

    /// The strategy's move in a position, and its node. A position that is symmetric to one of few stones that
    /// was done has no node, nor have those behind it: there the strategy is that of the other, turned.
    fn plays(&self, position: &G) -> Option<(G::Move, u32)> {
        (0..position.views()).find_map(|view| {
            let seen = position.in_view(view);
            let &node = self.graph.known.get(&seen.key())?;
            let mv = self.graph.nodes[node as usize].mv;
            let view = match self.graph.shared.get(&node) {
                None => view,
                Some(first) => {
                    (0..position.views()).find(|&view| position.in_view(view).is_same(first))?
                }
            };
            Some((position.move_from_view(view, mv), node))
        })
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
            let node = self.plays(&after).map(|(_, node)| node);
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
            let mut edge = graph.nodes[node as usize].edges;
            while edge != END {
                let Edge { to, next } = graph.edges[edge as usize];
                todo.push(to);
                edge = next;
            }
        }
        Below {
            plies: graph.nodes[node as usize].plies,
            positions,
        }
    }
}

/// Reads the moves, and keeps them.
struct Building<'a, G: Provable, R> {
    source: FromSource<'a, R>,
    graph: Graph<G>,
    /// The nodes on the way, with the length of the line to each.
    open: Vec<(usize, u32)>,
}

impl<G: Provable, R> Building<'_, G, R> {
    /// Ends the nodes that do not lie on the way to a line of this length.
    fn close(&mut self, length: usize) {
        while let Some((at, node)) = self.open.pop_if(|(at, _)| *at >= length) {
            let plies = self.graph.nodes[node as usize].plies;
            self.settle(at, plies);
        }
    }

    /// The node on the way has a line that goes on for so many plies behind one of this length.
    fn settle(&mut self, length: usize, plies: u32) {
        if let Some(&(at, node)) = self.open.last() {
            let node = &mut self.graph.nodes[node as usize];
            node.plies = node.plies.max((length - at) as u32 + plies);
        }
    }

    fn link(&mut self, to: u32) {
        if let Some(&(_, from)) = self.open.last() {
            let edge = self.graph.edges.len() as u32;
            let next = std::mem::replace(&mut self.graph.nodes[from as usize].edges, edge);
            self.graph.edges.push(Edge { to, next });
        }
    }
}

impl<G: Provable, R: BufRead> Moves<G> for Building<'_, G, R> {
    type Error = io::Error;

    fn next(&mut self, position: &G, legal: &[G::Move]) -> io::Result<Step<G>> {
        self.source.next(position, legal)
    }

    fn pay(&mut self) -> io::Result<Payment> {
        Moves::<G>::pay(&mut self.source)
    }

    fn free(&self) -> u64 {
        Moves::<G>::free(&self.source)
    }

    fn met(&mut self, position: &G, line: &[G::Move], met: Met<'_, G>) {
        self.close(line.len());
        match met {
            Met::Settled => self.settle(line.len(), 0),
            Met::Done(key) => {
                if let Some(&node) = self.graph.known.get(key) {
                    self.link(node);
                    let plies = self.graph.nodes[node as usize].plies;
                    self.settle(line.len(), plies);
                }
            }
            Met::New(key, mv) => {
                let node = self.graph.nodes.len() as u32;
                self.link(node);
                self.graph.nodes.push(Node {
                    mv,
                    plies: 0,
                    edges: END,
                });
                self.graph.known.insert(key.clone(), node);
                if position.shares_key() {
                    self.graph.shared.insert(node, position.clone());
                }
                self.open.push((line.len(), node));
            }
        }
    }
}
