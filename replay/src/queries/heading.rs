//! What every answer begins with: the tournament, and the point that is shown.

use annals_report::Document;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::cut::Cut;
use crate::view::text::heading;

/// What an answer is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    pub tournament: String,
    /// The tournament with its name, as the title begins.
    #[serde(skip)]
    pub of: String,
    /// The title of the answer.
    pub title: String,
    pub cut: Cut,
}

impl Heading {
    pub(super) fn document(&self, zone: &TimeZone) -> Document {
        Document::new(heading(&self.title, &self.cut, zone))
    }
}
