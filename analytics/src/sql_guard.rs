//! Splits SQL text into statements and accepts only queries. The engine checks again (`Session` plans with
//! all writing statements disabled); this module gives the error messages.

use datafusion::error::DataFusionError;
use datafusion::sql::parser::{DFParserBuilder, Statement as Parsed};
use datafusion::sql::sqlparser::ast::{Query, SetExpr, Statement as Ast};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::Error;
use crate::{other_dialects, sql_bounds, sql_error};

/// One statement that only reads.
#[derive(Debug, Clone)]
pub struct Question {
    /// The parsed statement.
    pub(crate) parsed: Parsed,
    /// The whole text, for marking the place of an error.
    pub(crate) text: std::sync::Arc<str>,
}

/// How deep an expression may be nested before the parser refuses it (each level costs stack).
const NESTING_LIMIT: usize = 64;

/// The statements of a text, separated by `;`. Empty statements (and comments alone) do not count.
///
/// # Errors
/// `Sql` with line, column and a mark if the text is not SQL, or a statement is too large; `ReadOnly` if a statement would change data.
pub fn queries(text: &str) -> Result<Vec<Question>, Error> {
    sql_bounds::check(text)?;
    let shared: std::sync::Arc<str> = text.into();
    let parsed = DFParserBuilder::new(text)
        .with_dialect(&GenericDialect {})
        .with_recursion_limit(NESTING_LIMIT)
        .build()
        .and_then(|mut parser| parser.parse_statements())
        .map_err(|error| sql_error::explain(text, error, &[]))?;
    parsed
        .into_iter()
        .map(|statement| {
            if !asks_only(&statement) {
                return Err(Error::ReadOnly { statement: first_words(&statement.to_string()) });
            }
            match other_dialects::ignored(&statement) {
                Some((message, hint)) => Err(Error::Sql { message, hints: vec![hint] }),
                None => Ok(Question { parsed: statement, text: shared.clone() }),
            }
        })
        .collect()
}

/// Whether a text is complete: it is empty, or ends in `;` outside of quotes and comments. The prompt continues
/// reading lines until it is.
#[must_use]
pub fn is_complete(text: &str) -> bool {
    match Tokenizer::new(&GenericDialect {}, text).tokenize() {
        Ok(tokens) => {
            let last = tokens.iter().rev().find(|token| !matches!(token, Token::Whitespace(_) | Token::EOF));
            last.is_none_or(|token| *token == Token::SemiColon)
        }
        // An unclosed quote or comment: the text is not complete.
        Err(_) => false,
    }
}

fn asks_only(statement: &Parsed) -> bool {
    match statement {
        Parsed::Statement(ast) => ast_asks_only(ast),
        Parsed::Explain(explain) => asks_only(&explain.statement),
        Parsed::CreateExternalTable(_) | Parsed::CopyTo(_) | Parsed::Reset(_) => false,
    }
}

fn ast_asks_only(ast: &Ast) -> bool {
    match ast {
        Ast::Query(query) => query_asks_only(query),
        Ast::Explain { statement, .. } => ast_asks_only(statement),
        Ast::ExplainTable { .. }
        | Ast::ShowTables { .. }
        | Ast::ShowColumns { .. }
        | Ast::ShowFunctions { .. }
        | Ast::ShowVariable { .. }
        | Ast::ShowVariables { .. } => true,
        _ => false,
    }
}

/// `SELECT ... INTO t` and `WITH x AS (INSERT ...)` are queries by grammar, but change data.
fn query_asks_only(query: &Query) -> bool {
    let ctes = query.with.iter().flat_map(|with| &with.cte_tables);
    ctes.into_iter().all(|cte| query_asks_only(&cte.query)) && body_asks_only(&query.body)
}

fn body_asks_only(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => select.into.is_none(),
        SetExpr::Query(query) => query_asks_only(query),
        SetExpr::SetOperation { left, right, .. } => body_asks_only(left) && body_asks_only(right),
        SetExpr::Values(_) | SetExpr::Table(_) => true,
        _ => false,
    }
}

fn first_words(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().take(4).collect();
    words.join(" ").chars().take(60).collect()
}

/// The parser's and planner's own errors pass through here so that both have a mark under the place.
impl Question {
    /// The message for an engine error in this statement.
    pub(crate) fn explain(&self, error: DataFusionError, names: &[sql_error::Names]) -> Error {
        sql_error::explain(&self.text, error, names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_of_every_kind_pass() {
        for sql in [
            "SELECT 1",
            "select * from games where gold = 'a;b' -- ; not an end",
            "WITH x AS (SELECT 1 AS a) SELECT * FROM x UNION ALL VALUES (2)",
            "VALUES (1), (2)",
            "EXPLAIN SELECT 1",
            "EXPLAIN ANALYZE SELECT 1",
            "DESCRIBE games",
            "SHOW TABLES",
            "SHOW COLUMNS FROM games",
            "(SELECT 1) EXCEPT (SELECT 2)",
        ] {
            assert_eq!(queries(sql).unwrap_or_else(|e| panic!("{sql}: {e}")).len(), 1, "{sql}");
        }
    }

    #[test]
    fn whatever_changes_something_is_refused_and_named() {
        for sql in [
            "DROP TABLE games",
            "CREATE TABLE t AS SELECT 1",
            "CREATE VIEW v AS SELECT 1",
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/etc/passwd'",
            "INSERT INTO games VALUES (1)",
            "UPDATE games SET gold = 'x'",
            "DELETE FROM games",
            "COPY (SELECT 1) TO 'x.csv'",
            "SET datafusion.execution.batch_size = 1",
            "RESET datafusion.execution.batch_size",
            "SELECT 1 INTO t",
            "EXPLAIN INSERT INTO games VALUES (1)",
            "EXPLAIN ANALYZE COPY (SELECT 1) TO 'x.csv'",
            "WITH a AS (SELECT 1 INTO t) SELECT * FROM a",
            "PREPARE p AS SELECT 1",
            "BEGIN",
            "SELECT 1; DROP TABLE games",
        ] {
            assert!(
                matches!(queries(sql), Err(Error::ReadOnly { .. } | Error::Sql { .. })),
                "{sql} was let through"
            );
        }
        let refused = queries("DROP TABLE games").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "`DROP TABLE games` is refused: `annals query` reads the dataset and never changes it"
        );
    }

    #[test]
    fn statements_are_split_at_semicolons_outside_of_quotes() {
        assert_eq!(queries("SELECT ';' ; ; SELECT 2;").unwrap().len(), 2);
        assert_eq!(queries("  -- nothing\n").unwrap().len(), 0);
    }

    #[test]
    fn a_text_is_complete_at_its_semicolon() {
        assert!(is_complete(""));
        assert!(is_complete("SELECT 1;"));
        assert!(is_complete("SELECT 1; -- done"));
        assert!(!is_complete("SELECT 1"));
        assert!(!is_complete("SELECT ';"));
        assert!(!is_complete("SELECT /* ;"));
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_crash() {
        let deep = format!("SELECT {}1{}", "(".repeat(5_000), ")".repeat(5_000));
        assert!(queries(&deep).is_err());
    }
}
