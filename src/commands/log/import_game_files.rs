//! Game files into the log: SGF and move lists, each game a stream of its own.

use std::collections::HashSet;

use annals_events::{Entry, Event, Micros, StreamName, TimeNote};
use annals_ingest::game_files::{Format, GameFile, read};
use annals_ingest::source::{GameText, SourceFile, game_texts};
use annals_replay::handler::{FileGame, FileImport, ImportFlag, Importer, Noticed, Remark};
use annals_replay::point::show;
use annals_store::Log;
use jiff::tz::TimeZone;
use sha2::{Digest as _, Sha256};

use super::import::digest_of;
use crate::errors::CliError;

/// Microseconds of a day: by so much a date without an hour may end after now.
const DAY: Micros = 86_400_000_000;

/// Takes the games of one file, whatever it is packed in; `format` is that of its first text.
pub(super) fn import(
    log: &mut Log,
    file: &SourceFile,
    format: Format,
    actor: &str,
    now: Micros,
    seen: &mut HashSet<StreamName>,
) -> Result<FileImport, CliError> {
    let word = match format {
        Format::Sgf => "sgf",
        Format::MoveList => "move_list",
    };
    let mut imported = FileImport::new(&file.name, word, digest_of(&file.path)?);
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
                imported.refuse(&file.name, None, "no_game_file", reason);
                continue;
            }
            Err((name, reason)) => {
                imported.refuse(&file.name, None, "unreadable", format!("{name}: {reason}"));
                continue;
            }
        };
        for game in games {
            match game {
                Err(error) => {
                    imported.refuse(&file.name, Some(error.line), error.problem.code(), error.to_string())
                }
                Ok(game) => {
                    let stream = stream_of(&game, &text)?;
                    if seen.insert(stream.clone()) {
                        take(&mut importer, (&name, &game), stream, (actor, now), &mut imported)?;
                    } else {
                        let reason = format!(
                            "{name}: line {}: the same game, byte for byte, stood before ({stream})",
                            game.line
                        );
                        imported.refuse(&file.name, Some(game.line), "same_game", reason);
                    }
                }
            }
        }
    }
    Ok(imported.finish(importer, now)?)
}

/// The stream of a game is named after its bytes, so that the same game is known again in whatever file it comes.
fn stream_of(game: &GameFile, text: &[u8]) -> Result<StreamName, CliError> {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let start = place(game.byte_offset);
    let bytes = text.get(start..start.saturating_add(place(game.byte_len))).unwrap_or_default();
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("game/amazons-{hex}").parse()?)
}

fn take(
    importer: &mut Importer<'_>,
    (source, game): (&str, &GameFile),
    stream: StreamName,
    (actor, now): (&str, Micros),
    imported: &mut FileImport,
) -> Result<(), CliError> {
    // Where the file has no time, the game surely had begun when it was first imported.
    let known = importer.log().stream(&stream, u64::MAX)?.first().map(|event| event.effective_at);
    let (start, exact) = match game.events.first() {
        Some((Some(at), _)) if !game.only_date => (*at, true),
        Some((Some(at), _)) => (known.unwrap_or(now.min(*at)), false),
        _ => (known.unwrap_or(now), false),
    };
    let ahead = match game.events.first() {
        Some((Some(at), _)) if !exact && at.saturating_sub(now) > DAY => Some(*at),
        _ => None,
    };
    let flagged = !game.flags.is_empty() || ahead.is_some();
    let line_of = |place: usize| game.turn_lines.get(place).copied().unwrap_or(game.line);
    let events = game.events.iter().enumerate().map(|(place, (_, event))| {
        let time = if place == 0 && exact { None } else { Some(TimeNote::Unknown) };
        (start, Entry { event: Event::Game(event.clone()), time })
    });
    let place = |place| (line_of(place), format!("{source}: line {}", line_of(place)));
    let file = imported.source.clone();
    let of_file = FileGame { stream: &stream, source: &file, line: game.line, flagged };
    let Some(mut taken) = imported.take(importer, actor, &of_file, events, place)? else { return Ok(()) };
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
        let line = line_of(place);
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
