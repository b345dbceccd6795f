//! Private keys, each in a file of its own that only its owner reads: `PRIVATE+KEY+NAME+ID+BASE64`, as the tools of Go
//! keep them.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use ed25519_dalek::{Signer as _, SigningKey};

use super::note::{FormatError, KeyKind, SignatureLine, VerifierKey, cosigned, is_key_name};
use super::{from_base64, to_base64};
use crate::fault::{Fault, FaultKind, sync_folder_of};

const PREFIX: &str = "PRIVATE+KEY+";
const MAX_FILE: u64 = 4096;

/// A key that signs.
pub struct PrivateKey {
    name: String,
    kind: KeyKind,
    key: SigningKey,
}

impl std::fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PrivateKey({})", self.verifier())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("{path}: {problem}")]
    Format { path: PathBuf, problem: FormatError },
}

impl PrivateKey {
    /// # Errors
    /// If the operating system has no random numbers.
    pub fn random(name: &str, kind: KeyKind) -> Result<PrivateKey, Fault> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| {
            Fault::new(FaultKind::Other, Path::new("-"), "making a key", error.to_string())
        })?;
        Ok(PrivateKey::from_seed(name, kind, &seed))
    }

    #[must_use]
    pub fn from_seed(name: &str, kind: KeyKind, seed: &[u8; 32]) -> PrivateKey {
        PrivateKey { name: name.to_owned(), kind, key: SigningKey::from_bytes(seed) }
    }

    #[must_use]
    pub fn verifier(&self) -> VerifierKey {
        VerifierKey::new(&self.name, self.kind, self.key.verifying_key())
    }

    /// The same key under another name.
    #[must_use]
    pub fn named(&self, name: &str) -> PrivateKey {
        PrivateKey { name: name.to_owned(), kind: self.kind, key: self.key.clone() }
    }

    /// Signs a text; as a witness under a time in seconds since 1970.
    #[must_use]
    pub fn sign(&self, text: &str, time: u64) -> SignatureLine {
        let signature = match self.kind {
            KeyKind::Log => self.key.sign(text.as_bytes()).to_bytes().to_vec(),
            KeyKind::Witness => {
                let signature = self.key.sign(&cosigned(text, time));
                [&time.to_be_bytes(), signature.to_bytes().as_slice()].concat()
            }
        };
        SignatureLine { name: self.name.clone(), id: self.verifier().id(), signature }
    }

    /// As in the file.
    fn text(&self) -> String {
        let verifier = self.verifier();
        let id = u32::from_be_bytes(verifier.id());
        let key = to_base64(&[&[self.kind.byte()], self.key.as_bytes().as_slice()].concat());
        format!("{PREFIX}{}+{id:08x}+{key}\n", self.name)
    }

    fn from_text(text: &str) -> Result<PrivateKey, FormatError> {
        let bad = |problem| FormatError { what: "private key", problem };
        let shape = || bad("expected PRIVATE+KEY+NAME+ID+BASE64");
        let mut parts = text.trim().strip_prefix(PREFIX).ok_or_else(shape)?.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(shape());
        };
        let key = from_base64(key).ok_or_else(shape)?;
        let (kind, seed) = key.split_first().ok_or_else(shape)?;
        let kind = KeyKind::of(*kind).ok_or(bad("it has another type than Ed25519"))?;
        let seed = seed.try_into().map_err(|_| bad("it does not have 32 bytes"))?;
        let key = PrivateKey::from_seed(name, kind, seed);
        let is_id = format!("{:08x}", u32::from_be_bytes(key.verifier().id())) == id;
        if is_id && is_key_name(name) { Ok(key) } else { Err(bad("the ID is not that of the name and key")) }
    }

    /// Writes a new file, which only its owner reads, and syncs it.
    ///
    /// # Errors
    /// If there is a file, or it cannot be written.
    pub fn create(&self, path: &Path) -> Result<(), Fault> {
        let doing = "writing a key";
        let fault = |error: std::io::Error| Fault::io(path, doing, &error);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(fault)?;
        file.write_all(self.text().as_bytes()).map_err(fault)?;
        file.sync_all().map_err(|error| Fault::sync(path, doing, &error))?;
        sync_folder_of(path)
    }

    /// None without a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not a key.
    pub fn read(path: &Path) -> Result<Option<PrivateKey>, KeyError> {
        let doing = "reading a key";
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Fault::io(path, doing, &error).into()),
        };
        let mut text = String::new();
        file.take(MAX_FILE).read_to_string(&mut text).map_err(|error| Fault::io(path, doing, &error))?;
        let bad = |problem| KeyError::Format { path: path.to_owned(), problem };
        PrivateKey::from_text(&text).map(Some).map_err(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::super::note::{Note, Signed};
    use super::*;

    /// The key and note of the documentation of Go's `sumdb/note`.
    const SIGNER: &str = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    const VERIFIER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    const NOTE: &str = "If you think cryptography is the answer to your problem,\n\
        then you don't know what your problem is.\n\n\
        — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    #[test]
    fn the_published_note_is_signed_and_verified_to_the_byte() {
        let key = PrivateKey::from_text(SIGNER).unwrap();
        assert_eq!(key.verifier().to_string(), VERIFIER);
        assert_eq!(key.text().trim_end(), SIGNER);
        let note: Note = NOTE.parse().unwrap();
        assert_eq!(note.signed_by(&VERIFIER.parse().unwrap()), Signed::Yes(0));
        let signed = Note::new(note.text().to_owned(), vec![key.sign(note.text(), 0)]);
        assert_eq!(signed.to_string(), NOTE);
        let other: Note = NOTE.replacen("answer", "remedy", 1).parse().unwrap();
        assert_eq!(other.signed_by(&key.verifier()), Signed::Wrong);
        assert_eq!(note.signed_by(&key.verifier().named("Peter")), Signed::No);
    }

    #[test]
    fn a_key_survives_its_file_which_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.key");
        assert!(PrivateKey::read(&path).unwrap().is_none());
        let key = PrivateKey::random("club.example/1", KeyKind::Witness).unwrap();
        key.create(&path).unwrap();
        assert_eq!(PrivateKey::read(&path).unwrap().unwrap().verifier(), key.verifier());
        assert!(PrivateKey::random("club.example/1", KeyKind::Witness).unwrap().create(&path).is_err());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        std::fs::write(&path, "PRIVATE+KEY+x").unwrap();
        assert!(PrivateKey::read(&path).is_err());
    }
}
