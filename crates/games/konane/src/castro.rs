//! The solvers of [`search::proof`] on Kōnane.

use crate::rules::Bits;
use crate::{
    BitBoard, Board, Cell, Direction, Move, PositionOn, Shape, SmallBitBoard, Stage, transferred,
};
use game::random::mix;
use game::{Game, Outcome, Side, Symmetric};
use search::castro::{self, Method, Seen, State};
use search::proof::{self, Bounds, SolveProgress, SolveReport};
use search::{Limits, Lookahead};

/// A solver of the Castro thesis (2012).
#[derive(Debug)]
pub struct CastroSolver {
    method: Method,
    params: castro::Params,
    symmetric_plies: u32,
    /// For the shape of the last position.
    core: Option<(Shape, Core)>,
}

/// The solver, whatever the width of the boards.
#[derive(Debug)]
enum Core {
    Small(castro::Solver<SolverState<1>>),
    Large(castro::Solver<SolverState<7>>),
}

impl CastroSolver {
    /// A solver by one of the methods. With fewer plies than `symmetric_plies` behind it, a position has
    /// only one of each class of symmetric moves searched.
    pub fn new(method: Method, params: &castro::Params, symmetric_plies: u32) -> CastroSolver {
        CastroSolver {
            method,
            params: params.clone(),
            symmetric_plies,
            core: None,
        }
    }

    /// The value of a position, without anything learnt from another; a search of the same position that
    /// was ended by its limits is gone on with. Of the limits, those on simulations and depth have no
    /// meaning here.
    pub fn solve<B: Board>(
        &mut self,
        position: &PositionOn<B>,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Move> {
        let shape = position.shape();
        let same = self.core.take_if(|(of, _)| *of == shape);
        let mut core = same.map_or_else(|| self.core_for(shape), |(_, core)| core);
        let report = match &mut core {
            Core::Small(solver) => solve_bits(solver, position, self.symmetric_plies, limits, tell),
            Core::Large(solver) => solve_bits(solver, position, self.symmetric_plies, limits, tell),
        };
        self.core = Some((shape, core));
        report
    }

    fn core_for(&self, shape: Shape) -> Core {
        if shape.area() <= SmallBitBoard::CAPACITY {
            Core::Small(castro::Solver::new(self.method, &self.params))
        } else {
            Core::Large(castro::Solver::new(self.method, &self.params))
        }
    }
}

fn solve_bits<B: Board, const WORDS: usize>(
    solver: &mut castro::Solver<SolverState<WORDS>>,
    position: &PositionOn<B>,
    symmetric_until: u32,
    limits: &Limits,
    tell: &mut dyn FnMut(&SolveProgress),
) -> SolveReport<Move> {
    let Ok(position) = transferred(position) else {
        unreachable!("the solver was made for the shape");
    };
    let root = SolverState {
        position,
        symmetric_until,
    };
    let report = solver.solve(&root, limits, tell);
    let best = report.best.map(unpack);
    report.with_best(best.filter(|&mv| root.position.is_legal(mv)))
}

/// A position of Kōnane for solving.
#[derive(Clone, Debug)]
struct SolverState<const WORDS: usize> {
    position: PositionOn<BitBoard<WORDS>>,
    /// The plies of the position before which symmetric moves are left out.
    symmetric_until: u32,
}

/// All that decides how a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key<const WORDS: usize> {
    stones: Bits<WORDS>,
    /// The side to move, whether any stone may be removed, and in the opening the gap.
    turn: u16,
}

impl<const WORDS: usize> proof::Key for Key<WORDS> {
    const PARTS: usize = WORDS + 1;

    #[inline]
    fn hash(self, _: proof::Tag) -> u64 {
        let seed = u64::from(self.turn);
        let words = self.stones.words();
        words.iter().fold(seed, |hash, &word| mix(hash ^ word))
    }

    #[inline(always)]
    fn part(self, place: usize) -> u64 {
        let words = self.stones.words();
        words.get(place).copied().unwrap_or(u64::from(self.turn))
    }

    #[inline(always)]
    fn from_parts(part: impl Fn(usize) -> u64) -> Key<WORDS> {
        Key {
            turn: part(WORDS) as u16,
            stones: Bits::from_words(std::array::from_fn(part)),
        }
    }
}

/// A move in 16 bits: the column and the row of its first cell, the direction of the jump, and how many
/// stones it captures; none for a removal.
fn pack(mv: Move) -> u16 {
    let (from, direction, captures) = match mv {
        Move::Remove(cell) => (cell, 0, 0),
        Move::Jump { from, to } => {
            let across = from.col().abs_diff(to.col());
            let along = from.row().abs_diff(to.row());
            // One of the two is 0.
            let steps = across + along;
            let towards = |direction: &Direction| from.step(*direction, steps) == Some(to);
            let direction = Direction::ALL.iter().find(|&direction| towards(direction));
            let direction = direction.map_or(0, |direction| direction.index());
            (from, direction, steps / 2)
        }
    };
    (from.col() | from.row() << 5 | direction << 10 | captures << 12) as u16
}

/// The reverse of [`pack`].
fn unpack(packed: u16) -> Move {
    let packed = usize::from(packed);
    let corner = || Cell::new(0, 0);
    let from = Cell::new(packed & 31, packed >> 5 & 31).or_else(corner);
    let direction = Direction::ALL
        .into_iter()
        .find(|direction| direction.index() == packed >> 10 & 3);
    let captures = packed >> 12;
    match (from, direction) {
        (Some(from), Some(direction)) if captures > 0 => Move::Jump {
            from,
            to: from.step(direction, 2 * captures).unwrap_or(from),
        },
        (Some(cell), _) => Move::Remove(cell),
        (None, _) => unreachable!("every board has a first cell"),
    }
}

impl<const WORDS: usize> SolverState<WORDS> {
    /// Takes out of a list all moves that a symmetry of the position makes of one before them.
    fn leave_out_symmetric(&self, moves: &mut Vec<Move>) {
        let position = &self.position;
        for symmetry in 1..position.symmetries() {
            if position.transformed(symmetry) != *position {
                continue;
            }
            let image = |&mv: &Move| position.transformed_move(symmetry, mv);
            let all = moves.clone();
            moves.retain(|mv| {
                let shown = image(mv);
                let place = |mv: &Move| all.iter().position(|other| other == mv);
                place(&shown).is_none_or(|other| Some(other) >= place(mv))
            });
        }
    }
}

impl<const WORDS: usize> State for SolverState<WORDS> {
    type Key = Key<WORDS>;

    #[inline]
    fn to_move(&self) -> Side {
        self.position.to_move()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// Every move takes a stone off.
    fn most_plies(&self) -> usize {
        self.position.board().occupied().count() as usize
    }

    fn key(&self) -> Key<WORDS> {
        let gap = match self.position.stage() {
            Stage::BlackRemoves { anywhere } => 2 + u16::from(anywhere),
            Stage::WhiteRemoves { beside } => 4 + pack(Move::Remove(beside)),
            Stage::Jumping => 0,
        };
        Key {
            stones: self.position.board().occupied(),
            turn: self.position.to_move() as u16 | gap << 1,
        }
    }

    /// Knows of no more than ends: whoever has no move loses.
    fn list_moves(&self, plies: Lookahead, moves: &mut Vec<u16>) -> Bounds {
        let mut listed = Vec::new();
        self.position.legal_moves(&mut listed);
        if (self.position.ply() as u32) < self.symmetric_until {
            self.leave_out_symmetric(&mut listed);
        }
        if plies != Lookahead::None {
            // The move that wins comes first.
            let own = self.position.to_move();
            let wins = |mv: &Move| {
                let mut after = self.position.clone();
                after.play_unchecked(*mv);
                after.outcome() == Some(Outcome::Win(own))
            };
            if let Some(place) = listed.iter().position(wins) {
                moves.push(pack(listed[place]));
                return Bounds::exact(Outcome::Win(own));
            }
        }
        moves.extend(listed.into_iter().map(pack));
        self.look(plies).bounds
    }

    #[inline]
    fn play(&mut self, mv: u16) {
        self.position.play_unchecked(unpack(mv));
    }

    fn look(&self, plies: Lookahead) -> Seen {
        let side = self.position.to_move();
        let replies = match self.position.stage() {
            Stage::Jumping => self.position.board().moves(side),
            _ => 1,
        };
        Seen {
            bounds: castro::look_ahead(self, plies),
            replies: replies.max(1),
        }
    }
}
