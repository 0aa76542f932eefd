//! The weights with which an experiment is played stay those with which it was begun.

use crate::postgres::Postgres;
use crate::store::{MINUTE, game};
use arena::report::report;
use arena::tune::Tuning;
use arena::{
    Event, Experiment, ExperimentRow, GameRow, Ledger, Loaded, Options, PublishError, Scale, Stop,
    Store, Weights, WorkError, copy, publish, work,
};
use engine::weights::sha256;
use havannah::knowledge::network::Shipped;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Two networks for Havannah.
const NETWORKS: [&str; 2] = ["havannah-5.weights", "havannah-15.weights"];

fn network(name: &str) -> PathBuf {
    let learning = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../learning");
    learning.join(name)
}

fn hash(name: &str) -> String {
    sha256(std::fs::read(network(name)).expect("weights"))
}

/// A folder for stores, with a file of weights that is one network or the other.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place { folder };
        place.put(NETWORKS[0]);
        place
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Replaces the file at once: whoever reads it meanwhile gets one network or the other.
    fn put(&self, name: &str) {
        let copy = self.path("copy.weights");
        std::fs::copy(network(name), &copy).expect("copied");
        std::fs::rename(copy, self.path("net.weights")).expect("replaced");
    }

    async fn store(&self, name: &str) -> Store {
        Store::open(&self.path(name)).await.expect("a store")
    }

    /// An experiment whose player `net` has the file of weights.
    fn text(&self, games: u32) -> String {
        experiment("with-net", games, "net", &self.path("net.weights"))
    }

    fn loaded(&self, games: u32) -> Arc<Loaded> {
        loaded(&self.text(games))
    }
}

fn experiment(name: &str, games: u32, player: &str, file: &str) -> String {
    format!(
        r#"
        name = "{name}"
        game = "havannah"
        games = {games}
        [board]
        size = 3
        [budget]
        simulations = 1
        [players.net]
        player = "human-like"
        set = {{ network = '{file}' }}
        [players.random]
        player = "random"
        [players.other]
        player = "random"
        [[match]]
        player = "{player}"
        against = "other"
        [openings]
        random = 1
        "#
    )
}

fn loaded(text: &str) -> Arc<Loaded> {
    let experiment = Experiment::read(text, Scale::Full).expect("an experiment");
    arena::check(&experiment).expect("it can be played");
    Arc::new(Loaded::new(experiment, 1).expect("its players"))
}

/// What a store has of an experiment.
async fn content(store: &Store, id: &str) -> (Vec<ExperimentRow>, arena::Counts, Vec<GameRow>) {
    (
        store.experiments().await.expect("experiments"),
        store.counts(id).await.expect("counts"),
        store.games(id, (-1, 1), 9999).await.expect("games"),
    )
}

/// Works on what is in a store, and tells what there was to tell.
async fn works(store: &Store, known: Vec<Arc<Loaded>>) -> (Result<(), WorkError>, Vec<String>) {
    let told = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::LeftOut(_, why) | Event::Trouble(why) = event {
            told.lock().expect("told").push(why);
        }
    };
    let (options, stop, ledger) = (Options::default(), Stop::default(), Ledger::default());
    let worked = work(store, &options, known, &stop, &ledger, &listener).await;
    (worked, told.into_inner().expect("told"))
}

async fn played(store: &Store, loaded: &Arc<Loaded>) {
    publish(store, loaded).await.expect("published");
    let (worked, told) = works(store, vec![loaded.clone()]).await;
    worked.expect("played");
    assert_eq!(told, [""; 0]);
}

/// That a refusal says who has which weights and what to do.
#[track_caller]
fn says_what_to_do(why: &str) {
    let [before, now] = NETWORKS.map(hash);
    for words in [
        format!("net began with the weights {before}, and has the weights {now} now"),
        "go on with the former ones".to_owned(),
        "--store".to_owned(),
    ] {
        assert!(why.contains(&words), "{words}: {why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_file_is_refused_and_the_store_stays_as_it_was() {
    let place = Place::new();
    let store = place.store("a.db").await;
    let first = place.loaded(4);
    let id = first.experiment.id.clone();
    played(&store, &first).await;
    let before = content(&store, &id).await;
    let noted = before.0[0].weights.clone().expect("weights");
    assert_eq!(noted, first.weights());
    let own = hash(NETWORKS[0]);
    assert_eq!(noted.iter().collect::<Vec<_>>(), [("net", &*own)]);

    place.put(NETWORKS[1]);
    let second = place.loaded(8);
    assert_eq!(second.experiment.id, id, "it is the same experiment");
    let refused = publish(&store, &second).await.expect_err("refused");
    assert!(refused.to_string().starts_with("with-net ("), "{refused}");
    says_what_to_do(&refused.to_string());
    assert_eq!(content(&store, &id).await, before);

    // Another store takes them, and with the former ones the first goes on.
    let other = place.store("b.db").await;
    played(&other, &second).await;
    place.put(NETWORKS[0]);
    played(&store, &place.loaded(8)).await;
    assert_eq!(store.counts(&id).await.expect("counts").games, 8);
    // Their games do not come together afterwards either.
    let before = content(&store, &id).await;
    let refused = copy(&other, &store, &[]).await.expect_err("refused");
    assert!(matches!(refused, PublishError::Weights { .. }), "{refused}");
    assert_eq!(content(&store, &id).await, before);
    let fresh = place.store("c.db").await;
    copy(&store, &fresh, &[]).await.expect("copied");
    assert_eq!(fresh.weights(&id).await.expect("weights"), Some(noted));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_replaced_during_a_run_ends_it() {
    let place = Place::new();
    let store = place.store("a.db").await;
    let loaded = place.loaded(2000);
    publish(&store, &loaded).await.expect("published");
    let listener = |event: Event| {
        if matches!(event, Event::Stored(..)) {
            place.put(NETWORKS[1]);
        }
    };
    let (options, stop, ledger) = (Options::default(), Stop::default(), Ledger::default());
    let known = vec![loaded.clone()];
    let worked = work(&store, &options, known, &stop, &ledger, &listener).await;
    let why = worked.expect_err("it ends").to_string();
    assert!(why.starts_with("net cannot play here: "), "{why}");
    let now = format!("now {}", hash(NETWORKS[1]));
    assert!(why.contains("have changed") && why.contains(&now), "{why}");
    let (_, counts, games) = content(&store, &loaded.experiment.id).await;
    assert!(counts.open > 0 && !games.is_empty(), "{counts:?}");
    let comment = format!("SHA-256 {}.", &hash(NETWORKS[0])[..12]);
    for game in &games {
        assert!(game.sgf.contains(&comment), "{}", game.sgf);
        assert_eq!(game.sgf.matches("SHA-256").count(), 1, "{}", game.sgf);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_with_other_weights_leaves_the_experiment() {
    let place = Place::new();
    let store = place.store("a.db").await;
    let theirs = place.loaded(4);
    publish(&store, &theirs).await.expect("published");
    let plain = loaded(&experiment("plain", 6, "random", "unused"));
    publish(&store, &plain).await.expect("published");
    place.put(NETWORKS[1]);
    let (worked, told) = works(&store, Vec::new()).await;
    worked.expect("the rest is played");
    let [told] = &told[..] else {
        panic!("one warning: {told:?}")
    };
    let id = &theirs.experiment.id;
    let words = format!("with-net ({id}) is not played here: net began with");
    assert!(told.starts_with(&words), "{told}");
    says_what_to_do(told);
    let (_, counts, games) = content(&store, id).await;
    assert_eq!((counts.open, counts.leased, games.len()), (2, 0, 0));
    let counts = store.counts(&plain.experiment.id).await.expect("counts");
    assert_eq!((counts.open, counts.games), (0, 6));
    // A worker with their weights plays it.
    place.put(NETWORKS[0]);
    let (worked, told) = works(&store, Vec::new()).await;
    worked.expect("played");
    assert_eq!(told, [""; 0]);
    assert_eq!(store.counts(id).await.expect("counts").games, 4);
}

/// A row of an experiment, as versions stored it that noted no weights, or with some.
fn row(loaded: &Loaded, weights: Option<Weights>) -> ExperimentRow {
    ExperimentRow {
        id: loaded.experiment.id.clone(),
        name: loaded.experiment.name.clone(),
        scale: "full".to_owned(),
        file: loaded.experiment.text.clone(),
        weights,
    }
}

/// An experiment without weights takes the first ones, and only them.
async fn takes_the_first(store: &Store, place: &Place) {
    let [first, second] = NETWORKS.map(|name| {
        place.put(name);
        place.loaded(4)
    });
    let before = row(&first, None);
    let id = &before.id;
    let pairs = first.pairs().expect("pairs");
    store.publish(&before, &pairs).await.expect("published");
    let leases = store.claim(id, "w#0", 1, MINUTE).await.expect("a lease");
    let recorded = store.record(&[game(&leases[0], 0, 2)]).await;
    recorded.expect("recorded");
    assert_eq!(store.weights(id).await.expect("weights"), None);
    assert_eq!(store.experiments().await.expect("rows")[0].weights, None);
    let note = async |loaded: &Loaded| store.note_weights(&before, &loaded.weights()).await;
    note(&first).await.expect("noted");
    note(&first).await.expect("the same ones");
    let noted = Some(first.weights());
    for _ in 0..2 {
        let refused = note(&second).await.expect_err("others").to_string();
        assert!(refused.starts_with(&format!("with-net ({id}): ")));
        says_what_to_do(&refused);
        let others = row(&second, Some(second.weights()));
        let refused = store.publish(&others, &pairs).await;
        says_what_to_do(&refused.expect_err("others").to_string());
        assert_eq!(store.weights(id).await.expect("weights"), noted);
    }
    // What a copy of before brings changes nothing.
    store.publish(&before, &pairs).await.expect("published");
    assert_eq!(store.unfinished().await.expect("rows")[0].weights, noted);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_experiment_of_before_takes_the_weights_of_the_next_run() {
    let place = Place::new();
    takes_the_first(&place.store("a.db").await, &place).await;
    // A worker is such a run, too.
    let store = place.store("b.db").await;
    let loaded = place.loaded(4);
    let pairs = loaded.pairs().expect("pairs");
    let published = store.publish(&row(&loaded, None), &pairs).await;
    published.expect("published");
    let (worked, _) = works(&store, Vec::new()).await;
    worked.expect("played");
    let noted = store.weights(&loaded.experiment.id).await;
    assert_eq!(noted.expect("weights"), Some(loaded.weights()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_notes_weights() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let store = Store::open(&postgres.url()).await.expect("a store");
    takes_the_first(&store, &Place::new()).await;
}

/// Of many that begin at once with two networks, those of one are let in.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_of_many_decides() {
    let place = Place::new();
    let both = NETWORKS.map(|name| {
        place.put(name);
        place.loaded(4)
    });
    let before = row(&both[0], None);
    let store = place.store("a.db").await;
    store.publish(&before, &[]).await.expect("published");
    let mut tasks = Vec::new();
    for number in 0..8 {
        let (store, before) = (place.store("a.db").await, before.clone());
        let weights = both[number % 2].weights();
        tasks.push(tokio::spawn(async move {
            let noted = store.note_weights(&before, &weights).await;
            noted.is_ok().then_some(weights)
        }));
    }
    let mut let_in = Vec::new();
    for task in tasks {
        let_in.extend(task.await.expect("an answer"));
    }
    let noted = store.weights(&before.id).await.expect("weights");
    assert_eq!(let_in.len(), 4);
    assert!(let_in.iter().all(|weights| noted.as_ref() == Some(weights)));
}

/// A grid gives several players one name: each has its own weights, so that two files that are exchanged are noticed.
#[test]
fn players_of_a_grid_are_told_apart() {
    let place = Place::new();
    let [first, second] = ["a.weights", "b.weights"].map(|name| place.path(name));
    let put = |networks: [&str; 2]| {
        for (name, path) in networks.iter().zip([&first, &second]) {
            std::fs::copy(network(name), path).expect("copied");
        }
    };
    let text = format!(
        r#"
        name = "grid"
        game = "havannah"
        games = 2
        [grid]
        net = ['{first}', '{second}', "shipped"]
        size = [4, 5]
        [budget]
        simulations = 1
        [players.net]
        player = "papamu"
        set = {{ network = "{{net}}" }}
        [players.rave]
        player = "rave"
        [players.people]
        player = "human-like"
        [[match]]
        player = "net"
        against = ["rave", "people"]
        "#
    );
    put(NETWORKS);
    let weights = loaded(&text).weights();
    let [one, other] = NETWORKS.map(hash);
    let expected = [
        (format!("net (papamu, {first})"), one.as_str()),
        (format!("net (papamu, {second})"), other.as_str()),
        (
            "net (papamu, small-boards)".to_owned(),
            Shipped::SmallBoards.sha256(),
        ),
        ("people".to_owned(), Shipped::People.sha256()),
    ];
    let expected: Vec<_> = (expected.iter())
        .map(|(player, hash)| (player.as_str(), *hash))
        .collect();
    assert_eq!(weights.iter().collect::<Vec<_>>(), expected);
    put([NETWORKS[1], NETWORKS[0]]);
    let exchanged = weights.difference(&loaded(&text).weights());
    assert_eq!(exchanged.expect("a difference").player, expected[0].0);
    // No player uses a network on size 4.
    let small = text.replace("[4, 5]", "[4]").replace(", \"people\"", "");
    assert_eq!(loaded(&small).weights(), Weights::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_names_the_weights() {
    let place = Place::new();
    let store = place.store("a.db").await;
    let with_net = place.loaded(2);
    played(&store, &with_net).await;
    let plain = loaded(&experiment("plain", 2, "random", "unused"));
    played(&store, &plain).await;
    let shown = report(&store, &with_net.experiment)
        .await
        .expect("a report");
    let (whole, short) = (hash(NETWORKS[0]), hash(NETWORKS[0])[..12].to_owned());
    for text in [shown.text(), shown.html(), shown.markdown(None)] {
        assert!(text.contains(&short) && !text.contains(&whole), "{text}");
    }
    for text in [shown.json().to_string(), shown.csv()] {
        assert!(text.contains(&whole), "{text}");
    }
    let shown = report(&store, &plain.experiment).await.expect("a report");
    assert!(!shown.text().contains("SHA-256"), "{}", shown.text());
}

/// Iterations that are over are not played again, and count only with the weights of the others.
#[tokio::test(flavor = "multi_thread")]
async fn a_tuning_goes_on_with_the_same_weights() {
    let place = Place::new();
    let text = format!(
        r#"
        name = "tune"
        game = "havannah"
        sizes = [3]
        iterations = 2
        pairs = 1
        [player]
        player = "human-like"
        set = {{ network = '{}' }}
        [budget]
        simulations = 1
        [openings]
        random = 1
        [[parameter]]
        name = "temperature"
        start = 1
        min = 0.5
        max = 2
        step = 0.5
        "#,
        place.path("net.weights")
    );
    let tuning = Tuning::read(&text).expect("a tuning");
    let store = place.store("a.db").await;
    let (options, stop) = (Options::default(), Stop::default());
    let tune = async || {
        let tuned = tuning.tune(&store, Some(3), &options, &stop, &|_, _| {});
        tuned.await.map(|trajectory| trajectory.states)
    };
    let states = tune().await.expect("tuned");
    place.put(NETWORKS[1]);
    let refused = tune().await.expect_err("refused").to_string();
    assert!(refused.starts_with("tune-size-3-0 ("), "{refused}");
    assert!(refused.contains("has the weights"), "{refused}");
    place.put(NETWORKS[0]);
    assert_eq!(tune().await.expect("tuned"), states);
}
