//! The function that returns a value from an event's payload.

use datafusion::arrow::array::ArrayRef;
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;
use serde_json::Value;

use super::arguments::{Texts, refused};
use super::boards::texts;

pub(super) fn payload_value(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let payloads = Texts::new(&arguments[0], |text| Ok(text.to_owned()))?;
    let paths = Texts::new(&arguments[1], |text| Ok(text.to_owned()))?;
    texts(rows, |row| {
        let (Some(payload), Some(path)) = (payloads.get(row)?, paths.get(row)?) else { return Ok(None) };
        let value: Value = serde_json::from_str(&payload)
            .map_err(|error| refused("payload_value", &payload, format!("is no JSON: {error}")))?;
        Ok(at(&value, &path).map(in_words))
    })
}

/// The value at a path of keys and indices: `gold.name`, `moves.0`.
fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, key| match value {
        Value::Object(object) => object.get(key),
        Value::Array(array) => array.get(key.parse::<usize>().ok()?),
        _ => None,
    })
}

/// A text as it is, anything else as JSON.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_a_value_or_to_nothing() {
        let payload: Value =
            serde_json::from_str(r#"{"gold":{"name":"anna","rating":1500},"list":[1,"two"]}"#).unwrap();
        let found = |path: &str| at(&payload, path).map(in_words);
        assert_eq!(found("gold.name").as_deref(), Some("anna"));
        assert_eq!(found("gold.rating").as_deref(), Some("1500"));
        assert_eq!(found("gold").as_deref(), Some(r#"{"name":"anna","rating":1500}"#));
        assert_eq!(found("list.1").as_deref(), Some("two"));
        for path in ["silver", "gold.name.first", "list.2", "list.x", ""] {
            assert_eq!(found(path), None, "{path}");
        }
    }
}
