//! `annals tournament register`, `withdraw`, `reinstate`, `ratings`: who takes part.

use std::process::ExitCode;

use annals_events::people::PlayerKnown;
use annals_events::tournament::{
    PlayerRating, PlayerRegistered, PlayerReinstated, PlayerWithdrawn, RatingsRecorded, Withdrawal,
};
use annals_events::{PeopleEvent, PlayerId, PlayerKind, StreamName, TournamentEvent};
use annals_replay::handler::{Draft, Step};

use super::director::{AtWork, DirectorArgs, word};
use crate::errors::CliError;
use crate::home::Home;

/// Enter a player.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Enter a player. Whoever the log does not know yet is made known in the same breath: both are recorded, or \
        neither. The rulebook says who may enter, by when, and once only.",
    after_help = "Examples:\n  annals tournament register wcc-2015 sharp --name Sharp --bot --developer \"D. Wu\" --rating 2310\n  \
        annals tournament register wc-2009 fritzlein --name Fritzlein --rating 2450 --at 2008-12-20"
)]
pub struct RegisterArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player's identity: lower-case letters, digits, `.`, `-`, `_`; or the name of somebody known.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// The name as it is shown and sorted; as it is known where it is not given.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// It is a program.
    #[arg(long)]
    bot: bool,

    /// A developer of the program; may be repeated.
    #[arg(long = "developer", value_name = "NAME")]
    developers: Vec<String>,

    /// The gameroom's number for the account.
    #[arg(long, value_name = "N")]
    account: Option<u64>,

    /// The rating on entry.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    rating: Option<i32>,

    /// The number on the entry list, where the rulebook sorts by it.
    #[arg(long, value_name = "N")]
    number: Option<u32>,

    /// Country code.
    #[arg(long, value_name = "CODE")]
    country: Option<String>,

    /// Of a program that ran in another year: the identity of that version.
    #[arg(long, value_name = "PLAYER")]
    earlier_version: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `register`.
pub fn register(args: RegisterArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let people = work.people()?;
    let player: PlayerId = match args.player.parse::<PlayerId>() {
        Ok(player) => player,
        // No identity, so it has to be the name of somebody.
        Err(error) => work
            .player(&args.player)
            .map_err(|known| known.hint(format!("a new player needs an identity: {error}")))?,
    };
    let player = people.who(&player).clone();
    let identity = people.identity(&player);
    let kind = match (args.bot, identity) {
        (true, _) => PlayerKind::Bot,
        (false, Some(identity)) => identity.kind,
        (false, None) => PlayerKind::Human,
    };
    let known_name = identity.map(|identity| identity.name.clone());
    let name = args.name.or(known_name).unwrap_or_else(|| player.to_string());
    let developers = match (args.developers.is_empty(), identity) {
        (true, Some(identity)) => identity.developers.clone(),
        _ => args.developers,
    };
    let country = args.country.or_else(|| identity.and_then(|identity| identity.country.clone()));
    let mut steps: Vec<Step> = Vec::new();
    if identity.is_none() {
        let known = PlayerKnown {
            player: player.clone(),
            name: name.clone(),
            kind,
            country: country.clone(),
            developers: developers.clone(),
            earlier_version: args.earlier_version.as_deref().map(|text| work.player(text)).transpose()?,
        };
        steps.push(made_known(&work, &player, known)?.into());
    }
    let entry = PlayerRegistered {
        player,
        name,
        kind,
        developers,
        account: args.account,
        rating: args.rating,
        number: args.number,
        country,
    };
    steps.push(TournamentEvent::PlayerRegistered(entry).into());
    work.carry_out(&steps)
}

fn made_known(work: &AtWork, player: &PlayerId, known: PlayerKnown) -> Result<Draft, CliError> {
    let stream: StreamName = format!("people/{player}").parse().map_err(|e| CliError::from_error(&e))?;
    let draft = Draft::new(stream, work.moment(), PeopleEvent::PlayerKnown(known))
        .map_err(|e| CliError::from_error(&e))?;
    Ok(if work.at.is_none() { draft.now() } else { draft })
}

/// Record that a player leaves, or is taken out.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that a player leaves, or is taken out: no round from then on pairs them. A game that is already \
        paired stays to be decided: record its forfeit. Where everybody meets everybody (the Olympiad with six entrants or \
        fewer, a ring), later rounds still stand as the table has them, and each game that is left is a forfeit.",
    after_help = "Examples:\n  annals tournament withdraw wc-2009 omar\n  \
        annals tournament withdraw wc-2009 omar --how removed --reason \"two forfeits\""
)]
pub struct WithdrawArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// How: own, forfeit, removed.
    #[arg(long, value_name = "HOW", default_value = "own", value_parser = word::<Withdrawal>)]
    how: Withdrawal,

    /// Why.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `withdraw`.
pub fn withdraw(args: WithdrawArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    work.record(TournamentEvent::PlayerWithdrawn(PlayerWithdrawn {
        player,
        how: args.how,
        reason: args.reason,
    }))
}

/// Let a player who had left play again.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Let a player who had left play again, where the rulebook allows it: a removal by forfeit needs an accepted \
        appeal.",
    after_help = "Example:\n  annals tournament reinstate wc-2009 omar --appeal 1"
)]
pub struct ReinstateArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The player.
    #[arg(value_name = "PLAYER")]
    player: String,

    /// The number of the accepted appeal.
    #[arg(long, value_name = "N")]
    appeal: Option<u32>,

    /// Why.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `reinstate`.
pub fn reinstate(args: ReinstateArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let player = work.player(&args.player)?;
    work.record(TournamentEvent::PlayerReinstated(PlayerReinstated {
        player,
        appeal: args.appeal,
        reason: args.reason,
    }))
}

/// Record the ratings that hold from now on.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the ratings that hold from now on, as they were read from the gameroom.",
    after_help = "Example:\n  annals tournament ratings wc-2009 fritzlein=2450 omar=1890 --source \"gameroom, 2009-01-02\""
)]
pub struct RatingsArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The ratings.
    #[arg(value_name = "PLAYER=RATING", required = true)]
    ratings: Vec<String>,

    /// Where and when they were read.
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `ratings`.
pub fn ratings(args: RatingsArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let ratings = read_ratings(&work, &args.ratings)?;
    work.record(TournamentEvent::RatingsRecorded(RatingsRecorded { ratings, source: args.source }))
}

/// Ratings as `PLAYER=RATING`.
pub fn read_ratings(work: &AtWork, texts: &[String]) -> Result<Vec<PlayerRating>, CliError> {
    let read = |text: &String| {
        let wrong = || CliError::new(format!("`{text}` is no rating; write sharp=2310"));
        let (player, rating) = text.rsplit_once('=').ok_or_else(wrong)?;
        Ok(PlayerRating { player: work.player(player)?, rating: rating.parse().map_err(|_| wrong())? })
    };
    texts.iter().map(read).collect()
}
