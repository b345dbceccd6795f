//! The games of one file on their way into the log: what became of each, and what the log says of the file.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use annals_events::canonical::CanonicalError;
use annals_events::{Entry, Micros, StreamName};
use annals_report::grouped;
use annals_store::{Log, ReadError};
use serde::Serialize;

use super::draft::Draft;
use super::import::{ImportCounts, ImportError, ImportFlag, Importer, SourceNote, StreamImport};
use crate::finding::OUT_OF_BOUNDS;

/// What became of one file.
#[derive(Debug, Default, Serialize)]
pub struct FileImport {
    pub source: String,
    pub format: &'static str,
    pub digest: String,
    pub bytes: u64,
    #[serde(flatten)]
    pub counts: ImportCounts,
    pub rejected: u64,
    pub left_out: u64,
    /// How many games have each flag of the row reader.
    pub flags: BTreeMap<&'static str, u64>,
    /// How many findings of each kind the fold has.
    pub findings: BTreeMap<&'static str, u64>,
    /// The games about which there is something to say.
    pub remarks: Vec<Remark>,
    /// What was refused, and why.
    pub refused: Vec<RowRefusal>,
    /// The streams of the games of a game file, which are named after their bytes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub streams: Vec<StreamName>,
}

/// What there is to say about one game.
#[derive(Debug, Serialize)]
pub struct Remark {
    pub stream: StreamName,
    pub line: u64,
    pub flags: Vec<&'static str>,
    pub findings: Vec<ImportFlag>,
    /// Of a game file: flags and findings with their lines and moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub noticed: Vec<Noticed>,
}

/// Something noticed about a game of a file, with its place.
#[derive(Debug, Serialize)]
pub struct Noticed {
    pub code: &'static str,
    pub line: u64,
    /// The number of the move and its side, where it is behind one.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<&'static str>,
    pub what: String,
}

/// A row that is no game of the log.
#[derive(Debug, Serialize)]
pub struct RowRefusal {
    pub source: String,
    pub line: Option<u64>,
    pub code: &'static str,
    pub reason: String,
}

/// One game of a file.
pub struct FileGame<'g> {
    pub stream: &'g StreamName,
    /// Where it comes from: a file or a member of one, and the line.
    pub source: &'g str,
    pub line: u64,
    /// Whether the reader of the row has flagged it.
    pub flagged: bool,
}

impl FileImport {
    /// Nothing of the file has been imported yet.
    #[must_use]
    pub fn new(source: &str, format: &'static str, (digest, bytes): (String, u64)) -> FileImport {
        FileImport { source: source.to_owned(), format, digest, bytes, ..FileImport::default() }
    }

    /// Imports a game; one that the log cannot hold or does not take is refused, and the others are imported. `place` says
    /// where the n-th event is: its line where that is known, and words before the reason.
    ///
    /// # Errors
    /// When the import cannot continue.
    pub fn take<'e>(
        &mut self,
        importer: &mut Importer<'_>,
        actor: &str,
        game: &FileGame<'_>,
        events: impl Iterator<Item = (Micros, Entry<'e>)>,
        place: impl Fn(usize) -> (u64, String),
    ) -> Result<Option<StreamImport>, ImportError> {
        let mut drafts = Vec::new();
        for (index, (at, entry)) in events.enumerate() {
            let draft = Draft::of_entry(game.stream.clone(), at, &entry).map_err(|error| error.to_string());
            let checked =
                |draft: Draft| draft.check(actor).map(|()| draft).map_err(|error| error.to_string());
            match draft.and_then(checked) {
                Ok(draft) => drafts.push(draft),
                Err(why) => {
                    let (line, place) = place(index);
                    let reason = format!("{place}: no log can hold it: {why}");
                    self.refuse(game.source, Some(line), "no_event", reason);
                    return Ok(None);
                }
            }
        }
        match importer.stream_of_row(&drafts, game.flagged) {
            Ok(taken) => Ok(Some(taken)),
            Err(error) => {
                let Some(code) = of_one_game(&error) else { return Err(error) };
                self.refuse(game.source, Some(game.line), code, error.to_string());
                Ok(None)
            }
        }
    }

    /// Keeps that a game was refused; the others are imported.
    pub fn refuse(&mut self, source: &str, line: Option<u64>, code: &'static str, reason: String) {
        self.rejected += 1;
        self.refused.push(RowRefusal { source: source.to_owned(), line, code, reason });
    }

    /// Counts what there is to say about a game, and keeps it.
    pub fn remark(&mut self, remark: Remark) {
        for flag in &remark.flags {
            *self.flags.entry(flag).or_default() += 1;
        }
        for finding in &remark.findings {
            *self.findings.entry(finding.code).or_default() += 1;
        }
        if !remark.flags.is_empty() || !remark.findings.is_empty() {
            self.remarks.push(remark);
        }
    }

    /// Ends the import; the log records the file with its digest and counts.
    ///
    /// # Errors
    /// When the log does not take it.
    pub fn finish(mut self, importer: Importer<'_>, now: Micros) -> Result<FileImport, ImportError> {
        let file = (self.digest.clone(), self.bytes);
        let note = SourceNote {
            rejected: self.rejected,
            left_out: self.left_out,
            ..SourceNote::new(&self.source, self.format, file)
        };
        self.counts = importer.finish_with(&note, now)?;
        Ok(self)
    }

    /// Whether something was refused.
    #[must_use]
    pub fn has_refused(&self) -> bool {
        self.rejected > 0 || !self.refused.is_empty()
    }
}

/// The code of an error that concerns one game alone; none where the import cannot continue.
fn of_one_game(error: &ImportError) -> Option<&'static str> {
    match error {
        // The log holds another game under that name.
        ImportError::Differs { .. } | ImportError::WentOn { .. } => Some("differs_from_the_log"),
        ImportError::OutOfBounds { .. } => Some(OUT_OF_BOUNDS),
        _ => None,
    }
}

/// What became of a tournament that a file holds.
#[derive(Debug, Serialize)]
pub struct TournamentImport {
    pub stream: StreamName,
    /// All zero when nothing was to be appended.
    #[serde(flatten)]
    pub counts: ImportCounts,
    /// What the fold says of the events.
    pub findings: Vec<ImportFlag>,
    /// The receipt of the log.
    pub receipt: Option<String>,
}

impl TournamentImport {
    /// The import as lines: what was appended, and the findings by code.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut findings: BTreeMap<&str, u64> = BTreeMap::new();
        for finding in &self.findings {
            *findings.entry(finding.code).or_default() += 1;
        }
        let findings: Vec<String> =
            findings.iter().map(|(code, number)| format!("{code} {}", grouped(*number))).collect();
        let mut lines = vec![format!("{}: {}", self.stream, self.counts.summary("", ""))];
        if !findings.is_empty() {
            lines.push(format!("  findings: {}", findings.join(", ")));
        }
        lines
    }
}

/// Events as drafts of one stream.
///
/// # Errors
/// When an event cannot be written.
pub fn drafts_of<'e>(
    stream: &StreamName,
    events: impl IntoIterator<Item = (Micros, Entry<'e>)>,
) -> Result<Vec<Draft>, CanonicalError> {
    events.into_iter().map(|(at, entry)| Draft::of_entry(stream.clone(), at, &entry)).collect()
}

/// When the first event of a stream happened; none for a stream without events.
///
/// # Errors
/// When the log cannot be read.
pub fn first_event_at(log: &Log, stream: &StreamName) -> Result<Option<Micros>, ReadError> {
    let mut first = None;
    log.scan_stream(stream, u64::MAX, |event| {
        first = Some(event.effective_at);
        Ok::<_, ReadError>(ControlFlow::Break(()))
    })?;
    Ok(first)
}

/// Imports a whole tournament, as the record of it that a file keeps.
///
/// # Errors
/// When the log does not take it.
pub fn import_tournament(
    log: &mut Log,
    stream: &StreamName,
    drafts: &[Draft],
    source: &SourceNote,
    (actor, now): (&str, Micros),
) -> Result<TournamentImport, ImportError> {
    let mut importer = Importer::new(log, actor)?;
    let taken = importer.stream(drafts)?;
    let counts = importer.finish_with(source, now)?;
    let receipt = log.acknowledged().map(|head| head.to_string());
    Ok(TournamentImport { stream: stream.clone(), counts, findings: taken.flags, receipt })
}
