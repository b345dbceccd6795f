//! The archive's 29 columns and their positions in a source's header.

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident = $text:literal),+ $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Column {
            $($(#[$doc])* $name),+
        }

        impl Column {
            /// In the gameroom's order.
            pub const ALL: [Column; 29] = [$(Column::$name),+];

            /// In the header.
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
    Id = "id",
    GoldId = "wplayerid",
    SilverId = "bplayerid",
    GoldName = "wusername",
    SilverName = "busername",
    GoldTitle = "wtitle",
    SilverTitle = "btitle",
    GoldCountry = "wcountry",
    SilverCountry = "bcountry",
    /// Before the game.
    GoldRating = "wrating",
    /// Before the game.
    SilverRating = "brating",
    /// Before the game.
    GoldK = "wratingk",
    /// Before the game.
    SilverK = "bratingk",
    /// Human or bot.
    GoldKind = "wtype",
    /// Human or bot.
    SilverKind = "btype",
    Event = "event",
    Site = "site",
    TimeControl = "timecontrol",
    Postal = "postal",
    /// Seconds since the Unix epoch.
    StartTs = "startts",
    /// Seconds since the Unix epoch.
    EndTs = "endts",
    Result = "result",
    Termination = "termination",
    /// The last turn's number.
    Plycount = "plycount",
    Mode = "mode",
    /// Counts for ratings.
    Rated = "rated",
    /// Marked so by the gameroom.
    Corrupt = "corrupt",
    Movelist = "movelist",
    Events = "events",
}

impl Column {
    /// Whether a game can be read without it; missing values are stored as unknown.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderError {
    /// A repeated column.
    Repeated(&'static str),
    /// Missing columns; all 29 if the line is something else.
    Missing(Vec<&'static str>),
}

/// Positions of the 29 columns in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// In the order of [`Column::ALL`].
    place: [u16; 29],
    /// Column at each position; 255 is another one.
    at: Vec<u8>,
    /// Exactly the 29 in their order.
    canonical: bool,
    /// Other columns.
    others: Vec<String>,
}

impl Columns {
    /// Reads a header line without line end, skipping a byte-order mark. Order is free; extra columns are allowed,
    /// optional ones may be missing.
    ///
    /// # Errors
    /// If a required column is missing, or one is repeated.
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

    /// Columns outside the 29.
    #[must_use]
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// The missing ones of the 29.
    pub fn missing(&self) -> impl Iterator<Item = Column> {
        Column::ALL.into_iter().filter(|column| self.place[*column as usize] == u16::MAX)
    }

    /// All columns of the header.
    #[must_use]
    pub fn count(&self) -> usize {
        self.at.len()
    }

    /// From 0.
    #[must_use]
    pub fn place(&self, column: Column) -> usize {
        usize::from(self.place[column as usize])
    }

    /// In the order of [`Column::ALL`]; missing fields are empty.
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

    /// See [`crate::source::Block::row_digest`].
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
