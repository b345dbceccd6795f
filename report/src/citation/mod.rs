//! A citation as a value, written as text, BibTeX or CSL-JSON.

mod bibtex;
mod csl_json;

use jiff::civil::Date;

use crate::one_line;

/// What is cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cited {
    Game,
    Event,
    Tournament,
    Dataset,
    Chart,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    pub cited: Cited,
    /// Short, for the key of an entry.
    pub key: String,
    pub title: String,
    /// The tournament or event of which it is a part.
    pub part_of: Option<String>,
    /// When it happened, as far as the record has it.
    pub date: Option<CitedDate>,
    pub place: Option<String>,
    /// The log or the dataset, as words.
    pub archive: Option<String>,
    /// Facts such as the result and the point in time.
    pub notes: Vec<String>,
    /// Permanent.
    pub identifier: String,
    /// With version.
    pub program: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CitedDate {
    Day(Date),
    Year(i16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Text,
    Bibtex,
    CslJson,
}

impl Citation {
    /// With a line end.
    #[must_use]
    pub fn write(&self, style: Style) -> String {
        match style {
            Style::Text => self.text(),
            Style::Bibtex => bibtex::write(self),
            Style::CslJson => csl_json::write(self),
        }
    }

    fn text(&self) -> String {
        let date = self.date.map(|date| match date {
            CitedDate::Day(day) => day.to_string(),
            CitedDate::Year(year) => year.to_string(),
        });
        let parts = [Some(self.title.clone()), self.part_of.clone(), self.place.clone(), date];
        let notes = self.notes.iter().cloned().map(Some);
        let end = [self.archive.clone(), Some(self.program.clone()), Some(self.identifier.clone())];
        let sentences = parts.into_iter().chain(notes).chain(end).flatten();
        let text: Vec<String> =
            sentences.filter(|part| !part.is_empty()).map(|part| one_line(&part)).collect();
        format!("{}.\n", text.join(". "))
    }

    /// Letters, digits and hyphens, beginning with a letter.
    fn entry_key(&self) -> String {
        let mut key = String::from("annals-");
        for sign in self.key.chars() {
            match sign {
                sign if sign.is_ascii_alphanumeric() => key.push(sign.to_ascii_lowercase()),
                _ if !key.ends_with('-') => key.push('-'),
                _ => {}
            }
        }
        key.trim_end_matches('-').to_owned()
    }

    /// The notes as one text, ending in the identifier.
    fn note(&self) -> String {
        let identifier = format!("Identifier: {}", self.identifier);
        self.notes.iter().chain([&self.program, &identifier]).cloned().collect::<Vec<_>>().join(". ")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn hostile() -> Citation {
        Citation {
            cited: Cited::Game,
            key: "game cup.r1_1 {x}".to_owned(),
            title: "A} & \\B, {50%} against \"C\"_#1~^$\u{202e}\n@misc{".to_owned(),
            part_of: Some("The <Cup>".to_owned()),
            date: Some(CitedDate::Day(jiff::civil::date(2015, 3, 7))),
            place: None,
            archive: Some("Annals log 01".to_owned()),
            notes: vec!["Gold won".to_owned()],
            identifier: "annals:game:01:5:ab:cup.r1_1".to_owned(),
            program: "annals 0.1.0".to_owned(),
        }
    }

    #[test]
    fn a_text_is_one_line_that_ends_in_the_identifier() {
        let text = hostile().write(Style::Text);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.ends_with(". annals:game:01:5:ab:cup.r1_1.\n"), "{text}");
        assert!(text.contains("\\u{202e}") && text.contains("2015-03-07. Gold won"), "{text}");
        assert_eq!(hostile().entry_key(), "annals-game-cup-r1-1-x");
    }
}
