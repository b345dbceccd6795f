//! `annals tournament entry add`, `withdraw`, `reinstate`, `ratings`: who takes part.

use annals_events::people::PlayerKnown;
use annals_events::tournament::{
    PlayerRating, PlayerRegistered, PlayerReinstated, PlayerWithdrawn, RatingsRecorded, Withdrawal,
};
use annals_events::{PeopleEvent, PlayerId, PlayerKind, TournamentEvent};
use annals_replay::handler::{DirectorSession, Step};

use super::director::{Request, one, word};
use crate::errors::{CliError, InWords as _};

/// Enter a player
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Enter a player\n\n\
        A player whom the log does not know is recorded in the same commit. The rulebook states who may enter, \
        and by when.",
    after_help = "Examples:\n  annals tournament entry add wcc-2015 sharp --name Sharp --bot --developer \"D. Wu\" --rating 2310\n  \
        annals tournament entry add wc-2009 fritzlein --name Fritzlein --rating 2450 --at 2008-12-20"
)]
pub struct RegisterArgs {
    /// Identity (lower-case letters, digits, `.`, `-`, `_`), or the name of a known player
    player: String,

    /// Name as shown and sorted [default: as known]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// The player is a program
    #[arg(long)]
    bot: bool,

    /// Developer of the program; may be repeated
    #[arg(long = "developer", value_name = "NAME")]
    developers: Vec<String>,

    /// Number of the gameroom account
    #[arg(long, value_name = "N")]
    account: Option<u64>,

    /// Rating on entry
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    rating: Option<i32>,

    /// Number on the entry list, if the rulebook sorts by it
    #[arg(long, value_name = "N")]
    number: Option<u32>,

    /// Country code
    #[arg(long, value_name = "CODE")]
    country: Option<String>,

    /// Identity of the program's version of another year
    #[arg(long, value_name = "PLAYER")]
    earlier_version: Option<String>,
}

impl Request for RegisterArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let people = work.people()?;
        let player: PlayerId = match self.player.parse::<PlayerId>() {
            Ok(player) => player,
            // No identity, so it has to be the name of somebody.
            Err(error) => {
                work.player(&self.player).hint(format!("a new player needs an identity: {error}"))?
            }
        };
        let player = people.who(&player).clone();
        let identity = people.identity(&player);
        let kind = match (self.bot, identity) {
            (true, _) => PlayerKind::Bot,
            (false, Some(identity)) => identity.kind,
            (false, None) => PlayerKind::Human,
        };
        let known_name = identity.map(|identity| identity.name.clone());
        let name = self.name.or(known_name).unwrap_or_else(|| player.to_string());
        let developers = match (self.developers.is_empty(), identity) {
            (true, Some(identity)) => identity.developers.clone(),
            _ => self.developers,
        };
        let country = self.country.or_else(|| identity.and_then(|identity| identity.country.clone()));
        let mut steps: Vec<Step> = Vec::new();
        if identity.is_none() {
            let known = PlayerKnown {
                player: player.clone(),
                name: name.clone(),
                kind,
                country: country.clone(),
                developers: developers.clone(),
                earlier_version: self.earlier_version.as_deref().map(|text| work.player(text)).transpose()?,
            };
            let stream = format!("people/{player}").parse()?;
            steps.push(work.draft(stream, PeopleEvent::PlayerKnown(known))?.into());
        }
        let entry = PlayerRegistered {
            player,
            name,
            kind,
            developers,
            account: self.account,
            rating: self.rating,
            number: self.number,
            country,
        };
        steps.push(TournamentEvent::PlayerRegistered(entry).into());
        Ok(steps)
    }
}

/// Record that a player leaves or is removed
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that a player leaves or is removed\n\n\
        Later rounds do not pair the player. A game that is already paired is decided by a forfeit. In a ring or \
        an all-play-all the later games remain, and each is a forfeit.",
    after_help = "Examples:\n  annals tournament entry withdraw wc-2009 omar\n  \
        annals tournament entry withdraw wc-2009 omar --how removed --reason \"two forfeits\""
)]
pub struct WithdrawArgs {
    /// Player
    player: String,

    /// How the player leaves
    #[arg(long, value_name = "HOW", default_value = "own", value_parser = word::<Withdrawal>)]
    how: Withdrawal,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Request for WithdrawArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(TournamentEvent::PlayerWithdrawn(PlayerWithdrawn { player, how: self.how, reason: self.reason }))
    }
}

/// Let a player who left play again
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Let a player who left play again\n\n\
        A removal by forfeit needs an accepted appeal.",
    after_help = "Example:\n  annals tournament entry reinstate wc-2009 omar --appeal 1"
)]
pub struct ReinstateArgs {
    /// Player
    player: String,

    /// Number of the accepted appeal
    #[arg(long, value_name = "N")]
    appeal: Option<u32>,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Request for ReinstateArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let player = work.player(&self.player)?;
        one(TournamentEvent::PlayerReinstated(PlayerReinstated {
            player,
            appeal: self.appeal,
            reason: self.reason,
        }))
    }
}

/// Record ratings that were read from the gameroom
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  annals tournament entry ratings wc-2009 fritzlein=2450 omar=1890 --source \"gameroom, 2009-01-02\""
)]
pub struct RatingsArgs {
    /// Ratings
    #[arg(value_name = "PLAYER=RATING", required = true)]
    ratings: Vec<String>,

    /// Where and when they were read
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
}

impl Request for RatingsArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let ratings = read_ratings(work, &self.ratings)?;
        one(TournamentEvent::RatingsRecorded(RatingsRecorded { ratings, source: self.source }))
    }
}

/// Ratings as `PLAYER=RATING`.
pub fn read_ratings(work: &DirectorSession, texts: &[String]) -> Result<Vec<PlayerRating>, CliError> {
    let read = |text: &String| {
        let wrong = || CliError::new(format!("`{text}` is no rating; write sharp=2310"));
        let (player, rating) = text.rsplit_once('=').ok_or_else(wrong)?;
        Ok(PlayerRating { player: work.player(player)?, rating: rating.parse().map_err(|_| wrong())? })
    };
    texts.iter().map(read).collect()
}
