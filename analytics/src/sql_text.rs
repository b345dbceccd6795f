//! Building SQL text from values. Only this module converts user input to quoted literals.

use std::fmt::Write as _;

/// A text as an SQL literal: `O'Neill` becomes `'O''Neill'`.
#[must_use]
pub(crate) fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// The conditions of a WHERE clause, joined by AND.
#[derive(Debug, Default, Clone)]
pub(crate) struct Conditions(Vec<String>);

impl Conditions {
    pub(crate) fn add(&mut self, condition: impl Into<String>) {
        self.0.push(condition.into());
    }

    /// ` WHERE a AND b`, or nothing without a condition.
    pub(crate) fn clause(&self) -> String {
        let mut clause = String::new();
        for (i, condition) in self.0.iter().enumerate() {
            let _ = write!(clause, "{}{condition}", if i == 0 { "\nWHERE " } else { "\n  AND " });
        }
        clause
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql_guard::queries;

    #[test]
    fn a_quote_in_a_name_stays_inside_its_literal() {
        for name in ["O'Neill", "'; DROP TABLE games; --", "''", "\\'", "a\nb", "é'"] {
            let sql = format!("SELECT {}", text(name));
            assert_eq!(queries(&sql).unwrap().len(), 1, "{sql}");
        }
    }

    #[test]
    fn conditions_are_joined() {
        let mut conditions = Conditions::default();
        assert_eq!(conditions.clause(), "");
        conditions.add("a = 1");
        conditions.add("(b = 2 OR c = 3)");
        assert_eq!(conditions.clause(), "\nWHERE a = 1\n  AND (b = 2 OR c = 3)");
    }
}
