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
    Bucket, Child, Choice, Crew, DepthFirst, FrameOf, FramesOf, Key, Numbers, Problem,
    ProofNumbers, Rule, SolveProgress, Table, Tag,
};

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
    /// By place: the children of which more may be known than that nothing is urgent after them.
    pub told: W,
}

/// Whether a side wins, as one thread asks.
pub struct Goal<'a, W: Word, S: Keys<W>> {
    /// The board.
    pub layout: &'a Layout<W>,
    /// Its cells.
    pub cells: usize,
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
    pub forced: &'a mut Vec<(usize, S::Key, Bucket)>,
    /// Likewise: the keys of its children, and where in the table these are.
    pub sought: &'a mut W::Table<(S::Key, Bucket)>,
    /// The goal is that this side wins.
    pub attacker: Side,
    /// The same for the table.
    pub tag: Tag,
}

impl<W: Word, S: Keys<W>> Goal<'_, W, S> {
    /// Lists the children of a node, given by their number and [places](Order::places), as quiet moves, and asks the memory for
    /// what is known of them: of all at once and early, since the table does not fit any cache. The loop has a function, and so
    /// the registers, for itself.
    #[inline(never)]
    fn list(&mut self, frame: &mut FrameOf<Self>, count: usize, places: W, value: ProofNumbers) {
        let FrameOf::<Self> { position, children } = frame;
        let order = &self.orders[position.to_move.index()];
        position.told = W::NONE;
        children.clear();
        children.resize(count, Child { mv: 0, value });
        let sought = self.sought.as_mut();
        for ((child, sought), place) in children.iter_mut().zip(sought).zip(places.indices()) {
            let mv = order.cell(place);
            child.mv = mv as u16;
            let key = self.keys.with(position.key, position.to_move, mv);
            *sought = (key, self.table.approach(key, self.tag));
        }
    }

    /// Looks up the children. Returns the place of one that settles the node.
    fn look_up(&mut self, frame: &mut FrameOf<Self>) -> Option<usize> {
        let FrameOf::<Self> { position, children } = frame;
        let sought = &self.sought.as_ref()[..children.len()];
        let mut next = 0;
        while let Some((after, known)) = self.table.first_of(&sought[next..], self.tag) {
            let place = next + after;
            next = place + 1;
            position.told = position.told | W::bit(place);
            children[place].value = known;
            if self.settles(position, known) {
                return Some(place);
            }
        }
        None
    }

    /// Looks at the children of a node after the moves that make a winning cell. These and all moves are given by their
    /// [places](Order::places). Returns the child that settles the node, if one does, as they do most often.
    fn see_threats(&mut self, frame: &mut FrameOf<Self>, all: W, threats: W) -> Option<usize> {
        let FrameOf::<Self> { position, children } = frame;
        self.forced.clear();
        for place in threats.indices() {
            let child = all.rank(place);
            let index = usize::from(children[child].mv);
            let threat = judge_threat(self.layout, &self.trail.node, index);
            let (judged, key, to_move) = self.after_threat(position, index, threat);
            if let ThreatResult::Open { .. } = judged {
                let bucket = self.table.approach(key, self.tag);
                self.forced.push((child, key, bucket));
            }
            position.told = position.told | W::bit(child);
            children[child].value = self.numbers_of(judged, to_move);
            if self.settles(position, children[child].value) {
                return Some(child);
            }
        }
        None
    }

    /// Looks up the positions after threats and the forced replies.
    fn see_forced(&mut self, frame: &mut FrameOf<Self>) -> Option<usize> {
        let FrameOf::<Self> { position, children } = frame;
        for &(child, key, bucket) in &*self.forced {
            if let Some(value) = self.table.get_in(bucket, key, self.tag) {
                children[child].value = value;
                if self.settles(position, value) {
                    return Some(child);
                }
            }
        }
        None
    }

    /// The same as for threats for some quiet moves, which have the [numbers](Goal::quiet_numbers) of those after which nothing
    /// is urgent.
    #[inline(never)]
    fn see_quiet_moves(&mut self, frame: &mut FrameOf<Self>, all: W, moves: W) -> Option<usize> {
        let FrameOf::<Self> { position, children } = frame;
        let node = &self.trail.node;
        let order = &self.orders[position.to_move.index()];
        let urgent = self.quiet.look(self.layout, node);
        let moves = urgent.map_or(moves, |urgent| moves & order.places(urgent));
        for place in moves.indices() {
            let judged = self.quiet.judge(self.layout, node, order.cell(place));
            if let ThreatResult::Open { urgent: false, .. } = judged {
                continue;
            }
            let child = all.rank(place);
            position.told = position.told | W::bit(child);
            children[child].value = self.numbers_of(judged, !position.to_move);
            if self.settles(position, children[child].value) {
                return Some(child);
            }
        }
        None
    }

    /// Whether a move with these numbers gives the side to move what it wants.
    #[inline(always)]
    fn settles(&self, position: &Open<W, S::Key>, value: ProofNumbers) -> bool {
        value.seen_by(position.to_move == self.attacker).phi == 0
    }

    /// The numbers of a position before it is searched.
    #[inline(always)]
    fn numbers_of(&self, judged: ThreatResult<W>, to_move: Side) -> ProofNumbers {
        match judged {
            ThreatResult::Won(side) if side == self.attacker => ProofNumbers::PROVEN,
            ThreatResult::Won(_) => ProofNumbers::disproven(true),
            ThreatResult::Open { moves, urgent } => {
                let replies = moves.count();
                if urgent {
                    self.numbers_with(replies, to_move)
                } else {
                    self.quiet_numbers(replies, to_move)
                }
            }
            _ => ProofNumbers::disproven(false),
        }
    }

    /// The numbers before a search where nothing is urgent and so many cells are empty.
    #[inline(always)]
    fn quiet_numbers(&self, empty: u32, to_move: Side) -> ProofNumbers {
        self.numbers_with(self.params.open_replies.unwrap_or(empty), to_move)
    }

    /// The numbers before a search of a position that so many replies are there to.
    #[inline(always)]
    fn numbers_with(&self, replies: u32, to_move: Side) -> ProofNumbers {
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
                self.take_back(after.stones - position.stones);
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

    /// Takes back the last stones that were played.
    #[inline(always)]
    fn take_back(&mut self, stones: usize) {
        self.trail.take_back(stones, |cell| {
            for order in self.orders.iter_mut() {
                order.turn(cell);
            }
        });
    }

    /// Plays a move and the forced replies.
    fn advance(&mut self, position: &mut Open<W, S::Key>, index: usize) -> ThreatResult<W> {
        let mut forced = index;
        loop {
            position.key = self.keys.with(position.key, position.to_move, forced);
            position.stones += 1;
            position.to_move = !position.to_move;
            self.trail.play(self.layout, forced);
            for order in self.orders.iter_mut() {
                order.turn(forced);
            }
            match self.trail.node.judge() {
                ThreatResult::Forced(reply) => forced = reply,
                judged => return judged,
            }
        }
    }
}

impl<W: Word, S: Keys<W>> Problem for Goal<'_, W, S> {
    type Position = Open<W, S::Key>;
    type Move = u16;
    type Value = ProofNumbers;

    const BURDEN: [u64; 2] = [6, 2];

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
        let frame = &mut frames[depth];
        let position = &frame.position;
        let node = &self.trail.node;
        let to_move = node.to_move;
        let moves = if position.stones < self.params.symmetric_plies as usize {
            let stones = [node.stones[0].own, node.stones[1].own];
            position.moves & self.layout.distinct(stones, node.empty)
        } else {
            position.moves
        };
        let attacking = node.stones[attacker.index()].own;
        // What is true of most children.
        let empty = self.cells - position.stones;
        let quiet = self.quiet_numbers(empty as u32 - 1, !to_move);
        let order = &self.orders[to_move.index()];
        let (count, places) = if moves == node.empty {
            (empty, order.of_empty())
        } else {
            (moves.count() as usize, order.places(moves))
        };
        self.list(frame, count, places, quiet);
        let node = &self.trail.node;
        let order = &self.orders[to_move.index()];
        if draw_detection::cannot_win(self.layout, attacking, node.empty) {
            frame.children.clear();
            return Some(ProofNumbers::disproven(false));
        }
        let own = &node.stones[to_move.index()];
        let threats = moves & own.threatening(node.empty);
        // Moves that made a winning cell before the opponent took it are tried with the threats.
        let averted = order.places((moves & own.threats).minus(threats));
        let threats = order.places(threats);
        self.quiet.restart(node, frame.children.len());
        let mut settling = self.see_threats(frame, places, threats);
        if !averted.is_none() {
            let first = self.see_quiet_moves(frame, places, averted);
            settling = settling.into_iter().chain(first).min();
        }
        if settling.is_none() {
            let quiet = places.minus(threats | averted);
            let quiet = self.see_quiet_moves(frame, places, quiet);
            let node = &mut self.trail.node;
            if quiet.is_none() && moves == node.empty {
                node.stones[to_move.index()].touched = self.quiet.touched(node);
            }
            settling = self.see_forced(frame).or(quiet);
        }
        // As late as possible, when the memory has answered. What is decided at once is not in the table.
        let known = self.look_up(frame);
        let children = &mut frame.children;
        let child = children[known.or(settling)?];
        if known.is_none() {
            self.orders[to_move.index()].note(usize::from(child.mv));
        }
        children.clear();
        children.push(child);
        Some(child.value)
    }

    fn reach(
        &mut self,
        frames: &mut FramesOf<Self>,
        depth: usize,
        mv: u16,
    ) -> Option<ProofNumbers> {
        let mut after = frames[depth].position.clone();
        let below = self.advance(&mut after, usize::from(mv));
        let decided = match below {
            ThreatResult::Open { moves, .. } => {
                after.moves = moves;
                None
            }
            other => Some(self.numbers_of(other, after.to_move)),
        };
        frames[depth + 1].position = after;
        decided
    }

    #[inline(always)]
    fn back(&mut self, frames: &FramesOf<Self>, depth: usize) {
        let stones = |depth: usize| frames[depth].position.stones;
        self.take_back(stones(depth + 1) - stones(depth));
    }

    /// Most children look alike: they have their number of replies.
    #[inline(always)]
    fn choose(&self, frame: &FrameOf<Self>, side: Side) -> Choice {
        let FrameOf::<Self> { position, children } = frame;
        let numbers = |place: usize| self.numbers(children[place].value, !side);
        let mut choice = Choice::NONE;
        let mut alike = children.len();
        for place in position.told.indices() {
            choice.add(place, numbers(place), 0);
            alike -= 1;
        }
        if alike > 0 {
            let first = (!position.told).first();
            choice.add_alike(first, numbers(first), alike);
        }
        choice
    }

    #[inline(always)]
    fn learnt(frame: &mut FrameOf<Self>, place: usize) {
        let told = &mut frame.position.told;
        *told = *told | W::bit(place);
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
            search.problem.orders[side.index()].note(usize::from(mv));
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
        self.table.approach_to_put(position.key, self.tag);
    }

    fn known(&self, position: &Open<W, S::Key>) -> Option<ProofNumbers> {
        self.table.get(position.key, self.tag)
    }
}
