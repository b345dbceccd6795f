//! Connections: how many, how slow, and how they end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use annals_analytics::STACK_BYTES;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};

use crate::respond::router;
use crate::{Access, App};

/// Connections at the same time.
const MOST: usize = 4096;

/// How long a reader may take for the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// Bytes of a connection's buffer, which bounds the head of a request.
const BUFFER: usize = 32 << 10;

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("cannot start the server's threads")]
    Threads(#[source] io::Error),
}

/// Ends a server, from any thread.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    pub fn end(&self) {
        self.0.notify_one();
    }
}

/// Serves until `stop` ends it. `ready` is called with the address once requests are answered.
///
/// # Errors
/// If the address cannot be listened on.
pub fn serve(
    app: App,
    access: Access,
    address: SocketAddr,
    stop: &Stop,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("annals-serve")
        // Planning SQL uses stack in proportion to the statement.
        .thread_stack_size(STACK_BYTES)
        .build()
        .map_err(ServeError::Threads)?;
    let app = Arc::new(app);
    let served = runtime.block_on(async {
        let listen = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        ready(listener.local_addr().map_err(listen)?);
        tokio::select! {
            () = accept(&listener, Arc::clone(&app), access) => {}
            () = stop.0.notified() => {}
        }
        Ok(())
    });
    // A query that is still at work is not waited for.
    runtime.shutdown_background();
    served
}

async fn accept(listener: &TcpListener, app: Arc<App>, access: Access) {
    app.prepare();
    let service = router(app, access);
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or a reader that left: the next one may be served.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let _place = place;
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(BUFFER);
            // A broken connection is the reader's.
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
