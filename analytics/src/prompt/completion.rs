//! Completion: the words that are possible at the cursor.

use crate::session::Session;

/// The words that are completed.
#[derive(Debug, Clone, Default)]
pub struct Completer {
    /// Tables with their columns.
    tables: Vec<(String, Vec<String>)>,
    functions: Vec<String>,
}

/// The completions at a place: where the word begins (in bytes), and the whole words.
pub type Completions = (usize, Vec<String>);

/// The offered keywords; the parser has some thousand more.
const KEYWORDS: [&str; 63] = [
    "ALL", "ANALYZE", "AND", "ANTI", "AS", "ASC", "AVG", "BETWEEN", "BY", "CASE", "CAST", "COUNT", "CROSS",
    "DESC", "DESCRIBE", "DISTINCT", "ELSE", "END", "EXCEPT", "EXISTS", "EXPLAIN", "FALSE", "FIRST", "FROM",
    "FULL", "GROUP", "HAVING", "ILIKE", "IN", "INNER", "INTERSECT", "INTERVAL", "IS", "JOIN", "LAST", "LEFT",
    "LIKE", "LIMIT", "MAX", "MIN", "NOT", "NULL", "NULLS", "OFFSET", "ON", "OR", "ORDER", "OUTER", "OVER",
    "PARTITION", "RIGHT", "SELECT", "SHOW", "SUM", "TABLES", "THEN", "TRUE", "UNION", "USING", "VALUES",
    "WHEN", "WHERE", "WITH",
];

const COMMANDS: [&str; 9] = ["\\?", "\\d", "\\h", "\\f", "\\rows", "\\timing", "\\explain", "\\c", "\\q"];

impl Completer {
    /// The words of a session.
    #[must_use]
    pub fn of(session: &Session) -> Completer {
        let tables = session.tables().into_iter();
        let columns =
            |fields: &datafusion::arrow::datatypes::Fields| fields.iter().map(|f| f.name().clone()).collect();
        Completer {
            tables: tables.map(|(name, schema)| (name, columns(schema.fields()))).collect(),
            functions: session.function_names(),
        }
    }

    /// The words that are possible at the cursor (a byte position in the line), in alphabetical order.
    #[must_use]
    pub fn complete(&self, line: &str, cursor: usize) -> Completions {
        let Some(before) = line.get(..cursor) else { return (cursor, Vec::new()) };
        if let Some(found) = self.complete_command(before) {
            return found;
        }
        if in_quotes(before) {
            return (cursor, Vec::new());
        }
        let start = word_start(before);
        let word = &before[start..];
        let candidates = match word.rsplit_once('.') {
            Some((owner, column)) => return self.complete_column(line, start, owner, column),
            None if word.is_empty() => return (cursor, Vec::new()),
            None => self.all_words(word),
        };
        (start, candidates)
    }

    /// `\d ga` completes tables, `\h pi` functions.
    fn complete_command(&self, before: &str) -> Option<Completions> {
        let line = before.trim_start();
        if !line.starts_with('\\') {
            return None;
        }
        let start = word_start(before);
        let Some((command, _)) = line.split_once(char::is_whitespace) else {
            let start = before.len() - line.len();
            return Some((start, matching(line, COMMANDS.iter().copied())));
        };
        let word = &before[start..];
        let words: Vec<&str> = match command {
            "\\d" => self.tables.iter().map(|(name, _)| name.as_str()).collect(),
            "\\h" => crate::functions::catalogue().iter().map(|f| f.name).collect(),
            "\\f" => vec!["table", "csv", "tsv", "json", "ndjson"],
            _ => Vec::new(),
        };
        Some((start, matching(word, words.into_iter())))
    }

    /// After `t.` the columns of `t`: a table, or the table with alias `t` in the statement.
    fn complete_column(&self, line: &str, start: usize, owner: &str, column: &str) -> Completions {
        let table = self.table_of(line, owner);
        let columns =
            self.tables.iter().filter(|(name, _)| table.is_none_or(|t| t == name)).flat_map(|(_, c)| c);
        let found = matching(column, columns.map(String::as_str));
        (start, found.into_iter().map(|c| format!("{owner}.{c}")).collect())
    }

    /// The table of a name or alias: itself, or by `games AS g`, `games g`.
    fn table_of<'c>(&'c self, line: &str, owner: &str) -> Option<&'c str> {
        let known = |word: &str| {
            self.tables.iter().map(|(name, _)| name.as_str()).find(|n| n.eq_ignore_ascii_case(word))
        };
        if let Some(table) = known(owner) {
            return Some(table);
        }
        let words: Vec<&str> = line.split(|c: char| !is_word(c)).filter(|w| !w.is_empty()).collect();
        let aliased = words.windows(2).find(|w| known(w[0]).is_some() && w[1].eq_ignore_ascii_case(owner));
        let with_as = words.windows(3).find(|w| {
            known(w[0]).is_some() && w[1].eq_ignore_ascii_case("as") && w[2].eq_ignore_ascii_case(owner)
        });
        aliased.or(with_as).and_then(|w| known(w[0]))
    }

    fn all_words(&self, word: &str) -> Vec<String> {
        let tables = self.tables.iter().map(|(name, _)| name.as_str());
        let columns = self.tables.iter().flat_map(|(_, columns)| columns.iter().map(String::as_str));
        let functions = self.functions.iter().map(String::as_str);
        let mut found = matching(word, tables.chain(columns).chain(functions));
        // Keywords in the case of the first letter.
        let upper = word.chars().all(|c| !c.is_lowercase());
        let keywords = matching(word, KEYWORDS.into_iter());
        found.extend(keywords.into_iter().map(|k| if upper { k } else { k.to_lowercase() }));
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn matching<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let begins =
        |candidate: &&str| candidate.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let mut found: Vec<String> = words.filter(begins).map(str::to_owned).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_start(before: &str) -> usize {
    let tail =
        before.chars().rev().take_while(|&c| is_word(c) || c == '.').map(char::len_utf8).sum::<usize>();
    before.len() - tail
}

/// Whether the cursor is inside a text literal, which is not completed.
fn in_quotes(before: &str) -> bool {
    before.matches('\'').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completer() -> Completer {
        let columns = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        Completer {
            tables: vec![
                ("games".into(), columns(&["game_id", "gold", "gold_rating"])),
                ("turns".into(), columns(&["game_id", "board"])),
            ],
            functions: vec!["board_text".into(), "count".into()],
        }
    }

    fn complete(line: &str) -> (usize, Vec<String>) {
        completer().complete(line, line.len())
    }

    #[test]
    fn tables_columns_functions_and_keywords_are_offered() {
        assert_eq!(complete("SELECT go"), (7, vec!["gold".into(), "gold_rating".into()]));
        assert_eq!(complete("SELECT bo"), (7, vec!["board".into(), "board_text".into()]));
        assert_eq!(complete("sel"), (0, vec!["select".into()]));
        assert_eq!(complete("SEL"), (0, vec!["SELECT".into()]));
        assert_eq!(complete("SELECT * FROM tu"), (14, vec!["turns".into()]));
    }

    #[test]
    fn after_a_dot_come_the_columns_of_that_table_or_alias() {
        assert_eq!(complete("SELECT turns.").1, ["turns.board", "turns.game_id"]);
        let line = "SELECT g. FROM games AS g";
        assert_eq!(completer().complete(line, 9).1, ["g.game_id", "g.gold", "g.gold_rating"]);
        let line = "SELECT t.b FROM turns t";
        assert_eq!(completer().complete(line, 10).1, ["t.board"]);
    }

    #[test]
    fn nothing_is_offered_inside_quotes_or_for_nothing() {
        assert!(complete("SELECT 'go").1.is_empty());
        assert!(complete("SELECT ").1.is_empty());
        assert!(completer().complete("é", 1).1.is_empty(), "a cursor inside a letter");
    }

    #[test]
    fn commands_complete_their_own_words() {
        assert_eq!(complete("\\d g"), (3, vec!["games".into()]));
        assert_eq!(complete("\\h pie"), (3, vec!["piece_at".into()]));
        assert_eq!(complete("\\ti"), (0, vec!["\\timing".into()]));
    }
}
