//! The round of a tournament's event.

use annals_events::tournament::{Effect, TournamentEvent};
use annals_events::{Event, StreamName, Subject, each_named};
use annals_tournaments::subject::Subject as About;

pub(crate) fn last_round(stream: &StreamName, event: &Event<'_>) -> Option<u32> {
    let mut last = None;
    each_named(stream, event, |subject| match subject {
        Subject::Round { round, .. } => last = last.max(Some(round)),
        Subject::Pairing { pairing, .. } => last = last.max(Some(pairing.round)),
        _ => {}
    });
    last
}

/// The round of an event, and its subject; no round if every later event depends on it. None for an event on which no
/// round depends.
pub(crate) fn of_round(event: &TournamentEvent) -> Option<(Option<u32>, About)> {
    use TournamentEvent as T;
    let round = |round: u32| Some((Some(round), About::Round(round)));
    match event {
        T::RoundPaired(paired) => round(paired.round),
        T::RoundStarted(started) => round(started.round),
        T::PairingRevoked(revoked) => round(revoked.round),
        T::ResultRecorded(result) => Some((Some(result.pairing.round), result.pairing.into())),
        T::ColourDrawn(drawn) => Some((Some(drawn.pairing.round), drawn.pairing.into())),
        T::ColourChosen(chosen) => Some((Some(chosen.pairing.round), chosen.pairing.into())),
        // No round depends on a ruling without effect.
        T::RulingGiven(ruling) if ruling.effect == Effect::Nothing => None,
        T::RulingGiven(ruling) => Some((
            ruling.effect.pairing().map(|pairing| pairing.round),
            format!("ruling {}", ruling.number).into(),
        )),
        T::PlayerWithdrawn(left) => Some((None, format!("the withdrawal of {}", left.player).into())),
        T::PlayerReinstated(back) => Some((None, format!("the return of {}", back.player).into())),
        T::Disqualified(out) => Some((None, format!("the disqualification of {}", out.player).into())),
        T::Qualified(qualified) => Some((None, format!("the order of the {}", qualified.from).into())),
        _ => None,
    }
}
