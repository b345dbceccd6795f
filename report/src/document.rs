//! A document: a title and parts.

use jiff::tz::TimeZone;

use crate::{Cell, Table};

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Title {
        words: String,
        /// For links of the contents; may be empty.
        id: String,
    },
    Subtitle(String),
    /// With labels.
    Facts(Vec<(String, Cell)>),
    /// Not shown if empty.
    Table(Table),
    /// With a title; not shown if empty.
    Lines {
        title: String,
        lines: Vec<String>,
    },
    Prose(String),
    /// Preformatted text.
    Drawing(String),
    /// A board: text, and in HTML a picture if there is one.
    Board {
        /// The turn, for links of the contents; may be empty.
        label: String,
        text: String,
        /// Made by Annals; may be empty.
        svg: String,
    },
    Figure {
        /// Made by Annals.
        svg: String,
        caption: String,
    },
    /// Collapsible in HTML.
    Details {
        title: String,
        /// Initially open.
        open: bool,
        part: Box<Part>,
    },
    /// Links to titles with an id and to boards, in HTML.
    Contents,
    /// In HTML.
    Link {
        /// Link text.
        words: String,
        /// Relative to the document.
        path: String,
    },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// May be empty.
    pub title: String,
    /// The title of HTML and Markdown if there is no other: a text has none above its facts.
    pub name: String,
    pub parts: Vec<Part>,
    /// At the head of HTML.
    pub warning: Option<String>,
    /// The origin, at the foot of HTML and Markdown.
    pub foot: Vec<String>,
}

pub trait ToDocument {
    /// Times in a zone.
    fn document(&self, zone: &TimeZone) -> Document;

    /// As one table, for programs.
    fn table(&self) -> Table;
}

impl Document {
    #[must_use]
    pub fn new(title: impl Into<String>) -> Document {
        Document { title: title.into(), ..Document::default() }
    }

    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Document {
        Document { name: name.into(), ..self }
    }

    /// The title of a page.
    #[must_use]
    pub fn heading(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }

    #[must_use]
    pub fn part(mut self, part: Part) -> Document {
        self.parts.push(part);
        self
    }

    /// With an id for the contents.
    #[must_use]
    pub fn title(self, id: &str, words: impl Into<String>) -> Document {
        self.part(Part::Title { words: words.into(), id: id.to_owned() })
    }

    /// Adds facts except empty ones.
    #[must_use]
    pub fn facts(self, facts: Vec<(&str, Cell)>) -> Document {
        let known = facts.into_iter().filter(|(_, cell)| !cell.is_blank());
        self.part(Part::Facts(known.map(|(label, cell)| (label.to_owned(), cell)).collect()))
    }

    /// Adds a table without its empty columns.
    #[must_use]
    pub fn table(self, table: Table) -> Document {
        self.part(Part::Table(table))
    }

    #[must_use]
    pub fn lines(self, title: impl Into<String>, lines: Vec<String>) -> Document {
        self.part(Part::Lines { title: title.into(), lines })
    }

    #[must_use]
    pub fn prose(self, words: impl Into<String>) -> Document {
        self.part(Part::Prose(words.into()))
    }

    /// Adds preformatted text.
    #[must_use]
    pub fn drawing(self, text: impl Into<String>) -> Document {
        self.part(Part::Drawing(text.into()))
    }

    /// Adds a board as text; the contents link to one with the label of a turn.
    #[must_use]
    pub fn board(self, label: impl Into<String>, text: impl Into<String>) -> Document {
        self.part(Part::Board { label: label.into(), text: text.into(), svg: String::new() })
    }

    /// Gives the boards, in their order, the pictures that HTML shows instead of their texts.
    #[must_use]
    pub fn with_pictures(mut self, pictures: Vec<String>) -> Document {
        let boards = self.parts.iter_mut().filter_map(|part| match part {
            Part::Board { svg, .. } => Some(svg),
            _ => None,
        });
        boards.zip(pictures).for_each(|(svg, picture)| *svg = picture);
        self
    }

    /// Adds a line if there is nothing else.
    #[must_use]
    pub fn or_line(self, line: &str) -> Document {
        let empty = self.parts.iter().all(Part::is_empty);
        if empty { self.lines("", vec![line.to_owned()]) } else { self }
    }

    /// Adds another document's parts under its title.
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
    pub(crate) fn table(&self) -> Option<&Table> {
        match self {
            Part::Table(table) => Some(table),
            Part::Details { part, .. } => part.table(),
            _ => None,
        }
    }

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
