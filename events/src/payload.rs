use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::canonical;

/// Canonical JSON, as stored and hashed. Inside larger JSON it is a value, not a string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RawPayload(String);

impl RawPayload {
    /// Unchecked text of a log: hashes cover what is stored.
    #[must_use]
    pub fn from_stored(text: String) -> RawPayload {
        RawPayload(text)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl AsRef<str> for RawPayload {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RawPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RawPayload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: serde_json::Value = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawPayload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawPayload, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        canonical::to_string(&value).map(RawPayload).map_err(serde::de::Error::custom)
    }
}
