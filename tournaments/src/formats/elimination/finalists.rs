//! Who plays the final, by seed. The seeds are the places in the published order of the stage before it, without gaps:
//! a player who left before the first round of the final is passed over, an invited player takes the place that the order gives
//! (2015 WCC, Program Submission and Tournament format 1; 2009 WC, Floating Double Elimination 1).
//!
//! In 2009 up to eight players need no preliminary (Preliminary 1). Then every player plays the final, and since no player has a
//! place in the preliminary the seeds follow the ratings, as the players "are initially ranked based on gameroom ratings";
//! those with the same rating are in the order of their entries. The text does not say so, and the finalists carry
//! that decision as a note.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::{Qualified, Stage};

use crate::field::Field;
use crate::formats::qualifier::{FieldChange, final_field};
use crate::formats::swiss;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, RuleId, Rulebook};
use crate::state::{Entrant, Tournament};

/// Whether a stage belongs to the final, its playoffs among it.
pub(crate) fn is_final(stage: Stage) -> bool {
    matches!(stage, Stage::Final | Stage::Continuation | Stage::SecondPlayoff | Stage::ThirdPlayoff)
}

/// The event that paired the first round of the final; none before it.
pub(crate) fn final_begins(tournament: &Tournament) -> Option<u64> {
    tournament.rounds.values().filter(|round| is_final(round.stage)).map(|round| round.paired.seq).min()
}

/// Whether the next round of the final is its first.
pub(crate) fn is_first_of_final(tournament: &Tournament) -> bool {
    final_begins(tournament).is_none()
}

/// Whether a player left before the final, as far as is recorded.
fn left_before(entrant: &Entrant, begins: Option<u64>) -> bool {
    entrant.left.as_ref().is_some_and(|left| begins.is_none_or(|begins| left.seq < begins))
}

/// How many rounds the preliminary has: as declared, or else by the number of players; none where there is no preliminary.
pub(crate) fn preliminary_rounds(tournament: &Tournament, rulebook: &Rulebook) -> Option<u32> {
    if rulebook.stage(Stage::Swiss).is_none_or(|rules| rules.format != Format::Swiss) {
        return None;
    }
    if let Some(declared) = tournament.rounds_declared.get(&Stage::Swiss) {
        return Some(declared.fact.rounds);
    }
    let first = tournament.rounds.values().map(|round| round.paired.seq).min();
    let began = tournament.entrants.values().filter(|entrant| !left_before(entrant, first)).count();
    let players = u32::try_from(began).unwrap_or(u32::MAX);
    swiss::rounds_for(players).ok().map(|row| row.rounds)
}

/// The published order that leads to the final.
pub(crate) fn qualified(tournament: &Tournament) -> Option<&Qualified> {
    tournament.qualified.iter().rev().find(|qualified| qualified.to == Stage::Final)
}

/// The finalists by seed, and what the text leaves open and was decided here.
///
/// # Errors
/// When the order that the seeds rest on is not published.
pub(crate) fn finalists(
    tournament: &Tournament,
    rulebook: &Rulebook,
) -> Result<(Field, Option<&'static str>), Refusal> {
    let begins = final_begins(tournament);
    let (seeds, decision) = match qualified(tournament) {
        Some(qualified) => (by_order(tournament, rulebook, qualified, begins)?, None),
        None if preliminary_rounds(tournament, rulebook).unwrap_or(0) == 0
            && rulebook.stage(Stage::Qualifier).is_none() =>
        {
            let decision = "there was no preliminary, so the seeds follow the ratings, and with equal ratings the \
                            order of the entries";
            (by_rating(tournament, begins), Some(decision))
        }
        None => {
            let rule = rulebook.rule(RuleId::FieldSeeds);
            let what = "the order that the seeds of the final rest on is not published";
            return Err(Refusal::by(rule, what).hint(Remedy::Qualify));
        }
    };
    if seeds.is_empty() {
        return Ok((Field::default(), decision));
    }
    let field = Field::new(seeds).map_err(|error| Refusal::lacking(error.to_string()))?;
    Ok((field, decision))
}

fn by_order(
    tournament: &Tournament,
    rulebook: &Rulebook,
    qualified: &Qualified,
    begins: Option<u64>,
) -> Result<Vec<PlayerId>, Refusal> {
    let places = rulebook.stage(qualified.from).and_then(|rules| rules.places);
    let size = places.and_then(|places| usize::try_from(places).ok()).unwrap_or(qualified.order.len());
    let mut ranked: Vec<_> = qualified.order.iter().collect();
    ranked.sort_by_key(|place| place.rank);
    let order: Vec<PlayerId> = ranked.iter().map(|place| place.player.clone()).collect();
    // In 2015 a player below the places that go on comes in by an invitation; in 2009 places pass on.
    let by_invitation = rulebook.invitation.is_some();
    let mut changes = BTreeMap::new();
    for (at, place) in ranked.iter().enumerate() {
        let Some(entrant) = tournament.entrants.get(&place.player) else {
            changes.insert(place.player.clone(), FieldChange::Out);
            continue;
        };
        let uninvited = by_invitation && at >= size && place.seed.is_none() && entrant.invited.is_none();
        if uninvited || left_before(entrant, begins) {
            changes.insert(place.player.clone(), FieldChange::Out);
        } else if entrant.program.substituted.is_some() {
            changes.insert(place.player.clone(), FieldChange::StandIn);
        }
    }
    let reading = rulebook.readings.qualifier.stand_in_seed;
    let field = final_field(&order, &changes, size, reading).or_else(|_| {
        // A stand-in that the rules do not allow is found by another check, and keeps its place here.
        changes.retain(|_, change| *change == FieldChange::Out);
        final_field(&order, &changes, size, reading)
    });
    let finalists = field.map_err(|error| Refusal::lacking(error.to_string()))?;
    Ok(finalists.into_iter().map(|finalist| finalist.player).collect())
}

fn by_rating(tournament: &Tournament, begins: Option<u64>) -> Vec<PlayerId> {
    let mut players: Vec<(&PlayerId, &Entrant)> =
        tournament.entrants.iter().filter(|(_, entrant)| !left_before(entrant, begins)).collect();
    players.sort_by_key(|(_, entrant)| (Reverse(entrant.rating), entrant.order));
    players.into_iter().map(|(player, _)| player.clone()).collect()
}
