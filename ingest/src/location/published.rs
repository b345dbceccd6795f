//! A numbered manifest: the manifest of the dataset, and the object that has each of its files.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::AddressError;
use super::events::PublishedEvents;
use super::objects::Objects;
use crate::manifest::{FileEntry, Manifest, ManifestError};

/// `format` of a numbered manifest.
pub const MANIFEST_OF: &str = "annals-published-dataset";
const VERSION: u32 = 1;

/// The object of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ObjectEntry {
    /// Below the address.
    pub object: String,
    /// The bytes of its footer and page index, which are read together.
    pub tail: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Published {
    /// [`MANIFEST_OF`].
    pub format: String,
    pub version: u32,
    /// From 1, each one more than the last.
    pub number: u64,
    /// Random: it tells two publications of the same number apart.
    pub commit: String,
    /// By the path in the manifest.
    pub objects: BTreeMap<String, ObjectEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<PublishedEvents>,
    pub manifest: Manifest,
    /// BLAKE3 of this text with an empty checksum, in hexadecimal.
    pub checksum: String,
}

/// What must be known before the manifest inside is read.
#[derive(Deserialize)]
struct Envelope {
    format: String,
    version: u32,
    manifest: Box<serde_json::value::RawValue>,
}

/// The name of a numbered manifest.
pub(super) fn name(number: u64) -> String {
    format!("manifest-{number}.json")
}

/// The number in the name of a numbered manifest.
pub(super) fn number_of(file: &str) -> Option<u64> {
    let number = file.strip_prefix("manifest-")?.strip_suffix(".json")?.parse().ok()?;
    (number > 0 && name(number) == file).then_some(number)
}

impl Published {
    pub fn new(
        number: u64,
        commit: &str,
        manifest: Manifest,
        objects: BTreeMap<String, ObjectEntry>,
        events: Option<PublishedEvents>,
    ) -> Result<Published, serde_json::Error> {
        let format = MANIFEST_OF.to_owned();
        let (commit, checksum) = (commit.to_owned(), String::new());
        let unsealed =
            Published { format, version: VERSION, number, commit, objects, events, manifest, checksum };
        Ok(Published { checksum: unsealed.computed_checksum()?, ..unsealed })
    }

    pub fn parse(text: &[u8], number: u64, objects: &Objects) -> Result<Published, ManifestError> {
        let object = objects.named(&name(number));
        let damaged = |why: String| AddressError::Damaged { object: object.clone(), why };
        let envelope: Envelope = serde_json::from_slice(text).map_err(|e| damaged(e.to_string()))?;
        if envelope.format != MANIFEST_OF || envelope.version != VERSION {
            let (format, version) = (envelope.format, envelope.version);
            let why = format!(
                "it is `{format}` of version {version}, expected `{MANIFEST_OF}` of version {VERSION}"
            );
            return Err(damaged(why).into());
        }
        // Other versions of the tables may have other fields.
        Manifest::parse(envelope.manifest.get(), Path::new(objects.address()))?;
        let published: Published = serde_json::from_slice(text).map_err(|e| damaged(e.to_string()))?;
        if published.computed_checksum().map_err(|e| damaged(e.to_string()))? != published.checksum {
            return Err(damaged("its text does not match its checksum".to_owned()).into());
        }
        if published.number != number {
            return Err(damaged(format!("it has the number {}", published.number)).into());
        }
        if let Some(file) = published.manifest.files.iter().find(|f| !published.objects.contains_key(&f.path))
        {
            return Err(damaged(format!("it names no object of the file `{}`", file.path)).into());
        }
        Ok(published)
    }

    /// The object of a file, and the bytes of its tail.
    pub fn object(&self, file: &FileEntry) -> (String, u64) {
        self.objects.get(&file.path).map_or_else(|| (file.path.clone(), 0), |o| (o.object.clone(), o.tail))
    }

    pub fn text(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    fn computed_checksum(&self) -> Result<String, serde_json::Error> {
        let unsealed = Published { checksum: String::new(), ..self.clone() };
        Ok(blake3::hash(serde_json::to_string(&unsealed)?.as_bytes()).to_hex().to_string())
    }
}
