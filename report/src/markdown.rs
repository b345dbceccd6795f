//! A page as Markdown, with tables as GitHub and most programs read them. Signs that mean something in Markdown or HTML
//! are escaped.

use std::fmt::Write as _;

use jiff::tz::TimeZone;

use crate::{Block, Page, Table};

/// The page as Markdown; `source` is the line at its foot.
#[must_use]
pub fn markdown(page: &Page, source: &str, zone: &TimeZone) -> String {
    let mut out = format!("# {}\n", escaped(&page.title));
    for block in page.blocks.iter().filter(|block| !block.is_empty()) {
        out.push('\n');
        // Writing into a string cannot fail.
        match block {
            Block::Title(title) => {
                let _ = writeln!(out, "## {}", escaped(title));
            }
            Block::Subtitle(title) => {
                let _ = writeln!(out, "### {}", escaped(title));
            }
            Block::Facts(facts) => {
                for (label, cell) in facts {
                    let _ = writeln!(out, "- **{}:** {}", escaped(label), escaped(&cell.shown(zone)));
                }
            }
            Block::Table(table) => write_table(&mut out, table, zone),
            Block::Lines { title, lines } => {
                if !title.is_empty() {
                    let _ = writeln!(out, "### {}\n", escaped(title));
                }
                for text in lines {
                    let _ = writeln!(out, "- {}", escaped(text.trim()));
                }
            }
        }
    }
    let _ = write!(out, "\n---\n\n{}\n", escaped(source));
    out
}

fn write_table(out: &mut String, table: &Table, zone: &TimeZone) {
    if !table.title.is_empty() {
        let _ = writeln!(out, "### {}\n", escaped(&table.title));
    }
    let heads: Vec<String> = table.head.iter().map(|word| escaped(word)).collect();
    let _ = writeln!(out, "| {} |", heads.join(" | "));
    let rules: Vec<&str> =
        (0..heads.len()).map(|column| if table.is_figures(column) { "---:" } else { "---" }).collect();
    let _ = writeln!(out, "| {} |", rules.join(" | "));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|cell| escaped(&cell.shown(zone))).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
}

/// Words as they stand in Markdown: on one line, no sign of them read as markup.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for sign in crate::page::written_out(words).chars() {
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
    // An address would become a link by itself.
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
