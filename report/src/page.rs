//! A page: a title and parts below each other; and the page as plain text.

use jiff::tz::TimeZone;

use crate::{Cell, Table};

/// One part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A title of a part of the page.
    Title(String),
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
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// Its parts.
    pub blocks: Vec<Block>,
}

impl Page {
    /// An empty page.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Page {
        Page { title: title.into(), blocks: Vec::new() }
    }

    /// Adds facts.
    #[must_use]
    pub fn facts(mut self, facts: Vec<(&str, Cell)>) -> Page {
        let said = facts.into_iter().filter(|(_, cell)| !cell.is_blank());
        self.blocks.push(Block::Facts(said.map(|(label, cell)| (label.to_owned(), cell)).collect()));
        self
    }

    /// Adds a table, without the columns that hold nothing.
    #[must_use]
    pub fn table(mut self, table: Table) -> Page {
        self.blocks.push(Block::Table(table.without_empty_columns()));
        self
    }

    /// Adds lines.
    #[must_use]
    pub fn lines(mut self, title: impl Into<String>, lines: Vec<String>) -> Page {
        self.blocks.push(Block::Lines { title: title.into(), lines });
        self
    }

    /// Adds a line where there is nothing else to show.
    #[must_use]
    pub fn or_line(self, line: &str) -> Page {
        let empty = self.blocks.iter().all(Block::is_empty);
        if empty { self.lines("", vec![line.to_owned()]) } else { self }
    }

    /// Adds the parts of another page under its title.
    #[must_use]
    pub fn append(mut self, other: Page) -> Page {
        if other.blocks.iter().any(|block| !block.is_empty()) {
            self.blocks.push(Block::Title(other.title));
            self.blocks.extend(other.blocks);
        }
        self
    }

    /// The page as plain text.
    #[must_use]
    pub fn render(&self, zone: &TimeZone) -> String {
        let mut out = format!("{}\n", self.title);
        for block in self.blocks.iter().filter(|block| !block.is_empty()) {
            match block {
                Block::Title(title) => out += &format!("\n{title}\n{}\n", "-".repeat(title.chars().count())),
                Block::Subtitle(title) => out += &format!("\n{title}\n"),
                Block::Facts(facts) => {
                    let width =
                        facts.iter().map(|(label, _)| label.chars().count() + 2).max().unwrap_or(0).max(13);
                    for (label, cell) in facts {
                        out += format!("{label:<width$}{}", cell.shown(zone)).trim_end();
                        out.push('\n');
                    }
                }
                Block::Table(table) => list(&mut out, &table.title, &table.lines(zone)),
                Block::Lines { title, lines } => list(&mut out, title, lines),
            }
        }
        out
    }
}

impl Block {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Block::Title(_) | Block::Subtitle(_) => false,
            Block::Facts(facts) => facts.is_empty(),
            Block::Table(table) => table.rows.is_empty(),
            Block::Lines { lines, .. } => lines.is_empty(),
        }
    }
}

/// Lines under a title, indented; without a title as they are. Nothing when there are none.
pub fn list(out: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    out.push('\n');
    if !title.is_empty() {
        *out += &format!("{title}\n");
    }
    let indent = if title.is_empty() { "" } else { "  " };
    for line in lines {
        *out += &format!("{indent}{}\n", line.trim_end());
    }
}

/// Words on one line, with the signs that could make them pass for something else written out as escapes.
pub(crate) fn written_out(words: &str) -> String {
    let misleads = |sign: char| {
        sign.is_control()
            || matches!(sign, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    words.chars().fold(String::with_capacity(words.len()), |mut out, sign| {
        if misleads(sign) {
            out.extend(sign.escape_default());
        } else {
            out.push(sign);
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{html, markdown};

    #[test]
    fn figures_stand_to_the_right_and_no_line_ends_in_a_space() {
        let mut table = Table::new("Score", &["Player", "Points", "Note", "Left"]);
        table.rows.push(vec![Cell::text("Anna"), Cell::Points(21), Cell::Empty, Cell::Empty]);
        table.rows.push(vec![Cell::text("Bo"), Cell::Points(2), Cell::Empty, Cell::text("ill")]);
        let page = Page::new("Test").facts(vec![("Site", Cell::text("here"))]).table(table);
        let text = page.render(&TimeZone::UTC);
        assert_eq!(
            text,
            "Test\nSite         here\n\nScore\n  Player  Points  Left\n  Anna       10½\n  Bo           1  ill\n"
        );
    }

    #[test]
    fn no_word_of_the_record_is_markup_on_any_page() {
        let hostile = "</td><script>x</script>|`*_[a](http://e.x)\u{202e}\n# title";
        let mut table = Table::new(hostile, &[hostile, "n"]);
        table.rows.push(vec![Cell::text(hostile), Cell::Number(1)]);
        let page = Page::new(hostile)
            .facts(vec![("Label", Cell::text(hostile))])
            .table(table)
            .lines(hostile, vec![hostile.to_owned()]);
        let html = html(&page, hostile, &TimeZone::UTC);
        assert!(!html.contains("<script"), "{html}");
        assert_eq!(html.matches("<td").count(), 2, "{html}");
        let markdown = markdown(&page, hostile, &TimeZone::UTC);
        assert!(!markdown.contains('<') && !markdown.contains('\u{202e}') && !markdown.contains("\n# title"));
        let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| ")).collect();
        assert_eq!(rows.len(), 3, "{markdown}");
        for row in rows {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 3, "{row}");
        }
    }
}
