/// The parameters of an alpha-beta search. How deep it goes is a limit, not a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// The evaluation that is worth an expected score of `e / (1 + e)`, about 0.73, in units of the
    /// evaluation function, above 0. The larger, the less an evaluation says. It has no influence on the
    /// search, only on the scores of the report. Default 100.
    pub scale: f64,
}

impl Default for Params {
    fn default() -> Self {
        Params { scale: 100.0 }
    }
}
