//! A row: 29 typed fields that borrow the block's text. An unreadable field is none and sets a flag; [`Row::text`] has
//! its text. Unreadable rows were rejected before ([`crate::source::RejectReason`]).

mod columns;

pub use columns::{Column, Columns, HeaderError};

use std::borrow::Cow;
use std::ops::RangeInclusive;

use annals_events::{PlayerAtStart, PlayerKind, Side, Termination};

use crate::flags::{Flag, Flags};
use crate::game_record::{Header, StatedResult};

#[derive(Debug, Clone)]
pub struct Row<'a> {
    fields: [&'a [u8]; 29],
    pub id: u64,
    pub header: Header<'a>,
    /// Lines joined by the two characters `\n`.
    pub movelist: &'a [u8],
    /// The server's, joined likewise; empty without one.
    pub log: &'a [u8],
    /// From reading the fields.
    pub flags: Flags,
}

/// 2002-01-01 and 2100-01-01 in seconds since the Unix epoch.
const PLAUSIBLE: std::ops::Range<i64> = 1_009_843_200..4_102_444_800;

/// Whether a row can state a time, in microseconds, as that of its start or end.
pub(crate) fn is_plausible(at: i64) -> bool {
    PLAUSIBLE.contains(&at.div_euclid(1_000_000))
}

/// Ratings that a formula of the gameroom can give.
const RATINGS: RangeInclusive<i32> = -1_000..=10_000;
/// K of a rating: −1 in the oldest rows, later at most 120.
const KS: RangeInclusive<i32> = -1..=1_000;
/// Range of a signed 64-bit number.
const ACCOUNTS: RangeInclusive<u64> = 0..=i64::MAX as u64;

impl<'a> Row<'a> {
    /// Without line end.
    #[must_use]
    pub fn read(columns: &Columns, text: &'a [u8]) -> Row<'a> {
        let fields = columns.fields(text);
        let mut flags = Flags::NONE;
        if !text.is_ascii() && std::str::from_utf8(text).is_err() {
            flags.set(Flag::NotUtf8);
        }
        let field = |column: Column| fields[column as usize];
        let words = |column: Column| filled(field(column));
        let (movelist, log) = (field(Column::Movelist), field(Column::Events));

        let mut reader = Reader { fields: &fields, flags };
        let id = reader.number(Column::Id).unwrap_or_default();
        let gold = reader.player(GOLD);
        let silver = reader.player(SILVER);
        let started_at = reader.time(Column::StartTs);
        let ended_at = reader.time(Column::EndTs);
        if let (Some(start), Some(end)) = (started_at, ended_at)
            && end < start
        {
            reader.flags.set(Flag::ImplausibleTime);
        }
        let result = match field(Column::Result) {
            b"w" => StatedResult::Won(Side::Gold),
            b"b" => StatedResult::Won(Side::Silver),
            b"d" => StatedResult::Draw,
            _ => {
                reader.flags.set(Flag::UnknownResult);
                StatedResult::Unknown
            }
        };
        let termination = match field(Column::Termination) {
            [letter] => Termination::from_archive_letter(*letter),
            _ => None,
        };
        if termination.is_none() {
            reader.flags.set(Flag::UnknownTermination);
        }
        let header = Header {
            gold,
            silver,
            event: words(Column::Event),
            site: words(Column::Site),
            time_control: words(Column::TimeControl),
            position: None,
            postal: reader.yes_or_no(Column::Postal),
            plycount: reader.number(Column::Plycount),
            rated: reader.yes_or_no(Column::Rated),
            corrupt: reader.yes_or_no(Column::Corrupt).unwrap_or_default(),
            started_at,
            ended_at,
            result,
            termination,
            stated_termination: words(Column::Termination).filter(|_| termination.is_none()),
            mode: words(Column::Mode),
        };
        if header.corrupt {
            reader.flags.set(Flag::Corrupt);
        }
        let log = if log == b"NULL" { &[] } else { log };
        let flags = reader.flags;
        Row { fields, id, header, movelist, log, flags }
    }

    #[must_use]
    pub fn bytes(&self, column: Column) -> &'a [u8] {
        self.fields[column as usize]
    }

    /// Letter columns with unknown values; result and termination have flags of their own.
    pub fn bad_letters(&self) -> impl Iterator<Item = Column> {
        const KINDS: [Column; 2] = [Column::GoldKind, Column::SilverKind];
        const YES_OR_NO: [Column; 3] = [Column::Postal, Column::Rated, Column::Corrupt];
        let kinds = KINDS.into_iter().filter(|column| !matches!(self.bytes(*column), b"h" | b"b" | b""));
        let others = YES_OR_NO.into_iter().filter(|column| !matches!(self.bytes(*column), b"1" | b"0" | b""));
        kinds.chain(others)
    }

    /// With replacement of invalid UTF-8.
    #[must_use]
    pub fn text(&self, column: Column) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes(column))
    }
}

struct Reader<'f, 'a> {
    fields: &'f [&'a [u8]; 29],
    flags: Flags,
}

/// A player's columns: name, account, title, country, rating, K, kind.
type PlayerColumns = [Column; 7];

const GOLD: PlayerColumns = [
    Column::GoldName,
    Column::GoldId,
    Column::GoldTitle,
    Column::GoldCountry,
    Column::GoldRating,
    Column::GoldK,
    Column::GoldKind,
];

const SILVER: PlayerColumns = [
    Column::SilverName,
    Column::SilverId,
    Column::SilverTitle,
    Column::SilverCountry,
    Column::SilverRating,
    Column::SilverK,
    Column::SilverKind,
];

/// None if empty; with replacement of invalid UTF-8.
fn filled(field: &[u8]) -> Option<Cow<'_, str>> {
    (!field.is_empty()).then(|| String::from_utf8_lossy(field))
}

impl<'a> Reader<'_, 'a> {
    fn player(&mut self, [name, id, title, country, rating, k, kind]: PlayerColumns) -> PlayerAtStart<'a> {
        PlayerAtStart {
            name: String::from_utf8_lossy(self.fields[name as usize]),
            player_id: self.number_within(id, ACCOUNTS),
            title: filled(self.fields[title as usize]),
            country: filled(self.fields[country as usize]),
            rating: self.number_within(rating, RATINGS),
            k: self.number_within(k, KS),
            kind: self.kind(kind),
        }
    }

    fn number<N: std::str::FromStr>(&mut self, column: Column) -> Option<N> {
        let text = self.fields[column as usize];
        if text.is_empty() {
            return None;
        }
        let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        if number.is_none() {
            self.flags.set(Flag::BadNumber);
        }
        number
    }

    fn number_within<N: std::str::FromStr + PartialOrd>(
        &mut self,
        column: Column,
        range: RangeInclusive<N>,
    ) -> Option<N> {
        let number = self.number(column);
        if number.as_ref().is_some_and(|number| !range.contains(number)) {
            self.flags.set(Flag::BadNumber);
            return None;
        }
        number
    }

    fn time(&mut self, column: Column) -> Option<i64> {
        let seconds = self.number::<i64>(column);
        match seconds {
            Some(seconds) if PLAUSIBLE.contains(&seconds) => Some(seconds * 1_000_000),
            _ => {
                self.flags.set(Flag::ImplausibleTime);
                None
            }
        }
    }

    fn kind(&mut self, column: Column) -> Option<PlayerKind> {
        match self.fields[column as usize] {
            b"h" => Some(PlayerKind::Human),
            b"b" => Some(PlayerKind::Bot),
            b"" => None,
            _ => {
                self.flags.set(Flag::BadLetter);
                None
            }
        }
    }

    fn yes_or_no(&mut self, column: Column) -> Option<bool> {
        match self.fields[column as usize] {
            b"1" => Some(true),
            b"0" => Some(false),
            b"" => None,
            _ => {
                self.flags.set(Flag::BadLetter);
                None
            }
        }
    }
}
