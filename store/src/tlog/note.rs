//! Signed notes (`signed-note`): a text, and lines of signatures. A signature counts only if its key is known.

use std::fmt;
use std::str::FromStr;

use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha256};

use super::{from_base64, to_base64};

/// Longest note that is read. The specification wants room for 16 signatures of 5 kB.
pub const MAX_NOTE: usize = 256 * 1024;

const MAX_SIGNATURES: usize = 64;
const MAX_NAME: usize = 255;
const DASH: &str = "\u{2014} ";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {what}: {problem}")]
pub struct FormatError {
    /// "signed note", "checkpoint".
    pub what: &'static str,
    pub problem: &'static str,
}

/// What a key signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// The text itself: type 0x01.
    Log,
    /// The text under a time, as a witness: type 0x04.
    Witness,
}

impl KeyKind {
    pub(super) const fn byte(self) -> u8 {
        match self {
            KeyKind::Log => 1,
            KeyKind::Witness => 4,
        }
    }

    pub(super) const fn of(byte: u8) -> Option<KeyKind> {
        match byte {
            1 => Some(KeyKind::Log),
            4 => Some(KeyKind::Witness),
            _ => None,
        }
    }
}

/// The public half of a key with its name: `NAME+ID+BASE64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    kind: KeyKind,
    key: VerifyingKey,
}

/// Not empty, without spaces, plus signs and control characters.
#[must_use]
pub fn is_key_name(name: &str) -> bool {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    !name.is_empty() && name.len() <= MAX_NAME && !name.contains(is_bad)
}

impl VerifierKey {
    pub(super) fn new(name: &str, kind: KeyKind, key: VerifyingKey) -> VerifierKey {
        VerifierKey { name: name.to_owned(), kind, key }
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[must_use]
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// The same key under another name.
    #[must_use]
    pub fn named(&self, name: &str) -> VerifierKey {
        VerifierKey { name: name.to_owned(), ..*self }
    }

    /// Whether it is the same public key, under whatever name.
    #[must_use]
    pub fn is_same_key(&self, other: &VerifierKey) -> bool {
        self.key == other.key
    }

    fn encoded(&self) -> Vec<u8> {
        [&[self.kind.byte()], self.key.as_bytes().as_slice()].concat()
    }

    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        let digest: [u8; 32] = Sha256::new_with_prefix(&self.name)
            .chain_update("\n")
            .chain_update(self.encoded())
            .finalize()
            .into();
        [digest[0], digest[1], digest[2], digest[3]]
    }

    /// Whether it made a signature of this text; the time, of a witness.
    fn verify(&self, text: &str, signature: &[u8]) -> Option<u64> {
        match self.kind {
            KeyKind::Log => self.holds(text.as_bytes(), signature).then_some(0),
            KeyKind::Witness => {
                let (time, signature) = signature.split_first_chunk::<8>()?;
                let time = u64::from_be_bytes(*time);
                let is_time = i64::try_from(time).is_ok();
                (is_time && self.holds(&cosigned(text, time), signature)).then_some(time)
            }
        }
    }

    fn holds(&self, message: &[u8], signature: &[u8]) -> bool {
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|signature| self.key.verify_strict(message, &signature).is_ok())
    }
}

/// What a witness signs.
pub(super) fn cosigned(text: &str, time: u64) -> Vec<u8> {
    format!("cosignature/v1\ntime {time}\n{text}").into_bytes()
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:08x}+{}", self.name, u32::from_be_bytes(self.id()), to_base64(&self.encoded()))
    }
}

impl FromStr for VerifierKey {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<VerifierKey, FormatError> {
        let bad = |problem| FormatError { what: "verifier key", problem };
        let mut parts = text.trim().splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(bad("expected NAME+ID+BASE64"));
        };
        if !is_key_name(name) {
            return Err(bad("the name is empty, too long, or has a space or control character"));
        }
        let key = from_base64(key).ok_or(bad("the key is not base64"))?;
        let (kind, key) = key.split_first().ok_or(bad("the key is empty"))?;
        let kind =
            KeyKind::of(*kind).ok_or(bad("the key has another type than Ed25519 of a log or witness"))?;
        let key: &[u8; 32] = key.try_into().map_err(|_| bad("the key does not have 32 bytes"))?;
        let key = VerifyingKey::from_bytes(key).map_err(|_| bad("the key is not a point of the curve"))?;
        let key = VerifierKey::new(name, kind, key);
        if format!("{:08x}", u32::from_be_bytes(key.id())) != id {
            return Err(bad("the ID is not that of the name and key"));
        }
        Ok(key)
    }
}

/// A line of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureLine {
    pub name: String,
    pub id: [u8; 4],
    pub signature: Vec<u8>,
}

impl fmt::Display for SignatureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{DASH}{} {}", self.name, to_base64(&[&self.id, self.signature.as_slice()].concat()))
    }
}

impl SignatureLine {
    fn read(line: &str) -> Option<SignatureLine> {
        let (name, signature) = line.strip_prefix(DASH)?.split_once(' ')?;
        let signature = from_base64(signature)?;
        let (id, signature) = signature.split_first_chunk::<4>()?;
        let is_line = is_key_name(name) && !signature.is_empty();
        is_line.then(|| SignatureLine { name: name.to_owned(), id: *id, signature: signature.to_owned() })
    }
}

/// A text with its signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<SignatureLine>,
}

/// How a note relates to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    /// By the key; with the time in seconds since 1970, of a witness.
    Yes(u64),
    /// No line names the key.
    No,
    /// A line names the key, and its signature is of another text.
    Wrong,
}

impl Note {
    pub(super) fn new(text: String, signatures: Vec<SignatureLine>) -> Note {
        Note { text, signatures }
    }

    /// With its last line end, without the empty line before the signatures.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    #[must_use]
    pub fn signatures(&self) -> &[SignatureLine] {
        &self.signatures
    }

    /// Adds the lines of a witness.
    ///
    /// # Errors
    /// When a line is not a signature.
    pub fn add_lines(&mut self, lines: &str) -> Result<(), FormatError> {
        self.signatures.extend(signature_lines(lines)?);
        Ok(())
    }

    #[must_use]
    pub fn signed_by(&self, key: &VerifierKey) -> Signed {
        let id = key.id();
        let of_key = |line: &&SignatureLine| line.name == key.name && line.id == id;
        let mut signed = Signed::No;
        for line in self.signatures.iter().filter(of_key) {
            match key.verify(&self.text, &line.signature) {
                Some(time) => signed = Signed::Yes(time),
                None => return Signed::Wrong,
            }
        }
        signed
    }
}

fn bad(problem: &'static str) -> FormatError {
    FormatError { what: "signed note", problem }
}

fn signature_lines(lines: &str) -> Result<Vec<SignatureLine>, FormatError> {
    let lines = lines.strip_suffix('\n').ok_or(bad("the last line has no line end"))?;
    let read = |line| SignatureLine::read(line).ok_or(bad("a line after the text is not a signature"));
    let signatures: Vec<SignatureLine> =
        lines.split('\n').take(MAX_SIGNATURES + 1).map(read).collect::<Result<_, _>>()?;
    match signatures.len() {
        0..=MAX_SIGNATURES => Ok(signatures),
        _ => Err(bad("it has more than 64 signatures")),
    }
}

impl FromStr for Note {
    type Err = FormatError;

    fn from_str(note: &str) -> Result<Note, FormatError> {
        if note.len() > MAX_NOTE {
            return Err(bad("it is longer than 256 KiB"));
        }
        if note.contains(|c: char| c < ' ' && c != '\n') {
            return Err(bad("it has a control character"));
        }
        let end = note.rfind("\n\n").ok_or(bad("it has no empty line before the signatures"))?;
        let (text, lines) = (&note[..=end], &note[end + 2..]);
        Ok(Note { text: text.to_owned(), signatures: signature_lines(lines)? })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
