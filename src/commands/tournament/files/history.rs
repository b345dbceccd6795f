//! `annals tournament import history`: the published tables that ship with the program, into the log.

use std::process::ExitCode;

use annals_ingest::archive_games::text_digest;
use annals_ingest::history::{TableSummary, tables};
use annals_ingest::imported::ImportedEvent;
use annals_replay::handler::{SourceNote, TournamentImport, drafts_of};
use annals_report::counted;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::recording::ImportArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Import the published tables that ship with Annals
///
/// The tables have totals, order and source. Games and their dates are unknown. `annals tournament crosstable` shows all
/// crosstables that the totals allow. A tournament that the log has already is left as it is.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals tournament import history --list\n  \
    annals tournament import history\n  \
    annals tournament import history london-2000 --dry-run")]
pub struct Args {
    /// Tables, by their names in the log [default: all]
    #[arg(value_name = "TOURNAMENT")]
    names: Vec<String>,

    /// List the tables
    #[arg(long, conflicts_with_all = ["names", "dry_run"])]
    list: bool,

    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Serialize)]
struct TableImport {
    #[serde(flatten)]
    table: TableSummary,
    /// Whether the log held the tournament already.
    in_the_log: bool,
    taken: Option<TournamentImport>,
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let tables = tables(&self.names)?;
        let mut running = if self.list { None } else { self.import.open(home)? };
        let mut imports = Vec::new();
        for table in tables {
            let events = table.events()?;
            let stream = format!("tournament/{}", table.id).parse()?;
            let (mut in_the_log, mut taken) = (false, None);
            if let Some(running) = &mut running {
                in_the_log = running.open.log.stream_info(&stream)?.is_some();
                if !in_the_log {
                    let drafts = drafts_of(&stream, events.iter().map(ImportedEvent::entry))?;
                    let payloads: Vec<&str> = drafts.iter().map(|draft| draft.payload.as_str()).collect();
                    let text = payloads.join("\n");
                    let digest = (text_digest(&text), text.len() as u64);
                    let note = SourceNote::new(table.source, "published_table", digest);
                    taken = Some(running.import(&stream, &events, &note)?);
                }
            }
            imports.push(TableImport { table: table.summary(events.len()), in_the_log, taken });
        }
        self.import.write_lines(
            &imports,
            imports.iter().flat_map(TableImport::lines).collect(),
            &TimeZone::UTC,
        )?;
        let mut receipts = imports.iter().filter_map(|import| import.taken.as_ref()?.receipt.as_deref());
        self.import.write_receipt(receipts.next_back())?;
        Ok(ExitCode::SUCCESS)
    }
}

impl TableImport {
    fn lines(&self) -> Vec<String> {
        let mut lines = self.table.lines();
        match &self.taken {
            Some(taken) => lines.extend(taken.lines()),
            None if self.in_the_log => lines.push("  in the log already".to_owned()),
            None => lines.push(format!("  {}", counted(self.table.events as u64, "event"))),
        }
        lines
    }
}
