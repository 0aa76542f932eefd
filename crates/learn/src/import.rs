//! Games that others have played, as those of the first generation.

use crate::error::{LearnError, of_file};
use crate::folder::{Folder, GAMES_EXTENSION, games_of_file};
use crate::games::{Subject, start};
use crate::plan::Plan;
use crate::record::Record;
use std::fs;
use std::path::{Path, PathBuf};

/// Takes the games of the files in a folder into that of a run.
pub(crate) fn import<S: Subject>(plan: &Plan, from: &Path, to: &Folder) -> Result<(), LearnError> {
    let games = games_of_folder::<S>(plan, from)?;
    if games.is_empty() {
        return Err(LearnError::NoGames(from.to_owned()));
    }
    let (mut store, known) = to.open_games(1)?;
    for (number, game) in (0..).zip(games) {
        if !known.contains_key(&number) {
            let start = start::<S>(game.size)?;
            store.add(number, &game.to_bytes(&start))?;
        }
    }
    store.sync()
}

/// The games of the files of a folder, in the order of their names: records of games, or games of another run. Left out
/// are those of boards that the plan does not name, and those that are faulty, open or empty.
fn games_of_folder<S: Subject>(plan: &Plan, folder: &Path) -> Result<Vec<Record<S>>, LearnError> {
    let entries = of_file(folder, fs::read_dir(folder))?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = of_file(folder, paths.collect())?;
    paths.sort();
    let mut games: Vec<Record<S>> = Vec::new();
    for path in paths {
        if path
            .extension()
            .is_some_and(|extension| extension == GAMES_EXTENSION)
        {
            let remedy = "remove the file, or copy it again from the run that made it";
            let of_file = games_of_file::<S>(&path, remedy)?;
            games.extend(of_file.into_iter().map(|(_, game)| game));
            continue;
        }
        let bytes = of_file(&path, fs::read(&path))?;
        let why = |why| LearnError::Record {
            path: path.clone(),
            why,
        };
        for raw in record::read(&bytes).map_err(why)? {
            let game = raw.replay::<S::Position>(None).map_err(why)?;
            games.extend(S::of_record(&game));
        }
    }
    games.retain(|game| plan.sizes.contains(&game.size));
    Ok(games)
}
