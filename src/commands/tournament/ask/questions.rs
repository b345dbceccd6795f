//! The questions about one tournament, and about all of the log.

use annals_replay::Cut;
use annals_replay::queries::{
    QueryError, TournamentAt, champions, crosstable, history, list, notices, overview, player, record,
    rounds, rulings, standings,
};
use annals_store::Log;
use jiff::tz::TimeZone;

use super::answer::{HISTORY, OfAll, OfTournament, note_verified};
use crate::hints::hint;

/// List the tournaments of the log
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament list\n  annals tournament list --as-of 2015-12-31\n  annals tournament list --json | jq -r \".tournaments[].tournament\""
)]
pub struct List {}

impl OfAll for List {
    type Answer = list::TournamentList;

    fn ask(&self, log: &Log, cut: &Cut) -> Result<Self::Answer, QueryError> {
        let list = list::ask(log, cut)?;
        Ok(list::TournamentList { hint: Some(HISTORY.to_owned()), ..list })
    }
}

/// Show the roll of champions
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  annals tournament champions\n  annals tournament champions --csv")]
pub struct Champions {}

impl OfAll for Champions {
    type Answer = champions::Champions;

    fn ask(&self, log: &Log, cut: &Cut) -> Result<Self::Answer, QueryError> {
        note_verified(log);
        let champions = champions::ask(log, cut)?;
        Ok(champions::Champions { hint: Some(HISTORY.to_owned()), ..champions })
    }
}

/// Show a player's record over all tournaments
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  annals player record sharp\n  annals player record sharp --csv")]
pub struct PlayerRecord {
    /// Player: an identity, or a name in any case
    player: String,
}

impl OfAll for PlayerRecord {
    type Answer = record::PlayerRecord;

    fn ask(&self, log: &Log, cut: &Cut) -> Result<Self::Answer, QueryError> {
        record::ask(log, &self.player, cut)
    }
}

/// Show one tournament on one page
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament show wcc-2015\n  annals tournament show wcc-2015 --as-of round:3 --tz EST"
)]
pub struct Show {}

impl OfTournament for Show {
    type Answer = overview::Overview;

    fn ask(&self, _: &Log, at: &TournamentAt<'_>, _: &TimeZone) -> Result<Self::Answer, QueryError> {
        let overview = overview::ask(at).with_hint(hint);
        let all = format!("annals tournament standings {}", overview.heading.tournament);
        Ok(overview::Overview { standings_hint: Some(all), ..overview })
    }
}

/// Show the standings with their tie-breaks
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament standings wcc-2015\n  annals tournament standings wcc-2015 --as-of round:3\n  annals tournament standings wcc-2015 --known-at 2015-03-08 --csv"
)]
pub struct Standings {}

impl OfTournament for Standings {
    type Answer = standings::Standings;

    fn ask(&self, log: &Log, at: &TournamentAt<'_>, _: &TimeZone) -> Result<Self::Answer, QueryError> {
        note_verified(log);
        Ok(standings::ask(at))
    }
}

/// Show the crosstable with colours
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament crosstable postal-2006\n  annals tournament crosstable postal-2006 --csv > crosstable.csv"
)]
pub struct Crosstable {}

impl OfTournament for Crosstable {
    type Answer = crosstable::Crosstable;

    fn ask(&self, _: &Log, at: &TournamentAt<'_>, _: &TimeZone) -> Result<Self::Answer, QueryError> {
        Ok(crosstable::ask(at))
    }
}

/// Show pairings, colours, results and byes of the rounds
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament round list wcc-2015\n  annals tournament round list wcc-2015 3 --json"
)]
pub struct Rounds {
    /// Round [default: all]
    round: Option<u32>,
}

impl OfTournament for Rounds {
    type Answer = rounds::Rounds;

    fn ask(&self, _: &Log, at: &TournamentAt<'_>, _: &TimeZone) -> Result<Self::Answer, QueryError> {
        rounds::ask(at, self.round)
    }
}

/// Show the rulings with the standings before and after
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament ruling list wcc-2015\n  annals tournament ruling list wcc-2015 --json | jq \".rulings[] | {number, reason, before, after}\""
)]
pub struct Rulings {}

impl OfTournament for Rulings {
    type Answer = rulings::Rulings;

    fn ask(&self, _: &Log, at: &TournamentAt<'_>, _: &TimeZone) -> Result<Self::Answer, QueryError> {
        rulings::ask(at)
    }
}

/// Show everything about one player of a tournament
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament entry show wcc-2015 sharp\n  annals tournament entry show wcc-2015 sharp --as-of round:4"
)]
pub struct Player {
    /// Player: an identity, or the name of the entry
    player: String,
}

impl OfTournament for Player {
    type Answer = player::PlayerPage;

    fn ask(&self, _: &Log, at: &TournamentAt<'_>, _: &TimeZone) -> Result<Self::Answer, QueryError> {
        let player = at.player(&self.player)?;
        let page = player::ask(at, &player)?;
        let (tournament, player) = (&page.heading.tournament, &page.player.player);
        let counted =
            format!("`annals tournament explain {tournament} qualifier {player}` tells which of them count");
        Ok(player::PlayerPage { qualifier_hint: Some(counted), ..page })
    }
}

/// Show the notices to players
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  annals tournament schedule notices wc-2009\n  annals tournament schedule notices wc-2009 chessandgo --csv"
)]
pub struct Notices {
    /// Player [default: all]
    player: Option<String>,
}

impl OfTournament for Notices {
    type Answer = notices::Notices;

    fn ask(&self, _: &Log, at: &TournamentAt<'_>, _: &TimeZone) -> Result<Self::Answer, QueryError> {
        let player = self.player.as_deref().map(|name| at.player(name)).transpose()?;
        Ok(notices::ask(at, player.as_ref()))
    }
}

/// Show the event history of a tournament
#[derive(Debug, clap::Args)]
#[command(after_help = "`annals log show TOURNAMENT` also shows commits and corrections.\n\n\
        Examples:\n  \
        annals tournament history wcc-2015\n  \
        annals tournament history wcc-2015 --as-of round:1 --tz EST\n  \
        annals tournament history wcc-2015 --csv")]
pub struct History {}

impl OfTournament for History {
    type Answer = history::History;

    fn ask(&self, _: &Log, at: &TournamentAt<'_>, zone: &TimeZone) -> Result<Self::Answer, QueryError> {
        history::ask(at, zone)
    }
}
