//! CSL-JSON: an array of one item with variables of the schema of CSL 1.0.2.

use serde::Serialize;

use super::{Citation, Cited, CitedDate};
use crate::one_line;

#[derive(Serialize)]
struct Item {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    #[serde(rename = "container-title", skip_serializing_if = "Option::is_none")]
    container_title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued: Option<Date>,
    #[serde(rename = "event-place", skip_serializing_if = "Option::is_none")]
    event_place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<String>,
    archive_location: String,
    note: String,
}

#[derive(Serialize)]
struct Date {
    #[serde(rename = "date-parts")]
    date_parts: [Vec<i16>; 1],
}

pub(super) fn write(citation: &Citation) -> String {
    let line = |text: &Option<String>| text.as_deref().map(one_line);
    let item = Item {
        id: citation.entry_key(),
        kind: match citation.cited {
            Cited::Game | Cited::Event => "entry",
            Cited::Tournament => "event",
            Cited::Dataset => "dataset",
            Cited::Chart => "figure",
        },
        title: one_line(&citation.title),
        container_title: line(&citation.part_of),
        issued: citation.date.map(|date| Date {
            date_parts: [match date {
                CitedDate::Day(day) => vec![day.year(), day.month().into(), day.day().into()],
                CitedDate::Year(year) => vec![year],
            }],
        }),
        event_place: line(&citation.place),
        archive: line(&citation.archive),
        archive_location: citation.identifier.clone(),
        note: one_line(&citation.note()),
    };
    // Strings and numbers are always written.
    serde_json::to_string_pretty(&[item]).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::tests::hostile;
    use super::*;

    #[test]
    fn the_item_reads_back_with_its_variables() {
        let items: serde_json::Value = serde_json::from_str(&write(&hostile())).unwrap();
        let item = &items[0];
        assert_eq!(item["type"], "entry");
        assert_eq!(item["issued"]["date-parts"], serde_json::json!([[2015, 3, 7]]));
        assert_eq!(item["archive_location"], "annals:game:01:5:ab:cup.r1_1");
        assert!(item["title"].as_str().unwrap().starts_with("A} & \\B, {50%} against \"C\""));
    }
}
