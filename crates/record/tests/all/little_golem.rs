//! The games that people and programs played on Little Golem.

use game::{Game, Outcome};
use havannah::Dialect;
use record::{End, Record};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder with the games, or `None`, said visibly, where it is missing.
fn games() -> Option<PathBuf> {
    let data = std::env::var_os("PAPAMU_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = data.join("littlegolem");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no games in {}; set PAPAMU_DATA", folder.display());
    None
}

fn read(file: &Path, dialect: Option<Dialect>) -> Record<havannah::Position> {
    let bytes = fs::read(file).expect("a readable file");
    let games = record::read(&bytes).expect("a game");
    assert_eq!(games.len(), 1, "{}", file.display());
    games[0].replay(dialect).expect("a board")
}

#[test]
fn every_game_replays_and_ends_where_its_structure_is_complete() {
    let Some(folder) = games() else { return };
    let mut ends = BTreeMap::new();
    let mut structures = BTreeMap::new();
    let (mut contradicted, mut swaps) = (0, 0);
    for entry in fs::read_dir(folder).expect("the folder") {
        let file = entry.expect("an entry").path();
        let record = read(&file, None);
        assert_eq!(record.fault, None, "{}", file.display());
        assert_eq!(record.dialect, Dialect::Row, "{}", file.display());
        // Black may swap where Little Golem has the rule, also in the games where nobody did.
        let side = record
            .options
            .get("size")
            .and_then(|size| size.parse().ok());
        let is_small = side.is_some_and(|side: u8| side <= 8);
        assert_eq!(record.start.swap_rule(), is_small, "{}", file.display());
        swaps += usize::from(record.moves.get(1) == Some(&havannah::Move::Swap));
        if let Some(structure) = record.last.structure() {
            *structures.entry(structure.to_string()).or_insert(0) += 1;
            assert_eq!(record.last.ply(), record.moves.len(), "{}", file.display());
            // The files name the wrong colour wherever a structure decides.
            assert_ne!(record.claimed, record.winner(), "{}", file.display());
            contradicted += 1;
        }
        // No position before the last one is over: every move was legal when it was made.
        let before = record.moves.len().saturating_sub(1);
        let mut position = record.start.clone();
        for &mv in &record.moves[..before] {
            position.play(mv);
            assert_eq!(position.outcome(), None, "{}", file.display());
        }
        *ends.entry(record.end()).or_insert(0) += 1;
    }
    assert_eq!(
        ends,
        BTreeMap::from([(End::Structure, 519), (End::Resign, 432), (End::Open, 122)])
    );
    let kinds = [("bridge", 121), ("fork", 304), ("ring", 94)];
    assert_eq!(
        structures,
        kinds.map(|(kind, count)| (kind.to_owned(), count)).into()
    );
    assert_eq!((contradicted, swaps), (519, 496));
}

#[test]
fn the_wrong_dialect_shows() {
    let Some(folder) = games() else { return };
    let mut faulty = 0;
    for entry in fs::read_dir(folder).expect("the folder") {
        let file = entry.expect("an entry").path();
        let record = read(&file, Some(Dialect::Grid));
        faulty += usize::from(record.fault.is_some());
    }
    assert!(
        faulty > 700,
        "{faulty} games have a cell that the grid dialect lacks"
    );
}

#[test]
fn what_is_written_is_read_back() {
    let Some(folder) = games() else { return };
    for entry in fs::read_dir(folder).expect("the folder").take(200) {
        let record = read(&entry.expect("an entry").path(), None);
        let written = record::to_sgf(&record).to_string();
        let games = record::read(written.as_bytes()).expect("a game");
        assert_eq!(games.len(), 1, "{written}");
        let again: Record<havannah::Position> = games[0].replay(None).expect("a board");
        assert_eq!(again.moves, record.moves, "{written}");
        assert_eq!(again.dialect, record.dialect);
        assert_eq!(again.end(), record.end());
        assert_eq!(again.winner(), record.winner());
        assert!(again.last == record.last);
        let draw = Some(Outcome::Draw);
        assert_eq!(
            again.claimed,
            record.winner().filter(|&outcome| Some(outcome) != draw)
        );
    }
}
