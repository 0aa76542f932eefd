//! What Havannah brings to the [depth-first search](search::proof::search) for one goal, that the attacker wins.
//!
//! Numbers are combined weakly: the largest, plus one for each further child (Ueda, Hashimoto, Hashimoto and Iida, "Weak
//! proof-number search", 2008), since the children of a node share most of their proofs. Of children with equal numbers
//! that is searched first which has settled most positions (`order`).
//!
//! A forced reply is played at once and has no node. Stones are never taken away, so that there are
//! no cycles.

use super::draw_detection;
use super::key::Keys;
use super::layout::Layout;
use super::node::{QuietMoves, Threat, ThreatResult, judge_threat};
use super::order::Order;
use super::params::Params;
use super::trail::Trail;
use super::word::Word;
use game::Side;
use search::proof::{
    Child, Choice, Crew, DepthFirst, FrameOf, FramesOf, Key, Numbers, Problem, ProofNumbers, Rule,
    SolveProgress, Table, Tag,
};

/// Stands for the numbers of a child that the table does not hold: no position has these.
const NOT_SEEN: ProofNumbers = ProofNumbers::NEVER;

/// A position that is open, of which [`Goal::trail`] has the stones.
#[derive(Clone, Debug)]
pub struct Open<W: Word, K> {
    /// Whose turn it is.
    pub to_move: Side,
    /// How the table names it.
    pub key: K,
    /// The stones on the board.
    pub stones: usize,
    /// The moves that its judgement left.
    pub moves: W,
}

/// Whether a side wins, as one thread asks.
pub struct Goal<'a, W: Word, S: Keys<W>> {
    /// The board.
    pub layout: &'a Layout<W>,
    /// What is known.
    pub table: &'a Table<S::Key, ProofNumbers>,
    /// How positions are named in it.
    pub keys: &'a S,
    /// What was set.
    pub params: &'a Params,
    /// The crew, and how many of it take part.
    pub crew: Option<(&'a Crew, usize)>,
    /// The same, as the choice of a child needs it.
    pub rule: Rule,
    /// Where the search is.
    pub trail: &'a mut Trail<W>,
    /// Of the node that is expanded: what is known of its quiet moves.
    pub quiet: &'a mut QuietMoves<W>,
    /// By [`Side::index`]: which moves of a side are tried first.
    pub orders: &'a mut [Order<W>; 2],
    /// Of the node that is expanded: the children of which the replies are forced, and the positions after these.
    pub forced: &'a mut Vec<(usize, S::Key)>,
    /// The goal is that this side wins.
    pub attacker: Side,
    /// The same for the table.
    pub tag: Tag,
}

impl<W: Word, S: Keys<W>> Goal<'_, W, S> {
    /// What is seen of the position after a move before it is searched. If replies were forced, it is left to look up what
    /// is known of the position after them.
    #[inline(always)]
    fn look_ahead(&mut self, frame: &FrameOf<Self>, place: usize) -> ProofNumbers {
        let (position, index) = (&frame.position, frame.children[place].mv);
        let node = &self.trail.node;
        let threat = judge_threat(self.layout, node, index);
        let (below, to_move) = match threat {
            None => (
                self.quiet.judge(self.layout, node, index),
                !position.to_move,
            ),
            Some(threat) => {
                let (judged, key, to_move) = self.after_threat(position, index, threat);
                if let ThreatResult::Open { .. } = judged {
                    self.table.approach(key, self.tag);
                    self.forced.push((place, key));
                }
                (judged, to_move)
            }
        };
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

    /// What is known after a threat and the replies that are forced, the key of that position, and whose turn it is. Stones are
    /// placed only where more than one reply is forced.
    #[inline(always)]
    fn after_threat(
        &mut self,
        position: &Open<W, S::Key>,
        index: usize,
        threat: Threat<W>,
    ) -> (ThreatResult<W>, S::Key, Side) {
        let mut after = position.clone();
        let judged = match threat.judged {
            ThreatResult::Forced(_) => {
                let judged = self.advance(&mut after, index);
                self.trail.take_back(after.stones - position.stones);
                judged
            }
            judged => {
                after.key = self.keys.with(after.key, position.to_move, index);
                after.key = self.keys.with(after.key, !position.to_move, threat.reply);
                judged
            }
        };
        (judged, after.key, after.to_move)
    }

    /// Leaves a node the only child that matters, a move that settles it.
    fn settle(&mut self, frame: &mut FrameOf<Self>, place: usize) -> ProofNumbers {
        let child = frame.children[place];
        self.orders[frame.position.to_move.index()].note(child.mv);
        frame.children.clear();
        frame.children.push(child);
        child.value
    }

    /// Plays a move and the forced replies.
    fn advance(&mut self, position: &mut Open<W, S::Key>, index: usize) -> ThreatResult<W> {
        let mut forced = index;
        loop {
            position.key = self.keys.with(position.key, position.to_move, forced);
            position.stones += 1;
            position.to_move = !position.to_move;
            self.trail.play(self.layout, forced);
            match self.trail.node.judge() {
                ThreatResult::Forced(reply) => forced = reply,
                judged => return judged,
            }
        }
    }
}

impl<W: Word, S: Keys<W>> Problem for Goal<'_, W, S> {
    type Position = Open<W, S::Key>;
    type Move = usize;
    type Value = ProofNumbers;

    #[inline(always)]
    fn to_move(&self, position: &Open<W, S::Key>) -> Side {
        position.to_move
    }

    #[inline(always)]
    fn numbers(&self, value: ProofNumbers, side: Side) -> Numbers {
        value.seen_by(side == self.attacker)
    }

    #[inline(always)]
    fn rule(&self) -> Rule {
        self.rule
    }

    /// Where one move was seen to settle the goal, it is the only child; there is none if the attacker cannot win any
    /// more.
    fn expand(&mut self, frames: &mut FramesOf<Self>, depth: usize) -> Option<ProofNumbers> {
        let attacker = self.attacker;
        let FrameOf::<Self> { position, children } = &mut frames[depth];
        let node = &self.trail.node;
        let to_move = node.to_move;
        children.clear();
        let moves = if position.stones < self.params.symmetric_plies as usize {
            let stones = [node.stones[0].own, node.stones[1].own];
            position.moves & self.layout.distinct(stones, node.empty)
        } else {
            position.moves
        };
        let attacking = node.stones[attacker.index()].own;
        // All at once and early, since the table does not fit any cache.
        let key_after = |mv| self.keys.with(position.key, to_move, mv);
        for mv in moves.indices() {
            self.table.approach(key_after(mv), self.tag);
        }
        if draw_detection::cannot_win(self.layout, attacking, node.empty) {
            return Some(ProofNumbers::disproven(false));
        }
        let threats = node.stones[to_move.index()].threats;
        // By place among the children.
        let (mut unseen, mut threatening) = (W::NONE, W::NONE);
        for mv in self.orders[to_move.index()].of(moves) {
            let known = self.table.get(key_after(mv), self.tag);
            let place = children.len();
            unseen = unseen | W::bit_if(place, known.is_none());
            threatening = threatening | W::bit_if(place, threats.has(mv));
            let value = known.unwrap_or(NOT_SEEN);
            children.push(Child { mv, value });
        }
        let settles = |value: ProofNumbers| value.seen_by(to_move == attacker).phi == 0;
        if let Some(&child) = children.iter().find(|child| settles(child.value)) {
            children.clear();
            children.push(child);
            return Some(child.value);
        }
        self.quiet.restart();
        // Threats first: they settle the node most often.
        for places in [unseen & threatening, unseen.minus(threatening)] {
            self.forced.clear();
            for place in places.indices() {
                let value = self.look_ahead(&frames[depth], place);
                frames[depth].children[place].value = value;
                if settles(value) {
                    return Some(self.settle(&mut frames[depth], place));
                }
            }
            for next in 0..self.forced.len() {
                let (place, key) = self.forced[next];
                if let Some(value) = self.table.get(key, self.tag) {
                    frames[depth].children[place].value = value;
                    if settles(value) {
                        return Some(self.settle(&mut frames[depth], place));
                    }
                }
            }
        }
        None
    }

    fn reach(
        &mut self,
        frames: &mut FramesOf<Self>,
        depth: usize,
        mv: usize,
    ) -> Option<ProofNumbers> {
        let mut after = frames[depth].position.clone();
        let below = self.advance(&mut after, mv);
        let decided = match below {
            ThreatResult::Open { moves, .. } => {
                after.moves = moves;
                None
            }
            other => Some(decided(other, self.attacker)),
        };
        frames[depth + 1].position = after;
        decided
    }

    #[inline(always)]
    fn back(&mut self, frames: &FramesOf<Self>, depth: usize) {
        let stones = |depth: usize| frames[depth].position.stones;
        self.trail.take_back(stones(depth + 1) - stones(depth));
    }

    fn value(&self, frame: &FrameOf<Self>, numbers: Numbers, choice: &Choice) -> ProofNumbers {
        let attacking = frame.position.to_move == self.attacker;
        let mut value = numbers.both(attacking);
        value.lost = value.disproof == 0
            && if attacking {
                frame.children.iter().all(|child| child.value.lost)
            } else {
                frame.children[choice.best].value.lost
            };
        value
    }

    #[inline(always)]
    fn put(&mut self, position: &Open<W, S::Key>, _: usize, value: ProofNumbers, nodes: u64) {
        self.table.put(position.key, self.tag, value, nodes);
    }

    fn progress(&self) -> SolveProgress {
        SolveProgress {
            attacker: Some(self.attacker),
            ..self.table.progress()
        }
    }

    fn searched(search: &mut DepthFirst<'_, '_, Self>, depth: usize, place: usize) {
        let Child { mv, value } = search.frames[depth].children[place];
        let side = search.frames[depth].position.to_move;
        if search.problem.numbers(value, side).phi == 0 {
            search.problem.orders[side.index()].note(mv);
        }
    }

    #[inline(always)]
    fn is_interrupted(&self) -> bool {
        let is_joined = |(crew, threads): (&Crew, usize)| crew.count() > threads;
        self.table.is_crowded() || self.crew.is_some_and(is_joined)
    }

    fn meeting_place(&self, position: &Open<W, S::Key>) -> (usize, u64) {
        (position.stones, position.key.hash(self.tag))
    }

    #[inline(always)]
    fn approach(&self, position: &Open<W, S::Key>) {
        self.table.approach(position.key, self.tag);
    }

    fn known(&self, position: &Open<W, S::Key>) -> Option<ProofNumbers> {
        self.table.get(position.key, self.tag)
    }
}

/// The numbers of a position that is decided.
fn decided<W: Copy>(judgement: ThreatResult<W>, attacker: Side) -> ProofNumbers {
    match judgement {
        ThreatResult::Won(side) if side == attacker => ProofNumbers::PROVEN,
        ThreatResult::Won(_) => ProofNumbers::disproven(true),
        _ => ProofNumbers::disproven(false),
    }
}
