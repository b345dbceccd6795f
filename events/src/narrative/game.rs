use super::narrator::{Narrative, Narrator};
use super::wording::{Why, because, clock, ending, part, plain};
use crate::game::{Ended, GameEvent, PlayerAtStart, Started, TurnTaken};
use crate::vocabulary::{PlayerKind, Side};

pub fn narrate(narrator: &Narrator<'_>, event: &GameEvent<'_>) -> Narrative {
    let [gold_name, silver_name] = Side::BOTH.map(|side| narrator.side(side));
    match event {
        GameEvent::Started(e) => plain(started(e)),
        GameEvent::TurnTaken(e) => plain(turn_taken(narrator, e)),
        GameEvent::TurnRejected(e) => {
            let side = narrator.side(e.side);
            let what = format!("The server refused turn {} of {side}: {}.", e.number, e.steps);
            because(what, Why::default().reason(&*e.reason))
        }
        GameEvent::TurnRetracted(e) => {
            because("The last turn was taken back.".to_owned(), Why::default().reason(e.reason.as_deref()))
        }
        GameEvent::ClockSet(e) => {
            let what = format!(
                "The reserves were set by hand: {gold_name} {}, {silver_name} {}.",
                clock(e.gold_reserve),
                clock(e.silver_reserve)
            );
            because(what, Why::default().reason(e.reason.as_deref()))
        }
        GameEvent::Halted(e) => {
            let what = "Play was halted; the clocks stand still.".to_owned();
            because(what, Why::default().reason(e.reason.as_deref()))
        }
        GameEvent::Resumed(e) => {
            let from = match e.from_ply {
                0 => "the start".to_owned(),
                ply => format!("the position after ply {ply}"),
            };
            let reserve =
                |name: &str, seconds: Option<i64>| part(seconds, |s| format!(" {name} {}", clock(s)));
            let reserves = match (e.gold_reserve, e.silver_reserve) {
                (None, None) => ", with the reserves as they were then".to_owned(),
                (gold, silver) => {
                    let comma = if gold.is_some() && silver.is_some() { "," } else { "" };
                    format!(
                        ", with reserves set anew:{}{comma}{}",
                        reserve(gold_name, gold),
                        reserve(silver_name, silver)
                    )
                }
            };
            let what = format!("Play went on from {from}{reserves}.");
            because(what, Why::default().reason(e.reason.as_deref()))
        }
        GameEvent::Ended(e) => plain(ended(narrator, e)),
        GameEvent::Annulled(e) => because(
            "The game was annulled: it counts as not played.".to_owned(),
            Why::default().reason(e.reason.as_deref()),
        ),
        GameEvent::RatedChanged(e) => {
            let word = if e.rated { "rated" } else { "unrated" };
            because(format!("The game became {word}."), Why::default().reason(e.reason.as_deref()))
        }
    }
}

fn player(player: &PlayerAtStart<'_>) -> String {
    let mut about: Vec<String> = Vec::new();
    about.extend(player.title.as_ref().map(ToString::to_string));
    if player.kind == Some(PlayerKind::Bot) {
        about.push("bot".to_owned());
    }
    about.extend(player.rating.map(|rating| rating.to_string()));
    about.extend(player.country.as_ref().map(ToString::to_string));
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    let name = if player.name.is_empty() { "somebody" } else { &player.name };
    format!("{name}{about}")
}

fn started(e: &Started<'_>) -> String {
    let rated = if e.rated { "A rated" } else { "An unrated" };
    let postal = if e.postal { " postal" } else { "" };
    let kind = match e.game {
        crate::GameKind::Arimaa => "Arimaa",
        crate::GameKind::Amazons => "Amazons",
    };
    let clock = part(e.time_control.as_ref(), |control| format!(", time control {control}"));
    let attempt = match (&e.pairing, e.attempt) {
        (Some(pairing), Some(attempt)) => format!(", attempt {attempt} at pairing {pairing}"),
        (Some(pairing), None) => format!(", for pairing {pairing}"),
        _ => String::new(),
    };
    let event = part(e.event.as_ref(), |event| format!(", {event}"));
    let site = part(e.site.as_ref(), |site| format!(", site {site}"));
    let position = part(e.position.as_ref(), |position| format!(", from the position {position}"));
    format!(
        "{rated}{postal} {kind} game began: {} as {} against {} as {}{clock}{attempt}{event}{site}{position}.",
        player(&e.gold),
        Side::Gold.name_in(e.game),
        player(&e.silver),
        Side::Silver.name_in(e.game)
    )
}

fn turn_taken(narrator: &Narrator<'_>, e: &TurnTaken<'_>) -> String {
    let used = part(e.used, |used| format!(" in {}", clock(i64::from(used))));
    let mut figures = Vec::new();
    let reserves = [(Side::Gold, e.gold_reserve), (Side::Silver, e.silver_reserve)]
        .into_iter()
        .filter_map(|(side, reserve)| {
            reserve.map(|seconds| format!("{} {}", narrator.side(side), clock(seconds)))
        })
        .collect::<Vec<_>>();
    if !reserves.is_empty() {
        figures.push(format!("reserves: {}", reserves.join(", ")));
    }
    figures.extend(
        e.game_time.map(|seconds| format!("game time {}", clock(i64::try_from(seconds).unwrap_or(i64::MAX)))),
    );
    let figures = if figures.is_empty() { String::new() } else { format!(" ({})", figures.join("; ")) };
    format!("{} took turn {}{used}: {}{figures}.", narrator.side(e.side), e.number, e.steps)
}

fn ended(narrator: &Narrator<'_>, e: &Ended<'_>) -> String {
    let by = part(e.termination, |how| format!(" by {}", ending(how)));
    let words = part(e.stated.as_ref(), |words| format!(" (in the source's own words: {words})"));
    match (e.winner, e.draw) {
        (Some(winner), _) => format!("{} won{by}{words}.", narrator.side(winner)),
        (None, true) => format!("The game ended in a draw{by}{words}."),
        (None, false) => format!("The game ended{by}; the source names no winner{words}."),
    }
}
