//! The folder of an experiment: its results and pictures, and the finished stages, from which a run resumes after a kill.
//! The file of a stage has its inputs; a stage with other inputs is refused, never reused.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use annals_ingest::output_file;
use annals_learning::hex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::Error;

/// The folder.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    /// The folder in it for stages.
    stages: PathBuf,
}

/// A stage in a file. Its inputs and its results are texts within the text: comparison and digest use their
/// exact characters.
#[derive(Serialize, Deserialize)]
struct Stage {
    of: String,
    digest: String,
    found: String,
}

impl Folder {
    /// Opens a folder: a new one, an empty one, or one in which this command worked before. `stages` is the name of the folder in it
    /// for stages, by which the commands distinguish their folders.
    pub fn open(root: &Path, stages: &str) -> Result<Folder, Error> {
        let stages = root.join(stages);
        match fs::read_dir(root) {
            Ok(mut entries) => {
                if entries.next().is_some() && !stages.is_dir() {
                    return Err(Error::NoReport(root.to_owned()));
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Error::folder("opened as a folder", root)(error)),
        }
        for folder in [&stages, &root.join("pictures")] {
            fs::create_dir_all(folder).map_err(Error::folder("made", root))?;
        }
        // Reported now rather than after hours of training.
        let trial = stages.join("trial.part");
        fs::write(&trial, b"")
            .and_then(|()| fs::remove_file(&trial))
            .map_err(Error::folder("written", root))?;
        Ok(Folder { root: root.to_owned(), stages })
    }

    /// A file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The file in which a stage stores data that a kill would lose.
    pub fn checkpoint(&self, stage: &str) -> PathBuf {
        self.stages.join(format!("{stage}.checkpoint"))
    }

    /// Excludes other processes until the file is closed, and removes unfinished files of a killed one.
    pub fn lock(&self) -> Result<File, Error> {
        let lock = File::create(self.stages.join("lock"));
        let lock = lock.map_err(Error::folder("written", &self.root))?;
        // Not every system has locks.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(Error::InUse(self.root.clone()));
        }
        for folder in [&self.root, &self.stages, &self.root.join("pictures")] {
            for entry in fs::read_dir(folder).map_err(Error::folder("read", folder))?.flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                match name.to_str().unwrap_or_default() {
                    name if name.ends_with(".part") => fs::remove_file(path)?,
                    name if name.starts_with(".annals-") => fs::remove_dir_all(path)?,
                    _ => {}
                }
            }
        }
        Ok(lock)
    }

    fn stage(&self, name: &str) -> PathBuf {
        self.stages.join(format!("{name}.json"))
    }

    /// The result of a stage, if it is finished.
    pub fn finished<T: DeserializeOwned>(&self, name: &str, of: &impl Serialize) -> Result<Option<T>, Error> {
        let path = self.stage(name);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(damaged(&path, error)),
        };
        let stage: Stage = serde_json::from_str(&text).map_err(|error| damaged(&path, error))?;
        if digest(&stage.found) != stage.digest {
            return Err(damaged(&path, "its digest is another"));
        }
        let of = serde_json::to_string(of).map_err(|error| damaged(&path, error))?;
        if of != stage.of {
            let values = [&stage.of, &of].map(|text| serde_json::from_str(text).unwrap_or(Value::Null));
            let [was, is] = &values;
            let (what, was, is) = difference("", was, is).unwrap_or(("it".to_owned(), stage.of, of));
            return Err(Error::OtherRun { stage: path, what, was, is });
        }
        serde_json::from_str(&stage.found).map(Some).map_err(|error| damaged(&path, error))
    }

    /// Stores the result of a stage, and returns it as it will be read: numbers written in decimals may differ in
    /// their last bit, and the report must not depend on a kill.
    pub fn finish<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        of: &impl Serialize,
        found: &T,
    ) -> Result<T, Error> {
        let path = self.stage(name);
        let cannot = |error| Error::Json(format!("the stage {}", path.display()), error);
        let found = serde_json::to_string(found).map_err(cannot)?;
        let of = serde_json::to_string(of).map_err(cannot)?;
        let stage = Stage { of, digest: digest(&found), found };
        let text = serde_json::to_string(&stage).map_err(cannot)?;
        write(&path, text.as_bytes())?;
        serde_json::from_str(&stage.found).map_err(cannot)
    }
}

/// Writes a file of such a folder, replacing that of an earlier run.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    output_file::write(path, true, bytes).map_err(Error::Kept)
}

/// The digest of a file that an earlier stage wrote.
pub fn digest_of(path: &Path) -> Result<String, Error> {
    let bytes = fs::read(path).map_err(|error| Error::Gone(path.to_owned(), error))?;
    Ok(hex(&Sha256::digest(bytes)))
}

fn damaged(path: &Path, reason: impl ToString) -> Error {
    Error::Damaged(path.to_owned(), reason.to_string())
}

fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// The first difference of two values: its path, the old and the new value.
fn difference(at: &str, was: &Value, is: &Value) -> Option<(String, String, String)> {
    match (was, is) {
        (Value::Object(then), Value::Object(now)) => {
            let keys: std::collections::BTreeSet<&String> = then.keys().chain(now.keys()).collect();
            keys.into_iter().find_map(|key| {
                let at = if at.is_empty() { key.clone() } else { format!("{at} {key}") };
                let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
                difference(&at, &of(then), &of(now))
            })
        }
        _ if was == is => None,
        _ => Some((format!("`{at}`"), was.to_string(), is.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stage_comes_back_and_one_of_another_run_does_not() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(&place.path().join("report"), "stages").unwrap();
        // Numbers in single and double precision are written differently.
        let of = (json!({ "data": "0123" }), 1e-4f32);
        let _: Vec<f64> = folder.finish("single", &of, &vec![0.5]).unwrap();
        assert!(folder.finished::<Vec<f64>>("single", &of).unwrap().is_some());
        let of = json!({ "data": "0123", "settings": { "epochs": 30, "seed": 1 } });
        assert!(folder.finished::<Vec<f64>>("one", &of).unwrap().is_none());
        let found = vec![0.1, 1.0 / 3.0];
        let kept: Vec<f64> = folder.finish("one", &of, &found).unwrap();
        assert_eq!(folder.finished::<Vec<f64>>("one", &of).unwrap(), Some(kept));
        let other = json!({ "data": "0123", "settings": { "epochs": 12, "seed": 1 } });
        let error = folder.finished::<Vec<f64>>("one", &other).unwrap_err().to_string();
        assert!(error.contains("`settings epochs` was 30, and is 12 now"), "{error}");
    }

    #[test]
    fn a_truncated_or_changed_stage_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), "stages").unwrap();
        let of = json!({ "data": "0123" });
        let _: Vec<f64> = folder.finish("one", &of, &vec![0.25]).unwrap();
        let path = folder.stage("one");
        let text = fs::read_to_string(&path).unwrap();
        for bad in [&text[..text.len() / 2], "", &text.replace("0.25", "0.26")] {
            fs::write(&path, bad).unwrap();
            let error = folder.finished::<Vec<f64>>("one", &of).unwrap_err().to_string();
            assert!(error.contains("is truncated or damaged"), "{error}");
        }
    }

    #[test]
    fn a_folder_with_other_things_in_it_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("letter.txt"), "dear").unwrap();
        let error = Folder::open(place.path(), "stages").unwrap_err().to_string();
        assert!(error.contains("is not empty"), "{error}");
        let error = Folder::open(&place.path().join("letter.txt"), "stages").unwrap_err().to_string();
        assert!(error.contains("letter.txt cannot be opened as a folder"), "{error}");
    }
}
