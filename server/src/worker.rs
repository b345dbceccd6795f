//! A worker: a service that runs parts of queries for other machines.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use annals_analytics::{WorkerOptions, WorkerService, worker_service};
use axum::middleware;

use crate::connections::{ServeError, Stop, accept_http2, listen, runtime};
use crate::grpc::admit;

/// Where a worker listens, and what it may use.
#[derive(Debug, Clone)]
pub struct Worker {
    pub address: SocketAddr,
    pub options: WorkerOptions,
}

/// Threads of a worker beyond its cores: while the others compute, which they do for long without a pause, these receive
/// and send rows.
const FOR_ROWS: usize = 2;

/// Serves until `stop` ends it, and returns the number of tasks that were begun. `ready` is called with the address once
/// requests are answered.
///
/// # Errors
/// If the address cannot be listened on, or the worker cannot start.
pub fn work(worker: Worker, stop: &Stop, ready: impl FnOnce(SocketAddr)) -> Result<u64, ServeError> {
    let Worker { mut address, options } = worker;
    let WorkerService { routes, tasks, .. } = &worker_service(&options).map_err(ServeError::Worker)?;
    let runtime = runtime("annals-worker", FOR_ROWS)?;
    let served = runtime.block_on(async {
        let listener = listen(&mut address).await?;
        let admit = middleware::from_fn_with_state(Arc::new(options.token), admit);
        let router = routes.clone().into_axum_router().layer(admit);
        ready(address);
        tokio::select! {
            () = accept_http2(&listener, router) => {}
            () = stop.ended() => {}
        }
        Ok(tasks.load(Ordering::Relaxed))
    });
    // A query that is still at work is not waited for.
    runtime.shutdown_background();
    served
}
