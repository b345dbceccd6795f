//! Evidence in the formats of C2SP, which the tools of transparency logs read: heads as checkpoints (`tlog-checkpoint`
//! in a `signed-note`), inclusion as `tlog-proof`, consistency as requests of `tlog-witness`, and witnesses
//! (`tlog-cosignature`, version 1). The tree is that of [`crate::merkle`]: a record is the 32 bytes of an event's hash,
//! and its index is `seq - 1`.
//!
//! [`note`], [`checkpoint`], [`proof`] and [`request`] read and write texts. [`signing`] is what a log does with its
//! key, and [`witness`] is what another club does with a request. [`actor`] has the signatures of actors on their events,
//! and [`actor_signing`] makes them.

pub mod actor;
pub mod actor_signing;
pub mod checkpoint;
pub mod key;
pub mod note;
pub mod proof;
pub mod request;
pub mod signing;
mod state;
pub mod witness;

use annals_events::Hash;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

fn to_base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// With padding, and no second text of the same bytes.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

fn hash_from_base64(text: &str) -> Option<Hash> {
    Hash::from_slice(&from_base64(text)?)
}

/// Lines of one hash each.
fn hash_lines(hashes: &[Hash]) -> String {
    hashes.iter().map(|hash| to_base64(hash.as_bytes()) + "\n").collect()
}

/// Reads lines of one hash each, at most as many as a proof can have.
fn hashes_from<'t>(lines: impl Iterator<Item = &'t str>) -> Option<Vec<Hash>> {
    let hashes: Vec<Hash> = lines.map(hash_from_base64).take(MAX_PATH + 1).collect::<Option<_>>()?;
    (hashes.len() <= MAX_PATH).then_some(hashes)
}

/// Most hashes of a proof, by `tlog-witness`.
pub const MAX_PATH: usize = 63;
