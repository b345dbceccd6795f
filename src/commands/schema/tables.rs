//! `annals schema tables`: the tables with their columns, and the functions.

use std::process::ExitCode;

use annals_ingest::tables::TableDescription;
use annals_report::{Cell, Document, Table};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::errors::CliError;
use crate::output::{write_document, write_json};

/// Describe the tables, columns and SQL functions
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Describe the tables, columns and SQL functions\n\n\
        Prints types, units and meanings, the layout of the files, and the functions on boards, positions and turn \
        labels. No dataset is needed.",
    after_help = "Examples:\n  \
        annals schema tables\n  \
        annals schema tables turns\n  \
        annals schema tables functions\n  \
        annals schema tables --json | jq '.tables[].name'"
)]
pub struct Args {
    /// Table, or `functions` [default: all]
    table: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A function as it is shown.
#[derive(Debug, Serialize)]
struct FunctionDescription {
    call: String,
    gives: &'static str,
    meaning: &'static str,
    example: &'static str,
}

#[derive(Serialize)]
struct Schema {
    tables: Vec<TableDescription>,
    functions: Vec<FunctionDescription>,
}

pub fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut schema = Schema { tables: tables(), functions: functions() };
    match args.table.as_deref() {
        None => {}
        Some(word) if word.eq_ignore_ascii_case("functions") => schema.tables.clear(),
        Some(name) => {
            if !schema.tables.iter().any(|t| t.name.eq_ignore_ascii_case(name)) {
                return Err(unknown(name, &schema.tables));
            }
            schema.tables.retain(|t| t.name.eq_ignore_ascii_case(name));
            schema.functions.clear();
        }
    }
    if args.json {
        write_json(&schema)?;
    } else {
        write_document(&document(&schema), &TimeZone::UTC, "`--json`")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn unknown(name: &str, tables: &[TableDescription]) -> CliError {
    let names: Vec<&str> = tables.iter().map(|t| t.name).collect();
    let all = format!("the tables are {}", names.join(", "));
    CliError::new(format!("there is no table `{name}`")).did_you_mean(name, names, &all)
}

fn tables() -> Vec<TableDescription> {
    annals_analytics::describe_tables()
}

fn functions() -> Vec<FunctionDescription> {
    let all = annals_analytics::functions::catalogue();
    let described = |f: &'static annals_analytics::functions::Function| FunctionDescription {
        call: f.call(),
        gives: f.gives,
        meaning: f.meaning,
        example: f.example,
    };
    let of_tables = annals_analytics::table_functions().into_iter().map(|f| FunctionDescription {
        call: f.call.to_owned(),
        gives: "table",
        meaning: f.meaning,
        example: f.example,
    });
    all.iter().map(described).chain(of_tables).collect()
}

/// The description for reading.
fn document(schema: &Schema) -> Document {
    let document = schema.tables.iter().fold(Document::default(), |document, table| {
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
    let calls = schema.functions.iter().flat_map(|function| {
        let indented =
            [function.meaning.to_owned(), format!("{};", function.example)].map(|line| format!("    {line}"));
        std::iter::once(format!("{} -> {}", function.call, function.gives)).chain(indented)
    });
    let title = "functions: on boards, positions, turns and labels; a board may also be its text.";
    document.lines(title, calls.collect())
}
