//! A document as text: complete for a pipe, or laid out for a terminal.

use jiff::tz::TimeZone;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use crate::document::Part;
use crate::escape::escaped_lines;
use crate::{Document, Look, escaped};

/// Minimum width of fact labels.
const LABELS: usize = 13;

/// The terminal's layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    /// In characters.
    pub width: usize,
    /// Options that show omitted columns: "`--csv`, `--json`".
    pub complete: String,
}

impl Document {
    /// Without a screen nothing is wrapped or omitted.
    #[must_use]
    pub fn text(&self, zone: &TimeZone, screen: Option<&Screen>) -> String {
        let mut out = wrapped(&self.title, screen, "", "  ");
        let mut after_drawing = false;
        for part in self.parts.iter().filter(|part| !part.is_empty()) {
            if after_drawing && matches!(part, Part::Facts(_)) {
                out.push('\n');
            }
            after_drawing = matches!(part, Part::Drawing(_) | Part::Board { .. });
            part.write_text(&mut out, zone, screen);
        }
        out
    }
}

impl Part {
    fn write_text(&self, out: &mut String, zone: &TimeZone, screen: Option<&Screen>) {
        if !matches!(self, Part::Facts(_)) && !out.is_empty() {
            out.push('\n');
        }
        match self {
            Part::Title { words, .. } => {
                *out += &format!("{words}\n{}\n", "-".repeat(words.chars().count()));
            }
            Part::Subtitle(words) | Part::Prose(words) => *out += &wrapped(words, screen, "", ""),
            Part::Facts(facts) => {
                let widths = facts.iter().map(|(label, _)| label.chars().count() + 1);
                let width = widths.max().unwrap_or(0).max(LABELS);
                for (label, cell) in facts {
                    let label = format!("{label:<width$}");
                    *out += &wrapped(&cell.shown(zone), screen, &label, &" ".repeat(width));
                }
            }
            Part::Table(table) => {
                let indent = heading(out, &table.title, screen);
                let screen = screen.map(|screen| Screen {
                    width: screen.width.saturating_sub(indent.len()),
                    ..screen.clone()
                });
                let look = if screen.is_some() { Look::Ruled } else { Look::Heads };
                for line in table.without_empty_columns().text(zone, look, false, screen.as_ref()).lines() {
                    *out += &format!("{indent}{line}\n");
                }
            }
            Part::Lines { title, lines } => {
                let indent = heading(out, title, screen);
                for line in lines {
                    let words = line.trim_start_matches(' ');
                    let indent = format!("{indent}{}", &line[..line.len() - words.len()]);
                    *out += &wrapped(words, screen, &indent, &format!("{indent}  "));
                }
            }
            Part::Drawing(text) | Part::Board { text, .. } => {
                escaped_lines(text).for_each(|line| *out += &format!("{}\n", line.trim_end()))
            }
            Part::Figure { caption, .. } => *out += &wrapped(caption, screen, "", ""),
            Part::Details { title, part, .. } => {
                *out += &wrapped(title, screen, "", "");
                part.write_text(out, zone, screen);
            }
            Part::Contents | Part::Link { .. } => {}
        }
    }
}

/// Writes a title if any, and returns the indent below it.
fn heading(out: &mut String, title: &str, screen: Option<&Screen>) -> &'static str {
    *out += &wrapped(title, screen, "", "  ");
    if title.is_empty() { "" } else { "  " }
}

/// Wrapped lines with indents; empty for no text. A command in backticks stays on one line, so that it can be copied.
#[must_use]
pub fn wrapped(words: &str, screen: Option<&Screen>, first: &str, others: &str) -> String {
    let words = escaped(words);
    if words.is_empty() && first.trim().is_empty() {
        return String::new();
    }
    let Some(screen) = screen else { return format!("{}\n", format!("{first}{words}").trim_end()) };
    let options = Options::new(screen.width)
        .initial_indent(first)
        .subsequent_indent(others)
        .break_words(false)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    // No line breaks at a no-break space.
    let in_backticks = |(place, part): (usize, &str)| match place % 2 {
        1 => part.replace(' ', "\u{a0}"),
        _ => part.to_owned(),
    };
    let words = words.split('`').enumerate().map(in_backticks).collect::<Vec<_>>().join("`");
    let lines = textwrap::wrap(&words, options);
    lines.iter().fold(String::new(), |out, line| out + line.replace('\u{a0}', " ").trim_end() + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Table};

    fn document() -> Document {
        let mut table = Table::new("Score", &["Player", "Points", "Note", "Left"]);
        table.rows.push(vec![Cell::text("Anna"), Cell::Points(21), Cell::Empty, Cell::Empty]);
        table.rows.push(vec![Cell::text("Bo"), Cell::Points(2), Cell::Empty, Cell::text("ill")]);
        Document::new("Test")
            .facts(vec![("Site", Cell::text("here, and where it was in the year before"))])
            .table(table)
            .lines("Why", vec!["  because of the weather in the last week".to_owned()])
    }

    #[test]
    fn figures_stand_to_the_right_and_no_line_ends_in_a_space() {
        assert_eq!(
            document().text(&TimeZone::UTC, None),
            "Test\nSite         here, and where it was in the year before\n\nScore\n  Player  Points  Left\n  Anna       10½\n  \
             Bo           1  ill\n\nWhy\n    because of the weather in the last week\n"
        );
    }

    #[test]
    fn a_command_in_backticks_is_not_broken() {
        let screen = Screen { width: 24, complete: String::new() };
        let text = wrapped("run `annals log head` and `annals log show`", Some(&screen), "", "  ");
        assert_eq!(text, "run `annals log head`\n  and `annals log show`\n");
    }

    #[test]
    fn a_terminal_gets_lines_that_fit_it() {
        let screen = Screen { width: 30, complete: String::new() };
        assert_eq!(
            document().text(&TimeZone::UTC, Some(&screen)),
            "Test\nSite         here, and where\n             it was in the\n             year before\n\nScore\n  \
             Player  Points  Left\n  ─────── ─────── ─────\n  Anna       10½\n  Bo           1  ill\n\nWhy\n    \
             because of the weather in\n      the last week\n"
        );
    }
}
