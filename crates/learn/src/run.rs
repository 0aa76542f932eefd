//! The loop: self-play, training, a match, and what follows from it.
//!
//! Each step writes to files of its own until it is done, and then a line to the journal. What is done next follows from
//! the journal and these files alone, and what a step makes from the plan and the steps before: a run that was
//! interrupted makes what it would have made.

use crate::beginning::Beginning;
use crate::error::LearnError;
use crate::folder::{Folder, journal};
use crate::frames::Records;
use crate::games::{Subject, start, with_subject};
use crate::import::import;
use crate::journal::{self as steps, Generation, Journal, Line, Matched, Played, Step, Trained};
use crate::lead::{Lead, Shared};
use crate::make::Made;
use crate::matches::standing;
use crate::plan::{Plan, Start, Written};
use crate::record::{End, Record};
use crate::self_play::{Network, Players};
use crate::store;
use crate::task::Task;
use crate::train::{Positions, State, train};
use engine::weights::Origin;
use search::StopFlag;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where and how to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the run; made if it is not there.
    pub folder: PathBuf,
    /// The folder from which the paths of files in the plan start.
    pub beside: PathBuf,
    /// Games at a time, and threads of training. The result does not depend on it.
    pub threads: usize,
    /// Where other processes find games to play. The result does not depend on it.
    pub shared: Option<Shared>,
    /// Ends the run when it is raised.
    pub stop: StopFlag,
}

/// What a run is doing.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Games of self-play: a step of the generation.
    Playing {
        /// The generation, counted from 1.
        generation: u32,
        /// Games that are done.
        done: u32,
        /// All games of the generation.
        all: u32,
    },
    /// Training.
    Training {
        /// The generation.
        generation: u32,
        /// Steps that are done.
        done: u64,
        /// All steps of the generation.
        all: u64,
        /// The mean cross-entropies of moves and results so far, in nats.
        loss: [f64; 2],
    },
    /// A match.
    Matching {
        /// The generation.
        generation: u32,
        /// Pairs of games that are done.
        done: u32,
        /// The most that there can be.
        all: u32,
        /// What the pairs so far say.
        so_far: statistics::Pairs,
    },
    /// The store of shared games could not be reached; it is tried again.
    Trouble(String),
    /// A generation is finished.
    Finished(Box<Generation>),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All generations are done.
    Done,
    /// It was stopped; the same call goes on.
    Stopped,
}

/// What is known of the run in a folder.
///
/// # Errors
/// If there is no run, or its journal cannot be read.
pub fn status(folder: &Path) -> Result<Vec<Generation>, LearnError> {
    Ok(steps::generations(&steps::read(&journal(folder))?))
}

/// Runs a plan to its end, or goes on where it was. `text` is the file that the plan was read from.
///
/// # Errors
/// If the folder cannot be used, the player cannot play, or training fails.
pub fn learn(
    written: &Written,
    text: &str,
    options: &Options,
    tell: &mut dyn FnMut(Event),
) -> Result<Ended, LearnError> {
    with_subject!(written.plan.game, S => learn_game::<S>(written, text, options, tell))
}

fn learn_game<S: Subject>(
    written: &Written,
    text: &str,
    options: &Options,
    tell: &mut dyn FnMut(Event),
) -> Result<Ended, LearnError> {
    let plan = &written.plan;
    // What is wrong with the player or the first weights is told before anything is made.
    let board = plan.sizes.iter().find_map(|&size| start::<S>(size).ok());
    if let Some(board) = board {
        let players = Players::<S>::new(plan, &options.folder)?;
        for network in [Network::Absent, Network::Shipped] {
            players.build(&network, &board, 1)?;
        }
    }
    let start = Beginning::of::<S>(plan, options)?;
    let folder = Folder::open(&options.folder, written, text, start.shipped.as_deref())?;
    if let Some(file) = &start.file {
        folder.keep_weights(file)?;
    }
    let journal = Journal::open(&folder.journal())?;
    let lead = match &options.shared {
        None => None,
        Some(shared) => {
            let run = store::Run::new(&options.folder, written, text)?;
            Some(Lead::new(shared, run, options.threads, &options.stop)?)
        }
    };
    let mut run = Run::<S> {
        plan,
        options,
        folder,
        start: start.weights,
        journal,
        lead,
        subject: PhantomData,
    };
    if let Some(lead) = &run.lead {
        lead.tell(0, &run.journal.lines)?;
    }
    loop {
        let (generation, next) = run.next();
        if generation > plan.generations {
            if let Some(lead) = &run.lead {
                lead.finish()?;
            }
            return Ok(Ended::Done);
        }
        let started = Instant::now();
        let done = match next {
            Next::Play => run.self_play(generation, tell)?,
            Next::Train => run.train(generation, tell)?,
            Next::Match => run.compare(generation, tell)?,
        };
        let Some(step) = done else {
            return Ok(Ended::Stopped);
        };
        let is_last = matches!(step, Step::Matched(_));
        let line = Line {
            generation,
            seconds: started.elapsed().as_secs_f64(),
            step,
        };
        run.journal.add(&run.folder.journal(), line)?;
        if let (Some(lead), Some((last, before))) = (&run.lead, run.journal.lines.split_last()) {
            lead.tell(before.len(), std::slice::from_ref(last))?;
        }
        if is_last && let Some(row) = steps::generations(&run.journal.lines).pop() {
            tell(Event::Finished(Box::new(row)));
        }
    }
}

/// A step that is to be done.
#[derive(Clone, Copy)]
enum Next {
    Play,
    Train,
    Match,
}

pub(crate) struct Run<'a, S: Subject> {
    pub plan: &'a Plan,
    pub options: &'a Options,
    pub folder: Folder,
    /// The weights that it begins with, if they are not random.
    start: Option<Vec<f32>>,
    journal: Journal,
    pub lead: Option<Lead>,
    subject: PhantomData<S>,
}

impl<S: Subject> Run<'_, S> {
    fn next(&self) -> (u32, Next) {
        match self.journal.lines.last() {
            None => (1, Next::Play),
            Some(line) => match line.step {
                Step::Played(_) => (line.generation, Next::Train),
                Step::Trained(_) => (line.generation, Next::Match),
                Step::Matched(_) => (line.generation + 1, Next::Play),
            },
        }
    }

    /// The best network before a generation's match.
    fn best(&self) -> Network {
        let mut best = match &self.plan.start {
            Start::Nothing => Network::Absent,
            Start::Shipped => Network::Shipped,
            Start::Weights(file) => Network::Learned(file.sha256.clone()),
        };
        let mut last = None;
        for line in &self.journal.lines {
            match &line.step {
                Step::Trained(trained) => last = Some(&trained.weights),
                Step::Matched(Matched { promoted: true, .. }) => {
                    if let Some(hash) = last {
                        best = Network::Learned(hash.clone());
                    }
                }
                _ => {}
            }
        }
        best
    }

    fn self_play(
        &self,
        generation: u32,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Option<Step>, LearnError> {
        if let (1, Some(records)) = (generation, &self.plan.records) {
            import::<S>(
                self.plan,
                &self.options.beside.join(&records.folder),
                &self.folder,
            )?;
        }
        let (mut store, known) = self.folder.open_games(generation)?;
        let all = self.plan.self_play.games;
        let task = Task {
            generation,
            best: self.best(),
            new: None,
        };
        let mut done = known.len() as u32;
        tell(Event::Playing {
            generation,
            done,
            all,
        });
        let is_whole = self.make(&task, all, &known, &mut store, &mut |made| {
            match made {
                Made::Record(..) => {
                    done += 1;
                    tell(Event::Playing {
                        generation,
                        done,
                        all,
                    });
                }
                Made::Trouble(why) => tell(Event::Trouble(why)),
            }
            true
        })?;
        if !is_whole {
            return Ok(None);
        }
        let (games, bytes) = self.folder.read_games::<S>(generation)?;
        let mut played = Played {
            bytes,
            ..Played::default()
        };
        for (_, record) in &games {
            count(&mut played, record);
        }
        Ok(Some(Step::Played(played)))
    }

    /// The games of a generation that the journal counts.
    fn played(&self, generation: u32) -> u64 {
        let lines = self.journal.lines.iter();
        let mut of_generation = lines.filter(|line| line.generation == generation);
        let found = of_generation.find_map(|line| match &line.step {
            Step::Played(played) => Some(played.games),
            _ => None,
        });
        found.unwrap_or(0)
    }

    fn train(
        &self,
        generation: u32,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Option<Step>, LearnError> {
        let plan = self.plan;
        let mut games = Vec::new();
        let first = (generation + 1).saturating_sub(plan.training.window).max(1);
        for generation in first..=generation {
            let (of_generation, _) = self.folder.read_games::<S>(generation)?;
            let counted = self.played(generation);
            if of_generation.len() as u64 != counted {
                return Err(self
                    .folder
                    .lost_games(generation, of_generation.len(), counted));
            }
            let tagged = of_generation.into_iter();
            games.extend(tagged.map(|(number, record)| (generation, number, record)));
        }
        let positions = Positions::new(plan, games)?;
        if positions.len() == 0 {
            return Err(LearnError::NoPositions(generation));
        }
        let state = match self.folder.state::<S>(plan, generation)? {
            Some(state) => state,
            None if generation == 1 => State::begin::<S>(plan, self.start.clone()),
            None => self.last_state(generation - 1)?.next(),
        };
        let tell = std::cell::RefCell::new(tell);
        let state = train(
            plan,
            generation,
            &positions,
            state,
            self.options,
            &mut |state| self.folder.keep_state(generation, state),
            &|state, all| {
                (tell.borrow_mut())(Event::Training {
                    generation,
                    done: state.step,
                    all,
                    loss: [state.loss.moves(), state.loss.results()],
                });
            },
        )?;
        let Some(state) = state else {
            return Ok(None);
        };
        let origin = Origin {
            sizes: plan.sizes.clone(),
            learning: self.folder.begun.clone(),
            seed: plan.seed,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            generation,
            games: (1..=generation)
                .map(|generation| self.played(generation))
                .sum(),
        };
        let file = S::file(&origin, state.learned());
        let file = file.ok_or(LearnError::TooLarge(generation))?;
        let weights = self.folder.keep_weights(&file)?;
        self.folder.forget_state(generation.saturating_sub(2));
        Ok(Some(Step::Trained(Trained {
            weights,
            positions: positions.len() as u64,
            steps: state.step,
            learned: state.loss,
            held_out: positions.test(plan, state.learned(), self.options.threads),
        })))
    }

    fn last_state(&self, generation: u32) -> Result<State, LearnError> {
        let missing = || LearnError::Damaged {
            path: self.options.folder.join("training"),
            what: format!("the state of generation {generation} is missing"),
            remedy: "remove what the journal says of this generation and all behind it",
        };
        let state = self.folder.state::<S>(self.plan, generation)?;
        state.ok_or_else(missing)
    }

    fn compare(
        &self,
        generation: u32,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Option<Step>, LearnError> {
        let trained = self
            .journal
            .lines
            .iter()
            .rev()
            .find_map(|line| match &line.step {
                Step::Trained(trained) => Some(trained.weights.clone()),
                _ => None,
            });
        let task = Task {
            generation,
            best: self.best(),
            new: Some(Network::Learned(trained.unwrap_or_default())),
        };
        let (mut store, known) = self.folder.open_match(generation)?;
        let mut scored: Records = known.clone();
        let all = self.plan.matches.games / 2;
        let points = |scored: &Records, number| {
            scored
                .get(&number)?
                .first()
                .copied()
                .filter(|points| *points <= 4)
        };
        let mut so_far = standing(self.plan, |number| points(&scored, number));
        let event = |so_far: &crate::matches::Standing| Event::Matching {
            generation,
            done: so_far.pairs.total() as u32,
            all,
            so_far: so_far.pairs,
        };
        tell(event(&so_far));
        if so_far.promoted.is_none() {
            self.make(&task, all, &known, &mut store, &mut |made| {
                match made {
                    Made::Record(number, bytes) => {
                        scored.insert(number, bytes);
                        so_far = standing(self.plan, |number| points(&scored, number));
                        tell(event(&so_far));
                    }
                    Made::Trouble(why) => tell(Event::Trouble(why)),
                }
                so_far.promoted.is_none()
            })?;
        }
        Ok(so_far.promoted.map(|promoted| {
            Step::Matched(Matched {
                pairs: so_far.pairs,
                promoted,
            })
        }))
    }
}

/// Counts a game.
fn count<S: Subject>(played: &mut Played, record: &Record<S>) {
    let plies = usize::from(record.random)..=record.moves.len();
    let searched = record.searched[plies.clone()]
        .iter()
        .filter(|searched| **searched != S::Searched::default());
    played.games += 1;
    played.positions += plies.count() as u64 - u64::from(record.end != End::Proven);
    played.searched += searched.count() as u64;
    played.white_points += f64::from(record.points) / 2.0;
    match record.end {
        End::Rules => {}
        End::Proven => played.proven += 1,
        End::Resigned => played.resigned += 1,
        End::WouldResign => played.controls += 1,
        End::WrongToResign => {
            played.controls += 1;
            played.wrong_controls += 1;
        }
    }
}
