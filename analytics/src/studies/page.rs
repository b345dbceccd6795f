//! The page about all studies: the question of each, its picture, its figures, and the SQL.

use annals_report::{Document, Part, Table};

use super::Study;
use crate::Dataset;

/// A study with its result.
pub struct Asked {
    /// The study.
    pub study: Study,
    /// Its result.
    pub became: Became,
}

/// The result of a study.
pub enum Became {
    /// It has rows.
    Answered {
        /// All rows.
        rows: usize,
        /// The picture as SVG; none without a chart.
        picture: Option<String>,
        /// The first rows as a table.
        table: Table,
    },
    /// It has no row.
    Nothing,
    /// It could not be run or drawn.
    Failed(String),
}

/// The page about all studies of a dataset.
#[must_use]
pub fn page(dataset: &Dataset, all: &[Asked]) -> Document {
    of_digest(dataset.digest(), dataset.rows("games"), all)
}

fn of_digest(digest: &str, games: u64, all: &[Asked]) -> Document {
    let digest = digest.get(..16).unwrap_or(digest);
    let page = Document::new("Studies")
        .prose(format!("{} questions to the dataset {digest} ({games} games).", all.len()))
        .part(Part::Contents);
    all.iter().fold(page, section)
}

fn section(page: Document, Asked { study, became }: &Asked) -> Document {
    let (name, front) = (&study.name, &study.front);
    let mut page = page.title(name, &front.title).prose(&front.question);
    page = match became {
        Became::Answered { rows, picture, table } => {
            if let Some(svg) = picture {
                page = page.part(Part::Figure { svg: svg.clone(), caption: front.title.clone() });
            }
            let title = match table.rows.len() {
                shown if shown < *rows => format!("Figures: the first {shown} of {rows} rows"),
                _ => format!("Figures: {}", annals_report::counted(*rows as u64, "row")),
            };
            let part = Box::new(Part::Table(table.clone()));
            page.part(Part::Details { title, open: picture.is_none(), part })
                .part(Part::Link { words: "All figures".to_owned(), path: format!("{name}.csv") })
        }
        Became::Nothing => page.prose("No row of the dataset answers this."),
        Became::Failed(why) => page.prose(format!("It could not be answered: {why}")),
    };
    let part = Box::new(Part::Drawing(study.text().to_owned()));
    page.lines("", front.notes.clone()).part(Part::Details {
        title: "The study".to_owned(),
        open: false,
        part,
    })
}

#[cfg(test)]
mod tests {
    use annals_report::Cell;
    use jiff::tz::TimeZone;

    use super::*;

    #[test]
    fn nothing_of_a_record_becomes_markup() {
        let text = "-- title = 'A <b>'\n-- question = 'B?'\n-- notes = ['C & D']\n\nSELECT '<script>'";
        let study = Study::read("a", "a.sql", text).unwrap();
        let mut table = Table::new("", &["name"]);
        table.rows = vec![vec![Cell::text("<script>alert(1)</script>\u{1b}[2J")]; 20];
        let answered = Became::Answered { rows: 30, picture: Some("<svg></svg>".to_owned()), table };
        let nothing = Asked { study: study.clone(), became: Became::Nothing };
        let failed = Asked { study: study.clone(), became: Became::Failed("no <x>".to_owned()) };
        let page = of_digest("0123456789abcdef0", 7, &[Asked { study, became: answered }, nothing, failed]);
        let page = page.html(&TimeZone::UTC);
        assert!(!page.contains("<script>") && !page.contains("<b>") && !page.contains('\u{1b}'), "{page}");
        for words in [
            "A &lt;b&gt;",
            "C &amp; D",
            "the first 20 of 30 rows",
            "<figure><svg></svg>",
            "href=\"a.csv\"",
            "dataset 0123456789abcdef (7 games)",
            "No row of the dataset",
            "no &lt;x&gt;",
        ] {
            assert!(page.contains(words), "{words}: {page}");
        }
    }
}
