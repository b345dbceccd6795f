//! Entries: a program becomes known and enters. Settings have no developers, so that no two entries have one.

use annals_events::people::PlayerKnown;
use annals_events::tournament::PlayerRegistered;
use annals_events::{Micros, PeopleEvent, PlayerId, PlayerKind, StreamName, TournamentEvent};
use annals_replay::handler::{Draft, Step};

use crate::DemoError;

pub fn known(player: &PlayerId, at: Micros) -> Result<Step, DemoError> {
    let stream: StreamName = format!("people/{player}").parse()?;
    let known = PlayerKnown {
        player: player.clone(),
        name: player.to_string(),
        kind: PlayerKind::Bot,
        country: None,
        developers: vec![developer(player)],
        earlier_version: None,
    };
    let draft = Draft::new(stream, at, PeopleEvent::PlayerKnown(known));
    Ok(draft?.into())
}

/// `number` is for entry lists with their own order.
pub fn entry(player: &PlayerId, number: Option<u32>) -> Step {
    TournamentEvent::PlayerRegistered(PlayerRegistered {
        player: player.clone(),
        name: player.to_string(),
        kind: PlayerKind::Bot,
        developers: vec![developer(player)],
        account: None,
        rating: None,
        number,
        country: None,
    })
    .into()
}

fn developer(player: &PlayerId) -> String {
    format!("the setting {player}")
}
