//! The events of a log, published with a dataset.

use serde::{Deserialize, Serialize};

/// One Parquet file with the rows of the table `events`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedEvents {
    /// Below the address.
    pub object: String,
    pub rows: u64,
    pub bytes: u64,
    /// BLAKE3, in hexadecimal.
    pub digest: String,
    /// The bytes of its footer and page index.
    pub tail: u64,
    /// The receipt of the log's head.
    pub head: String,
}
