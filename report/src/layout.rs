//! A table as text: figures right-aligned; on a narrow terminal texts are wrapped and columns omitted, the least important first.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableComponent, Width, presets};
use jiff::tz::TimeZone;
use textwrap::core::display_width;

use crate::{Cell, Screen, Table, escaped};

/// Narrowest wrapped column, broken at spaces only.
const NARROWEST: usize = 16;

/// Omitted columns that are named.
const NAMED: usize = 8;

/// What is above the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Bare,
    Heads,
    /// Heads with a line below.
    Ruled,
}

impl Table {
    /// Without title. Line ends in cells are kept with `line_ends`.
    #[must_use]
    pub fn text(&self, zone: &TimeZone, look: Look, line_ends: bool, screen: Option<&Screen>) -> String {
        let shown = |words: &str| match line_ends {
            true => words.split('\n').map(escaped).collect::<Vec<_>>().join("\n"),
            false => escaped(words).into_owned(),
        };
        let head: Vec<String> = self.head.iter().map(|word| shown(word)).collect();
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(|cell| shown(&cell.shown(zone))).collect()).collect();
        let first_text = (0..self.columns()).find(|number| !self.is_figures(*number)).unwrap_or(0);
        // The named columns, then the first with text, then the others from the left.
        let importance = |number: usize| {
            let head = self.head.get(number).map(String::as_str);
            let named = self.keep.iter().position(|name| head == Some(name));
            (named.unwrap_or(self.keep.len()), number != first_text, number)
        };
        let column = |number: usize| {
            let figures = self.is_figures(number);
            let whole = figures || self.column(number).any(|cell| matches!(cell, Cell::Time(_)));
            let mut column =
                Column { number, figures, whole, importance: importance(number), natural: 0, least: 0 };
            let head = head.get(number).filter(|_| look != Look::Bare);
            for text in head.into_iter().chain(rows.iter().filter_map(|row| row.get(number))) {
                column.measure(text);
            }
            column
        };
        let all: Vec<Column> = (0..self.columns()).map(column).collect();
        let (kept, left_out) = match screen {
            Some(screen) => fitting(all, screen.width),
            None => (all, Vec::new()),
        };
        let pick = |row: &[String]| -> Vec<String> {
            kept.iter().map(|column| row.get(column.number).cloned().unwrap_or_default()).collect()
        };
        let head = if look == Look::Bare || head.is_empty() { Vec::new() } else { pick(&head) };
        let note = screen.filter(|_| !left_out.is_empty()).map(|screen| self.note(&left_out, screen));
        laid_out(head, rows.iter().map(|row| pick(row)), &kept, look, screen) + &note.unwrap_or_default()
    }

    /// Names the omitted columns, and how to show them.
    fn note(&self, left_out: &[Column], screen: &Screen) -> String {
        let named = left_out.iter().filter_map(|column| self.head.get(column.number));
        let mut names: Vec<&str> = named.map(|name| name.trim()).collect();
        // One name more than the limit is as short as its number.
        let more =
            names.split_off(names.len().min(if names.len() > NAMED + 1 { NAMED } else { NAMED + 1 })).len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = if names.is_empty() { String::new() } else { format!(" ({}{more})", names.join(", ")) };
        let columns = if left_out.len() == 1 { "column is" } else { "columns are" };
        let or = if screen.complete.is_empty() { "" } else { " or " };
        let ways = format!("{}{or}a wider terminal shows all", screen.complete);
        crate::text::wrapped(
            &format!("{} {columns} left out{names}; {ways}", left_out.len()),
            Some(screen),
            "",
            "  ",
        )
    }
}

fn laid_out(
    head: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
    columns: &[Column],
    look: Look,
    screen: Option<&Screen>,
) -> String {
    let characters = |width: usize| u16::try_from(width).unwrap_or(u16::MAX);
    let mut table = comfy_table::Table::new();
    table.load_preset(presets::NOTHING).set_style(TableComponent::VerticalLines, ' ');
    if look == Look::Ruled {
        // Only a rule under the header: readable, and easy to copy.
        table.set_style(TableComponent::HeaderLines, '─');
        table.set_style(TableComponent::MiddleHeaderIntersections, ' ');
    }
    if !head.is_empty() {
        table.set_header(head);
    }
    table.add_rows(rows);
    if let Some(screen) = screen {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(characters(screen.width));
    }
    for (laid_out, column) in table.column_iter_mut().zip(columns) {
        // A boundary includes the space after the column.
        let least =
            screen.map_or(column.least, |screen| column.least.min(screen.width.saturating_sub(1))) + 1;
        laid_out.set_constraint(match column.least < column.natural {
            true => ColumnConstraint::LowerBoundary(Width::Fixed(characters(least))),
            false => ColumnConstraint::ContentWidth,
        });
        laid_out.set_padding((0, 1));
        laid_out.set_cell_alignment(match column.figures {
            true => CellAlignment::Right,
            false => CellAlignment::Left,
        });
    }
    table.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

/// A column with its possible widths.
struct Column {
    number: usize,
    figures: bool,
    /// Never wrapped.
    whole: bool,
    /// The smallest is kept longest.
    importance: (usize, bool, usize),
    /// Unwrapped.
    natural: usize,
    /// Fully wrapped.
    least: usize,
}

impl Column {
    fn measure(&mut self, text: &str) {
        let width = |words: std::str::Split<'_, char>| words.map(display_width).max().unwrap_or(0);
        self.natural = self.natural.max(width(text.split('\n')));
        let least =
            if self.whole { self.natural } else { NARROWEST.max(width(text.replace('\n', " ").split(' '))) };
        self.least = self.least.max(least).min(self.natural);
    }
}

/// Columns that fit, and omitted ones. The most important is always kept, and each other one that fits with those before it.
fn fitting(mut all: Vec<Column>, width: usize) -> (Vec<Column>, Vec<Column>) {
    all.sort_by_key(|column| column.importance);
    let (mut kept, mut left_out) = (Vec::<Column>::new(), Vec::new());
    let mut used = 0;
    for column in all {
        // A space follows each column, and another is between two.
        let needed = column.least + 2;
        if kept.is_empty() || used + needed <= width + 1 {
            used += needed;
            kept.push(column);
        } else {
            left_out.push(column);
        }
    }
    for columns in [&mut kept, &mut left_out] {
        columns.sort_by_key(|column| column.number);
    }
    (kept, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(table: &Table, width: usize) -> String {
        let screen = Screen { width, complete: "`--json`".to_owned() };
        table.text(&TimeZone::UTC, Look::Ruled, false, Some(&screen))
    }

    fn wide() -> Table {
        let mut table = Table::new("", &["Player", "Points", "Title", "Remarks"]);
        let title = "World Champion of the year after the one before";
        table.rows.push(vec!["Anna".into(), Cell::Points(21), title.into(), "came late to the game".into()]);
        table.rows.push(vec!["Bo".into(), Cell::Points(2), Cell::Empty, Cell::Empty]);
        table
    }

    #[test]
    fn texts_wrap_at_spaces_and_columns_that_do_not_fit_are_left_out() {
        let expected = "\
Player  Points  Title             Remarks
─────── ─────── ───────────────── ─────────────────
Anna       10½  World Champion    came late to the
                of the year       game
                after the one
                before
Bo           1
";
        assert_eq!(text(&wide(), 51), expected);
        let narrow = text(&wide(), 40);
        assert!(narrow.contains("Anna       10½  World Champion of the"), "{narrow}");
        assert!(
            narrow.ends_with("1 column is left out (Remarks); `--json`\n  or a wider terminal shows all\n"),
            "{narrow}"
        );
    }

    #[test]
    fn the_named_columns_are_kept_and_then_the_first_ones() {
        let table = Table { keep: &["Remarks"], ..wide() };
        let narrow = text(&table, 30);
        assert!(
            narrow.starts_with("Player  Remarks\n")
                && narrow.contains("2 columns are left out\n  (Points, Title); `--json` or\n"),
            "{narrow}"
        );
        let many: Vec<String> = (1..=30).map(|number| format!("column {number}")).collect();
        let mut table = Table::new("", &many.iter().map(String::as_str).collect::<Vec<_>>());
        table.rows.push(vec![Cell::text("x"); 30]);
        let narrow = text(&table, 36);
        assert!(narrow.starts_with("column 1  column 2  column 3\n"), "{narrow}");
        assert!(
            narrow.replace("\n  ", " ").contains("27 columns are left out (column 4, column 5, column 6,"),
            "{narrow}"
        );
        assert!(
            narrow.replace("\n  ", " ").contains("column 11 and 19 more); `--json` or a wider"),
            "{narrow}"
        );
    }
}
