//! `annals log check-bundle`: checks a file of evidence without the log.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::Hash;
use annals_ingest::input_file;
use annals_report::{Cell, Document, Table};
use annals_store::tlog::checkpoint::{Checkpoint, log_of};
use annals_store::{BundleCheck, Head, Moment, Whole, check_bundle};
use jiff::tz::TimeZone;

use super::prove::receipts;
use crate::document_form::DocumentArgs;
use crate::errors::{CliError, InWords as _};
use crate::home::in_home;
use crate::terminal::counted;

/// Check a file of evidence without the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Check a file of evidence without the log\n\n\
        Checks that every event of the file is in the log of the receipt, unchanged and at its place, and that \
        every stream is complete from its first event. Without a receipt the head in the file is taken for \
        granted.\n\n\
        That there are no later events is not proven. Exit status 1 if a check fails.",
    after_long_help = "Examples:\n  \
        annals log check-bundle wcc-2015.json --receipt @receipts.txt\n  \
        annals log check-bundle wcc-2015.json --receipt \"$(annals log head)\""
)]
pub struct Args {
    /// File that `annals log bundle` wrote
    file: PathBuf,

    /// Receipt of the log: the line, or @FILE, which has it among its lines or is a checkpoint
    #[arg(long, value_name = "RECEIPT")]
    receipt: Option<String>,

    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: Args) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let file = args.file.display();
    let kept = args.receipt.as_deref().map(receipts).transpose()?;
    let text = input_file::text(&args.file).cannot(format_args!("cannot read {file}"))?;
    let check =
        |receipt| check_bundle(&text, receipt).cannot(format_args!("{file} is not a bundle of evidence"));
    let mut checked = check(None)?;
    let kept = kept.map(|kept| {
        let checkpoints = kept.checkpoints.iter().map(|one| as_receipt(&one.checkpoint, &checked.head));
        let checkpoints: Vec<Head> = checkpoints.collect();
        [kept.receipts, checkpoints].concat()
    });
    let receipt =
        kept.as_ref().and_then(|kept| kept.iter().find(|kept| **kept == checked.head).or(kept.first()));
    if receipt.is_some() {
        checked = check(receipt)?;
    }
    args.form.write_with_table(
        &checked,
        &TimeZone::UTC,
        || document(&checked, receipt),
        || {
            let table =
                Table::of("", &checked.statements).column("statement", |one| Cell::text(one.statement));
            table.column("holds", |one| Cell::text(one.holds)).table()
        },
    )?;
    Ok(ExitCode::from(u8::from(!checked.is_proven())))
}

/// A checkpoint as a receipt. The root covers the hash of the last event, so a checkpoint of the root of the head is of its hash.
fn as_receipt(of: &Checkpoint, head: &Head) -> Head {
    let is_head = log_of(&of.origin) == Some(head.log) && of.size == head.seq && of.root == head.root;
    let receipt = Head {
        log: log_of(&of.origin).unwrap_or_default(),
        seq: of.size,
        hash: Hash::default(),
        root: of.root,
    };
    if is_head { *head } else { receipt }
}

fn document(checked: &BundleCheck, receipt: Option<&Head>) -> Document {
    let mut lines: Vec<String> = checked
        .statements
        .iter()
        .map(|check| format!("{:<5}{}", if check.holds { "yes" } else { "NO" }, check.statement))
        .collect();
    if let Some(seq) = checked.first_wrong {
        lines.push(format!("     event {seq} is the first event that is not proven"));
    }
    if checked.is_proven() {
        let whole = |whole: &Whole| format!("     {}: versions 1 to {}", whole.stream, whole.events);
        lines.extend(checked.streams.iter().map(whole));
        if checked.claimed > 0 {
            lines.push(format!("claimed, and not proven: {}", counted(checked.claimed, "finding")));
        }
        let under =
            if receipt.is_some() { "the receipt" } else { "the head in the file, which no receipt confirms" };
        let (events, streams) = (counted(checked.events, "event"), checked.streams.len() as u64);
        lines.push(format!("proven under {under}: {events} of {}", counted(streams, "stream")));
    } else {
        lines.extend(
            receipt
                .zip(checked.receipt)
                .into_iter()
                .flat_map(|(receipt, moment)| of_another_moment(receipt, moment, &checked.head)),
        );
        lines.push("not proven".to_owned());
    }
    Document::default().lines("", lines)
}

/// What a receipt is that is not that of the bundle's head, and what to do next.
fn of_another_moment(receipt: &Head, moment: Moment, head: &Head) -> Vec<String> {
    let (kept, bundled) = (receipt.seq, head.seq);
    let which = match moment {
        Moment::Same => return Vec::new(),
        Moment::OtherLog => {
            let of = format!("the receipt is of log {}, and the bundle of log {}", receipt.log, head.log);
            return vec![format!("     {of}: a receipt of the other log proves nothing about it")];
        }
        Moment::Contradictory => {
            let text =
                "the receipt has as many events of the same log, with other hashes: one of the two is forged";
            return vec![format!("     {text}")];
        }
        Moment::Earlier => "an earlier",
        Moment::Later => "a later",
    };
    let next = format!("annals log verify --receipt \"{receipt}\" --receipt \"{head}\"");
    vec![
        format!("     the receipt is of {which} moment of the same log: event {kept}, and the bundle's head event {bundled}"),
        "     the holder of the log can show that both are of one history; then the bundle's head is a receipt too"
            .to_owned(),
        format!("next: {}", in_home(&next)),
    ]
}
