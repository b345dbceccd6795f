//! The places of a final by the rules, and what a ruling has to decide. First is the last player in; second
//! and third follow the rulebook. The texts have no further places: the others follow by games won, equals
//! together. A player who was disqualified takes no place; one who withdrew or was removed for a forfeit does if
//! the readings allow it (T48, T43).

use annals_events::PlayerId;
use annals_events::tournament::{Placing, Stage};

use super::conclusion::{Conclusion, RulingNeeded};
use super::course::{Course, Gaps, course};
use super::rules::Ties;
use crate::formats::{Places, measure};
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::state::Tournament;

pub(crate) fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    let course = course(tournament, rulebook, u32::MAX, Gaps::Counted)?;
    Ok(places_of(tournament, &course))
}

pub(crate) fn places_of(tournament: &Tournament, course: &Course) -> Places {
    let mut conclusion = course.state.conclusion();
    let ruled = tournament.ruled_places();
    let needed = needed(course, &conclusion).filter(|needed| !ruled.contains_key(&needed.place));
    let played_on = |stage: Stage| !stage.is_playoff() || course.without_winner.is_none();
    let open = course.state.due().is_some_and(played_on) || !course.open.is_empty();
    if open || needed.is_some() {
        // The places that are certain already.
        let (first, second) = (conclusion.champion.is_some(), conclusion.second.is_some());
        let certain = match course.state.rules.ties {
            Ties::Continuation => usize::from(first),
            Ties::Playoffs => [first, second, !conclusion.third.is_empty()].map(usize::from).iter().sum(),
        };
        conclusion.order.truncate(certain);
    }
    let placing = |player: &PlayerId, place: u32| {
        let record = course.state.tally().record(player);
        Placing {
            player: player.clone(),
            place,
            measures: vec![measure("wins", [course.state.wins(player)]), measure("losses", [record.losses])],
            titles: Vec::new(),
            contender: false,
        }
    };
    let mut placings: Vec<Placing> = Vec::new();
    for group in conclusion.order {
        let place = u32::try_from(placings.len()).unwrap_or(u32::MAX).saturating_add(1);
        placings.extend(group.iter().map(|player| placing(player, place)));
    }
    // Players whose place needs a ruling are last until then.
    for player in ruled.into_values().flatten() {
        if placings.iter().all(|placing| placing.player != *player) {
            placings.push(placing(player, u32::MAX));
        }
    }
    let decided = !open && needed.is_none();
    let (ruling_needed, open_place) = needed.map(|needed| (needed.why, (needed.place, needed.among))).unzip();
    let among = || course.state.fell_together().into_iter().cloned().collect();
    let open_place = open_place.or_else(|| course.champion_withdrew.then(|| (1, among())));
    let left_out = course.state.left_out().into_iter().cloned().collect();
    Places { placings, decided, ruling_needed, open_place, left_out }
}

struct Needed {
    place: u32,
    among: Vec<PlayerId>,
    why: String,
}

fn needed(course: &Course, conclusion: &Conclusion<'_>) -> Option<Needed> {
    let names =
        |players: &[&PlayerId]| players.iter().map(|player| player.as_str()).collect::<Vec<_>>().join(", ");
    let of = |place: u32, among: &[&PlayerId], why: String| {
        Some(Needed { place, among: among.iter().map(|player| (*player).clone()).collect(), why })
    };
    if course.state.field().players().is_empty() {
        let why = "nobody has a place in the final, so a ruling has to give the first";
        return of(1, &[], why.to_owned());
    }
    match (conclusion.ruling, course.without_winner) {
        (Some(RulingNeeded::Champion), _) => {
            let why = "no player is left in, so there is no champion: a ruling has to give the first place";
            of(1, &course.state.fell_together(), why.to_owned())
        }
        (Some(RulingNeeded::Second), _) => {
            let level = names(&conclusion.level_for_second);
            let why = match course.state.rules.ties {
                Ties::Playoffs => "are level for second place in a way that no playoff is provided for",
                Ties::Continuation if course.state.all_left(&conclusion.level_for_second) => {
                    "were level for second place, and all of them left"
                }
                Ties::Continuation => "were level for second place, and the last of them fell together",
            };
            of(2, &conclusion.level_for_second, format!("{level} {why}: a ruling has to give it"))
        }
        (Some(RulingNeeded::Third), _) => {
            let level = names(&conclusion.level_for_third);
            let why = "are level for third place, and a playoff is provided for two only";
            of(3, &conclusion.level_for_third, format!("{level} {why}: a ruling has to give it"))
        }
        (None, Some(pairing)) if conclusion.champion.is_some() => {
            let (place, among) = match conclusion.second {
                Some(_) => (3, &conclusion.level_for_third),
                None => (2, &conclusion.level_for_second),
            };
            of(place, among, format!("the playoff {pairing} has no winner: a ruling has to give the place"))
        }
        _ => None,
    }
}
