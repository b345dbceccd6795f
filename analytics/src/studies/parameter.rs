//! Parameters of a study. Only this module converts their values to SQL literals.

use serde::Deserialize;

use crate::dates::{instant, span};
use crate::sql_text;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Declared")]
pub struct Parameter {
    /// Its name; `$name` is its value in the query.
    pub name: String,
    /// The type of its value.
    pub kind: ParameterKind,
    /// Its default; none if a value is required.
    pub default: Option<Value>,
    pub meaning: String,
    /// The smallest and the largest value of a number.
    pub range: Option<(f64, f64)>,
    /// The values that a text may have; any if there are none.
    pub one_of: Vec<String>,
    /// The line that declares it.
    pub line: usize,
}

/// A parameter as a front matter declares it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    name: toml::Spanned<String>,
    kind: ParameterKind,
    default: Option<toml::Value>,
    min: Option<f64>,
    max: Option<f64>,
    #[serde(default)]
    one_of: Vec<String>,
    meaning: String,
}

impl TryFrom<Declared> for Parameter {
    type Error = String;

    /// Its line is the place of its name in bytes, until the front matter is read.
    fn try_from(declared: Declared) -> Result<Parameter, String> {
        let Declared { name, kind, default, min, max, one_of, meaning } = declared;
        let line = name.span().start;
        let name = name.into_inner();
        if !is_name(&name) {
            return Err(format!("`{name}` is no name: small letters, digits and _ make one"));
        }
        let range = (min.is_some() || max.is_some())
            .then(|| (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY)));
        if range.is_some() && !matches!(kind, ParameterKind::Whole | ParameterKind::Number) {
            return Err(format!("`{name}` has `min` or `max`, which only numbers have"));
        }
        if !one_of.is_empty() && kind != ParameterKind::Text {
            return Err(format!("`{name}` has `one_of`, which only texts have"));
        }
        let read = |value: toml::Value| match value {
            toml::Value::String(text) => kind.read(&text),
            toml::Value::Integer(number) => kind.read(&number.to_string()),
            toml::Value::Float(number) => kind.read(&number.to_string()),
            toml::Value::Datetime(time) => kind.read(&time.to_string()),
            other => Err(format!("a value cannot be a TOML {}", other.type_str())),
        };
        let default = default.map(read).transpose();
        let default = default.and_then(|default| match &default {
            Some(value) => within(range, value).and_then(|()| among(&one_of, value)).map(|()| default),
            None => Ok(default),
        });
        let default = default.map_err(|why| format!("the default of `{name}` will not do: {why}"))?;
        Ok(Parameter { name, kind, default, range, one_of, meaning, line })
    }
}

impl Parameter {
    /// Reads a value within the range.
    ///
    /// # Errors
    /// The expected form or range, as text.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let value = self.kind.read(text).map_err(|why| match self.range {
            Some(range) => why.replace("number is", &format!("number {} is", in_words(range))),
            None => why,
        })?;
        within(self.range, &value).and_then(|()| among(&self.one_of, &value)).map(|()| value)
    }

    /// Its range in words; empty without one.
    #[must_use]
    pub fn range_in_words(&self) -> String {
        self.range.map(in_words).unwrap_or_default()
    }
}

fn among(one_of: &[String], value: &Value) -> Result<(), String> {
    match value {
        Value::Text(text) if !one_of.is_empty() && !one_of.contains(text) => {
            Err(format!("{} is expected", one_of.join(" or ")))
        }
        _ => Ok(()),
    }
}

fn within(range: Option<(f64, f64)>, value: &Value) -> Result<(), String> {
    let number = match value {
        Value::Whole(number) => *number as f64,
        Value::Number(number) => *number,
        Value::Text(_) | Value::Date(_) => return Ok(()),
    };
    match range {
        Some((min, max)) if !(min..=max).contains(&number) => {
            Err(format!("a number {} is expected", in_words((min, max))))
        }
        _ => Ok(()),
    }
}

fn in_words((min, max): (f64, f64)) -> String {
    match (min.is_finite(), max.is_finite()) {
        (true, true) => format!("from {min} to {max}"),
        (true, false) => format!("of at least {min}"),
        _ => format!("of at most {max}"),
    }
}

/// Whether a text can name a parameter.
fn is_name(text: &str) -> bool {
    let letter = |sign: u8| sign.is_ascii_lowercase() || sign == b'_';
    text.bytes().next().is_some_and(letter) && text.bytes().all(|sign| letter(sign) || sign.is_ascii_digit())
}

/// The type of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    Whole,
    Number,
    Text,
    /// A date; its first instant counts.
    Date,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Whole(i64),
    Number(f64),
    Text(String),
    /// An instant, in microseconds since 1970, UTC.
    Date(i64),
}

impl ParameterKind {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            ParameterKind::Whole => "whole",
            ParameterKind::Number => "number",
            ParameterKind::Text => "text",
            ParameterKind::Date => "date",
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// The expected form, as text.
    pub fn read(self, text: &str) -> Result<Value, String> {
        match self {
            ParameterKind::Whole => {
                text.parse().map(Value::Whole).map_err(|_| "a whole number is expected".to_owned())
            }
            ParameterKind::Number => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Value::Number(number)),
                _ => Err("a number is expected".to_owned()),
            },
            ParameterKind::Text => Ok(Value::Text(text.to_owned())),
            ParameterKind::Date => span(text).map(|(from, _)| Value::Date(from)).map_err(|_| {
                "a date is expected: a year (2004), a month (2004-05), a day (2004-05-06) or a time (2004-05-06T12:00)"
                    .to_owned()
            }),
        }
    }
}

impl Value {
    /// The value as an SQL literal.
    #[must_use]
    pub fn literal(&self) -> String {
        match self {
            Value::Whole(number) if *number < 0 => format!("({number})"),
            Value::Whole(number) => number.to_string(),
            Value::Number(number) if *number < 0.0 => format!("({number:?})"),
            Value::Number(number) => format!("{number:?}"),
            Value::Text(text) => sql_text::text(text),
            Value::Date(micros) => format!("to_timestamp_micros({micros})"),
        }
    }
}

impl std::fmt::Display for Value {
    /// As a user would write it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Whole(number) => write!(f, "{number}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
            Value::Date(micros) => f.write_str(instant(*micros).trim_end_matches("T00:00:00Z")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_by_its_kind_and_becomes_a_literal() {
        use ParameterKind::{Date, Number, Text, Whole};
        for (kind, text, literal) in [
            (Whole, "-20", "(-20)"),
            (Whole, "7", "7"),
            (Number, "2", "2.0"),
            (Number, "-0.5", "(-0.5)"),
            (Number, "1e30", "1e30"),
            (Text, "O'Neill", "'O''Neill'"),
            (Text, "", "''"),
            (Date, "1970-01-02", "to_timestamp_micros(86400000000)"),
        ] {
            assert_eq!(kind.read(text).unwrap().literal(), literal);
        }
        assert_eq!(ParameterKind::Date.read("2004-05").unwrap().to_string(), "2004-05-01");
        for (kind, text) in [(Whole, "1.5"), (Whole, ""), (Number, "NaN"), (Number, "x"), (Date, "May")] {
            assert!(kind.read(text).is_err(), "{kind:?} {text}");
        }
    }
}
