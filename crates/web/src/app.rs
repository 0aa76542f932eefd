//! The server: its parts, its start and its end.

use crate::certificates::Certificates;
use crate::experiments::Experiments;
use crate::guard::{self, Guard};
use crate::pool::Pool;
use crate::saved::SavedGames;
use crate::{api, assets, live, work};
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{any, get};
use service::proofs::Proofs;
use service::{Ask, Tell, Unfinished};
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
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
    /// What a worker must have that gets its jobs from that store through this server; nobody may if there is none.
    pub worker_token: Option<String>,
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
    /// The store of the workers' jobs cannot be used.
    #[error(transparent)]
    Store(#[from] jobs::StoreError),
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
    pub proofs: Arc<Proofs>,
    pub unfinished: Unfinished,
    pub experiments: Arc<Experiments>,
    /// A place for each page that is open.
    pub pages: Arc<Semaphore>,
    /// The address for other machines, if they can reach the server.
    pub link: Option<Arc<str>>,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    router: axum::Router,
    address: SocketAddr,
    link: String,
}

/// The largest body of a request: the longest game with long comments is smaller.
pub(crate) const LARGEST_BODY: usize = 4 << 20;

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
        let work = work::router(&config.experiments, config.worker_token).await?;
        let refused = |why| StartError::Address(config.address, why);
        let listener = TcpListener::bind(config.address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let link = link(address, config.token.as_deref());
        let is_local = address.ip().is_loopback();
        let app = App {
            pool: Pool::new(config.threads),
            saved,
            certificates: Arc::default(),
            proofs: Arc::default(),
            unfinished: Unfinished::new(
                config.games.with_extension("solving"),
                config.checkpoint_every,
            ),
            experiments: Arc::new(Experiments::new(config.experiments)),
            pages: Arc::new(Semaphore::new(live::PAGES)),
            link: (!is_local).then(|| link.as_str().into()),
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
            .with_state(app)
            .merge(work);
        Ok(Server {
            listener,
            router,
            address,
            link,
        })
    }

    /// What somebody opens in a browser, on another machine too where that can reach the server: an address
    /// with the token.
    pub fn link(&self) -> &str {
        &self.link
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

/// The address for a browser. A server that listens on every address of this machine is reached at the one
/// that leads out of it.
fn link(address: SocketAddr, token: Option<&str>) -> String {
    let ip = if address.ip().is_unspecified() {
        outward(address.is_ipv6()).unwrap_or(address.ip())
    } else {
        address.ip()
    };
    let query = token.map(|token| format!("?token={token}"));
    let address = SocketAddr::new(ip, address.port());
    format!("http://{address}/{}", query.unwrap_or_default())
}

/// The address from which this machine would talk to others. Nothing is sent: connecting a UDP socket only
/// looks for the way.
fn outward(is_v6: bool) -> Option<IpAddr> {
    // Addresses that are reserved for documentation, and so are nobody's.
    const NOBODY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 9);
    let own = |bind: IpAddr, to: SocketAddr| {
        let socket = UdpSocket::bind((bind, 0)).ok()?;
        socket.connect(to).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    // Most machines that listen on both are known to each other by the older kind.
    own(Ipv4Addr::UNSPECIFIED.into(), NOBODY).or_else(|| {
        let nobody = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
        let found = is_v6.then(|| own(Ipv6Addr::UNSPECIFIED.into(), (nobody, 9).into()));
        found.flatten()
    })
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
            description = "Plays, analyses and solves Havannah, Kōnane and Hex"
        ),
        components(schemas(Ask, Tell))
    )]
    struct Described;
    let (_, mut openapi) = described().split_for_parts();
    openapi.merge(<Described as utoipa::OpenApi>::openapi());
    openapi
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_the_token_and_an_address_that_can_be_opened() {
        let local = "127.0.0.1:7878".parse().unwrap();
        assert_eq!(link(local, None), "http://127.0.0.1:7878/");
        let given = "192.168.1.5:80".parse().unwrap();
        assert_eq!(link(given, Some("abc")), "http://192.168.1.5:80/?token=abc");
        // A machine without a network has no better address than the one that it listens on.
        let any = link("0.0.0.0:7878".parse().unwrap(), Some("abc"));
        let expected = outward(false).map_or("0.0.0.0".to_owned(), |ip| ip.to_string());
        assert_eq!(any, format!("http://{expected}:7878/?token=abc"));
    }
}
