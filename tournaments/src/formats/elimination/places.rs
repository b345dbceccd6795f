//! The places of a final as far as the rules decide them, and what a ruling has to decide.
//!
//! First is the last one left; second and third go as the rulebook says. Everybody else follows by games won, equals
//! together: the texts name no further places, and a close wants everybody. Who withdrew or was disqualified in the course of
//! the final takes no place. A place that a ruling in force gives is that of the ruling; one given to nobody stays empty.

use annals_events::PlayerId;
use annals_events::tournament::{Effect, Measure, Placing};

use super::course::{Contest, Course, Gaps, course};
use crate::formats::Places;
use crate::formats::elimination::{Conclusion, DoubleElimination, Phase, QuadrupleElimination, RulingNeeded};
use crate::history::Player;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::state::Tournament;

/// The places as far as they are decided.
pub(crate) fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    let course = course(tournament, rulebook, u32::MAX, Gaps::Counted)?;
    Ok(places_of(tournament, rulebook, &course))
}

/// The places of a course.
pub(crate) fn places_of(tournament: &Tournament, rulebook: &Rulebook, course: &Course) -> Places {
    let order = match &course.contest {
        Contest::Nobody => Order {
            needed: Some((
                1,
                "nobody has a place in the final, so a ruling has to give the first".to_owned(),
            )),
            ..Order::default()
        },
        Contest::Quadruple(final_) => quadruple(final_, course),
        Contest::Double(final_) => double(final_, course),
    };
    let ruled = ruled(tournament);
    let needed = order.needed.filter(|(place, _)| !ruled.iter().any(|(_, given)| given == place));
    let open = order.open || !course.open.is_empty();
    let groups = if open || needed.is_some() { order.known } else { order.everybody };
    let placings = placings(course, rulebook, groups, &ruled);
    let decided = !open && needed.is_none();
    Places { placings, decided, ruling_needed: needed.map(|(_, text)| text) }
}

/// Puts groups in their places, around the places that rulings give. Whoever shares a place takes up as many.
fn placings(
    course: &Course,
    rulebook: &Rulebook,
    groups: Vec<Vec<Player>>,
    ruled: &[(&[PlayerId], u32)],
) -> Vec<Placing> {
    let taken = |place: u32| ruled.iter().find(|(_, other)| *other == place).map(|(players, _)| *players);
    let size = |players: usize| u32::try_from(players).unwrap_or(u32::MAX).max(1);
    let mut placings = Vec::new();
    let mut place = 1_u32;
    for group in groups {
        let by_rules: Vec<(Player, &PlayerId)> = group
            .into_iter()
            .filter_map(|player| Some((player, course.roster.id(player)?)))
            .filter(|(_, id)| !ruled.iter().any(|(players, _)| players.contains(id)))
            .collect();
        if by_rules.is_empty() {
            continue;
        }
        while let Some(players) = taken(place) {
            place = place.saturating_add(size(players.len()));
        }
        for (player, id) in &by_rules {
            placings.push(placing(course, rulebook, *player, id, place));
        }
        place = place.saturating_add(size(by_rules.len()));
    }
    for (players, place) in ruled {
        for id in *players {
            if let Some(player) = course.roster.number(id) {
                placings.push(placing(course, rulebook, player, id, *place));
            }
        }
    }
    placings.sort_by_key(|placing| placing.place);
    placings
}

/// The places that rulings in force give, the later ruling of a place in force.
fn ruled(tournament: &Tournament) -> Vec<(&[PlayerId], u32)> {
    let mut ruled: Vec<(&[PlayerId], u32)> = Vec::new();
    for ruling in tournament.rulings.iter().filter(|ruling| ruling.superseded_by.is_none()) {
        if let Effect::Place { players, place } = &ruling.ruling.effect {
            ruled.retain(|(_, other)| other != place);
            ruled.push((players, *place));
        }
    }
    ruled
}

fn placing(course: &Course, rulebook: &Rulebook, player: Player, id: &PlayerId, place: u32) -> Placing {
    let record = course.record(player);
    let one = |name: &str, value: u32| Measure { name: name.to_owned(), values: vec![i64::from(value)] };
    Placing {
        player: id.clone(),
        place,
        measures: vec![one("wins", record.wins), one("losses", record.losses)],
        titles: rulebook.title_won.filter(|_| place == 1).map(str::to_owned).into_iter().collect(),
        contender: place <= rulebook.contenders,
    }
}

/// The order of places, equals together.
#[derive(Debug, Default)]
struct Order {
    /// Those whose places are certain, whatever comes.
    known: Vec<Vec<Player>>,
    /// Everybody, once games and rulings have decided.
    everybody: Vec<Vec<Player>>,
    /// Whether games are still to be played.
    open: bool,
    /// The place that a ruling has to give, with the reason.
    needed: Option<(u32, String)>,
}

const NOBODY_LEFT: &str =
    "all who were left fell together, so nobody is champion: a ruling has to give the first place";

fn quadruple(final_: &QuadrupleElimination, course: &Course) -> Order {
    let places = final_.places();
    let open = *final_.phase() != Phase::Over;
    let known: Vec<Vec<Player>> = places.champion.into_iter().map(|player| vec![player]).collect();
    let mut everybody = known.clone();
    everybody.extend(places.second.map(|player| vec![player]));
    everybody.extend((!places.third.is_empty()).then(|| places.third.clone()));
    let placed: Vec<Player> = everybody.concat();
    everybody.extend(by_wins(course, &placed));
    let needed = places.needs_ruling.then(|| (1, NOBODY_LEFT.to_owned()));
    Order { known, everybody, open, needed }
}

fn double(final_: &DoubleElimination, course: &Course) -> Order {
    if final_.active().len() > 1 {
        return Order { open: true, ..Order::default() };
    }
    let conclusion: Conclusion = final_.conclusion();
    let names = |players: &[Player]| {
        let names: Vec<String> = players.iter().map(|player| course.roster.name(*player)).collect();
        names.join(", ")
    };
    let needed = match (conclusion.ruling, course.without_winner) {
        (Some(RulingNeeded::Champion), _) => Some((1, NOBODY_LEFT.to_owned())),
        (Some(RulingNeeded::Second), _) => {
            let level = names(&conclusion.level_for_second);
            let why = "are level for second place in a way that no playoff is provided for";
            Some((2, format!("{level} {why}: a ruling has to give it")))
        }
        (Some(RulingNeeded::Third), _) => {
            let level = names(&conclusion.level_for_third);
            let why = "are level for third place, and a playoff is provided for two only";
            Some((3, format!("{level} {why}: a ruling has to give it")))
        }
        (None, Some(pairing)) => {
            let place = if conclusion.second.is_some() { 3 } else { 2 };
            Some((place, format!("the playoff {pairing} has no winner: a ruling has to give the place")))
        }
        (None, None) => None,
    };
    let known = [conclusion.champion, conclusion.second, conclusion.third];
    Order {
        known: known.into_iter().map_while(|player| player).map(|player| vec![player]).collect(),
        open: conclusion.next.is_some() && course.without_winner.is_none(),
        everybody: conclusion.order,
        needed,
    }
}

/// Everybody who is not yet placed and was not taken out, by games won.
fn by_wins(course: &Course, placed: &[Player]) -> Vec<Vec<Player>> {
    let mut rest: Vec<Player> = course
        .seeds()
        .map(|(number, _)| number)
        .filter(|player| !placed.contains(player) && !course.removed(*player))
        .collect();
    let wins = |player: &Player| course.record(*player).wins;
    rest.sort_by_key(|player| std::cmp::Reverse(wins(player)));
    rest.chunk_by(|one, other| wins(one) == wins(other)).map(<[Player]>::to_vec).collect()
}
