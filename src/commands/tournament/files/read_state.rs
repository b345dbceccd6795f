//! `annals tournament import state`: a director's state file into the log.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_events::{Micros, StreamName};
use annals_ingest::state_file::{FromState, StateFile, StateFileError, Statement};
use annals_replay::handler::{TournamentImport, import_tournament};
use annals_replay::point;
use annals_store::{Clock as _, Log, MachineClock};
use serde::Serialize;

use super::bring::{self, RecordingArgs};
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::moments::ZoneArgs;
use crate::output::{write_json, write_record};
use crate::terminal::counted;

/// Import a tournament from a director's state file
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Import a tournament from a director's state file\n\n\
        Lines are `player NAME SEED`, `round N`, `game GOLD SILVER RESULT` (also `pair`, `pick`), `bye NAME \
        [win|loss]`, `remove NAME`, `add NAME`. RESULT is `winner NAME`, `draw`, `double win`, `double loss`, \
        `no decision` or `vacated`; an open game has none. Comments begin with `#` or `*`.\n\n\
        A file with an invalid line is rejected, and nothing is imported. What the rules forbid is imported as \
        it is, for the audit to find. A repeated import adds nothing.",
    after_help = "Examples:\n  \
        annals tournament import state wc2006.txt --as wc-2006 --rulebook wc-2009\n  \
        annals tournament import state finals.txt --as wc-2009 --stage final --dry-run\n  \
        annals tournament import state finals.txt --as wc-2009 --player Fritzlein=karl\n  \
        annals tournament import state wcc2016.txt --option finalists=12 --option T7=B"
)]
pub struct Args {
    /// State file
    file: PathBuf,

    #[command(flatten)]
    recording: RecordingArgs,

    /// Start of the tournament: a time, or a date (its beginning) [default: now]
    #[arg(long, value_name = "DATE")]
    date: Option<String>,

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
    file: &'a Path,
    players: u32,
    rounds: u32,
    rounds_inferred: bool,
    games: u32,
    byes: u32,
    events: usize,
    remarks: &'a [String],
    dry_run: bool,
    taken: Option<&'a TournamentImport>,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let recording = args.recording.recording()?;
    let stream = args.recording.stream()?;
    let file = read(&args.file)?;
    let names = file.said().filter_map(|said| match said {
        Statement::Player { name, .. } => Some(name.as_str()),
        _ => None,
    });
    bring::unknown_names(&recording, names)?;
    let zone = args.zone.zone()?;
    let date = args.date.as_deref().map(|text| point::beginning(text, &zone)).transpose()?;
    let (told, taken) = if args.dry_run {
        (file.events(&recording, date.unwrap_or_else(|| MachineClock.now())), None)
    } else {
        let actor = args.actor.name()?;
        let mut open = log_file::open_or_create(home, &actor, None)?;
        let _one_at_a_time = log_file::lock_imports(&home.log())?;
        let begins = match date {
            Some(date) => date,
            None => recorded_begin(&open.log, &stream)?.unwrap_or(open.now),
        };
        let told = file.events(&recording, begins);
        let name =
            args.file.file_name().map_or_else(|| args.file.to_string_lossy(), |name| name.to_string_lossy());
        let note = bring::source_note(&[(&name, &args.file)], "director_state")?;
        let drafts = bring::drafts(&stream, &told.events)?;
        let taken = import_tournament(&mut open.log, &stream, &drafts, &note, (&actor, open.now))?;
        (told, Some(taken))
    };
    report(&args, &told, taken.as_ref())
}

/// Reads and understands the file, or says which line cannot be meant.
fn read(path: &Path) -> Result<StateFile, CliError> {
    let bytes =
        annals_ingest::input_file::bytes(path).cannot(format_args!("cannot read {}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let before =
            e.as_bytes().iter().take(e.utf8_error().valid_up_to()).filter(|byte| **byte == b'\n').count();
        CliError::new(format!("{}:{}: expected UTF-8", path.display(), before + 1))
            .state("nothing was imported")
            .hint(format!("iconv -f latin1 -t utf-8 {}", path.display()))
    })?;
    StateFile::read(&text).map_err(|StateFileError { line, fault }| {
        CliError::new(format!("{}:{line}: {fault}", path.display())).state("nothing was imported")
    })
}

/// When the log says that the tournament began, where it holds it already: then the same file is the same again.
fn recorded_begin(log: &Log, stream: &StreamName) -> Result<Option<Micros>, CliError> {
    let mut first = None;
    log.scan_stream(stream, u64::MAX, |event| {
        first = Some(event.effective_at);
        Ok::<_, annals_store::ReadError>(std::ops::ControlFlow::Break(()))
    })?;
    Ok(first)
}

fn report(args: &Args, told: &FromState, taken: Option<&TournamentImport>) -> Result<ExitCode, CliError> {
    if args.json {
        write_json(&Answer {
            file: &args.file,
            players: told.players,
            rounds: told.rounds,
            rounds_inferred: told.inferred,
            games: told.games,
            byes: told.byes,
            events: told.events.len(),
            remarks: &told.remarks,
            dry_run: args.dry_run,
            taken,
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let inferred = if told.inferred { ", inferred from the order of the games" } else { "" };
    let mut text = format!(
        "{}: {}, {}, {}, {}{inferred}\n",
        args.file.display(),
        counted(u64::from(told.players), "player"),
        counted(u64::from(told.games), "game"),
        counted(u64::from(told.byes), "bye"),
        counted(u64::from(told.rounds), "round"),
    );
    for remark in &told.remarks {
        text.push_str(&format!("  {remark}\n"));
    }
    match taken {
        Some(taken) => text.push_str(&bring::in_words(taken)),
        None => text.push_str(&format!("{} would be appended\n", counted(told.events.len() as u64, "event"))),
    }
    write_record(&text)?;
    Ok(ExitCode::SUCCESS)
}
