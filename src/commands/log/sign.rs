//! `annals log sign`: a director signs the events of one's own name, with a key that the home does not have.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_report::{counted, shell_word};
use annals_store::ClockSetting;
use annals_store::tlog::actor_signing::{ActorEvents, ActorSigningError, ActorState, new_actor_key};
use annals_store::tlog::key::{KeyError, PrivateKey};

use crate::errors::{CliError, UNCHANGED};
use crate::home::{Home, in_home};
use crate::log_file::{self, ActorArgs};
use crate::output::{diagnostic, write_text};
use crate::values::shell_path;

/// Sign the events of an actor
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Sign the events of an actor\n\n\
        Appends a signature over all events of the actor that are not signed yet. Each signature also fixes every \
        event before the last one that it covers. `annals log verify` checks all signatures.\n\n\
        The private key is in a file outside the home, so that a person who can write to the home cannot sign. The \
        first time --make-key makes it, and an event names the verifier key. Give the verifier key to the auditor.\n\n\
        Look at the events before you sign them: any program that can write to the log can state your name.",
    after_long_help = "Examples:\n  \
        annals log sign --actor omar --key ~/omar.key --make-key\n  \
        annals log sign --actor omar --dry-run\n  \
        annals log sign --actor omar --key ~/omar.key\n  \
        annals log sign --actor omar --key ~/new.key --make-key --old-key ~/omar.key --reason \"a new laptop\""
)]
pub struct Args {
    /// File of the actor's private key, outside the home
    #[arg(long, value_name = "FILE", required_unless_present = "dry_run")]
    key: Option<PathBuf>,

    /// Make the key and its file, and name the key in the log
    #[arg(long, conflicts_with_all = ["name_key", "dry_run"])]
    make_key: bool,

    /// Name the key of a file that exists
    #[arg(long, conflicts_with = "dry_run")]
    name_key: bool,

    /// Why a new key replaces the present one, which the event records
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    /// File of the key that is replaced, which signs the new one
    #[arg(long, value_name = "FILE", requires = "reason")]
    old_key: Option<PathBuf>,

    /// Print which events would be signed
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    actor: ActorArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let actor = args.actor.name()?;
    let Some(path) = args.key.as_deref().filter(|_| !args.dry_run) else {
        let state = log_file::open_whole(home)?.actor_state(&actor)?;
        write_text(&listed(&actor, &state))?;
        return Ok(ExitCode::SUCCESS);
    };
    if !args.make_key && !args.name_key && (args.reason.is_some() || args.old_key.is_some()) {
        return Err(CliError::new("`--reason` is about a new key, and none is named")
            .state(UNCHANGED)
            .hint("add `--make-key`, or `--name-key` for a key whose file exists"));
    }
    outside(path, home)?;
    let old = args.old_key.as_deref().map(read).transpose()?;
    let given = if args.make_key { none_at(path, &actor).map(|()| None) } else { read(path).map(Some) }?;
    let mut log = log_file::open_existing(home, ClockSetting::LastEvent)?.log;
    let state = log.actor_state(&actor)?;
    let is_named = |key: &PrivateKey| state.key.as_ref() == Some(&key.verifier());
    let replaced = state.key.as_ref().filter(|_| !given.as_ref().is_some_and(is_named));
    if args.make_key || args.name_key {
        // Before a file is made.
        if let (Some(named), None) = (replaced, &args.reason) {
            return Err(ActorSigningError::HasKey { actor, named: named.to_string() }.into());
        }
        if let Some(old) = &old {
            state.in_force(&actor, old)?;
        }
    }
    let key = match given {
        Some(key) => key,
        None => {
            let key = new_actor_key(&actor)?;
            key.create(path)?;
            diagnostic(format_args!("note: created {}: keep it secret, outside the home", path.display()));
            key
        }
    };
    if (args.make_key || args.name_key) && !is_named(&key) {
        log.name_actor_key(&actor, &key, args.reason.as_deref(), old.as_ref())?;
        diagnostic(format_args!("note: the verifier key of `{actor}` is now {}", key.verifier()));
        if replaced.is_some() && old.is_none() {
            diagnostic("warning: the old key did not sign that, so `annals log verify` prints a warning");
        }
    }
    let text = match log.sign_actor_events(&actor, &key)? {
        Some(signed) => format!("signed {}\n", of_actor(&actor, &signed)),
        None => listed(&actor, &state),
    };
    write_text(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// `7 events of `omar`, from event 2 to event 12`.
fn of_actor(actor: &str, events: &ActorEvents) -> String {
    let ActorEvents { first_seq, last_seq, events } = *events;
    match events {
        1 => format!("1 event of `{actor}`, event {last_seq}"),
        events => {
            format!("{} of `{actor}`, from event {first_seq} to event {last_seq}", counted(events, "event"))
        }
    }
}

/// What is not signed yet, and the command that shows it.
fn listed(actor: &str, state: &ActorState) -> String {
    let Some(events) = &state.unsigned else {
        return format!(
            "nothing to sign: every event of `{actor}` is signed, up to event {}\n",
            state.signed_up_to
        );
    };
    let show = format!(
        "annals log show --actor {} --from seq:{} --to seq:{}",
        shell_word(actor),
        events.first_seq,
        events.last_seq
    );
    format!("not yet signed: {}\n{}\n", of_actor(actor, events), in_home(&show))
}

fn read(path: &Path) -> Result<PrivateKey, CliError> {
    let place = path.display();
    let refused = |error: CliError| error.state("nothing was signed");
    match PrivateKey::read(path) {
        Ok(Some(key)) => Ok(key),
        Ok(None) => Err(refused(CliError::new(format_args!("{place}: there is no such file")))
            .hint("`--make-key` makes a key and its file")),
        Err(error) => {
            let reason = match error {
                KeyError::Fault(fault) => fault.detail,
                KeyError::Format { problem, .. } => problem.to_string(),
            };
            Err(refused(CliError::new(format_args!("{place}: the key cannot be read")).reason(reason))
                .hint("name the file that `annals log sign --make-key` wrote"))
        }
    }
}

/// A file is never overwritten: it may have the only copy of a key.
fn none_at(path: &Path, actor: &str) -> Result<(), CliError> {
    if let Some(folder) = path.parent().filter(|of| !of.as_os_str().is_empty() && !of.is_dir()) {
        return Err(CliError::new(format_args!("{}: there is no such folder", folder.display()))
            .state(UNCHANGED)
            .hint(format_args!("mkdir -p {}", shell_path(folder))));
    }
    if !path.exists() {
        return Ok(());
    }
    let (actor, path) = (shell_word(actor), path.display());
    Err(CliError::new(format_args!("{path}: the file exists already"))
        .reason("it may have the only copy of a key")
        .state(UNCHANGED)
        .hint(format_args!("`annals log sign --actor {actor} --key {path} --name-key` names the key in it")))
}

/// A key in the home would be in the hands of any person who can write to the log.
fn outside(path: &Path, home: &Home) -> Result<(), CliError> {
    let folder = |path: &Path| {
        path.parent()
            .map(|of| if of.as_os_str().is_empty() { Path::new(".") } else { of })?
            .canonicalize()
            .ok()
    };
    match (folder(path), folder(&home.log())) {
        (Some(of_key), Some(of_home)) if of_key.starts_with(&of_home) => {
            Err(CliError::new(format_args!("{}: a key is not kept in the home", path.display()))
                .reason("any person who can write to the log could sign with it")
                .state(UNCHANGED)
                .hint(format_args!(
                    "annals log sign --key ~/{}",
                    shell_path(Path::new(path.file_name().unwrap_or_default()))
                )))
        }
        _ => Ok(()),
    }
}
