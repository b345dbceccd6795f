use annals_events::tournament::Stage;

use crate::record::Played;
use crate::refusal::Refusal;
use crate::state::Tournament;

pub(super) const STAGES: [Stage; 1] = [Stage::Swiss];

/// The recorded Swiss.
///
/// # Errors
/// If a round has two byes, or a result has no colours.
pub(crate) fn played(tournament: &Tournament) -> Result<Played, Refusal> {
    let played = Played::of(tournament, &STAGES);
    for round in &played.rounds {
        if let [one, other, ..] = &round.byes[..] {
            return Err(Refusal::lacking(format!(
                "{one} and {other} both have the bye of round {}, and a round of the Swiss has one bye at most",
                round.number
            ))
            .hint("revoke that round and pair it again"));
        }
        if let Some(game) = round.games.iter().find(|game| game.outcome.is_some() && !game.coloured) {
            return Err(Refusal::lacking(format!(
                "{} has a result and no colours, and the colours of later rounds rest on them",
                game.pairing
            ))
            .hint("record how the coin fell for that pairing"));
        }
    }
    Ok(played)
}
