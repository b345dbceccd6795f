//! How answers are laid out: a page is a title, facts, tables and lists; one page is written as plain text, HTML or
//! Markdown, one table as CSV. Whatever comes out of the record is escaped here, and only here.

mod csv;
mod html;
mod markdown;

use annals_events::Micros;
use jiff::tz::TimeZone;

use crate::point::show;
use crate::view::text;

pub use csv::csv;
pub use html::html;
pub use markdown::markdown;

/// One cell of a table, or the value of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words.
    Text(String),
    /// A whole number.
    Number(i64),
    /// Points, in halves.
    Points(u32),
    /// An instant, in microseconds since 1970.
    Time(Micros),
    /// Cents, with the currency where there is one.
    Money(i64, Option<String>),
    /// A rating in millionths of an Elo point.
    Rating(i64),
}

impl Cell {
    /// Words.
    #[must_use]
    pub fn text(words: impl ToString) -> Cell {
        Cell::Text(words.to_string())
    }

    /// A number, or nothing.
    #[must_use]
    pub fn number(number: Option<impl Into<i64>>) -> Cell {
        number.map_or(Cell::Empty, |number| Cell::Number(number.into()))
    }

    /// A time, or nothing.
    #[must_use]
    pub fn time(at: Option<Micros>) -> Cell {
        at.map_or(Cell::Empty, Cell::Time)
    }

    /// As people read it, times in a zone.
    #[must_use]
    pub fn shown(&self, zone: &TimeZone) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(words) => words.clone(),
            Cell::Number(number) => number.to_string(),
            Cell::Points(half_points) => text::points(*half_points),
            Cell::Time(at) => show(*at, zone),
            Cell::Money(cents, currency) => text::money(*cents, currency.as_deref()),
            Cell::Rating(millionths) => tenths(*millionths),
        }
    }

    /// As programs read it: points as decimals, times in UTC, money without the currency.
    fn plain(&self) -> String {
        match self {
            Cell::Points(half_points) => {
                format!("{}{}", half_points / 2, if half_points % 2 == 1 { ".5" } else { "" })
            }
            Cell::Money(cents, _) => text::money(*cents, None),
            Cell::Time(at) => match jiff::Timestamp::from_microsecond(*at) {
                Ok(timestamp) => timestamp.to_string(),
                Err(_) => at.to_string(),
            },
            other => other.shown(&TimeZone::UTC),
        }
    }

    const fn is_figure(&self) -> bool {
        matches!(self, Cell::Number(_) | Cell::Points(_) | Cell::Money(..) | Cell::Rating(_))
    }
}

/// Millionths rounded to one decimal, halves away from zero; without it where they are whole.
fn tenths(millionths: i64) -> String {
    if millionths % 1_000_000 == 0 {
        return (millionths / 1_000_000).to_string();
    }
    let sign = if millionths < 0 { "-" } else { "" };
    let tenths = (millionths.unsigned_abs() + 50_000) / 100_000;
    format!("{sign}{}.{}", tenths / 10, tenths % 10)
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        Table {
            title: title.into(),
            head: head.iter().map(|word| (*word).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// The table with heads that programs like: `scheduled_at` for `Scheduled at`.
    #[must_use]
    pub fn for_programs(mut self) -> Table {
        for word in &mut self.head {
            *word = word.to_lowercase().replace(' ', "_");
        }
        self
    }

    /// The table without the columns in which no row has anything.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Table {
        let used: Vec<bool> =
            (0..self.head.len()).map(|column| self.column(column).any(|cell| !is_blank(cell))).collect();
        let kept = |column: usize| used.get(column).copied().unwrap_or(true);
        let mut column = 0;
        self.head.retain(|_| {
            column += 1;
            kept(column - 1)
        });
        for row in &mut self.rows {
            let mut column = 0;
            row.retain(|_| {
                column += 1;
                kept(column - 1)
            });
        }
        self
    }

    fn column(&self, column: usize) -> impl Iterator<Item = &Cell> {
        self.rows.iter().filter_map(move |row| row.get(column))
    }

    /// Whether a column holds figures, which stand to the right.
    fn is_figures(&self, column: usize) -> bool {
        let mut cells = self.column(column).filter(|cell| !is_blank(cell)).peekable();
        cells.peek().is_some() && cells.all(Cell::is_figure)
    }

    fn lines(&self, zone: &TimeZone) -> Vec<String> {
        let head = self.head.iter().map(|word| written_out(word)).collect();
        let shown: Vec<Vec<String>> = std::iter::once(head)
            .chain(
                self.rows.iter().map(|row| row.iter().map(|cell| written_out(&cell.shown(zone))).collect()),
            )
            .collect();
        let width = |column: usize| {
            let cells = shown.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let layout: Vec<(usize, bool)> =
            (0..self.head.len()).map(|column| (width(column), self.is_figures(column))).collect();
        shown
            .iter()
            .map(|row| {
                let cells: Vec<String> = row
                    .iter()
                    .zip(&layout)
                    .map(
                        |(cell, (width, right))| {
                            if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
                        },
                    )
                    .collect();
                cells.join("  ").trim_end().to_owned()
            })
            .collect()
    }
}

/// Lines under a title, indented; without a title they stand by themselves.
fn list(out: &mut String, title: &str, lines: &[String]) {
    if !title.is_empty() {
        return text::list(out, title, lines);
    }
    out.push('\n');
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Words on one line, with the signs that could make them pass for something else written out as escapes.
fn written_out(words: &str) -> String {
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

fn is_blank(cell: &Cell) -> bool {
    matches!(cell, Cell::Empty) || matches!(cell, Cell::Text(words) if words.is_empty())
}

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
        let said = facts.into_iter().filter(|(_, cell)| !is_blank(cell));
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
    fn is_empty(&self) -> bool {
        match self {
            Block::Title(_) | Block::Subtitle(_) => false,
            Block::Facts(facts) => facts.is_empty(),
            Block::Table(table) => table.rows.is_empty(),
            Block::Lines { lines, .. } => lines.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn ratings_are_rounded_to_tenths() {
        assert_eq!([1_500_049_999, 1_500_050_000, -50_000, 0].map(tenths), ["1500.0", "1500.1", "-0.1", "0"]);
    }
}
