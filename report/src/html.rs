//! A page as one HTML file that needs nothing else: its style stands in it, there is no script, and every word out of
//! the record is escaped. A policy in the file forbids scripts and loading besides.

use std::fmt::Write as _;

use jiff::tz::TimeZone;

use crate::{Block, Cell, Page, Table};

const STYLE: &str = "\
body{font:11pt/1.45 Georgia,'Times New Roman',serif;color:#1a1a1a;max-width:62em;margin:2.5em auto;padding:0 1.5em}\
h1{font-size:1.9em;line-height:1.2;border-bottom:2px solid #1a1a1a;padding-bottom:.3em;margin:0 0 .8em}\
h2{font-size:1.3em;margin:1.9em 0 .5em;border-bottom:1px solid #bbb;padding-bottom:.15em}\
h3{font-size:1.05em;margin:1.3em 0 .4em}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15em 1.4em;margin:.5em 0}\
dt{color:#555}dd{margin:0;overflow-wrap:anywhere}\
.wide{overflow-x:auto}\
table{border-collapse:collapse;font:9.5pt/1.35 'Helvetica Neue',Arial,sans-serif}\
th,td{padding:.22em .7em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}\
th{border-bottom:1.5px solid #555;white-space:nowrap}\
td.t{white-space:nowrap}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
tr:nth-child(even) td{background:#f7f6f2}\
li,p{margin:.15em 0;overflow-wrap:anywhere}p{margin:.5em 0}.note{font-size:.9em;color:#555}\
footer{margin-top:2.5em;border-top:1px solid #bbb;padding-top:.6em;font-size:.8em;color:#555;overflow-wrap:anywhere}\
@media print{body{max-width:none;margin:0;padding:0;font-size:10pt}h2,h3{break-after:avoid}\
tr{break-inside:avoid}thead{display:table-header-group}td{overflow-wrap:break-word}\
.wide{overflow:visible}table{font-size:8pt;max-width:100%}th,td{padding:.18em .4em}@page{margin:14mm}}";

/// The page as HTML; `source` is the line at its foot.
#[must_use]
pub fn html(page: &Page, source: &str, zone: &TimeZone) -> String {
    let title = escaped(&page.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for block in page.blocks.iter().filter(|block| !block.is_empty()) {
        // Writing into a string cannot fail.
        let _ = match block {
            Block::Title(title) => writeln!(out, "<h2>{}</h2>", escaped(title)),
            Block::Subtitle(title) => writeln!(out, "<h3>{}</h3>", escaped(title)),
            Block::Facts(facts) => {
                out += "<dl>\n";
                for (label, cell) in facts {
                    let _ =
                        writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(label), escaped(&cell.shown(zone)));
                }
                writeln!(out, "</dl>")
            }
            Block::Table(table) => {
                write_table(&mut out, table, zone);
                Ok(())
            }
            Block::Lines { title, lines } => {
                if !title.is_empty() {
                    let _ = writeln!(out, "<h3>{}</h3>", escaped(title));
                }
                write_lines(&mut out, lines, title.is_empty());
                Ok(())
            }
        };
    }
    let _ = write!(out, "<footer>{}</footer>\n</body>\n</html>\n", escaped(source));
    out
}

/// Lines under a title are a list; one alone, or lines that explain what stands above them, are paragraphs.
fn write_lines(out: &mut String, lines: &[String], explain: bool) {
    let listed = lines.len() > 1 && !explain;
    let tag = match (listed, explain) {
        (true, _) => "<li>",
        (false, true) => "<p class=\"note\">",
        (false, false) => "<p>",
    };
    let end = if listed { "</li>" } else { "</p>" };
    out.push_str(if listed { "<ul>\n" } else { "" });
    for text in lines {
        let _ = writeln!(out, "{tag}{}{end}", escaped(text.trim()));
    }
    out.push_str(if listed { "</ul>\n" } else { "" });
}

fn write_table(out: &mut String, table: &Table, zone: &TimeZone) {
    if !table.title.is_empty() {
        let _ = writeln!(out, "<h3>{}</h3>", escaped(&table.title));
    }
    let times = |column: usize| table.column(column).any(|cell| matches!(cell, Cell::Time(_)));
    let class = |column: usize| match (table.is_figures(column), times(column)) {
        (true, _) => " class=\"n\"",
        (false, true) => " class=\"t\"",
        (false, false) => "",
    };
    out.push_str("<div class=\"wide\"><table>\n<thead><tr>");
    for (column, word) in table.head.iter().enumerate() {
        let _ = write!(out, "<th{}>{}</th>", class(column), escaped(word));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(out, "<td{}>{}</td>", class(column), escaped(&Cell::shown(cell, zone)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

/// Words as they stand in HTML, in text and in attributes. Signs that turn the direction of writing, and control
/// signs, are written out.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for sign in crate::page::written_out(words).chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_word_of_the_record_is_markup() {
        assert_eq!(escaped("<script>a&'\"\u{202e}\n"), "&lt;script&gt;a&amp;&#39;&quot;\\u{202e}\\n");
    }
}
