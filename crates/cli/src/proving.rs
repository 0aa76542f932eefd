//! A position in work by the solver `papamu`, with what is kept of the work: checkpoints and a certificate.

use crate::args::{PositionArgs, seconds};
use crate::progress::Lines;
use crate::solved::Solved;
use crate::{certify, long_run, output, progress};
use anyhow::Result;
use engine::{Checkpoints, Playable, Prover};
use indicatif::ProgressBar;
use search::Limits;
use search::proof::Spent;
use std::path::PathBuf;
use std::time::Duration;

/// What a position may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// MiB.
    pub memory: u64,
    /// Threads.
    pub threads: u32,
}

impl Resources {
    /// What the solver may use where a certificate that is asked for takes its share.
    pub fn of_solver(self, proof: &ProofArgs) -> engine::Resources {
        let mut all = engine::Resources::from(self);
        if proof.certificate.is_some() {
            all.memory -= certify::share(self);
        }
        all
    }
}

/// What to keep of the work.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Proofs and long runs (papamu)")]
pub struct ProofArgs {
    /// Write a certificate that `papamu verify` can check; with --all-openings, a folder of them. After an
    /// interruption, writing resumes from FILE.partial
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Leave out of the certificate what the checker finds by itself among N positions, at most 10000: it becomes shorter, and
    /// takes longer to write and to check
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, requires = "certificate",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(certificate::MOST_SEARCHED)))]
    pub certificate_omit: u32,
    /// Do not repeat what the certificates in this folder prove: the certificate refers to them by their SHA-256, and is
    /// valid together with them
    #[arg(
        long,
        value_name = "FOLDER",
        requires = "certificate",
        conflicts_with = "all_openings"
    )]
    pub certificate_pieces: Option<PathBuf>,
    /// Solve one of each class of symmetric openings, and check the certificates that are written
    #[arg(long, conflicts_with_all = ["moves", "export", "guide"])]
    pub all_openings: bool,
    /// Start from the checkpoint in this file, if there is one, and write checkpoints to it regularly and at Ctrl-C or
    /// SIGTERM; with --all-openings, a folder of them
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Seconds between two checkpoints; more where writing them would take over 2 % of the time
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds, requires = "resume")]
    pub checkpoint_every: Duration,
    /// Write the searched tree in SGF at the end, with nodes and outcomes in comments
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// With --export: only positions on which at least this many nodes were spent, and the proven positions above them
    #[arg(
        long,
        value_name = "NODES",
        default_value_t = 10_000,
        requires = "export"
    )]
    pub export_work: u64,
    /// Solve the positions of an SGF or HGF tree first, deepest first, and compare the results with the outcomes in its
    /// comments
    #[arg(long, value_name = "FILE")]
    pub guide: Option<PathBuf>,
}

impl ProofArgs {
    /// An option that asks for any of it.
    pub fn asked(&self) -> Option<&'static str> {
        [
            ("--certificate", self.certificate.is_some()),
            ("--all-openings", self.all_openings),
            ("--resume", self.resume.is_some()),
            ("--export", self.export.is_some()),
            ("--guide", self.guide.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// The checkpoints that are asked for.
    pub fn checkpoints(&self) -> Option<Checkpoints<'_>> {
        self.resume.as_deref().map(|file| Checkpoints {
            file,
            every: self.checkpoint_every,
        })
    }
}

/// A position in work, by a solver that knows nothing of others.
pub struct Proving<'a, G: Playable> {
    pub position: G,
    pub prover: Box<dyn Prover<G>>,
    pub spent: Spent,
    /// The bytes of what the solver knew at the end of the last search.
    pub bytes: usize,
    args: &'a PositionArgs,
    dialect: G::Dialect,
    proof: &'a ProofArgs,
    resources: Resources,
    json: bool,
    bar: ProgressBar,
}

impl<'a, G: Playable> Proving<'a, G> {
    /// Begins with a position, or goes on where a checkpoint was written.
    pub fn begin(
        position: G,
        args: &'a PositionArgs,
        proof: &'a ProofArgs,
        resources: Resources,
        json: bool,
    ) -> Result<Self> {
        let dialect = args.dialect.of_game::<G>()?;
        if let Some(file) = &proof.certificate {
            certify::prepare(file, args, &position, proof)?;
        }
        let begin = |resources| {
            let mut prover = position.prover(resources)?;
            let spent = match &proof.resume {
                Some(file) => long_run::resume(&mut *prover, &position, file)?,
                None => Spent::default(),
            };
            anyhow::Ok((prover, spent))
        };
        let (prover, spent) = match begin(resources.of_solver(proof)) {
            // A checkpoint may have been made without a certificate in mind: it has to fit.
            Err(_) if proof.certificate.is_some() => begin(resources.into())?,
            begun => begun?,
        };
        Ok(Proving {
            position,
            prover,
            bar: bar(args, spent),
            spent,
            bytes: 0,
            args,
            dialect,
            proof,
            resources,
            json,
        })
    }

    /// Where to say what is being done.
    pub fn say(&self) -> impl Fn(String) + use<G> {
        let bar = self.bar.clone();
        move |text| bar.set_message(text)
    }

    /// Writes for people, who do not read it where JSON is written.
    pub fn tell(&self, text: &str) -> Result<()> {
        if self.json {
            Ok(())
        } else {
            output::text(text)
        }
    }

    /// Solves the position, and writes its certificate if one is asked for. Where that fails, the value is there
    /// all the same. A search that the limits ended goes on when it is called again.
    pub fn solve(&mut self, limits: &Limits) -> Result<Solved> {
        if self.bar.is_finished() {
            self.bar = bar(self.args, self.spent);
        }
        let say = self.say();
        let (report, unsaved) = long_run::solve(
            &mut *self.prover,
            &self.position,
            limits,
            self.proof.checkpoints(),
            &mut self.spent,
            Lines::start().with_prefix(prefix(self.args)),
            &say,
        );
        self.bar.finish_and_clear();
        self.bytes = report.bytes;
        let mut certificate = None;
        let mut problem = unsaved;
        if let (Some(file), Some(outcome)) = (&self.proof.certificate, report.outcome) {
            let position = &self.position;
            let prover = &mut *self.prover;
            let space = certify::space(file, self.resources);
            match certify::write(
                file, self.args, prover, position, outcome, self.proof, space,
            ) {
                Ok(written) => {
                    self.tell(&written.in_words())?;
                    certificate = Some(written);
                }
                Err(why) => problem = Some(why),
            }
        }
        let best = report
            .best
            .map(|best| self.position.write_move(best, self.dialect));
        Ok(Solved {
            moves: self.args.moves.clone(),
            outcome: report.outcome,
            best,
            nodes: self.spent.nodes,
            seconds: self.spent.elapsed.as_secs_f64(),
            solver: "papamu",
            stop: report.stop,
            certificate,
            problem: problem.map(|why| format!("{why:#}")),
        })
    }
}

/// A line on what is being done for a position, on which so much was spent before.
fn bar(args: &PositionArgs, spent: Spent) -> ProgressBar {
    let bar = progress::spinner().with_elapsed(spent.elapsed);
    bar.with_prefix(prefix(args))
}

/// What lines about a position begin with, since there may be others in progress.
fn prefix(args: &PositionArgs) -> String {
    if args.moves.is_empty() {
        String::new()
    } else {
        format!("{}: ", args.moves)
    }
}

impl From<Resources> for engine::Resources {
    fn from(resources: Resources) -> engine::Resources {
        engine::Resources {
            memory: (resources.memory << 20) as usize,
            threads: resources.threads as usize,
        }
    }
}
