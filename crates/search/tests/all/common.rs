//! Small games whose exact values are found by looking at every position, and that exhaustive look.

// Every test file uses another part of this one.
#![allow(dead_code)]

use game::random::mix;
use game::{Game, Outcome, Relative, Side};

/// A move that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLegal;

impl std::fmt::Display for NotLegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the rules do not allow it")
    }
}

impl std::error::Error for NotLegal {}

/// The value of a position for the side to move, by looking at all that follows: the definition.
pub fn truth<G: Game>(position: &G) -> Relative {
    let mover = position.to_move();
    if let Some(outcome) = position.outcome() {
        return outcome.seen_by(mover);
    }
    legal(position)
        .into_iter()
        .map(|mv| truth_of_move(position, mv))
        .max()
        .expect("a move in a game that goes on")
}

/// The value of a move for the side that makes it.
pub fn truth_of_move<G: Game>(position: &G, mv: G::Move) -> Relative {
    let child = after(position, mv);
    let value = truth(&child);
    if child.to_move() == position.to_move() {
        value
    } else {
        value.flipped()
    }
}

/// The legal moves.
pub fn legal<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The position after a move.
pub fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut child = position.clone();
    child.play(mv);
    child
}

/// How the trees of [`RandomTree`] look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The longest game.
    pub plies: u8,
    /// The most moves in a position.
    pub moves: u8,
    /// Of 16 games, how many end in a draw.
    pub draws: u64,
    /// Of 16 positions above the last ply, in how many the game is over.
    pub ends: u64,
    /// Whether the sides move in turn; otherwise who is to move is random as well.
    pub in_turn: bool,
}

impl Shape {
    /// Some shapes, small enough to look at everything.
    pub fn small(number: u64) -> Shape {
        let bits = mix(number);
        Shape {
            plies: 2 + (bits % 5) as u8,
            moves: 2 + (bits >> 8) as u8 % 3,
            draws: [0, 4, 12][(bits >> 16) as usize % 3],
            ends: [0, 2, 5][(bits >> 24) as usize % 3],
            in_turn: !(bits >> 32).is_multiple_of(4),
        }
    }

    /// Far too large to be solved.
    pub const HUGE: Shape = Shape {
        plies: 60,
        moves: 6,
        draws: 4,
        ends: 0,
        in_turn: true,
    };
}

/// A game that makes no sense: moves, results and turns are a hash of the moves before.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomTree {
    shape: Shape,
    key: u64,
    ply: u8,
}

impl RandomTree {
    pub fn new(shape: Shape, seed: u64) -> Self {
        RandomTree {
            shape,
            key: mix(seed),
            ply: 0,
        }
    }

    /// 16 different random numbers for each position.
    fn bits(&self, purpose: u64) -> u64 {
        mix(self.key ^ (purpose << 56))
    }

    fn count(&self) -> u8 {
        1 + (self.bits(0) % u64::from(self.shape.moves)) as u8
    }

    /// A heuristic without sense, between −`range` and `range`.
    pub fn nonsense(&self, range: i32) -> i32 {
        (self.bits(5) % (2 * range as u64 + 1)) as i32 - range
    }
}

impl Game for RandomTree {
    type Move = u8;
    type Illegal = NotLegal;
    const NAME: &'static str = "random-tree";

    fn to_move(&self) -> Side {
        let parity = if self.shape.in_turn {
            u64::from(self.ply)
        } else {
            self.bits(1)
        };
        Side::BOTH[(parity % 2) as usize]
    }

    fn outcome(&self) -> Option<Outcome> {
        let over =
            self.ply >= self.shape.plies || (self.ply > 0 && self.bits(2) % 16 < self.shape.ends);
        over.then(|| {
            if self.bits(3) % 16 < self.shape.draws {
                Outcome::Draw
            } else {
                Outcome::Win(Side::BOTH[(self.bits(4) % 2) as usize])
            }
        })
    }

    fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        if self.outcome().is_none() {
            moves.extend(0..self.count());
        }
    }

    fn check(&self, mv: u8) -> Result<(), NotLegal> {
        if self.outcome().is_none() && mv < self.count() {
            Ok(())
        } else {
            Err(NotLegal)
        }
    }

    fn play_unchecked(&mut self, mv: u8) {
        self.key = mix(self.key.wrapping_add(u64::from(mv) + 1));
        self.ply += 1;
    }

    fn hash(&self) -> u64 {
        self.key
    }

    fn recomputed_hash(&self) -> u64 {
        self.key
    }
}

/// Noughts and crosses. White begins; the cells are 0 to 8, line by line.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TicTacToe {
    /// The cells of each side, one bit each.
    stones: [u16; 2],
    ply: u8,
}

impl TicTacToe {
    const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

    pub fn after(moves: &[u8]) -> Self {
        let mut game = TicTacToe::default();
        for &mv in moves {
            game.play(mv);
        }
        game
    }

    /// Whether a mark of this side in an empty cell would complete a line.
    pub fn completes(&self, cell: u8, side: Side) -> bool {
        let stones = self.stones[side.index()] | 1 << cell;
        Self::LINES.iter().any(|line| stones & line == *line)
    }

    fn winner(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| {
            let stones = self.stones[side.index()];
            Self::LINES.iter().any(|line| stones & line == *line)
        })
    }
}

impl Game for TicTacToe {
    type Move = u8;
    type Illegal = NotLegal;
    const NAME: &'static str = "tic-tac-toe";

    fn to_move(&self) -> Side {
        Side::BOTH[usize::from(self.ply) % 2]
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.winner() {
            Some(side) => Some(Outcome::Win(side)),
            None if self.ply == 9 => Some(Outcome::Draw),
            None => None,
        }
    }

    fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.extend((0..9).filter(|&cell| self.check(cell).is_ok()));
    }

    fn check(&self, mv: u8) -> Result<(), NotLegal> {
        let taken = self.stones[0] | self.stones[1];
        if mv < 9 && taken >> mv & 1 == 0 && self.winner().is_none() {
            Ok(())
        } else {
            Err(NotLegal)
        }
    }

    fn play_unchecked(&mut self, mv: u8) {
        self.stones[self.to_move().index()] |= 1 << mv;
        self.ply += 1;
    }

    fn hash(&self) -> u64 {
        mix(u64::from(self.stones[0]) << 16 | u64::from(self.stones[1]))
    }

    fn recomputed_hash(&self) -> u64 {
        self.hash()
    }
}

/// Nim: take any number from one heap; who takes the last one wins. The mover wins if and only if the
/// heaps' exclusive or is not 0 (Bouton, 1901).
#[derive(Clone, Debug, PartialEq)]
pub struct Nim {
    pub heaps: [u8; 3],
    ply: u8,
}

impl Nim {
    pub fn new(heaps: [u8; 3]) -> Self {
        Nim { heaps, ply: 0 }
    }

    /// The value for the side to move, by Bouton's theorem.
    pub fn theory(&self) -> Relative {
        if self.heaps.iter().fold(0, |sum, heap| sum ^ heap) == 0 {
            Relative::Loss
        } else {
            Relative::Win
        }
    }
}

impl Game for Nim {
    /// The heap, and how many to take.
    type Move = (u8, u8);
    type Illegal = NotLegal;
    const NAME: &'static str = "nim";

    fn to_move(&self) -> Side {
        Side::BOTH[usize::from(self.ply) % 2]
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heaps == [0; 3]).then(|| Outcome::Win(!self.to_move()))
    }

    fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    fn legal_moves(&self, moves: &mut Vec<(u8, u8)>) {
        for (heap, &size) in (0..).zip(&self.heaps) {
            moves.extend((1..=size).map(|number| (heap, number)));
        }
    }

    fn check(&self, (heap, number): (u8, u8)) -> Result<(), NotLegal> {
        match self.heaps.get(usize::from(heap)) {
            Some(&size) if number > 0 && number <= size => Ok(()),
            _ => Err(NotLegal),
        }
    }

    fn play_unchecked(&mut self, (heap, number): (u8, u8)) {
        self.heaps[usize::from(heap)] -= number;
        self.ply += 1;
    }

    fn hash(&self) -> u64 {
        let [a, b, c] = self.heaps;
        mix(u64::from_le_bytes([a, b, c, self.ply % 2, 0, 0, 0, 0]))
    }

    fn recomputed_hash(&self) -> u64 {
        self.hash()
    }
}
