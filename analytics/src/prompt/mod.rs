//! The SQL prompt: the meaning of a line, for any input. The terminal itself (line editing, history) is in
//! `terminal`; this module is tested without one.

mod completion;
mod terminal;

use crate::output::Format;
use crate::session::Session;
use crate::sql_guard::is_complete;
use crate::{Error, functions};
use annals_report::similar;

pub use completion::{Completer, Completions};
pub use terminal::run;

/// The settings that can be changed in the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The format of the results.
    pub format: Format,
    /// The most rows shown; none for all.
    pub max_rows: Option<usize>,
    /// Whether planning and execution times are printed.
    pub timing: bool,
    /// Whether the files and bytes read are printed.
    pub explain: bool,
}

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// The statement is not complete.
    More,
    Nothing,
    /// Statements to be run.
    Answer(String),
    /// A text to be shown.
    Say(String),
    Quit,
}

/// The state between two lines.
#[derive(Debug)]
pub struct Prompt {
    settings: Settings,
    /// The lines of a statement that is not complete yet.
    pending: String,
}

const HELP: &str = "\
  SELECT ...;          a statement ends with a semicolon, and may take many lines
  \\d                   the tables;  \\d games  the columns of one
  \\h                   Annals' functions;  \\h piece_at  one of them
  \\f csv               the form of answers: table, csv, tsv, json, ndjson
  \\rows 100            the most rows shown; 0 for all
  \\timing              tell planning and execution times, or no more
  \\explain             tell what was read from the files, or no more
  \\c                   forget the lines typed so far
  \\q                   leave (so does Ctrl-D)
";

const COMMANDS: [&str; 11] =
    ["\\?", "\\d", "\\h", "\\f", "\\rows", "\\timing", "\\explain", "\\c", "\\q", "help", "quit"];

/// Commands of other programs, and those that do the same here.
const DOTTED: [(&str, &str); 8] = [
    (".tables", "\\d"),
    (".schema", "\\d"),
    (".help", "help"),
    (".mode", "\\f"),
    (".maxrows", "\\rows"),
    (".timer", "\\timing"),
    (".quit", "\\q"),
    (".exit", "\\q"),
];

impl Prompt {
    #[must_use]
    pub fn new(settings: Settings) -> Prompt {
        Prompt { settings, pending: String::new() }
    }

    /// The present settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The prompt of the next line: `annals> `, or `   ...> ` within a statement.
    #[must_use]
    pub fn mark(&self) -> &'static str {
        if self.pending.is_empty() { "annals> " } else { "   ...> " }
    }

    /// Drops the lines typed so far (Ctrl-C).
    pub fn forget(&mut self) {
        self.pending.clear();
    }

    /// Adds a line.
    pub fn line(&mut self, session: &Session, line: &str) -> Action {
        let word = line.trim();
        if self.pending.is_empty() {
            if word.is_empty() {
                return Action::Nothing;
            }
            if let Some(action) = self.command(session, word) {
                return action;
            }
        } else if word == "\\c" {
            self.forget();
            return Action::Nothing;
        } else if matches!(word, "\\q" | "\\quit") {
            return Action::Quit;
        }
        if !self.pending.is_empty() {
            self.pending.push('\n');
        }
        self.pending.push_str(line);
        if is_complete(&self.pending) {
            Action::Answer(std::mem::take(&mut self.pending))
        } else {
            Action::More
        }
    }

    /// A command: it begins with a backslash or, as in other programs, with a point; or is `quit`, `exit` or `help`.
    fn command(&mut self, session: &Session, line: &str) -> Option<Action> {
        let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let argument = argument.trim().trim_end_matches(';').trim();
        let bare = name.trim_end_matches(';').to_lowercase();
        let bare = DOTTED.iter().find(|(dotted, _)| *dotted == bare).map_or(bare.as_str(), |(_, ours)| ours);
        Some(match bare {
            "\\q" | "\\quit" | "quit" | "exit" => Action::Quit,
            "\\?" | "help" if argument.is_empty() => Action::Say(HELP.to_owned()),
            "\\c" => Action::Nothing,
            "\\d" => say(describe(session, argument)),
            "\\h" => say(function_help(argument)),
            "\\f" => self.set_format(argument),
            "\\rows" => self.set_rows(argument),
            "\\timing" => {
                self.settings.timing = !self.settings.timing;
                Action::Say(format!("timing is {}\n", on_or_off(self.settings.timing)))
            }
            "\\explain" => {
                self.settings.explain = !self.settings.explain;
                Action::Say(format!("explain is {}\n", on_or_off(self.settings.explain)))
            }
            other if other.starts_with(['\\', '.']) => {
                let like = similar(other, COMMANDS);
                let like = like.first().map_or(String::new(), |l| format!("; did you mean `{l}`?"));
                Action::Say(format!("`{name}` is not a command{like} (\\? lists them)\n"))
            }
            _ => return None,
        })
    }

    fn set_format(&mut self, word: &str) -> Action {
        match Format::from_word(word) {
            Some(format) if !format.is_binary() => {
                self.settings.format = format;
                Action::Say(format!("answers come as {}\n", format.word()))
            }
            _ => Action::Say("the forms are table, csv, tsv, json and ndjson\n".to_owned()),
        }
    }

    fn set_rows(&mut self, word: &str) -> Action {
        match word.parse::<usize>() {
            Ok(0) => {
                self.settings.max_rows = None;
                Action::Say("all rows are shown\n".to_owned())
            }
            Ok(rows) => {
                self.settings.max_rows = Some(rows);
                Action::Say(format!("at most {rows} rows are shown\n"))
            }
            Err(_) => Action::Say("write a number of rows, 0 for all\n".to_owned()),
        }
    }
}

/// Planning and execution times, as `--timing` prints them.
#[must_use]
pub fn times(answer: &crate::Answer<'_>) -> String {
    let (planning, executing) = answer.times();
    let ms = |d: std::time::Duration| d.as_secs_f64() * 1_000.0;
    format!("planned in {:.1} ms, executed in {:.1} ms", ms(planning), ms(executing))
}

fn on_or_off(value: bool) -> &'static str {
    if value { "on" } else { "off" }
}

fn say(text: Result<String, Error>) -> Action {
    Action::Say(text.unwrap_or_else(|error| {
        let hints: String = error.hints().iter().map(|h| format!("  hint: {h}\n")).collect();
        format!("{error}\n{hints}")
    }))
}

/// The tables, or the columns of one.
fn describe(session: &Session, table: &str) -> Result<String, Error> {
    let tables = crate::described::describe_tables();
    if table.is_empty() {
        let stored = session.dataset().table_names();
        let rows = |name: &str| match name {
            "positions" => Some(session.dataset().rows("turns")),
            // The rows of the log are counted by a query only.
            _ => stored.contains(&name).then(|| session.dataset().rows(name)),
        };
        let built_in = tables.iter().map(|t| match rows(t.name) {
            Some(rows) => format!("{:<16} {rows:>12} rows  {}\n", t.name, t.purpose),
            None => format!("{:<16} {:>12}       {}\n", t.name, "log", t.purpose),
        });
        let files =
            session.user_tables().iter().map(|name| format!("{name:<16} {:>12}       --table\n", "file"));
        return Ok(built_in.chain(files).collect());
    }
    if let Some((_, schema)) =
        session.tables().iter().find(|(name, _)| session.user_tables().contains(name) && name == table)
    {
        let columns = schema.fields().iter();
        return Ok(columns.map(|c| format!("  {:<18} {}\n", c.name(), c.data_type())).collect());
    }
    let found = tables.iter().find(|t| t.name.eq_ignore_ascii_case(table)).ok_or_else(|| Error::Unknown {
        what: "table",
        name: table.to_owned(),
        similar: similar(table, tables.iter().map(|t| t.name)),
    })?;
    let mut text = format!("{}\n", found.purpose);
    for column in &found.columns {
        let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
        text.push_str(&format!("  {:<18} {:<14} {}{unit}\n", column.name, column.sql_type, column.meaning));
    }
    Ok(text)
}

/// Annals' functions, or one of them with its example.
fn function_help(name: &str) -> Result<String, Error> {
    let all = functions::catalogue();
    if name.is_empty() {
        return Ok(all.iter().map(|f| format!("  {:<30} {}\n", f.call(), f.meaning)).collect());
    }
    let found = functions::find(name).ok_or_else(|| Error::Unknown {
        what: "function of Annals' own",
        name: name.to_owned(),
        similar: similar(name, all.iter().map(|f| f.name)),
    })?;
    Ok(format!("{} -> {}\n  {}\n  {};\n", found.call(), found.gives, found.meaning, found.example))
}
