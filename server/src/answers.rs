//! Pages that were made, kept until the log or the dataset changes.

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::response::Response;

use crate::app::Record;
use crate::kept_of::KeptOf;
use crate::request::{PageRequest, Shape};

/// The most bytes of pages, as sent.
const MOST: usize = 64 << 20;

/// Bytes of a page besides its key and its body: headers and links.
const OVERHEAD: usize = 1024;

/// What a page depends on besides the record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    path: Vec<String>,
    parameters: Vec<(String, String)>,
    shape: Shape,
    /// Whether it is packed.
    gzip: bool,
}

impl Key {
    /// None if the page differs each time: SQL has functions for the time and for random numbers.
    pub fn of(request: &PageRequest, gzip: bool) -> Option<Key> {
        let is_query = matches!(request.segments().first(), Some(&("sql" | "study")));
        let PageRequest { path, parameters, shape } = request.clone();
        (!is_query).then_some(Key { path, parameters, shape, gzip })
    }

    fn bytes(&self) -> usize {
        let words = self.parameters.iter().flat_map(|(name, value)| [name, value]).chain(&self.path);
        words.map(|word| word.len() + size_of::<String>()).sum()
    }
}

/// A page as it was sent.
#[derive(Clone)]
pub struct Sent {
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl From<Sent> for Response {
    fn from(sent: Sent) -> Response {
        let mut response = Response::new(Body::from(sent.body));
        *response.headers_mut() = sent.headers;
        response
    }
}

/// Pages of one state of the record.
pub struct Answers(KeptOf<Record, Key, Sent>);

impl Default for Answers {
    fn default() -> Answers {
        Answers(KeptOf::new(MOST))
    }
}

impl Answers {
    pub fn get(&self, record: &Record, key: &Key) -> Option<Sent> {
        self.0.get(record, key)
    }

    /// Keeps a page that was made while the record did not change.
    pub fn put(&self, record: Record, key: Key, sent: Sent) {
        let bytes = sent.body.len() + key.bytes() + OVERHEAD;
        self.0.put(record, key, sent, bytes);
    }
}
