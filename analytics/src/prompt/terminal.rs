//! The prompt on a terminal: line editing, history in a file, completion with Tab, Ctrl-C to drop a line, Ctrl-D to
//! leave.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use rustyline::completion::{Completer as LineCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::{Action, Completer, Prompt, Settings};
use crate::Error;
use crate::output::{Layout, write_answer};
use crate::session::Session;
use crate::sql_guard::queries;

/// Lines of history kept.
const HISTORY_LINES: usize = 2_000;

/// Runs the prompt until the user leaves. `history` is the file that stores the lines between sessions;
/// `width` returns the terminal's width, which may change.
///
/// # Errors
/// If the terminal cannot be read. The error of a query is shown, and the prompt continues.
pub fn run(
    session: &Session,
    settings: Settings,
    history: &Path,
    width: impl Fn() -> Option<u16>,
) -> Result<(), Error> {
    let config = Config::builder()
        .max_history_size(HISTORY_LINES)
        .and_then(|c| c.history_ignore_dups(true))
        .map_err(terminal_failed)?
        .completion_type(CompletionType::List)
        .build();
    let mut editor: Editor<Words, FileHistory> = Editor::with_config(config).map_err(terminal_failed)?;
    editor.set_helper(Some(Words(Completer::of(session))));
    // The first time there is no file yet; an unreadable history is ignored.
    let _ = editor.load_history(history);
    let mut prompt = Prompt::new(settings);
    eprintln!("SQL over {}; \\? for help, \\q to leave", session.dataset().location());
    loop {
        let line = match editor.readline(prompt.mark()) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                prompt.forget();
                continue;
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(terminal_failed(error)),
        };
        if !line.trim().is_empty() {
            let _ = editor.add_history_entry(&line);
        }
        match prompt.line(session, &line) {
            Action::More | Action::Nothing => {}
            Action::Say(text) => eprint!("{text}"),
            Action::Quit => break,
            Action::Answer(sql) => answer_all(session, &sql, prompt.settings(), width()),
        }
    }
    if let Some(folder) = history.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    let _ = editor.save_history(history);
    Ok(())
}

fn answer_all(session: &Session, sql: &str, settings: Settings, width: Option<u16>) {
    let asked = queries(sql);
    let result = asked.and_then(|all| {
        all.iter().try_for_each(|question| {
            let mut answer = session.ask(question)?;
            let layout = Layout {
                format: settings.format,
                header: true,
                max_rows: settings.max_rows,
                width,
                metadata: Vec::new(),
            };
            let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
            let written = write_answer(&mut answer, &mut out, layout)?;
            out.flush().map_err(|e| Error::io("write the answer", e))?;
            if written.more {
                eprintln!("the first {} rows; \\rows 0 shows all", written.rows);
            }
            if settings.timing {
                eprintln!("{}", super::times(&answer));
            }
            if settings.explain {
                eprintln!("{}", answer.reads());
            }
            Ok::<(), Error>(())
        })
    });
    if let Err(error) = result {
        let mut err = std::io::stderr().lock();
        let _ = writeln!(err, "{error}");
        for hint in error.hints() {
            let _ = writeln!(err, "  hint: {hint}");
        }
    }
}

fn terminal_failed(error: ReadlineError) -> Error {
    Error::io("read from the terminal", std::io::Error::other(error))
}

/// Completion in the form of the line editor.
struct Words(Completer);

impl LineCompleter for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = self.0.complete(line, at);
        let pair = |word: String| Pair { display: word.clone(), replacement: word };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
