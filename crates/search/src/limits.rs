use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// When a search ends, should it not end by itself first, and how often it tells of its progress.
///
/// The default sets no limit: the search ends when the value of the position is proven, its memory is
/// full, or the flag is raised.
///
/// ```
/// use search::Limits;
/// use std::time::Duration;
///
/// let limits = Limits {
///     time: Some(Duration::from_millis(500)),
///     simulations: Some(10_000),
///     ..Limits::default()
/// };
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The longest that the search may take, from the call to the answer. Kept within about a
    /// millisecond and the length of one simulation.
    pub time: Option<Duration>,
    /// The number of simulations of this search, those kept from an earlier one not counted. Only Monte
    /// Carlo searches count simulations.
    pub simulations: Option<u64>,
    /// The number of nodes of this search, as [`Progress::nodes`](crate::Progress::nodes) counts them. The
    /// search stops at the first moment when it has that many, which can be a few more.
    pub nodes: Option<u64>,
    /// The depth in plies, at least 1, that an iterative deepening search finishes. A Monte Carlo search
    /// has no depth to finish and ignores it.
    pub depth: Option<u32>,
    /// How often to tell of the progress.
    pub progress: Every,
    /// Stops the search when raised, from any thread.
    pub stop: StopFlag,
}

/// How often a search tells of its progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Every {
    /// Not at all.
    #[default]
    Never,
    /// When this much time has passed since the last time.
    Time(Duration),
    /// After each N simulations (Monte Carlo) or nodes (other searches): at the same moments in every run.
    /// 0 counts as 1.
    Work(u64),
}

/// A flag that many may hold: whoever raises it stops the searches that watch it. Clones are the same
/// flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        StopFlag::default()
    }

    /// Stops the searches that watch this flag, now and later, until it is lowered.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets searches run again.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Where the flag is as long as there is a clone of it: whoever shares the memory but runs nothing of this program raises
    /// it by writing 1 there.
    pub fn address(&self) -> *const AtomicBool {
        Arc::as_ptr(&self.0)
    }

    /// Whether the flag is raised.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
