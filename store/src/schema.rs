//! The file's tables, indexes and triggers as compiled in, its marks, and connection settings. `verify` compares them
//! literally. The triggers prevent accidents: a stray `sqlite3` shell cannot change, remove or misplace an event
//! without dropping one. Against intent there are the chain and the anchor.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};

/// `application_id`: "ARMA" in ASCII.
pub const APPLICATION_ID: i32 = 0x4152_4D41;

/// `user_version`: the version of this layout.
pub const FORMAT: i32 = 1;

/// Kind and name as in `sqlite_schema`, and the statement.
pub(crate) struct Object {
    pub kind: &'static str,
    pub name: &'static str,
    pub table: &'static str,
    /// None for SQLite's own UNIQUE indexes.
    pub sql: Option<&'static str>,
}

/// In order of creation.
pub(crate) const OBJECTS: &[Object] = &[
    Object {
        kind: "table",
        name: "event",
        table: "event",
        sql: Some(
            "CREATE TABLE event (
  seq INTEGER PRIMARY KEY CHECK (seq >= 1),
  stream TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  id BLOB NOT NULL CHECK (length(id) = 16),
  type TEXT NOT NULL,
  schema INTEGER NOT NULL CHECK (schema >= 1),
  effective_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  payload TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  UNIQUE (stream, version),
  UNIQUE (id)
) STRICT",
        ),
    },
    Object { kind: "index", name: "sqlite_autoindex_event_1", table: "event", sql: None },
    Object { kind: "index", name: "sqlite_autoindex_event_2", table: "event", sql: None },
    Object {
        kind: "table",
        name: "tree",
        table: "tree",
        sql: Some(
            "CREATE TABLE tree (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  size INTEGER NOT NULL CHECK (size >= 0),
  peaks BLOB NOT NULL
) STRICT",
        ),
    },
    Object {
        kind: "trigger",
        name: "event_in_order",
        table: "event",
        sql: Some(
            "CREATE TRIGGER event_in_order BEFORE INSERT ON event BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only: seq must be the next one')
    WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event);
  SELECT RAISE(ABORT, 'the event log has no gaps: version must be the next one of its stream')
    WHERE NEW.version IS NOT (SELECT coalesce(max(version), 0) + 1 FROM event WHERE stream = NEW.stream);
  SELECT RAISE(ABORT, 'the event log runs forward: recorded_at must not be earlier than the last')
    WHERE NEW.recorded_at < (SELECT recorded_at FROM event WHERE seq = NEW.seq - 1);
END",
        ),
    },
    Object {
        kind: "trigger",
        name: "event_no_update",
        table: "event",
        sql: Some(
            "CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only: no event is ever changed');
END",
        ),
    },
    Object {
        kind: "trigger",
        name: "event_no_delete",
        table: "event",
        sql: Some(
            "CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN
  SELECT RAISE(ABORT, 'the event log is append-only: no event is ever removed');
END",
        ),
    },
    Object {
        kind: "trigger",
        name: "tree_only_grows",
        table: "tree",
        sql: Some(
            "CREATE TRIGGER tree_only_grows BEFORE UPDATE ON tree WHEN NEW.size <= OLD.size BEGIN
  SELECT RAISE(ABORT, 'the tree over the events only grows');
END",
        ),
    },
    Object {
        kind: "trigger",
        name: "tree_no_delete",
        table: "tree",
        sql: Some(
            "CREATE TRIGGER tree_no_delete BEFORE DELETE ON tree BEGIN
  SELECT RAISE(ABORT, 'the tree over the events is never removed');
END",
        ),
    },
];

/// Creates the tables of an empty file, and marks it.
pub(crate) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", FORMAT)?;
    for object in OBJECTS {
        if let Some(sql) = object.sql {
            connection.execute_batch(sql)?;
        }
    }
    connection.execute("INSERT INTO tree (only, size, peaks) VALUES (1, 0, ?1)", params![[0u8; 0]])?;
    Ok(())
}

/// Drops what was added, and writes the rows of what is missing or was changed. All differences must be ones that can be
/// restored.
pub(crate) fn restore(connection: &Connection) -> rusqlite::Result<()> {
    let rows = rows(connection)?;
    // The indexes that SQLite makes for a table go with it.
    for kind in ["index", "table"] {
        let is_dropped = |row: &&Row| row.kind == kind && row.is_of_pages() && row.sql.is_some();
        for row in added(&rows).filter(is_dropped) {
            connection
                .execute_batch(&format!("DROP {kind} IF EXISTS \"{}\"", row.name.replace('"', "\"\"")))?;
        }
    }
    // A statement finds a trigger by what SQLite read of its row, which is not what a damaged row states. A row it finds.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    connection.pragma_update(None, "writable_schema", true)?;
    for row in added(&rows).filter(|row| !row.is_of_pages()) {
        connection.execute("DELETE FROM sqlite_schema WHERE rowid = ?1", [row.rowid])?;
    }
    for object in OBJECTS {
        match row_of(&rows, object) {
            Some(row) if row.states(object) => {}
            Some(row) => {
                let update = "UPDATE sqlite_schema SET type = ?2, tbl_name = ?3, sql = ?4 WHERE rowid = ?1";
                connection.execute(update, params![row.rowid, object.kind, object.table, object.sql])?;
            }
            None => {
                let insert = "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?1, ?2, ?3, 0, ?4)";
                connection.execute(insert, params![object.kind, object.name, object.table, object.sql])?;
            }
        }
    }
    // Every connection reads the rows again.
    let version: i64 = connection.pragma_query_value(None, "schema_version", |row| row.get(0))?;
    connection.pragma_update(None, "schema_version", version.wrapping_add(1))?;
    connection.pragma_update(None, "writable_schema", false)
}

/// A difference from the compiled-in schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaDifference {
    /// Kind and name: "trigger event_no_update".
    pub object: String,
    /// "is missing", "was changed" or "was added".
    pub what: &'static str,
    /// In the file, if any.
    pub found: Option<String>,
    can_be_restored: bool,
}

impl SchemaDifference {
    /// Concerns the table of events or of the tree.
    #[must_use]
    pub fn is_of_a_table(&self) -> bool {
        let tables = OBJECTS.iter().filter(|object| object.kind == "table");
        let label = |object: &Object| format!("{} {}", object.kind, object.name);
        let is_named = tables.map(label).any(|label| label == self.object);
        is_named || self.what == TWICE
    }

    /// Without a change of the tables of events and tree, and of their indexes.
    #[must_use]
    pub fn can_be_restored(&self) -> bool {
        self.can_be_restored
    }
}

const TWICE: &str = "holds an entry twice";

/// A row of `sqlite_schema`.
struct Row {
    rowid: i64,
    kind: String,
    name: String,
    table: String,
    root: i64,
    sql: Option<String>,
}

impl Row {
    fn is_labelled(&self, object: &Object) -> bool {
        self.kind == object.kind && self.name == object.name
    }

    fn is_labelled_as_any(&self) -> bool {
        OBJECTS.iter().any(|object| self.is_labelled(object))
    }

    fn states(&self, object: &Object) -> bool {
        self.is_labelled(object) && self.table == object.table && self.sql.as_deref() == object.sql
    }

    /// A table or an index has pages of the file, a trigger or a view has none.
    fn is_of_pages(&self) -> bool {
        self.root != 0
    }

    /// SQLite drops it, or it is only a row.
    fn can_be_dropped(&self) -> bool {
        !self.is_of_pages() || (matches!(&*self.kind, "index" | "table") && self.name != "sqlite_sequence")
    }
}

fn rows(connection: &Connection) -> rusqlite::Result<Vec<Row>> {
    let mut statement = connection
        .prepare("SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid")?;
    let read = statement.query_map([], |row| {
        Ok(Row {
            rowid: row.get(0)?,
            kind: row.get(1)?,
            name: row.get(2)?,
            table: row.get(3)?,
            root: row.get(4)?,
            sql: row.get(5)?,
        })
    })?;
    read.collect()
}

/// The row of an object of the log. A damaged row can have the name of a trigger or an index, and another kind.
fn row_of<'r>(rows: &'r [Row], object: &Object) -> Option<&'r Row> {
    let is_named =
        |row: &&Row| object.kind != "table" && row.name == object.name && !row.is_labelled_as_any();
    rows.iter().find(|row| row.is_labelled(object)).or_else(|| rows.iter().find(is_named))
}

/// Neither the row of an object, nor a second one.
fn added(rows: &[Row]) -> impl Iterator<Item = &Row> {
    let is_of = |row: &Row, object| row_of(rows, object).is_some_and(|of| of.rowid == row.rowid);
    let is_added =
        move |row: &&Row| !row.is_labelled_as_any() && !OBJECTS.iter().any(|object| is_of(row, object));
    rows.iter().filter(is_added)
}

pub(crate) fn differences(connection: &Connection) -> rusqlite::Result<Vec<SchemaDifference>> {
    let rows = rows(connection)?;
    let mut differences = Vec::new();
    for object in OBJECTS {
        let row = row_of(&rows, object);
        if row.is_some_and(|row| row.states(object)) {
            continue;
        }
        differences.push(SchemaDifference {
            object: format!("{} {}", object.kind, object.name),
            what: if row.is_some() { "was changed" } else { "is missing" },
            found: row.and_then(|row| row.sql.clone()),
            // SQLite itself names the pages of an index of its own, and needs its row for that.
            can_be_restored: match object.kind {
                "table" => false,
                "index" => row.is_some_and(Row::is_of_pages),
                _ => row.is_none_or(|row| !row.is_of_pages()),
            },
        });
    }
    for row in added(&rows) {
        differences.push(SchemaDifference {
            object: format!("{} {}", row.kind, row.name),
            what: "was added",
            found: row.sql.clone(),
            can_be_restored: row.can_be_dropped(),
        });
    }
    if differences.is_empty() && rows.len() != OBJECTS.len() {
        let object = "the list of tables".to_owned();
        differences.push(SchemaDifference { object, what: TWICE, found: None, can_be_restored: false });
    }
    Ok(differences)
}
