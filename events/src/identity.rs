//! Fixed byte sequences as lower-case hexadecimal: event hash, event identity, log identity.

use std::fmt;
use std::str::FromStr;

use crate::ids::text_serde;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no {what}: write {digits} lower-case hexadecimal digits")]
pub struct HexError {
    /// "hash", "event id".
    pub what: &'static str,
    pub digits: usize,
    /// The first 80 characters.
    pub found: String,
}

fn read<const N: usize>(what: &'static str, text: &str) -> Result<[u8; N], HexError> {
    let mut bytes = [0; N];
    // Upper case would be a second text of the same bytes.
    match hex::decode_to_slice(text, &mut bytes) {
        Ok(()) if !text.bytes().any(|byte| byte.is_ascii_uppercase()) => Ok(bytes),
        _ => Err(HexError { what, digits: 2 * N, found: text.chars().take(80).collect() }),
    }
}

macro_rules! hex_type {
    ($(#[$docs:meta])* $name:ident, $bytes:literal, $what:literal, $expecting:literal) => {
        $(#[$docs])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub [u8; $bytes]);

        impl $name {
            pub const LEN: usize = $bytes;

            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0
            }

            /// None for another length.
            #[must_use]
            pub fn from_slice(bytes: &[u8]) -> Option<$name> {
                bytes.try_into().ok().map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut digits = [0; 2 * $bytes];
                hex::encode_to_slice(self.0, &mut digits).map_err(|_| fmt::Error)?;
                f.pad(std::str::from_utf8(&digits).map_err(|_| fmt::Error)?)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = HexError;

            fn from_str(text: &str) -> Result<$name, HexError> {
                read($what, text).map($name)
            }
        }

        impl From<[u8; $bytes]> for $name {
            fn from(bytes: [u8; $bytes]) -> $name {
                $name(bytes)
            }
        }

        text_serde!($name, $expecting);
    };
}

hex_type! {
    /// An event's hash, over the previous hash and every field of the envelope.
    Hash, 32, "hash", "64 lower-case hexadecimal digits"
}

hex_type! {
    /// An event's identity, which identifies repeated appends.
    EventId, 16, "event id", "32 lower-case hexadecimal digits"
}

hex_type! {
    /// A log's identity, where its hash chain starts.
    LogId, 16, "log id", "32 lower-case hexadecimal digits"
}

impl EventId {
    /// For an imported event: the first eight bytes of a digest of the stream's name, then the version, big-endian.
    /// Repeated imports give the same identities, rising within a stream.
    #[must_use]
    pub fn for_import(stream_digest: [u8; 8], version: u64) -> EventId {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&stream_digest);
        bytes[8..].copy_from_slice(&version.to_be_bytes());
        EventId(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_their_hexadecimal() {
        let id = EventId::for_import([0xab, 0, 1, 2, 3, 4, 5, 0xff], 258);
        assert_eq!(id.to_string(), "ab000102030405ff0000000000000102");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(serde_json::from_str::<EventId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
        assert_eq!(format!("{:?}", LogId([7; 16])), "LogId(07070707070707070707070707070707)");
        assert_eq!(Hash::from_slice(&[1; 32]), Some(Hash([1; 32])));
        assert_eq!(Hash::from_slice(&[1; 31]), None);
    }

    #[test]
    fn any_other_text_is_refused_with_the_length_that_is_wanted() {
        for bad in ["", "ab", "AB000102030405ff0000000000000102", "ag000102030405ff0000000000000102"] {
            let error = bad.parse::<EventId>().unwrap_err();
            assert!(error.to_string().contains("32 lower-case hexadecimal digits"), "{error}");
        }
    }
}
