//! A witness over HTTP: `POST /add-checkpoint` of C2SP's `tlog-witness`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use annals_store::tlog::request::MAX_REQUEST;
use annals_store::tlog::witness::{Refusal, Witness};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use hyper_util::service::TowerToHyperService;

use crate::connections::{BUFFER, HEAD, accept, listen, runtime};
use crate::{ServeError, Stop};

/// How long a log may take for its request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers logs until `stop` ends it. `ready` is called with the address once requests are answered.
///
/// # Errors
/// If the address cannot be listened on.
pub fn serve_witness(
    witness: Witness,
    mut address: SocketAddr,
    stop: &Stop,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let runtime = runtime("annals-witness", 0)?;
    let served = runtime.block_on(async {
        let listener = listen(&mut address).await?;
        let router = Router::new().route("/add-checkpoint", post(add)).with_state(Arc::new(witness));
        let mut connection = http1::Builder::new();
        connection.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(BUFFER);
        ready(address);
        tokio::select! {
            () = accept(&listener, |stream| connection.serve_connection(stream, TowerToHyperService::new(router.clone()))) => {}
            () = stop.ended() => {}
        }
        Ok(())
    });
    runtime.shutdown_background();
    served
}

async fn add(State(witness): State<Arc<Witness>>, body: Body) -> Response {
    let read = match tokio::time::timeout(PATIENCE, to_bytes(body, MAX_REQUEST)).await {
        Ok(Ok(read)) => read,
        Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    let Ok(request) = String::from_utf8(read.to_vec()) else {
        return (StatusCode::BAD_REQUEST, "the request is not UTF-8\n").into_response();
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    match tokio::task::spawn_blocking(move || witness.cosign(&request, now)).await {
        Ok(Ok(line)) => line.into_response(),
        Ok(Err(refusal)) => refused(&refusal),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn refused(refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    match (refusal.size(), refusal) {
        (Some(size), _) => {
            (status, [(header::CONTENT_TYPE, "text/x.tlog.size")], format!("{size}\n")).into_response()
        }
        // What is wrong on this machine is not for others.
        (None, Refusal::Fault(_)) => status.into_response(),
        (None, refusal) => (status, format!("{refusal}\n")).into_response(),
    }
}
