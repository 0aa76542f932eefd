//! The search with its memory: decides goals, with one thread or several.

use super::base::Base;
use super::key::{Keys, goal};
use super::layout::Layout;
use super::node::{Node, QuietMoves};
use super::order::{Order, Settled};
use super::params::Params;
use super::problem::{Goal, Open};
use super::trail::Trail;
use super::word::Word;
use game::Side;
use search::proof::{self, Bucket, Child, Crew, Frame, Growth, Key, ProofNumbers, Run, Table, Tag};

type FrameOf<W, K> = Frame<Open<W, K>, u16, ProofNumbers>;

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
    /// Its threads.
    pub crew: Crew,
    /// Of positions that are looked at, if some were.
    pub base: Option<Base<W>>,
    /// By [`Side::index`]: what stones on a cell have settled.
    settled: [Settled; 2],
    /// For each thread that was needed.
    stacks: Vec<Stack<W, S::Key>>,
}

/// What a thread has for itself, on lines of the cache of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Stack<W: Word, K: Key> {
    /// One for each node from the root to the deepest that was searched.
    frames: Vec<FrameOf<W, K>>,
    /// Where the search is: on large boards it takes 100 KiB.
    trail: Trail<W>,
    /// See [`Goal::quiet`].
    quiet: QuietMoves<W>,
    /// By [`Side::index`].
    orders: [Order<W>; 2],
    /// See [`Goal::forced`].
    forced: Vec<(usize, K, Bucket)>,
    /// See [`Goal::sought`].
    sought: W::Table<(K, Bucket)>,
}

impl<W: Word, K: Key> Stack<W, K> {
    fn new(
        layout: &Layout<W>,
        settled: &[Settled; 2],
        node: &Node<W>,
        root: Open<W, K>,
    ) -> Stack<W, K> {
        let sought = W::table((root.key, Bucket::default()));
        Stack {
            frames: vec![Frame::new(root)],
            trail: Trail::new(*node),
            quiet: QuietMoves::new(),
            orders: settled
                .each_ref()
                .map(|settled| Order::new(layout.board, settled.clone())),
            forced: Vec::new(),
            sought,
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
            crew: Crew::new(params.threads),
            base: None,
            settled: [Settled::new::<W>(), Settled::new::<W>()],
            stacks: Vec::new(),
            layout,
        }
    }

    /// What the stacks leave for the table: a search is seldom more than 32 plies deep. At least half.
    pub fn table_memory(layout: &Layout<W>, params: &Params) -> usize {
        let cells = layout.board.count() as usize;
        let frame = size_of::<FrameOf<W, S::Key>>() + cells * size_of::<Child<u16, ProofNumbers>>();
        let ply = frame + Trail::<W>::bytes_of_stone(cells);
        let stack = size_of::<Stack<W, S::Key>>() + cells.min(32) * ply;
        let stacks = params.threads.max(1) * stack + size_of::<Node<W>>();
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

    /// The goal that the attacker wins a position.
    pub fn goal(&self, node: &Node<W>, attacker: Side) -> Tag {
        let stones = self.layout.board.minus(node.empty).count();
        goal(attacker, node.to_move, stones)
    }

    /// What is known of a position.
    pub fn known(&self, node: &Node<W>, attacker: Side) -> Option<ProofNumbers> {
        let goal = self.goal(node, attacker);
        self.table.get(self.key_of(node), goal)
    }

    /// Decides whether the attacker wins in a position that is open, if the run allows
    /// it. The moves are those that the judgement of the node left.
    pub fn answer(
        &mut self,
        node: &Node<W>,
        moves: W,
        attacker: Side,
        run: &mut Run<'_>,
    ) -> ProofNumbers {
        self.answer_within(None, (node, moves), attacker, ProofNumbers::NEVER, run)
    }

    /// The same by several threads, until a number reaches its limit. Numbers that are no answer are those of the first
    /// thread. When the table is crowded or threads join, all come back, it grows, and they go on.
    pub fn answer_within(
        &mut self,
        crew: Option<&Crew>,
        (node, moves): (&Node<W>, W),
        attacker: Side,
        limit: ProofNumbers,
        run: &mut Run<'_>,
    ) -> ProofNumbers {
        let cells = self.layout.board.count() as usize;
        let root = Open {
            to_move: node.to_move,
            key: self.key_of(node),
            stones: self.layout.board.minus(node.empty).count() as usize,
            moves,
            told: W::NONE,
        };
        let tag = self.goal(node, attacker);
        let attacking = node.to_move == attacker;
        loop {
            let threads = crew.map_or(1, Crew::count);
            while self.stacks.len() < threads {
                let stack = Stack::new(&self.layout, &self.settled, node, root.clone());
                self.stacks.push(stack);
            }
            self.table.grow_if_crowded();
            self.table.share(threads > 1);
            let (layout, table, keys, params) =
                (&self.layout, &self.table, &self.keys, &self.params);
            let mut each = self.stacks[..threads].iter_mut().map(|stack| {
                stack.frames[0].position = root.clone();
                stack.trail.restart(node);
                for order in &mut stack.orders {
                    order.restart(node.empty);
                }
                let goal = Goal {
                    layout,
                    cells,
                    table,
                    keys,
                    params,
                    crew: crew.map(|crew| (crew, threads)),
                    rule: params.rule(),
                    trail: &mut stack.trail,
                    quiet: &mut stack.quiet,
                    orders: &mut stack.orders,
                    forced: &mut stack.forced,
                    sought: &mut stack.sought,
                    attacker,
                    tag,
                };
                (goal, &mut stack.frames)
            });
            let Some(first) = each.next() else {
                return ProofNumbers::UNKNOWN;
            };
            let limit_seen = limit.seen_by(attacking);
            let numbers = proof::search(first, each, limit_seen, cells, run);
            if numbers.reaches(limit) || run.stopped.is_some() {
                return numbers;
            }
        }
    }

    /// The moves of the position that was last in question, with what is known of them. Where one was
    /// seen to settle the goal, others may be missing; none are there if the attacker cannot win
    /// any more.
    pub fn root_children(&self) -> &[Child<u16, ProofNumbers>] {
        let root = self.stacks.first().and_then(|stack| stack.frames.first());
        root.map_or(&[], |root| &root.children)
    }
}
