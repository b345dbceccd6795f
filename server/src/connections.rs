//! Connections: how many, how slow, and how they end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use annals_analytics::STACK_BYTES;
use hyper::server::conn::http1;
#[cfg(any(feature = "cluster", feature = "flight-sql"))]
use hyper::server::conn::http2;
#[cfg(any(feature = "cluster", feature = "flight-sql"))]
use hyper_util::rt::TokioExecutor;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, Semaphore};

use crate::respond::router;
use crate::{Access, App};

/// Connections at the same time.
const MOST: usize = 4096;

/// How long a reader may take for the head of a request.
pub(crate) const HEAD: Duration = Duration::from_secs(10);

/// Bytes of a connection's buffer, which bounds the head of a request.
pub(crate) const BUFFER: usize = 32 << 10;

/// How often a connection of gRPC is asked for a sign of life.
#[cfg(any(feature = "cluster", feature = "flight-sql"))]
const KEEP_ALIVE: Duration = Duration::from_secs(60);

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("cannot start the server's threads")]
    Threads(#[source] io::Error),
    #[cfg(feature = "cluster")]
    #[error("cannot start the worker")]
    Worker(#[source] annals_analytics::Error),
}

/// Ends a server, from any thread.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    pub fn end(&self) {
        self.0.notify_one();
    }

    pub(crate) async fn ended(&self) {
        self.0.notified().await;
    }
}

/// Where a server listens.
#[derive(Debug, Clone, Copy)]
pub struct Addresses {
    pub pages: SocketAddr,
    #[cfg(feature = "flight-sql")]
    pub flight_sql: Option<SocketAddr>,
}

/// Serves until `stop` ends it. `ready` is called with the addresses once requests are answered.
///
/// # Errors
/// If an address cannot be listened on.
pub fn serve(
    app: App,
    access: Access,
    addresses: Addresses,
    stop: &Stop,
    ready: impl FnOnce(Addresses),
) -> Result<(), ServeError> {
    let runtime = runtime("annals-serve", 0)?;
    let app = Arc::new(app);
    let served = runtime.block_on(async {
        let mut addresses = addresses;
        let pages = listen(&mut addresses.pages).await?;
        #[cfg(feature = "flight-sql")]
        if let Some(address) = &mut addresses.flight_sql {
            let listener = listen(address).await?;
            let router = crate::flight::router(Arc::clone(&app), access.token.clone());
            tokio::spawn(async move { accept_http2(&listener, router).await });
        }
        app.prepare();
        let router = router(Arc::clone(&app), access);
        let mut connection = http1::Builder::new();
        connection.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(BUFFER);
        ready(addresses);
        tokio::select! {
            () = accept(&pages, |stream| connection.serve_connection(stream, TowerToHyperService::new(router.clone()))) => {}
            () = stop.ended() => {}
        }
        Ok(())
    });
    // A query that is still at work is not waited for.
    runtime.shutdown_background();
    served
}

/// The threads of a server: one for each core, and more.
pub(crate) fn runtime(threads: &str, more: usize) -> Result<Runtime, ServeError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.saturating_add(more))
        .enable_all()
        .thread_name(threads)
        // Planning SQL uses stack in proportion to the statement.
        .thread_stack_size(STACK_BYTES)
        .build()
        .map_err(ServeError::Threads)
}

/// Serves connections of gRPC.
#[cfg(any(feature = "cluster", feature = "flight-sql"))]
pub(crate) async fn accept_http2(listener: &TcpListener, router: axum::Router) {
    let mut connection = http2::Builder::new(TokioExecutor::new());
    connection.timer(TokioTimer::new()).keep_alive_interval(KEEP_ALIVE).max_header_list_size(BUFFER as u32);
    accept(listener, |stream| connection.serve_connection(stream, TowerToHyperService::new(router.clone())))
        .await;
}

/// Listens on an address, which then has the port that was free for port 0.
pub(crate) async fn listen(address: &mut SocketAddr) -> Result<TcpListener, ServeError> {
    let failed = |source| ServeError::Listen { address: *address, source };
    let listener = TcpListener::bind(*address).await.map_err(failed)?;
    *address = listener.local_addr().map_err(failed)?;
    Ok(listener)
}

/// Accepts connections and serves each in a task of its own.
pub(crate) async fn accept<C>(listener: &TcpListener, serve: impl Fn(TokioIo<TcpStream>) -> C)
where
    C: Future<Output = hyper::Result<()>> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or a reader that left: the next one may be served.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // Small messages, such as the last of a result, are not held back.
        let _ = stream.set_nodelay(true);
        let connection = serve(TokioIo::new(stream));
        tokio::spawn(async move {
            let _place = place;
            // A broken connection is the reader's.
            let _ = connection.await;
        });
    }
}
