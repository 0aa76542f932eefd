//! The exact value of a position, with a certificate if one is wanted.

use super::analysis::written;
use super::{Request, SolvedView, SolvingView, Tell};
use crate::certificates::{Certificates, LARGEST};
use crate::pool::{Turn, Weight};
use crate::position::GameState;
use certificate::{Claim, Header, Promise};
use diagram::Drawn;
use engine::{Playable, Resources, Task};
use game::Outcome;
use havannah::solver as hexagons;
use konane::{Board, Opening, Setup, Start, solver as squares};
use search::Limits;
use search::proof::{SolveProgress, SolveReport};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a page wants to know of a position.
pub struct Asked {
    /// One of the solvers; the default one where none is named.
    pub solver: Option<String>,
    /// Whether to write a certificate.
    pub certificate: bool,
    /// Where certificates are kept.
    pub certificates: Arc<Certificates>,
}

/// A game whose default solver can be asked for the moves of a strategy.
pub trait Solvable: Playable + Drawn + certificate::Provable {
    /// The solver.
    type Solver;

    /// A solver for the board of a position.
    fn new_solver(&self, memory: usize) -> Result<Self::Solver, String>;

    /// The value of a position.
    fn value(
        &self,
        solver: &mut Self::Solver,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<Self::Move>;

    /// A move that keeps a promise.
    fn keep(
        &self,
        solver: &mut Self::Solver,
        promise: Promise,
        limits: &Limits,
    ) -> Option<Self::Move>;

    /// What certificates call the board of a game.
    fn board_name(&self, state: &GameState) -> Result<String, String>;
}

/// Tells the value of a position, and how far the solver is on the way.
pub fn solve<G: Solvable>(
    request: &Request,
    state: &GameState,
    position: &G,
    dialect: G::Dialect,
    asked: &Asked,
    turn: &mut Turn,
) {
    let id = request.id;
    let default = G::solvers().first().map(|solver| solver.name);
    let name = asked.solver.as_deref().or(default);
    let solved = if name == default {
        by_default(request, state, position, dialect, asked, turn)
    } else {
        by_name(request, position, dialect, name, turn)
    };
    if request.is_stopped() {
        return;
    }
    match solved {
        Ok(solved) => {
            request.outbox.tell(&Tell::Solved { id, solved });
            request.outbox.tell(&Tell::Finished { id });
        }
        Err(message) => request.outbox.tell(&Tell::Refused {
            id: Some(id),
            message,
        }),
    }
}

/// The default solver, whose table also gives the line of play and the certificate.
fn by_default<G: Solvable>(
    request: &Request,
    state: &GameState,
    position: &G,
    dialect: G::Dialect,
    asked: &Asked,
    turn: &mut Turn,
) -> Result<SolvedView, String> {
    let started = Instant::now();
    let mut solver = position.new_solver(Weight::SOLVER.bytes())?;
    let report = position.value(&mut solver, &request.limits(), &mut |progress| {
        tell(request, progress, started, false);
        turn.pass();
    });
    let line = line(request, position, &mut solver, &report);
    let mut solved = view(&report, started);
    solved.best = report.best.map(|best| position.write_move(best, dialect));
    solved.line = written(position, dialect, &line);
    if let (Some(outcome), true) = (report.outcome, asked.certificate) {
        let mut each = || {
            tell(request, &at_the_end(&report), started, true);
            turn.pass();
        };
        match certify(request, state, position, &mut solver, outcome, &mut each) {
            Ok(bytes) => solved.certificate = Some(asked.certificates.keep(bytes)),
            Err(why) => solved.problem = Some(why),
        }
    }
    Ok(solved)
}

/// Any other solver.
fn by_name<G: Solvable>(
    request: &Request,
    position: &G,
    dialect: G::Dialect,
    name: Option<&str>,
    turn: &mut Turn,
) -> Result<SolvedView, String> {
    let started = Instant::now();
    let solver = G::solver(name).map_err(|why| why.to_string())?;
    let task = Task {
        position,
        resources: Resources {
            memory: Weight::SOLVER.bytes(),
            threads: 1,
        },
        settings: &[],
        limits: &request.limits(),
    };
    let report = solver.solve(&task, &mut |progress| {
        tell(request, progress, started, false);
        turn.pass();
    });
    let report = report.map_err(|why| why.to_string())?;
    let mut solved = view(&report, started);
    solved.best = report.best.map(|best| position.write_move(best, dialect));
    solved.line.extend(solved.best.clone());
    Ok(solved)
}

fn tell(request: &Request, progress: &SolveProgress, started: Instant, writing: bool) {
    if request.outbox.is_busy() {
        return;
    }
    let id = request.id;
    request.outbox.tell(&Tell::Solving {
        id,
        progress: SolvingView {
            attacker: progress.attacker.map(|side| side.to_string()),
            proof: progress.proof,
            disproof: progress.disproof,
            nodes: progress.nodes,
            entries: progress.entries,
            seconds: started.elapsed().as_secs_f64(),
            writing,
        },
    });
}

fn at_the_end<M>(report: &SolveReport<M>) -> SolveProgress {
    SolveProgress {
        nodes: report.nodes,
        entries: report.entries,
        bytes: report.bytes,
        elapsed: report.elapsed,
        ..SolveProgress::default()
    }
}

fn view<M>(report: &SolveReport<M>, started: Instant) -> SolvedView {
    SolvedView {
        outcome: report.outcome.map(|outcome| outcome.to_string()),
        best: None,
        line: Vec::new(),
        nodes: report.nodes,
        seconds: started.elapsed().as_secs_f64(),
        stop: report.stop.to_string(),
        certificate: None,
        problem: None,
    }
}

/// The longest line that is told, in plies, and the longest time that looking for it takes.
const LINE: usize = 20;
const LINE_TIME: Duration = Duration::from_secs(1);

/// A line of play in which each side plays what the solver gives.
fn line<G: Solvable>(
    request: &Request,
    position: &G,
    solver: &mut G::Solver,
    report: &SolveReport<G::Move>,
) -> Vec<G::Move> {
    let started = Instant::now();
    let mut on_the_way = position.clone();
    let mut line = Vec::new();
    let mut best = report.best;
    while let Some(mv) = best {
        if on_the_way.try_play(mv).is_err() {
            break;
        }
        line.push(mv);
        let left = LINE_TIME.saturating_sub(started.elapsed());
        if line.len() == LINE || left.is_zero() {
            break;
        }
        let limits = Limits {
            time: Some(left),
            ..request.limits()
        };
        best = on_the_way.value(solver, &limits, &mut |_| {}).best;
    }
    line
}

/// The certificate of a value. `each` is called now and then.
fn certify<G: Solvable>(
    request: &Request,
    state: &GameState,
    position: &G,
    solver: &mut G::Solver,
    outcome: Outcome,
    each: &mut dyn FnMut(),
) -> Result<Vec<u8>, String> {
    let (moves, _) = state.played::<G>().map_err(|problem| problem.message)?;
    let header = Header {
        game: G::NAME.to_owned(),
        board: position.board_name(state)?,
        // Certificates are in the default dialect.
        moves: written(
            &state.start::<G>().map_err(|problem| problem.message)?,
            G::Dialect::default(),
            &moves,
        ),
        claim: Claim::value(outcome),
    };
    let limits = request.limits();
    let mut bytes = Bounded(Vec::new());
    let mut asked = 0u32;
    let done = certificate::write(&mut bytes, &header, position, |position, promise| {
        asked += 1;
        if asked.is_multiple_of(4096) {
            each();
        }
        let stopped = limits.stop.is_raised();
        (!stopped).then(|| position.keep(solver, promise, &limits))?
    });
    match done {
        Ok(_) => Ok(bytes.0),
        Err(why) => Err(format!("no certificate: {}", innermost(&why))),
    }
}

fn innermost(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), innermost)
}

/// Bytes, of which there is a most.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LARGEST {
            let why = "it is too long for the server: papamu solve writes it to a file";
            return Err(io::Error::other(why));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Solvable for havannah::Position {
    type Solver = hexagons::Solver;

    fn new_solver(&self, memory: usize) -> Result<hexagons::Solver, String> {
        let params = hexagons::Params {
            memory,
            ..hexagons::Params::default()
        };
        let shape = self.geometry().shape();
        hexagons::Solver::new(shape, &params).map_err(|why| why.to_string())
    }

    fn value(
        &self,
        solver: &mut hexagons::Solver,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<havannah::Move> {
        solver.solve(self, limits, tell)
    }

    fn keep(
        &self,
        solver: &mut hexagons::Solver,
        promise: Promise,
        limits: &Limits,
    ) -> Option<havannah::Move> {
        let claim = match promise {
            Promise::Wins(side) => hexagons::Claim::Wins(side),
            Promise::Holds(side) => hexagons::Claim::Holds(side),
        };
        solver.keep(self, claim, limits)
    }

    fn board_name(&self, _state: &GameState) -> Result<String, String> {
        if self.swap_rule() {
            return Err("certificates are about games without the swap rule".to_owned());
        }
        Ok(self.size_name())
    }
}

impl<B: Board> Solvable for konane::Position<B>
where
    konane::Position<B>: Playable + Drawn + certificate::Provable + game::Game<Move = konane::Move>,
{
    type Solver = squares::Solver;

    fn new_solver(&self, memory: usize) -> Result<squares::Solver, String> {
        squares::Solver::new(self.shape(), &squares::Params { memory })
            .map_err(|why| why.to_string())
    }

    fn value(
        &self,
        solver: &mut squares::Solver,
        limits: &Limits,
        tell: &mut dyn FnMut(&SolveProgress),
    ) -> SolveReport<konane::Move> {
        solver.solve(self, limits, tell)
    }

    fn keep(
        &self,
        solver: &mut squares::Solver,
        _promise: Promise,
        limits: &Limits,
    ) -> Option<konane::Move> {
        solver.winning(self, limits)
    }

    fn board_name(&self, state: &GameState) -> Result<String, String> {
        let opening = match (&state.board.setup, state.board.opening.as_deref()) {
            (Some(setup), _) => {
                Opening::Removed(setup.parse::<Setup>().map_err(|why| why.to_string())?)
            }
            (None, Some("any")) => Opening::AnyStone,
            (None, _) => Opening::Traditional,
        };
        Ok(certificate::konane::board_name(&Start {
            shape: self.shape(),
            opening,
        }))
    }
}
