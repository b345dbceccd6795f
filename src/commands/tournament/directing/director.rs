//! What the commands of a director have in common: the tournament, the actor, the time, and whether anything is appended.

use std::process::ExitCode;

use annals_events::{TournamentEvent, TournamentId};
use annals_replay::handler::{Directed, DirectorSession, Step};
use annals_replay::subject::find_tournament;
use annals_tournaments::commands::Command;
use annals_tournaments::refusal::Remedy;
use clap::Args as _;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, ForAppend};
use crate::moments::{AppendArgs, When};
use crate::output::{diagnostic, write_json, write_lines};
use crate::remedies::{after_close, hint_about};
use crate::terminal::counted;

// Without documentation, which would replace that of the command.
#[derive(Debug, clap::Args)]
pub struct DirectorArgs {
    /// Tournament
    #[arg(index = 1)]
    tournament: String,

    #[command(flatten)]
    pub append: AppendArgs,
}

impl DirectorArgs {
    /// Opens the log at a tournament that it has.
    fn open(&self, home: &Home) -> Result<DirectorSession, CliError> {
        let session = self.begin(home, false)?;
        find_tournament(&session.log, session.stream.as_str())?;
        Ok(session)
    }

    /// Opens the log for a tournament that need not be there. Only a command that begins a record creates a missing log.
    pub fn begin(&self, home: &Home, creates_log: bool) -> Result<DirectorSession, CliError> {
        let name = self.tournament.strip_prefix("tournament/").unwrap_or(&self.tournament);
        let name: TournamentId = name.parse()?;
        let stream = format!("tournament/{name}").parse()?;
        let When { actor, at, period, zone } = self.append.when.read()?;
        if self.append.dry_run && !home.log().exists() {
            return Err(CliError::new("there is no log yet, and a dry run makes none")
                .hint("`annals log init` makes an empty one"));
        }
        let clock = log_file::clock_at(at);
        let ForAppend { log, now, .. } = match creates_log {
            true => log_file::open_or_create(home, &actor, clock)?,
            false => log_file::open_existing(home, clock)?,
        };
        Ok(DirectorSession { log, name, stream, at, period, now, actor, zone, dry_run: self.append.dry_run })
    }
}

/// Opens the log at a tournament, for what happens now.
pub fn session_now(home: &Home, tournament: &str, actor: &str) -> Result<DirectorSession, CliError> {
    DirectorArgs { tournament: tournament.to_owned(), append: AppendArgs::now(actor) }.open(home)
}

/// What a director requests of one tournament, as subcommands.
pub trait Request: clap::Subcommand {
    /// The parts of the request, which are appended together.
    fn steps(self, session: &DirectorSession) -> Result<Vec<Step>, CliError>;
}

/// An event as a request of one part.
pub fn record(event: impl Into<TournamentEvent>) -> Result<Vec<Step>, CliError> {
    Ok(vec![event.into().into()])
}

/// A request of one part, from which the rulebook makes events.
pub fn request(command: Command) -> Result<Vec<Step>, CliError> {
    Ok(vec![command.into()])
}

/// A value without which an event cannot be recorded.
pub fn needed<T>(value: Option<T>, option: &str) -> Result<T, CliError> {
    value.ok_or_else(|| CliError::new(format!("--{option} is missing: the event records it")))
}

/// Subcommands of a director: each has the tournament as its first argument, and the options of [`DirectorArgs`].
#[derive(Debug)]
pub struct ByDirector<R> {
    request: R,
    director: DirectorArgs,
}

impl<R: Request> clap::Subcommand for ByDirector<R> {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        let requests = R::augment_subcommands(clap::Command::new(""));
        command.subcommands(requests.get_subcommands().cloned().map(with_director))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        R::has_subcommand(name)
    }
}

fn with_director(request: clap::Command) -> clap::Command {
    let mut index = 1;
    let request = request.mut_args(|arg| {
        if !arg.is_positional() {
            return arg;
        }
        index += 1;
        arg.index(index)
    });
    DirectorArgs::augment_args(request)
}

impl<R: Request> clap::FromArgMatches for ByDirector<R> {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<ByDirector<R>, clap::Error> {
        let request = R::from_arg_matches(matches)?;
        // A request is one of the subcommands.
        let arguments = matches.subcommand().map_or(matches, |(_, arguments)| arguments);
        Ok(ByDirector { request, director: DirectorArgs::from_arg_matches(arguments)? })
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<R: Request> ByDirector<R> {
    /// Appends what is requested, and prints it.
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let mut session = self.director.open(home)?;
        let steps = self.request.steps(&session).map_err(|error| error.about(session.name.as_str()))?;
        let directed = direct(&mut session, &steps)?;
        print(&session, &directed, self.director.append.json)
    }
}

/// Appends several parts together.
fn direct(session: &mut DirectorSession, steps: &[Step]) -> Result<Directed, CliError> {
    session.direct(steps).map_err(|error| naming(session, steps, error))
}

/// An error with what a request names in its hints.
pub fn naming(session: &DirectorSession, steps: &[Step], error: impl Into<CliError>) -> CliError {
    let error = error.into().about(session.name.as_str());
    let named = session.named_by(steps);
    let error = named.pairing.iter().fold(error, |error, pairing| error.naming("PAIRING", pairing));
    let error = named.result.iter().fold(error, |error, seq| error.naming("SEQ", seq));
    named.player.iter().fold(error, |error, player| error.naming("PLAYER", player))
}

/// Prints what was appended, or would be.
pub fn print(session: &DirectorSession, directed: &Directed, json: bool) -> Result<ExitCode, CliError> {
    if json {
        write_json(&directed.to_json()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let lines = directed.lines(session)?;
    write_lines(&lines)?;
    directed.notes().iter().for_each(|note| diagnostic(format_args!("note: {note}")));
    let state = session.state()?;
    for (other, name) in directed.namesakes(&state)? {
        diagnostic(format_args!("note: `{other}` has the name {name} too, and tables show both by it"));
    }
    for player in directed.was_out(&state)? {
        diagnostic(format_args!(
            "note: `{player}` was in no further round; after a withdrawal the rules may give no place and no refund"
        ));
        let name = session.name.as_str();
        diagnostic(format_args!(
            "  hint: `annals tournament entry reinstate {name} {player}` takes the withdrawal back until the close"
        ));
    }
    let due = directed.forfeits_due(&state)?;
    if !due.is_empty() {
        let games = counted(due.len() as u64, "game");
        diagnostic(format_args!(
            "note: {games} without a recorded start: one that had not begun is a forfeit, which a command records"
        ));
    }
    for (pairing, player) in due {
        let next = hint_about(session.name.as_str())(&Remedy::Forfeit(pairing, player));
        next.iter().for_each(|next| diagnostic(format_args!("  hint: {next}")));
    }
    directed.left_out_at_close(&state).iter().for_each(|note| diagnostic(format_args!("note: {note}")));
    for next in directed.undetermined_at_close().filter_map(after_close) {
        diagnostic(format_args!("  hint: {}", next.replace("TOURNAMENT", session.name.as_str())));
    }
    Ok(ExitCode::SUCCESS)
}
