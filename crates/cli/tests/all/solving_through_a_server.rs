//! Solving by workers that know only the address and the token of a server, and by requests that are refused.
#![cfg(unix)]

use crate::solving::{POSITIONS, json, kills, papamu, solve_disturbed};
use game::random;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const TOKEN: &str = "a-token-of-the-tests";
const BEARER: &str = "Bearer a-token-of-the-tests";
/// The store of a server, in its folder.
const STORE: &str = "s.db";

/// A server that ends when it is dropped.
struct Server<'a> {
    folder: &'a Path,
    /// Its host and port.
    address: String,
    process: Child,
    /// It is kept open, so that the server can write.
    _output: BufReader<ChildStdout>,
}

/// A server with the store of a folder, at this port.
fn serve<'a>(folder: &'a Path, port: &str, options: &str) -> Option<Server<'a>> {
    fs::write(folder.join("token.txt"), format!("{TOKEN}\n")).expect("written");
    let line = format!("serve --port {port} --games games.db --store {STORE} {options}");
    let mut command = papamu(folder, &line);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().expect("a server");
    let mut output = BufReader::new(process.stdout.take().expect("its output"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split('/').next());
    let Some(address) = address else {
        process.wait().expect("its end");
        return None;
    };
    Some(Server {
        folder,
        address: address.to_owned(),
        process,
        _output: output,
    })
}

const FOR_WORKERS: &str = "--worker-token-file token.txt";

impl Server<'_> {
    fn start(folder: &Path) -> Server<'_> {
        serve(folder, "0", FOR_WORKERS).expect("a server")
    }

    /// What a worker is told to find it.
    fn source(&self) -> String {
        let token = self.folder.join("token.txt");
        format!("http://{} --token-file {}", self.address, token.display())
    }

    fn kill(&mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("its end");
    }

    /// Starts it again where it was.
    fn restart(&mut self) {
        let port = self.address.rsplit(':').next().expect("a port").to_owned();
        let deadline = Instant::now() + Duration::from_mins(2);
        loop {
            // Somebody may use the port for a moment.
            if let Some(server) = serve(self.folder, &port, FOR_WORKERS) {
                *self = server;
                return;
            }
            assert!(Instant::now() < deadline, "the port {port} is not free");
            sleep(Duration::from_millis(50));
        }
    }

    /// Sends a request of a worker; gives the status and the answer.
    fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let mut request = format!(
            "POST /api/work HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.address,
            body.len()
        );
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        // One that is refused early need not be read to its end.
        let _ = stream.write_all(format!("{request}\r\n{body}").as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let body = serde_json::from_str(body).unwrap_or(Value::Null);
        (status.expect("a status"), body)
    }

    /// The answer to a request as the program would send it.
    fn ask(&self, request: &Value) -> Value {
        let (status, answer) = self.post(&allowed(), &request.to_string());
        assert_eq!(status, 200, "{request}: {answer}");
        answer
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The headers of a worker of this version that has the token.
fn allowed() -> [(&'static str, &'static str); 2] {
    let version = env!("CARGO_PKG_VERSION");
    [("authorization", BEARER), ("papamu-version", version)]
}

#[test]
fn workers_without_the_store_solve_what_one_process_solves() {
    let mut rng = random::seeded(21);
    for position in [POSITIONS[0], POSITIONS[1]] {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(folder.path());
        let store = folder.path().join(STORE).display().to_string();
        // Nobody else searches before the value is known.
        solve_disturbed(&store, &server.source(), position, &mut rng, |_, _| {});
    }
}

#[test]
fn workers_and_their_server_are_killed_at_any_moment() {
    let mut rng = random::seeded(22);
    let (mut workers_killed, mut servers_killed) = (0, 0);
    let most = kills("PAPAMU_SERVER_KILLS", 6);
    let mut worked = false;
    for &position in POSITIONS.iter().cycle() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Server::start(folder.path());
        let store = folder.path().join(STORE).display().to_string();
        let source = server.source();
        worked |= solve_disturbed(&store, &source, position, &mut rng, |workers, rng| {
            if workers_killed < most && (servers_killed >= most || random::below(2, rng) == 0) {
                workers_killed += usize::from(workers.replace(workers_killed));
            } else if servers_killed < most {
                server.kill();
                sleep(Duration::from_millis(u64::from(random::below(1000, rng))));
                server.restart();
                servers_killed += 1;
            }
        });
        if workers_killed >= most && servers_killed >= most {
            break;
        }
    }
    assert!(worked, "the nodes of those that were killed stay");
}

/// A position in the store of a folder, and its run as a worker gets it.
fn published(folder: &Path, server: &Server<'_>) -> Value {
    let line =
        format!("solve konane --rows 5 --cols 6 --setup centre --store {STORE} --time 0 --json");
    json(folder, &line, None, &[3]);
    server.ask(&json!("Runs"))[0].clone()
}

/// What the store of a folder has, without what changes by itself.
fn state(folder: &Path) -> Vec<Value> {
    let mut rows = json(folder, &format!("status {STORE} --json"), None, &[0]);
    for row in &mut rows {
        if let Some(row) = row.as_object_mut() {
            row.remove("age");
        }
    }
    rows
}

#[test]
fn what_a_server_cannot_allow_or_read_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let run = published(folder.path(), &server);
    let before = state(folder.path());
    let lease = json!({"secs": 60, "nanos": 0});
    let wanted = json!({"jobs": 1, "lease": lease});
    let take = json!({"Deliver": {"run": run, "worker": "w#0", "results": [], "wanted": wanted}});
    let take = take.to_string();
    let [token, version] = allowed();
    let large = format!("\"{}\"", "x".repeat(4 << 20));
    let mut unknown = run.clone();
    unknown["id"] = "of-nobody".into();
    let unknown = take.replace(&run.to_string(), &unknown.to_string());
    for (headers, body, status, why) in [
        (vec![version], &*take, 401, "--token-file"),
        (
            vec![("authorization", "Basic abc"), version],
            &take,
            401,
            "--token-file",
        ),
        (
            vec![("authorization", "Bearer a-token-of-the-testS"), version],
            &take,
            403,
            "not the one of this server",
        ),
        (
            vec![("authorization", "Bearer "), version],
            &take,
            401,
            "--token-file",
        ),
        (vec![token], &take, 409, "the worker is papamu unknown"),
        (
            vec![token, ("papamu-version", "0.0.9")],
            &take,
            409,
            "use the same version",
        ),
        (vec![token, version], "", 400, "no request"),
        (
            vec![token, version],
            &take[..take.len() - 1],
            400,
            "no request",
        ),
        (vec![token, version], "\"Drop\"", 400, "unknown variant"),
        (
            vec![token, version],
            "{\"Deliver\": {}}",
            400,
            "missing field",
        ),
        (
            vec![token, version],
            &take.replace("\"secs\":60", "\"secs\":-1"),
            400,
            "no request",
        ),
        (vec![token, version], &large, 413, "at most 4 MiB"),
        (vec![token, version], &unknown, 500, "no run of-nobody"),
    ] {
        let (found, answer) = server.post(&headers, body);
        let message = answer["message"].as_str().unwrap_or_default();
        let body: String = body.chars().take(200).collect();
        assert_eq!(found, status, "{headers:?} {body}: {answer}");
        assert!(message.contains(why), "{headers:?} {body}: {answer}");
    }
    assert_eq!(state(folder.path()), before);
}

#[test]
fn results_that_are_late_or_of_another_run_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let run = published(folder.path(), &server);
    let deliver = |worker: &str, results: &[Value], wanted: Value| {
        let request = json!({"run": run, "worker": worker, "results": results, "wanted": wanted});
        json!({"Deliver": request})
    };
    let wanted = |seconds: u64| json!({"jobs": 1, "lease": {"secs": seconds, "nanos": 0}});
    let take = |worker: &str, seconds: u64| {
        let answer = server.ask(&deliver(worker, &[], wanted(seconds)));
        answer["taken"]["Jobs"][0].clone()
    };
    let numbers = json!({"proof": 1, "disproof": 1, "lost": false});
    let found = json!({"numbers": numbers, "nodes": 5, "children": []});
    let store =
        |worker: &str, given: &Value| deliver(worker, &[json!([given, found])], json!(null));
    let answer = |is_stored: bool| json!({"stored": [is_stored], "taken": {"Jobs": []}, "least_noted": null});
    let late = take("a#0", 0);
    let valid = take("b#0", 600);
    assert_eq!(
        late["lease"]["job"], valid["lease"]["job"],
        "{late} {valid}"
    );
    assert_eq!(
        take("c#0", 600),
        Value::Null,
        "there is one job, and it is taken"
    );
    assert_eq!(server.ask(&store("a#0", &late)), answer(false));
    // A valid lease is no right to store something elsewhere.
    for (field, other) in [("name", json!("elsewhere")), ("attacker", json!("Black"))] {
        let mut moved = valid.clone();
        moved["tree"][field] = other;
        let (status, answer) = server.post(&allowed(), &store("b#0", &moved).to_string());
        assert_eq!(status, 400, "{answer}");
        let why = "a result of a job of another run, question or worker";
        assert_eq!(answer["message"], why);
    }
    let (status, _) = server.post(&allowed(), &store("c#0", &valid).to_string());
    assert_eq!(status, 400, "nor to store what another one has found");
    assert_eq!(state(folder.path())[0]["nodes"], 0);
    assert_eq!(server.ask(&store("b#0", &valid)), answer(true));
    // A worker that has not heard the answer asks again.
    assert_eq!(server.ask(&store("b#0", &valid)), answer(true));
    assert_eq!(state(folder.path())[0]["nodes"], 5);

    // One that goes on gets its next job with the answer, and gives it back if it has not heard of it.
    let valid = take("b#0", 600);
    let more = deliver("b#0", &[json!([valid, found])], wanted(600));
    let next = server.ask(&more)["taken"]["Jobs"][0].clone();
    assert_eq!(next["lease"]["worker"], "b#0", "{next}");
    assert_eq!(take("c#0", 600), Value::Null);
    assert_eq!(server.ask(&more), answer(false));
    assert_eq!(state(folder.path())[0]["nodes"], 10);
    let taken = take("c#0", 600);
    assert_eq!(taken["lease"]["job"], next["lease"]["job"], "{taken}");
}

#[test]
fn a_server_shows_how_far_its_positions_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let server = Server::start(folder);
    published(folder, &server);
    let runs = |rows: Vec<Value>| {
        let mut runs: Vec<_> = rows
            .into_iter()
            .filter(|row| row["run"].is_string())
            .collect();
        for run in &mut runs {
            run["age"] = Value::Null;
        }
        runs
    };
    let status = |place: &str| json(folder, &format!("status {place} --json"), None, &[0]);
    let shown = status(&server.source());
    assert_eq!(shown[0]["board"], "5x6 centre", "{shown:?}");
    assert_eq!(shown.len(), 1);
    assert_eq!(runs(shown), runs(status(STORE)));
}

#[test]
fn command_lines_that_cannot_work_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let server = Server::start(folder);
    let closed = serve(folder, "0", "");
    fs::write(folder.join("short.txt"), "abc\n").expect("written");
    fs::write(folder.join("other.txt"), "another-token-of-the-tests").expect("written");
    let (at, token) = (&server.address, "--token-file token.txt");
    let mut lines = vec![
        (format!("worker http://{at}"), "--token-file FILE"),
        (
            format!("worker http://{at} --token-file none.txt"),
            "cannot read the token",
        ),
        (
            format!("worker http://{at} --token-file short.txt"),
            "at least 16 characters",
        ),
        (
            format!("worker http://{at} --token-file other.txt"),
            "not the one of this server",
        ),
        (
            format!("worker https://{at} {token}"),
            "only http:// is possible",
        ),
        (
            format!("worker {STORE} {token}"),
            "is for the address of a server",
        ),
        (
            format!("worker http://127.0.0.1:1 {token} --patience 0"),
            "no connection",
        ),
        (
            format!("solve konane --size 4 --store http://{at}"),
            "only `papamu worker` and `papamu status`",
        ),
        (format!("status http://{at}"), "--token-file FILE"),
        (
            format!("status http://{at} --token-file other.txt"),
            "not the one of this server",
        ),
        (
            format!("arena status --store http://{at}"),
            "this needs the store itself",
        ),
        ("serve --worker-token-file token.txt".to_owned(), "--store"),
        (
            format!("serve --store {STORE} --worker-token-file short.txt"),
            "at least 16 characters",
        ),
    ];
    // Without the browser app, there is no server without workers.
    let address = closed.as_ref().map(|server| server.address.clone());
    if let Some(at) = address {
        lines.push((
            format!("worker http://{at} {token}"),
            "this server gives workers no jobs",
        ));
    }
    for (line, why) in lines {
        let output = papamu(folder, &line).output().expect("the program");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(why), "{line}: {said}");
        assert!(!said.contains("token-of-the-tests"), "{line}: {said}");
    }
    assert!(!folder.join("http:").exists());
}
