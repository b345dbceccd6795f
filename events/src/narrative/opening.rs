//! Narratives of a tournament's beginning and end.

use super::narrator::{Narrative, Narrator};
use super::wording::{Why, because, counted, list, milestone, money, part, points, score_measures, stage};
use crate::tournament::{
    Announced, Closed, Deadline, Placing, RoundsDeclared, ScheduleChanged, StagePlan, TablePublished,
};
use crate::vocabulary::GameKind;

pub fn announced(narrator: &Narrator<'_>, e: &Announced) -> Narrative {
    let game = match e.game {
        GameKind::Arimaa => "Arimaa",
        GameKind::Amazons => "Amazons",
    };
    let by = if e.directors.is_empty() { String::new() } else { format!(" by {}", list(&e.directors)) };
    let series = match (&e.series, e.year) {
        (Some(series), Some(year)) => format!(" ({series}, {year})"),
        (Some(series), None) => format!(" ({series})"),
        (None, Some(year)) => format!(" ({year})"),
        (None, None) => String::new(),
    };
    let mut sentences = vec![format!(
        "{}{series} was announced{by}: {game} under rulebook {}, edition {}{}.",
        e.name,
        e.rulebook,
        e.edition,
        part(e.site.as_ref(), |site| format!(", at {site}"))
    )];
    let stages: Vec<String> = e.stages.iter().map(stage_plan).collect();
    sentences.extend((!stages.is_empty()).then(|| format!("Stages: {}.", stages.join("; "))));
    sentences.extend((!e.schedule.is_empty()).then(|| format!("Dates: {}.", dates(narrator, &e.schedule))));
    sentences.extend(money_of(e));
    sentences.extend((!e.options.is_empty()).then(|| {
        let options: Vec<String> =
            e.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        format!("Options: {}.", options.join(", "))
    }));
    sentences.extend(e.previous.as_ref().map(|previous| format!("The one before was {previous}.")));
    because(sentences.join(" "), Why::default().reason(e.note.as_deref()))
}

fn stage_plan(plan: &StagePlan) -> String {
    let rounds = part(plan.rounds, |rounds| format!(", {}", counted(rounds, "round")));
    let places = part(plan.places, |places| format!(", {} going on", counted(places, "player")));
    let control = part(plan.time_control.as_ref(), |control| format!(", time control {control}"));
    format!("{}{rounds}{places}{control}", stage(plan.stage))
}

fn dates(narrator: &Narrator<'_>, schedule: &[Deadline]) -> String {
    let date = |date: &Deadline| format!("{} {}", milestone(date.milestone), narrator.at(date.at));
    schedule.iter().map(date).collect::<Vec<_>>().join("; ")
}

fn money_of(e: &Announced) -> Option<String> {
    let currency = part(e.currency.as_ref(), |currency| format!("{currency} "));
    let mut parts = Vec::new();
    if let Some(fees) = &e.fees {
        parts.push(format!(
            "{currency}{} to enter, {} of it refundable; penalty {}",
            money(fees.registration),
            money(fees.refundable),
            money(fees.penalty)
        ));
    }
    if e.fund > 0 {
        parts.push(format!("prize fund {currency}{}", money(e.fund)));
    }
    (!parts.is_empty()).then(|| format!("Money: {}.", parts.join("; ")))
}

pub fn schedule_changed(narrator: &Narrator<'_>, e: &ScheduleChanged) -> Narrative {
    let what = format!("Dates were moved: {}.", dates(narrator, &e.schedule));
    because(what, Why::default().reason(e.reason.as_str()))
}

pub fn rounds_declared(e: &RoundsDeclared) -> Narrative {
    let what = match e.rounds {
        0 => format!(
            "No round of {} is played: the table of rounds gives none for {}. All of them are in the next stage.",
            stage(e.stage),
            counted(e.players, "player")
        ),
        rounds => format!(
            "The length of {} was fixed at {} for {}.",
            stage(e.stage),
            counted(rounds, "round"),
            counted(e.players, "player")
        ),
    };
    because(what, Why::default().grounds(&e.grounds))
}

pub fn table_published(narrator: &Narrator<'_>, e: &TablePublished) -> Narrative {
    let rows: Vec<String> = e
        .rows
        .iter()
        .map(|row| {
            format!("{} in place {} with {}", narrator.name(&row.player), row.place, points(row.half_points))
        })
        .collect();
    let games = part(e.games_a_pair, |games| format!(" Every two played {}.", counted(games, "game")));
    let tables = part(e.crosstables, |tables| match tables {
        1 => " Exactly 1 crosstable gives these points.".to_owned(),
        several => format!(" {} give these points.", counted(several, "crosstable")),
    });
    let rows = if rows.is_empty() { "no rows".to_owned() } else { rows.join("; ") };
    let what = format!("A table was published in {}: {rows}.{games}{tables}", e.source);
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn closed(narrator: &Narrator<'_>, e: &Closed) -> Narrative {
    let places: Vec<String> = e.places.iter().map(|place| placing(narrator, place)).collect();
    let order = if places.is_empty() {
        "without a final order".to_owned()
    } else {
        format!("with {}", places.join("; "))
    };
    let left = part(e.fund_left, |cents| format!(" {} of the prize fund was left.", money(cents)));
    because(format!("The tournament closed {order}.{left}"), Why::default().reason(e.note.as_deref()))
}

fn placing(narrator: &Narrator<'_>, place: &Placing) -> String {
    let mut about = place.titles.clone();
    about.extend((!place.measures.is_empty()).then(|| score_measures(narrator, &place.measures)));
    about.extend(place.contender.then(|| "goes on to the Challenge".to_owned()));
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join("; ")) };
    format!("{} in place {}{about}", narrator.name(&place.player), place.place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tournament_can_close_without_an_order() {
        let closed =
            closed(&Narrator::default(), &Closed { places: Vec::new(), fund_left: None, note: None });
        assert_eq!(closed.what, "The tournament closed without a final order.");
    }
}
