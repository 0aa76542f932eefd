//! The way through a proof from the fewest moves to the most, each position once: what the checker of the
//! present format, its writer and the explorer share.

use crate::model::Said;
use crate::sorted::{Room, Sorted};
use crate::{Candidate, Judgement, Promise, Provable, omitted};
use std::collections::BTreeMap;
use std::io;

/// The most positions that are coded together.
pub(crate) const BLOCK: usize = 1 << 14;

/// What a proof says, block by block.
pub(crate) trait Script<G: Provable> {
    /// What it says of one block.
    type Lines: Lines<G> + Send;

    /// Begins a block of these positions, which have the same progress.
    fn begin(&mut self, keys: &[G::Key], progress: u32) -> Result<Self::Lines, Stop>;

    /// Ends a block. They end in the order in which they began; the first of a progress ends before the others begin.
    fn end(&mut self, block: Block<G, Self::Lines>, is_first: bool) -> Result<(), Stop>;
}

/// What is said of the positions of a block, in their order.
pub(crate) trait Lines<G: Provable> {
    /// What is said of the next one that is open and has these candidates.
    fn next(
        &mut self,
        position: &G,
        candidates: Vec<Candidate<G>>,
    ) -> Result<Said<G::Move>, &'static str>;

    /// Whether what is left out has to be found.
    const SEARCHES: bool = true;

    /// Whether the positions that were come to are wanted.
    const COLLECTS: bool = false;
}

/// A block that is done.
pub(crate) struct Block<G: Provable, L> {
    pub lines: L,
    pub positions: usize,
    /// Positions that other certificates have to prove.
    pub owed: Vec<Owed<G>>,
    /// The positions that were come to, if they are wanted.
    pub met: Vec<Met<G>>,
    /// The positions that follow, with their progress.
    next: Vec<(u32, G::Key)>,
    passed: Passed,
}

/// A position that another certificate has to prove.
pub(crate) struct Owed<G> {
    pub piece: usize,
    pub position: G,
}

/// A position that was come to.
pub(crate) struct Met<G: Provable> {
    pub key: G::Key,
    /// What the side of the promise plays, if the rules do not settle the rest.
    pub mv: Option<G::Move>,
    /// Whether it is left out what it plays.
    pub is_left_out: bool,
    /// The positions that may follow, in which it moves again.
    pub next: Vec<G::Key>,
    /// The plies after which the rules settle a line.
    pub settled: u32,
}

/// Why a way ended.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something is not shown of a position.
    Hole {
        position: String,
        reason: &'static str,
    },
    /// What is said is damaged.
    Damaged(&'static str),
    Error(io::Error),
    Stopped,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Error(error)
    }
}

/// How to go.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub promise: Promise,
    /// The positions that are searched for one that is left out.
    pub searched: u32,
    pub threads: usize,
    pub room: Room,
}

/// What was come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// The positions for which a move is given.
    pub named: u64,
    /// Those that the checker finds by itself.
    pub omitted: u64,
    /// Those that other certificates prove.
    pub pieces: u64,
}

impl std::ops::AddAssign for Passed {
    fn add_assign(&mut self, other: Passed) {
        self.named += other.named;
        self.omitted += other.omitted;
        self.pieces += other.pieces;
    }
}

/// Goes through the proof of a promise. `goes_on` is asked for each position; with several threads, for each of their
/// rounds.
pub(crate) fn pass<G: Provable, S: Script<G>>(
    start: &G,
    way: &Way,
    script: &mut S,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Passed, Stop> {
    let mut ahead: Ahead<'_, G> = Ahead {
        room: &way.room,
        positions: BTreeMap::new(),
    };
    let mut passed = Passed::default();
    if start.to_move() == way.promise.side() && start.outcome().is_none() {
        ahead.add(vec![(start.progress(), start.key())])?;
    } else {
        let mut visits = Visits::<G>::new(way, goes_on);
        let come = visits.come(start, 0);
        come.map_err(|failed| failed.at(start))?;
        ahead.add(visits.next)?;
    }
    while let Some((progress, positions)) = ahead.positions.pop_first() {
        let mut keys = positions.merged()?;
        let mut is_first = true;
        loop {
            let mut jobs = Vec::new();
            for _ in 0..way.threads.max(1) {
                let keys: Vec<G::Key> = keys.by_ref().take(BLOCK).collect::<io::Result<_>>()?;
                if keys.is_empty() {
                    break;
                }
                let lines = script.begin(&keys, progress)?;
                jobs.push((keys, lines));
                if is_first {
                    break;
                }
            }
            if jobs.is_empty() {
                break;
            }
            for block in work(start, way, progress, jobs, goes_on) {
                let mut block = block?;
                ahead.add(std::mem::take(&mut block.next))?;
                passed += block.passed;
                script.end(block, is_first)?;
                is_first = false;
            }
        }
    }
    Ok(passed)
}

/// The positions to come to, by progress.
struct Ahead<'a, G: Provable> {
    room: &'a Room,
    positions: BTreeMap<u32, Sorted<G::Key>>,
}

impl<G: Provable> Ahead<'_, G> {
    fn add(&mut self, next: Vec<(u32, G::Key)>) -> io::Result<()> {
        for (progress, key) in next {
            let ahead = self.positions.entry(progress);
            ahead.or_insert_with(|| Sorted::new(self.room)).add(key)?;
        }
        Ok(())
    }
}

/// Does blocks, each in a thread of its own where there are several.
fn work<G: Provable, L: Lines<G> + Send>(
    start: &G,
    way: &Way,
    progress: u32,
    mut jobs: Vec<(Vec<G::Key>, L)>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<Result<Block<G, L>, Stop>> {
    if jobs.len() == 1 {
        let one = jobs.pop().into_iter();
        let one = one.map(|(keys, lines)| done(start, way, progress, keys, lines, goes_on));
        return one.collect();
    }
    if !goes_on() {
        return vec![Err(Stop::Stopped)];
    }
    std::thread::scope(|scope| {
        let begin = |(keys, lines)| {
            scope.spawn(move || done(start, way, progress, keys, lines, &mut || true))
        };
        let threads: Vec<_> = jobs.into_iter().map(begin).collect();
        let joined = threads.into_iter().map(|thread| match thread.join() {
            Ok(block) => block,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    })
}

/// Does one block.
fn done<G: Provable, L: Lines<G>>(
    start: &G,
    way: &Way,
    progress: u32,
    keys: Vec<G::Key>,
    mut lines: L,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Block<G, L>, Stop> {
    let positions = keys.len();
    let mut visits = Visits::new(way, goes_on);
    let mut met = Vec::new();
    let mut orderly = 1 << 16;
    for key in keys {
        let position = start.of_key(&key);
        let begun = visits.next.len();
        let left_out = visits.passed.omitted + visits.passed.pieces;
        visits.settled = 0;
        let mv = visits.decide(&position, &mut lines);
        let mv = mv.map_err(|failed| failed.at(&position))?;
        // Otherwise the way might not end.
        let is_behind = |&(next, _): &(u32, G::Key)| next <= progress;
        if visits.next[begun..].iter().any(is_behind) {
            return Err(Failed::Hole("a move leads back").at(&position));
        }
        if L::COLLECTS {
            let next = visits.next[begun..].iter().map(|(_, key)| key.clone());
            met.push(Met {
                key,
                mv,
                is_left_out: left_out < visits.passed.omitted + visits.passed.pieces,
                next: next.collect(),
                settled: visits.settled,
            });
        }
        if visits.next.len() > orderly {
            visits.order();
            orderly = 2 * visits.next.len().max(1 << 15);
        }
    }
    visits.order();
    Ok(Block {
        lines,
        positions,
        owed: visits.owed,
        met,
        next: visits.next,
        passed: visits.passed,
    })
}

/// Why something is not shown.
enum Failed {
    Hole(&'static str),
    Stopped,
}

impl Failed {
    fn at<G: Provable>(self, position: &G) -> Stop {
        match self {
            Failed::Hole(reason) => Stop::Hole {
                position: position.described(),
                reason,
            },
            Failed::Stopped => Stop::Stopped,
        }
    }
}

/// Positions, each with what follows until the side of the promise moves again.
struct Visits<'a, G: Provable> {
    way: &'a Way,
    goes_on: &'a mut dyn FnMut() -> bool,
    next: Vec<(u32, G::Key)>,
    owed: Vec<Owed<G>>,
    settled: u32,
    passed: Passed,
}

impl<'a, G: Provable> Visits<'a, G> {
    fn new(way: &'a Way, goes_on: &'a mut dyn FnMut() -> bool) -> Self {
        Visits {
            way,
            goes_on,
            next: Vec::new(),
            owed: Vec::new(),
            settled: 0,
            passed: Passed::default(),
        }
    }

    fn order(&mut self) {
        self.next.sort_unstable();
        self.next.dedup();
    }

    /// A position in which the side of the promise moves: what it plays, unless the rest is settled.
    fn decide<L: Lines<G>>(
        &mut self,
        position: &G,
        lines: &mut L,
    ) -> Result<Option<G::Move>, Failed> {
        if !(self.goes_on)() {
            return Err(Failed::Stopped);
        }
        let (judgement, candidates) = position.judge_and_list(self.way.promise);
        let mv = match judgement {
            Judgement::Kept => return Ok(None),
            Judgement::Broken(reason) => return Err(Failed::Hole(reason)),
            Judgement::Answer(_) => return Err(Failed::Hole("the other side moves")),
            Judgement::Forced(mv) => mv,
            Judgement::Open => match lines.next(position, candidates).map_err(Failed::Hole)? {
                Said::Play(mv) => {
                    self.passed.named += 1;
                    mv
                }
                Said::Omitted => {
                    self.passed.omitted += 1;
                    return self.search(position, L::SEARCHES).map(|()| None);
                }
                Said::Piece(piece) => {
                    self.passed.pieces += 1;
                    let position = position.clone();
                    self.owed.push(Owed { piece, position });
                    return Ok(None);
                }
            },
        };
        let mut after = position.clone();
        after
            .try_play(mv)
            .map_err(|_| Failed::Hole("the move is not legal"))?;
        self.come(&after, 1)?;
        Ok(Some(mv))
    }

    fn search(&mut self, position: &G, searches: bool) -> Result<(), Failed> {
        let (way, mut is_stopped) = (self.way, false);
        let mut goes_on = || {
            is_stopped |= !(self.goes_on)();
            !is_stopped
        };
        let found =
            !searches || omitted::is_found(position, way.promise, way.searched, &mut goes_on);
        match (found, is_stopped) {
            (true, _) => Ok(()),
            (false, true) => Err(Failed::Stopped),
            (false, false) => Err(Failed::Hole("what is left out is not found")),
        }
    }

    /// A position so many plies behind one in which the side of the promise moved.
    fn come(&mut self, position: &G, plies: u32) -> Result<(), Failed> {
        if let Some(outcome) = position.outcome() {
            if !self.way.promise.is_kept_by(outcome) {
                return Err(Failed::Hole("the game ends otherwise"));
            }
            self.settled = self.settled.max(plies);
            return Ok(());
        }
        if position.to_move() == self.way.promise.side() {
            self.next.push((position.progress(), position.key()));
            return Ok(());
        }
        if !(self.goes_on)() {
            return Err(Failed::Stopped);
        }
        match position.judge(self.way.promise) {
            Judgement::Kept => self.settled = self.settled.max(plies),
            Judgement::Broken(reason) => return Err(Failed::Hole(reason)),
            Judgement::Forced(_) | Judgement::Open => {
                return Err(Failed::Hole("the other side does not move"));
            }
            Judgement::Answer(moves) => {
                let mut after = position.clone();
                for mv in moves {
                    after.clone_from(position);
                    after
                        .try_play(mv)
                        .map_err(|_| Failed::Hole("the move is not legal"))?;
                    self.come(&after, plies + 1)?;
                }
            }
        }
        Ok(())
    }
}
