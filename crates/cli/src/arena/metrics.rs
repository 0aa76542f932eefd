//! What a worker does, for Prometheus: a page of text at `/metrics`.

use anyhow::{Context, Result};
use arena::Ledger;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The longest request that is read, in bytes, and the longest time for it.
const MAX_REQUEST: usize = 8 << 10;
const PATIENCE: Duration = Duration::from_secs(5);

/// Serves the metrics of a ledger at an address such as `127.0.0.1:9600` from now on.
pub async fn serve(address: &str, ledger: &Ledger) -> Result<()> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}"))?;
    eprintln!("metrics at http://{}/metrics", listener.local_addr()?);
    let ledger = ledger.clone();
    tokio::spawn(async move {
        // One asker at a time is enough: Prometheus asks every few seconds.
        while let Ok((stream, _)) = listener.accept().await {
            let _ = tokio::time::timeout(PATIENCE, answer(stream, &ledger)).await;
        }
    });
    Ok(())
}

async fn answer(mut stream: TcpStream, ledger: &Ledger) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < MAX_REQUEST {
        if stream.read_buf(&mut request).await? == 0 {
            break;
        }
    }
    let (status, body) = if request.starts_with(b"GET /metrics") {
        ("200 OK", page(ledger))
    } else {
        ("404 Not Found", "the metrics are at /metrics\n".to_owned())
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}

fn page(ledger: &Ledger) -> String {
    let lines = [
        (
            "papamu_games_stored_total",
            "counter",
            "Games stored",
            ledger.stored(),
        ),
        (
            "papamu_games_refused_total",
            "counter",
            "Games that came too late or twice",
            ledger.refused(),
        ),
        (
            "papamu_games_faulty_total",
            "counter",
            "Games that a player lost by a fault",
            ledger.faults(),
        ),
        (
            "papamu_games_playing",
            "gauge",
            "Games under way",
            ledger.playing(),
        ),
        (
            "papamu_threads_stuck",
            "gauge",
            "Threads whose move takes longer than it may",
            ledger.stuck(),
        ),
    ];
    let line = |(name, kind, help, value): (&str, &str, &str, usize)| {
        format!("# HELP {name} {help}.\n# TYPE {name} {kind}\n{name} {value}\n")
    };
    lines.map(line).concat()
}
