//! A PostgreSQL of the tests' own, from the distribution's packages, on a free port in a folder that
//! goes away with it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server.
pub struct Postgres {
    folder: tempfile::TempDir,
    programs: PathBuf,
    port: u16,
    server: Option<Child>,
}

/// The folder with the programs of the newest version that is installed.
fn programs() -> Option<PathBuf> {
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| {
            entries
                .flatten()
                .map(|entry| entry.path().join("bin"))
                .collect()
        })
        .unwrap_or_default();
    versions.sort();
    versions.reverse();
    versions.extend(["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map(PathBuf::from));
    let needed = ["initdb", "postgres", "pg_isready", "pg_ctl"];
    versions
        .into_iter()
        .find(|folder| needed.iter().all(|name| folder.join(name).exists()))
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.starts_with(b"0\n"))
}

impl Postgres {
    /// Starts a server, or says in one line why there is none and how to have one.
    pub fn start() -> Option<Postgres> {
        if cfg!(not(feature = "postgres")) {
            eprintln!("skipped: built without the feature postgres");
            return None;
        }
        let Some(programs) = programs() else {
            eprintln!(
                "skipped: no PostgreSQL here; apt-get install postgresql (make test does it as root)"
            );
            return None;
        };
        let folder = tempfile::Builder::new()
            .prefix("papamu-postgres")
            .tempdir_in("/tmp")
            .expect("a folder");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        drop(listener);
        let mut postgres = Postgres {
            folder,
            programs,
            port,
            server: None,
        };
        if is_root() {
            // The server refuses to run as root.
            let owned = Command::new("chown")
                .arg("postgres")
                .arg(postgres.folder.path())
                .status();
            assert!(
                owned.is_ok_and(|status| status.success()),
                "a user called postgres"
            );
        }
        let data = postgres.data();
        let made = postgres
            .program("initdb")
            .args([
                "--auth=trust",
                "--username=arena",
                "--no-sync",
                "--encoding=UTF8",
                "--locale=C",
                "-D",
            ])
            .arg(&data)
            .stdout(Stdio::null())
            .status();
        assert!(made.is_ok_and(|status| status.success()), "initdb");
        postgres.restart();
        Some(postgres)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn program(&self, name: &str) -> Command {
        let path: &Path = &self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command
                .args(["--reuid=postgres", "--regid=postgres", "--clear-groups"])
                .arg(path);
            command
        } else {
            Command::new(path)
        };
        command
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// The address of its database.
    pub fn url(&self) -> String {
        format!("postgres://arena@127.0.0.1:{}/postgres", self.port)
    }

    /// Starts the server, again if it was killed.
    pub fn restart(&mut self) {
        let deadline = Instant::now() + Duration::from_mins(5);
        loop {
            let server = self
                .program("postgres")
                .args([
                    "-c",
                    "listen_addresses=127.0.0.1",
                    "-c",
                    "shared_buffers=16MB",
                    "-p",
                ])
                .arg(self.port.to_string())
                .arg("-k")
                .arg(self.folder.path())
                .arg("-D")
                .arg(self.data())
                .stdout(Stdio::null())
                .spawn();
            let mut server = server.expect("a server");
            // It ends at once while processes of the killed one are still there.
            while server.try_wait().expect("its state").is_none() {
                if self
                    .program("pg_isready")
                    .args(["-h", "127.0.0.1", "-p"])
                    .arg(self.port.to_string())
                    .stdout(Stdio::null())
                    .status()
                    .is_ok_and(|status| status.success())
                {
                    self.server = Some(server);
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
                assert!(Instant::now() < deadline, "the server does not start");
            }
            assert!(Instant::now() < deadline, "the server does not start");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Kills the server as a loss of power would: nothing is written any more.
    #[allow(dead_code, reason = "not every test kills it")]
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().expect("killed");
            server.wait().expect("its end");
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = self
                .program("pg_ctl")
                .args(["stop", "--mode=immediate", "--silent", "-D"])
                .arg(self.data())
                .stdout(Stdio::null())
                .status();
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}
