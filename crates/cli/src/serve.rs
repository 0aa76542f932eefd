//! `papamu serve`: the web app.

use crate::args::{seconds, token_in};
use crate::output;
use crate::signals::Signals;
use anyhow::{Context, Result, ensure};
use directories::ProjectDirs;
use qrcode::render::unicode::Dense1x2;
use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use web::{Config, Server};

/// Serve the web app: play, analyse, review and solve in a browser.
///
/// Without --host only this machine can reach the server. With another address, requests need the token that the server
/// prints.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu serve --port 8080
  papamu serve --port 8080 --store solving.db --worker-token-file token.txt")]
pub struct Args {
    /// Port, 0 to 65535; 0 takes any free one [default: 7878, or any free one if it is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Address to listen on
    #[arg(long, value_name = "A", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// File of the saved games [default: papamu/games.sqlite in the user's data folder]
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// The store of the experiments to show, and of the positions that workers solve through this server: a file, or
    /// <postgres://user@host/database>
    #[arg(
        long,
        value_name = "PLACE",
        env = "PAPAMU_STORE",
        default_value = "arena.db"
    )]
    store: String,
    /// Let workers without access to the store solve its positions through this server (see `papamu worker --help`): the
    /// file of the token, at least 16 characters, which they must have
    #[arg(long, value_name = "FILE", requires = "store")]
    worker_token_file: Option<PathBuf>,
    /// Search threads, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seconds between checkpoints of a solver; a restarted server resumes from the last one
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds)]
    checkpoint_every: Duration,
    /// Open the address in the browser
    #[arg(long)]
    open: bool,
    /// Self-test: start, request the page once, and exit
    #[arg(long, conflicts_with = "open")]
    check: bool,
    /// Print the description of the interface (`OpenAPI`, JSON), and exit
    #[arg(long)]
    describe: bool,
}

const DEFAULT_PORT: u16 = 7878;

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        if self.describe {
            output::text(&(web::openapi().to_pretty_json()? + "\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        // Workers need no browser app.
        let needs_app = self.check || self.worker_token_file.is_none();
        ensure!(
            web::is_built() || !needs_app,
            "this papamu was built without the browser app: run `make build` in its source folder, \
             which needs Node.js, and use target/release/papamu"
        );
        let threads = match self.threads {
            Some(threads) => usize::from(threads),
            None => available_parallelism().map_or(1, usize::from),
        };
        let config = Config {
            address: SocketAddr::new(self.host, self.free_port()),
            token: (!self.host.is_loopback()).then(token).transpose()?,
            games: self.games_file()?,
            checkpoint_every: self.checkpoint_every,
            experiments: self.store.clone(),
            worker_token: self
                .worker_token_file
                .as_deref()
                .map(token_in)
                .transpose()?,
            threads,
        };
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(serve(config, self.open, self.check))?;
        // Searches of pages that are still open end with the program.
        runtime.shutdown_background();
        Ok(ExitCode::SUCCESS)
    }

    fn free_port(&self) -> u16 {
        self.port.unwrap_or_else(|| {
            match TcpListener::bind(SocketAddr::new(self.host, DEFAULT_PORT)) {
                Ok(_) => DEFAULT_PORT,
                Err(_) => 0,
            }
        })
    }

    fn games_file(&self) -> Result<PathBuf> {
        if let Some(file) = &self.games {
            return Ok(file.clone());
        }
        let folders = ProjectDirs::from("", "", "papamu")
            .context("this user has no data folder: name a file with --games")?;
        let folder = folders.data_dir();
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder.join("games.sqlite"))
    }
}

async fn serve(config: Config, open: bool, check: bool) -> Result<()> {
    let is_local = config.address.ip().is_loopback();
    let has_workers = config.worker_token.is_some();
    let server = Server::start(config).await?;
    if check {
        return answers(server).await;
    }
    // Whoever has read the address can end the server.
    let signals = Signals::listen().ok();
    let address = server.link().to_owned();
    output::text(&format!("Papamu is at {address} (Ctrl-C ends it)\n"))?;
    if has_workers {
        let place = address.split("/?").next().unwrap_or(&address);
        let place = place.trim_end_matches('/');
        output::text(&format!(
            "Workers solve with: papamu worker {place} --token-file FILE\n"
        ))?;
    }
    if !is_local && std::io::stdout().is_terminal() {
        output::text(&picture(&address)?)?;
    }
    if open && webbrowser::open(&address).is_err() {
        tracing::info!("no browser to open it in");
    }
    let stopped = async {
        // Without signals there is nothing to wait for: the server runs until it is killed.
        if let Some(mut signals) = signals
            && signals.next().await.is_some()
        {
            return;
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        ended = server.run(std::future::pending()) => ended.context("the server failed"),
        () = stopped => Ok(()),
    }
}

/// Asks the server for its page.
async fn answers(server: Server) -> Result<()> {
    let address = server.address();
    tokio::spawn(server.run(std::future::pending()));
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let status = answer.lines().next().unwrap_or_default();
    ensure!(
        status.contains(" 200 "),
        "the request for the page was answered with {status:?}"
    );
    output::text(&format!(
        "The web app answers at http://{address}/; `papamu serve --open` opens it\n"
    ))
}

/// The address as a QR code, for the camera of a phone.
fn picture(address: &str) -> Result<String> {
    let code = qrcode::QrCode::new(address).context("the address does not fit a QR code")?;
    // Dark on light is what cameras expect; most terminals are light on dark.
    Ok(code
        .render::<Dense1x2>()
        .dark_color(Dense1x2::Light)
        .light_color(Dense1x2::Dark)
        .build()
        + "\n")
}

/// A word that nobody guesses.
fn token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).context("the system gives no random numbers")?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
