//! The finalists by seed. Seeds follow the published order of the stage before, without gaps; in 2009 by
//! points and gameroom rating, or by that order (T42). A player who left before the final is passed over; an
//! invited one takes the place in the order (2015 WCC, Program Submission and Tournament format 1; 2009 WC,
//! Floating Double Elimination 1).
//!
//! In 2009 up to eight players need no preliminary (Preliminary 1). All play the final, by rating ("initially
//! ranked based on gameroom ratings"), equal ratings by entry. The text does not state this; the finalists
//! carry it as a note.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::{Qualified, QualifyingRank, Stage};

use super::reading::SeedOrder;
use crate::field::Field;
use crate::formats::qualifier::{FieldChange, final_field};
use crate::formats::swiss;
use crate::record::Played;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, RuleId, Rulebook};
use crate::state::{Entrant, Tournament};

/// The stages of the final, its playoffs among them.
const FINAL: [Stage; 4] = [Stage::Final, Stage::Continuation, Stage::SecondPlayoff, Stage::ThirdPlayoff];

/// The event that paired the first round of the final.
pub(crate) fn final_begins(tournament: &Tournament) -> Option<u64> {
    tournament.begins(&FINAL)
}

/// Rounds of the preliminary: as declared, else by the number of players, and not fewer than are paired; none
/// without one.
pub(crate) fn preliminary_rounds(tournament: &Tournament, rulebook: &Rulebook) -> Option<u32> {
    if rulebook.stage(Stage::Swiss).is_none_or(|rules| rules.format != Format::Swiss) {
        return None;
    }
    // Logs of edition 1 keep their order.
    let paired = if rulebook.edition == 1 { 0 } else { tournament.rounds_of(&[Stage::Swiss]).count() };
    let paired = u32::try_from(paired).unwrap_or(u32::MAX);
    if let Some(declared) = tournament.rounds_declared.get(&Stage::Swiss) {
        return Some(declared.fact.rounds.max(paired));
    }
    let first = tournament.rounds.values().map(|round| round.paired.seq).min();
    let began = tournament.entrants.values().filter(|entrant| !entrant.left_before(first)).count();
    let players = u32::try_from(began).unwrap_or(u32::MAX);
    swiss::rounds_for(players).ok().map(|rounds| rounds.max(paired))
}

/// # Errors
/// If the order that the seeds depend on is not published.
pub(crate) fn finalists(
    tournament: &Tournament,
    rulebook: &Rulebook,
) -> Result<(Field, Option<&'static str>), Refusal> {
    let begins = final_begins(tournament);
    let (seeds, decision) = match tournament.order_to_final() {
        Some(qualified) => (by_order(tournament, rulebook, qualified)?, None),
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
) -> Result<Vec<PlayerId>, Refusal> {
    let FieldByOrder { order, mut changes, size } = field_by_order(tournament, rulebook, qualified, false);
    let reading = rulebook.readings.qualifier.stand_in_seed;
    let field = final_field(&order, &changes, size, reading).or_else(|_| {
        // Another check finds a forbidden stand-in, which keeps its place here.
        changes.retain(|_, change| *change == FieldChange::Out);
        final_field(&order, &changes, size, reading)
    });
    let finalists = field.map_err(|error| Refusal::lacking(error.to_string()))?;
    let finalists = finalists.into_iter().map(|finalist| finalist.player).collect();
    match qualified.from {
        Stage::Swiss => by_performance(tournament, rulebook, finalists),
        _ => Ok(finalists),
    }
}

/// Players in the order of the Swiss, reordered by points, then gameroom rating; level players keep their
/// order.
///
/// # Errors
/// If the rounds of the Swiss cannot be counted.
pub(crate) fn by_performance(
    tournament: &Tournament,
    rulebook: &Rulebook,
    mut players: Vec<PlayerId>,
) -> Result<Vec<PlayerId>, Refusal> {
    let played = Played::of(tournament, &[Stage::Swiss]);
    if rulebook.readings.elimination.seed_order == SeedOrder::SwissOrder || played.rounds.is_empty() {
        return Ok(players);
    }
    let tally = played
        .tally(1, rulebook.readings.swiss.bye_points.half_points())
        .map_err(|error| Refusal::lacking(error.to_string()))?;
    let ratings: BTreeMap<&PlayerId, Option<i64>> =
        played.players.iter().map(|player| (&player.player, player.rating)).collect();
    players.sort_by_key(|player| {
        let rating = ratings.get(player).copied().flatten();
        Reverse((tally.record(player).half_points, rating))
    });
    Ok(players)
}

/// The final's field by a published order.
pub(crate) struct FieldByOrder {
    pub order: Vec<PlayerId>,
    pub changes: BTreeMap<PlayerId, FieldChange>,
    /// Places in the final.
    pub size: usize,
}

/// A published order with later changes: who left, and whose place a stand-in takes. In 2015 a player below
/// the advancing places needs an invitation; `uninvited` includes those who wait for one. In 2009 places pass
/// on.
pub(crate) fn field_by_order(
    tournament: &Tournament,
    rulebook: &Rulebook,
    qualified: &Qualified,
    uninvited: bool,
) -> FieldByOrder {
    let begins = final_begins(tournament);
    let places = rulebook.stage(qualified.from).and_then(|rules| rules.places);
    let size = places.and_then(|places| usize::try_from(places).ok()).unwrap_or(qualified.order.len());
    let mut ranked: Vec<_> = qualified.order.iter().collect();
    ranked.sort_by_key(|place| place.rank);
    let by_invitation = rulebook.invitation.is_some() && !uninvited;
    let change = |(at, place): (usize, &&QualifyingRank)| {
        let Some(entrant) = tournament.entrants.get(&place.player) else { return Some(FieldChange::Out) };
        let waits = by_invitation && at >= size && place.seed.is_none() && entrant.invited.is_none();
        let stand_in = || entrant.program.substituted.as_ref().map(|_| FieldChange::StandIn);
        if waits || entrant.left_before(begins) { Some(FieldChange::Out) } else { stand_in() }
    };
    let changes = ranked.iter().enumerate();
    FieldByOrder {
        changes: changes.filter_map(|one| Some((one.1.player.clone(), change(one)?))).collect(),
        order: ranked.iter().map(|place| place.player.clone()).collect(),
        size,
    }
}

fn by_rating(tournament: &Tournament, begins: Option<u64>) -> Vec<PlayerId> {
    let mut players: Vec<(&PlayerId, &Entrant)> =
        tournament.entrants.iter().filter(|(_, entrant)| !entrant.left_before(begins)).collect();
    players.sort_by_key(|(_, entrant)| (Reverse(entrant.rating), entrant.order));
    players.into_iter().map(|(player, _)| player.clone()).collect()
}
