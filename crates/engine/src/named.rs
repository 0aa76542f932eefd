//! Players and solvers by their names.

/// What has a name, and perhaps had others: `player = "dabs"` goes on to work in an experiment.
pub(crate) trait Named {
    /// The name.
    fn name(&self) -> &'static str;

    /// Other names that mean the same.
    fn aliases(&self) -> &'static [&'static str];
}

/// The one with a name or an alias; the first where no name is given.
///
/// # Errors
/// If there is none: the names that there are.
pub(crate) fn named<N: Named>(all: Vec<N>, name: Option<&str>) -> Result<N, String> {
    let names: Vec<&str> = all.iter().map(Named::name).collect();
    let known = names.join(", ");
    let is_meant =
        |one: &N| name.is_none_or(|name| name == one.name() || one.aliases().contains(&name));
    all.into_iter().find(is_meant).ok_or(known)
}
