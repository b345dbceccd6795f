//! A new name of a player: a later `people.player_known` of the same identity, which takes the place of the earlier one; the
//! first one, if only tournaments have the player.

use annals_events::canonical::CanonicalError;
use annals_events::people::PlayerKnown;
use annals_events::{
    Entry, EnvelopeError, Micros, PeopleEvent, PlayerId, StatedPeriod, StreamName, TimeNote,
};
use annals_store::Log;

use super::append::{Directed, HandlerError, append_with_verdicts, would_append};
use super::draft::Draft;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::people::People;
use crate::queries::record::entrants;
use crate::read::people_at;

#[derive(Debug, thiserror::Error)]
pub enum RenameError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Handler(#[from] HandlerError),
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    #[error(transparent)]
    Name(#[from] EnvelopeError),
    #[error("the log has no player `{player}`")]
    NoSuchPlayer { player: PlayerId, known: Vec<String> },
}

/// Gives a player another name for display, `at` a time (the beginning of `period` if no more is stated) or now.
///
/// # Errors
/// If the log has no such player, or rejects the event.
pub fn rename(
    log: &mut Log,
    (player, name): (&PlayerId, &str),
    actor: &str,
    (at, period, now): (Option<Micros>, Option<StatedPeriod>, Micros),
    dry_run: bool,
) -> Result<Directed, RenameError> {
    let people = people_at(log, &Cut::NOW)?;
    let known = match people.identities().find(|known| known.player == *player) {
        Some(known) => PlayerKnown { name: name.to_owned(), ..known.clone() },
        None => entered(log, &people, player, name)?,
    };
    let stream: StreamName = format!("people/{player}").parse()?;
    let event = PeopleEvent::PlayerKnown(known).into();
    let entry = Entry { event, time: period.map(TimeNote::Stated) };
    let draft = Draft::of_entry(stream, at.unwrap_or(now), &entry)?;
    let draft = if at.is_none() { draft.now() } else { draft };
    Ok(match dry_run {
        true => would_append(log, &[draft])?,
        false => append_with_verdicts(log, &[draft], actor, &[])?,
    })
}

/// A player of whom only the entry in a tournament is recorded.
fn entered(log: &Log, people: &People, player: &PlayerId, name: &str) -> Result<PlayerKnown, RenameError> {
    let entrants = entrants(log)?;
    let Some(entry) = entrants.get(player) else {
        let known = people.identities().map(|known| &known.player).chain(entrants.keys());
        let known = known.map(ToString::to_string).collect();
        return Err(RenameError::NoSuchPlayer { player: player.clone(), known });
    };
    let (kind, country) = (entry.kind, entry.country.clone());
    let (developers, earlier_version) = (entry.developers.clone(), None);
    Ok(PlayerKnown {
        player: player.clone(),
        name: name.to_owned(),
        kind,
        country,
        developers,
        earlier_version,
    })
}
