//! A row: the 29 columns by name, as typed fields that borrow the block's text. A field that cannot be read is
//! none, sets a flag, and can still be had as it stands ([`Row::text`]). Nothing here can fail: what makes a row
//! unreadable as a whole was decided before ([`crate::source::RejectReason`]).

use std::borrow::Cow;
use std::ops::RangeInclusive;

use annals_events::{PlayerKind, Side, Termination};

use crate::flags::{Flag, Flags};
use crate::source::SourceRejectReason;

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident = $text:literal),+ $(,)?) => {
        /// A column of the archive.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Column {
            $($(#[$doc])* $name),+
        }

        impl Column {
            /// All 29, in the order in which the gameroom writes them.
            pub const ALL: [Column; 29] = [$(Column::$name),+];

            /// The name in the header.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Column::$name => $text),+
                }
            }
        }
    };
}

columns! {
    /// Number of the game.
    Id = "id",
    /// Gold's account.
    GoldId = "wplayerid",
    /// Silver's account.
    SilverId = "bplayerid",
    /// Gold's name.
    GoldName = "wusername",
    /// Silver's name.
    SilverName = "busername",
    /// Gold's title.
    GoldTitle = "wtitle",
    /// Silver's title.
    SilverTitle = "btitle",
    /// Gold's country.
    GoldCountry = "wcountry",
    /// Silver's country.
    SilverCountry = "bcountry",
    /// Gold's rating before the game.
    GoldRating = "wrating",
    /// Silver's rating before the game.
    SilverRating = "brating",
    /// Gold's K before the game.
    GoldK = "wratingk",
    /// Silver's K before the game.
    SilverK = "bratingk",
    /// Whether Gold is a human or a bot.
    GoldKind = "wtype",
    /// Whether Silver is a human or a bot.
    SilverKind = "btype",
    /// The event.
    Event = "event",
    /// Where it was played.
    Site = "site",
    /// The time control.
    TimeControl = "timecontrol",
    /// Whether it is a postal game.
    Postal = "postal",
    /// Start, seconds since the Unix epoch.
    StartTs = "startts",
    /// End, seconds since the Unix epoch.
    EndTs = "endts",
    /// Who won.
    Result = "result",
    /// How.
    Termination = "termination",
    /// Number of the last turn.
    Plycount = "plycount",
    /// How the game was played.
    Mode = "mode",
    /// Whether it counts for ratings.
    Rated = "rated",
    /// Whether the gameroom marked the record as corrupt.
    Corrupt = "corrupt",
    /// The moves.
    Movelist = "movelist",
    /// The server's log.
    Events = "events",
}

/// Which of the 29 columns stands where in a source, from its header line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// Position of each column, in the order of [`Column::ALL`].
    place: [u16; 29],
    /// Which of the 29 stands at each position; 255 is another column.
    at: Vec<u8>,
    /// Whether the columns are exactly the 29 in their usual order.
    canonical: bool,
}

impl Columns {
    /// Reads a header line (without its line end; a byte-order mark is passed over). Names may stand in any order,
    /// with further columns between.
    ///
    /// # Errors
    /// When none of the names is there ([`SourceRejectReason::SomethingElse`]), some are missing, or one of the 29
    /// comes twice.
    pub fn from_header(line: &[u8]) -> Result<Columns, SourceRejectReason> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut place = [u16::MAX; 29];
        let mut at = Vec::new();
        for name in line.split(|byte| *byte == b'\t') {
            let column = Column::ALL.into_iter().find(|column| column.name().as_bytes() == name.trim_ascii());
            if let Some(column) = column {
                let slot = &mut place[column as usize];
                if *slot != u16::MAX {
                    return Err(SourceRejectReason::RepeatedColumn { column: column.name() });
                }
                *slot = u16::try_from(at.len()).unwrap_or(u16::MAX);
            }
            at.push(column.map_or(255, |column| column as u8));
        }
        let missing: Vec<&'static str> = Column::ALL
            .into_iter()
            .filter(|column| place[*column as usize] == u16::MAX)
            .map(Column::name)
            .collect();
        match missing.len() {
            0 => {
                let canonical =
                    at.len() == 29 && place.iter().enumerate().all(|(i, at)| i == usize::from(*at));
                Ok(Columns { place, at, canonical })
            }
            29 => Err(SourceRejectReason::SomethingElse {
                what: "the first line is no header of the archive: it names none of its 29 columns"
                    .to_owned(),
            }),
            _ => Err(SourceRejectReason::MissingColumns { missing }),
        }
    }

    /// The columns of the header, also those that are none of the 29.
    #[must_use]
    pub fn count(&self) -> usize {
        self.at.len()
    }

    /// Where a column stands, from 0.
    #[must_use]
    pub fn place(&self, column: Column) -> usize {
        usize::from(self.place[column as usize])
    }

    /// The 29 fields of a row in the order of [`Column::ALL`]; fields that the row lacks are empty.
    #[must_use]
    pub fn fields<'a>(&self, row: &'a [u8]) -> [&'a [u8]; 29] {
        let mut fields: [&[u8]; 29] = [&[]; 29];
        let mut start = 0;
        for column in &self.at {
            let end = memchr::memchr(b'\t', &row[start..]).map_or(row.len(), |at| start + at);
            if let Some(field) = fields.get_mut(usize::from(*column)) {
                *field = &row[start..end];
            }
            if end == row.len() {
                break;
            }
            start = end + 1;
        }
        fields
    }

    /// Digest of a row's content; see [`crate::source::Block::row_digest`].
    #[must_use]
    pub fn row_digest(&self, row: &[u8]) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        if self.canonical || memchr::memchr_iter(b'\t', row).count() + 1 != self.count() {
            hasher.update(row);
        } else {
            for (i, field) in self.fields(row).into_iter().enumerate() {
                if i > 0 {
                    hasher.update(b"\t");
                }
                hasher.update(field);
            }
        }
        let mut digest = [0; 16];
        digest.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        digest
    }
}

/// Who won, in the words of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatedResult {
    /// Somebody won (`w`, `b`).
    Won(Side),
    /// A draw (`d`).
    Draw,
    /// The source says that it does not know (`u`), or says something unknown.
    Unknown,
}

impl StatedResult {
    /// The word that stands in the dataset: `gold`, `silver`, `draw`, `unknown`.
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
}

/// One player of a row. Texts are empty where the source has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowPlayer<'a> {
    /// Name.
    pub name: Cow<'a, str>,
    /// Account number.
    pub id: Option<u64>,
    /// Title.
    pub title: Cow<'a, str>,
    /// Country.
    pub country: Cow<'a, str>,
    /// Rating before the game.
    pub rating: Option<i32>,
    /// K before the game; −1 in the oldest rows.
    pub k: Option<i32>,
    /// Human or bot.
    pub kind: Option<PlayerKind>,
}

/// One row of the archive.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    fields: [&'a [u8]; 29],
    /// Number of the game.
    pub id: u64,
    /// Gold.
    pub gold: RowPlayer<'a>,
    /// Silver.
    pub silver: RowPlayer<'a>,
    /// The event.
    pub event: Cow<'a, str>,
    /// Where it was played.
    pub site: Cow<'a, str>,
    /// The time control in the words of the row.
    pub time_control: Cow<'a, str>,
    /// Whether it is a postal game.
    pub postal: Option<bool>,
    /// Start, microseconds since the Unix epoch, UTC.
    pub started_at: Option<i64>,
    /// End, microseconds since the Unix epoch, UTC.
    pub ended_at: Option<i64>,
    /// Who won.
    pub result: StatedResult,
    /// How; none where the row says nothing that we know (see [`Row::text`] for what it says).
    pub termination: Option<Termination>,
    /// Number of the last turn, by the row.
    pub plycount: Option<u32>,
    /// How the game was played.
    pub mode: Cow<'a, str>,
    /// Whether it counts for ratings.
    pub rated: Option<bool>,
    /// Whether the gameroom marked the record as corrupt.
    pub corrupt: bool,
    /// The moves: lines joined by the two characters `\n`.
    pub movelist: &'a [u8],
    /// The server's log: lines joined by the two characters `\n`; empty where there is none.
    pub log: &'a [u8],
    /// What was noticed while reading the fields.
    pub flags: Flags,
}

/// 2002-01-01 and 2100-01-01 in seconds since the Unix epoch: games before or after did not happen.
const PLAUSIBLE: std::ops::Range<i64> = 1_009_843_200..4_102_444_800;

/// Ratings that a formula of the gameroom could ever give.
const RATINGS: RangeInclusive<i32> = -1_000..=10_000;
/// K of a rating: −1 in the oldest rows, at most 120 since.
const KS: RangeInclusive<i32> = -1..=1_000;
/// Numbers of accounts: what a signed 64-bit number holds.
const ACCOUNTS: RangeInclusive<u64> = 0..=i64::MAX as u64;

impl<'a> Row<'a> {
    /// Reads the text of a row (without its line end).
    #[must_use]
    pub fn read(columns: &Columns, text: &'a [u8]) -> Row<'a> {
        let fields = columns.fields(text);
        let mut flags = Flags::NONE;
        if !text.is_ascii() && std::str::from_utf8(text).is_err() {
            flags.set(Flag::NotUtf8);
        }
        let field = |column: Column| fields[column as usize];
        let words = |column: Column| String::from_utf8_lossy(field(column));
        let (movelist, log) = (field(Column::Movelist), field(Column::Events));

        let mut reader = Reader { fields: &fields, flags };
        let id = reader.number(Column::Id).unwrap_or_default();
        let gold = RowPlayer {
            name: words(Column::GoldName),
            id: reader.number_within(Column::GoldId, ACCOUNTS),
            title: words(Column::GoldTitle),
            country: words(Column::GoldCountry),
            rating: reader.number_within(Column::GoldRating, RATINGS),
            k: reader.number_within(Column::GoldK, KS),
            kind: reader.kind(Column::GoldKind),
        };
        let silver = RowPlayer {
            name: words(Column::SilverName),
            id: reader.number_within(Column::SilverId, ACCOUNTS),
            title: words(Column::SilverTitle),
            country: words(Column::SilverCountry),
            rating: reader.number_within(Column::SilverRating, RATINGS),
            k: reader.number_within(Column::SilverK, KS),
            kind: reader.kind(Column::SilverKind),
        };
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
        let postal = reader.yes_or_no(Column::Postal);
        let plycount = reader.number(Column::Plycount);
        let rated = reader.yes_or_no(Column::Rated);
        let corrupt = reader.yes_or_no(Column::Corrupt).unwrap_or_default();
        if corrupt {
            reader.flags.set(Flag::Corrupt);
        }
        let flags = reader.flags;

        Row {
            id,
            gold,
            silver,
            event: words(Column::Event),
            site: words(Column::Site),
            time_control: words(Column::TimeControl),
            postal,
            started_at,
            ended_at,
            result,
            termination,
            plycount,
            mode: words(Column::Mode),
            rated,
            corrupt,
            movelist,
            log: if log == b"NULL" { &[] } else { log },
            flags,
            fields,
        }
    }

    #[cfg(feature = "dataset")]
    /// A row that no text stands behind: a game that is known by its events alone. All but its number is to be filled
    /// in.
    #[must_use]
    pub(crate) fn without_text(id: u64) -> Row<'a> {
        let nobody = RowPlayer {
            name: Cow::Borrowed(""),
            id: None,
            title: Cow::Borrowed(""),
            country: Cow::Borrowed(""),
            rating: None,
            k: None,
            kind: None,
        };
        Row {
            fields: [&[]; 29],
            id,
            gold: nobody.clone(),
            silver: nobody,
            event: Cow::Borrowed(""),
            site: Cow::Borrowed(""),
            time_control: Cow::Borrowed(""),
            postal: None,
            started_at: None,
            ended_at: None,
            result: StatedResult::Unknown,
            termination: None,
            plycount: None,
            mode: Cow::Borrowed(""),
            rated: None,
            corrupt: false,
            movelist: &[],
            log: &[],
            flags: Flags::NONE,
        }
    }

    #[cfg(feature = "dataset")]
    /// Puts in the record's own words how the game ended.
    pub(crate) fn state_termination(&mut self, words: &'a str) {
        self.fields[Column::Termination as usize] = words.as_bytes();
    }

    /// A field as it stands in the row.
    #[must_use]
    pub fn bytes(&self, column: Column) -> &'a [u8] {
        self.fields[column as usize]
    }

    /// A field as text; what is not UTF-8 is replaced.
    #[must_use]
    pub fn text(&self, column: Column) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes(column))
    }

    /// The player of a side.
    #[must_use]
    pub const fn player(&self, side: Side) -> &RowPlayer<'a> {
        match side {
            Side::Gold => &self.gold,
            Side::Silver => &self.silver,
        }
    }
}

struct Reader<'f, 'a> {
    fields: &'f [&'a [u8]; 29],
    flags: Flags,
}

impl Reader<'_, '_> {
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
