//! One record of a game from any source: its header, events, and fold. The dataset's tables are written from it alone.

use std::borrow::Cow;

use annals_events::{GameEvent, GameKind, PlayerAtStart, Side, Started, Termination, TurnTaken, generated};
use annals_rules::clock::{TimeControl, TimeControlError};
use annals_rules::game::EndingCheck;

use crate::flags::{Flag, Flags};
use crate::playthrough::{Fallen, Fate, Playthrough};
use crate::server_log::LogLine;

/// Microseconds since the Unix epoch, UTC; none if not stated.
pub type TimedEvent<'a> = (Option<i64>, GameEvent<'a>);

/// The stated winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StatedResult {
    Won(Side),
    Draw,
    /// Unknown, unstated, or not understood.
    #[default]
    Unknown,
}

impl StatedResult {
    /// In the dataset: `gold`, `silver`, `draw`, `unknown`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            StatedResult::Won(side) => side.word(),
            StatedResult::Draw => "draw",
            StatedResult::Unknown => "unknown",
        }
    }

    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            StatedResult::Won(side) => Some(side),
            _ => None,
        }
    }

    #[must_use]
    pub fn of(winner: Option<Side>, draw: bool) -> StatedResult {
        match winner {
            Some(side) => StatedResult::Won(side),
            None if draw => StatedResult::Draw,
            None => StatedResult::Unknown,
        }
    }
}

/// What a source states of a game. Times are microseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header<'a> {
    pub gold: PlayerAtStart<'a>,
    pub silver: PlayerAtStart<'a>,
    pub event: Option<Cow<'a, str>>,
    pub site: Option<Cow<'a, str>>,
    pub time_control: Option<Cow<'a, str>>,
    /// The start position, if not the default.
    pub position: Option<Cow<'a, str>>,
    pub postal: Option<bool>,
    pub rated: Option<bool>,
    pub started_at: Option<i64>,
    pub ended_at: Option<i64>,
    pub result: StatedResult,
    pub termination: Option<Termination>,
    /// The source's term for an unknown ending.
    pub stated_termination: Option<Cow<'a, str>>,
    /// The last turn's number.
    pub plycount: Option<u32>,
    /// Of an archive's row.
    pub mode: Option<Cow<'a, str>>,
    /// Of an archive's row.
    pub corrupt: bool,
}

impl<'a> Header<'a> {
    /// From a game's events. An annulled game is not rated.
    #[must_use]
    pub fn of_events(events: &'a [TimedEvent<'a>]) -> Header<'a> {
        let mut header = Header::default();
        // Of the turns in force.
        let mut numbers: Vec<u32> = Vec::new();
        for (at, event) in events {
            match event {
                GameEvent::TurnTaken(turn) => numbers.push(turn.number),
                GameEvent::TurnRetracted(_) => drop(numbers.pop()),
                GameEvent::Started(started) => {
                    header.gold = started.gold.clone();
                    header.silver = started.silver.clone();
                    header.event.clone_from(&started.event);
                    header.site.clone_from(&started.site);
                    header.time_control.clone_from(&started.time_control);
                    header.position.clone_from(&started.position);
                    header.postal = Some(started.postal);
                    header.rated = Some(started.rated);
                    header.started_at = *at;
                }
                GameEvent::RatedChanged(changed) => header.rated = Some(changed.rated),
                GameEvent::Annulled(_) => header.rated = Some(false),
                GameEvent::Ended(ended) => {
                    header.ended_at = *at;
                    header.termination = ended.termination;
                    header.result = StatedResult::of(ended.winner, ended.draw);
                    header.stated_termination.clone_from(&ended.stated);
                }
                _ => {}
            }
        }
        header.plycount = numbers.last().copied();
        header
    }

    /// The first event of the game.
    pub(crate) fn started(&self, game: GameKind) -> Started<'a> {
        Started {
            game,
            gold: self.gold.clone(),
            silver: self.silver.clone(),
            time_control: self.time_control.clone(),
            rated: self.rated.unwrap_or_default(),
            postal: self.postal.unwrap_or_default(),
            event: self.event.clone(),
            site: self.site.clone(),
            position: self.position.clone(),
            pairing: None,
            attempt: None,
        }
    }

    #[must_use]
    pub const fn player(&self, side: Side) -> &PlayerAtStart<'a> {
        match side {
            Side::Gold => &self.gold,
            Side::Silver => &self.silver,
        }
    }

    /// The game states that it was generated.
    #[must_use]
    pub fn is_generated(&self) -> bool {
        let [event, site] = [&self.event, &self.site].map(|text| text.as_deref().unwrap_or_default());
        generated::is_generated(event, site, [&self.gold.name, &self.silver.name])
    }

    /// None if not stated.
    #[must_use]
    pub fn control(&self) -> Option<Result<TimeControl, TimeControlError>> {
        self.time_control.as_deref().map(TimeControl::parse)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTurn<'a> {
    /// As in the record.
    pub number: u32,
    pub side: Side,
    pub steps: Cow<'a, str>,
    /// In seconds.
    pub used: Option<u32>,
}

impl<'a> StoredTurn<'a> {
    fn of(turn: &'a TurnTaken<'_>) -> StoredTurn<'a> {
        let (number, side, used) = (turn.number, turn.side, turn.used);
        StoredTurn { number, side, steps: Cow::Borrowed(&turn.steps), used }
    }

    #[must_use]
    pub fn standing(events: &'a [TimedEvent<'_>], played: &Playthrough) -> Vec<StoredTurn<'a>> {
        played.standing().filter_map(|(_, event)| Some(StoredTurn::of(taken(events, event)?))).collect()
    }
}

fn taken<'e, 'a>(events: &'e [TimedEvent<'a>], event: u32) -> Option<&'e TurnTaken<'a>> {
    match events.get(event as usize)? {
        (_, GameEvent::TurnTaken(turn)) => Some(turn),
        _ => None,
    }
}

/// A turn of the move list that is not in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FallenTurn<'a> {
    pub fate: Fate,
    pub ply: u32,
    pub turn: StoredTurn<'a>,
}

impl<'a> FallenTurn<'a> {
    #[must_use]
    pub fn of(events: &'a [TimedEvent<'_>], played: &Playthrough) -> Vec<FallenTurn<'a>> {
        let turn = |fallen: &Fallen| {
            let turn = StoredTurn::of(taken(events, fallen.event)?);
            Some(FallenTurn { fate: fallen.fate, ply: fallen.ply, turn })
        };
        played.fallen().iter().filter_map(turn).collect()
    }
}

/// Columns only for the text of an archive's row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveText {
    /// Whether the move list ends with `resign` under the due label.
    pub resign_listed: bool,
    /// Fields that the other columns do not reproduce, as `COLUMN=TEXT`.
    pub fields: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
pub struct Provenance<'r> {
    pub source: &'r str,
    /// In the source's text; in a log, the seq of the game's first event.
    pub byte_offset: u64,
    /// In a log, as the offset.
    pub line: u64,
    /// Of the content.
    pub digest: [u8; 16],
    /// The log's stream; none for a file.
    pub stream: Option<&'r str>,
}

/// One game played through.
#[derive(Clone, Copy)]
pub struct GameRecord<'r, 'a> {
    /// In the dataset.
    pub id: u64,
    pub header: &'r Header<'a>,
    pub events: &'r [TimedEvent<'a>],
    /// In force, with labels.
    pub turns: &'r [StoredTurn<'r>],
    /// Empty without server log.
    pub log: &'r [LogLine<'a>],
    pub played: &'r Playthrough,
    /// See [`flags_of`].
    pub flags: Flags,
    /// On a game file.
    pub notes: &'r [String],
    /// What the other fields lack of an archive's row.
    pub archive: &'r ArchiveText,
    pub provenance: Provenance<'r>,
}

impl GameRecord<'_, '_> {
    /// By its start; default Arimaa.
    #[must_use]
    pub fn game(&self) -> GameKind {
        game_of(self.events)
    }

    /// Of the start, else of the end (UTC); 0 if unknown.
    #[must_use]
    pub fn year(&self) -> i16 {
        let at = self.header.started_at.or(self.header.ended_at);
        let time = at.and_then(|at| jiff::Timestamp::from_microsecond(at).ok());
        time.map_or(0, |time| time.to_zoned(jiff::tz::TimeZone::UTC).year())
    }
}

/// By the start; default Arimaa.
#[must_use]
pub fn game_of(events: &[TimedEvent<'_>]) -> GameKind {
    let started = events.iter().find_map(|(_, event)| match event {
        GameEvent::Started(started) => Some(started.game),
        _ => None,
    });
    started.unwrap_or(GameKind::Arimaa)
}

/// Flags from reading the source (`noticed`) and from playing. `unfinished` is the turn in which the game ended, with
/// its clock, if the events lack it.
#[must_use]
pub fn flags_of(
    noticed: Flags,
    header: &Header<'_>,
    unfinished: Option<&TurnTaken<'_>>,
    played: &Playthrough,
) -> Flags {
    let disagrees = matches!(played.ending(), Some(EndingCheck::Disagrees { .. }));
    let found = [
        (Flag::IllegalTurn, played.first_illegal().is_some()),
        (Flag::EndingDisagrees, disagrees),
        (Flag::ClockDisagrees, played.clock_disagrees() || played.contradicts_clock(unfinished)),
        (Flag::PlayAfterEnd, played.played_on()),
        (Flag::GameLimit, played.contradicts_limit()),
        (Flag::CapturesUnstated, played.captures_misstated()),
        (Flag::BadTimeControl, matches!(header.control(), Some(Err(_)))),
    ];
    noticed.union(found.into_iter().filter(|(_, holds)| *holds).map(|(flag, _)| flag).collect())
}
