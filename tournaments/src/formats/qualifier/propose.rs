//! The recorded qualifier: its scores and order, and the field of the final with vacancies (2015 WCC,
//! Qualifying and Program Submission).

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::{Measure, Milestone, Qualified, QualifyingGamePlayed, QualifyingRank, Stage};

use super::count::QualifierRules;
use super::field::{Finalist, final_field};
use super::order::{QualifierEntrant, QualifierPlace, rank};
use crate::formats::elimination::finalists::{FieldByOrder, field_by_order, final_begins};
use crate::formats::{gameroom_rating, measure};
use crate::qualifying::Period;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, RuleId, Rulebook};
use crate::state::Tournament;

/// The qualifier's figures: the period from the schedule, benchmarks as declared, the rest from the rulebook.
///
/// # Errors
/// If the rulebook has no qualifier, or dates or benchmarks are missing.
pub fn rules(tournament: &Tournament, rulebook: &Rulebook) -> Result<QualifierRules, Refusal> {
    let stage = rulebook.stage(Stage::Qualifier).map(|stage| &stage.format);
    let Some(Format::Qualifier { games_per_benchmark, points_per_benchmark }) = stage else {
        return Err(Refusal::lacking(format!("the rulebook {} has no qualifier", rulebook.name)));
    };
    let missing = |what: &str| {
        Refusal::by(rulebook.rule(RuleId::QualifierWindow), format!("the schedule does not say when {what}"))
            .hint(Remedy::QualifyingDates)
    };
    let Period { opens, closes } = tournament.qualifying_period().map_err(|milestone| match milestone {
        Milestone::QualifyingOpens => missing("the qualifying period begins"),
        _ => missing("the qualifying period ends"),
    })?;
    let stable = tournament.benchmarks.as_ref().ok_or_else(|| {
        Refusal::by(rulebook.rule(RuleId::QualifierBenchmarks), "no benchmarks are declared")
            .hint(Remedy::Benchmarks)
    })?;
    Ok(QualifierRules {
        benchmarks: stable.stable.iter().map(|benchmark| benchmark.player.clone()).collect(),
        opens,
        closes,
        games_per_benchmark: *games_per_benchmark,
        points_per_benchmark: *points_per_benchmark,
        readings: rulebook.readings.qualifier,
    })
}

/// In the order of the record.
pub fn games_of<'a>(
    tournament: &'a Tournament,
    player: &'a PlayerId,
) -> impl Iterator<Item = &'a QualifyingGamePlayed> {
    tournament.qualifying_games.iter().filter(move |game| game.player == *player)
}

pub fn entrants(tournament: &Tournament) -> Vec<QualifierEntrant<'_>> {
    let mut by_order: Vec<_> = tournament.entrants.iter().filter(|(_, one)| one.left.is_none()).collect();
    by_order.sort_by_key(|(_, one)| one.order);
    let mut games: BTreeMap<&PlayerId, Vec<&QualifyingGamePlayed>> = BTreeMap::new();
    tournament.qualifying_games.iter().for_each(|game| games.entry(&game.player).or_default().push(game));
    by_order
        .into_iter()
        .map(|(player, one)| QualifierEntrant {
            player,
            rating: one.rating.map(i64::from),
            games: games.remove(player).unwrap_or_default(),
        })
        .collect()
}

/// The order of the players still in.
///
/// # Errors
/// If the record is incomplete, or its games contradict one another.
pub fn order(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<QualifierPlace>, Refusal> {
    let rules = rules(tournament, rulebook)?;
    rank(&entrants(tournament), &rules).map_err(|error| {
        Refusal::by(rulebook.rule(RuleId::QualifierScore), error.to_string())
            .hint("correct the event that records it")
    })
}

/// The tie-breaks of a place, as recorded.
fn measures(place: &QualifierPlace) -> Vec<Measure> {
    let counted = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let mut measures = vec![
        measure("played", [counted(place.score.counted)]),
        measure("points", [counted(place.score.points)]),
        measure("losses_before", [place.score.tie_break]),
    ];
    measures.extend(place.score.completed_at.map(|at| measure("completed_at", [at])));
    measures.extend(place.rating.map(|rating| gameroom_rating(Some(rating))));
    measures
}

/// The order to be published, with the seeds of the players who advance.
///
/// # Errors
/// As for [`order`].
pub fn qualified(tournament: &Tournament, rulebook: &Rulebook) -> Result<Qualified, Refusal> {
    let places = rulebook.stage(Stage::Qualifier).and_then(|stage| stage.places).unwrap_or(u32::MAX);
    let order = order(tournament, rulebook)?;
    let grounds = [
        RuleId::QualifierScore,
        RuleId::QualifierOrder,
        RuleId::QualifierUnplayed,
        RuleId::FieldPlaces,
        RuleId::FieldSeeds,
    ];
    Ok(Qualified {
        from: Stage::Qualifier,
        to: Stage::Final,
        order: order
            .iter()
            .map(|place| QualifyingRank {
                player: place.player.clone(),
                rank: place.place,
                seed: (place.place <= places).then_some(place.place),
                measures: measures(place),
            })
            .collect(),
        grounds: rulebook.grounds(&grounds),
    })
}

/// The field of the final by the published order and later events.
///
/// # Errors
/// If no order is published, or the record contradicts it.
pub fn field(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Finalist>, Refusal> {
    let published = tournament.order_to_final().ok_or_else(|| {
        Refusal::by(rulebook.rule(RuleId::QualifierOrder), "the order of the qualifier is not published")
            .hint(Remedy::Qualify)
    })?;
    let FieldByOrder { order, changes, size } = field_by_order(tournament, rulebook, published, true);
    final_field(&order, &changes, size, rulebook.readings.qualifier.stand_in_seed)
        .map_err(|error| Refusal::by(rulebook.rule(RuleId::FieldPlaces), error.to_string()))
}

/// Players who lost a place in the final that is not filled, in the order in which they left.
pub fn vacancies(tournament: &Tournament, rulebook: &Rulebook) -> Vec<PlayerId> {
    let Some(published) = tournament.order_to_final() else { return Vec::new() };
    let begins = final_begins(tournament);
    let size = rulebook.stage(Stage::Qualifier).and_then(|stage| stage.places).unwrap_or(u32::MAX);
    let mut fallen: Vec<_> = published
        .order
        .iter()
        .filter_map(|place| Some((place, tournament.entrants.get(&place.player)?)))
        .filter(|(place, entrant)| place.rank <= size || entrant.invited.is_some())
        .filter(|(_, entrant)| entrant.left_before(begins))
        .filter_map(|(place, entrant)| Some((entrant.left.as_ref()?.seq, place.player.clone())))
        .collect();
    fallen.sort();
    let mut fallen: Vec<PlayerId> = fallen.into_iter().map(|(_, player)| player).collect();
    let mut invited: Vec<_> = tournament.entrants.values().filter_map(|one| one.invited.as_ref()).collect();
    invited.sort_by_key(|invited| invited.seq);
    for invited in invited {
        let taken = match &invited.fact.replaces {
            Some(player) => fallen.iter().position(|fallen| fallen == player),
            None => (!fallen.is_empty()).then_some(0),
        };
        if let Some(taken) = taken {
            fallen.remove(taken);
        }
    }
    fallen
}

/// The first in the order who has a vacated place and no invitation; none if no player remains.
///
/// # Errors
/// As for [`field`].
pub fn next_invited(tournament: &Tournament, rulebook: &Rulebook) -> Result<Option<Finalist>, Refusal> {
    let field = field(tournament, rulebook)?;
    let waits = |finalist: &Finalist| {
        let entrant = tournament.entrants.get(&finalist.player);
        finalist.invited && entrant.is_none_or(|entrant| entrant.invited.is_none())
    };
    Ok(field.into_iter().filter(waits).min_by_key(|finalist| finalist.rank))
}
