//! Messages for the engine's SQL errors: the line, a mark under the place, and similar names.

use datafusion::arrow::error::ArrowError;
use datafusion::common::{Location, SchemaError};
use datafusion::error::DataFusionError;

use crate::Error;
use crate::error::did_you_mean;
use crate::{old_names, other_dialects};
use annals_report::similar;

/// Existing names of one kind, for "did you mean".
#[derive(Debug, Clone)]
pub(crate) struct Names {
    /// Their kind: "table", "column", "function".
    pub what: &'static str,
    pub known: Vec<String>,
}

/// The message for an error about `text`. An error with another cause (memory, a file) is unchanged.
pub(crate) fn explain(text: &str, error: DataFusionError, names: &[Names]) -> Error {
    let place = place_of(&error);
    let root = error.find_root();
    if let Some(literal) = literal_that_is_no_time(root) {
        let message = format!("`{literal}` is not a time of SQL");
        let place = place_of_text(text, literal);
        return Error::Sql { message: marked(text, &message, place), hints: vec![TIMES.to_owned()] };
    }
    let message = match root {
        DataFusionError::SQL(parser, _) => without_position(&parser.to_string()),
        DataFusionError::SchemaError(inner, _) => schema_words(inner),
        DataFusionError::Plan(plan) => without_layers(plan),
        DataFusionError::Execution(plan) | DataFusionError::Internal(plan) if is_about_types(plan) => {
            without_layers(plan)
        }
        DataFusionError::NotImplemented(what) => format!("not supported: {}", first_line(what)),
        _ => return Error::from(error),
    };
    let unknown = unknown_name(root);
    let (message, hints) = match &unknown {
        Some((what, name)) => match renamed_table(root) {
            Some((written, hint)) => (format!("there is no column `{written}`"), vec![hint]),
            None => {
                (format!("there is no {what} `{name}`"), hints_for_unknown(what, name, text, root, names))
            }
        },
        None => match other_dialects::syntax(text, &message) {
            Some((message, hint)) => (message, vec![hint]),
            None => (without_syntax_trees(&message), Vec::new()),
        },
    };
    Error::Sql { message: marked(text, &message, place), hints }
}

/// What to write in place of a name that does not exist.
fn hints_for_unknown(
    what: &str,
    name: &str,
    text: &str,
    root: &DataFusionError,
    names: &[Names],
) -> Vec<String> {
    let elsewhere = match what {
        "function" => other_dialects::function(name),
        "table" => other_dialects::table(name, text),
        _ => other_dialects::column(name, text),
    };
    let known = names.iter().filter(|n| n.what == what).flat_map(|n| n.known.iter().map(String::as_str));
    // A column of a table that the query does not read is no help; where the engine names those that it reads, they count.
    let columns: Vec<&str> = columns_of_query(root).collect();
    let renamed = if what == "column" { old_names::hint(name, text, &columns) } else { None };
    let near = if columns.is_empty() { similar(name, known) } else { similar(name, columns) };
    let near = if elsewhere.is_none() || what == "column" { did_you_mean(&near) } else { None };
    near.into_iter().chain(elsewhere).chain(renamed).collect()
}

/// How times are written, which the engine reads less freely than the options of commands.
const TIMES: &str = "write a day as '2026-02-15', and a time as '2026-02-15 12:00:00'";

/// The text that the engine cannot read as a time or a date, if that is the error.
fn literal_that_is_no_time(root: &DataFusionError) -> Option<&str> {
    let DataFusionError::ArrowError(error, _) = root else { return None };
    let rest = match error.as_ref() {
        ArrowError::ParseError(message) => message.strip_prefix("Error parsing timestamp from '")?,
        ArrowError::CastError(message) if message.contains("' to value of Date") => {
            message.strip_prefix("Cannot cast string '")?
        }
        _ => return None,
    };
    rest.rsplit_once('\'').map(|(literal, _)| literal)
}

/// Where a query has a text literal, if it has it once.
fn place_of_text(sql: &str, literal: &str) -> Option<Location> {
    let quoted = format!("'{literal}'");
    let mut found = sql.match_indices(&quoted).map(|(at, _)| &sql[..at]);
    let before = found.next().filter(|_| found.next().is_none())?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    Some(Location { line: line as u64, column: column as u64 })
}

/// The columns of the tables that the query reads.
fn columns_of_query(root: &DataFusionError) -> impl Iterator<Item = &str> {
    let valid = match root {
        DataFusionError::SchemaError(inner, _) => match inner.as_ref() {
            SchemaError::FieldNotFound { valid_fields, .. } => valid_fields.as_slice(),
            _ => &[],
        },
        _ => &[],
    };
    valid.iter().map(|column| column.name())
}

/// A message without the parser's own data structures, which begin with a name and a brace.
fn without_syntax_trees(message: &str) -> String {
    let head = message.split(['{']).next().unwrap_or(message).trim_end();
    match head.len() < message.len() && head.contains(' ') {
        true => {
            let name = head
                .rsplit(|c: char| c.is_whitespace() || c == '(')
                .find(|w| !w.is_empty())
                .unwrap_or_default();
            format!("`{name}` is not supported")
        }
        false => message.to_owned(),
    }
}

fn place_of(error: &DataFusionError) -> Option<Location> {
    if let Some(span) = error.diagnostic().and_then(|d| d.span) {
        return Some(Location { line: span.start.line, column: span.start.column });
    }
    match error.find_root() {
        DataFusionError::SQL(parser, _) => position_in(&parser.to_string()),
        _ => None,
    }
}

/// The parser writes its position into the message: `... at Line: 1, Column: 8`.
fn position_in(message: &str) -> Option<Location> {
    let (_, rest) = message.rsplit_once("Line: ")?;
    let (line, rest) = rest.split_once(',')?;
    let column: String =
        rest.trim_start().strip_prefix("Column: ")?.chars().take_while(char::is_ascii_digit).collect();
    Some(Location { line: line.trim().parse().ok()?, column: column.parse().ok()? })
}

fn without_position(message: &str) -> String {
    let message = message.split(" at Line: ").next().unwrap_or(message);
    message.trim_start_matches("sql parser error: ").trim_end().to_owned()
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or(message).trim_end_matches('.').to_owned()
}

/// Whether an error of another class is a planning error: the types of a function's arguments.
fn is_about_types(message: &str) -> bool {
    message.contains("coercion failed") || message.contains("failed to match any signature")
}

/// The innermost message of the planner, without the layers through which it was passed up.
fn without_layers(message: &str) -> String {
    if let Some((before, _)) = message.split_once(" failed to match any signature") {
        let function = before.rsplit('\'').nth(1).unwrap_or("the function");
        return format!("`{function}` takes no argument of this type");
    }
    let inner = message.rsplit("Error during planning: ").next().unwrap_or(message);
    let inner = inner.split(". No function matches").next().unwrap_or(inner);
    first_line(inner)
}

fn schema_words(error: &SchemaError) -> String {
    match error {
        SchemaError::FieldNotFound { field, .. } => format!("there is no column `{}`", field.name()),
        SchemaError::AmbiguousReference { field } => {
            format!("the column `{}` stands in more than one table here: write `table.{0}`", field.name())
        }
        other => first_line(&other.to_string()),
    }
}

/// A column as it is written, if its table has another name in the query, and how to write it: `g.gold` after `FROM games g`.
fn renamed_table(root: &DataFusionError) -> Option<(String, String)> {
    let DataFusionError::SchemaError(inner, _) = root else { return None };
    let SchemaError::FieldNotFound { field, valid_fields } = inner.as_ref() else { return None };
    let table = field.relation.as_ref()?;
    let other = valid_fields.iter().find(|valid| valid.name() == field.name())?.relation.as_ref()?;
    if other == table {
        return None;
    }
    let hint = format!("write `{other}.{}`: the query has no table `{table}`", field.name());
    Some((format!("{table}.{}", field.name()), hint))
}

/// The kind and name that do not exist, if that is the error.
fn unknown_name(root: &DataFusionError) -> Option<(&'static str, String)> {
    match root {
        DataFusionError::SchemaError(inner, _) => match inner.as_ref() {
            SchemaError::FieldNotFound { field, .. } => Some(("column", field.name().to_owned())),
            _ => None,
        },
        DataFusionError::Plan(message) => {
            if let Some(rest) = message.strip_prefix("table '") {
                let name = rest.split('\'').next()?;
                // Without the catalog and the schema of the session; a file's name has a full stop too.
                let name = name.strip_prefix("datafusion.").unwrap_or(name);
                return Some(("table", name.strip_prefix("public.").unwrap_or(name).to_owned()));
            }
            if let Some(rest) = message.strip_prefix("table function '") {
                return Some(("table", rest.split('\'').next()?.to_owned()));
            }
            let rest = message.strip_prefix("Invalid function '")?;
            Some(("function", rest.split('\'').next()?.to_owned()))
        }
        _ => None,
    }
}

/// The message with its line and a mark under the place.
fn marked(text: &str, message: &str, place: Option<Location>) -> String {
    let Some(place) = place else { return message.to_owned() };
    let (Ok(line_number), Ok(column)) = (usize::try_from(place.line), usize::try_from(place.column)) else {
        return message.to_owned();
    };
    let Some(line) = line_number.checked_sub(1).and_then(|n| text.lines().nth(n)) else {
        return message.to_owned();
    };
    // A long line is shown around the place only.
    let at = column.saturating_sub(1).min(line.chars().count());
    let from = at.saturating_sub(60);
    let shown: String = line.chars().skip(from).take(120).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let prefix = format!("  {line_number} | ");
    let indent = " ".repeat(prefix.chars().count() + at - from);
    format!("{message} (line {line_number}, column {column})\n{prefix}{}\n{indent}^", shown.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_marked_under_its_line() {
        let place = Location { line: 2, column: 3 };
        assert_eq!(
            marked("SELECT a,\n  b FROM t", "no b", Some(place)),
            "no b (line 2, column 3)\n  2 |   b FROM t\n        ^"
        );
        assert_eq!(marked("x", "m", Some(Location { line: 9, column: 1 })), "m");
        assert_eq!(marked("x", "m", Some(Location { line: 0, column: 0 })), "m");
    }

    #[test]
    fn the_parsers_position_is_read_from_its_message() {
        let found = position_in("Expected: end, found: FORM at Line: 3, Column: 12").unwrap();
        assert_eq!((found.line, found.column), (3, 12));
        assert!(position_in("no position").is_none());
    }

    #[test]
    fn the_planners_layers_are_taken_off() {
        let wrapped = "Function 'piece_at' user-defined coercion failed with: Error during planning: piece_at: board must \
                       be a board. No function matches the given name and argument types";
        assert!(is_about_types(wrapped));
        assert_eq!(without_layers(wrapped), "piece_at: board must be a board");
        let sum = "Function 'sum' failed to match any signature, errors: Error during planning: ...";
        assert_eq!(without_layers(sum), "`sum` takes no argument of this type");
    }
}
