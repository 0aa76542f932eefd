//! A running server, and the plainest of clients.

pub mod schema;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use web::{Config, Server};

/// A server that ends when it is dropped.
pub struct Running {
    pub address: SocketAddr,
    task: JoinHandle<()>,
    /// Goes away with the server.
    folder: Option<TempDir>,
}

/// How the tests serve: with one place for searches.
pub fn config(folder: &Path, token: Option<&str>) -> Config {
    Config {
        address: "127.0.0.1:0".parse().unwrap(),
        token: token.map(str::to_owned),
        games: folder.join("games.sqlite"),
        checkpoint_every: Duration::from_millis(300),
        experiments: folder.join("arena.db").display().to_string(),
        worker_token: None,
        threads: 1,
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What was answered.
pub struct Answer {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub bytes: Vec<u8>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }
}

impl Running {
    pub async fn start(token: Option<&str>) -> Running {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Running::start_in(folder.path(), token).await;
        server.folder = Some(folder);
        server
    }

    pub async fn start_in(folder: &Path, token: Option<&str>) -> Running {
        let server = Server::start(config(folder, token)).await.unwrap();
        Running {
            address: server.address(),
            task: tokio::spawn(async move {
                server.run(std::future::pending()).await.unwrap();
            }),
            folder: None,
        }
    }

    /// Asks with these headers.
    pub async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.request("GET", path, headers, &[]).await
    }

    /// Asks as the own page does.
    pub async fn own(&self, method: &str, path: &str, body: &str) -> Answer {
        self.own_bytes(method, path, body.as_bytes()).await
    }

    pub async fn own_bytes(&self, method: &str, path: &str, body: &[u8]) -> Answer {
        let host = self.address.to_string();
        let origin = format!("http://{host}");
        let kind = "application/json";
        let headers = [
            ("host", &*host),
            ("origin", &origin),
            ("content-type", kind),
        ];
        self.request(method, path, &headers, body).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.own("POST", path, &body.to_string()).await
    }

    pub async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("content-length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).await.unwrap();
        // A server that refuses early need not read to the end.
        let _ = stream.write_all(body).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        parsed(&answer)
    }
}

fn parsed(answer: &[u8]) -> Answer {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.expect("an answer with headers");
    let head = String::from_utf8_lossy(&answer[..end]);
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let mut bytes = answer[end + 4..].to_vec();
    if headers
        .iter()
        .any(|(name, value)| name == "transfer-encoding" && value == "chunked")
    {
        bytes = joined(&bytes);
    }
    Answer {
        status: status.parse().unwrap(),
        headers,
        body: String::from_utf8_lossy(&bytes).into_owned(),
        bytes,
    }
}

/// The chunks of a body without their lengths.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunks.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&chunks[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        chunks = &chunks[end + 2..];
        if length == 0 {
            break;
        }
        body.extend_from_slice(&chunks[..length]);
        chunks = &chunks[length + 2..];
    }
    body
}

/// The WebSocket of a page.
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    pub async fn open(server: &Running) -> Socket {
        let stream = TcpStream::connect(server.address).await.unwrap();
        let address = format!("ws://{}/api/live", server.address);
        let (socket, _) = tokio_tungstenite::client_async(address, stream)
            .await
            .unwrap();
        Socket(socket)
    }

    pub async fn send(&mut self, text: &str) {
        // A server that has had enough may have closed already.
        let _ = self.0.send(Message::text(text)).await;
    }

    pub async fn ask(&mut self, ask: &Value) {
        self.send(&ask.to_string()).await;
    }

    /// The next message; `None` when the server has closed.
    pub async fn told(&mut self) -> Option<Value> {
        loop {
            match self.0.next().await? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
}
