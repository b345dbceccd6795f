//! Bounds on a statement. The engine plans a chain of operators, set operations or joins by recursion, one level for each link, so
//! that a long enough chain would exhaust the stack. A statement is measured before it is parsed.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer, Word};

use crate::Error;

/// Bytes of stack for the thread that plans and for each thread that executes: enough for a statement within the bounds.
pub const STACK_BYTES: usize = 256 << 20;

/// Bytes of SQL text.
const MAX_BYTES: usize = 4 << 20;

/// Operators of one statement: `AND`, `OR`, `=`, `+`, `||`, `::` and all others between or after operands.
const MAX_OPERATORS: usize = 5_000;

/// Nested parts of the plan of one statement: `SELECT`, set operations, joins, tables of a `FROM`.
const MAX_PARTS: usize = 2_000;

/// Brackets of one statement that are open at the same time.
const MAX_NESTING: usize = 500;

/// The exceeded bound of a statement.
fn too_large(what: &str, found: usize, most: usize, hint: &str) -> Error {
    Error::Sql {
        message: format!("the statement has {found} {what}, and at most {most} are planned"),
        hints: vec![hint.to_owned()],
    }
}

/// Checks the statements of a text against the bounds. The parser reports a text without valid tokens.
///
/// # Errors
/// `Sql`, naming the bound.
pub(crate) fn check(text: &str) -> Result<(), Error> {
    if text.len() > MAX_BYTES {
        let hint = "divide the statement, or join with a table that holds the values";
        return Err(too_large("bytes", text.len(), MAX_BYTES, hint));
    }
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, text).tokenize() else { return Ok(()) };
    let tokens = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_)));
    let mut measure = Measure::default();
    for token in tokens.chain([Token::SemiColon]) {
        if token == Token::SemiColon {
            measure.check()?;
            measure = Measure::default();
        } else {
            measure.add(token);
        }
    }
    Ok(())
}

/// The counts of one statement so far.
struct Measure {
    operators: usize,
    parts: usize,
    nesting: usize,
    /// For the statement and each open bracket, whether a comma there separates tables.
    in_from: Vec<bool>,
    last: Option<Token>,
}

impl Default for Measure {
    fn default() -> Measure {
        Measure { operators: 0, parts: 0, nesting: 0, in_from: vec![false], last: None }
    }
}

impl Measure {
    fn add(&mut self, token: Token) {
        match &token {
            Token::LParen | Token::LBrace => {
                self.in_from.push(false);
                self.nesting = self.nesting.max(self.in_from.len() - 1);
            }
            Token::RParen | Token::RBrace if self.in_from.len() > 1 => drop(self.in_from.pop()),
            Token::Comma => self.parts += usize::from(self.in_from.last() == Some(&true)),
            Token::Word(word) => self.word(word),
            // A sign before an operand adds a level of nesting, which the parser bounds; `*` can mean all columns.
            Token::Plus | Token::Minus | Token::Mul => self.operators += usize::from(self.follows_operand()),
            token => self.operators += usize::from(!is_operand(token)),
        }
        self.last = Some(token);
    }

    fn word(&mut self, word: &Word) {
        match word.keyword {
            Keyword::AND | Keyword::OR | Keyword::XOR | Keyword::IS | Keyword::IN | Keyword::BETWEEN => {
                self.operators += 1;
            }
            Keyword::LIKE | Keyword::ILIKE | Keyword::SIMILAR | Keyword::RLIKE | Keyword::REGEXP => {
                self.operators += 1;
            }
            Keyword::COLLATE | Keyword::AT | Keyword::DIV | Keyword::NOTNULL => {
                self.operators += 1;
            }
            // The parser does not bound how often these are repeated.
            Keyword::INTERVAL | Keyword::PRIOR | Keyword::NOT => self.operators += 1,
            Keyword::FROM => self.set_in_from(true),
            Keyword::SELECT | Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT => {
                self.parts += 1;
                self.set_in_from(false);
            }
            Keyword::JOIN | Keyword::APPLY | Keyword::PIVOT | Keyword::UNPIVOT => self.parts += 1,
            Keyword::EXPLAIN | Keyword::DESCRIBE | Keyword::DESC => self.parts += 1,
            Keyword::WHERE | Keyword::GROUP | Keyword::HAVING | Keyword::ORDER | Keyword::LIMIT => {
                self.set_in_from(false);
            }
            _ => {}
        }
    }

    fn set_in_from(&mut self, value: bool) {
        if let Some(last) = self.in_from.last_mut() {
            *last = value;
        }
    }

    fn follows_operand(&self) -> bool {
        match &self.last {
            Some(Token::Word(word)) => !matches!(
                word.keyword,
                Keyword::SELECT
                    | Keyword::DISTINCT
                    | Keyword::AND
                    | Keyword::OR
                    | Keyword::NOT
                    | Keyword::BETWEEN
                    | Keyword::WHEN
                    | Keyword::THEN
                    | Keyword::ELSE
            ),
            Some(Token::RBracket) => true,
            Some(token) => is_operand(token) && !matches!(token, Token::LParen | Token::Comma),
            None => false,
        }
    }

    fn check(&self) -> Result<(), Error> {
        if self.nesting > MAX_NESTING {
            let hint = "name the inner parts with `WITH name AS (SELECT ...)`";
            return Err(too_large("nested brackets", self.nesting, MAX_NESTING, hint));
        }
        if self.operators > MAX_OPERATORS {
            let hint = "write a long chain of OR as `column IN (value, value)`";
            return Err(too_large("operators", self.operators, MAX_OPERATORS, hint));
        }
        if self.parts > MAX_PARTS {
            let hint =
                "write rows as `VALUES (1), (2)` instead of a chain of UNION ALL, or divide the statement";
            return Err(too_large("queries, set operations and joins", self.parts, MAX_PARTS, hint));
        }
        Ok(())
    }
}

/// Whether a token is not an operator: an operand, or a separator or bracket.
fn is_operand(token: &Token) -> bool {
    matches!(
        token,
        Token::EOF
            | Token::Word(_)
            | Token::Number(..)
            | Token::SingleQuotedString(_)
            | Token::DoubleQuotedString(_)
            | Token::TripleSingleQuotedString(_)
            | Token::TripleDoubleQuotedString(_)
            | Token::DollarQuotedString(_)
            | Token::SingleQuotedByteStringLiteral(_)
            | Token::DoubleQuotedByteStringLiteral(_)
            | Token::NationalStringLiteral(_)
            | Token::EscapedStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::HexStringLiteral(_)
            | Token::Placeholder(_)
            | Token::Comma
            | Token::Period
            | Token::LParen
            | Token::RParen
            | Token::LBrace
            | Token::RBrace
            | Token::RBracket
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(text: &str) -> (usize, usize) {
        let mut measure = Measure::default();
        let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().unwrap();
        let tokens = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_)));
        tokens.for_each(|token| measure.add(token));
        (measure.operators, measure.parts)
    }

    #[test]
    fn what_is_planned_level_by_level_is_counted() {
        for (text, operators, parts) in [
            ("SELECT a, -1, *, count(*) FROM games WHERE a IN (1, -2, 3)", 1, 1),
            ("SELECT year + year - 1 FROM games", 2, 1),
            ("SELECT 1 WHERE a = 1 OR b = 2 AND c IS NULL", 5, 1),
            ("SELECT x::int::text, x[1][2] || 'or + and'", 5, 1),
            ("SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 3", 0, 5),
            ("SELECT a, b FROM c, d, (SELECT e, f FROM g, h WHERE i IN (1, 2)) JOIN j USING (k, l)", 1, 6),
            ("WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT * FROM b ORDER BY 1, 2", 0, 3),
            ("VALUES (-1, 2), (3, -4)", 0, 0),
        ] {
            assert_eq!(measured(text), (operators, parts), "{text}");
        }
    }

    #[test]
    fn each_statement_has_the_whole_bound_and_the_error_names_it() {
        let ors = |number| format!("SELECT {}", vec!["true"; number + 1].join(" OR "));
        let most = ors(MAX_OPERATORS);
        check(&format!("{most}; {most}; -- {most}\n")).unwrap();
        let error = check(&ors(MAX_OPERATORS + 1)).unwrap_err().to_string();
        assert!(error.contains("5001 operators, and at most 5000"), "{error}");
        let unions = vec!["SELECT 1"; MAX_PARTS / 2 + 1].join(" UNION ALL ");
        assert!(check(&unions).unwrap_err().to_string().contains("at most 2000"));
        let nested = format!("SELECT {}1{}", "(".repeat(MAX_NESTING + 1), ")".repeat(MAX_NESTING + 1));
        assert!(check(&nested).unwrap_err().to_string().contains("501 nested brackets"));
        let long = format!("SELECT '{}'", "x".repeat(MAX_BYTES));
        assert!(check(&long).unwrap_err().to_string().contains("bytes"));
    }
}
