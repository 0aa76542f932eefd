//! What a worker does, for Prometheus: a page of text at `/metrics`.

use anyhow::{Context, Result};
use arena::Ledger;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The longest request that is read, in bytes, and the longest time for it.
const MAX_REQUEST: usize = 8 << 10;
const PATIENCE: Duration = Duration::from_secs(5);

/// A number with its name.
pub struct Metric {
    name: &'static str,
    kind: &'static str,
    help: &'static str,
    value: u64,
}

impl Metric {
    /// A number that only grows.
    pub fn counter(name: &'static str, help: &'static str, value: u64) -> Metric {
        Metric {
            name,
            kind: "counter",
            help,
            value,
        }
    }

    /// A number that goes up and down.
    fn gauge(name: &'static str, help: &'static str, value: u64) -> Metric {
        Metric {
            name,
            kind: "gauge",
            help,
            value,
        }
    }
}

/// Serves metrics at an address such as `127.0.0.1:9600` from now on.
pub async fn serve(
    address: &str,
    metrics: impl Fn() -> Vec<Metric> + Send + 'static,
) -> Result<()> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}"))?;
    eprintln!("metrics at http://{}/metrics", listener.local_addr()?);
    tokio::spawn(async move {
        // One asker at a time is enough: Prometheus asks every few seconds.
        while let Ok((stream, _)) = listener.accept().await {
            let _ = tokio::time::timeout(PATIENCE, answer(stream, page(&metrics()))).await;
        }
    });
    Ok(())
}

async fn answer(mut stream: TcpStream, page: String) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < MAX_REQUEST {
        if stream.read_buf(&mut request).await? == 0 {
            break;
        }
    }
    let (status, body) = if request.starts_with(b"GET /metrics") {
        ("200 OK", page)
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

fn page(metrics: &[Metric]) -> String {
    let line = |metric: &Metric| {
        let Metric {
            name,
            kind,
            help,
            value,
        } = metric;
        format!("# HELP {name} {help}.\n# TYPE {name} {kind}\n{name} {value}\n")
    };
    metrics.iter().map(line).collect()
}

/// What was played of experiments.
pub fn of_games(ledger: &Ledger) -> Vec<Metric> {
    let [stored, refused, faulty, playing, stuck] = [
        ledger.stored(),
        ledger.refused(),
        ledger.faults(),
        ledger.playing(),
        ledger.stuck(),
    ]
    .map(|count| count as u64);
    vec![
        Metric::counter("papamu_games_stored_total", "Games stored", stored),
        Metric::counter(
            "papamu_games_refused_total",
            "Games that came too late or twice",
            refused,
        ),
        Metric::counter(
            "papamu_games_faulty_total",
            "Games that a player lost by a fault",
            faulty,
        ),
        Metric::gauge("papamu_games_playing", "Games under way", playing),
        Metric::gauge(
            "papamu_threads_stuck",
            "Threads whose move takes longer than it may",
            stuck,
        ),
    ]
}
