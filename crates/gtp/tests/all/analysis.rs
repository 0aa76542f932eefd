//! What goes on while the next command is awaited: analysis and pondering.

use engine::{BoardOptions, Setting};
use gtp::{Respond, Session, SessionOptions, parse_line, serve};
use search::StopFlag;
use std::io::{self, BufReader, Read, Write};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

fn session(size: &str, settings: &[&str]) -> Session<havannah::Position> {
    let settings = settings.iter().map(|text| text.parse::<Setting>());
    let options = SessionOptions {
        simulations: Some(200),
        settings: settings.collect::<Result<_, _>>().expect("settings"),
        ..SessionOptions::default()
    };
    let board = BoardOptions::sized(size);
    Session::new(board, &options).expect("a session")
}

fn ask(session: &mut Session<havannah::Position>, line: &str) -> Result<String, String> {
    let command = parse_line(line.as_bytes()).expect("a command");
    session
        .respond(&command.expect("no comment"), Instant::now())
        .result
}

/// An input that is written to line by line, and an output that is read meanwhile.
struct Lines(mpsc::Receiver<Vec<u8>>, Vec<u8>);

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<String>>);

impl Output {
    fn so_far(&self) -> String {
        self.0.lock().expect("no panic").clone()
    }

    /// Waits until the output is as wanted.
    fn wait(&self, wanted: impl Fn(&str) -> bool) -> String {
        loop {
            let so_far = self.so_far();
            if wanted(&so_far) {
                return so_far;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.lock().expect("no panic").push_str(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_analysis_goes_on_until_the_next_command() {
    let (say, said) = mpsc::channel();
    let output = Output::default();
    let to = output.clone();
    let conversation = thread::spawn(move || {
        let input = BufReader::new(Lines(said, Vec::new()));
        serve(session("5", &[]), input, to)
    });
    say.send(b"7 lz-analyze white 1\n".to_vec()).expect("heard");
    let begun = output.wait(|text| text.matches('\n').count() > 4);
    assert!(begun.starts_with("=7 \ninfo move "), "{begun}");
    assert!(!begun.contains("\n\n"), "it has ended: {begun}");
    say.send(b"name\n".to_vec()).expect("heard");
    let ended = output.wait(|text| text.ends_with("= Papamu\n\n"));
    assert_eq!(ended.matches("\n\n").count(), 2);
    for line in ended.lines().filter(|line| line.starts_with("info")) {
        for (order, info) in line.split("info move ").skip(1).enumerate() {
            let words: Vec<&str> = info.split_whitespace().collect();
            let keys = ["visits", "winrate", "prior", "lcb", "order"];
            for (key, pair) in keys.iter().zip(words[1..].chunks(2)) {
                assert_eq!(pair[0], *key, "{info}");
                assert!(pair[1].parse::<u64>().is_ok(), "{info}");
            }
            assert_eq!(words[10], order.to_string(), "{info}");
            assert_eq!(words[11..13], ["pv", words[0]], "{info}");
        }
    }
    drop(say);
    conversation.join().expect("no panic").expect("no error");
}

/// Without `ponder` nothing happens between the commands; with it, the move after the opponent's finds
/// what was thought meanwhile.
#[test]
fn a_player_ponders_only_if_it_is_told_to() {
    let visits = |settings: &[&str], pause: Duration| {
        let mut session = session("4", settings);
        ask(&mut session, "genmove white").expect("a move");
        let next = StopFlag::new();
        thread::scope(|scope| {
            let flag = next.clone();
            scope.spawn(move || {
                thread::sleep(pause);
                flag.raise();
            });
            session.settle(&next);
        });
        let line = ask(&mut session, "pv").expect("a line");
        let reply = line.split(' ').nth(1).expect("a reply").to_owned();
        ask(&mut session, &format!("play black {reply}")).expect("legal");
        ask(&mut session, "genmove white").expect("a move");
        let stats = ask(&mut session, "move_stats").expect("a table");
        let counts = stats.lines().filter_map(|line| line.split(' ').nth(1));
        counts
            .map(|count| count.parse::<u64>().expect("visits"))
            .sum::<u64>()
    };
    let pauses = [200, 2_000, 20_000].map(Duration::from_millis);
    let without = visits(&["book=no"], pauses[0]);
    assert!(without < 2_000, "{without}");
    // How much more depends on what else the machine has to do: one that is busy gets more time.
    let mut with = pauses
        .iter()
        .map(|&pause| visits(&["book=no", "ponder=yes"], pause));
    assert!(with.any(|with| with > without), "{without}");
}

#[test]
fn statistics_for_people_and_programs() {
    let mut session = session("4", &["book=no"]);
    assert!(ask(&mut session, "stats").is_err());
    ask(&mut session, "genmove white").expect("a move");
    let text = ask(&mut session, "stats").expect("a text");
    for word in ["descent", "plies in the mean", "fork", "expects"] {
        assert!(text.contains(word), "{text}");
    }
    let json = ask(&mut session, "stats json").expect("a line");
    for key in [
        "\"phases\"",
        "\"back_propagation\"",
        "\"max_depth\"",
        "\"principal_variation\"",
        "\"lower_bound\"",
    ] {
        assert!(json.contains(key), "{json}");
    }
    assert!(ask(&mut session, "stats xml").is_err());
}
