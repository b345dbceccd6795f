//! A table of nullable columns of numbers, times or texts, from which pictures are drawn.

use jiff::Timestamp;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct ValueTable {
    columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    /// By row.
    pub values: Values,
}

/// By row; none if unknown.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    Numbers(Vec<Option<f64>>),
    /// Microseconds since 1970, UTC.
    Times(Vec<Option<f64>>),
    /// Also identifiers such as hashes.
    Words(Vec<Option<String>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Numbers,
    Times,
    Words,
}

impl Kind {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Numbers => "numbers",
            Kind::Times => "times",
            Kind::Words => "words",
        }
    }
}

impl ValueTable {
    #[must_use]
    pub fn new(columns: Vec<Column>) -> ValueTable {
        ValueTable { columns }
    }

    /// Of all columns.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.iter().map(Column::rows).min().unwrap_or(0)
    }

    /// Case matters only between names that differ in nothing else.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        let exact = self.columns.iter().find(|column| column.name == name);
        exact.or_else(|| self.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name)))
    }

    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }
}

impl Column {
    #[must_use]
    pub fn numbers(name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Column {
        Column { name: name.to_owned(), values: Values::Numbers(values.into_iter().collect()) }
    }

    /// In microseconds since 1970, UTC.
    #[must_use]
    pub fn times(name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Column {
        Column { name: name.to_owned(), values: Values::Times(values.into_iter().collect()) }
    }

    #[must_use]
    pub fn words(name: &str, values: impl IntoIterator<Item = Option<String>>) -> Column {
        Column { name: name.to_owned(), values: Values::Words(values.into_iter().collect()) }
    }

    #[must_use]
    pub fn rows(&self) -> usize {
        match &self.values {
            Values::Numbers(values) | Values::Times(values) => values.len(),
            Values::Words(values) => values.len(),
        }
    }

    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self.values {
            Values::Numbers(_) => Kind::Numbers,
            Values::Times(_) => Kind::Times,
            Values::Words(_) => Kind::Words,
        }
    }

    /// A number, or a time in microseconds; none for texts.
    #[must_use]
    pub fn number(&self, row: usize) -> Option<f64> {
        match &self.values {
            Values::Numbers(values) | Values::Times(values) => values.get(row).copied().flatten(),
            Values::Words(_) => None,
        }
    }

    /// As text: a time in RFC 3339, to the second.
    #[must_use]
    pub fn word(&self, row: usize) -> Option<String> {
        match &self.values {
            Values::Numbers(values) => values.get(row).copied().flatten().map(|number| number.to_string()),
            Values::Times(values) => {
                let micros = values.get(row).copied().flatten()?;
                let time = Timestamp::from_microsecond(micros as i64);
                Some(time.map_or_else(|_| micros.to_string(), |time| format!("{time:.0}")))
            }
            Values::Words(values) => values.get(row).cloned().flatten(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_found_by_its_name_and_tells_its_rows_as_numbers_and_as_words() {
        let table = ValueTable::new(vec![
            Column::numbers("games", [Some(7.0), None]),
            Column::times("at", [Some(0.0), Some(1_500_000.0)]),
            Column::words("Games", [Some("x".to_owned()), None, None]),
        ]);
        assert_eq!(table.rows(), 2, "rows that every column has");
        assert_eq!(table.column("Games").unwrap().kind(), Kind::Words);
        assert_eq!(table.column("GAMES").unwrap().kind(), Kind::Numbers);
        assert_eq!(table.column("AT").unwrap().word(1).unwrap(), "1970-01-01T00:00:01Z");
        assert_eq!(table.column("games").unwrap().word(0).unwrap(), "7");
        assert_eq!(table.column("games").unwrap().number(1), None);
        assert_eq!(table.column("Games").unwrap().number(0), None);
        assert_eq!(table.column("Games").unwrap().word(9), None);
        assert!(table.column("none").is_none());
        assert_eq!(ValueTable::default().rows(), 0);
    }
}
