//! The queries of `papamu analyse --json`: each line is a job, or gets an error with its id.

use analysis::{Defaults, Job, Query, serve};
use serde_json::Value;
use std::io::Cursor;

const DICTIONARY: &[&str] = &[
    "{\"id\": \"a\", ",
    "{\"id\": 7, ",
    "{",
    "}",
    "[",
    "]",
    ", ",
    ": ",
    "\"",
    "\"schema\": 1",
    "\"game\": \"havannah\"",
    "\"game\": \"konane\"",
    "\"game\": \"hex\"",
    "\"size\": ",
    "\"rows\": ",
    "\"cols\": ",
    "\"setup\": \"centre\"",
    "\"stones\": \"white a1 b2 black c1\"",
    "\"turn\": \"black\"",
    "\"dialect\": \"grid\"",
    "\"moves\": ",
    "\"turns\": ",
    "\"all\"",
    "\"player\": ",
    "\"uct\"",
    "\"set\": {\"exploration\": ",
    "\"seed\": ",
    "\"time\": ",
    "\"simulations\": ",
    "\"nodes\": ",
    "\"depth\": ",
    "\"priority\": ",
    "\"every\": ",
    "\"report\": [\"moves\", \"review\", \"network\"]",
    "\"most_moves\": ",
    "\"action\": \"version\"",
    "\"action\": \"cancel\", \"of\": \"a\"",
    "\"a1 b2\"",
    "\"a1-c1\"",
    "0",
    "1",
    "4",
    "-",
    "0.5",
    "1e400",
    "null",
    "true",
    "\\u00e9",
    "\n",
];

#[test]
fn read() {
    let check = bolero::check!().with_iterations(5_000).with_max_len(60);
    check.for_each(|bytes: &[u8]| {
        for line in fuzz::input(bytes, DICTIONARY).split(|&byte| byte == b'\n') {
            check_line(line);
        }
    });
}

/// What can be searched is not searched here: that may take long.
fn check_line(line: &[u8]) {
    let text = String::from_utf8_lossy(line);
    let mut value: Value = serde_json::from_str(&text).unwrap_or_default();
    let id = value.get("id").and_then(Value::as_str).map(str::to_owned);
    if let Some(object) = value.as_object_mut() {
        object.remove("action");
    }
    if let Ok(query) = serde_json::from_value::<Query>(value)
        && let Ok(mut job) = Job::new(query, &Defaults::default())
    {
        job.stop_flag().raise();
        assert!(!job.step(&mut |answer| panic!("{text:?}: {answer:?}")));
        return;
    }
    let mut answers = Vec::new();
    let input = Cursor::new(line.to_vec());
    serve(input, &mut answers, 1, &Defaults::default()).expect("in memory");
    let answers = String::from_utf8(answers).expect("UTF-8");
    let mut answers = answers.lines();
    let answer = answers.next();
    assert_eq!(answer.is_some(), !text.trim().is_empty(), "{text:?}");
    assert_eq!(answers.next(), None, "{text:?}");
    // Of several the reader of JSON takes the last, and an answer to what is no JSON the first.
    let has_one = text.matches("\"id\"").count() == 1;
    if let (Some(answer), Some(id), true) = (answer, id, has_one) {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        assert_eq!(answer["id"], Value::String(id), "{text:?}: {answer}");
    }
}
