//! Processes of the program.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// For what is expected to happen.
pub const LONG: Duration = Duration::from_mins(10);

/// A running program, which ends with the test.
pub struct Process(pub Child);

impl Process {
    /// Kills it (`kill -9`).
    pub fn kill(&mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("its end");
    }

    /// Sends a signal, such as `-INT`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .arg(name)
            .arg(self.0.id().to_string())
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "kill {name}");
    }

    /// What it writes on its standard error, line by line.
    pub fn messages(&mut self) -> impl Iterator<Item = String> + use<> {
        let stderr: ChildStderr = self.0.stderr.take().expect("its standard error");
        BufReader::new(stderr).lines().map_while(Result::ok)
    }

    /// Waits for its end.
    pub fn status(&mut self) -> ExitStatus {
        let deadline = Instant::now() + LONG;
        loop {
            if let Some(status) = self.0.try_wait().expect("its state") {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for its end, which must be in order, and returns what it wrote on its standard error.
    pub fn end(mut self) -> String {
        let status = self.status();
        let mut text = String::new();
        if let Some(mut stderr) = self.0.stderr.take() {
            stderr.read_to_string(&mut text).expect("its messages");
        }
        assert!(status.success(), "{text}");
        text
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts `papamu arena` with arguments.
pub fn papamu(arguments: &[&str]) -> Process {
    start(&[&["arena"][..], arguments].concat())
}

/// Starts the program with arguments.
pub fn start(arguments: &[&str]) -> Process {
    let child = Command::new(env!("CARGO_BIN_EXE_papamu"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    Process(child.expect("the program"))
}

/// What `papamu arena` with arguments writes.
pub fn text(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_papamu"))
        .arg("arena")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("text")
}

/// What `papamu arena` with arguments writes, which must be JSON, an object a line.
pub fn json(arguments: &[&str]) -> Vec<Value> {
    let object = |line: &str| serde_json::from_str(line).expect("JSON");
    text(arguments).lines().map(object).collect()
}
