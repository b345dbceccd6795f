//! What canonical JSON cannot hold.

/// The largest integer that every JSON reader keeps exactly: 2^53 − 1.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

/// Why a value has no canonical form, or a text is not canonical.
#[derive(Debug, thiserror::Error)]
pub enum CanonicalError {
    #[error("not the JSON that was expected: {0}")]
    Json(#[from] serde_json::Error),
    /// A floating-point number, which canonical payloads never hold.
    #[error(
        "`{0}` is a floating-point number; payloads hold whole numbers only (write thousandths, or seconds)"
    )]
    Float(String),
    #[error("`{0}` is beyond ±9007199254740991 (2^53 − 1), which not every JSON reader keeps exactly")]
    TooLarge(String),
    /// A key that is not `snake_case` ASCII, or stands in its object twice.
    #[error("key `{0}` is not lower-case ASCII snake_case, or stands twice")]
    Key(String),
    /// JSON, but not in its canonical form.
    #[error(
        "valid JSON, but not in canonical form (sorted keys, no space); canonical would be `{canonical}`"
    )]
    NotCanonical { canonical: String },
}
