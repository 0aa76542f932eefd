/// The parameters of a principal-variation search. How deep and how long it goes are limits, not
/// parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// The most memory for the transposition table and what each thread remembers, in bytes. Default 32 MiB.
    pub memory: usize,
    /// How many threads search, at least 1. They share the table and nothing else. With one thread a
    /// search is the same on every machine. Default 1.
    pub threads: usize,
    /// How far from the value of the iteration before the first window of an iteration reaches on both
    /// sides, in units of the evaluation, at least 1. Default 30.
    pub aspiration: i32,
    /// Whether moves late in the order are searched less deeply at first, and positions near the horizon
    /// not at all that look far better or worse than matters. Default true.
    pub reductions: bool,
    /// Whether, after each iteration, some of the effort goes into a search to the end of the game that
    /// asks only who wins; see [`Domain::plies_left`](super::Domain::plies_left). Default true.
    pub finish: bool,
    /// Whether every move of the root gets a value of its own, for people who compare them. Otherwise only the
    /// best one has, and those of the others are upper bounds; that is several times as fast. Default false.
    pub every_move: bool,
    /// How much better than 0 an evaluation is that is worth an expected score of `e / (1 + e)`, about
    /// 0.73, in units of the evaluation, above 0. It has no influence on the search, only on the scores
    /// of the report. Default 100.
    pub scale: f64,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            memory: 32 << 20,
            threads: 1,
            aspiration: 30,
            reductions: true,
            finish: true,
            every_move: false,
            scale: 100.0,
        }
    }
}
