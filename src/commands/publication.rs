//! What a publication of a dataset copied, and its identity.

use annals_ingest::location::{Copied, Publication};
use annals_report::{Cell, Document, counted, grouped};
use serde::Serialize;

use crate::errors::{CliError, InWords as _};

#[derive(Serialize)]
pub struct Published {
    address: String,
    /// Of the manifest.
    number: u64,
    /// False if the last manifest listed the same already.
    is_new: bool,
    digest: String,
    files_copied: u64,
    bytes_copied: u64,
    files_present: u64,
    bytes_present: u64,
}

impl Published {
    pub fn of(address: &str, publication: Publication) -> Published {
        let Publication { number, is_new, digest, copied, present } = publication;
        Published {
            address: address.to_owned(),
            number,
            is_new,
            digest,
            files_copied: copied.files,
            bytes_copied: copied.bytes,
            files_present: present.files,
            bytes_present: present.bytes,
        }
    }

    pub fn document(&self) -> Document {
        let copied = Copied { files: self.files_copied, bytes: self.bytes_copied };
        let present = Copied { files: self.files_present, bytes: self.bytes_present };
        let title = if self.is_new { "Published" } else { "Published already" };
        Document::new(title).facts(vec![
            ("Address", Cell::text(self.address.clone())),
            ("Manifest", Cell::text(format!("manifest-{}.json", self.number))),
            ("Digest", Cell::text(self.digest.clone())),
            ("Copied", Cell::text(amount(copied))),
            ("Already there", Cell::text(amount(present))),
            ("Read it with", Cell::text(format!("annals --dataset {} query", self.address))),
        ])
    }
}

/// The random identity of a publication.
pub fn commit_id() -> Result<[u8; 16], CliError> {
    let mut commit = [0; 16];
    getrandom::fill(&mut commit).cannot("cannot make the random identity of the publication")?;
    Ok(commit)
}

/// Files and bytes.
pub fn amount(copied: Copied) -> String {
    format!("{}, {} bytes", counted(copied.files, "file"), grouped(copied.bytes))
}
