//! From a request over HTTP to a response: access, assets, pages, failures.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::sync::Semaphore;

use crate::access::{Access, Admission, HEADERS};
use crate::answers::{Answers, Key, Sent};
use crate::app::{CancelSlot, Record};
use crate::request::Shape;
use crate::shell::Place;
use crate::{App, Failure, PageRequest, Reply, assets, live, shell};

/// How long a page may take.
pub const LONGEST: Duration = Duration::from_secs(30);

/// Pages that are made at the same time; others wait.
pub const AT_ONCE: usize = 16;

/// What all requests share.
#[derive(Clone)]
pub struct Shared {
    pub app: Arc<App>,
    pub access: Arc<Access>,
    answers: Arc<Answers>,
    pages: Arc<Semaphore>,
    pub readers: Arc<Semaphore>,
}

/// The routes of the server.
pub fn router(app: Arc<App>, access: Access) -> Router {
    let shared = Shared {
        app,
        access: Arc::new(access),
        answers: Arc::default(),
        pages: Arc::new(Semaphore::new(AT_ONCE)),
        readers: Arc::new(Semaphore::new(live::MOST_READERS)),
    };
    Router::new()
        .route("/assets/{name}", get(asset))
        .route("/live", get(live::events))
        .fallback(page)
        .layer(middleware::from_fn_with_state(shared.clone(), admit))
        .with_state(shared)
}

async fn admit(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let accepts_gzip = accepts_gzip(request.headers());
    let mut response = match shared.access.check(request.method(), request.uri(), request.headers()) {
        Ok(Admission::Admitted) => next.run(request).await,
        Ok(Admission::KeepToken { cookie, address }) => {
            let mut response = moved(&address);
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            response
        }
        Err(failure) => plain(&failure),
    };
    if accepts_gzip {
        response = compressed(response).await;
    }
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("gzip"))
}

/// A text with gzip, where it is long enough. A stream of events, and what is packed, are passed on as they are.
async fn compressed(response: Response) -> Response {
    const LEAST: u64 = 1024;
    const TEXTS: [&str; 6] =
        ["text/html", "text/css", "text/javascript", "text/csv", "application/json", "image/svg"];
    let content = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_text = content.is_some_and(|content| TEXTS.iter().any(|text| content.starts_with(text)));
    let size = axum::body::HttpBody::size_hint(response.body()).exact();
    let is_packed = response.headers().contains_key(header::CONTENT_ENCODING);
    if !is_text || is_packed || size.is_none_or(|size| size < LEAST) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = gzip.write_all(&bytes).and_then(|()| gzip.finish());
    let Ok(packed) = packed else { return Response::from_parts(head, Body::from(bytes)) };
    head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    head.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::from(packed))
}

/// A failure before anything of the request is trusted.
fn plain(failure: &Failure) -> Response {
    let mut text = format!("error: {}\n", failure.error);
    for hint in &failure.hints {
        text += &format!("  hint: {hint}\n");
    }
    (status(failure), [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

fn status(failure: &Failure) -> StatusCode {
    StatusCode::from_u16(failure.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn moved(address: &str) -> Response {
    match HeaderValue::from_str(address) {
        Ok(address) => (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn asset(Path(name): Path<String>) -> Response {
    match assets::asset(&name) {
        Some((content_type, bytes)) => (
            [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, "max-age=600")],
            Body::from(bytes),
        )
            .into_response(),
        None => plain(&Failure::not_found("there is no such file")),
    }
}

/// Ends the query when the reader leaves: then the future that holds it is dropped.
struct UntilAnswered(CancelSlot);

impl Drop for UntilAnswered {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

async fn page(State(shared): State<Shared>, request: Request) -> Response {
    let read = match PageRequest::read(request.uri(), request.headers()) {
        Ok(read) => read,
        Err(failure) => return plain(&failure),
    };
    let gzip = accepts_gzip(request.headers());
    let kept = match Key::of(&read, gzip) {
        Some(key) => record(&shared).await.map(|record| (key, record)),
        None => None,
    };
    if let Some((key, record)) = &kept
        && let Some(sent) = shared.answers.get(record, key)
    {
        return sent.into();
    }
    let answered = answer(&shared, read.clone()).await;
    let place = Place::Server { has_log: shared.app.has_log() };
    let response = match answered {
        Ok(reply) => respond(&read, reply, place),
        Err(failure) => failed(&read, &failure, place),
    };
    let response = if gzip { compressed(response).await } else { response };
    match kept {
        Some((key, record)) if response.status() == StatusCode::OK => {
            keep(&shared, key, record, response).await
        }
        _ => response,
    }
}

/// The state of the record, found on a thread that may wait for the store of a dataset; none if that takes too long.
async fn record(shared: &Shared) -> Option<Record> {
    let app = Arc::clone(&shared.app);
    let work = tokio::task::spawn_blocking(move || app.record());
    tokio::time::timeout(LONGEST, work).await.ok()?.ok()?
}

/// Keeps a page, unless the record changed while it was made.
async fn keep(shared: &Shared, key: Key, record: Record, response: Response) -> Response {
    let (head, body) = response.into_parts();
    let Ok(body) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if self::record(shared).await.as_ref() == Some(&record) {
        shared.answers.put(record, key, Sent { headers: head.headers.clone(), body: body.clone() });
    }
    Response::from_parts(head, Body::from(body))
}

async fn answer(shared: &Shared, request: PageRequest) -> Result<Reply, Failure> {
    let busy = || Failure::new(503, "the server is busy").hint("try again in a moment");
    let permit = tokio::time::timeout(LONGEST, Arc::clone(&shared.pages).acquire_owned());
    let permit = permit.await.map_err(|_| busy())?.map_err(|_| busy())?;
    let slot = CancelSlot::default();
    let until_answered = UntilAnswered(slot.clone());
    let app = Arc::clone(&shared.app);
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        app.answer_until(&request, slot)
    });
    let answered = tokio::time::timeout(LONGEST, work).await;
    drop(until_answered);
    match answered {
        Ok(Ok(reply)) => reply,
        Ok(Err(_)) => Err(Failure::new(500, "the page could not be made")),
        Err(_) => Err(Failure::new(503, format!("the page took more than {} s", LONGEST.as_secs()))
            .hint("ask for less, or use the command line")),
    }
}

fn respond(request: &PageRequest, reply: Reply, place: Place) -> Response {
    match (reply, request.shape) {
        (Reply::Page(page), Shape::Html) => html(StatusCode::OK, shell::page(request, &page, place)),
        (Reply::Page(page), Shape::Json) => json(StatusCode::OK, &page.json),
        (Reply::Page(_), _) => failed(
            request,
            &Failure::not_found("this page has no such file").hint("`.json` gives the page as JSON"),
            place,
        ),
        (Reply::Moved(address), _) => moved(&address),
        (Reply::File { content_type, bytes, name }, _) => {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
            let name = name.and_then(|name| format!("attachment; filename=\"{name}\"").parse().ok());
            if let Some(name) = name {
                headers.insert(header::CONTENT_DISPOSITION, name);
            }
            (headers, bytes).into_response()
        }
    }
}

fn failed(request: &PageRequest, failure: &Failure, place: Place) -> Response {
    let mut response = match request.shape {
        Shape::Html => html(status(failure), shell::failure(request, failure, place)),
        _ => json(status(failure), failure),
    };
    if let Some(seconds) = failure.retry_after.map(HeaderValue::from) {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.clone());
        response.headers_mut().insert(header::REFRESH, seconds);
    }
    response
}

fn json(status: StatusCode, value: &impl serde::Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn html(status: StatusCode, page: String) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (status, headers, page).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_that_is_being_prepared_is_asked_for_again_by_the_browser() {
        let request = PageRequest::read(&"/explore".parse().unwrap(), &HeaderMap::new()).unwrap();
        for (failure, title, again) in [
            (Failure::new(503, "the first turns are being read").retry_after(2), "Not ready yet", Some("2")),
            (Failure::new(503, "too busy"), "Error 503", None),
        ] {
            let response = failed(&request, &failure, Place::Server { has_log: false });
            assert_eq!(response.status(), 503);
            for header in [header::RETRY_AFTER, header::REFRESH] {
                assert_eq!(response.headers().get(header).map(|value| value.to_str().unwrap()), again);
            }
            let page = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
            let page = std::str::from_utf8(&page).unwrap();
            assert!(
                page.contains(&format!("<h1>{title}</h1>")) && page.contains(&format!("{title} · Annals")),
                "{page}"
            );
        }
    }
}
