//! Built-in tables of championships: published totals of games that no log contains, with sources. Facts that a source
//! lacks are not stated.

use annals_events::tournament::{Announced, Closed, Placing, PlayerRegistered, PublishedRow, TablePublished};
use annals_events::{GameKind, Micros, NameError, PlayerId, PlayerKind, TimeNote, TournamentEvent};
use annals_tournaments::published::crosstables_of;
use annals_tournaments::rulebook::{Rulebook, RulebookError};

use crate::imported::{ImportedEvent, Recording};

/// The announced rulebook if the rules are unknown.
pub const UNKNOWN_RULEBOOK: &str = "unknown";

/// A program in a published table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    pub id: &'static str,
    /// As published.
    pub name: &'static str,
    pub developers: &'static [&'static str],
    pub country: &'static str,
    /// Whole points only, in every source.
    pub points: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedTable {
    /// In the log.
    pub id: &'static str,
    /// For display.
    pub name: &'static str,
    pub year: i32,
    pub site: &'static str,
    /// None if the rules are unknown.
    pub rulebook: Option<&'static str>,
    /// The start of the day after the last stated day, in UTC.
    pub over_at: Micros,
    /// As stated.
    pub days: &'static str,
    /// Between every two players.
    pub games_a_pair: u32,
    /// In published order, without shared places.
    pub rows: &'static [Row],
    pub source: &'static str,
}

const ANKY: Row =
    Row { id: "anky", name: "Anky", developers: &["Patrick Hensgens"], country: "NL", points: 0 };
const ASKA: Row =
    Row { id: "aska", name: "Aska", developers: &["Yoichiro Kajihara"], country: "JP", points: 0 };
const QUEENS: Row =
    Row { id: "8qp", name: "8QP", developers: &["Johan de Koning"], country: "NL", points: 0 };

/// By year.
pub const TABLES: [PublishedTable; 2] = [
    PublishedTable {
        id: "london-2000",
        name: "5th Computer Olympiad, London 2000: Amazons",
        year: 2000,
        site: "London",
        rulebook: Some("olympiad-amazons-2000"),
        // 2000-08-26T00:00:00Z
        over_at: 967_248_000_000_000,
        days: "21 to 25 August 2000",
        games_a_pair: 2,
        rows: &[
            Row { points: 10, ..QUEENS },
            Row {
                id: "yamazon",
                name: "Yamazon",
                developers: &["Hiroshi Yamashita"],
                country: "JP",
                points: 7,
            },
            Row { points: 7, ..ANKY },
            Row { id: "antiope", name: "Antiope", developers: &["Theodore Tegos"], country: "GR", points: 4 },
            Row { points: 2, ..ASKA },
            Row { id: "otrere", name: "Otrere", developers: &["Paul E. Utgoff"], country: "US", points: 0 },
        ],
        source: "the Chess Programming Wiki, 5th Computer Olympiad, after ICGA Tournaments 33",
    },
    PublishedTable {
        id: "maastricht-2001",
        name: "6th Computer Olympiad, Maastricht 2001: Amazons",
        year: 2001,
        site: "Maastricht",
        rulebook: None,
        // 2001-08-24T00:00:00Z
        over_at: 998_611_200_000_000,
        days: "19 to 23 August 2001",
        games_a_pair: 4,
        rows: &[
            Row { points: 12, ..QUEENS },
            Row { points: 5, ..ASKA },
            Row {
                id: "invader",
                name: "Invader",
                developers: &["Richard J. Lorentz et al."],
                country: "US",
                points: 5,
            },
            Row { points: 2, ..ANKY },
        ],
        source: "the Chess Programming Wiki, 6th Computer Olympiad, after ICGA Tournaments 83",
    },
];

/// An error in the program.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    #[error(transparent)]
    Player(#[from] NameError),
}

impl PublishedTable {
    /// The note of every event on its source.
    fn note(&self) -> String {
        format!(
            "The Olympiad was held from {}; the days of the event and the endings of its games are not known",
            self.days
        )
    }

    fn announced(&self) -> Result<Announced, HistoryError> {
        let announced = match self.rulebook {
            Some(name) => Recording::new(self.name, Rulebook::named(name)?).announcement(self.note()),
            None => Announced {
                series: Some("olympiad-amazons".to_owned()),
                note: Some(self.note()),
                ..Announced::plain(self.name, UNKNOWN_RULEBOOK, GameKind::Amazons)
            },
        };
        let mut announced =
            Announced { year: Some(self.year), site: Some(self.site.to_owned()), ..announced };
        // Not stated.
        announced.stages.iter_mut().for_each(|plan| plan.time_control = None);
        Ok(announced)
    }

    /// Announcement, entries, table with derived values, close.
    ///
    /// # Errors
    /// If the built-in data does not fit the vocabulary.
    pub fn events(&self) -> Result<Vec<ImportedEvent>, HistoryError> {
        let mut events = vec![TournamentEvent::Announced(self.announced()?)];
        let mut table = TablePublished {
            rows: Vec::new(),
            games_a_pair: Some(self.games_a_pair),
            crosstables: None,
            source: self.source.to_owned(),
            note: Some("The number of crosstables is derived from the totals".to_owned()),
        };
        let mut places = Vec::new();
        for (place, row) in (1..).zip(self.rows) {
            let player: PlayerId = row.id.parse()?;
            events.push(TournamentEvent::PlayerRegistered(PlayerRegistered {
                player: player.clone(),
                name: row.name.to_owned(),
                kind: PlayerKind::Bot,
                developers: row.developers.iter().map(|name| (*name).to_owned()).collect(),
                account: None,
                rating: None,
                number: None,
                country: Some(row.country.to_owned()),
            }));
            let half_points = row.points * 2;
            table.rows.push(PublishedRow { player: player.clone(), place, half_points });
            let measures = Vec::new();
            places.push(Placing { player, place, measures, titles: Vec::new(), contender: false });
        }
        let derived = crosstables_of(&table, GameKind::Amazons);
        table.crosstables = derived.and_then(|tables| u64::try_from(tables.len()).ok());
        events.push(TournamentEvent::TablePublished(table));
        let note = Some(format!("As published in {}", self.source));
        events.push(TournamentEvent::Closed(Closed { places, fund_left: None, note }));
        let imported = |event| ImportedEvent { at: self.over_at, note: Some(TimeNote::Unknown), event };
        Ok(events.into_iter().map(imported).collect())
    }
}
