//! Writing answers to standard output: texts, and values as JSON. Diagnostics go to
//! standard error.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::sync::OnceLock;

use annals_report::Document;
pub use annals_report::{harmless, one_line};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::errors::CliError;
use crate::{pager, terminal};

/// Standard output, buffered; flush it before the command ends.
pub fn standard_output() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Writes a message to standard error. Control characters in it are escaped. A closed
/// standard error is not a failure.
pub fn diagnostic(words: impl Display) {
    let text = harmless(&words.to_string()) + "\n";
    let text = terminal::wrapped(&text, terminal::diagnostics_screen().as_ref());
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes a document: on a terminal laid out for it, else complete. `complete` names the options that show all columns.
pub fn write_document(document: &Document, zone: &TimeZone, complete: &str) -> Result<(), CliError> {
    write_text(&document.text(zone, terminal::screen(complete).as_ref()))
}

/// Writes a document that has neither times nor tables.
pub fn write_words(document: &Document) -> Result<(), CliError> {
    write_document(document, &TimeZone::UTC, "")
}

/// Writes lines of the record.
pub fn write_lines(lines: &[String]) -> Result<(), CliError> {
    let text: String = lines.iter().map(|line| one_line(line) + "\n").collect();
    write_text(&terminal::wrapped(&text, terminal::screen("").as_ref()))
}

/// Writes what was folded from the record.
pub fn write_record(text: &str) -> Result<(), CliError> {
    write_text(&harmless(text))
}

/// What is wrong with the log that this command reads; set once.
static DAMAGE: OnceLock<String> = OnceLock::new();

/// Marks all that this command writes as read from a damaged log.
pub fn mark_damaged(damage: &str) {
    let _ = DAMAGE.set(damage.to_owned());
}

/// What is wrong with the log that this command reads, if `--allow-damage` shows a damaged one.
pub fn damage() -> Option<&'static str> {
    DAMAGE.get().map(String::as_str)
}

/// The mark of a damaged log as a line; empty for a log that is whole.
pub fn damage_line() -> String {
    damage().map_or_else(String::new, |damage| format!("DAMAGED LOG: {}\n", one_line(damage)))
}

/// Writes a text, under the mark of a damaged log if it was read from one; through a pager if the terminal is too low for it.
pub fn write_text(text: &str) -> Result<(), CliError> {
    let text = damage_line() + text;
    if pager::page(&text) { Ok(()) } else { write_unmarked(&text) }
}

/// Writes an answer as JSON, or as a document that has neither times nor tables.
pub fn answer(
    as_json: bool,
    value: &impl Serialize,
    document: impl FnOnce() -> Document,
) -> Result<(), CliError> {
    if as_json { write_json(value) } else { write_words(&document()) }
}

/// Writes an answer as JSON, or as a document with times in a zone.
pub fn answer_in(
    as_json: bool,
    value: &impl Serialize,
    zone: &TimeZone,
    document: impl FnOnce() -> Document,
) -> Result<(), CliError> {
    if as_json { write_json(value) } else { write_document(&document(), zone, "`--json`") }
}

/// Writes a text that already has the mark.
pub fn write_unmarked(text: &str) -> Result<(), CliError> {
    let mut out = standard_output();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a value as indented JSON with a line end.
pub fn write_json(value: &impl Serialize) -> Result<(), CliError> {
    write_unmarked(&json(value)?)
}

/// A value as indented JSON with a line end; of a damaged log in an object with the key `damaged`.
pub fn json(value: &impl Serialize) -> Result<String, CliError> {
    let text = match damage() {
        None => serde_json::to_string_pretty(value),
        Some(damaged) => serde_json::to_string_pretty(&Damaged { damaged, answer: value }),
    };
    Ok(text.map_err(json_error)? + "\n")
}

#[derive(Serialize)]
struct Damaged<'a, T> {
    damaged: &'a str,
    answer: &'a T,
}

/// Writes a value as JSON on one line.
pub fn write_json_line(out: &mut impl Write, value: &impl Serialize) -> Result<(), CliError> {
    serde_json::to_writer(&mut *out, value).map_err(json_error)?;
    out.write_all(b"\n")?;
    Ok(())
}

fn json_error(error: serde_json::Error) -> CliError {
    // `serde_json` wraps the error of a closed pipe, which is not a failure.
    if error.is_io() {
        return CliError::from(io::Error::from(error));
    }
    CliError::from(error)
}
