//! The search with its memory: answers to questions, found by one thread or several.

use super::dfpn::{Asked, Child, Frame, Worker};
use super::key::{Keys, question};
use super::layout::Layout;
use super::node::Node;
use super::order::Order;
use super::params::Params;
use super::word::Word;
use game::Side;
use search::proof::{Growth, Key, ProofNumbers, Run, Table, Tag, Threads};
use search::threads;

/// The search with its memory.
#[derive(Debug)]
pub struct Search<W: Word, S: Keys<W>> {
    /// The board.
    pub layout: Layout<W>,
    /// What is known.
    pub table: Table<S::Key, ProofNumbers>,
    /// How positions are named in it.
    pub keys: S,
    /// What was set.
    pub params: Params,
    /// For each thread that was needed.
    stacks: Vec<Stack<W, S::Key>>,
}

/// What a thread has for itself.
#[derive(Debug)]
struct Stack<W: Word, K> {
    /// One for each ply from the root to the deepest that was searched: on large boards they take 100 KiB each.
    frames: Vec<Frame<W, K>>,
    /// By [`Side::index`].
    orders: [Order<W>; 2],
}

impl<W: Word, K: Key> Stack<W, K> {
    fn new(layout: &Layout<W>, empty: K) -> Stack<W, K> {
        Stack {
            frames: vec![Frame::new(layout, empty)],
            orders: [Order::new(layout.board), Order::new(layout.board)],
        }
    }
}

impl<W: Word, S: Keys<W>> Search<W, S> {
    /// A search that knows nothing yet.
    pub fn new(layout: Layout<W>, params: &Params) -> Search<W, S> {
        Search {
            keys: S::new(&layout),
            table: Table::new(Self::table_memory(&layout, params), Growth::default()),
            params: params.clone(),
            stacks: Vec::new(),
            layout,
        }
    }

    /// What the stacks leave for the table: a search is seldom more than 32 plies deep. At least half.
    pub fn table_memory(layout: &Layout<W>, params: &Params) -> usize {
        let cells = layout.board.count() as usize;
        let frame = size_of::<Frame<W, S::Key>>() + cells * size_of::<Child>();
        let stacks = params.threads.max(1) * cells.min(32) * frame;
        params.memory - stacks.min(params.memory / 2)
    }

    /// The key of a position.
    pub fn key_of(&self, node: &Node<W>) -> S::Key {
        let stones = |key, side: Side| {
            let own = node.stones[side.index()].own.indices();
            own.fold(key, |key, index| self.keys.with(key, side, index))
        };
        stones(stones(S::EMPTY, Side::White), Side::Black)
    }

    /// Whether the attacker wins, as a question about a position.
    pub fn question(&self, node: &Node<W>, attacker: Side) -> Tag {
        let stones = self.layout.board.minus(node.empty).count();
        question(attacker, node.to_move, stones)
    }

    /// What is known of a position.
    pub fn known(&self, node: &Node<W>, attacker: Side) -> Option<ProofNumbers> {
        let question = self.question(node, attacker);
        self.table.get(self.key_of(node), question)
    }

    /// Answers the question whether the attacker wins in a position that is open, if the run allows
    /// it. The moves are those that the judgement of the node left.
    pub fn answer(
        &mut self,
        node: &Node<W>,
        moves: W,
        attacker: Side,
        run: &mut Run<'_>,
    ) -> ProofNumbers {
        let asked = self.asked(node, moves, attacker);
        self.search(1, &asked, run)
    }

    /// The same with as many threads as there are to be.
    pub fn answer_together(
        &mut self,
        node: &Node<W>,
        moves: W,
        attacker: Side,
        run: &mut Run<'_>,
    ) -> ProofNumbers {
        let asked = self.asked(node, moves, attacker);
        if self.params.threads > 1 {
            self.search(self.params.threads, &asked, run);
        }
        // What they found is in the table, where a node or two find the answer and its move.
        self.search(1, &asked, run)
    }

    /// The same until a number reaches its limit. Numbers that are no answer are those of the first thread.
    pub fn answer_within(
        &mut self,
        node: &Node<W>,
        moves: W,
        attacker: Side,
        limit: ProofNumbers,
        run: &mut Run<'_>,
    ) -> ProofNumbers {
        let asked = Asked {
            limit,
            ..self.asked(node, moves, attacker)
        };
        self.search(self.params.threads, &asked, run)
    }

    fn asked(&self, node: &Node<W>, moves: W, attacker: Side) -> Asked<W, S::Key> {
        Asked {
            node: *node,
            key: self.key_of(node),
            moves,
            attacker,
            question: self.question(node, attacker),
            limit: ProofNumbers::NEVER,
        }
    }

    /// Searches until one of the threads has answered or the run ends. When the table is crowded, all come
    /// back, it grows, and they go on.
    fn search(
        &mut self,
        threads: usize,
        asked: &Asked<W, S::Key>,
        run: &mut Run<'_>,
    ) -> ProofNumbers {
        let cells = self.layout.board.count() as usize;
        while self.stacks.len() < threads {
            self.stacks.push(Stack::new(&self.layout, S::EMPTY));
        }
        loop {
            self.table.grow_if_crowded();
            self.table.share(threads > 1);
            let together = Threads::new(threads, cells);
            let numbers = self.search_while_there_is_room(&together, asked, run);
            if numbers.reaches(asked.limit) || run.stopped.is_some() {
                return numbers;
            }
        }
    }

    fn search_while_there_is_room(
        &mut self,
        together: &Threads,
        asked: &Asked<W, S::Key>,
        run: &mut Run<'_>,
    ) -> ProofNumbers {
        let before = run.nodes;
        let (layout, table, keys, params) = (&self.layout, &self.table, &self.keys, &self.params);
        let stacks = self.stacks.iter_mut().take(together.count());
        let mut workers = stacks.enumerate().map(|(me, stack)| Worker {
            layout,
            table,
            keys,
            params,
            rule: params.rule(),
            threads: together,
            me,
            frames: &mut stack.frames,
            orders: &mut stack.orders,
            attacker: asked.attacker,
            question: asked.question,
            root: ProofNumbers::UNKNOWN,
        });
        let first = workers.next();
        let mut clock = Some((&mut *run, before));
        let (own, found) = threads::run(
            &|| together.halt(),
            || first.map(|mut first| first.answer(asked, &mut clock)),
            workers.map(|mut worker| move || worker.answer(asked, &mut None)),
        );
        run.nodes = before + together.nodes();
        let all = own.into_iter().chain(found);
        // The answer, if one has found it; otherwise what the first thread knows.
        all.reduce(|known, next| if next.is_solved() { next } else { known })
            .unwrap_or(ProofNumbers::UNKNOWN)
    }

    /// The moves of the position that was last in question, with what is known of them. Where one was
    /// seen to settle the question, others may be missing; none are there if the attacker cannot win
    /// any more.
    pub fn root_children(&self) -> &[Child] {
        let root = self.stacks.first().and_then(|stack| stack.frames.first());
        root.map_or(&[], |root| &root.children)
    }
}
