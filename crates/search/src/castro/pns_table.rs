//! Proof-number search on a transposition table, depth-first (Nagai, 2002) or from the root again for each new
//! position, with proofs copied to siblings.

use super::goals::{self, Answer, GoalSolver, ProofGoal, Question};
use super::params::Params;
use super::state::{State, grow};
use crate::Limits;
use crate::proof::Bounds;
use crate::proof::Table;
use crate::proof::{Choice, Numbers};
use crate::proof::{Growth, Tag, Value};
use crate::proof::{Run, SolveProgress, SolveReport};

/// The solver `castro-pns-tt`.
#[derive(Debug)]
pub struct PnsTable<S: State> {
    params: Params,
    table: Table<S::Key, Known>,
    asked: Option<Question>,
    inquiry: Option<ProofGoal<S::Key>>,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    bounds: Bounds,
    /// For one question, with so many plies left to its bound.
    numbers: Numbers,
    attacker: game::Side,
    left: u32,
    /// The move that looked best.
    best: u16,
}

impl Value for Known {
    const IS_LONG: bool = true;

    #[inline]
    fn pack(self) -> [u64; 2] {
        let [numbers, _] = self.numbers.pack();
        let attacker = u64::from(self.attacker as u8);
        let small = u64::from(self.bounds.pack()) | attacker << Bounds::BITS;
        [
            numbers,
            small | u64::from(self.best) << 16 | u64::from(self.left) << 32,
        ]
    }

    #[inline]
    fn unpack(words: [u64; 2]) -> Known {
        let [_, more] = words;
        Known {
            numbers: Numbers::unpack(words),
            bounds: Bounds::unpack(more as u8 & ((1 << Bounds::BITS) - 1)),
            attacker: game::Side::BOTH[(more >> Bounds::BITS & 1) as usize],
            best: (more >> 16) as u16,
            left: (more >> 32) as u32,
        }
    }

    /// What is certain stays certain.
    #[inline]
    fn joined(self, before: Known) -> Known {
        Known {
            bounds: self.bounds.and(before.bounds),
            ..self
        }
    }
}

impl<S: State> PnsTable<S> {
    /// A solver that knows nothing yet.
    pub fn new(params: &Params) -> PnsTable<S> {
        PnsTable {
            params: params.clone(),
            table: Table::new(params.memory, Growth::default()),
            asked: None,
            inquiry: None,
        }
    }

    /// The value of a position, without anything learnt from another; a search of the same position that
    /// was ended by its limits resumes. Of the limits, those on simulations and depth have no
    /// meaning here. The best move is one of the state's numbers.
    pub fn solve(
        &mut self,
        root: &S,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<u16> {
        let mut run = Run::start(limits, tell);
        let params = self.params.clone();
        let same = self.inquiry.take_if(|inquiry| inquiry.is_of(&root.key()));
        let mut inquiry = same.unwrap_or_else(|| {
            if self.table.used() > 0 {
                self.table = Table::new(params.memory, Growth::default());
            }
            ProofGoal::new(root.key(), &params)
        });
        let solution = goals::value(self, root, &params, &mut inquiry, &mut run);
        self.inquiry = Some(inquiry);
        run.report(solution, self.table.used(), self.table.bytes())
    }
}

impl<S: State> GoalSolver<S> for PnsTable<S> {
    fn answer(&mut self, root: &S, question: Question, run: &mut Run<'_>) -> Answer {
        let is_new = self.asked.replace(question) != Some(question);
        if question.boolean && is_new && self.table.used() > 0 {
            self.table = Table::new(self.params.memory, Growth::default());
        }
        let mut search = Search {
            table: &mut self.table,
            params: &self.params,
            question,
            run,
            states: vec![root.clone()],
            frames: vec![Frame::default()],
            scratch: root.clone(),
            moves: Vec::new(),
            root: Numbers::UNKNOWN,
        };
        let found = search.search(0, Numbers::NEVER);
        Answer {
            bounds: found.bounds,
            best: Some(found.best),
        }
    }
}

/// A move and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub mv: u16,
    pub numbers: Numbers,
    pub bounds: Bounds,
}

/// The children of a node on the way to where the search is.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub children: Vec<Child>,
}

/// What a search of a node gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub numbers: Numbers,
    pub bounds: Bounds,
    /// The move that looks best.
    pub best: u16,
}

/// A search for an answer.
pub(super) struct Search<'a, 'r, S: State> {
    table: &'a mut Table<S::Key, Known>,
    pub params: &'a Params,
    pub question: Question,
    pub run: &'a mut Run<'r>,
    /// The positions on the way from the root.
    pub states: Vec<S>,
    pub frames: Vec<Frame>,
    scratch: S,
    moves: Vec<u16>,
    /// The numbers of the root.
    root: Numbers,
}

impl<S: State> Search<'_, '_, S> {
    /// Searches the position at a depth until its numbers reach a threshold. Without depth-first thresholds only one
    /// position that is not in the table is added, except at the root.
    fn search(&mut self, depth: usize, limit: Numbers) -> Found {
        let before = self.run.nodes;
        self.count();
        let goes_down_once = !self.params.depth_first && depth > 0;
        let mut has_added = goes_down_once && self.get(self.states[depth].key(), depth).is_none();
        let found = match self.expand(depth) {
            Some(found) => found,
            None => loop {
                let (choice, found) = self.choose(depth);
                if depth == 0 {
                    self.root = found.numbers;
                }
                if found.numbers.reaches(limit) || self.run.stopped.is_some() || has_added {
                    break found;
                }
                has_added = goes_down_once;
                let Child { mv, .. } = self.frames[depth].children[choice.best];
                self.reach(depth, mv);
                let below = self.search(depth + 1, choice.child_limit(limit, self.params.rule()));
                let child = &mut self.frames[depth].children[choice.best];
                child.numbers = below.numbers;
                child.bounds = below.bounds;
                if below.numbers.phi == 0 && self.params.copy_proofs > 0 {
                    self.copy_proofs(depth, choice.best);
                }
            },
        };
        let key = self.states[depth].key();
        self.put(key, found, depth, self.run.nodes - before);
        found
    }

    /// Lists the children with what is known of them. What is found instead if that settles the node.
    fn expand(&mut self, depth: usize) -> Option<Found> {
        let question = self.question;
        let state = &self.states[depth];
        let mover = state.to_move();
        self.moves.clear();
        let listed = state.list_moves(self.params.lookahead, &mut self.moves);
        let bounds = question.bounds(listed);
        if let Some(numbers) = question.settled(bounds, mover, depth) {
            return Some(Found {
                numbers,
                bounds,
                best: self.moves.first().copied().unwrap_or_default(),
            });
        }
        self.frames[depth].children.clear();
        for place in 0..self.moves.len() {
            let mv = self.moves[place];
            let state = &self.states[depth];
            let key = state.key_after(mv, &mut self.scratch);
            let mut child = match self.get(key, depth + 1) {
                Some(known) => Child {
                    mv,
                    numbers: known.numbers,
                    bounds: known.bounds,
                },
                None => self.first_look(depth, mv),
            };
            if let Some(numbers) = question.settled(child.bounds, !mover, depth + 1) {
                child.numbers = numbers;
            }
            if child.numbers.delta == 0 {
                return Some(Found {
                    numbers: Numbers::ACHIEVED,
                    bounds: child.bounds.or_more(mover).and(bounds),
                    best: mv,
                });
            }
            self.frames[depth].children.push(child);
        }
        None
    }

    /// What is known of the position after a move before it is searched.
    fn first_look(&mut self, depth: usize, mv: u16) -> Child {
        let state = &self.states[depth];
        let seen = state.look_after(mv, self.params.lookahead, &mut self.scratch);
        Child {
            mv,
            numbers: self
                .params
                .initial
                .numbers(seen, state, mv, &mut self.scratch),
            bounds: self.question.bounds(seen.bounds),
        }
    }

    /// The numbers of a node from its children, and which of them to search next.
    fn choose(&self, depth: usize) -> (Choice, Found) {
        let mover = self.states[depth].to_move();
        let mut choice = Choice::NONE;
        let mut bounds: Option<Bounds> = None;
        let children = &self.frames[depth].children;
        for (place, child) in children.iter().enumerate() {
            choice.add(place, child.numbers, 0);
            bounds = Some(bounds.map_or(child.bounds, |bounds| bounds.or(child.bounds, mover)));
        }
        let bounds = bounds.unwrap_or(Bounds::UNKNOWN);
        let numbers = choice.numbers(self.params.rule());
        let best = if numbers.delta == 0 {
            // Refuted: of these moves the best may still draw.
            let hopes = children.iter().map(|child| child.bounds.seen_by(mover).0);
            let most = hopes
                .enumerate()
                .max_by_key(|&(place, least)| (least, std::cmp::Reverse(place)));
            most.map_or(choice.best, |(place, _)| place)
        } else {
            choice.best
        };
        let found = Found {
            numbers,
            bounds,
            best: children.get(best).map_or(0, |child| child.mv),
        };
        (choice, found)
    }

    /// Makes the next state the position after a move.
    fn reach(&mut self, depth: usize, mv: u16) {
        if self.states.len() < depth + 2 {
            grow(&mut self.states);
            self.frames.push(Frame::default());
        }
        let (above, below) = self.states.split_at_mut(depth + 1);
        below[0].clone_from(&above[depth]);
        below[0].play(mv);
    }

    /// Plies to the bound of the question.
    fn left(&self, depth: usize) -> u32 {
        self.question.bound.saturating_sub(depth as u32)
    }

    /// What is known of a position at a depth.
    pub fn get(&self, key: S::Key, depth: usize) -> Option<Found> {
        let known = self.table.get(key, Tag::NONE)?;
        let answers = known.attacker == self.question.attacker && known.left == self.left(depth);
        let numbers = if answers {
            known.numbers
        } else if known.bounds == Bounds::UNKNOWN {
            return None;
        } else {
            Numbers::UNKNOWN
        };
        Some(Found {
            numbers,
            bounds: known.bounds,
            best: known.best,
        })
    }

    pub fn put(&mut self, key: S::Key, found: Found, depth: usize, nodes: u64) {
        let known = Known {
            bounds: found.bounds,
            numbers: found.numbers,
            attacker: self.question.attacker,
            left: self.left(depth),
            best: found.best,
        };
        self.table.put(key, Tag::NONE, known, nodes);
        self.table.grow_if_crowded();
    }

    /// Counts an expansion.
    #[inline]
    pub fn count(&mut self) {
        let attacking = self.states[0].to_move() == self.question.attacker;
        let numbers = self.root.both(attacking);
        self.run.count_node(|| SolveProgress {
            attacker: Some(self.question.attacker),
            proof: numbers.proof,
            disproof: numbers.disproof,
            depth: self.question.bound,
            entries: self.table.used(),
            bytes: self.table.bytes(),
            ..SolveProgress::default()
        });
    }
}
