use super::kept::KeptScores;
use super::recency::Recency;
use crate::jump_masks::{JumpGeometry, JumpMasks, direction_of};
use crate::rules::Bits;
use crate::shokry::DynamicBoard;
use crate::shokry::knowledge::{Count, Heuristic};
use crate::shokry::ordering::Predictor;
use crate::shokry::windows::Window;
use crate::{BitBoard, Board, Direction, Move, PositionOn, Shape, Stage};
use game::{Game, Side};
use search::alphabeta::MoveOrdering;
use std::cmp::Reverse;

/// What makes one of the players: see the table of the [module](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The order in which moves are searched.
    pub order: Order,
    /// The evaluation.
    pub heuristic: Heuristic,
    /// Window Subgame Pruning, if there is any.
    pub window: Option<WindowParams>,
}

/// An order of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As a scan of the board finds them, row by row: the order of [`NaiveBoard`](crate::NaiveBoard).
    Scan,
    /// By stones, those that became movable last first: the order of [`DynamicBoard`].
    Recent,
    /// By the order score of their instant effects, the highest first, and as in [`Order::Recent`] where
    /// it is equal.
    Effects,
    /// The same, but scores are kept from one turn of a side to its next, as the Dynamic Board keeps the rest
    /// of its record: only moves near to what has changed are scored anew.
    KeptEffects,
    /// The three moves with the highest order score first, then the others as in [`Order::Recent`].
    BestThree,
}

impl Order {
    /// Whether moves are scored.
    fn is_scored(self) -> bool {
        match self {
            Order::Scan | Order::Recent => false,
            Order::Effects | Order::KeptEffects | Order::BestThree => true,
        }
    }
}

/// How windows prune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowParams {
    /// The cells on each side of the line of a move, at most [`Window::MAX_PADDING`].
    pub padding: usize,
    /// Where the evaluation counts.
    pub scope: Scope,
}

/// Where the evaluation of a windowed search counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// On the whole board.
    Board,
    /// In the window, as if it were the whole board.
    Window,
}

/// The ordering of an alpha-beta player.
#[derive(Clone, Debug)]
pub struct Minimax<const WORDS: usize> {
    params: Params,
    ground: JumpGeometry<WORDS>,
    /// The side to move at the root.
    player: Side,
    /// The cells whose stones move below the root.
    window: Bits<WORDS>,
    /// How the Dynamic Board lists the stones at the root, if anybody said so.
    recency: Recency,
    /// The position at each ply of the way down to where moves were listed last.
    frames: Vec<Frame<WORDS>>,
    scored: Vec<(i32, Move)>,
}

/// What is known of a position on the way.
#[derive(Clone, Debug)]
struct Frame<const WORDS: usize> {
    stones: Bits<WORDS>,
    movable: Bits<WORDS>,
    recency: Recency,
    /// The order scores of the side to move, if they are kept.
    scores: KeptScores<WORDS>,
}

impl<const WORDS: usize> Minimax<WORDS> {
    /// An ordering for games on boards of this shape.
    ///
    /// # Panics
    /// If the board has more than 64 × `WORDS` cells.
    pub fn new(shape: Shape, params: Params) -> Self {
        Minimax {
            params,
            ground: JumpGeometry::new(shape),
            player: Side::Black,
            window: Bits::EMPTY,
            recency: Recency::default(),
            frames: Vec::new(),
            scored: Vec::new(),
        }
    }

    /// Tells how the Dynamic Board lists the stones of the position that is searched next. Otherwise they
    /// are listed as on a new board.
    pub fn recall(&mut self, board: &DynamicBoard) {
        self.recency = Recency::of(board);
    }

    fn is_ordered(&self) -> bool {
        self.params.order != Order::Scan
    }

    /// The stones after the move that led to a position, `ply` plies below the root.
    fn stones(&self, position: &PositionOn<BitBoard<WORDS>>, ply: usize) -> Bits<WORDS> {
        let mut stones = self.frames[ply - 1].stones;
        match position.last_move() {
            None => {}
            Some(Move::Remove(cell)) => stones.toggle(self.ground.index(cell)),
            Some(Move::Jump { from, to }) => {
                let direction = direction_of(from, to);
                let (mut cell, to) = (self.ground.index(from), self.ground.index(to));
                while cell != to {
                    if stones.has(cell) {
                        stones.toggle(cell);
                    }
                    cell = self.ground.stepped(cell, direction, 1);
                }
                stones.toggle(to);
            }
        }
        stones
    }

    /// Fills the frame of a position below the root.
    fn follow(
        &mut self,
        position: &PositionOn<BitBoard<WORDS>>,
        ply: usize,
        stones: Bits<WORDS>,
        hops: &JumpMasks<WORDS>,
    ) {
        if self.frames.len() <= ply {
            let frame = self.frames[ply - 1].clone();
            self.frames.push(frame);
        }
        let (above, below) = self.frames.split_at_mut(ply);
        let (before, frame) = (&above[ply - 1], &mut below[0]);
        frame.stones = stones;
        frame.movable = hops.movable;
        if self.params.order != Order::Scan
            && let Some(mv) = position.last_move()
        {
            let recency = &mut frame.recency;
            recency.follow(&before.recency, before.movable, hops, mv, &self.ground);
        }
    }

    /// Visits the stones of a side that may move, in the order of the lists or of a scan.
    fn for_each_stone(&self, ply: usize, side: Side, mut visit: impl FnMut(usize)) {
        let frame = &self.frames[ply];
        let mut allowed = frame.movable & self.ground.colours[side.index()];
        if ply > 0 && self.params.window.is_some() {
            allowed = allowed & self.window;
        }
        if self.is_ordered() {
            for &stone in frame.recency.list(side) {
                if allowed.has(usize::from(stone)) {
                    visit(usize::from(stone));
                }
            }
        } else {
            allowed.for_each(visit);
        }
    }

    fn list_by_stone(
        &self,
        ply: usize,
        side: Side,
        hops: &JumpMasks<WORDS>,
        moves: &mut Vec<Move>,
    ) {
        let ground = &self.ground;
        self.for_each_stone(ply, side, |stone| {
            let from = ground.cell(stone);
            for direction in Direction::ALL {
                hops.for_each_landing(ground, stone, direction, |landing| {
                    let to = ground.cell(landing);
                    moves.push(Move::Jump { from, to });
                });
            }
        });
    }

    fn list_by_score(
        &mut self,
        ply: usize,
        side: Side,
        predictor: &Predictor<WORDS>,
        moves: &mut Vec<Move>,
    ) {
        let mut scored = std::mem::take(&mut self.scored);
        scored.clear();
        let ground = &self.ground;
        let keeps = self.params.order == Order::KeptEffects;
        let mut kept = if keeps {
            std::mem::take(&mut self.frames[ply].scores)
        } else {
            KeptScores::default()
        };
        if keeps {
            let before = ply.checked_sub(2).map(|before| &self.frames[before]);
            let before = before.map(|frame| (&frame.scores, frame.stones));
            kept.begin(ground, before, self.frames[ply].stones);
        }
        self.for_each_stone(ply, side, |stone| {
            let from = ground.cell(stone);
            for direction in Direction::ALL {
                predictor
                    .hops
                    .for_each_landing(ground, stone, direction, |landing| {
                        let to = ground.cell(landing);
                        let find = || predictor.score(ground, stone, landing, direction);
                        let score = if keeps {
                            kept.score(ground, stone, landing, direction, find)
                        } else {
                            find()
                        };
                        scored.push((score, Move::Jump { from, to }));
                    });
            }
        });
        if self.params.order == Order::BestThree {
            bring_best_to_front(&mut scored, 3);
        } else {
            scored.sort_by_key(|&(score, _)| Reverse(score));
        }
        moves.extend(scored.iter().map(|&(_, mv)| mv));
        self.scored = scored;
        if keeps {
            self.frames[ply].scores = kept;
        }
    }

    /// What the heuristic counts of a side in the window.
    fn count_in_window(&self, stones: Bits<WORDS>, hops: &JumpMasks<WORDS>, side: Side) -> u32 {
        let within = self.window & self.ground.colours[side.index()];
        match self.params.heuristic.count {
            Count::Pieces => (stones & within).count(),
            Count::Movables => (hops.movable & within).count(),
            Count::Moves => hops.count_moves(&self.ground, stones & within),
        }
    }
}

impl<const WORDS: usize> MoveOrdering<PositionOn<BitBoard<WORDS>>> for Minimax<WORDS> {
    fn begin(&mut self, root: &PositionOn<BitBoard<WORDS>>) {
        self.player = root.to_move();
        let stones = self.ground.stones(root.board());
        let movable = JumpMasks::of(&self.ground, stones).movable;
        if self.is_ordered() && !self.recency.has_exactly(movable) {
            let has_stone = |cell| root.board().stone(cell).is_some();
            self.recall(&DynamicBoard::new(root.shape(), has_stone));
        }
        self.frames.clear();
        self.frames.push(Frame {
            stones,
            movable,
            recency: self.recency.clone(),
            scores: KeptScores::default(),
        });
    }

    fn enter(&mut self, mv: Move) {
        if let Some(WindowParams { padding, .. }) = self.params.window {
            let window = Window::around(mv, padding);
            let cells = self.ground.shape.cells();
            let inside = cells.filter(|&cell| window.contains(cell));
            self.window = inside.map(|cell| self.ground.index(cell)).collect();
        }
    }

    fn list_moves(
        &mut self,
        position: &PositionOn<BitBoard<WORDS>>,
        ply: usize,
        moves: &mut Vec<Move>,
    ) -> u64 {
        let stones = match ply {
            0 => self.frames[0].stones,
            _ => self.stones(position, ply),
        };
        let side = position.to_move();
        let hops = if self.params.order.is_scored() {
            let predictor = Predictor::new(&self.ground, stones);
            if ply > 0 {
                self.follow(position, ply, stones, &predictor.hops);
            }
            if position.stage() == Stage::Jumping {
                self.list_by_score(ply, side, &predictor, moves);
            }
            predictor.hops
        } else {
            let hops = JumpMasks::of(&self.ground, stones);
            if ply > 0 {
                self.follow(position, ply, stones, &hops);
            }
            if position.stage() == Stage::Jumping {
                self.list_by_stone(ply, side, &hops, moves);
            }
            hops
        };
        if position.stage() != Stage::Jumping {
            position.legal_moves(moves);
            return 0;
        }
        if ply == 0 || self.params.window.is_none() {
            return 0;
        }
        let outside = stones & self.ground.colours[side.index()] & !self.window;
        u64::from(hops.count_moves(&self.ground, outside))
    }

    #[inline]
    fn evaluate(&mut self, position: &PositionOn<BitBoard<WORDS>>, ply: usize) -> i32 {
        let Heuristic { comparison, .. } = self.params.heuristic;
        let value = match self.params.window {
            Some(WindowParams {
                scope: Scope::Window,
                ..
            }) => {
                let stones = self.stones(position, ply);
                let hops = JumpMasks::of(&self.ground, stones);
                comparison.of(
                    self.count_in_window(stones, &hops, self.player),
                    self.count_in_window(stones, &hops, !self.player),
                )
            }
            _ => self.params.heuristic.value(position.board(), self.player),
        };
        if position.to_move() == self.player {
            value
        } else {
            -value
        }
    }
}

/// Brings the items with the highest scores to the front, the first of equal ones first. The others keep
/// their order.
fn bring_best_to_front<T: Copy>(scored: &mut [(i32, T)], count: usize) {
    for place in 0..count.min(scored.len()) {
        let rest = &mut scored[place..];
        let best = rest
            .iter()
            .enumerate()
            .max_by_key(|&(index, &(score, _))| (score, Reverse(index)));
        if let Some((best, _)) = best {
            rest[..=best].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bring_best_to_front;

    #[test]
    fn the_best_come_first_and_the_others_keep_their_order() {
        let mut scored = [(1, 'a'), (3, 'b'), (0, 'c'), (3, 'd'), (2, 'e'), (9, 'f')];
        bring_best_to_front(&mut scored, 3);
        assert_eq!(scored.map(|(_, name)| name), ['f', 'b', 'd', 'a', 'c', 'e']);
        let mut two = [(1, 'a'), (2, 'b')];
        bring_best_to_front(&mut two, 3);
        assert_eq!(two.map(|(_, name)| name), ['b', 'a']);
    }
}
