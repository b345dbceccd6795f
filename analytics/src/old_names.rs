//! The schema `v3`: every table as dataset version 3 had it, as views over the present tables. Queries of that version
//! run on it unchanged. The next version of the dataset removes it.

use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::{CatalogProvider, SchemaProvider};
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// The name of the schema.
pub(crate) const V3: &str = "v3";

/// The differences of version 3 in one table.
struct Old {
    table: &'static str,
    /// Present columns that it did not have.
    without: &'static [&'static str],
    /// Present columns, each with its replacement in version 3: an expression and a name.
    instead: &'static [(&'static str, &'static str, &'static str)],
}

const OLD: [Old; 8] = [
    Old {
        table: "games",
        without: &["resign_listed", "archive_fields"],
        instead: &[("notes", "nullif(array_to_string(notes, chr(10)), '')", "notes")],
    },
    Old { table: "turns", without: &["label"], instead: &[] },
    Old { table: "server_log", without: &["utc_offset"], instead: &[] },
    Old {
        table: "players",
        without: &[],
        instead: &[("other_names", "nullif(array_to_string(other_names, ', '), '')", "other_names")],
    },
    Old {
        table: "rejected_turns",
        without: &[],
        instead: &[
            ("kind", "kind", "what"),
            ("illegal_code", "illegal_code", "our_code"),
            ("illegal_reason", "illegal_reason", "our_reason"),
        ],
    },
    Old {
        table: "registrations",
        without: &[],
        instead: &[("developers", "nullif(array_to_string(developers, '; '), '')", "developers")],
    },
    Old {
        table: "rulings",
        without: &["actor", "evidence"],
        instead: &[
            ("players", "nullif(array_to_string(players, '; '), '')", "player"),
            ("paragraphs", "nullif(array_to_string(paragraphs, '; '), '')", "paragraphs"),
        ],
    },
    Old { table: "ledger", without: &[], instead: &[("kind", "kind", "what"), ("party", "party", "who")] },
];

/// The SQL that makes the view of a table as version 3 had it; none if nothing has changed.
pub(crate) fn view(table: &str, schema: &Schema) -> Option<String> {
    let old = OLD.iter().find(|old| old.table == table)?;
    let columns = schema.fields().iter().map(|field| field.name().as_str());
    let columns: Vec<String> = columns
        .filter(|name| !old.without.contains(name))
        .map(|name| match old.instead.iter().find(|(today, ..)| *today == name) {
            Some((_, expression, before)) => format!("{expression} AS \"{before}\""),
            None => format!("\"{name}\""),
        })
        .collect();
    Some(format!("CREATE VIEW {V3}.{table} AS SELECT {} FROM public.{table}", columns.join(", ")))
}

/// The hint for a column that a table of the query has under another name now.
pub(crate) fn hint(name: &str, text: &str, columns: &[&str]) -> Option<String> {
    let renamed = OLD.iter().flat_map(|old| old.instead.iter().map(|one| (old.table, one.0, one.2)));
    let mut renamed = renamed.chain([("standings", "tie_breaks", "measures")]);
    let (_, today, _) = renamed
        .find(|(table, today, before)| *before == name && columns.contains(today) && has_name(text, table))?;
    Some(format!(
        "its name is `{today}` since dataset version 4; `annals query --schema {V3}` runs the old query"
    ))
}

/// Whether a statement has a name, which its comments do not count.
fn has_name(text: &str, name: &str) -> bool {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().unwrap_or_default();
    tokens.iter().any(|token| matches!(token, Token::Word(word) if word.value.eq_ignore_ascii_case(name)))
}

/// A catalog whose lists have all schemas but one, so that `SHOW` and `information_schema` have each table once.
#[derive(Debug)]
struct Listed {
    catalog: Arc<dyn CatalogProvider>,
    unlisted: &'static str,
}

impl CatalogProvider for Listed {
    fn schema_names(&self) -> Vec<String> {
        self.catalog.schema_names().into_iter().filter(|name| name != self.unlisted).collect()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        self.catalog.schema(name)
    }
}

/// Leaves a schema out of the lists of tables and columns. Its tables can still be queried by their full names.
pub(crate) fn leave_out_of_lists(context: &SessionContext, unlisted: &'static str) {
    let name = context.copied_config().options().catalog.default_catalog.clone();
    if let Some(catalog) = context.catalog(&name) {
        context.register_catalog(name, Arc::new(Listed { catalog, unlisted }));
    }
}
