//! Differences as lines: names of players, times of a zone, points and money as elsewhere.

use std::collections::BTreeMap;

use annals_events::GameKind;
use annals_report::{money, points};
use jiff::tz::TimeZone;
use serde_json::{Map, Number, Value};

use crate::colours::in_the_words_of;
use crate::difference::Difference;
use crate::handler::game_played;
use crate::point::show;
use crate::view::View;

/// The names of players by identity, the currency of amounts, and the game that is played.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    names: BTreeMap<String, String>,
    currency: Option<String>,
    game: Option<GameKind>,
}

impl Labels {
    /// Of views; the last view that names a player gives the name. Players of one name are shown with their identities.
    pub fn of<'v>(views: impl IntoIterator<Item = &'v View>) -> Labels {
        let mut labels = Labels::default();
        for view in views {
            if let View::Game(view) = view {
                labels.game = Some(view.kind());
            }
            let View::Tournament(view) = view else { continue };
            let tournament = view.tournament();
            labels.game = Some(game_played(tournament));
            let named = |(player, entrant): (&_, &annals_tournaments::Entrant)| {
                (ToString::to_string(player), entrant.name.clone())
            };
            labels.names.extend(tournament.entrants.iter().map(named));
            let announced = tournament.announced.as_ref();
            labels.currency = announced.and_then(|announced| announced.currency.clone()).or(labels.currency);
        }
        let names: Vec<String> = labels.names.values().cloned().collect();
        for (player, name) in &mut labels.names {
            if names.iter().filter(|other| *other == name).count() > 1 {
                *name = format!("{name} ({player})");
            }
        }
        labels
    }

    /// A member, for people.
    fn member(&self, name: &str) -> String {
        let words = if name == "half_points" { "points".to_owned() } else { name.replace('_', " ") };
        self.sides(words)
    }

    /// With the names that the game has for its sides.
    fn sides(&self, words: String) -> String {
        in_the_words_of(self.game.unwrap_or(GameKind::Arimaa), words)
    }

    fn name<'a>(&'a self, player: &'a str) -> &'a str {
        self.names.get(player).map_or(player, String::as_str)
    }
}

/// Lists whose elements are players.
const LISTS_OF_PLAYERS: [&str; 4] = ["byes", "entrants", "standings", "places"];

/// Members whose value is a player.
const PLAYERS: [&str; 7] = ["gold", "silver", "upper", "lower", "player", "players", "by"];

/// Members whose value is a side or an outcome.
const SIDES: [&str; 4] = ["outcome", "side", "to_move", "winner"];

/// Members in cents.
const AMOUNTS: [&str; 2] = ["fund", "fund_left"];

/// Characters of a difference on one line.
const LONG: usize = 160;

/// Lists whose elements are named by the singular: `rounds`, `3` is "round 3".
const SINGULARS: [(&str, &str); 16] = [
    ("rounds", "round"),
    ("boards", "board"),
    ("games", "game"),
    ("turns", "turn"),
    ("rulings", "ruling"),
    ("appeals", "appeal"),
    ("byes", "bye of"),
    ("entrants", "entrant"),
    ("standings", "score of"),
    ("tie_breaks", "tie break"),
    ("places", "place of"),
    ("identities", "player"),
    ("merges", "merge of"),
    ("findings", "finding about event"),
    ("types", "events of type"),
    ("aliases", "alias"),
];

impl Difference {
    /// For example `round 3 board 2: outcome`.
    pub fn place(&self, labels: &Labels) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut rest = self.path.as_slice();
        while let [name, tail @ ..] = rest {
            let singular = SINGULARS.iter().find(|(plural, _)| plural == name);
            match (singular, tail) {
                (Some((list, singular)), [element, tail @ ..]) => {
                    let player = LISTS_OF_PLAYERS.contains(list);
                    let element = if player { labels.name(element) } else { element };
                    words.push(format!("{singular} {element}"));
                    rest = tail;
                }
                _ => break,
            }
        }
        let rest: Vec<String> = rest.iter().map(|name| labels.member(name)).collect();
        match (words.is_empty(), rest.is_empty()) {
            (true, _) => rest.join(", "),
            (false, true) => words.join(" "),
            (false, false) => format!("{}: {}", words.join(" "), rest.join(", ")),
        }
    }

    /// As lines.
    pub fn lines(&self, labels: &Labels, zone: &TimeZone) -> Vec<String> {
        self.round_lines(labels).unwrap_or_else(|| self.split(&Words { labels, zone }))
    }

    /// A line for each board and bye of a round that is on one side only, as `… -> none` if it is no longer there; none for other
    /// differences.
    fn round_lines(&self, labels: &Labels) -> Option<Vec<String>> {
        let (round, is, gone) = match (&self.before, &self.after) {
            (None, Some(round)) => (round, "is paired", ""),
            (Some(round), None) => (round, "is not paired", " -> none"),
            _ => return None,
        };
        let [rounds, _] = self.path.as_slice() else { return None };
        let boards = round.get("boards")?.as_object().filter(|_| rounds == "rounds")?;
        let place = self.place(labels);
        let mut lines = vec![format!("{place} {is}")];
        let mut numbered: Vec<_> = boards.iter().collect();
        numbered.sort_by_key(|(number, _)| number.parse::<u64>().ok());
        lines.extend(
            numbered.iter().map(|(number, board)| {
                format!("{place} board {number}: {}{gone}", board_words(board, labels))
            }),
        );
        let byes = round.get("byes").and_then(Value::as_array).into_iter().flatten();
        let byes = byes.filter_map(|bye| bye.get("player").and_then(Value::as_str));
        lines.extend(byes.map(|player| format!("{place} bye of {}{gone}", labels.name(player))));
        Some(lines)
    }

    /// On one line: `round 3 board 2: outcome: none -> gold`; a long one with a line for each part of its values.
    fn split(&self, words: &Words<'_>) -> Vec<String> {
        let place = self.place(words.labels);
        let last = self.path.iter().rev().find(|name| name.parse::<u64>().is_err());
        let member = last.map_or("", String::as_str);
        let [before, after] = [&self.before, &self.after]
            .map(|value| value.as_ref().map_or_else(|| "none".to_owned(), |value| words.of(value, member)));
        let line = format!("{place}: {before} -> {after}");
        if line.chars().count() <= LONG {
            return vec![line];
        }
        let mut lines = vec![format!("{place}:")];
        for (label, value, shown) in [("before", &self.before, before), ("after", &self.after, after)] {
            match value {
                Some(Value::Object(members)) => {
                    lines.push(format!("  {label}:"));
                    lines.extend(words.parts(members).map(|part| format!("    {part}")));
                }
                _ => lines.push(format!("  {label}: {shown}")),
            }
        }
        lines
    }
}

/// A board of a round: who plays, and how it ended.
fn board_words(board: &Value, labels: &Labels) -> String {
    let word = |name: &str| board.get(name).and_then(Value::as_str);
    let first = labels.name(word("gold").or(word("upper")).unwrap_or_default());
    let second = labels.name(word("silver").or(word("lower")).unwrap_or_default());
    let how = word("termination").map_or(String::new(), |how| format!(" by {}", how.replace('_', " ")));
    let result = match word("outcome") {
        None => "no result".to_owned(),
        Some("gold") => format!("{first} won{how}"),
        Some("silver") => format!("{second} won{how}"),
        Some(other) => format!("{}{how}", other.replace('_', " ")),
    };
    format!("{first} against {second}, {result}")
}

fn is_time(name: &str) -> bool {
    ["at", "first", "last"].contains(&name) || name.ends_with("_at")
}

struct Words<'w> {
    labels: &'w Labels,
    zone: &'w TimeZone,
}

impl Words<'_> {
    /// The value of a member.
    fn of(&self, value: &Value, member: &str) -> String {
        match value {
            Value::Number(number) => self.number(number, member),
            Value::String(text) if PLAYERS.contains(&member) => self.labels.name(text).to_owned(),
            Value::String(text) if SIDES.contains(&member) => self.labels.sides(text.clone()),
            Value::String(text) => text.clone(),
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::Object(members) => self.parts(members).collect::<Vec<_>>().join(", "),
            Value::Array(elements) if elements.is_empty() => "none".to_owned(),
            Value::Array(elements) => {
                elements.iter().map(|element| self.of(element, member)).collect::<Vec<_>>().join("; ")
            }
            Value::Null => value.to_string(),
        }
    }

    fn number(&self, number: &Number, member: &str) -> String {
        let shown = match member {
            "half_points" => number.as_u64().and_then(|halves| u32::try_from(halves).ok()).map(points),
            _ if AMOUNTS.contains(&member) => {
                number.as_i64().map(|cents| money(cents, self.labels.currency.as_deref()))
            }
            _ if is_time(member) => number.as_i64().map(|at| show(at, self.zone)),
            _ => None,
        };
        shown.unwrap_or_else(|| number.to_string())
    }

    /// Each member that says something, with its name.
    fn parts(&self, members: &Map<String, Value>) -> impl Iterator<Item = String> {
        let told = members.iter().filter(|(_, value)| !value.is_null() && **value != Value::Bool(false));
        told.map(|(name, value)| format!("{} {}", self.labels.member(name), self.of(value, name)))
    }
}
