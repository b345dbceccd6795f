//! The tables of the dataset: purpose, file layout, and each column's type, unit and meaning.

pub mod column;
mod derived;
mod games;
mod layout;
mod logs;
mod rejects;
pub mod schema;
mod turns;

pub use derived::{LookupRows, PlayerRows};
pub use games::GameRows;
pub use layout::{CREATED_BY, writer_properties};
pub use logs::{RejectedTurnRows, ServerLogRows};
pub use rejects::RejectRows;
pub use schema::{ColumnDescription, ColumnSpec, Encoding, Rows, Statistics, TableDescription, TableSpec};
pub use turns::TurnRows;

/// The version of all table definitions; datasets of other versions are not read.
pub const SCHEMA_VERSION: u32 = 4;

/// Every table, in the order of explanation.
#[must_use]
pub fn describe() -> Vec<TableDescription> {
    vec![
        schema::describe_table::<GameRows>(),
        schema::describe_table::<TurnRows>(),
        schema::describe_table::<LookupRows>(),
        schema::describe_table::<PlayerRows>(),
        schema::describe_table::<ServerLogRows>(),
        schema::describe_table::<RejectedTurnRows>(),
        schema::describe_table::<RejectRows>(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_column_is_named_once_and_explained() {
        for table in describe() {
            assert!(table.purpose.ends_with('.') && table.layout.ends_with('.'), "{}", table.name);
            let mut names = HashSet::new();
            for column in &table.columns {
                assert!(names.insert(column.name), "{}.{} stands twice", table.name, column.name);
                assert!(column.meaning.ends_with('.'), "{}.{}", table.name, column.name);
            }
        }
    }
}
