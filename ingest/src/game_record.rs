//! One record of a game, whatever its source: what the source says of the game, its events, and what folding them found. The
//! tables of the dataset are written from this alone.

use std::borrow::Cow;

use annals_events::{GameEvent, GameKind, PlayerAtStart, Side, Termination, TurnTaken, generated};
use annals_rules::clock::{TimeControl, TimeControlError};
use annals_rules::game::EndingCheck;

use crate::archive_row::{ArchiveText, StoredTurn};
use crate::flags::{Flag, Flags};
use crate::playthrough::Playthrough;
use crate::server_log::LogLine;

/// An event and when it happened: microseconds since the Unix epoch, UTC; none where the source does not say.
pub type TimedEvent<'a> = (Option<i64>, GameEvent<'a>);

/// Who won, as the source says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StatedResult {
    Won(Side),
    Draw,
    /// The source says that it does not know, says something unknown, or says nothing.
    #[default]
    Unknown,
}

impl StatedResult {
    /// The word in the dataset: `gold`, `silver`, `draw`, `unknown`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            StatedResult::Won(side) => side.word(),
            StatedResult::Draw => "draw",
            StatedResult::Unknown => "unknown",
        }
    }

    /// The side that won, where one did.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            StatedResult::Won(side) => Some(side),
            _ => None,
        }
    }

    /// What an ending says: the winner, or whether it is a draw.
    #[must_use]
    pub fn of(winner: Option<Side>, draw: bool) -> StatedResult {
        match winner {
            Some(side) => StatedResult::Won(side),
            None if draw => StatedResult::Draw,
            None => StatedResult::Unknown,
        }
    }
}

/// What a source says of a game as a whole. What it does not say is none. Times are microseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header<'a> {
    pub gold: PlayerAtStart<'a>,
    pub silver: PlayerAtStart<'a>,
    pub event: Option<Cow<'a, str>>,
    pub site: Option<Cow<'a, str>>,
    pub time_control: Option<Cow<'a, str>>,
    /// The position at the start, where it is not the usual one.
    pub position: Option<Cow<'a, str>>,
    pub postal: Option<bool>,
    pub rated: Option<bool>,
    pub started_at: Option<i64>,
    pub ended_at: Option<i64>,
    pub result: StatedResult,
    pub termination: Option<Termination>,
    /// The source's own word for the ending, where it is none of ours.
    pub stated_termination: Option<Cow<'a, str>>,
    /// Number of the last turn, by an archive's row.
    pub plycount: Option<u32>,
    /// How the game was played, by an archive's row.
    pub mode: Option<Cow<'a, str>>,
    /// Whether an archive's row is marked as corrupt.
    pub corrupt: bool,
}

impl<'a> Header<'a> {
    /// What the events of a game say of it. A game that was annulled is not rated.
    #[must_use]
    pub fn of_events(events: &'a [TimedEvent<'a>]) -> Header<'a> {
        let mut header = Header::default();
        for (at, event) in events {
            match event {
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
        header
    }

    #[must_use]
    pub const fn player(&self, side: Side) -> &PlayerAtStart<'a> {
        match side {
            Side::Gold => &self.gold,
            Side::Silver => &self.silver,
        }
    }

    /// Whether the game says of itself that it was generated.
    #[must_use]
    pub fn is_generated(&self) -> bool {
        let [event, site] = [&self.event, &self.site].map(|text| text.as_deref().unwrap_or_default());
        generated::is_generated(event, site, [&self.gold.name, &self.silver.name])
    }

    /// The time control; none where the source has none.
    #[must_use]
    pub fn control(&self) -> Option<Result<TimeControl, TimeControlError>> {
        self.time_control.as_deref().map(TimeControl::parse)
    }
}

/// Where a game is in its source.
#[derive(Debug, Clone, Copy)]
pub struct Provenance<'r> {
    /// Name of the source.
    pub source: &'r str,
    /// Offset in the source's text; in a log, the seq of the game's first event.
    pub byte_offset: u64,
    /// Its line; in a log, as the offset.
    pub line: u64,
    /// Digest of its content.
    pub digest: [u8; 16],
    /// The stream of the log that holds the game; none for a game of a file.
    pub stream: Option<&'r str>,
}

/// One game, from any source, played through.
#[derive(Clone, Copy)]
pub struct GameRecord<'r, 'a> {
    /// Its number in the dataset.
    pub id: u64,
    pub header: &'r Header<'a>,
    /// The events in order.
    pub events: &'r [TimedEvent<'a>],
    /// The turns that stand, with their labels.
    pub turns: &'r [StoredTurn<'r>],
    /// The lines of the server's log; empty where there is none.
    pub log: &'r [LogLine<'a>],
    /// What the events came to.
    pub played: &'r Playthrough,
    /// What is remarkable about it ([`flags_of`]).
    pub flags: Flags,
    /// What was noticed in a game file, in words.
    pub notes: &'r [String],
    /// What of an archive's row the rest does not say.
    pub archive: &'r ArchiveText,
    pub provenance: Provenance<'r>,
}

impl GameRecord<'_, '_> {
    /// Which game it is: what its start says, Arimaa where it has none.
    #[must_use]
    pub fn game(&self) -> GameKind {
        game_of(self.events)
    }

    /// The year by which it is filed: that of its start, or else its end (UTC); 0 where both are unknown.
    #[must_use]
    pub fn year(&self) -> i16 {
        let at = self.header.started_at.or(self.header.ended_at);
        let time = at.and_then(|at| jiff::Timestamp::from_microsecond(at).ok());
        time.map_or(0, |time| time.to_zoned(jiff::tz::TimeZone::UTC).year())
    }
}

/// Which game events are of: what the start says, Arimaa where there is none.
#[must_use]
pub fn game_of(events: &[TimedEvent<'_>]) -> GameKind {
    let started = events.iter().find_map(|(_, event)| match event {
        GameEvent::Started(started) => Some(started.game),
        _ => None,
    });
    started.unwrap_or(GameKind::Arimaa)
}

/// The flags of a game: those `noticed` when its source was read, and what playing it through found. `unfinished` is the turn in
/// which it ended, with the clock after it, where the events lack that turn.
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
