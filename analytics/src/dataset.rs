//! The dataset by its manifest: tables, files, numbers of rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use annals_ingest::location::{Location, OpenDataset};
use annals_ingest::manifest::{Manifest, ManifestError};
use annals_ingest::tables::{
    ColumnDescription, GameRows, LookupRows, PlayerRows, RejectRows, RejectedTurnRows, Rows, ServerLogRows,
    TableDescription, TurnRows,
};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::prelude::SessionContext;

use crate::Error;
use crate::files_table::{FilesTable, ListedFile};
use crate::store::Store;

/// A table stored in files.
struct Stored {
    name: &'static str,
    schema: fn() -> SchemaRef,
    /// Whether its files are divided by year, so that the column `year` needs no reading.
    by_year: bool,
    /// The order of the rows of each file.
    sorted_by: &'static [&'static str],
}

const fn stored<R: Rows>(by_year: bool) -> Stored {
    Stored { name: R::SPEC.name, schema: R::schema, by_year, sorted_by: R::SPEC.sorted_by }
}

/// The stored tables, in the order in which they are explained.
const STORED: [Stored; 7] = [
    stored::<GameRows>(false),
    stored::<TurnRows>(true),
    stored::<LookupRows>(true),
    stored::<PlayerRows>(false),
    stored::<ServerLogRows>(false),
    stored::<RejectedTurnRows>(false),
    stored::<RejectRows>(false),
];

/// A view over one stored table: some of its columns, perhaps under other names.
pub(crate) struct View {
    pub(crate) name: &'static str,
    purpose: &'static str,
    of: &'static str,
    /// Names in the table and in the view.
    columns: &'static [(&'static str, &'static str)],
}

pub(crate) const VIEWS: [View; 1] = [View {
    name: "positions",
    purpose: "One row for each position that a turn led to: the board and what can be said of it, without the turn.",
    of: "turns",
    columns: &[
        ("game_id", "game_id"),
        ("ply", "ply"),
        ("to_move", "to_move"),
        ("board", "board"),
        ("hash_after", "hash"),
        ("key", "key"),
        ("flipped", "flipped"),
        ("symmetry", "symmetry"),
        ("g_rabbits", "g_rabbits"),
        ("g_cats", "g_cats"),
        ("g_dogs", "g_dogs"),
        ("g_horses", "g_horses"),
        ("g_camel", "g_camel"),
        ("g_elephant", "g_elephant"),
        ("s_rabbits", "s_rabbits"),
        ("s_cats", "s_cats"),
        ("s_dogs", "s_dogs"),
        ("s_horses", "s_horses"),
        ("s_camel", "s_camel"),
        ("s_elephant", "s_elephant"),
        ("g_queens", "g_queens"),
        ("s_queens", "s_queens"),
        ("gold_territory", "gold_territory"),
        ("silver_territory", "silver_territory"),
        ("gold_frozen", "gold_frozen"),
        ("silver_frozen", "silver_frozen"),
        ("gold_mobile", "gold_mobile"),
        ("silver_mobile", "silver_mobile"),
        ("first_steps", "first_steps"),
        ("distinct_turns", "distinct_turns"),
        ("year", "year"),
    ],
}];

impl View {
    /// The SQL that makes it.
    pub(crate) fn sql(&self) -> String {
        let columns: Vec<String> = self.columns.iter().map(|(from, to)| format!("{from} AS {to}")).collect();
        format!("CREATE VIEW {} AS SELECT {} FROM {}", self.name, columns.join(", "), self.of)
    }

    pub(crate) fn describe(&self, table: &[ColumnDescription]) -> TableDescription {
        let column = |&(from, to): &(&str, &'static str)| {
            let found = table.iter().find(|c| c.name == from)?;
            Some(ColumnDescription { name: to, ..found.clone() })
        };
        TableDescription {
            name: self.name,
            purpose: self.purpose,
            files: "a view over `turns`",
            order: "as `turns`",
            layout: "A view: it costs what its columns cost in `turns`.",
            columns: self.columns.iter().filter_map(column).collect(),
        }
    }
}

/// Whether a stored table has the column `year` from the manifest.
pub(crate) fn by_year(table: &str) -> bool {
    STORED.iter().any(|t| t.name == table && t.by_year)
}

/// A dataset: where it is, and the files of each table.
#[derive(Debug)]
pub struct Dataset {
    location: Location,
    /// None if nothing is stored.
    opened: Option<OpenDataset>,
    store: Store,
    files: BTreeMap<String, Vec<ListedFile>>,
}

impl Dataset {
    /// Reads the manifest of a dataset.
    ///
    /// # Errors
    /// `NoDataset` without a manifest, `Dataset` if it cannot be read or a listed file differs.
    pub fn open(location: &Location) -> Result<Dataset, Error> {
        let opened = location.open().map_err(|error| match error {
            ManifestError::Missing { folder } => Error::NoDataset { dir: folder },
            other => Error::Dataset(other),
        })?;
        let store = Store::of(&opened)?;
        let mut files: BTreeMap<String, Vec<ListedFile>> = BTreeMap::new();
        for file in &opened.manifest.files {
            let listed = ListedFile {
                file: opened.file(file),
                bytes: file.bytes,
                rows: file.rows,
                year: file.year,
                source: file.source.clone(),
            };
            files.entry(file.table.clone()).or_default().push(listed);
        }
        Ok(Dataset { location: location.clone(), opened: Some(opened), store, files })
    }

    /// A dataset without stored games.
    pub(crate) fn empty(location: &Location) -> Dataset {
        Dataset { location: location.clone(), opened: None, store: Store::local(), files: BTreeMap::new() }
    }

    /// Where it is.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// The manifest; none if nothing is stored.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.opened.as_ref().map(|opened| &opened.manifest)
    }

    /// The digest of its content (BLAKE3 in hexadecimal, from the manifest); empty if nothing is stored.
    #[must_use]
    pub fn digest(&self) -> &str {
        self.manifest().map_or("", |manifest| &manifest.checksum)
    }

    /// The names of the tables and views, in the order in which they are explained.
    #[must_use]
    pub fn table_names(&self) -> Vec<&'static str> {
        STORED.iter().map(|t| t.name).chain(VIEWS.iter().map(|view| view.name)).collect()
    }

    /// The rows of a stored table.
    #[must_use]
    pub fn rows(&self, table: &str) -> u64 {
        self.files.get(table).map_or(0, |files| files.iter().map(|f| f.rows).sum())
    }

    /// The files of a stored table.
    pub(crate) fn files(&self, table: &str) -> &[ListedFile] {
        self.files.get(table).map_or(&[], Vec::as_slice)
    }

    /// Registers the stored tables with the engine.
    pub(crate) fn register(&self, context: &SessionContext) -> Result<(), Error> {
        self.store.register(context);
        for Stored { name, schema, by_year, sorted_by } in &STORED {
            let files = self.files(name);
            let table = FilesTable::new(name, &schema(), &self.store, files, *by_year, sorted_by)?;
            context.register_table(*name, Arc::new(table))?;
        }
        Ok(())
    }

    /// The table of the published events; none if there are none.
    pub(crate) fn events_table(&self, name: &str, schema: &Schema) -> Result<Option<FilesTable>, Error> {
        let Some((file, events)) = self.opened.as_ref().and_then(OpenDataset::events) else {
            return Ok(None);
        };
        let listed = ListedFile { file, bytes: events.bytes, rows: events.rows, year: None, source: None };
        Ok(Some(FilesTable::new(name, schema, &self.store, &[listed], false, &["seq"])?))
    }
}
