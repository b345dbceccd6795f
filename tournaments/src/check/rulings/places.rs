//! A ruling that gives a place: only where the rules leave it open.

use crate::rulebook::RuleId;
use annals_events::PlayerId;

use crate::check::Bench;
use crate::check::results::first_rule;
use crate::formats;

/// Judges it.
pub(super) fn judge(bench: &mut Bench<'_>, subject: &str, players: &[PlayerId], place: u32) {
    let rule = rule_of_place(bench, place);
    for player in players {
        super::player(bench, subject, player);
    }
    let mut seen = std::collections::BTreeSet::new();
    let once = place > 0 && players.iter().all(|player| seen.insert(player));
    bench.hold(RuleId::RulingNumber, subject, once, || {
        let expected = "a place from 1 on, with nobody named twice".to_owned();
        (expected, format!("place {place} for {players:?}"))
    });
    match formats::places(bench.case.tournament, bench.case.rulebook) {
        Err(refusal) => bench.hold(rule, subject, false, || {
            ("the rules come so far that a place is left open".to_owned(), refusal.to_string())
        }),
        Ok(places) => match places.ruling_needed {
            Some(why) => {
                let taken = places.placings.iter().find(|placing| placing.place == place);
                let other = taken.filter(|placing| !players.contains(&placing.player));
                bench.hold(rule, subject, other.is_none(), || {
                    let who = other.map_or("", |placing| placing.player.as_str());
                    (
                        format!("place {place} goes to `{who}` by the rules"),
                        format!("it is given to {players:?}"),
                    )
                });
                bench.open(rule, subject, why);
            }
            None => bench.hold(rule, subject, false, || {
                let expected = "the rules leave a place open before a ruling gives it".to_owned();
                (expected, format!("place {place} follows from the results, or is still played for"))
            }),
        },
    }
}

/// The rule of a place in the rulebook.
pub(in crate::check) fn rule_of_place(bench: &Bench<'_>, place: u32) -> Option<RuleId> {
    let own = match place {
        1 => RuleId::PlaceChampion,
        2 => RuleId::PlaceSecond,
        _ => RuleId::PlaceThird,
    };
    first_rule(bench, &[own, RuleId::PlaceOrder])
}
