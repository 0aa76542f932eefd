//! The file of region values.

use konane::cgt::{Database, Region, RegionKey, Value, Valuer};
use std::collections::HashMap;
use std::fs;

const BUDGET: usize = 1 << 20;

fn known(valuer: &Valuer) -> HashMap<RegionKey, Value> {
    valuer.known().collect()
}

fn value_of(valuer: &mut Valuer, diagram: &str) -> String {
    let region: Region = diagram.parse().expect("a diagram");
    let value = valuer.sum(&region.parts()).expect("a small region");
    valuer.games.write(value)
}

#[test]
fn values_come_back_and_more_are_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("regions-come-back.db");
    let mut first = Valuer::new(BUDGET);
    let mut database = Database::open(&path, &mut first).expect("no file yet");
    let value = value_of(&mut first, ".xoxo.ox./.o.oxox.x");
    database.save(&mut first).expect("saved");

    let mut second = Valuer::new(BUDGET);
    let mut database = Database::open(&path, &mut second).expect("a good file");
    assert_eq!(database.regions(), known(&first).len());
    assert_eq!(known(&second).len(), known(&first).len());
    assert_eq!(value_of(&mut second, ".xoxo.ox./.o.oxox.x"), value);
    value_of(&mut second, ".xo.o.ox./.o.oxox.x");
    database.save(&mut second).expect("saved");

    let mut third = Valuer::new(BUDGET);
    let database = Database::open(&path, &mut third).expect("a good file");
    assert!(database.regions() > known(&first).len());
    assert_eq!(database.regions(), known(&second).len());
}

#[test]
fn any_damage_is_told_and_nothing_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("regions-damaged.db");
    let mut valuer = Valuer::new(BUDGET);
    let mut database = Database::open(&path, &mut valuer).expect("no file yet");
    value_of(&mut valuer, ".xoxo.");
    database.save(&mut valuer).expect("saved");
    let good = fs::read(&path).expect("the file");
    for place in 0..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 1 << (place % 7);
        fs::write(&path, &bad).expect("written");
        let refusal = Database::open(&path, &mut Valuer::new(BUDGET));
        let message = refusal.expect_err("damaged").to_string();
        assert!(message.contains("regions-damaged.db"), "{message}");
        assert_eq!(fs::read(&path).expect("still there"), bad);
    }
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).expect("written");
        assert!(Database::open(&path, &mut Valuer::new(BUDGET)).is_err());
    }
    fs::write(&path, &good).expect("written");
    assert!(Database::open(&path, &mut Valuer::new(BUDGET)).is_ok());
}
