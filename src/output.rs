//! Writing answers to standard output: texts, and values as JSON. Talk goes to standard error and not through here.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::errors::CliError;

/// Standard output, buffered; flush it before the command ends.
pub fn standard_output() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Writes a text as it is.
pub fn write_text(text: &str) -> Result<(), CliError> {
    let mut out = standard_output();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a value as indented JSON with a line end.
pub fn write_json(value: &impl Serialize) -> Result<(), CliError> {
    let mut text = serde_json::to_string_pretty(value).map_err(json_error)?;
    text.push('\n');
    write_text(&text)
}

/// Writes a value as JSON on one line.
pub fn write_json_line(out: &mut impl Write, value: &impl Serialize) -> Result<(), CliError> {
    serde_json::to_writer(&mut *out, value).map_err(json_error)?;
    out.write_all(b"\n")?;
    Ok(())
}

fn json_error(error: serde_json::Error) -> CliError {
    // A reader that went away comes wrapped, and is no failure.
    if error.is_io() {
        return CliError::from(io::Error::from(error));
    }
    CliError::new(format!("cannot write the answer as JSON: {error}"))
}
