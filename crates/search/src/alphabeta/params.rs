/// The parameters of an alpha-beta search. How deep it goes is a limit, not a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// How much better than [`even`](Params::even) an evaluation is that is worth an expected score of
    /// `e / (1 + e)`, about 0.73, in units of the evaluation function, above 0. The larger, the less an
    /// evaluation says. It has no influence on the search, only on the scores of the report. Default 100.
    pub scale: f64,
    /// The evaluation of an even game for the side to move at the root, in the same units, and for the
    /// scores of the report alone. Default 0.
    pub even: i32,
    /// How the search comes to its depth. Default [`Deepening::EveryPly`].
    pub deepening: Deepening,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            scale: 100.0,
            even: 0,
            deepening: Deepening::EveryPly,
        }
    }
}

/// How a search comes to its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deepening {
    /// One ply deeper at a time, until a limit is reached.
    EveryPly,
    /// At once, in one iteration, if [`Limits::depth`](crate::Limits::depth) is the only limit. With a
    /// limit of time or nodes as well it deepens every ply, so that there is a good answer at any time. A
    /// search that is stopped by its flag before it is done answers to one ply.
    AtOnce,
}
