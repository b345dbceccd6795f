//! Which stage is due: the qualifier or the preliminary has to be concluded before the final, the final is played until one is
//! left, the continuation and the playoffs only where they are needed; a ring is played once.

use annals_events::tournament::Stage;

use super::began::rounds_of;
use super::elimination::course::{Course, Gaps, course, no_result};
use super::elimination::finalists::{final_begins, is_final, preliminary_rounds, qualified};
use super::elimination::places;
use super::ruled::with_rulings;
use crate::formats::StageState;
use crate::formats::encounters::ALL_PLAY_ALL_UP_TO;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, RuleId, Rulebook, StageRules};
use crate::state::{EntrantStatus, Tournament};

/// The stage to which the next round belongs.
pub(crate) fn next_stage(tournament: &Tournament, rulebook: &Rulebook) -> Result<Stage, Refusal> {
    if tournament.closed.is_some() {
        return Err(over(rulebook, "the tournament is closed"));
    }
    let first = rulebook.stages.first();
    let first = first.ok_or_else(|| Refusal::lacking("the rulebook has no stage"))?;
    match &first.format {
        Format::Ring if tournament.rounds.values().any(|round| round.stage == first.stage) => {
            Err(over(rulebook, "all games of the ring are paired").hint(Remedy::Close))
        }
        Format::Ring => Ok(first.stage),
        Format::Encounters => Ok(encounters(tournament)),
        _ => before_or_in_the_final(tournament, rulebook),
    }
}

/// The format that ranks the players as things stand; none before there is anything to rank them by.
pub(crate) fn ranked_by<'a>(tournament: &Tournament, rulebook: &'a Rulebook) -> Option<&'a StageRules> {
    let first = rulebook.stages.first()?;
    match &first.format {
        Format::Ring => Some(first),
        Format::Encounters => rulebook.stage(encounters(tournament)),
        _ if final_begins(tournament).is_some() => rulebook.stage(Stage::Final),
        Format::Swiss if preliminary_rounds(tournament, rulebook).unwrap_or(0) > 0 => Some(first),
        Format::Qualifier { .. } if qualified(tournament).is_none() => Some(first),
        _ => rulebook.stage(Stage::Final),
    }
}

/// Everyone against everyone, or the Swiss: by what was begun, or else by the number of entrants.
fn encounters(tournament: &Tournament) -> Stage {
    if let Some(round) = tournament.rounds.values().next() {
        return round.stage;
    }
    let entered = |status| matches!(status, EntrantStatus::Entered | EntrantStatus::Invited);
    let entrants = tournament.entrants.values().filter(|entrant| entered(entrant.status)).count();
    if entrants <= ALL_PLAY_ALL_UP_TO { Stage::RoundRobin } else { Stage::Swiss }
}

fn before_or_in_the_final(tournament: &Tournament, rulebook: &Rulebook) -> Result<Stage, Refusal> {
    let begun = tournament.rounds.values().any(|round| is_final(round.stage));
    if !begun && qualified(tournament).is_none() {
        let rounds = preliminary_rounds(tournament, rulebook).unwrap_or(0);
        // A round of which nothing is left does not count.
        let paired = rounds_of(tournament, &[Stage::Swiss]).count();
        if u32::try_from(paired).is_ok_and(|paired| paired < rounds) {
            return Ok(Stage::Swiss);
        }
    }
    let course = course(tournament, rulebook, u32::MAX, Gaps::Counted)?;
    if !course.open.is_empty() {
        return Err(no_result(rulebook, &course.open));
    }
    in_the_final(tournament, rulebook, &course)
}

fn in_the_final(tournament: &Tournament, rulebook: &Rulebook, course: &Course) -> Result<Stage, Refusal> {
    if let Some(pairing) = course.without_winner {
        let what = format!(
            "the playoff {pairing} has no winner, and the rules say no more: the director has to rule"
        );
        let rule = rulebook.rule(RuleId::PlayoffPair);
        return Err(Refusal::by(rule, what).hint(Remedy::GivePlace));
    }
    if let Some(stage) = course.state.due() {
        return Ok(stage);
    }
    let state = StageState { tournament, rulebook, stage: Stage::Final };
    let places = with_rulings(places::places_of(tournament, course), &state);
    match places.ruling_needed {
        Some(needed) => Err(over(rulebook, needed).hint(Remedy::GivePlace)),
        None => {
            let first = places.placings.iter().find(|placing| placing.place == 1);
            let what = first.map_or_else(
                || "all games are played".to_owned(),
                |first| format!("{} is the champion, and no place is open", first.player),
            );
            Err(over(rulebook, what).hint(Remedy::Close))
        }
    }
}

/// That no round is to follow.
fn over(rulebook: &Rulebook, what: impl Into<String>) -> Refusal {
    Refusal::by(rulebook.rule(RuleId::RoundNeeded).or(rulebook.rule(RuleId::RoundOrder)), what)
}
