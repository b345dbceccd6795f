//! A document as Markdown with GitHub tables; Markdown and HTML characters are escaped.

use std::fmt::Write as _;

use jiff::tz::TimeZone;

use crate::document::Part;
use crate::{Document, Table};

impl Document {
    /// A figure gives its caption.
    #[must_use]
    pub fn markdown(&self, zone: &TimeZone) -> String {
        let mut out = format!("# {}\n", escaped(self.heading()));
        for part in self.parts.iter().filter(|part| !part.is_empty()) {
            write_part(&mut out, part, zone);
        }
        if !self.foot.is_empty() {
            out.push_str("\n---\n\n");
        }
        for line in &self.foot {
            let _ = writeln!(out, "{}", escaped(line));
        }
        out
    }
}

/// Writing to a string cannot fail.
fn write_part(out: &mut String, part: &Part, zone: &TimeZone) {
    out.push('\n');
    let _ = match part {
        Part::Title { words, .. } => writeln!(out, "## {}", escaped(words)),
        Part::Subtitle(words) => writeln!(out, "### {}", escaped(words)),
        Part::Facts(facts) => facts.iter().try_for_each(|(label, cell)| {
            writeln!(out, "- **{}:** {}", escaped(label), escaped(&cell.shown(zone)))
        }),
        Part::Table(table) => write_table(out, &table.without_empty_columns(), zone),
        Part::Lines { title, lines } => {
            if !title.is_empty() {
                let _ = writeln!(out, "### {}\n", escaped(title));
            }
            lines.iter().try_for_each(|line| writeln!(out, "- {}", escaped(line.trim())))
        }
        Part::Prose(words) | Part::Figure { caption: words, .. } => writeln!(out, "{}", escaped(words)),
        // Four spaces make preformatted text.
        Part::Drawing(text) | Part::Board { text, .. } => {
            crate::escape::escaped_lines(text).try_for_each(|line| writeln!(out, "    {line}"))
        }
        Part::Details { title, part, .. } => {
            let _ = writeln!(out, "### {}", escaped(title));
            write_part(out, part, zone);
            Ok(())
        }
        Part::Contents | Part::Link { .. } => Ok(()),
    };
}

fn write_table(out: &mut String, table: &Table, zone: &TimeZone) -> std::fmt::Result {
    if !table.title.is_empty() {
        writeln!(out, "### {}\n", escaped(&table.title))?;
    }
    let columns = 0..table.columns();
    let heads: Vec<String> = columns
        .clone()
        .map(|column| table.head.get(column).map_or(String::new(), |word| escaped(word)))
        .collect();
    writeln!(out, "| {} |", heads.join(" | "))?;
    let rules: Vec<&str> =
        columns.map(|column| if table.is_figures(column) { "---:" } else { "---" }).collect();
    writeln!(out, "| {} |", rules.join(" | "))?;
    table.rows.iter().try_for_each(|row| {
        let cells: Vec<String> = row.iter().map(|cell| escaped(&cell.shown(zone))).collect();
        writeln!(out, "| {} |", cells.join(" | "))
    })
}

/// On one line, without markup.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for sign in crate::escaped(words).chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' | '!' => {
                out.push('\\');
                out.push(sign);
            }
            other => out.push(other),
        }
    }
    // An address would become a link.
    out.replace("://", ":\\/\\/")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_word_of_the_record_is_markup() {
        assert_eq!(escaped("a|b <i> *x* [y](z)\n"), "a\\|b &lt;i&gt; \\*x\\* \\[y\\](z)\\\\n");
        assert_eq!(escaped("https://e.x"), "https:\\/\\/e.x");
    }
}
