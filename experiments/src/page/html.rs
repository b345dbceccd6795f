//! Words and tables as HTML. Whatever comes from outside is escaped here and nowhere else.

use annals_report::misleads;

/// A page that grows.
#[derive(Default)]
pub struct Html(String);

/// Words in which nothing can pass for markup.
pub fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for sign in words.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            sign if misleads(sign) => out.extend(sign.escape_default()),
            sign => out.push(sign),
        }
    }
    out
}

impl Html {
    /// A title; level 1 is that of the page.
    pub fn title(&mut self, level: u8, words: &str) {
        self.0.push_str(&format!("<h{level}>{}</h{level}>\n", escaped(words)));
    }

    /// A paragraph.
    pub fn words(&mut self, words: &str) {
        self.0.push_str(&format!("<p>{}</p>\n", escaped(words)));
    }

    /// A paragraph that stands out.
    pub fn strong(&mut self, words: &str) {
        self.0.push_str(&format!("<p class=\"strong\">{}</p>\n", escaped(words)));
    }

    /// A list.
    pub fn list<S: AsRef<str>>(&mut self, items: &[S]) {
        if items.is_empty() {
            return;
        }
        self.0.push_str("<ul>\n");
        for item in items {
            self.0.push_str(&format!("<li>{}</li>\n", escaped(item.as_ref())));
        }
        self.0.push_str("</ul>\n");
    }

    /// Lines for a terminal.
    pub fn commands(&mut self, lines: &[String]) {
        self.0.push_str("<pre>");
        for line in lines {
            self.0.push_str(&escaped(line));
            self.0.push('\n');
        }
        self.0.push_str("</pre>\n");
    }

    /// A table; the first cell of a row is words, the others are numbers.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        self.0.push_str("<table>\n<tr>");
        for name in head {
            self.0.push_str(&format!("<th>{}</th>", escaped(name)));
        }
        self.0.push_str("</tr>\n");
        for row in rows {
            self.0.push_str("<tr>");
            for (place, cell) in row.iter().enumerate() {
                let tag = if place == 0 { "<td class=\"first\">" } else { "<td>" };
                self.0.push_str(&format!("{tag}{}</td>", escaped(cell)));
            }
            self.0.push_str("</tr>\n");
        }
        self.0.push_str("</table>\n");
    }

    /// A picture (SVG of our own making) with what is to be read in it, and the name of its files.
    pub fn picture(&mut self, svg: &str, caption: &str, name: &str) {
        self.0.push_str(&format!(
            "<figure>\n{svg}<figcaption>{} <span class=\"files\">pictures/{}.svg, .png, .csv</span></figcaption>\n</figure>\n",
            escaped(caption),
            escaped(name)
        ));
    }

    /// The whole page.
    pub fn page(self, title: &str) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
             </head>\n<body>\n{}</body>\n</html>\n",
            escaped(title),
            self.0
        )
    }
}

const STYLE: &str = "\
body { font: 16px/1.5 \"DejaVu Sans\", Verdana, sans-serif; color: #222; max-width: 1040px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.7em; } h2 { margin-top: 2.2em; border-bottom: 1px solid #bbb; } h3 { margin-top: 1.8em; }
p.strong { background: #eef4fa; border-left: 4px solid #0072b2; padding: .6em 1em; }
table { border-collapse: collapse; margin: 1em 0; font-size: .9em; }
th, td { padding: .25em .8em; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td.first { text-align: left; }
pre { background: #f5f5f5; padding: .8em; overflow-x: auto; font-size: .85em; }
figure { margin: 1.5em 0; } figure svg { max-width: 100%; height: auto; border: 1px solid #ddd; }
figcaption { font-size: .9em; color: #555; } .files { font-family: monospace; font-size: .9em; color: #888; }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_becomes_markup() {
        let mut page = Html::default();
        page.words("<script>alert(\"1\")</script> & more");
        page.table(&["a<b"], &[vec!["<i>".to_owned()]]);
        page.picture("<svg></svg>", "x < y", "na\"me");
        let page = page.page("<title>");
        assert!(!page.contains("<script") && !page.contains("<i>") && page.contains("&lt;script&gt;"));
        assert!(page.contains("<svg></svg>") && page.contains("x &lt; y") && page.contains("na&quot;me"));
    }
}
