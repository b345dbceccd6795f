//! `annals schema`: the tables with their columns, and the functions.

use std::io::{self, Write as _};
use std::process::ExitCode;

use annals_ingest::tables::TableDescription;
use serde::Serialize;

use crate::errors::{CliError, InWords as _};
use crate::home::Home;

/// Describe the tables and their columns.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Describe the tables and their columns: types, units, meanings, where the files lie and why they are laid \
        out as they are; and the functions on boards, positions and turn labels.\n\nIt needs no dataset.",
    after_help = "Examples:\n  annals schema\n  annals schema turns\n  annals schema functions\n  \
        annals schema --json | jq '.tables[].name'"
)]
pub struct Args {
    /// One table, or `functions`.
    table: Option<String>,

    /// Print JSON.
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

pub fn run(args: Args, _home: &Home) -> Result<ExitCode, CliError> {
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
    let text = if args.json {
        serde_json::to_string_pretty(&schema).cannot("cannot write the schema as JSON")? + "\n"
    } else {
        in_words(&schema)
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
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

/// The description for reading. It is the same on a terminal and in a pipe: it is prose.
fn in_words(schema: &Schema) -> String {
    let mut text = String::new();
    for (i, table) in schema.tables.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        text.push_str(&format!("{}: {}\n", table.name, table.purpose));
        text.push_str(&format!(
            "  files   {}\n  order   {}\n  layout  {}\n",
            table.files, table.order, table.layout
        ));
        let names = table.columns.iter().map(|c| c.name.len()).max().unwrap_or(0);
        let types = table.columns.iter().map(|c| c.sql_type.len()).max().unwrap_or(0);
        for column in &table.columns {
            let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
            let null = if column.nullable { "null" } else { "    " };
            text.push_str(&format!(
                "  {:<names$}  {:<types$}  {null}  {}{unit}\n",
                column.name, column.sql_type, column.meaning
            ));
        }
    }
    if !schema.functions.is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(
            "functions: on boards, positions, turns and labels; a board may also be given as its text.\n",
        );
        for function in &schema.functions {
            text.push_str(&format!(
                "  {} -> {}\n      {}\n      {};\n",
                function.call, function.gives, function.meaning, function.example
            ));
        }
    }
    text
}
