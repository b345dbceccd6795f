//! Queries on several workers. A query is planned here; parts of its plan run in other processes, which read the dataset
//! themselves. The rows of the log and of small tables travel with the plan.

mod channels;
mod coordinator;
mod rows;
mod service;

use std::fmt;
use std::num::NonZeroUsize;

use serde::Deserialize;
use url::Url;

use crate::Error;

pub(crate) use coordinator::Cluster;
pub use coordinator::Ran;
pub(crate) use rows::{in_memory, is_distributed};
pub use service::{WorkerOptions, WorkerService, worker_service};

/// The version that coordinator and workers must share: they exchange plans.
const VERSION: &str = concat!("annals ", env!("CARGO_PKG_VERSION"));

/// Bytes of files for each thread of a task: a scan of fewer is not distributed.
pub const SCAN_BYTES: usize = 16 << 20;

/// The workers of a session.
#[derive(Clone)]
pub struct Workers {
    /// Such as `http://127.0.0.1:7442`, as they reach each other too.
    pub addresses: Vec<Url>,
    /// What they require of a coordinator.
    pub token: Option<String>,
    /// As [`SCAN_BYTES`].
    pub scan_bytes: usize,
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

/// A file of workers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    workers: Vec<String>,
    token: Option<String>,
    scan_bytes: Option<NonZeroUsize>,
}

impl Workers {
    /// Reads `HOST:PORT,HOST:PORT`, or the name of a TOML file with `workers`, and perhaps `token` and `scan_bytes`.
    /// `token` is that of a list without one.
    ///
    /// # Errors
    /// `Io` if the file cannot be read; `Workers` if it is not such a file, or an address is not valid.
    pub fn read(text: &str, token: Option<String>) -> Result<Workers, Error> {
        let invalid = |what: String| Error::Workers { what };
        let listed = match text.ends_with(".toml") {
            true => {
                let contents = std::fs::read_to_string(text)
                    .map_err(|error| Error::io(format!("read {text}"), error))?;
                toml::from_str(&contents)
                    .map_err(|error| invalid(format!("{text} does not list workers: {}", error.message())))?
            }
            false => {
                let workers = text.split(',').map(|address| address.trim().to_owned()).collect();
                Listed { workers, token: None, scan_bytes: None }
            }
        };
        let addresses = listed
            .workers
            .iter()
            .map(|text| address(text).ok_or_else(|| invalid(format!("expected HOST:PORT, found `{text}`"))));
        let addresses = addresses.collect::<Result<Vec<_>, _>>()?;
        if addresses.is_empty() {
            return Err(invalid(format!("{text} lists none")));
        }
        let scan_bytes = listed.scan_bytes.map_or(SCAN_BYTES, NonZeroUsize::get);
        Ok(Workers { addresses, token: listed.token.or(token), scan_bytes })
    }
}

/// The URL of `HOST:PORT`; none for another text.
fn address(text: &str) -> Option<Url> {
    let url = Url::parse(&format!("http://{text}")).ok()?;
    let has_port = text.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let has_more = url.path() != "/" || url.query().is_some() || url.fragment().is_some();
    let has_user = !url.username().is_empty() || url.password().is_some();
    (has_port && !has_more && !has_user).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_listed_in_a_text_or_in_a_file() {
        let read = |text: &str| Workers::read(text, Some("given".to_owned()));
        let two = read("127.0.0.1:7442, [::1]:7443").unwrap();
        let urls: Vec<&str> = two.addresses.iter().map(Url::as_str).collect();
        assert_eq!(urls, ["http://127.0.0.1:7442/", "http://[::1]:7443/"]);
        assert_eq!((two.token.as_deref(), two.scan_bytes), (Some("given"), SCAN_BYTES));
        for wrong in
            ["", "host", "host:1:2x", "host:70000", "me@host:1", "host:1/path", "host:1,", "http://host:1"]
        {
            assert!(read(wrong).unwrap_err().to_string().contains("expected HOST:PORT"), "{wrong}");
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cluster.toml");
        let of_file = |contents: &str| {
            std::fs::write(&file, contents).unwrap();
            read(file.to_str().unwrap())
        };
        let listed = of_file("workers = ['a:1', 'b:2']\ntoken = 'own'\nscan_bytes = 1").unwrap();
        assert_eq!((listed.addresses.len(), listed.token.as_deref(), listed.scan_bytes), (2, Some("own"), 1));
        for wrong in ["workers = []", "workers = ['a:1']\nscan_bytes = 0", "worker = ['a:1']", "workers = 1"]
        {
            of_file(wrong).unwrap_err();
        }
        assert!(matches!(read("absent.toml"), Err(Error::Io { .. })));
    }
}
