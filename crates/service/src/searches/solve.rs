//! The exact value of a position, with a certificate if one is wanted.

use super::{Request, memory, written};
use crate::certificates::{Bounded, NowAndThen};
use crate::message::{SolvedView, SolvingView, Tell, TimeLeft};
use crate::position::GameState;
use crate::unfinished::{CheckpointFile, Unfinished};
use certificate::Writer;
use engine::{
    Certified, LongRunError, Playable, Prover, Resources, Solver, Task, certificate_header,
    solve_on,
};
use game::Outcome;
use search::Limits;
use search::clock::Instant;
use search::proof::{SolveProgress, SolveReport, Spent};
use std::time::Duration;

/// What a page wants to know of a position.
pub struct Asked {
    /// One of the solvers; the default one where none is named.
    pub solver: Option<String>,
    /// Whether to write a certificate.
    pub certificate: bool,
    /// Where searches are kept that are not finished.
    pub unfinished: Option<Unfinished>,
    /// The threads of a solver that can use several.
    pub threads: usize,
}

impl Asked {
    /// What a solver may use.
    fn resources<G: Playable>(&self, solver: &Solver<G>) -> Resources {
        Resources {
            memory: memory::SOLVER,
            threads: if solver.has_threads { self.threads } else { 1 },
        }
    }
}

/// Tells the value of a position, and how far the solver is on the way.
pub fn solve<G: Playable>(
    request: &mut Request,
    state: &GameState,
    position: &G,
    dialect: G::Dialect,
    asked: &Asked,
) {
    let id = request.id;
    let default = G::solvers().first().map(|solver| solver.name);
    let name = asked.solver.as_deref().or(default);
    let solved = if name == default && G::PROVES {
        by_default(request, state, position, dialect, asked)
    } else {
        by_name(request, position, dialect, asked)
    };
    if request.is_stopped() {
        return;
    }
    match solved {
        Ok(solved) => {
            request.tell(&Tell::Solved { id, solved });
            request.finish();
        }
        Err(message) => request.refuse(message),
    }
}

/// The default solver, whose table also gives the line of play and the certificate. It goes on where an
/// earlier search of the position was ended.
fn by_default<G: Playable>(
    request: &mut Request,
    state: &GameState,
    position: &G,
    dialect: G::Dialect,
    asked: &Asked,
) -> Result<SolvedView, String> {
    let solver = G::solver(None).map_err(|why| why.to_string())?;
    let prover = position.prover(asked.resources(&solver));
    let mut prover = prover.map_err(|why| why.to_string())?;
    let unfinished = asked.unfinished.as_ref();
    let checkpoint = unfinished.and_then(|all| all.of(position));
    let mut spent = Spent::default();
    if let Some(checkpoint) = &checkpoint {
        spent = checkpoint.load(&mut *prover);
    }
    let earlier = spent.nodes;
    let limits = request.limits();
    let mut tell_all = |now: &SolveProgress| {
        tell(request, searching(now, earlier, left::<G>(now)));
        request.asker.pass();
    };
    let mut saved = |saved: Result<(), LongRunError>| {
        if let Err(why) = saved {
            tracing::error!("a search goes on without a file: {why}");
        }
    };
    let report = solve_on(
        position,
        &mut *prover,
        &limits,
        checkpoint.as_ref().map(CheckpointFile::checkpoints),
        &mut spent,
        &mut tell_all,
        &mut saved,
    );
    if let (Some(_), Some(checkpoint)) = (report.outcome, checkpoint) {
        checkpoint.finished();
    }
    let line = line(position, &mut *prover, &report, &limits);
    let mut solved = view(&report);
    solved.best = report.best.map(|best| position.write_move(best, dialect));
    solved.line = written(position, dialect, &line);
    if let (Some(outcome), true) = (report.outcome, asked.certificate) {
        let mut each = || {
            tell(request, writing(&report, earlier));
            request.asker.pass()
        };
        match certify(state, position, &mut *prover, outcome, &limits, &mut each) {
            Ok(bytes) => solved.certificate = Some(request.asker.keep(bytes)),
            Err(why) => solved.problem = Some(why),
        }
    }
    Ok(solved)
}

/// Any other solver.
fn by_name<G: Playable>(
    request: &mut Request,
    position: &G,
    dialect: G::Dialect,
    asked: &Asked,
) -> Result<SolvedView, String> {
    let solver = G::solver(asked.solver.as_deref()).map_err(|why| why.to_string())?;
    let task = Task {
        position,
        resources: asked.resources(&solver),
        settings: &[],
        limits: &request.limits(),
    };
    let report = solver.solve(&task, &mut |progress| {
        tell(request, searching(progress, 0, None));
        request.asker.pass();
    });
    let report = report.map_err(|why| why.to_string())?;
    let mut solved = view(&report);
    solved.best = report.best.map(|best| position.write_move(best, dialect));
    solved.line.extend(solved.best.clone());
    Ok(solved)
}

/// The time that the default solver may still take.
fn left<G: Playable>(progress: &SolveProgress) -> Option<TimeLeft> {
    let [low, likely, high] = G::nodes_left(progress)?.seconds(progress);
    Some(TimeLeft { low, likely, high })
}

/// How far a search is.
fn searching(progress: &SolveProgress, earlier: u64, left: Option<TimeLeft>) -> SolvingView {
    SolvingView {
        attacker: progress.attacker.map(|side| side.to_string()),
        proof: progress.proof,
        disproof: progress.disproof,
        nodes: progress.nodes,
        earlier,
        entries: progress.entries,
        seconds: progress.elapsed.as_secs_f64(),
        left,
        writing: false,
    }
}

/// The value is found, and its certificate is being written.
fn writing<M>(report: &SolveReport<M>, earlier: u64) -> SolvingView {
    let at_the_end = SolveProgress {
        nodes: report.nodes,
        entries: report.entries,
        elapsed: report.elapsed,
        ..SolveProgress::default()
    };
    SolvingView {
        writing: true,
        ..searching(&at_the_end, earlier, None)
    }
}

fn tell(request: &Request<'_>, progress: SolvingView) {
    if request.asker.is_busy() {
        return;
    }
    let id = request.id;
    request.tell(&Tell::Solving { id, progress });
}

fn view<M>(report: &SolveReport<M>) -> SolvedView {
    SolvedView {
        outcome: report.outcome.map(|outcome| outcome.to_string()),
        best: None,
        line: Vec::new(),
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
        stop: report.stop.to_string(),
        certificate: None,
        problem: None,
    }
}

/// The longest line that is told, in plies, and the longest time that looking for it takes.
const LINE: usize = 20;
const LINE_TIME: Duration = Duration::from_secs(1);

/// A line of play in which each side plays what the solver gives.
fn line<G: Playable>(
    position: &G,
    prover: &mut dyn Prover<G>,
    report: &SolveReport<G::Move>,
    limits: &Limits,
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
            ..limits.clone()
        };
        best = prover.value(&on_the_way, &limits, &mut |_| {}).best;
    }
    line
}

/// The certificate of a value. `each` is called now and then, and says whether somebody waits for it.
fn certify<G: Playable>(
    state: &GameState,
    position: &G,
    prover: &mut dyn Prover<G>,
    outcome: Outcome,
    limits: &Limits,
    each: &mut dyn FnMut() -> bool,
) -> Result<Vec<u8>, String> {
    let (moves, _) = state.played::<G>().map_err(|problem| problem.message)?;
    let start = state.start::<G>().map_err(|problem| problem.message)?;
    let moves = written(&start, G::Dialect::default(), &moves);
    let header = certificate_header(position, &state.board.options(), moves, outcome)
        .map_err(|why| why.to_string())?;
    let mut bytes = Bounded::default();
    let mut now_and_then = NowAndThen::begin();
    let mut goes_on = || !now_and_then.is_now() || each();
    let value = Certified {
        writer: &Writer::default(),
        header: &header,
        position,
    };
    match prover.certify(&value, &mut bytes, None, limits, &mut goes_on) {
        Ok(_) => Ok(bytes.0),
        Err(why) => Err(format!("no certificate: {}", innermost(&why))),
    }
}

fn innermost(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), innermost)
}
