//! What a running experiment tells, what is noticed of a worker that hangs, and how it is stopped.

use super::support::{LONG, json, papamu, start, text};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// A file in a folder.
fn written(folder: &Path, text: &str) -> String {
    let path = folder.join("experiment.toml");
    std::fs::write(&path, text).expect("written");
    path.display().to_string()
}

fn place(folder: &Path) -> String {
    folder.join("a.db").display().to_string()
}

/// Asks again and again until there is an answer.
#[track_caller]
fn wait<T>(what: &str, ask: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + LONG;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

const SHORT: &str = r#"
name = "short"
game = "havannah"
games = 20
[board]
size = 3
[budget]
simulations = 20
[players.rave]
player = "rave"
[players.uct]
player = "uct"
[[match]]
player = "rave"
against = "uct"
"#;

/// The moves of one player never come back while its process, and that of its worker, live.
#[test]
fn a_worker_that_hangs_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hung, go) = (folder.path().join("hung"), folder.path().join("go"));
    let script = format!(
        r#"while read -r id command; do
            case $command in genmove*)
                if mkdir {} 2>/dev/null; then while [ ! -e {} ]; do sleep 0.02; done; fi
                printf "=%s resign\n\n" "$id" ;;
            *) printf "=%s\n\n" "$id" ;;
            esac
        done"#,
        hung.display(),
        go.display(),
    );
    let text = format!(
        r#"
        name = "hung"
        game = "havannah"
        games = 8
        [board]
        size = 3
        [budget]
        seconds = 0.01
        margin-seconds = 1000
        [players.script]
        command = ["sh", "-c", '''{script}''']
        [players.random]
        player = "random"
        [[match]]
        player = "script"
        against = "random"
        "#
    );
    let (file, place) = (written(folder.path(), &text), place(folder.path()));
    let work = ["--store", &place, "--concurrency", "1", "--lease", "1"];
    let mut first = papamu(&[&["run", &file][..], &work].concat());
    wait("it hangs", || hung.exists().then_some(()));
    let status = || json(&["status", "--json", "--store", &place]);
    wait("the thread that hangs is not noticed", || {
        let hangs = status().iter().any(|worker| worker["stuck"] == 1);
        hangs.then_some(())
    });
    papamu(&[&["worker", "--exit-when-idle"][..], &work].concat()).end();
    let all_is_played = || {
        let shown = &status()[0];
        let [games, done, open] = ["games", "done", "open"].map(|key| shown[key].as_u64());
        assert_eq!((games, done, open), (Some(8), Some(4), Some(0)), "{shown}");
    };
    all_is_played();
    assert!(first.0.try_wait().expect("its state").is_none(), "it lives");
    // It goes on, and what it brings is too late.
    std::fs::write(go, "").expect("written");
    assert!(first.status().success());
    all_is_played();
}

/// Asks a server of metrics for a page.
fn page(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("asked");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("a page");
    page
}

/// The address that a worker tells, which serves its metrics.
fn address(messages: &mut impl Iterator<Item = String>) -> String {
    let address = messages.find_map(|line| {
        let address = line.strip_prefix("metrics at http://")?;
        Some(address.strip_suffix("/metrics")?.to_owned())
    });
    address.expect("its address")
}

/// A number of the metrics at an address.
#[track_caller]
fn metric(address: &str, name: &str) -> u64 {
    let page = page(address, "/metrics");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
    assert!(page.contains(&format!("# TYPE {name} ")), "{page}");
    let values = page.lines().filter_map(|line| line.split_once(' '));
    let mut values = values.filter(|(found, _)| *found == name);
    let (_, value) = values.next().expect(name);
    value.parse::<u64>().expect("a number")
}

#[test]
fn metrics_are_served_to_prometheus() {
    let folder = tempfile::tempdir().expect("a folder");
    let many = SHORT.replace("games = 20", "games = 4000");
    let (file, place) = (written(folder.path(), &many), place(folder.path()));
    let work = ["--store", &place, "--concurrency", "1"];
    let mut worker = papamu(&[&["worker", "--metrics", "127.0.0.1:0"][..], &work].concat());
    let mut messages = worker.messages();
    let address = address(&mut messages);
    let value = |name: &str| metric(&address, name);
    assert_eq!(value("papamu_games_stored_total"), 0);
    // It waits for experiments; here is one.
    let mut runner = papamu(&[&["run", &file][..], &work].concat());
    wait("the experiment is there", || {
        let status = json(&["status", "--json", "--store", &place]);
        (status.first()?["name"].is_string()).then_some(())
    });
    runner.kill();
    wait("the worker plays", || {
        (value("papamu_games_stored_total") >= 10).then_some(())
    });
    for name in [
        "papamu_games_refused_total",
        "papamu_games_faulty_total",
        "papamu_threads_stuck",
    ] {
        assert_eq!(value(name), 0, "{name}");
    }
    assert!(value("papamu_games_playing") <= 1);
    assert!(page(&address, "/").starts_with("HTTP/1.1 404 "));
    worker.signal("-INT");
    assert!(worker.status().success());
    let last = messages.last().expect("what it has done");
    assert!(
        last.ends_with("games stored, 0 lost by a fault, 0 refused"),
        "{last}"
    );
}

/// A worker of a store also counts what it solves, and the games of learning runs.
#[test]
fn metrics_count_all_work_of_a_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = place(folder.path());
    let metrics = ["--metrics", "127.0.0.1:0", "--concurrency", "1"];
    let mut worker = start(&[&["worker", &place, "--memory", "64"][..], &metrics].concat());
    let mut messages = worker.messages();
    let address = address(&mut messages);
    let names = [
        "papamu_solving_jobs_stored_total",
        "papamu_solving_nodes_total",
        "papamu_learning_games_stored_total",
    ];
    let values = || names.map(|name| metric(&address, name));
    assert_eq!(values(), [0, 0, 0]);
    // The process that adds a position leaves it to the worker.
    let position = ["--rows", "5", "--cols", "6", "--setup", "centre"];
    let solve = [&["solve", "konane"][..], &position, &["--store", &place]].concat();
    let mut solving = start(&[&solve[..], &["--time", "0", "--job-nodes", "1000"]].concat());
    assert_eq!(solving.status().code(), Some(3));
    wait("the worker solves", || {
        let [jobs, nodes, _] = values();
        (jobs > 2 && nodes > 2000).then_some(())
    });
    assert_eq!(metric(&address, "papamu_solving_jobs_refused_total"), 0);
    // Games of a learning run are shared between the process that leads it and the worker: so many that it cannot play them
    // all before the worker looks.
    let tiny = include_str!("../../../../../learning/tiny.toml");
    let plan = written(folder.path(), &tiny.replace("games = 24", "games = 5000"));
    let run = folder.path().join("run").display().to_string();
    let mut lead = start(&["learn", &plan, "--folder", &run, "--store", &place]);
    wait("the worker plays games", || (values()[2] > 0).then_some(()));
    lead.signal("-INT");
    assert_eq!(lead.status().code(), Some(130));
    worker.signal("-INT");
    assert!(worker.status().success());
    let last = messages.last().expect("what it has done");
    assert!(!last.starts_with("0 jobs of solving"), "{last}");
    assert!(last.contains(" games and pairs of learning;"), "{last}");
}

#[test]
fn a_plan_tells_games_and_hours() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), SHORT);
    let asked = ["plan", &file, "--json", "--concurrency", "2"];
    let plan = &json(&[&asked[..], &["--tell", "60"]].concat())[0];
    let number = |key: &str| plan[key].as_f64().expect(key);
    let counted = ["points", "games", "at_a_time"].map(number);
    assert_eq!(counted.map(|count| count as u64), [1, 20, 2]);
    let hours = number("games") * number("plies_a_game") * number("seconds_a_move") / 7200.0;
    assert!((number("hours") / hours - 1.0).abs() < 1e-9, "{plan}");
    // 1.96 · 0.5 / √20.
    assert!((number("margin") - 21.91).abs() < 0.01, "{plan}");
    // (1.96 + 0.84)² · 0.6 · 0.4 / 0.1², the size of a sample that tells one proportion from ½.
    assert!((188.0..=190.0).contains(&number("games_to_tell")), "{plan}");
    assert!(plan["games_of_test"].is_null(), "{plan}");
    let test = SHORT.to_owned() + "[stop]\nrule = \"sprt\"\nelo0 = 0\nelo1 = 100\n";
    written(folder.path(), &test);
    let plan = &json(&asked)[0];
    let games = plan["games_of_test"].as_u64().expect("games");
    assert!((20..2000).contains(&games), "{games}");
}

#[test]
fn a_second_ctrl_c_stops_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let slow = SHORT.replace("simulations = 20", "seconds = 1000");
    let (file, place) = (written(folder.path(), &slow), place(folder.path()));
    let mut runner = papamu(&["run", &file, "--store", &place, "--concurrency", "1"]);
    wait("it plays", || {
        let there = Path::new(&place).exists();
        let status = there.then(|| json(&["status", "--json", "--store", &place]));
        (status?.first()?["leased"] == 1).then_some(())
    });
    let mut messages = runner.messages();
    runner.signal("-INT");
    assert!(messages.any(|line| line.starts_with("finishing the running games")));
    runner.signal("-INT");
    assert_eq!(runner.status().code(), Some(130));
}

#[test]
fn a_store_that_can_only_be_read_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, place) = (written(folder.path(), SHORT), place(folder.path()));
    papamu(&["run", &file, "--store", &place]).end();
    let shown = |place: &str| json(&["status", "--json", "--store", place]).remove(0);
    let (before, read_only) = (shown(&place), format!("sqlite://{place}?mode=ro"));
    assert_eq!(shown(&read_only), before);
    let mut runner = papamu(&["run", &file, "--store", &read_only]);
    let said: Vec<String> = runner.messages().collect();
    assert_eq!(runner.status().code(), Some(2));
    let [said] = &said[..] else {
        panic!("one line: {said:?}")
    };
    assert!(said.contains("it can only be read; what was stored stays whole"));
    assert_eq!(shown(&place), before);
    // What only reads needs no right to write: nobody can make the log's file where a folder is.
    let log = format!("{place}-wal");
    let _ = std::fs::remove_file(&log);
    std::fs::create_dir(&log).expect("made");
    assert_eq!(shown(&place), before);
    for command in ["status", "report", "export"] {
        let told = text(&[command, "--store", &place]);
        assert!(told.contains("rave"), "{command}: {told}");
    }
}
