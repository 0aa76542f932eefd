//! Depth-first proof-number search (Nagai, 2002) for one question: does the attacker win?
//!
//! Where the attacker moves, a node's proof number is the least of its children's and its disproof
//! number combines theirs; where the defender moves it is the other way round. Numbers are combined
//! weakly: the largest, plus one for each further child (Ueda, Hashimoto, Hashimoto and Iida, "Weak
//! proof-number search", 2008), since the children of a node share most of their proofs. A child is
//! searched until its number exceeds that of the second best by an eighth (the 1 + ε trick of Pawlewicz
//! and Lew, "Improving depth-first PN-search", 2007).
//!
//! Of children with equal numbers that is searched first which has settled most positions (`order`).
//!
//! A forced reply is played at once and has no node. Stones are never taken away, so that there are
//! no cycles.

use super::draw_detection;
use super::key::Keys;
use super::layout::Layout;
use super::node::{Node, QuietMoves, ThreatResult};
use super::order::Order;
use super::params::Params;
use super::word::Word;
use game::Side;
use search::proof::{Choice, Key, ProofNumbers, Rule, Run, SolveProgress, Table, Tag, Threads};

/// Stands for the numbers of a child that the table does not hold: no position has these.
const NOT_SEEN: ProofNumbers = ProofNumbers {
    proof: 0,
    disproof: 0,
    lost: false,
};

/// A child that another thread is searching looks harder by one part in so many.
const BURDEN_DIVISOR: u32 = 2;

/// A move and what is known of the position after it and the forced replies.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The cell.
    pub index: usize,
    /// What is known.
    pub numbers: ProofNumbers,
}

/// A node on the way from the root to where the search is.
#[derive(Clone, Debug)]
pub struct Frame<W: Word, K> {
    node: Node<W>,
    key: K,
    /// The stones on the board.
    stones: usize,
    /// The moves that are not left out, with what is known of them. Where one was seen to settle the
    /// question, others may be missing; none are there if the attacker cannot win any more.
    pub children: Vec<Child>,
}

impl<W: Word, K: Key> Frame<W, K> {
    /// The empty board, of which the key is given.
    pub fn new(layout: &Layout<W>, empty: K) -> Frame<W, K> {
        Frame {
            node: Node::start(layout),
            key: empty,
            stones: 0,
            children: Vec::new(),
        }
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<W: Word, K> {
    /// Of which position, which must be open.
    pub node: Node<W>,
    /// How the table names it.
    pub key: K,
    /// The moves that its judgement left.
    pub moves: W,
    /// Whether this side wins.
    pub attacker: Side,
    /// The same for the table.
    pub question: Tag,
    /// Which numbers end the search, beside an answer.
    pub limit: ProofNumbers,
}

/// A thread that searches.
pub struct Worker<'a, W: Word, S: Keys<W>> {
    /// The board.
    pub layout: &'a Layout<W>,
    /// What is known.
    pub table: &'a Table<S::Key, ProofNumbers>,
    /// How positions are named in it.
    pub keys: &'a S,
    /// What was set.
    pub params: &'a Params,
    /// The same, as the choice of a child needs it.
    pub rule: Rule,
    /// Where all are.
    pub threads: &'a Threads,
    /// Which this one is.
    pub me: usize,
    /// One for each ply from the root to the deepest that was searched.
    pub frames: &'a mut Vec<Frame<W, S::Key>>,
    /// By [`Side::index`]: which moves of a side are tried first.
    pub orders: &'a mut [Order<W>; 2],
    /// The question is whether this side wins.
    pub attacker: Side,
    /// The same for the table.
    pub question: Tag,
    /// The numbers of the root.
    pub root: ProofNumbers,
}

/// The run, which the first thread counts for, with the nodes that it had counted before.
pub type Clock<'a, 'r> = Option<(&'a mut Run<'r>, u64)>;

impl<W: Word, S: Keys<W>> Worker<'_, W, S> {
    /// Searches until the question is answered or all have to come back.
    pub fn answer(&mut self, asked: &Asked<W, S::Key>, clock: &mut Clock<'_, '_>) -> ProofNumbers {
        let root = &mut self.frames[0];
        root.node = asked.node;
        root.key = asked.key;
        root.stones = self.layout.board.minus(asked.node.empty).count() as usize;
        let numbers = self.search(0, asked.moves, asked.limit, clock);
        if numbers.reaches(asked.limit) {
            self.threads.halt();
        }
        numbers
    }

    /// Searches the position of a frame until its numbers reach a threshold.
    fn search(
        &mut self,
        depth: usize,
        moves: W,
        limit: ProofNumbers,
        clock: &mut Clock<'_, '_>,
    ) -> ProofNumbers {
        let nodes_before = self.threads.nodes_of(self.me);
        self.count(clock);
        let (key, stones) = (self.frames[depth].key, self.frames[depth].stones);
        let are_many = self.threads.are_many();
        if are_many {
            self.threads.enter(self.me, stones, key.hash(self.question));
        }
        let numbers = match self.expand(depth, moves) {
            Some(solved) => solved,
            None => self.search_children(depth, limit, clock),
        };
        let nodes = self.threads.nodes_of(self.me) - nodes_before;
        self.table.put(key, self.question, numbers, nodes);
        if are_many {
            let is_solved = numbers.is_solved();
            self.threads
                .leave(self.me, stones, key.hash(self.question), is_solved);
        }
        numbers
    }

    /// Searches the children of a frame, the most promising first, until its numbers reach a threshold.
    fn search_children(
        &mut self,
        depth: usize,
        limit: ProofNumbers,
        clock: &mut Clock<'_, '_>,
    ) -> ProofNumbers {
        loop {
            let (numbers, choice) = self.select(depth, W::NONE);
            if depth == 0 {
                self.root = numbers;
            }
            if numbers.reaches(limit) || self.has_to_return() {
                return numbers;
            }
            let (choice, below) = if self.threads.are_many() {
                match self.part(depth, choice) {
                    Parting::Go(choice, below) => (choice, below),
                    Parting::Stay => continue,
                    Parting::Leave(known) => return known.unwrap_or(numbers),
                }
            } else {
                let index = self.frames[depth].children[choice.best].index;
                (choice, self.reach(depth, index))
            };
            let child = match below {
                ThreatResult::Open { moves, .. } => {
                    let limit = self.child_limit(depth, limit, &choice);
                    self.search(depth + 1, moves, limit, clock)
                }
                other => decided(other, self.attacker),
            };
            self.frames[depth].children[choice.best].numbers = child;
            let to_move = self.frames[depth].node.to_move;
            if child.seen_by(to_move == self.attacker).phi == 0 {
                let index = self.frames[depth].children[choice.best].index;
                self.orders[to_move.index()].note(index);
            }
        }
    }

    /// With several threads: which child to search, away from the others if that is not much worse; and what
    /// they have found out meanwhile.
    fn part(&mut self, depth: usize, mut choice: Choice) -> Parting<W> {
        let (me, threads) = (self.me, self.threads);
        let Frame { key, stones, .. } = self.frames[depth];
        if threads.has_to_leave(me, stones) {
            return Parting::Leave(None);
        }
        if threads.was_solved(me) {
            let known = self.table.get(key, self.question);
            if let Some(known) = known.filter(|known| known.is_solved()) {
                return Parting::Leave(Some(known));
            }
        }
        let mut busy = W::NONE;
        loop {
            let child = self.frames[depth].children[choice.best];
            let below = self.reach(depth, child.index);
            let Frame { key, stones, .. } = self.frames[depth + 1];
            if !matches!(below, ThreatResult::Open { .. }) {
                return Parting::Go(choice, below);
            }
            if let Some(known) = self.table.get(key, self.question)
                && known != child.numbers
            {
                self.frames[depth].children[choice.best].numbers = known;
                return Parting::Stay;
            }
            if busy.has(child.index) || threads.at(me, stones, key.hash(self.question)) == 0 {
                return Parting::Go(choice, below);
            }
            busy = busy | W::bit(child.index);
            (_, choice) = self.select(depth, busy);
        }
    }

    fn has_to_return(&self) -> bool {
        self.threads.are_halted() || self.table.is_crowded()
    }

    /// Counts a node.
    #[inline]
    fn count(&mut self, clock: &mut Clock<'_, '_>) {
        let own = self.threads.count_node(self.me);
        let Some((run, before)) = clock else {
            return;
        };
        let nodes = if self.threads.are_many() {
            self.threads.nodes()
        } else {
            own
        };
        run.count_nodes(*before + nodes, || SolveProgress {
            attacker: Some(self.attacker),
            proof: self.root.proof,
            disproof: self.root.disproof,
            entries: self.table.used(),
            bytes: self.table.bytes(),
            ..SolveProgress::default()
        });
        if run.stopped.is_some() {
            self.threads.halt();
        }
    }

    /// Lists the children of a frame with what is known of them. Returns the numbers of the node if
    /// they follow from one child, which is then the only one listed, or if the attacker cannot win.
    fn expand(&mut self, depth: usize, moves: W) -> Option<ProofNumbers> {
        let to_move = self.frames[depth].node.to_move;
        let attacker = self.attacker;
        self.frames[depth].children.clear();
        let node = &self.frames[depth].node;
        let attacking = node.stones[attacker.index()].own;
        if draw_detection::cannot_win(self.layout, attacking, node.empty) {
            return Some(ProofNumbers::disproven(false));
        }
        let frame = &mut self.frames[depth];
        let moves = if frame.stones < self.params.symmetric_plies as usize {
            let stones = [frame.node.stones[0].own, frame.node.stones[1].own];
            moves & self.layout.distinct(stones, frame.node.empty)
        } else {
            moves
        };
        // All at once, since the table does not fit any cache.
        for index in self.orders[to_move.index()].of(moves) {
            let key = self.keys.with(frame.key, to_move, index);
            let known = self.table.get(key, self.question);
            let numbers = known.unwrap_or(NOT_SEEN);
            frame.children.push(Child { index, numbers });
        }
        let settles = |numbers: ProofNumbers| numbers.seen_by(to_move == attacker).phi == 0;
        let settled = |child: &&Child| child.numbers != NOT_SEEN && settles(child.numbers);
        if let Some(&child) = frame.children.iter().find(settled) {
            frame.children.clear();
            frame.children.push(child);
            return Some(child.numbers);
        }
        let mut quiet = QuietMoves::new();
        // Threats first: they settle the node most often.
        let own = &self.frames[depth].node.stones[to_move.index()];
        let threats = own.threats;
        for threatening in [true, false] {
            for place in 0..self.frames[depth].children.len() {
                let Child { index, numbers } = self.frames[depth].children[place];
                if numbers == NOT_SEEN && threats.has(index) == threatening {
                    let numbers = self.look_ahead(depth, index, &mut quiet);
                    let children = &mut self.frames[depth].children;
                    if settles(numbers) {
                        self.orders[to_move.index()].note(index);
                        children.clear();
                        children.push(Child { index, numbers });
                        return Some(numbers);
                    }
                    children[place].numbers = numbers;
                }
            }
        }
        None
    }

    /// What is known of the position after a move before it is searched.
    #[inline(always)]
    fn look_ahead(
        &mut self,
        depth: usize,
        index: usize,
        quiet: &mut QuietMoves<W>,
    ) -> ProofNumbers {
        let node = &self.frames[depth].node;
        let own = &node.stones[node.to_move.index()];
        let mut to_move = !node.to_move;
        let empty = node.empty.minus(W::bit(index));
        let mut below = if own.next(index).meets(empty) {
            ThreatResult::Forced(index)
        } else {
            quiet.judge(self.layout, node, index)
        };
        if let ThreatResult::Forced(_) = below {
            below = self.reach(depth, index);
            let frame = &self.frames[depth + 1];
            to_move = frame.node.to_move;
            if let ThreatResult::Open { .. } = below
                && let Some(known) = self.table.get(frame.key, self.question)
            {
                return known;
            }
        }
        let ThreatResult::Open { moves, urgent } = below else {
            return decided(below, self.attacker);
        };
        let replies = if urgent {
            moves.count()
        } else {
            self.params.open_replies.unwrap_or(moves.count())
        };
        let (proof, disproof) = if to_move == self.attacker {
            (1, replies)
        } else {
            (replies, 1)
        };
        ProofNumbers {
            proof,
            disproof,
            lost: false,
        }
    }

    /// Makes the next frame the position after a move of this one and the forced replies.
    fn reach(&mut self, depth: usize, index: usize) -> ThreatResult<W> {
        if self.frames.len() == depth + 1 {
            self.frames.push(Frame::new(self.layout, S::EMPTY));
        }
        let (above, below) = self.frames.split_at_mut(depth + 1);
        let (from, to) = (&above[depth], &mut below[0]);
        to.node = from.node;
        to.key = from.key;
        to.stones = from.stones;
        let mut forced = index;
        loop {
            to.key = self.keys.with(to.key, to.node.to_move, forced);
            to.stones += 1;
            to.node.play(self.layout, forced);
            match to.node.judge() {
                ThreatResult::Forced(reply) => forced = reply,
                judged => return judged,
            }
        }
    }

    /// The numbers of a frame from those of its children, and which child to search next. Those that are busy look
    /// harder.
    #[inline(always)]
    fn select(&self, depth: usize, busy: W) -> (ProofNumbers, Choice) {
        let frame = &self.frames[depth];
        let attacking = frame.node.to_move == self.attacker;
        let mut choice = Choice::NONE;
        let mut lost = true;
        for (place, child) in frame.children.iter().enumerate() {
            let seen = child.numbers.seen_by(!attacking);
            let burden = if busy.has(child.index) {
                seen.delta / BURDEN_DIVISOR + 1
            } else {
                0
            };
            choice.add(place, seen, burden);
            lost &= child.numbers.lost;
        }
        let mut numbers = choice.numbers(self.rule).both(attacking);
        if numbers.seen_by(attacking).phi == 0 {
            lost = frame.children[choice.best].numbers.lost;
        }
        numbers.lost = numbers.disproof == 0 && lost;
        (numbers, choice)
    }

    /// How far to search the chosen child.
    fn child_limit(&self, depth: usize, limit: ProofNumbers, choice: &Choice) -> ProofNumbers {
        let attacking = self.frames[depth].node.to_move == self.attacker;
        let limit = choice.child_limit(limit.seen_by(attacking), self.rule);
        limit.both(!attacking)
    }
}

/// What a thread does that is not alone.
enum Parting<W> {
    /// Searches a child.
    Go(Choice, ThreatResult<W>),
    /// Looks again, since another has found out something.
    Stay,
    /// Leaves the position, since another has solved one on the way to it: this one, if the numbers are there.
    Leave(Option<ProofNumbers>),
}

/// The numbers of a position that is decided.
fn decided<W: Copy>(judgement: ThreatResult<W>, attacker: Side) -> ProofNumbers {
    match judgement {
        ThreatResult::Won(side) if side == attacker => ProofNumbers::PROVEN,
        ThreatResult::Won(_) => ProofNumbers::disproven(true),
        _ => ProofNumbers::disproven(false),
    }
}
