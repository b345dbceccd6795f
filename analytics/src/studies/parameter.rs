//! Parameters of a study: what a user may say in its question. A value becomes a literal of SQL here and nowhere else.

use crate::dates::{instant, span};
use crate::sql_text;

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name; `$name` stands for its value in the question.
    pub name: String,
    /// What its value must be.
    pub kind: ParameterKind,
    /// Its value where none is given; none where one has to be.
    pub default: Option<Value>,
    /// What it means.
    pub meaning: String,
    /// The line that declares it.
    pub line: usize,
}

/// What the value of a parameter must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// Any text.
    Text,
    /// A date; its first instant counts.
    Date,
}

/// A value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// An instant, in microseconds since 1970, UTC.
    Date(i64),
}

impl ParameterKind {
    /// All kinds by their words.
    pub const ALL: [(&'static str, ParameterKind); 4] = [
        ("whole", ParameterKind::Whole),
        ("number", ParameterKind::Number),
        ("text", ParameterKind::Text),
        ("date", ParameterKind::Date),
    ];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        ParameterKind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }

    /// The kind of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<ParameterKind> {
        ParameterKind::ALL.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind)
    }

    /// Reads a value.
    ///
    /// # Errors
    /// In words, what should stand there.
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
                "a date is expected: a year (2004), a month (2004-05), a day (2004-05-06) or a time (2004-05-06T12:00:00Z)"
                    .to_owned()
            }),
        }
    }
}

impl Value {
    /// The value as it stands in SQL.
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
        for (word, text, literal) in [
            ("whole", "-20", "(-20)"),
            ("whole", "7", "7"),
            ("number", "2", "2.0"),
            ("number", "-0.5", "(-0.5)"),
            ("number", "1e30", "1e30"),
            ("text", "O'Neill", "'O''Neill'"),
            ("text", "", "''"),
            ("date", "1970-01-02", "to_timestamp_micros(86400000000)"),
        ] {
            let kind = ParameterKind::from_word(word).unwrap();
            let value = kind.read(text).unwrap();
            assert_eq!((value.literal().as_str(), kind.word()), (literal, word));
        }
        assert_eq!(ParameterKind::Date.read("2004-05").unwrap().to_string(), "2004-05-01");
        for (word, text) in
            [("whole", "1.5"), ("whole", ""), ("number", "NaN"), ("number", "x"), ("date", "May")]
        {
            assert!(ParameterKind::from_word(word).unwrap().read(text).is_err(), "{word} {text}");
        }
        assert_eq!(ParameterKind::from_word("integer"), None);
    }
}
