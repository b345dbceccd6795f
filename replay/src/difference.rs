//! Differences of two views by member, in display order. List elements are matched by name (a turn's label, a player, a
//! number), so that an insertion is one change.

use annals_report::{Document, points};
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::point::show;
use crate::view::View;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Member names from the whole to the part (`rounds`, `3`, `boards`, `2`, `outcome`).
    pub path: Vec<String>,
    /// None if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// None if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// Members that name list elements: the first that all elements have, with distinct values.
const NAMES: [&str; 5] = ["label", "player", "number", "merged", "seq"];

/// Differences in view order; the cuts are not compared.
pub fn diff(before: &View, after: &View) -> Vec<Difference> {
    let value = |view: &View| {
        let mut value = serde_json::to_value(view).unwrap_or(Value::Null);
        if let Some(members) = value.as_object_mut() {
            members.remove("cut");
        }
        value
    };
    let mut found = Vec::new();
    compare(&mut Vec::new(), Some(&value(before)), Some(&value(after)), &mut found);
    found
}

fn compare(
    path: &mut Vec<String>,
    before: Option<&Value>,
    after: Option<&Value>,
    found: &mut Vec<Difference>,
) {
    let (before, after) = (before.filter(|v| !v.is_null()), after.filter(|v| !v.is_null()));
    if before == after {
        return;
    }
    match (before, after) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => members(path, a, b, found),
        (Some(Value::Array(a)), Some(Value::Array(b))) => elements(path, a, b, found),
        _ => found.push(Difference { path: path.clone(), before: before.cloned(), after: after.cloned() }),
    }
}

fn part<'v>(
    path: &mut Vec<String>,
    name: &str,
    (before, after): (Option<&'v Value>, Option<&'v Value>),
    found: &mut Vec<Difference>,
) {
    path.push(name.to_owned());
    compare(path, before, after, found);
    path.pop();
}

fn members(
    path: &mut Vec<String>,
    a: &Map<String, Value>,
    b: &Map<String, Value>,
    found: &mut Vec<Difference>,
) {
    let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
    names.sort_by_key(|name| (name.parse::<u64>().ok(), *name));
    names.dedup();
    for name in names {
        part(path, name, (a.get(name), b.get(name)), found);
    }
}

fn elements(path: &mut Vec<String>, a: &[Value], b: &[Value], found: &mut Vec<Difference>) {
    let Some((names_of_a, names_of_b)) = names(a, b) else {
        for i in 0..a.len().max(b.len()) {
            part(path, &(i + 1).to_string(), (a.get(i), b.get(i)), found);
        }
        return;
    };
    for (name, value) in names_of_a.iter().zip(a) {
        let other = names_of_b.iter().position(|other| other == name).map(|place| &b[place]);
        part(path, name, (Some(value), other), found);
    }
    for (name, value) in names_of_b.iter().zip(b).filter(|(name, _)| !names_of_a.contains(name)) {
        part(path, name, (None, Some(value)), found);
    }
}

/// The element names of two lists, if one member distinguishes them.
fn names(a: &[Value], b: &[Value]) -> Option<(Vec<String>, Vec<String>)> {
    let of = |list: &[Value], name: &str| -> Option<Vec<String>> {
        let mut names = Vec::with_capacity(list.len());
        for element in list {
            let text = match element.get(name)? {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                _ => return None,
            };
            names.push(text);
        }
        let distinct = names.iter().collect::<std::collections::HashSet<_>>().len() == names.len();
        distinct.then_some(names)
    };
    NAMES.iter().find_map(|name| Some((of(a, name)?, of(b, name)?)))
}

/// Characters of a difference on one line.
const LONG: usize = 160;

/// Lists whose elements are named by the singular: `rounds`, `3` is "round 3".
const SINGULARS: [(&str, &str); 15] = [
    ("rounds", "round"),
    ("boards", "board"),
    ("games", "game"),
    ("turns", "turn"),
    ("rulings", "ruling"),
    ("appeals", "appeal"),
    ("byes", "bye of"),
    ("entrants", "entrant"),
    ("standings", "score of"),
    ("places", "place of"),
    ("identities", "player"),
    ("merges", "merge of"),
    ("findings", "finding about event"),
    ("types", "events of type"),
    ("aliases", "alias"),
];

impl Difference {
    /// For example `round 3 board 2: outcome`.
    pub fn place(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut rest = self.path.as_slice();
        while let [name, tail @ ..] = rest {
            let singular = SINGULARS.iter().find(|(plural, _)| plural == name);
            match (singular, tail) {
                (Some((_, singular)), [element, tail @ ..]) => {
                    words.push(format!("{singular} {element}"));
                    rest = tail;
                }
                _ => break,
            }
        }
        let plain =
            |name: &String| if name == "half_points" { "points".to_owned() } else { name.replace('_', " ") };
        let rest: Vec<String> = rest.iter().map(plain).collect();
        match (words.is_empty(), rest.is_empty()) {
            (true, _) => rest.join(", "),
            (false, true) => words.join(" "),
            (false, false) => format!("{}: {}", words.join(" "), rest.join(", ")),
        }
    }

    /// As lines.
    pub fn lines(&self, zone: &TimeZone) -> Vec<String> {
        self.round_lines().unwrap_or_else(|| self.split(zone))
    }

    /// A line for each board and bye of a round that is on one side only; none for other differences.
    fn round_lines(&self) -> Option<Vec<String>> {
        let (round, is) = match (&self.before, &self.after) {
            (None, Some(round)) => (round, "is paired"),
            (Some(round), None) => (round, "is not paired"),
            _ => return None,
        };
        let [rounds, _] = self.path.as_slice() else { return None };
        let boards = round.get("boards")?.as_object().filter(|_| rounds == "rounds")?;
        let place = self.place();
        let mut lines = vec![format!("{place} {is}")];
        let mut numbered: Vec<_> = boards.iter().collect();
        numbered.sort_by_key(|(number, _)| number.parse::<u64>().ok());
        lines.extend(
            numbered.iter().map(|(number, board)| format!("{place} board {number}: {}", board_words(board))),
        );
        let byes = round.get("byes").and_then(Value::as_array).into_iter().flatten();
        let byes = byes.filter_map(|bye| bye.get("player").and_then(Value::as_str));
        lines.extend(byes.map(|player| format!("{place} bye of {player}")));
        Some(lines)
    }

    /// On one line: `round 3 board 2: outcome: none -> gold`.
    pub fn render(&self, zone: &TimeZone) -> String {
        let words = |value: &Option<Value>| self.value_words(value.as_ref(), zone);
        format!("{}: {} -> {}", self.place(), words(&self.before), words(&self.after))
    }

    fn value_words(&self, value: Option<&Value>, zone: &TimeZone) -> String {
        let last = self.path.iter().rev().find(|name| name.parse::<u64>().is_err());
        let time = last.is_some_and(|name| is_time(name) || name == "first" || name == "last");
        let halves = self.path.last().is_some_and(|name| name == "half_points");
        match value {
            None => "none".to_owned(),
            Some(Value::Number(number)) if halves => {
                let halves = number.as_u64().and_then(|halves| u32::try_from(halves).ok());
                halves.map_or_else(|| number.to_string(), points)
            }
            Some(value) => in_words(value, time, zone),
        }
    }

    /// As [`render`](Difference::render); a long one with a line for each part of its values.
    fn split(&self, zone: &TimeZone) -> Vec<String> {
        let line = self.render(zone);
        if line.chars().count() <= LONG {
            return vec![line];
        }
        let mut lines = vec![format!("{}:", self.place())];
        for (label, value) in [("before", &self.before), ("after", &self.after)] {
            match value {
                Some(Value::Object(members)) => {
                    lines.push(format!("  {label}:"));
                    lines.extend(parts(members, zone).map(|part| format!("    {part}")));
                }
                value => lines.push(format!("  {label}: {}", self.value_words(value.as_ref(), zone))),
            }
        }
        lines
    }
}

/// A board of a round: who plays, and how it ended.
fn board_words(board: &Value) -> String {
    let word = |name: &str| board.get(name).and_then(Value::as_str);
    let first = word("gold").or(word("upper")).unwrap_or_default();
    let second = word("silver").or(word("lower")).unwrap_or_default();
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
    name == "at" || name.ends_with("_at")
}

fn in_words(value: &Value, time: bool, zone: &TimeZone) -> String {
    match value {
        Value::Number(number) if time => match number.as_i64() {
            Some(at) => show(at, zone),
            None => number.to_string(),
        },
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Object(members) => parts(members, zone).collect::<Vec<_>>().join(", "),
        Value::Array(elements) if elements.is_empty() => "none".to_owned(),
        Value::Array(elements) => {
            elements.iter().map(|element| in_words(element, false, zone)).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// Each member that says something, with its name.
fn parts<'p>(members: &'p Map<String, Value>, zone: &'p TimeZone) -> impl Iterator<Item = String> + 'p {
    let told = members.iter().filter(|(_, value)| !value.is_null() && **value != Value::Bool(false));
    told.map(|(name, value)| format!("{} {}", name.replace('_', " "), in_words(value, is_time(name), zone)))
}

pub fn differences_document(differences: &[Difference], zone: &TimeZone) -> Document {
    let lines = differences.iter().flat_map(|difference| difference.lines(zone)).collect();
    Document::default().lines("", lines).or_line("nothing is different")
}
