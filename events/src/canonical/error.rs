//! Errors of canonical JSON.

/// 2^53 − 1, exact in every JSON reader.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

/// Why a value has no canonical form, or a text is not canonical.
#[derive(Debug, thiserror::Error)]
pub enum CanonicalError {
    #[error("not the JSON that was expected: {0}")]
    Json(#[from] serde_json::Error),
    /// Payloads have no floats.
    #[error(
        "`{0}` is a floating-point number; payloads hold whole numbers, in the unit of the field: cents of an amount, thousandths of a factor, microseconds of a time"
    )]
    Float(String),
    #[error("`{0}` is beyond ±9007199254740991 (2^53 − 1), which not every JSON reader keeps exactly")]
    TooLarge(String),
    /// Not `snake_case` ASCII, or repeated in its object.
    #[error("key `{0}` is not lower-case ASCII snake_case, or stands twice")]
    Key(String),
    /// JSON in another form.
    #[error(
        "valid JSON, but not in canonical form (sorted keys, no space); canonical would be `{canonical}`"
    )]
    NotCanonical { canonical: String },
}
