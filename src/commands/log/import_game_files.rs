//! Game files into the log: SGF and move lists, each game a stream of its own.

use std::collections::HashSet;

use annals_events::{Entry, Event, Micros, StreamName, TimeNote};
use annals_ingest::archive_games::file_digest;
use annals_ingest::game_files::{Format, GameFile, read};
use annals_ingest::source::{GameText, SourceFile, game_texts};
use annals_replay::handler::{ImportFlag, Importer};
use annals_replay::point::show;
use annals_store::Log;
use jiff::tz::TimeZone;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::import::{Imported, Refusal, Remark, draft_of, of_one_game};
use crate::errors::CliError;

/// Microseconds of a day: by so much a date without an hour may end after now.
const DAY: Micros = 86_400_000_000;

/// Something noticed about a game of a file, with its place.
#[derive(Debug, Serialize)]
pub(super) struct Noticed {
    code: &'static str,
    line: u64,
    /// The number of the move and its side, where it stands behind one.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    what: String,
}

impl Noticed {
    /// `line 4, move 12 of White: … [variations]`.
    pub(super) fn in_words(&self) -> String {
        let colour = if self.side == Some("gold") { "White" } else { "Black" };
        let at = self.number.map_or_else(String::new, |number| format!(", move {number} of {colour}"));
        format!("line {}{at}: {} [{}]", self.line, self.what, self.code)
    }
}

/// Takes the games of one file, whatever it is packed in; `format` is that of its first text.
pub(super) fn import(
    log: &mut Log,
    file: &SourceFile,
    format: Format,
    actor: &str,
    now: Micros,
    seen: &mut HashSet<StreamName>,
) -> Result<Imported, CliError> {
    let word = match format {
        Format::Sgf => "sgf",
        Format::MoveList => "move_list",
    };
    let mut imported = Imported::new(file.name.clone(), word);
    let cannot = |e| CliError::new(format!("cannot read {}: {e}", file.path.display()));
    (imported.digest, imported.bytes) = file_digest(&file.path).map_err(cannot)?;
    let mut importer = Importer::new(log, actor)?;
    for found in game_texts(file) {
        let (name, text, games) = match found {
            Ok(GameText { name, format: Some(format), text }) => {
                let games = read(format, &name, &text);
                (name, text, games)
            }
            Ok(GameText { name, format: None, .. }) => {
                let reason = format!(
                    "{name}: it is no file of games, as the first one in {} is; unpack it",
                    file.name
                );
                imported.refuse(None, "no_game_file", reason);
                continue;
            }
            Err((name, reason)) => {
                imported.refuse(None, "unreadable", format!("{name}: {reason}"));
                continue;
            }
        };
        for game in games {
            match game {
                Err(error) => imported.refuse(Some(error.line), error.problem.code(), error.to_string()),
                Ok(game) => {
                    let stream = stream_of(&game, &text)?;
                    if seen.insert(stream.clone()) {
                        take(&mut importer, (&name, &game), stream, (actor, now), &mut imported)?;
                    } else {
                        let reason = format!(
                            "{name}: line {}: the same game, byte for byte, stood before ({stream})",
                            game.line
                        );
                        imported.refuse(Some(game.line), "same_game", reason);
                    }
                }
            }
        }
    }
    let note = imported.note();
    imported.counts = importer.finish_with(&note, now)?;
    Ok(imported)
}

/// The stream of a game is named after its bytes, so that the same game is known again in whatever file it comes.
fn stream_of(game: &GameFile, text: &[u8]) -> Result<StreamName, CliError> {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let start = place(game.byte_offset);
    let bytes = text.get(start..start.saturating_add(place(game.byte_len))).unwrap_or_default();
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("game/amazons-{hex}").parse().map_err(|e| CliError::from_error(&e))
}

fn take(
    importer: &mut Importer<'_>,
    (source, game): (&str, &GameFile),
    stream: StreamName,
    (actor, now): (&str, Micros),
    imported: &mut Imported,
) -> Result<(), CliError> {
    // Where the file has no time, the game surely had begun when it was first imported.
    let known = importer.log().stream(&stream, u64::MAX)?.first().map(|event| event.effective_at);
    let (start, exact) = match game.events.first() {
        Some((Some(at), _)) if !game.only_date => (*at, true),
        Some((Some(at), _)) => (known.unwrap_or(now.min(*at)), false),
        _ => (known.unwrap_or(now), false),
    };
    let mut drafts = Vec::with_capacity(game.events.len());
    for (place, (_, event)) in game.events.iter().enumerate() {
        let time = if place == 0 && exact { None } else { Some(TimeNote::Unknown) };
        let entry = Entry { event: Event::Game(event.clone()), time };
        match draft_of(&stream, start, &entry, actor) {
            Ok(draft) => drafts.push(draft),
            Err(why) => {
                let line = game.turn_lines.get(place).copied().unwrap_or(game.line);
                let reason = format!("{source}: line {line}: no log can hold it: {why}");
                imported.refuse(Some(line), "no_event", reason);
                return Ok(());
            }
        }
    }
    let ahead = match game.events.first() {
        Some((Some(at), _)) if !exact && at.saturating_sub(now) > DAY => Some(*at),
        _ => None,
    };
    let flagged = !game.flags.is_empty() || ahead.is_some();
    let mut taken = match importer.stream_of_row(&drafts, flagged) {
        Ok(taken) => taken,
        Err(error) => {
            let Some(code) = of_one_game(&error) else { return Err(error.into()) };
            imported.refuse(Some(game.line), code, error.to_string());
            return Ok(());
        }
    };
    if let Some(at) = ahead {
        let day = show(at, &TimeZone::UTC);
        let message = format!(
            "its date ends {day}, after the clock of the log; it is filed under the time of its first import"
        );
        taken.flags.push(ImportFlag { version: 1, code: "in_the_future", message });
    }
    let mut noticed: Vec<Noticed> = game
        .flags
        .iter()
        .map(|flag| Noticed {
            code: flag.code,
            line: flag.line,
            number: flag.turn.map(|(number, _)| number),
            side: flag.turn.map(|(_, side)| side.word()),
            what: flag.what.clone(),
        })
        .collect();
    // What the rules find stands on the line of its event.
    noticed.extend(taken.flags.iter().map(|finding| {
        let place = usize::try_from(finding.version.saturating_sub(1)).unwrap_or(usize::MAX);
        let line = game.turn_lines.get(place).copied().unwrap_or(game.line);
        let turn = game.events.get(place).and_then(|(_, event)| match event {
            annals_events::GameEvent::TurnTaken(turn) => Some((turn.number, turn.side)),
            _ => None,
        });
        let (number, side) = (turn.map(|(number, _)| number), turn.map(|(_, side)| side.word()));
        Noticed { code: finding.code, line, number, side, what: finding.message.clone() }
    }));
    imported.streams.push(stream.clone());
    imported.remark(Remark {
        stream,
        line: game.line,
        flags: game.flags.iter().map(|flag| flag.code).collect(),
        findings: taken.flags,
        noticed,
    });
    Ok(())
}

impl Imported {
    fn refuse(&mut self, line: Option<u64>, code: &'static str, reason: String) {
        self.rejected += 1;
        self.refused.push(Refusal { source: self.source.clone(), line, code, reason });
    }
}
