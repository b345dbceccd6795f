//! Canonical JSON (RFC 8785, restricted): sorted keys, no insignificant space, integers within ±2^53, no floats. So
//! hashes depend on content alone, and the log is readable without this program.

mod check;
mod error;
mod unique;
mod write;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::error::{CanonicalError, MAX_INTEGER};
pub use self::write::decimal;
use self::write::{Nulls, Writer};

/// # Errors
/// If the value has a float, an integer beyond ±(2^53 − 1), or a key that is not ASCII `snake_case`.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, CanonicalError> {
    write(value, Nulls::Kept)
}

/// Without object members that are `null`.
pub(crate) fn to_string_without_nulls<T: Serialize + ?Sized>(value: &T) -> Result<String, CanonicalError> {
    write(value, Nulls::LeftOut)
}

fn write<T: Serialize + ?Sized>(value: &T, nulls: Nulls) -> Result<String, CanonicalError> {
    let mut writer = Writer::new(nulls);
    value.serialize(&mut writer)?;
    Ok(writer.finish())
}

/// Reads JSON of any layout.
///
/// # Errors
/// If the text is not JSON of that type.
pub fn from_str<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, CanonicalError> {
    Ok(serde_json::from_str(text)?)
}

/// Checks that a text is JSON without repeated keys.
///
/// # Errors
/// If it is not; the error names the key.
pub fn check_unique(text: &str) -> Result<(), CanonicalError> {
    serde_json::from_str::<unique::Unique>(text)?;
    Ok(())
}

/// Checks that a text is canonical JSON.
///
/// # Errors
/// What is wrong, or the canonical form.
pub fn check(text: &str) -> Result<(), CanonicalError> {
    if check::is_canonical(text) {
        return Ok(());
    }
    let canonical = to_string(&serde_json::from_str::<Value>(text)?)?;
    // Repeated keys show here: the value keeps one of them.
    if canonical == text { Ok(()) } else { Err(CanonicalError::NotCanonical { canonical }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn keys_are_sorted_and_no_space_is_left() {
        let value = json!({"b": [1, true, null], "a": {"z": "x", "y": -3}});
        assert_eq!(to_string(&value).unwrap(), r#"{"a":{"y":-3,"z":"x"},"b":[1,true,null]}"#);
    }

    #[test]
    fn what_has_no_canonical_form_is_refused_with_its_reason() {
        assert!(matches!(to_string(&json!({"a": 0.5})), Err(CanonicalError::Float(_))));
        assert!(matches!(to_string(&json!({"a": 1u64 << 53})), Err(CanonicalError::TooLarge(_))));
        assert!(matches!(to_string(&json!({"a": u64::MAX})), Err(CanonicalError::TooLarge(_))));
        assert!(matches!(to_string(&json!({"Über": 1})), Err(CanonicalError::Key(_))));
        assert!(to_string(&json!({"a": MAX_INTEGER})).is_ok());
    }

    #[test]
    fn another_layout_of_the_same_value_is_not_canonical() {
        let error = check(r#"{"b":1, "a":2}"#).unwrap_err();
        assert!(error.to_string().contains(r#"{"a":2,"b":1}"#), "{error}");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-MAX_INTEGER..=MAX_INTEGER).prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map("[a-z_0-9]{1,8}", inner, 0..6)
                    .prop_map(|m| Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn reading_back_gives_the_same_value_and_the_same_bytes(value in any_json()) {
            let text = to_string(&value).unwrap();
            check(&text).unwrap();
            let back: Value = from_str(&text).unwrap();
            prop_assert_eq!(&back, &value);
            prop_assert_eq!(to_string(&back).unwrap(), text);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".{0,200}") {
            let _ = (check(&text), from_str::<Value>(&text));
        }
    }
}
