//! Conversations with [`analysis::serve`].

use analysis::{Defaults, serve};
use search::Limits;
use serde_json::{Value, json};
use std::io::{self, BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread::{self, JoinHandle};

/// The limit of queries that set none.
const SIMULATIONS: u64 = 30;

fn defaults() -> Defaults {
    Defaults {
        player: Some("uct".to_owned()),
        limits: Some(Limits {
            simulations: Some(SIMULATIONS),
            ..Limits::default()
        }),
        ..Defaults::default()
    }
}

/// What is answered to lines that come all at once.
pub fn answers(lines: &[String], threads: usize) -> Vec<Value> {
    let input = io::Cursor::new(lines.join("\n"));
    let mut output = Vec::new();
    serve(input, &mut output, threads, &defaults()).expect("in memory");
    parsed(&String::from_utf8(output).expect("UTF-8"))
}

fn parsed(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("JSON")
}

pub fn one(query: &Value) -> Value {
    let mut answers = answers(&[query.to_string()], 1);
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

/// A conversation that goes on.
struct Conversation {
    say: Option<mpsc::Sender<Vec<u8>>>,
    heard: Arc<(Mutex<String>, Condvar)>,
    ended: Option<JoinHandle<io::Result<()>>>,
}

struct Input(mpsc::Receiver<Vec<u8>>);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let line = self.0.recv().unwrap_or_default();
        assert!(line.len() <= buffer.len());
        buffer[..line.len()].copy_from_slice(&line);
        Ok(line.len())
    }
}

struct Output(Arc<(Mutex<String>, Condvar)>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.0.lock().expect("no panic").push_str(text);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Conversation {
    fn begin(threads: usize) -> Conversation {
        let (say, said) = mpsc::channel();
        let heard = Arc::default();
        let output = Output(Arc::clone(&heard));
        let ended =
            thread::spawn(move || serve(BufReader::new(Input(said)), output, threads, &defaults()));
        Conversation {
            say: Some(say),
            heard,
            ended: Some(ended),
        }
    }

    fn say(&self, line: &Value) {
        let say = self.say.as_ref().expect("it goes on");
        say.send(format!("{line}\n").into_bytes()).expect("heard");
    }

    /// Waits until the answers are as wanted.
    fn wait(&self, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let mut text = self.heard.0.lock().expect("no panic");
        loop {
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            let answers = parsed(whole);
            if wanted(&answers) {
                return answers;
            }
            text = self.heard.1.wait(text).expect("no panic");
        }
    }

    /// Ends the input, and gives all answers.
    fn end(mut self) -> Vec<Value> {
        self.say = None;
        let ended = self.ended.take().expect("once").join();
        ended.expect("no panic").expect("no error");
        parsed(&self.heard.0.lock().expect("no panic"))
    }
}

fn has(answers: &[Value], kind: &str, id: &str) -> bool {
    answers
        .iter()
        .any(|answer| answer["type"] == kind && answer["id"] == id)
}

#[test]
fn every_turn_gets_one_result_with_what_was_asked_for() {
    let query = json!({
        "id": "game", "schema": 1, "game": "havannah", "size": 4, "moves": ["d4", "c3", "e5"],
        "turns": [3, 0, 1], "report": ["moves", "lines", "review", "statistics", "network"],
        "most_moves": 2,
    });
    let answers = answers(&[query.to_string()], 2);
    let turns: Vec<&Value> = answers.iter().map(|answer| &answer["turn"]).collect();
    assert_eq!(turns, [0, 1, 3]);
    for answer in &answers {
        assert_eq!(answer["type"], "result");
        assert_eq!(answer["simulations"], SIMULATIONS);
        assert_eq!(answer["stop"], "simulations");
        let moves = answer["moves"].as_array().expect("moves");
        assert_eq!(moves.len(), 2);
        assert_eq!(moves[0]["line"][0], moves[0]["move"]);
        assert_eq!(answer["best"], answer["line"][0]);
        let value = answer["value"].as_f64().expect("a number");
        assert!((0.0..=1.0).contains(&value));
        assert!(answer["statistics"]["mean_depth"].is_number());
        assert!(answer["network"]["value"].is_number());
        let likely = &answer["network"]["moves"][0];
        assert!(likely["move"].is_string() && likely["probability"].is_number());
    }
    assert_eq!(answers[0]["to_move"], "white");
    assert_eq!(answers[1]["to_move"], "black");
    assert_eq!(answers[1]["review"]["move"], "d4");
    assert_eq!(answers[1]["review"]["side"], "white");
    // The turn before is not analysed.
    assert!(answers[2].get("review").is_none());
}

#[test]
fn answers_follow_from_the_query_alone() {
    let query = |id: &str, seed: u64| {
        json!({"id": id, "game": "havannah", "size": 4, "moves": "d4 c3 e5", "turns": "all", "seed": seed})
            .to_string()
    };
    let found = |answers: Vec<Value>, id: &str| -> Vec<Value> {
        let mut found: Vec<Value> = answers
            .into_iter()
            .filter(|answer| answer["id"] == id)
            .collect();
        for answer in &mut found {
            answer["seconds"] = Value::Null;
        }
        found
    };
    let alone = found(answers(&[query("a", 1)], 1), "a");
    let queries: Vec<String> = [("b", 2), ("a", 1), ("c", 3), ("d", 4)]
        .map(|(id, seed)| query(id, seed))
        .to_vec();
    let together = found(answers(&queries, 3), "a");
    assert_eq!(alone, together);
    assert_eq!(alone.len(), 4);
    let mut other = found(answers(&[query("a", 2)], 1), "a");
    assert_eq!(other.len(), 4);
    other.retain(|answer| !alone.contains(answer));
    assert!(!other.is_empty(), "the seed changes nothing");
}

#[test]
fn boards_rules_and_players_of_both_games() {
    for (query, to_move) in [
        (
            json!({"game": "havannah", "size": "4x4x5", "swap": true, "moves": "d4 swap"}),
            "white",
        ),
        (
            json!({"game": "havannah", "size": 3, "dialect": "row", "moves": ["e1"], "player": "rave"}),
            "black",
        ),
        (
            json!({"game": "konane", "rows": 6, "cols": 8, "setup": "centre"}),
            "black",
        ),
        (
            json!({"game": "konane", "size": 12, "opening": "any", "player": "papamu", "nodes": 50}),
            "black",
        ),
        (
            json!({"game": "konane", "set": {"exploration": 0.5, "keep-proofs": true}, "time": 10.0, "simulations": 5}),
            "black",
        ),
    ] {
        let mut query = query;
        query["id"] = json!("q");
        let answer = one(&query);
        assert_eq!(answer["type"], "result", "{query}: {answer}");
        assert_eq!(answer["to_move"], to_move, "{query}");
        assert!(answer["best"].is_string());
    }
    let over = one(&json!({"id": "q", "game": "havannah", "size": 2, "moves": "a1 b2 a2"}));
    assert_eq!(
        (&over["best"], &over["proven"]),
        (&Value::Null, &json!("loss"))
    );
}

#[test]
fn a_line_that_is_no_json_is_told_with_the_id_that_it_has() {
    let lines = [
        "",
        "{\"id\": \"a\", \"game\": }",
        "nonsense",
        "{\"id\":\"v\",\"action\":\"version\"}",
    ];
    let answers = answers(&lines.map(str::to_owned), 1);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!("a"), &Value::Null, &json!("v")]);
    assert_eq!(answers[2]["schema"], 1);
}

#[test]
fn a_query_can_be_cancelled_at_work_and_in_the_queue() {
    let talk = Conversation::begin(1);
    let endless = json!({
        "id": "long", "game": "havannah", "size": 8, "moves": "a1 b2", "turns": "all", "time": 1e6, "every": 0.01,
    });
    talk.say(&endless);
    talk.wait(|answers| has(answers, "partial", "long"));
    talk.say(&json!({"id": "next", "game": "havannah", "size": 3, "moves": "a1", "turns": "all"}));
    talk.say(&json!({"id": "after", "game": "havannah", "size": 3}));
    talk.say(&json!({"id": "long", "game": "havannah", "size": 3}));
    talk.say(&json!({"id": "c1", "action": "cancel", "of": "next"}));
    let answers = talk.wait(|answers| has(answers, "cancelled", "next"));
    assert!(has(&answers, "error", "long"), "{answers:?}");
    assert!(!has(&answers, "result", "after"));
    talk.say(&json!({"id": "c2", "action": "cancel", "of": "long"}));
    talk.wait(|answers| has(answers, "result", "after"));
    let answers = talk.end();
    let of = |id: &str, kind: &str| {
        let mut found = answers
            .iter()
            .filter(|answer| answer["id"] == id && answer["type"] == kind);
        (found.next().cloned().unwrap_or_default(), found.count())
    };
    assert_eq!(of("next", "cancelled").0["turns"], json!([0, 1]));
    assert_eq!(of("long", "cancelled").0["turns"], json!([1, 2]));
    let (result, more) = of("long", "result");
    assert_eq!(
        (&result["stop"], &result["turn"], more),
        (&json!("stopped"), &json!(0), 0)
    );
    assert_eq!(of("long", "partial").0["turn"], 0);
    assert!(of("long", "partial").0.get("stop").is_none());
}

#[test]
fn partial_answers_come_as_often_as_they_are_asked_for() {
    let talk = Conversation::begin(2);
    let query = |id: &str| json!({"id": id, "game": "havannah", "size": 6, "time": 1e6});
    let mut often = query("often");
    often["every"] = json!(0.01);
    let mut seldom = query("seldom");
    seldom["every"] = json!(1e6);
    talk.say(&seldom);
    talk.say(&often);
    let of = |answers: &[Value], id: &str| -> Vec<Value> {
        let is_partial = |answer: &&Value| answer["type"] == "partial" && answer["id"] == id;
        answers.iter().filter(is_partial).cloned().collect()
    };
    talk.wait(|answers| of(answers, "often").len() >= 5);
    for id in ["often", "seldom"] {
        talk.say(&json!({"id": format!("stop {id}"), "action": "cancel", "of": id}));
    }
    let answers = talk.end();
    assert!(of(&answers, "seldom").is_empty(), "{answers:?}");
    let searched = |answer: &Value| answer["simulations"].as_u64().expect("a number");
    let often = of(&answers, "often");
    assert!(often.is_sorted_by_key(searched), "{often:?}");
    assert!(searched(&often[0]) < searched(&often[4]));
}

#[test]
fn the_most_urgent_query_comes_first_and_may_interrupt_others() {
    let talk = Conversation::begin(1);
    let block = json!({"id": "block", "game": "havannah", "size": 8, "time": 1e6, "every": 0.01, "priority": 9});
    talk.say(&block);
    talk.wait(|answers| has(answers, "partial", "block"));
    for (id, priority) in [("low", -1), ("first", 0), ("second", 0), ("high", 5)] {
        talk.say(&json!({"id": id, "game": "havannah", "size": 3, "priority": priority}));
    }
    talk.say(&json!({"id": "v", "action": "version"}));
    talk.wait(|answers| has(answers, "version", "v"));
    talk.say(&json!({"id": "c", "action": "cancel", "of": "block"}));
    let answers = talk.end();
    let order: Vec<&str> = answers
        .iter()
        .filter(|answer| answer["type"] == "result")
        .filter_map(|answer| answer["id"].as_str())
        .collect();
    assert_eq!(order, ["block", "high", "first", "second", "low"]);
}

#[test]
fn an_output_that_is_gone_ends_the_work() {
    struct Gone;
    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (say, said) = mpsc::channel();
    let endless = json!({"id": "a", "game": "havannah", "time": 1e6, "every": 0.01, "turns": "all", "moves": "a1"});
    say.send(format!("{endless}\n").into_bytes())
        .expect("heard");
    // The input stays open, and the call comes back all the same.
    serve(BufReader::new(Input(said)), Gone, 2, &defaults()).expect("no error");
    drop(say);
}
