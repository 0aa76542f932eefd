//! The server: its parts, its start and its end.

use crate::certificates::Certificates;
use crate::experiments::Experiments;
use crate::guard::{self, Guard};
use crate::pool::Pool;
use crate::saved::SavedGames;
use crate::unfinished::Unfinished;
use crate::{api, assets, live};
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{any, get};
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 is any free one.
    pub address: SocketAddr,
    /// What every request must have; needed where the address is not on the loopback interface.
    pub token: Option<String>,
    /// The file with the saved games. A folder beside it has what solvers know that are not finished.
    pub games: PathBuf,
    /// How often a solver at work writes there what it knows.
    pub checkpoint_every: Duration,
    /// The store of the arena: a file, which need not be there, or the address of a database.
    pub experiments: String,
    /// Threads that search.
    pub threads: usize,
}

/// Why the server did not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The address is in use or not of this machine.
    #[error("cannot listen on {0}: {1}")]
    Address(SocketAddr, std::io::Error),
    /// The file with the saved games cannot be used.
    #[error("cannot keep saved games in {0}: {1}")]
    Games(PathBuf, sqlx::Error),
    /// Whoever reaches the address could use the server.
    #[error("a server that other machines can reach needs a token")]
    NoToken,
}

/// What requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub pool: Pool,
    pub saved: SavedGames,
    pub certificates: Arc<Certificates>,
    pub unfinished: Unfinished,
    pub experiments: Arc<Experiments>,
    /// A place for each page that is open.
    pub pages: Arc<Semaphore>,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    router: axum::Router,
    address: SocketAddr,
}

/// The largest body of a request: the longest game with long comments is smaller.
const LARGEST_BODY: usize = 4 << 20;

impl Server {
    /// Opens the files and the port.
    ///
    /// # Errors
    /// If one of them cannot be opened, or the address is open to others and there is no token.
    pub async fn start(config: Config) -> Result<Server, StartError> {
        if !config.address.ip().is_loopback() && config.token.is_none() {
            return Err(StartError::NoToken);
        }
        let saved = SavedGames::open(&config.games)
            .await
            .map_err(|why| StartError::Games(config.games.clone(), why))?;
        let refused = |why| StartError::Address(config.address, why);
        let listener = TcpListener::bind(config.address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let app = App {
            pool: Pool::new(config.threads),
            saved,
            certificates: Arc::default(),
            unfinished: Unfinished::new(
                config.games.with_extension("solving"),
                config.checkpoint_every,
            ),
            experiments: Arc::new(Experiments::new(config.experiments)),
            pages: Arc::new(Semaphore::new(live::PAGES)),
        };
        let (router, _) = described().split_for_parts();
        let router = router
            .route("/api/live", any(live::connect))
            .fallback(get(assets::file))
            .layer(DefaultBodyLimit::max(LARGEST_BODY))
            .layer(CompressionLayer::new())
            .layer(middleware::from_fn_with_state(
                Guard::new(address, config.token),
                guard::check,
            ))
            .with_state(app);
        Ok(Server {
            listener,
            router,
            address,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is there.
    ///
    /// # Errors
    /// If the port fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        axum::serve(self.listener, self.router)
            .with_graceful_shutdown(stop)
            .await
    }
}

fn described() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(OpenApi::default()).merge(api::router())
}

/// The description of the HTTP interface and of the messages on the WebSocket.
pub fn openapi() -> OpenApi {
    #[derive(utoipa::OpenApi)]
    #[openapi(
        info(
            title = "Papamu",
            description = "Plays, solves and studies Havannah and Kōnane"
        ),
        components(schemas(live::Ask, live::Tell))
    )]
    struct Described;
    let (_, mut openapi) = described().split_for_parts();
    openapi.merge(<Described as utoipa::OpenApi>::openapi());
    openapi
}
