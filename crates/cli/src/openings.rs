//! `papamu solve --all-openings`: the value of every opening, with checked certificates.

use crate::args::PositionArgs;
use crate::crews::{Crews, Helped};
use crate::proving::{ProofArgs, Resources};
use crate::solve_with_proofs;
use crate::solved::{Solved, exit_code};
use crate::turns::solve_each;
use crate::{certify, output};
use anyhow::{Context, Result, anyhow};
use certificate::{Checker, Claim, Promise, Verdict};
use engine::{Playable, Prover};
use game::Outcome;
use search::{Limits, StopReason};
use serde::Serialize;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// What may be spent on all openings.
pub struct Budget {
    /// MiB for the tables of all threads.
    pub memory: u64,
    /// Openings that are solved at once.
    pub threads: u32,
    /// The limits of each opening.
    pub limits: Limits,
}

/// What is said of an opening.
#[derive(Serialize)]
struct Opening {
    #[serde(flatten)]
    solved: Solved,
    /// The certificate, if one was asked for and could be written.
    certificate: Option<Checked>,
}

/// What the checker says of a certificate.
#[derive(Serialize)]
struct Checked {
    valid: bool,
    positions: u64,
    bytes: u64,
    /// The time that checking took.
    check_seconds: f64,
}

/// Solves the openings, those near the centre first, since they take longest.
pub fn solve<G: Playable>(
    args: &PositionArgs,
    proof: &ProofArgs,
    budget: &Budget,
    json: bool,
) -> Result<ExitCode> {
    let started = Instant::now();
    let start: G = args.position()?;
    if proof.certificate.is_some() {
        // Before anything is solved.
        certify::header(args, &start, Outcome::Draw)?;
    }
    let written = |mv| start.write_move(mv, G::Dialect::default());
    let openings: Vec<String> = start.distinct_moves().into_iter().map(written).collect();
    for folder in [&proof.certificate, &proof.resume].into_iter().flatten() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let all: Mutex<Vec<Result<Solved>>> = Mutex::default();
    solve_each(openings.len(), budget.threads, |number, crews| {
        let opening = &openings[number];
        let resources = Resources {
            memory: (budget.memory / u64::from(budget.threads)).max(1),
            threads: 1,
        };
        let one = solve_one::<G>(args, proof, opening, resources, &budget.limits, crews);
        let told = one.and_then(|one| {
            one.tell(json)?;
            Ok(one.solved)
        });
        if let Ok(mut all) = all.lock() {
            all.push(told.with_context(|| format!("opening {opening}")));
        }
        !budget.limits.stop.is_raised()
    });
    let all = all.into_inner().map_err(|_| anyhow!("a thread failed"))?;
    let mut solved = Vec::new();
    let mut failed = None;
    for one in all {
        match one {
            Ok(one) => solved.push(one),
            Err(why) => failed = failed.or(Some(why)),
        }
    }
    let good = solved
        .iter()
        .filter(|one| one.is_solved() && one.problem.is_none());
    let good = good.count();
    if !json {
        let (of, seconds) = (openings.len(), started.elapsed().as_secs_f64());
        output::text(&format!(
            "\n{good} of {of} openings solved in {seconds:.1} s\n"
        ))?;
    }
    let is_complete = solved.len() == openings.len();
    failed.map_or_else(|| Ok(exit_code(&solved, is_complete)), Err)
}

fn solve_one<G: Playable>(
    args: &PositionArgs,
    proof: &ProofArgs,
    opening: &str,
    resources: Resources,
    limits: &Limits,
    crews: &Crews,
) -> Result<Opening> {
    let args = PositionArgs {
        moves: opening.to_owned(),
        dialect: crate::args::DialectArg::default(),
        ..args.clone()
    };
    let inside = |folder: &Option<PathBuf>, suffix: &str| {
        let folder = folder.as_deref()?;
        Some(folder.join(format!("{opening}{suffix}")))
    };
    let certificate = inside(&proof.certificate, ".cert");
    if let Some(file) = &certificate
        && let Some(before) = solved_before::<G>(file, &args, resources)
    {
        return Ok(before);
    }
    let proof = ProofArgs {
        certificate: certificate.clone(),
        all_openings: false,
        resume: inside(&proof.resume, ".checkpoint"),
        export: None,
        guide: None,
        ..proof.clone()
    };
    let mut helped = Helped::new(crews);
    let begin = |prover: &dyn Prover<G>| helped.begin(prover.crew());
    let mut solved = solve_with_proofs::solve::<G>(&args, &proof, resources, limits, true, begin)?;
    // Told as the checker found it.
    solved.certificate = None;
    let mut checked = None;
    if let (Some(file), true, None) = (&certificate, solved.is_solved(), &solved.problem) {
        match check(file, resources, helped.threads()) {
            Ok((found, verdict)) => {
                if verdict.is_none() {
                    solved.problem = Some(format!("{} is not valid", file.display()));
                }
                checked = Some(found);
            }
            Err(why) => solved.problem = Some(format!("cannot check {}: {why}", file.display())),
        }
    }
    Ok(Opening {
        solved,
        certificate: checked,
    })
}

/// An opening whose certificate is there and valid, from an earlier run that asked the same.
fn solved_before<G: Playable>(
    file: &Path,
    args: &PositionArgs,
    resources: Resources,
) -> Option<Opening> {
    let (checked, verdict) = check(file, resources, 1).ok()?;
    let header = verdict?.header;
    let outcome = match header.claim {
        Claim::Promise(Promise::Wins(side)) => Outcome::Win(side),
        Claim::Promise(Promise::Holds(_)) => return None,
        Claim::Draw => Outcome::Draw,
    };
    let position: G = args.position().ok()?;
    let same = certify::header(args, &position, outcome).ok()? == header;
    same.then(|| Opening {
        solved: Solved {
            moves: args.moves.clone(),
            outcome: Some(outcome),
            best: None,
            nodes: 0,
            seconds: 0.0,
            solver: "papamu",
            stop: StopReason::Proven,
            certificate: None,
            problem: None,
        },
        certificate: Some(checked),
    })
}

/// Checks a certificate.
fn check(
    file: &Path,
    resources: Resources,
    threads: usize,
) -> std::io::Result<(Checked, Option<Verdict>)> {
    let started = Instant::now();
    let bytes = fs::metadata(file)?.len();
    let checker = Checker {
        space: certify::space(file, resources),
        threads,
        ..Checker::default()
    };
    let verdict = registry::verify_as(&mut File::open(file)?, &checker, &mut |_| true).ok();
    let checked = Checked {
        valid: verdict.is_some(),
        positions: verdict.as_ref().map_or(0, |verdict| verdict.positions),
        bytes,
        check_seconds: started.elapsed().as_secs_f64(),
    };
    Ok((checked, verdict))
}

impl Opening {
    fn tell(&self, json: bool) -> Result<()> {
        if json {
            return output::json_line(self);
        }
        let mut text = format!("{}: {}", self.solved.moves, self.solved.in_words());
        if let Some(checked) = &self.certificate {
            let valid = if checked.valid { "valid" } else { "NOT VALID" };
            text += &format!(
                "  certificate {valid}: {} positions, {} bytes, checked in {:.1} s\n",
                checked.positions, checked.bytes, checked.check_seconds
            );
        }
        if let Some(problem) = &self.solved.problem {
            text += &format!("  {problem}\n");
        }
        output::text(&text)
    }
}
