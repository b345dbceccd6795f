//! What players were told, and when; all of it, or what one player was told.

use annals_events::tournament::Notice;
use annals_events::{Micros, Pairing, PlayerId};
use annals_report::{Cell, Page, Table};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Answer;
use super::opened::Opened;
use super::person::Person;
use crate::cut::Cut;
use crate::view::text::heading;

/// The notices of a tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notices {
    /// The tournament.
    pub tournament: String,
    /// The name as it is shown.
    pub title: String,
    /// The point that is shown.
    pub cut: Cut,
    /// Whose notices are shown; none for everybody's.
    pub player: Option<PlayerId>,
    /// The notices, in the order in which they were recorded.
    pub notices: Vec<NoticeAnswer>,
}

/// One notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoticeAnswer {
    /// The event.
    pub seq: u64,
    /// When it was given.
    pub at: Micros,
    /// Who was told.
    pub to: Vec<Person>,
    /// What about.
    pub about: Notice,
    /// The round that it is about.
    pub round: Option<u32>,
    /// The pairing that it is about.
    pub pairing: Option<Pairing>,
    /// The words.
    pub text: Option<String>,
}

/// Asks.
#[must_use]
pub fn ask(opened: &Opened<'_>, player: Option<&PlayerId>) -> Notices {
    let notices = opened
        .tournament()
        .notices
        .iter()
        .filter(|noted| player.is_none_or(|player| noted.fact.to.contains(player)))
        .map(|noted| NoticeAnswer {
            seq: noted.seq,
            at: noted.at,
            to: noted.fact.to.iter().map(|player| opened.person(player)).collect(),
            about: noted.fact.about,
            round: noted.fact.round,
            pairing: noted.fact.pairing,
            text: noted.fact.text.clone(),
        })
        .collect();
    let what = match player {
        Some(player) => format!("notices to {}", opened.person(player).name),
        None => "notices".to_owned(),
    };
    Notices {
        tournament: opened.stream.name().to_owned(),
        title: opened.title(&what),
        cut: opened.cut,
        player: player.cloned(),
        notices,
    }
}

impl Notices {
    fn rows(&self, for_programs: bool) -> Table {
        let mut table = Table::new("", &["Given at", "To", "About", "Round", "Pairing", "Words"]);
        for notice in &self.notices {
            let to = notice.to.iter();
            let to: Vec<String> = if for_programs {
                to.map(|person| person.player.to_string()).collect()
            } else {
                to.map(|person| person.name.clone()).collect()
            };
            table.rows.push(vec![
                Cell::Time(notice.at),
                Cell::Text(to.join(if for_programs { " " } else { ", " })),
                Cell::Text(notice.about.word().replace('_', if for_programs { "_" } else { " " })),
                Cell::number(notice.round),
                notice.pairing.map_or(Cell::Empty, Cell::text),
                notice.text.as_ref().map_or(Cell::Empty, Cell::text),
            ]);
        }
        table
    }
}

impl Answer for Notices {
    fn page(&self, zone: &TimeZone) -> Page {
        let page = Page::new(heading(&self.title, &self.cut, zone).trim_end());
        if self.notices.is_empty() {
            return page.lines("", vec!["no notice is recorded".to_owned()]);
        }
        page.table(self.rows(false))
    }

    fn table(&self) -> Table {
        self.rows(true).for_programs()
    }
}
