//! The page about all studies: what each asks, its picture, its figures, and the SQL.

use annals_analytics::output::escaped;
use annals_analytics::studies::Study;

/// A study, and what became of it.
pub struct Asked {
    /// The study.
    pub study: Study,
    /// What became of it.
    pub became: Became,
}

/// What became of a study.
pub enum Became {
    /// It has an answer.
    Answered {
        /// All rows.
        rows: usize,
        /// Those that the page shows.
        shown: usize,
        /// The file of the picture; none where there is no chart.
        picture: Option<String>,
        /// The first rows as a table.
        table: String,
    },
    /// No row answers it.
    Nothing,
    /// It could not be asked or drawn.
    Failed(String),
}

const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Studies</title>\n<style>\n\
    body { font-family: sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; line-height: 1.4; color: #222; }\n\
    img { max-width: 100%; height: auto; border: 1px solid #ddd; }\n\
    pre { overflow-x: auto; background: #f6f6f6; padding: 0.8em; font-size: 85%; line-height: 1.25; }\n\
    h2 { margin-top: 2.5em; }\n.question { font-size: 110%; }\n.note { color: #555; }\n</style>\n</head>\n<body>\n";

/// The page.
pub fn page(digest: &str, games: u64, all: &[Asked]) -> String {
    let mut out = HEAD.to_owned();
    out.push_str(&format!(
        "<h1>Studies</h1>\n<p>{} questions to the dataset {} ({games} games).</p>\n<ul>\n",
        all.len(),
        html(digest.get(..16).unwrap_or(digest))
    ));
    for Asked { study, .. } in all {
        out.push_str(&format!(
            "<li><a href=\"#{0}\">{1}</a></li>\n",
            html(&study.name),
            html(&study.front.title)
        ));
    }
    out.push_str("</ul>\n");
    for asked in all {
        out.push_str(&section(asked));
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn section(Asked { study, became }: &Asked) -> String {
    let (name, front) = (html(&study.name), &study.front);
    let mut out = format!(
        "<h2 id=\"{name}\">{}</h2>\n<p class=\"question\">{}</p>\n",
        html(&front.title),
        html(&front.question)
    );
    match became {
        Became::Answered { rows, shown, picture, table } => {
            if let Some(picture) = picture {
                out.push_str(&format!(
                    "<p><img src=\"{0}\" alt=\"{1}\"></p>\n",
                    html(picture),
                    html(&front.title)
                ));
            }
            let open = if picture.is_none() { " open" } else { "" };
            let some = if shown < rows {
                format!("the first {shown} of {rows} rows")
            } else {
                format!("{rows} rows")
            };
            out.push_str(&format!(
                "<details{open}><summary>Figures: {some}</summary>\n<pre>{}</pre>\n</details>\n\
                 <p><a href=\"{name}.csv\">All figures</a></p>\n",
                html(&escaped(table))
            ));
        }
        Became::Nothing => out.push_str("<p>No row of the dataset answers this.</p>\n"),
        Became::Failed(why) => {
            out.push_str(&format!("<p>It could not be answered: {}</p>\n", html(&escaped(why))))
        }
    }
    for note in &front.notes {
        out.push_str(&format!("<p class=\"note\">{}</p>\n", html(note)));
    }
    out.push_str(&format!(
        "<details><summary>The study</summary>\n<pre>{}</pre>\n</details>\n",
        html(study.text())
    ));
    out
}

/// A text as it stands in HTML.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_record_becomes_markup() {
        let text = "-- title: A <b>\n-- question: B?\n-- note: C & D\n\nSELECT '<script>'";
        let study = Study::read("a", "a.sql", text).unwrap();
        let table = "<script>alert(1)</script>\u{1b}[2J".to_owned();
        let answered = Became::Answered { rows: 30, shown: 20, picture: Some("a.svg".to_owned()), table };
        let nothing = Asked { study: study.clone(), became: Became::Nothing };
        let failed = Asked { study: study.clone(), became: Became::Failed("no <x>".to_owned()) };
        let page = page("0123456789abcdef0", 7, &[Asked { study, became: answered }, nothing, failed]);
        assert!(!page.contains("<script>") && !page.contains("<b>") && !page.contains('\u{1b}'), "{page}");
        for words in [
            "A &lt;b&gt;",
            "C &amp; D",
            "the first 20 of 30 rows",
            "<img src=\"a.svg\"",
            "href=\"a.csv\"",
            "dataset 0123456789abcdef (7 games)",
            "No row of the dataset",
            "no &lt;x&gt;",
        ] {
            assert!(page.contains(words), "{words}: {page}");
        }
    }
}
