//! Bounds of the numbers in events. The handler rejects a number beyond them, and one in a log is a finding. Within
//! them no sum of a tournament exceeds 64 bits.

use std::fmt;

use serde::Serialize;

use crate::canonical::MAX_INTEGER;
use crate::event::Event;
use crate::game::{GameEvent, TurnTaken};
use crate::numbers::each_number;

/// The range of numbers of some names, with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bound {
    /// A payload key, or its container and the key (`byes.half_points`); the container of a top-level key is the type
    /// (`turn_taken.number`). The first matching bound applies.
    pub names: &'static [&'static str],
    pub least: i64,
    /// Inclusive.
    pub most: i64,
    /// The reason.
    pub why: &'static str,
}

impl Bound {
    fn holds(&self, number: i128) -> bool {
        (self.least.into()..=self.most.into()).contains(&number)
    }
}

const fn bound(least: i64, most: i64, why: &'static str, names: &'static [&'static str]) -> Bound {
    Bound { names, least, most, why }
}

/// Those of games first, since a log has most of them.
pub static BOUNDS: [Bound; 18] = [
    bound(
        0,
        1_000_000,
        "a million plies; the longest games of the gameroom have a few hundred",
        &["turn_taken.number", "turn_rejected.number", "from_ply", "ply"],
    ),
    bound(
        -3_153_600_000,
        3_153_600_000,
        "a hundred years in seconds, the longest time that a time control can give",
        &["used", "gold_reserve", "silver_reserve", "game_time"],
    ),
    bound(
        -100_000,
        100_000,
        "ratings and their K; those of the gameroom are between 0 and 3,000",
        &["rating", "k"],
    ),
    bound(0, 10_000, "attempts at one pairing; each needs a ruling of its own", &["attempt"]),
    bound(
        0,
        10_000,
        "rounds of one tournament; an all-play-all of 10,000 players has fewer",
        &["round", "after_round", "rounds"],
    ),
    bound(
        0,
        1_000_000,
        "a million players, as far as the program continues the table of rounds of 2009",
        &["board", "encounter", "rank", "place", "places", "seed", "players", "player_registered.number"],
    ),
    bound(
        0,
        100,
        "half points of one bye; the rulebooks give at most 4, for an encounter of two games (Olympiad 2000)",
        &["byes.half_points"],
    ),
    bound(
        0,
        1_000_000,
        "half points or games won in one tournament: 10,000 rounds of 100 half points",
        &["half_points", "games_won", "games_a_pair"],
    ),
    bound(0, 128, "squares of the largest Amazons board that the rules know", &["territory", "squares"]),
    bound(
        0,
        1_000_000_000_000,
        "cents: ten thousand million of the currency, of which nine thousand such amounts can be added exactly",
        &["amount", "fund", "fund_left", "registration", "refundable", "penalty", "price", "price_limit"],
    ),
    bound(
        0,
        1_000_000_000,
        "thousandths: a machine a million times as fast as the specified one",
        &["speed", "speed_limit"],
    ),
    bound(1, 9_999, "years of four digits, as times are written (RFC 3339)", &["year"]),
    bound(0, 1_000_000, "versions, counted from 1", &["edition", "schema"]),
    bound(
        0,
        MAX_INTEGER,
        "lots and the gameroom's numbers of games: only compared, within what every JSON reader keeps",
        &["lots.number", "qualifying_game_played.number"],
    ),
    bound(
        0,
        1_000_000,
        "disputes, appeals and rulings, counted from 1 in each tournament",
        &["number", "dispute", "appeal", "ruling", "supersedes"],
    ),
    bound(
        0,
        MAX_INTEGER,
        "identities and counts that the program makes: within what every JSON reader keeps",
        &[
            "account", "player_id", "exactly", "at_least", "seq", "corrects", "bytes", "rows", "accepted",
            "flagged", "rejected", "left_out", "streams", "events", "known_before", "first_seq", "last_seq",
            "head_seq", "anchored_seq", "crosstables",
        ],
    ),
    bound(
        -MAX_INTEGER,
        MAX_INTEGER,
        "measures of any unit: only compared, within what every JSON reader keeps",
        &["values"],
    ),
    bound(
        -MAX_INTEGER,
        MAX_INTEGER,
        "microseconds since 1970: the years 1684 to 2255, within what every JSON reader keeps",
        &[
            "at", "due", "ended_at", "effective_at", "from", "last_recorded_at", "scheduled_at", "shows",
            "started_at", "to", "until", "waited_until",
        ],
    ),
];

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Beyond {
    /// The path of keys in the payload, joined by dots.
    pub key: String,
    pub found: i128,
    pub bound: &'static Bound,
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Beyond { key, found, bound: Bound { least, most, why, .. } } = self;
        write!(f, "`{key}`: expected a number from {least} to {most}, found {found} ({why})")
    }
}

impl std::error::Error for Beyond {}

/// The first number beyond its bound.
#[must_use]
pub fn beyond(event: &Event<'_>) -> Option<Beyond> {
    if let Event::Game(GameEvent::TurnTaken(turn)) = event
        && is_within(turn)
    {
        return None;
    }
    let mut first = None;
    each_number(event, &mut |path, found| {
        if first.is_none()
            && let Some(bound) = bound_of(path)
            && !bound.holds(found)
        {
            first = Some(Beyond { key: path.get(1..).unwrap_or_default().join("."), found, bound });
        }
    });
    first
}

/// Whether all numbers of a turn are within bounds. Replays read millions of turns, so no names are looked up here; a
/// test compares both ways.
fn is_within(turn: &TurnTaken<'_>) -> bool {
    let [number, seconds, ..] = &BOUNDS;
    let seconds = |found: Option<i128>| found.is_none_or(|found| seconds.holds(found));
    number.holds(turn.number.into())
        && seconds(turn.used.map(Into::into))
        && seconds(turn.gold_reserve.map(Into::into))
        && seconds(turn.silver_reserve.map(Into::into))
        && seconds(turn.game_time.map(Into::into))
}

/// By the path of names.
fn bound_of(path: &[&'static str]) -> Option<&'static Bound> {
    let [.., parent, key] = path else { return None };
    let is_it = |name: &&str| {
        name == key || name.strip_suffix(key).and_then(|rest| rest.strip_suffix('.')) == Some(*parent)
    };
    BOUNDS.iter().find(|bound| bound.names.iter().any(is_it))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Entry, EventType};

    fn payload(event_type: &str, text: &str) -> Option<(String, i128)> {
        let entry = Entry::from_payload(event_type, 1, text).unwrap();
        beyond(&entry.event).map(|beyond| (beyond.key, beyond.found))
    }

    #[test]
    fn a_number_is_named_by_the_way_to_it() {
        let bye = |half_points: u64| {
            let text = format!(
                r#"{{"byes":[{{"half_points":{half_points},"player":"a"}}],"pairs":[],"round":1,"stage":"swiss"}}"#
            );
            payload("tournament.round_paired", &text)
        };
        assert_eq!(bye(4), None);
        assert_eq!(bye(4_294_967_295), Some(("byes.half_points".to_owned(), 4_294_967_295)));
        let ruled = r#"{"effect":{"halt":{"failure":"other","pairing":"r1.4294967295","ply":3}},"number":1,"reason":"x"}"#;
        let found = payload("tournament.ruling_given", ruled);
        assert_eq!(found, Some(("effect.halt.pairing.board".to_owned(), 4_294_967_295)));
        let equals = r#"{"equals":{"at_least":18446744073709551615},"pairs":[],"round":1,"stage":"swiss"}"#;
        let found = payload("tournament.round_paired", equals);
        assert_eq!(found, Some(("equals.at_least".to_owned(), u64::MAX.into())));
    }

    #[test]
    fn every_number_of_every_type_has_its_bound_and_every_bound_a_number() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
        let mut used = BTreeSet::new();
        for event_type in EventType::all() {
            let (name, schema) = (event_type.name(), event_type.schema());
            let lines = std::fs::read_to_string(format!("{folder}/{name}.v{schema}.json")).unwrap();
            for line in lines.lines() {
                let entry = Entry::from_payload(name, schema, line).unwrap();
                assert_eq!(beyond(&entry.event), None, "{line}");
                let mut numbers = 0;
                each_number(&entry.event, &mut |path, _| {
                    numbers += 1;
                    let bound = bound_of(path).unwrap_or_else(|| panic!("{path:?} has no bound"));
                    let fits = |name: &&str| {
                        let key = name.split_once('.').map_or(*name, |(_, key)| key);
                        path.last() == Some(&key)
                    };
                    used.extend(bound.names.iter().copied().filter(fits));
                });
                // What the reader of JSON sees, less the time of the source and the payload in a correction.
                let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
                let members = value.as_object_mut().unwrap();
                members.remove("_time");
                if let Some(payload) =
                    members.get_mut("change").and_then(|change| change.pointer_mut("/replace/payload"))
                {
                    payload.take();
                }
                assert_eq!(numbers, numbers_in(&value), "{name} {line}");
            }
        }
        let names: BTreeSet<&str> = BOUNDS.iter().flat_map(|bound| bound.names).copied().collect();
        assert_eq!(used, names);
    }

    fn numbers_in(value: &serde_json::Value) -> usize {
        match value {
            serde_json::Value::Number(_) => 1,
            serde_json::Value::Array(elements) => elements.iter().map(numbers_in).sum(),
            serde_json::Value::Object(members) => {
                let of = |(key, value): (&String, &serde_json::Value)| match value {
                    // A pairing holds two.
                    serde_json::Value::String(_) if key == "pairing" => 2,
                    value => numbers_in(value),
                };
                members.iter().map(of).sum()
            }
            _ => 0,
        }
    }

    #[test]
    fn what_a_number_stands_in_tells_numbers_of_one_name_apart() {
        let game = |number: i64| {
            let text = format!(
                r#"{{"benchmark":"b","ended_at":1,"number":{number},"player":"a","rated":true,"side":"gold","started_at":0}}"#
            );
            payload("tournament.qualifying_game_played", &text)
        };
        assert_eq!(game(MAX_INTEGER), None);
        let turn = |number: u32| {
            payload("game.turn_taken", &format!(r#"{{"number":{number},"side":"gold","steps":"Ra1"}}"#))
        };
        assert_eq!((turn(1_000_000), turn(1_000_001).is_some()), (None, true));
    }

    #[test]
    fn a_turn_is_within_by_its_fields_where_it_is_by_their_names() {
        let keys = ["number", "used", "gold_reserve", "silver_reserve", "game_time"];
        for key in keys {
            let bound = bound_of(&["turn_taken", key]).unwrap();
            for number in [bound.least - 1, bound.least, bound.most, bound.most + 1] {
                // The other three are never negative.
                if number < 0 && !key.ends_with("reserve") {
                    continue;
                }
                let mut value = serde_json::json!({"number": 2, "side": "gold", "steps": "Ra1"});
                value[key] = number.into();
                let text = value.to_string();
                let expected = (!bound.holds(number.into())).then(|| (key.to_owned(), number.into()));
                assert_eq!(payload("game.turn_taken", &text), expected);
            }
        }
    }
}
