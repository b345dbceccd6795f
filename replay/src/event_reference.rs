//! The description of the event types: the fields of each payload, the types within it, and an example.

use std::collections::BTreeMap;

use annals_events::{Family, REFERENCE};
use annals_report::{Cell, Document, Table};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Event types, with the types that their payloads name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventReference {
    pub events: Vec<EventDescription>,
    pub types: BTreeMap<String, TypeDescription>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventDescription {
    #[serde(rename = "type")]
    pub event_type: String,
    /// The schema version in which this program writes the type.
    pub schema: u32,
    pub about: String,
    pub fields: Vec<Field>,
    /// The types within the payload, in the order of their names.
    pub types: Vec<String>,
    /// A payload.
    pub example: Value,
}

/// A type within payloads: an object with fields, or one of several variants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeDescription {
    pub about: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    #[serde(rename = "type")]
    pub of_type: String,
    pub optional: bool,
    pub about: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    pub name: String,
    pub fields: Option<Content>,
    pub about: String,
}

/// What a variant holds: one value of a type, or named fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    One(String),
    Fields(Vec<Field>),
}

/// No event type or family has this name.
#[derive(Debug, thiserror::Error)]
#[error("there is no event type or family `{name}`")]
pub struct UnknownEventType {
    pub name: String,
    pub known: Vec<String>,
}

impl EventReference {
    /// All event types.
    ///
    /// # Errors
    /// Never for a program whose tests pass: its reference is a part of it.
    pub fn all() -> Result<EventReference, serde_json::Error> {
        serde_json::from_str(REFERENCE)
    }

    /// The event type of a name, or the types of a family.
    ///
    /// # Errors
    /// When neither has that name.
    pub fn select(mut self, name: &str) -> Result<EventReference, UnknownEventType> {
        let is_selected = |event: &EventDescription| {
            event.event_type == name || event.event_type.split('.').next() == Some(name)
        };
        if !self.events.iter().any(is_selected) {
            let types = self.events.into_iter().map(|event| event.event_type);
            let families = Family::ALL.into_iter().map(|family| family.word().to_owned());
            return Err(UnknownEventType { name: name.to_owned(), known: types.chain(families).collect() });
        }
        self.events.retain(is_selected);
        let named: Vec<&String> = self.events.iter().flat_map(|event| &event.types).collect();
        self.types.retain(|name, _| named.contains(&name));
        Ok(self)
    }

    /// One event type with its payload, types and an example; of several types, a line each.
    #[must_use]
    pub fn document(&self) -> Document {
        match self.events.as_slice() {
            [event] => self.details(event),
            events => {
                let table = Table::of("", events)
                    .column("Type", |event| Cell::text(&event.event_type))
                    .column("Schema", |event| Cell::count(event.schema))
                    .column("Meaning", |event| Cell::text(&event.about));
                Document::default().table(table.table())
            }
        }
    }

    /// Every event type with its payload and an example, and every type once.
    #[must_use]
    pub fn page(&self) -> Document {
        let mut page = Document::new("Event types");
        for event in &self.events {
            page = page.title("", &event.event_type).prose(about(event));
            page = page.table(fields("", &event.fields)).drawing(example(event));
        }
        page.title("", "Types within payloads").part_of_types(self.types.iter())
    }

    fn details(&self, event: &EventDescription) -> Document {
        let document =
            Document::new(&event.event_type).prose(about(event)).table(fields("Payload", &event.fields));
        let types = event.types.iter().filter_map(|name| self.types.get_key_value(name));
        document.part_of_types(types).lines("Example", example(event).lines().map(str::to_owned).collect())
    }
}

fn about(event: &EventDescription) -> String {
    format!("{} Schema version {}.", event.about, event.schema)
}

fn example(event: &EventDescription) -> String {
    format!("{:#}", event.example)
}

fn fields(title: &str, fields: &[Field]) -> Table {
    Table::of(title, fields)
        .column("Field", |field| Cell::text(&field.name))
        .column("Type", |field| Cell::text(&field.of_type))
        .column("Required", |field| Cell::text(if field.optional { "no" } else { "yes" }))
        .column("Meaning", |field| Cell::text(&field.about))
        .table()
}

/// A variant as a row, and its fields as rows below it.
fn variants(title: String, variants: &[Variant]) -> Table {
    let mut table = Table::new(title, &["Value", "Type", "Required", "Meaning"]);
    for Variant { name, fields, about } in variants {
        let (of_type, inner) = match fields {
            None => ("", &[][..]),
            Some(Content::One(of_type)) => (of_type.as_str(), &[][..]),
            Some(Content::Fields(fields)) => ("object", fields.as_slice()),
        };
        table.rows.push(vec![Cell::text(name), Cell::text(of_type), Cell::text(""), Cell::text(about)]);
        table.rows.extend(inner.iter().map(|field| {
            let required = if field.optional { "no" } else { "yes" };
            let name = format!("{name}.{}", field.name);
            vec![Cell::Text(name), Cell::text(&field.of_type), Cell::text(required), Cell::text(&field.about)]
        }));
    }
    table
}

trait WithTypes {
    fn part_of_types<'t>(self, types: impl Iterator<Item = (&'t String, &'t TypeDescription)>) -> Self;
}

impl WithTypes for Document {
    fn part_of_types<'t>(self, types: impl Iterator<Item = (&'t String, &'t TypeDescription)>) -> Document {
        types.fold(self, |document, (name, described)| {
            let title = match described.about.as_str() {
                "" => name.clone(),
                about => format!("{name}: {about}"),
            };
            document.table(match described.variants.as_slice() {
                [] => fields(&title, &described.fields),
                all => variants(title, all),
            })
        })
    }
}
