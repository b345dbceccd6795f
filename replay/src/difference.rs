//! Differences of two views by member, in display order. List elements are matched by name (a turn's label, a player, a
//! number), so that an insertion is one change.

use annals_report::Document;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::difference_words::Labels;
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

pub fn differences_document(differences: &[Difference], labels: &Labels, zone: &TimeZone) -> Document {
    let lines = differences.iter().flat_map(|difference| difference.lines(labels, zone)).collect();
    Document::default().lines("", lines).or_line("nothing is different")
}
