//! `annals log check-proof`: checks a proof of inclusion without the log.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_ingest::input_file;
use annals_report::Document;
use annals_store::ProvenEvent;
use annals_store::tlog::note::{Signed, VerifierKey};
use annals_store::tlog::proof::TlogProof;
use serde::Serialize;

use crate::errors::{CliError, InWords as _};
use crate::output::{write_json, write_words};

/// Check a proof of an event without the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Check a proof of an event without the log\n\n\
        Reads a proof that `annals log prove --format tlog-proof` wrote. Checks that the event has its hash, that the \
        hash is in the tree of the checkpoint, and who signed the checkpoint. Prints the event.\n\n\
        Exit status 1 if a check fails. Without a key only the tree is checked.",
    after_long_help = "Examples:\n  \
        annals log check-proof event.tlog-proof --key \"$(cat club.vkey)\"\n  \
        annals log check-proof event.tlog-proof --key KEY --witness KEY --witness KEY --quorum 2"
)]
pub struct Args {
    /// Proof
    file: PathBuf,

    /// Verifier key of the log
    #[arg(long, value_name = "KEY")]
    key: Option<String>,

    /// Verifier key of a witness; may be repeated
    #[arg(long, value_name = "KEY")]
    witness: Vec<String>,

    /// Smallest number of witnesses that cosigned [default: all]
    #[arg(long, value_name = "N", requires = "witness")]
    quorum: Option<usize>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Checked {
    origin: String,
    events: u64,
    index: u64,
    /// The path leads to the root.
    included: bool,
    /// By the log; none without a key.
    signed: Option<bool>,
    /// Names of the witnesses that cosigned, with the time in seconds since 1970.
    cosigned: Vec<(String, u64)>,
    quorum: usize,
    event: Option<ProvenEvent>,
}

pub fn run(args: Args) -> Result<ExitCode, CliError> {
    let file = args.file.display();
    let text = input_file::text(&args.file).cannot(format_args!("cannot read {file}"))?;
    if text.trim_start().starts_with('{') {
        return Err(CliError::new(format!("{file} is no tlog-proof"))
            .reason("it is a proof in JSON, which the script `tools/check_proof.py` checks against a receipt")
            .hint("`annals log prove SEQ --format tlog-proof` writes the same proof for this command"));
    }
    let proof: TlogProof = text.parse().cannot(format_args!("cannot read {file}"))?;
    let key = |text: &String| text.parse::<VerifierKey>();
    let log = args.key.as_ref().map(key).transpose()?;
    let witnesses: Vec<VerifierKey> = args.witness.iter().map(key).collect::<Result<_, _>>()?;
    let (of, note) = (&proof.checkpoint.checkpoint, &proof.checkpoint.note);
    let event = proof.event();
    let cosigned = witnesses.iter().filter_map(|witness| match note.signed_by(witness) {
        Signed::Yes(time) => Some((witness.name().to_owned(), time)),
        _ => None,
    });
    let checked = Checked {
        origin: of.origin.clone(),
        events: of.size,
        index: proof.index,
        included: event.as_ref().is_some_and(|event| proof.holds(&event.hash)),
        signed: log.map(|key| key.name() == of.origin && matches!(note.signed_by(&key), Signed::Yes(_))),
        cosigned: cosigned.collect(),
        quorum: args.quorum.unwrap_or(witnesses.len()),
        event,
    };
    if args.json {
        write_json(&checked)?;
    } else {
        write_words(&checked.document())?;
    }
    Ok(ExitCode::from(u8::from(!checked.is_proven())))
}

impl Checked {
    fn is_proven(&self) -> bool {
        self.included && self.signed != Some(false) && self.cosigned.len() >= self.quorum
    }

    fn document(&self) -> Document {
        let yes = |holds: bool| if holds { "yes" } else { "NO" };
        let mut lines = vec![format!(
            "{:<5}event {} is in the tree of {} events of `{}`",
            yes(self.included),
            self.index + 1,
            self.events,
            self.origin
        )];
        lines.extend(self.signed.map(|signed| format!("{:<5}the log signed the checkpoint", yes(signed))));
        if self.quorum > 0 {
            let is_enough = self.cosigned.len() >= self.quorum;
            let (count, quorum) = (self.cosigned.len(), self.quorum);
            lines
                .push(format!("{:<5}{count} witnesses cosigned it, and {quorum} are needed", yes(is_enough)));
        }
        lines.extend(self.event.as_ref().map(|event| {
            format!("     {} version {}: {} {}", event.stream, event.version, event.event_type, event.payload)
        }));
        lines.push(match (self.is_proven(), self.signed) {
            (false, _) => "not proven".to_owned(),
            (true, None) => {
                "proven under the checkpoint in the file, whose signature was not checked".to_owned()
            }
            (true, Some(_)) => "proven under the signed checkpoint".to_owned(),
        });
        Document::default().lines("", lines)
    }
}
