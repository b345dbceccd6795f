use crate::table::Kind;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RecipeError {
    #[error("the answer has no row, so there is nothing to draw")]
    Empty,
    #[error("the result has more than {most} rows, too many for a chart")]
    TooMany { most: usize },
    /// A named column is missing in the answer.
    #[error(
        "the chart needs a column `{column}` for {role}, and the answer has none of that name; it has {}",
        listed(.have)
    )]
    MissingColumn { column: String, role: &'static str, have: Vec<String> },
    #[error("the chart needs {needed} for {role}, and the column `{column}` holds {}", .found.word())]
    WrongKind { column: String, role: &'static str, needed: &'static str, found: Kind },
    #[error("the column `{column}` has `{found}` in row {row} of the answer, and the squares are a1 to h8")]
    NotASquare {
        column: String,
        found: String,
        /// From 1.
        row: usize,
    },
    #[error("row {row} of the answer is the field {field} once more, and a field has one number")]
    Twice {
        field: String,
        /// From 1.
        row: usize,
    },
}

impl RecipeError {
    /// One line each.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        match self {
            RecipeError::Empty => Vec::new(),
            RecipeError::TooMany { .. } => {
                vec!["group the rows in the query, or take some of them (LIMIT)".to_owned()]
            }
            RecipeError::MissingColumn { column, .. } => vec![format!(
                "name a column of the query so (`... AS {column}`), or name one that it has in the front matter"
            )],
            RecipeError::WrongKind { column, .. } => {
                vec![format!("cast `{column}` in the query, or name another column in the front matter")]
            }
            RecipeError::NotASquare { .. } => Vec::new(),
            RecipeError::Twice { .. } => {
                vec!["group the query by everything that names a field, `panel` included".to_owned()]
            }
        }
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "no column at all".to_owned();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
