//! `annals tournament import archive`: the archive's games of one event as a tournament with inferred rounds.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::Micros;
use annals_ingest::archive_events::{EventGames, HeadCounts, RoundRow, events_of, select, tournament};
use annals_ingest::source::{SourceFile, discover};
use annals_replay::handler::{FileImport, TournamentImport, first_lines, import_tournament};
use annals_replay::point::show;
use serde::Serialize;

use super::bring::{self, RecordingArgs};
use crate::commands::log::import::import_games;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::moments::ZoneArgs;
use crate::output::{write_json, write_record};
use crate::terminal::{counted, grouped};

/// Import a tournament from the archive's games of one event
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Import a tournament from the archive's games of one event\n\n\
        Entries, results and times are those of the rows; a player's rating is that of their first game. Rounds \
        are inferred: as few as possible, with each player once a round and in order. Each inferred pairing is \
        marked. Byes are not inferred.\n\n\
        With --with-games the games are imported too and attached to their pairings. A repeated import adds \
        nothing. Exit status 1 if a row could not be read.",
    after_help = "Examples:\n  \
        annals tournament import archive --list allgames2006.tgz\n  \
        annals tournament import archive '2006 World Championship' allgames2006.tgz \\\n    \
        --as wc-2006 --rulebook wc-2009 --stage final --dry-run"
)]
pub struct Args {
    /// Event as the games name it, and archive files, folders or patterns
    #[arg(required = true, value_name = "EVENT] [FILE")]
    words: Vec<PathBuf>,

    #[command(flatten)]
    recording: RecordingArgs,

    /// List the events of the files
    #[arg(long, conflicts_with_all = ["id", "with_games", "dry_run"])]
    list: bool,

    /// Import the games too
    #[arg(long)]
    with_games: bool,

    #[command(flatten)]
    zone: ZoneArgs,

    #[command(flatten)]
    actor: ActorArgs,

    /// Import nothing; print what would be imported
    #[arg(long)]
    dry_run: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    event: &'a str,
    rounds_inferred: bool,
    byes_inferred: bool,
    players: usize,
    games: usize,
    firm: usize,
    rounds: &'a [RoundRow],
    open: &'a [u64],
    timeless: &'a [u64],
    renamed: &'a [Vec<String>],
    unread: usize,
    events: usize,
    dry_run: bool,
    with_games: Option<&'a [FileImport]>,
    taken: Option<&'a TournamentImport>,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let (event, files) = match args.words.split_first() {
        _ if args.list => (None, args.words.as_slice()),
        Some((event, files)) if !files.is_empty() => (Some(event.to_string_lossy()), files),
        _ => {
            return Err(CliError::new("an event was named, and no archive file")
                .hint("name the event first, then the files"));
        }
    };
    let files = discover(files).hint("name archive files, or folders of them")?;
    let Some(event) = event else { return list(&args, &files) };
    let (selected, unread) = select(event.trim(), &files)?;
    let event = selected.first().map_or_else(String::new, |first| first.event.clone());
    let (recording, stream) = (args.recording.recording()?, args.recording.stream()?);
    let games = EventGames::new(selected);
    bring::unknown_names(
        &recording,
        games.games().flat_map(|head| &head.seats).map(|seat| seat.name.as_str()),
    )?;
    let told = tournament(&games, &recording, &event, args.with_games);
    if told.events.is_empty() {
        let what = format!("no game of `{event}` states when it was played, so none has a place in time");
        return Err(CliError::new(what));
    }
    let (mut imported, mut taken) = (None, None);
    if !args.dry_run {
        let actor = args.actor.name()?;
        let mut open = log_file::open_or_create(home, &actor, None)?;
        if args.with_games {
            let numbers: Vec<u64> = games.games().map(|head| head.id).collect();
            imported = Some(import_games(&mut open, &files, &numbers, &actor)?);
        }
        let drafts = bring::drafts(&stream, &told.events)?;
        let note = bring::archive_note(&files, "archive_event")?;
        taken = Some(import_tournament(&mut open.log, &stream, &drafts, &note, (&actor, open.now))?);
    }
    let rounds = told.round_rows(&games);
    let answer = Answer {
        event: &event,
        rounds_inferred: true,
        byes_inferred: false,
        players: told.players,
        games: games.games().count(),
        firm: told.firm(),
        rounds: &rounds,
        open: &told.open,
        timeless: &games.timeless,
        renamed: &told.renamed,
        unread: unread.unread.len(),
        events: told.events.len(),
        dry_run: args.dry_run,
        with_games: imported.as_deref(),
        taken: taken.as_ref(),
    };
    if args.json {
        write_json(&answer)?;
    } else {
        write_record(&in_words(&answer, &unread, &args.zone)?)?;
    }
    Ok(ExitCode::from(u8::from(!unread.unread.is_empty())))
}

fn list(args: &Args, files: &[SourceFile]) -> Result<ExitCode, CliError> {
    let (rows, counts) = events_of(files);
    if args.json {
        write_json(&rows)?;
    } else {
        let zone = args.zone.zone()?;
        let day = |at: Option<Micros>| {
            at.map_or_else(|| "?".to_owned(), |at| show(at, &zone).chars().take(10).collect())
        };
        let mut text = String::new();
        for row in &rows {
            let event = if row.event.is_empty() { "(no event)" } else { &row.event };
            text.push_str(&format!(
                "{:>9}  {} to {}  {event}\n",
                grouped(row.games),
                day(row.first),
                day(row.last)
            ));
        }
        text.push_str(&unread_in_words(&counts));
        write_record(&text)?;
    }
    Ok(ExitCode::from(u8::from(!counts.unread.is_empty())))
}

fn in_words(answer: &Answer<'_>, unread: &HeadCounts, zone: &ZoneArgs) -> Result<String, CliError> {
    let zone = zone.zone()?;
    let mut text = format!(
        "{}: {}, {}, {} inferred from the dates ({} firm by the order of the games); byes are not inferred\n",
        answer.event,
        counted(answer.players as u64, "player"),
        counted(answer.games as u64, "game"),
        counted(answer.rounds.len() as u64, "round"),
        counted(answer.firm as u64, "game"),
    );
    for round in answer.rounds.iter().take(30) {
        let at = |at: Option<Micros>| at.map_or_else(|| "?".to_owned(), |at| show(at, &zone));
        text.push_str(&format!(
            "  round {}: {}, begun {} to {}\n",
            round.round,
            counted(round.games.len() as u64, "game"),
            at(round.first),
            at(round.last)
        ));
    }
    if answer.rounds.len() > 30 {
        text.push_str(&format!("  and {} more rounds; --json lists all\n", answer.rounds.len() - 30));
    }
    let numbers = |of: &[u64]| of.iter().take(10).map(u64::to_string).collect::<Vec<_>>().join(", ");
    if !answer.open.is_empty() {
        text.push_str(&format!(
            "  no result is stated of {}: {}\n",
            counted(answer.open.len() as u64, "game"),
            numbers(answer.open)
        ));
    }
    if !answer.timeless.is_empty() {
        text.push_str(&format!(
            "  no time is stated of {}, left out: {}\n",
            counted(answer.timeless.len() as u64, "game"),
            numbers(answer.timeless)
        ));
    }
    for names in answer.renamed {
        text.push_str(&format!("  one account under several names: {}\n", names.join(", ")));
    }
    text.push_str(&unread_in_words(unread));
    for imported in answer.with_games.unwrap_or_default() {
        text.push_str(&(imported.lines().join("\n") + "\n"));
    }
    match answer.taken {
        Some(taken) => text.push_str(&bring::in_words(taken)),
        None => text.push_str(&format!("{} would be appended\n", counted(answer.events as u64, "event"))),
    }
    Ok(text)
}

/// What could not be read, the first ten.
pub(super) fn unread_in_words(counts: &HeadCounts) -> String {
    let lines = first_lines(&counts.unread, " that were not read", |unread| {
        let line = unread.line.map_or(String::new(), |line| format!(" line {line}"));
        format!("not read: {}{line}: {} [{}]", unread.source, unread.reason, unread.code)
    });
    lines.into_iter().map(|line| line + "\n").collect()
}
