//! What the tables look like from SQL: the stored tables as `ingest` describes them, with the year that the manifest
//! knows, and the views.

use annals_ingest::tables::{ColumnDescription, Encoding, Statistics, TableDescription, describe};

use crate::dataset::{VIEWS, by_year};
use crate::files_table::is_identity;

/// All tables and views with their columns, in the order in which one would explain them.
#[must_use]
pub fn describe_tables() -> Vec<TableDescription> {
    let mut tables = describe();
    for table in &mut tables {
        for column in &mut table.columns {
            column.sql_type = signed(column.name, column.sql_type);
        }
        if by_year(table.name) {
            table.columns.push(YEAR);
        }
    }
    let turns = tables.iter().find(|t| t.name == "turns").map_or(&[][..], |t| &t.columns);
    let views: Vec<TableDescription> = VIEWS.iter().map(|view| view.describe(turns)).collect();
    tables.extend(views);
    tables.push(crate::log_table::describe());
    tables.extend(crate::tournaments::describe());
    tables
}

/// The type under which SQL sees a column that lies in the files as a small unsigned number.
fn signed(name: &str, sql_type: &'static str) -> &'static str {
    match sql_type {
        "UTINYINT" => "SMALLINT",
        "USMALLINT" => "INTEGER",
        "UINTEGER" => "BIGINT",
        "UBIGINT" if !is_identity(name) => "BIGINT",
        other => other,
    }
}

const YEAR: ColumnDescription = ColumnDescription {
    name: crate::files_table::YEAR,
    sql_type: "SMALLINT",
    nullable: false,
    unit: "",
    meaning: "Year of the game's start (UTC), known from the manifest: asking for a year opens only its files.",
    encoding: Encoding::Plain,
    statistics: Statistics::RowGroups,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_of_positions_is_described_by_the_columns_of_turns() {
        let tables = describe_tables();
        let positions = tables.iter().find(|t| t.name == "positions").unwrap();
        let hash = positions.columns.iter().find(|c| c.name == "hash").unwrap();
        assert_eq!(hash.meaning, "Hash of the position after the turn.");
        assert!(positions.columns.iter().any(|c| c.name == "year"));
        assert!(positions.columns.iter().all(|c| !c.meaning.is_empty()));
    }
}
