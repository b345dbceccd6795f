//! The 29 columns of the archive, and their places in the header of a source.

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
    GoldName = "wusername",
    SilverName = "busername",
    GoldTitle = "wtitle",
    SilverTitle = "btitle",
    GoldCountry = "wcountry",
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
    Event = "event",
    Site = "site",
    TimeControl = "timecontrol",
    /// Whether it is a postal game.
    Postal = "postal",
    /// Start, seconds since the Unix epoch.
    StartTs = "startts",
    /// End, seconds since the Unix epoch.
    EndTs = "endts",
    Result = "result",
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

impl Column {
    /// Whether a game can be read without it. What a row does not state is stored as not known.
    #[must_use]
    pub const fn is_optional(self) -> bool {
        !matches!(
            self,
            Column::Id
                | Column::GoldName
                | Column::SilverName
                | Column::TimeControl
                | Column::StartTs
                | Column::EndTs
                | Column::Result
                | Column::Termination
                | Column::Rated
                | Column::Movelist
        )
    }
}

/// Why a line is no header of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderError {
    /// A column comes twice.
    Repeated(&'static str),
    /// These columns are missing; all 29 where the line is something else.
    Missing(Vec<&'static str>),
}

/// The place of each of the 29 columns in a source, from its header line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// Position of each column, in the order of [`Column::ALL`].
    place: [u16; 29],
    /// Which of the 29 stands at each position; 255 is another column.
    at: Vec<u8>,
    /// Whether the columns are exactly the 29 in their usual order.
    canonical: bool,
    /// The names of the others.
    others: Vec<String>,
}

impl Columns {
    /// Reads a header line (without its line end; a byte-order mark is passed over). Names may stand in any order,
    /// with further columns between, and without those that are optional.
    ///
    /// # Errors
    /// When other names are missing, or one of the 29 comes twice.
    pub fn from_header(line: &[u8]) -> Result<Columns, HeaderError> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut place = [u16::MAX; 29];
        let (mut at, mut others) = (Vec::new(), Vec::new());
        for name in line.split(|byte| *byte == b'\t') {
            let column = Column::ALL.into_iter().find(|column| column.name().as_bytes() == name.trim_ascii());
            if let Some(column) = column {
                let slot = &mut place[column as usize];
                if *slot != u16::MAX {
                    return Err(HeaderError::Repeated(column.name()));
                }
                *slot = u16::try_from(at.len()).unwrap_or(u16::MAX);
            }
            if column.is_none() {
                others.push(String::from_utf8_lossy(name.trim_ascii()).into_owned());
            }
            at.push(column.map_or(255, |column| column as u8));
        }
        let missing: Vec<Column> =
            Column::ALL.into_iter().filter(|column| place[*column as usize] == u16::MAX).collect();
        if missing.iter().any(|column| !column.is_optional()) {
            return Err(HeaderError::Missing(missing.into_iter().map(Column::name).collect()));
        }
        let canonical = at.len() == 29 && place.iter().enumerate().all(|(i, at)| i == usize::from(*at));
        Ok(Columns { place, at, canonical, others })
    }

    /// The names of the columns that are none of the 29.
    #[must_use]
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// Which of the 29 the source lacks.
    pub fn missing(&self) -> impl Iterator<Item = Column> {
        Column::ALL.into_iter().filter(|column| self.place[*column as usize] == u16::MAX)
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
