//! `annals tournament import history`: the published tables that ship with the program, into the log.

use std::process::ExitCode;

use annals_events::PROGRAM;
use annals_ingest::archive_games::text_digest;
use annals_ingest::history::{PublishedTable, TABLES};
use annals_replay::handler::{Draft, SourceNote, TournamentImport, import_tournament};
use serde::Serialize;

use super::bring;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::output::{write_json, write_record};
use crate::terminal::counted;

/// Import the published tables that ship with Annals
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Import the published tables that ship with Annals\n\n\
        The tables have totals, order and source. Games and their dates are unknown. `annals tournament \
        crosstable` shows all crosstables that the totals allow. A tournament that the log has already is left \
        as it is.",
    after_help = "Examples:\n  \
        annals tournament import history --list\n  \
        annals tournament import history\n  \
        annals tournament import history london-2000 --dry-run"
)]
pub struct Args {
    /// Tables, by their names in the log [default: all]
    #[arg(value_name = "TOURNAMENT")]
    names: Vec<String>,

    /// List the tables
    #[arg(long, conflicts_with_all = ["names", "dry_run"])]
    list: bool,

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
struct Line<'a> {
    tournament: &'a str,
    name: &'a str,
    year: i32,
    players: usize,
    source: &'a str,
    events: usize,
    /// Whether the log holds the tournament already.
    in_the_log: bool,
    taken: Option<TournamentImport>,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let tables = tables(&args.names)?;
    let mut open = match args.list || args.dry_run {
        true => None,
        false => Some((log_file::open_or_create(home, &args.actor.name()?, None)?, args.actor.name()?)),
    };
    let mut lines = Vec::new();
    for table in tables {
        let told = table.events()?;
        let stream = bring::stream(table.id)?;
        let (mut in_the_log, mut taken) = (false, None);
        if let Some((open, actor)) = &mut open {
            in_the_log = open.log.stream_info(&stream)?.is_some();
            if !in_the_log {
                let drafts = bring::drafts(&stream, &told)?;
                let note = source_note(table, &drafts);
                taken = Some(import_tournament(&mut open.log, &stream, &drafts, &note, (actor, open.now))?);
            }
        }
        lines.push(Line {
            tournament: table.id,
            name: table.name,
            year: table.year,
            players: table.rows.len(),
            source: table.source,
            events: told.len(),
            in_the_log,
            taken,
        });
    }
    if args.json {
        write_json(&lines)?;
    } else {
        write_record(&lines.iter().map(in_words).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The tables of the names; all of them where none is named.
fn tables(names: &[String]) -> Result<Vec<&'static PublishedTable>, CliError> {
    if names.is_empty() {
        return Ok(TABLES.iter().collect());
    }
    let of = |name: &String| {
        let known = || TABLES.iter().map(|table| table.id);
        TABLES.iter().find(|table| table.id == name).ok_or_else(|| {
            let error = CliError::new(format!("no table of `{name}` ships with Annals"));
            let all = format!("the tables are {}", known().collect::<Vec<_>>().join(", "));
            error.did_you_mean(name, known(), &all)
        })
    };
    names.iter().map(of).collect()
}

/// What the log says of the source: the events as this program holds them.
fn source_note(table: &PublishedTable, drafts: &[Draft]) -> SourceNote {
    let lines: Vec<&str> = drafts.iter().map(|draft| draft.payload.as_str()).collect();
    let text = lines.join("\n");
    SourceNote {
        source: table.source.to_owned(),
        format: "published_table".to_owned(),
        digest: text_digest(&text),
        bytes: text.len() as u64,
        program: PROGRAM.to_owned(),
        rejected: 0,
        left_out: 0,
    }
}

fn in_words(line: &Line<'_>) -> String {
    let mut text = format!(
        "{}: {}, {}\n  source: {}\n",
        line.tournament,
        line.name,
        counted(line.players as u64, "player"),
        line.source
    );
    match &line.taken {
        Some(taken) => text.push_str(&bring::in_words(taken)),
        None if line.in_the_log => text.push_str("  in the log already\n"),
        None => text.push_str(&format!("  {}\n", counted(line.events as u64, "event"))),
    }
    text
}
