//! Imports the games of one file into the log: the result for each, and the log's record of the file.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use annals_events::canonical::CanonicalError;
use annals_events::{Entry, Event, GameEvent, Micros, StreamName, TimeNote};
use annals_report::grouped;
use annals_store::{Log, ReadError};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::draft::Draft;
use super::import::{ImportCounts, ImportError, ImportFlag, Importer, SourceNote, StreamImport};
use crate::finding::{IN_THE_FUTURE, OUT_OF_BOUNDS};
use crate::point::show;

/// Microseconds of a day: a date without an hour may end up to this long after now.
const DAY: Micros = 86_400_000_000;

/// The result of importing one file.
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
    /// The games with flags or findings.
    pub remarks: Vec<Remark>,
    /// What was refused, and why.
    pub refused: Vec<RowRefusal>,
    /// The streams of the games of a game file, which are named after their bytes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub streams: Vec<StreamName>,
}

/// The flags and findings of one game.
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

/// A flag or finding of a game of a file, with its place.
#[derive(Debug, Serialize)]
pub struct Noticed {
    pub code: &'static str,
    pub line: u64,
    /// The number of the move and its side, if it follows one.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<&'static str>,
    pub what: String,
}

/// A row that is not imported as a game.
#[derive(Debug, Serialize)]
pub struct RowRefusal {
    pub source: String,
    pub line: Option<u64>,
    pub code: &'static str,
    pub reason: String,
}

/// One game of a file.
pub struct FileGame<'g> {
    pub stream: StreamName,
    /// Where it comes from: a file or a member of one, and the line.
    pub source: &'g str,
    pub line: u64,
    /// The flags from reading the row.
    pub flags: Vec<&'static str>,
}

/// One game of a game file, of which only the start has a time.
pub struct UndatedGame<'g> {
    pub game: FileGame<'g>,
    /// The file, or the member of a packed one.
    pub member: &'g str,
    /// When it began, if that is stated; the end of the day if only the day is.
    pub start: Option<Micros>,
    pub only_date: bool,
    /// The events, each with its line.
    pub events: Vec<(u64, &'g GameEvent<'static>)>,
    /// The flags with their places.
    pub noticed: Vec<Noticed>,
}

impl FileImport {
    /// Nothing of the file has been imported yet.
    #[must_use]
    pub fn new(source: &str, format: &'static str, (digest, bytes): (String, u64)) -> FileImport {
        FileImport { source: source.to_owned(), format, digest, bytes, ..FileImport::default() }
    }

    /// Imports a game of an archive; one that the log cannot record or does not accept is refused, and the others are imported.
    ///
    /// # Errors
    /// When the import cannot continue.
    pub fn archive_game<'e>(
        &mut self,
        importer: &mut Importer<'_>,
        actor: &str,
        game: FileGame<'_>,
        events: impl Iterator<Item = (Micros, Entry<'e>)>,
    ) -> Result<(), ImportError> {
        let id = game.stream.name().trim_start_matches("arimaa-").to_owned();
        let place = |_| (game.line, format!("game {id}"));
        let flagged = !game.flags.is_empty();
        let Some(taken) = self.take(importer, actor, &game, flagged, events, place)? else { return Ok(()) };
        let FileGame { stream, line, flags, .. } = game;
        self.remark(Remark { stream, line, flags, findings: taken.flags, noticed: Vec::new() });
        Ok(())
    }

    /// As [`FileImport::archive_game`], for a game of a game file.
    ///
    /// # Errors
    /// When the import cannot continue.
    pub fn undated_game(
        &mut self,
        importer: &mut Importer<'_>,
        (actor, now): (&str, Micros),
        undated: UndatedGame<'_>,
    ) -> Result<(), ImportError> {
        let UndatedGame { game, member, start, only_date, events, mut noticed } = undated;
        // If the file has no time, the game surely had begun when it was first imported.
        let known = importer.log().stream(&game.stream, u64::MAX)?.first().map(|event| event.effective_at);
        let exact = start.is_some() && !only_date;
        let began = match start {
            Some(at) if exact => at,
            Some(at) => known.unwrap_or(now.min(at)),
            None => known.unwrap_or(now),
        };
        let ahead = start.filter(|at| !exact && at.saturating_sub(now) > DAY);
        let dated = events.iter().enumerate().map(|(place, (_, event))| {
            let time = if place == 0 && exact { None } else { Some(TimeNote::Unknown) };
            (began, Entry { event: Event::Game((*event).clone()), time })
        });
        let line_of = |place: usize| events.get(place).map_or(game.line, |(line, _)| *line);
        let place = |place| (line_of(place), format!("{member}: line {}", line_of(place)));
        let flagged = !game.flags.is_empty() || ahead.is_some();
        let Some(mut taken) = self.take(importer, actor, &game, flagged, dated, place)? else {
            return Ok(());
        };
        if let Some(at) = ahead {
            let message = format!(
                "its date ends {}, after the clock of the log; it is filed under the time of its first import",
                show(at, &TimeZone::UTC)
            );
            taken.flags.push(ImportFlag { version: 1, code: IN_THE_FUTURE, message });
        }
        // A finding of the rules has the line of its event.
        noticed.extend(taken.flags.iter().map(|finding| {
            let place = usize::try_from(finding.version.saturating_sub(1)).unwrap_or(usize::MAX);
            let turn = events.get(place).and_then(|(_, event)| match event {
                GameEvent::TurnTaken(turn) => Some((turn.number, turn.side)),
                _ => None,
            });
            let (number, side) = (turn.map(|(number, _)| number), turn.map(|(_, side)| side.word()));
            Noticed { code: finding.code, line: line_of(place), number, side, what: finding.message.clone() }
        }));
        let FileGame { stream, line, flags, .. } = game;
        self.streams.push(stream.clone());
        self.remark(Remark { stream, line, flags, findings: taken.flags, noticed });
        Ok(())
    }

    /// Imports a game. `place` gives the place of the n-th event: its line, and the text before the reason.
    fn take<'e>(
        &mut self,
        importer: &mut Importer<'_>,
        actor: &str,
        game: &FileGame<'_>,
        flagged: bool,
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
        match importer.stream_of_row(&drafts, flagged) {
            Ok(taken) => Ok(Some(taken)),
            Err(error) => {
                let Some(code) = of_one_game(&error) else { return Err(error) };
                self.refuse(game.source, Some(game.line), code, error.to_string());
                Ok(None)
            }
        }
    }

    /// Records that a game was refused; the others are imported.
    pub fn refuse(&mut self, source: &str, line: Option<u64>, code: &'static str, reason: String) {
        self.rejected += 1;
        self.refused.push(RowRefusal { source: source.to_owned(), line, code, reason });
    }

    /// Counts the flags and findings of a game, and stores them.
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
    /// When the log does not accept the record.
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
        // The log has another game under that name.
        ImportError::Differs { .. } | ImportError::WentOn { .. } => Some("differs_from_the_log"),
        ImportError::OutOfBounds { .. } => Some(OUT_OF_BOUNDS),
        _ => None,
    }
}

/// The result of importing the tournament of a file.
#[derive(Debug, Serialize)]
pub struct TournamentImport {
    pub stream: StreamName,
    /// All zero if there was nothing to append.
    #[serde(flatten)]
    pub counts: ImportCounts,
    /// The findings of the fold.
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
        let mut lines = vec![format!("{}: {}", self.stream, self.counts.appended("", ""))];
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

/// Imports a whole tournament from the record in a file.
///
/// # Errors
/// When the log does not accept it.
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
