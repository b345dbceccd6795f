//! A ruling that gives a place: only if the rules leave it undetermined.

use crate::rulebook::RuleId;
use annals_events::PlayerId;
use annals_events::tournament::Effect;

use crate::check::checker::Checker;
use crate::formats;
use crate::state::{RulingInForce, Tournament};

pub(super) fn check(check: &mut Checker<'_>, subject: &str, players: &[PlayerId], place: u32) {
    let rule = rule_of_place(check, place);
    for player in players {
        check.entered(RuleId::RulingNumber, subject, player);
    }
    let mut seen = std::collections::BTreeSet::new();
    let once = place > 0 && players.iter().all(|player| seen.insert(player));
    check.hold(RuleId::RulingNumber, subject, once, || {
        let expected = "a place from 1 on, with no player named twice";
        (expected, format!("place {place} for {}", names(players)))
    });
    match formats::places(check.case.tournament, check.case.rulebook) {
        Err(refusal) => check.hold(rule, subject, false, || {
            ("the rules come so far that a place is left open", refusal.to_string())
        }),
        Ok(places) => match (places.ruling_needed, places.open_place) {
            (Some(why), open_place) => {
                let taken = places.placings.iter().find(|placing| placing.place == place);
                let other = taken.filter(|placing| !players.contains(&placing.player));
                check.none(rule, subject, other, |placing| {
                    let expected = format!("place {place} goes to `{}` by the rules", placing.player);
                    (expected, format!("it is given to {}", names(players)))
                });
                if let Some((due, among)) = open_place.filter(|_| check.case.rulebook.edition > 1) {
                    check.hold(rule, subject, place == due, || {
                        (
                            format!("place {due} is the one that the rules leave open"),
                            format!("place {place} is given"),
                        )
                    });
                    between(check, rule, subject, (players, due), &among);
                }
                check.open(rule, subject, why);
            }
            (None, Some((due, among))) if place == due => {
                between(check, rule, subject, (players, due), &among);
                let why = "the last player in withdrew after the play for the first place, and keeps it without a ruling";
                check.open(rule, subject, why);
            }
            (None, _) => check.hold(rule, subject, false, || match ruled_by(check.case.tournament, place) {
                Some(number) => (
                    format!("a ruling in the place of ruling {number} (`--supersedes {number}`)"),
                    format!("ruling {number} gives place {place} already"),
                ),
                None => (
                    "the rules leave a place open before a ruling gives it".to_owned(),
                    format!("place {place} follows from the results, or is still played for"),
                ),
            }),
        },
    }
}

fn between(
    check: &mut Checker<'_>,
    rule: Option<RuleId>,
    subject: &str,
    (players, place): (&[PlayerId], u32),
    among: &[PlayerId],
) {
    let other = players.iter().find(|player| !among.is_empty() && !among.contains(player));
    check.none(rule, subject, other, |other| {
        (format!("place {place} is between {}", names(among)), format!("it is given to `{other}`"))
    });
}

/// The number of the ruling in force that gives a place.
fn ruled_by(tournament: &Tournament, place: u32) -> Option<u32> {
    let gives =
        |given: &RulingInForce| matches!(given.ruling.effect, Effect::Place { place: of, .. } if of == place);
    tournament.rulings_in_force().filter(|given| gives(given)).last().map(|given| given.ruling.number)
}

fn names(players: &[PlayerId]) -> String {
    players.iter().map(|player| format!("`{player}`")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn rule_of_place(check: &Checker<'_>, place: u32) -> Option<RuleId> {
    check.first_rule(rules_of_place(place))
}

/// The rule of that place, then that of all places.
pub(crate) const fn rules_of_place(place: u32) -> &'static [RuleId] {
    match place {
        1 => &[RuleId::PlaceChampion, RuleId::PlaceOrder],
        2 => &[RuleId::PlaceSecond, RuleId::PlaceOrder],
        _ => &[RuleId::PlaceThird, RuleId::PlaceOrder],
    }
}
