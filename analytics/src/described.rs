//! The tables of SQL: the stored tables as `ingest` describes them, with the year from the
//! manifest, and the views.

use annals_ingest::tables::{ColumnDescription, Encoding, Statistics, TableDescription, describe};
use annals_report::{Cell, Document, Table};
use serde::Serialize;

use annals_report::similar;

use crate::dataset::{VIEWS, by_year};
use crate::error::did_you_mean;
use crate::files_table::is_identity;
use crate::functions::catalogue;
use crate::{Error, Remedy};

use crate::tournaments::table_functions;

/// All tables and views with their columns, in the order of explanation.
pub(crate) fn describe_tables() -> Vec<TableDescription> {
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

/// The SQL type of a column that is stored as a small unsigned number.
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

/// Tables and functions as `annals schema tables` shows them.
#[derive(Debug, Serialize)]
pub struct SchemaDescription {
    pub tables: Vec<TableDescription>,
    pub functions: Vec<FunctionDescription>,
}

/// A function of Annals.
#[derive(Debug, Serialize)]
pub struct FunctionDescription {
    pub call: String,
    pub gives: &'static str,
    pub meaning: &'static str,
    pub example: &'static str,
}

impl SchemaDescription {
    /// All of it, one table, or the functions alone.
    ///
    /// # Errors
    /// `Nothing` if there is no such table.
    pub fn of(name: Option<&str>) -> Result<SchemaDescription, Error> {
        let mut schema = SchemaDescription { tables: describe_tables(), functions: all_functions() };
        match name {
            None => {}
            Some(word) if word.eq_ignore_ascii_case("functions") => schema.tables.clear(),
            Some(name) => {
                let known: Vec<&str> = schema.tables.iter().map(|table| table.name).collect();
                if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                    let near = did_you_mean(&similar(name, known.iter().copied()));
                    let hint = near.unwrap_or_else(|| format!("the tables are {}", known.join(", ")));
                    return Err(Error::Nothing {
                        what: format!("there is no table `{name}`"),
                        next: vec![Remedy::Words(hint)],
                    });
                }
                schema.tables.retain(|table| table.name.eq_ignore_ascii_case(name));
                schema.functions.clear();
            }
        }
        Ok(schema)
    }

    /// The columns of the tables as one table; of the functions alone if there are no tables.
    #[must_use]
    pub fn table(&self) -> Table {
        if self.tables.is_empty() {
            return Table::of("Functions", &self.functions)
                .column("call", |function| Cell::text(&function.call))
                .column("gives", |function| Cell::text(function.gives))
                .column("meaning", |function| Cell::text(function.meaning))
                .column("example", |function| Cell::text(function.example))
                .table();
        }
        let columns =
            self.tables.iter().flat_map(|of| of.columns.iter().map(move |column| (of.name, column)));
        Table::of("Columns", columns)
            .column("table", |(table, _)| Cell::text(table))
            .column("column", |(_, column)| Cell::text(column.name))
            .column("type", |(_, column)| Cell::text(column.sql_type))
            .column("nullable", |(_, column)| Cell::text(column.nullable))
            .column("unit", |(_, column)| Cell::text(column.unit))
            .column("meaning", |(_, column)| Cell::text(column.meaning))
            .table()
    }

    /// The description for reading.
    #[must_use]
    pub fn document(&self) -> Document {
        let document = self.tables.iter().fold(Document::default(), |document, table| {
            let layout = [("files", table.files), ("order", table.order), ("layout", table.layout)];
            let layout = layout.map(|(what, words)| format!("{what:<6}  {words}")).to_vec();
            let columns = table.columns.iter().map(|column| {
                let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
                vec![
                    Cell::text(column.name),
                    Cell::text(column.sql_type),
                    Cell::some(column.nullable.then_some("null")),
                    Cell::Text(format!("{}{unit}", column.meaning)),
                ]
            });
            let columns = Table::bare(format!("Columns of {}", table.name), columns.collect());
            document.lines(format!("{}: {}", table.name, table.purpose), layout).table(columns)
        });
        let calls = self.functions.iter().flat_map(|function| {
            let indented = [function.meaning.to_owned(), format!("{};", function.example)];
            let indented = indented.map(|line| format!("    {line}"));
            std::iter::once(format!("{} -> {}", function.call, function.gives)).chain(indented)
        });
        let title = "functions: on boards, positions, turns and labels; a board may also be its text.";
        document.lines(title, calls.collect())
    }
}

fn all_functions() -> Vec<FunctionDescription> {
    let of_values = catalogue().iter().map(|f| FunctionDescription {
        call: f.call(),
        gives: f.gives,
        meaning: f.meaning,
        example: f.example,
    });
    let of_tables = table_functions().into_iter().map(|f| FunctionDescription {
        call: f.call.to_owned(),
        gives: "table",
        meaning: f.meaning,
        example: f.example,
    });
    of_values.chain(of_tables).collect()
}

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
