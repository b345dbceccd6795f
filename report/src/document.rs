//! A document: a title and parts below each other.

use jiff::tz::TimeZone;

use crate::{Cell, Table};

/// One part of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A title of a part of the document.
    Title {
        /// The title.
        words: String,
        /// The name by which the contents link to it; empty for none.
        id: String,
    },
    /// A title within a part.
    Subtitle(String),
    /// Facts, each with its label.
    Facts(Vec<(String, Cell)>),
    /// A table; an empty one is not shown.
    Table(Table),
    /// Lines under a title; not shown where there are none.
    Lines {
        /// The title.
        title: String,
        /// The lines.
        lines: Vec<String>,
    },
    /// A paragraph.
    Prose(String),
    /// A text of several lines that is shown as it is, such as a board.
    Drawing(String),
    /// A picture.
    Figure {
        /// The picture as SVG of our own making.
        svg: String,
        /// What it shows.
        caption: String,
    },
    /// A part that a reader of HTML opens.
    Details {
        /// What it holds.
        title: String,
        /// Whether it is open from the start.
        open: bool,
        /// The part.
        part: Box<Part>,
    },
    /// Links to the titles that have a name, in HTML.
    Contents,
    /// A link to a file, in HTML.
    Link {
        /// What the file holds.
        words: String,
        /// Its path, relative to the document.
        path: String,
    },
}

/// A document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// Its title; empty for none.
    pub title: String,
    /// Its parts.
    pub parts: Vec<Part>,
    /// What a reader must know first, at the head of HTML.
    pub warning: Option<String>,
    /// Where it is from, at the foot of HTML and Markdown.
    pub foot: Vec<String>,
}

/// What can be shown as a document.
pub trait ToDocument {
    /// It as a document, times in a zone.
    fn document(&self, zone: &TimeZone) -> Document;

    /// It as one table, for programs.
    fn table(&self) -> Table;
}

impl Document {
    /// An empty document.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Document {
        Document { title: title.into(), ..Document::default() }
    }

    /// Adds a part.
    #[must_use]
    pub fn part(mut self, part: Part) -> Document {
        self.parts.push(part);
        self
    }

    /// Adds a title to which the contents link by a name.
    #[must_use]
    pub fn title(self, id: &str, words: impl Into<String>) -> Document {
        self.part(Part::Title { words: words.into(), id: id.to_owned() })
    }

    /// Adds facts, but those that are not known.
    #[must_use]
    pub fn facts(self, facts: Vec<(&str, Cell)>) -> Document {
        let known = facts.into_iter().filter(|(_, cell)| !cell.is_blank());
        self.part(Part::Facts(known.map(|(label, cell)| (label.to_owned(), cell)).collect()))
    }

    /// Adds a table. People are not shown the columns that hold nothing.
    #[must_use]
    pub fn table(self, table: Table) -> Document {
        self.part(Part::Table(table))
    }

    /// Adds lines.
    #[must_use]
    pub fn lines(self, title: impl Into<String>, lines: Vec<String>) -> Document {
        self.part(Part::Lines { title: title.into(), lines })
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn prose(self, words: impl Into<String>) -> Document {
        self.part(Part::Prose(words.into()))
    }

    /// Adds a text of several lines that is shown as it is.
    #[must_use]
    pub fn drawing(self, text: impl Into<String>) -> Document {
        self.part(Part::Drawing(text.into()))
    }

    /// Adds a line where there is nothing else to show.
    #[must_use]
    pub fn or_line(self, line: &str) -> Document {
        let empty = self.parts.iter().all(Part::is_empty);
        if empty { self.lines("", vec![line.to_owned()]) } else { self }
    }

    /// Adds the parts of another document under its title.
    #[must_use]
    pub fn append(self, other: Document) -> Document {
        if other.parts.iter().all(Part::is_empty) {
            return self;
        }
        let mut titled = self.title("", other.title);
        titled.parts.extend(other.parts);
        titled
    }
}

impl Part {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Part::Facts(facts) => facts.is_empty(),
            Part::Table(table) => table.rows.is_empty(),
            Part::Lines { lines, .. } => lines.is_empty(),
            Part::Prose(words) => words.is_empty(),
            Part::Details { part, .. } => part.is_empty(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_of_the_record_is_markup_in_any_document() {
        let hostile = "</td><script>x</script>|`*_[a](http://e.x)\u{202e}\n# title";
        let mut table = Table::new(hostile, &[hostile, "n"]);
        table.rows.push(vec![Cell::text(hostile), Cell::Number(1)]);
        let mut document = Document::new(hostile)
            .facts(vec![("Label", Cell::text(hostile))])
            .table(table)
            .lines(hostile, vec![hostile.to_owned()])
            .title("a", hostile)
            .prose(hostile)
            .part(Part::Contents)
            .part(Part::Link { words: hostile.to_owned(), path: hostile.to_owned() });
        document.foot.push(hostile.to_owned());
        document.warning = Some(hostile.to_owned());
        let html = document.html(&TimeZone::UTC);
        assert!(!html.contains("<script"), "{html}");
        assert_eq!(html.matches("<td").count(), 2, "{html}");
        let markdown = document.markdown(&TimeZone::UTC);
        assert!(!markdown.contains('<') && !markdown.contains('\u{202e}') && !markdown.contains("\n# title"));
        let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| ")).collect();
        assert_eq!(rows.len(), 3, "{markdown}");
        for row in rows {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 3, "{row}");
        }
    }
}
