//! Notices to players: all, or those of one.

use annals_events::tournament::Notice;
use annals_events::{BoardId, Micros, PlayerId};
use annals_report::{Cell, Document, Table, ToDocument};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::heading::Heading;
use super::person::Person;
use super::tournament_at::TournamentAt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notices {
    #[serde(flatten)]
    pub heading: Heading,
    /// None for all.
    pub player: Option<PlayerId>,
    /// In order of recording.
    pub notices: Vec<NoticeAnswer>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoticeAnswer {
    pub seq: u64,
    pub at: Micros,
    pub to: Vec<Person>,
    pub about: Notice,
    pub round: Option<u32>,
    pub pairing: Option<BoardId>,
    pub text: Option<String>,
}

pub fn ask(opened: &TournamentAt<'_>, player: Option<&PlayerId>) -> Notices {
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
    Notices { heading: opened.heading(&what), player: player.cloned(), notices }
}

impl Notices {
    fn rows(&self, for_programs: bool) -> Table {
        Table::of("", &self.notices)
            .column("Given at", |notice| Cell::Time(notice.at))
            .column("To", |notice| match for_programs {
                true => Cell::join(notice.to.iter().map(|person| &person.player), " "),
                false => Cell::join(notice.to.iter().map(|person| &person.name), ", "),
            })
            .column("About", |notice| {
                Cell::Text(notice.about.word().replace('_', if for_programs { "_" } else { " " }))
            })
            .column("Round", |notice| Cell::number(notice.round))
            .column("Pairing", |notice| Cell::some(notice.pairing))
            .column("Words", |notice| Cell::some(notice.text.as_ref()))
            .table()
    }
}

impl ToDocument for Notices {
    fn document(&self, zone: &TimeZone) -> Document {
        self.heading.document(zone).table(self.rows(false)).or_line("no notice is recorded")
    }

    fn table(&self) -> Table {
        self.rows(true).for_programs()
    }
}
