//! The formats of a result, and the other options of its layout.

/// A form of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Columns drawn with their widths, for people.
    Table,
    /// Comma-separated values (quoted as in RFC 4180), with a header. NULL and an empty text are empty.
    Csv,
    /// Tab-separated values, with a header; tabs, line ends and backslashes in a text are `\t`, `\n`, `\\`.
    Tsv,
    /// One JSON array of objects.
    Json,
    /// One JSON object a line.
    Ndjson,
    /// An Arrow IPC file, types and all.
    Arrow,
    /// A Parquet file, types and all.
    Parquet,
}

impl Format {
    /// All formats by their names.
    pub const ALL: [(&'static str, Format); 7] = [
        ("table", Format::Table),
        ("csv", Format::Csv),
        ("tsv", Format::Tsv),
        ("json", Format::Json),
        ("ndjson", Format::Ndjson),
        ("arrow", Format::Arrow),
        ("parquet", Format::Parquet),
    ];

    /// The format of a name, or of a file name's ending.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Format> {
        let word = if word == "jsonl" { "ndjson" } else { word };
        Format::ALL.iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|(_, format)| *format)
    }

    /// Whether it is a file for programs alone, of one result.
    #[must_use]
    pub fn is_binary(self) -> bool {
        matches!(self, Format::Arrow | Format::Parquet)
    }

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        Format::ALL.iter().find(|(_, f)| *f == self).map_or("", |(word, _)| word)
    }
}

/// The format and the other options of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The format.
    pub format: Format,
    /// Whether csv, tsv and tables begin with the names of the columns.
    pub header: bool,
    /// The most rows that are written; none for all.
    pub max_rows: Option<usize>,
    /// The width of the terminal in characters, to which a table is fitted; none for unlimited width.
    pub width: Option<u16>,
    /// Keys and values for the metadata of an Arrow or Parquet file.
    pub metadata: Vec<(&'static str, String)>,
}
