//! Server-sent events: while the log grows, open pages follow.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures::{StreamExt as _, stream};

use crate::respond::Shared;

/// Pages that follow the log at the same time.
pub const MOST_READERS: usize = 256;

/// How often the files of the log are looked at.
const INTERVAL: Duration = Duration::from_millis(500);

/// One event named `head` with the head of the log at once, so that a page can compare its own: the log may have changed
/// between the two. Then one named `changed` whenever the files of the log have changed, and when their
/// verification in the background has ended.
pub async fn events(State(shared): State<Shared>) -> Response {
    let Ok(permit) = shared.readers.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "error: too many pages follow the log\n").into_response();
    };
    let app = shared.app;
    // Before the head is read, so that no change is between them.
    let seen = app.log_state();
    let reader = Arc::clone(&app);
    let head = tokio::task::spawn_blocking(move || reader.head_now()).await;
    // A home without a log, or with a damaged one, has no head: its pages have none either.
    let head = head.ok().and_then(Result::ok);
    let first = head.map(|head| Ok::<_, Infallible>(Event::default().event("head").data(head)));
    let changes = stream::unfold((app, seen, permit), |(app, seen, permit)| async move {
        loop {
            tokio::time::sleep(INTERVAL).await;
            let now = app.log_state();
            if now != seen {
                let event = Ok::<_, Infallible>(Event::default().event("changed").data("log"));
                return Some((event, (app, now, permit)));
            }
        }
    });
    Sse::new(stream::iter(first).chain(changes)).keep_alive(KeepAlive::default()).into_response()
}
