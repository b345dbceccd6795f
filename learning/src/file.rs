//! Safetensors files with a description: models and checkpoints. The description is one JSON text in the metadata, with
//! a digest over all content. Files are written to a temporary name, synced and renamed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// In the metadata.
const KEY: &str = "annals";

/// A kind of file and its version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) version: u32,
}

/// Larger files are rejected.
const MOST_BYTES: u64 = 4 << 30;

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("there is no {kind} {}", path.display())]
    Missing {
        /// `model`, `checkpoint` or `grid checkpoint`.
        kind: &'static str,
        path: PathBuf,
    },
    #[error("cannot {what} the {kind} {}: {error}", path.display())]
    System {
        /// `read` or `write`.
        what: &'static str,
        /// `model`, `checkpoint` or `grid checkpoint`.
        kind: &'static str,
        path: PathBuf,
        error: std::io::Error,
    },
    /// Truncated or changed.
    #[error(
        "the {kind} {} is truncated or damaged ({reason}); {next}",
        path.display(),
        next = if kind.ends_with("checkpoint") {
            "delete it and train again, or put back a copy"
        } else {
            "put back a copy, or train it again"
        }
    )]
    Damaged {
        /// `model`, `checkpoint` or `grid checkpoint`.
        kind: &'static str,
        path: PathBuf,
        reason: String,
    },
    /// From an earlier version.
    #[error(
        "the {kind} {} has format {found}, which an earlier version of the program wrote; this program reads format {wanted}, and \
         its arithmetic gives other last digits, so the training cannot be continued; delete the file, or train without --resume and \
         with another --checkpoint", path.display()
    )]
    Earlier {
        /// `checkpoint` or `grid checkpoint`.
        kind: &'static str,
        path: PathBuf,
        found: u32,
        wanted: u32,
    },
    #[error("{} is not a {kind} of Annals: {reason}; name a file that `annals learn train` wrote", path.display())]
    Foreign {
        /// `model`, `checkpoint` or `grid checkpoint`.
        kind: &'static str,
        path: PathBuf,
        reason: String,
    },
}

/// Name, shape, numbers.
pub(crate) type Block<'a> = (&'a str, Vec<usize>, &'a [f32]);

#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Description {
    kind: String,
    version: u32,
    digest: String,
    /// JSON within JSON: the digest covers its exact text.
    about: String,
}

pub(crate) fn write<T: Serialize>(
    path: &Path,
    Kind { name: kind, version }: Kind,
    about: &T,
    blocks: &[Block<'_>],
) -> Result<(), FileError> {
    let system = |error| FileError::System { what: "write", kind, path: path.to_owned(), error };
    let other = |error: String| system(std::io::Error::other(error));
    let bytes: Vec<Vec<u8>> = blocks
        .iter()
        .map(|(_, _, numbers)| numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
        .collect();
    let about = serde_json::to_string(about).map_err(|error| other(error.to_string()))?;
    let digest = digest(&about, blocks.iter().map(|(name, ..)| *name).zip(bytes.iter().map(Vec::as_slice)));
    let description = Description { kind: kind.to_owned(), version, digest, about };
    let text = serde_json::to_string(&description).map_err(|error| other(error.to_string()))?;
    let mut views = Vec::with_capacity(blocks.len());
    for ((name, shape, _), bytes) in blocks.iter().zip(&bytes) {
        let view =
            TensorView::new(Dtype::F32, shape.clone(), bytes).map_err(|error| other(error.to_string()))?;
        views.push((*name, view));
    }
    let whole = safetensors::serialize(views, Some([(KEY.to_owned(), text)].into_iter().collect()))
        .map_err(|error| other(error.to_string()))?;
    put(path, &whole).map_err(system)
}

/// Writes a temporary file, syncs and renames it.
fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if let Err(error) = written.and_then(|()| fs::rename(&beside, path)) {
        // The leftover is useless; the first error matters.
        let _ = fs::remove_file(&beside);
        return Err(error);
    }
    // Makes the rename durable. Not every system opens folders.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Description, and blocks by name.
pub(crate) type Contents<T> = (T, HashMap<String, Vec<f32>>);

pub(crate) fn read<T: DeserializeOwned>(path: &Path, kind: Kind) -> Result<Contents<T>, FileError> {
    let Kind { name: kind, version } = kind;
    let system = |error| FileError::System { what: "read", kind, path: path.to_owned(), error };
    let foreign = |reason: String| FileError::Foreign { kind, path: path.to_owned(), reason };
    let damaged = |reason: String| FileError::Damaged { kind, path: path.to_owned(), reason };
    let length = match fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(FileError::Missing { kind, path: path.to_owned() });
        }
        Err(error) => return Err(system(error)),
    };
    if length > MOST_BYTES {
        return Err(foreign(format!("it has {length} bytes")));
    }
    let bytes = fs::read(path).map_err(system)?;
    // The header's length comes first; a truncated or other file fails here.
    if bytes.get(8) != Some(&b'{') {
        return Err(if bytes.len() < 9 {
            damaged(format!("it has {} bytes", bytes.len()))
        } else {
            foreign("it is not a safetensors file".to_owned())
        });
    }
    let tensors = SafeTensors::deserialize(&bytes).map_err(|error| damaged(error.to_string()))?;
    let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(|error| damaged(error.to_string()))?;
    let text = metadata.metadata().as_ref().and_then(|texts| texts.get(KEY));
    let text = text.ok_or_else(|| foreign("it was written by another program".to_owned()))?;
    let description: Description = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    if description.kind != kind {
        return Err(foreign(format!("it is a {}", description.kind)));
    }
    if description.version < version {
        let found = description.version;
        return Err(FileError::Earlier { kind, path: path.to_owned(), found, wanted: version });
    }
    if description.version > version {
        let found = description.version;
        return Err(foreign(format!("it has format {found}, and this program reads format {version}")));
    }
    let mut names: Vec<&str> = tensors.names().into_iter().collect();
    names.sort_unstable();
    let mut blocks = HashMap::new();
    for name in &names {
        let view = tensors.tensor(name).map_err(|error| damaged(error.to_string()))?;
        if view.dtype() != Dtype::F32 {
            return Err(damaged(format!("`{name}` is not of single precision")));
        }
        let numbers = view.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        blocks.insert((*name).to_owned(), numbers);
    }
    let views: Vec<_> =
        names.iter().filter_map(|name| tensors.tensor(name).ok().map(|view| (*name, view))).collect();
    let found = digest(&description.about, views.iter().map(|(name, view)| (*name, view.data())));
    if found != description.digest {
        return Err(damaged("its digest is another".to_owned()));
    }
    let about = serde_json::from_str(&description.about).map_err(|error| damaged(error.to_string()))?;
    Ok((about, blocks))
}

/// Over the description and every block with name and length, by name.
fn digest<'a>(about: &str, blocks: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hash = Sha256::new();
    let mut take = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    take(about.as_bytes());
    let mut blocks: Vec<_> = blocks.collect();
    blocks.sort_unstable_by_key(|(name, _)| *name);
    for (name, bytes) in blocks {
        take(name.as_bytes());
        take(bytes);
    }
    hex::encode(hash.finalize())
}
