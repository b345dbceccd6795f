//! The heading of answers: the tournament and the point.

use annals_report::Document;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::cut::Cut;
use crate::view::text::heading;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    pub tournament: String,
    /// The tournament's name, which begins the title.
    #[serde(skip)]
    pub of: String,
    pub title: String,
    pub cut: Cut,
}

impl Heading {
    pub(super) fn document(&self, zone: &TimeZone) -> Document {
        Document::new(heading(&self.title, &self.cut, zone))
    }
}
