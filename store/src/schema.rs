//! The file's tables, indexes and triggers as compiled in, its marks, and connection settings. `verify` compares them
//! literally. The triggers prevent accidents: a stray `sqlite3` shell cannot change, remove or misplace an event
//! without dropping one. Against intent there are the chain and the anchor.

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

/// Drops what was added or changed, and creates what is missing. The two tables must be there.
pub(crate) fn restore(connection: &Connection) -> rusqlite::Result<()> {
    let differences = differences(connection)?;
    // What depends on a table goes first.
    for kind in ["trigger", "view", "index", "table"] {
        for difference in differences.iter().filter(|difference| difference.what != MISSING) {
            if let Some(name) = difference.object.strip_prefix(kind).and_then(|rest| rest.strip_prefix(' ')) {
                connection.execute_batch(&format!("DROP {kind} \"{}\"", name.replace('"', "\"\"")))?;
            }
        }
    }
    let is_different = |object: &&Object| {
        differences.iter().any(|difference| difference.object == format!("{} {}", object.kind, object.name))
    };
    for sql in OBJECTS.iter().filter(is_different).filter_map(|object| object.sql) {
        connection.execute_batch(sql)?;
    }
    Ok(())
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
}

const TWICE: &str = "holds an entry twice";

const MISSING: &str = "is missing";

pub(crate) fn differences(connection: &Connection) -> rusqlite::Result<Vec<SchemaDifference>> {
    let mut statement =
        connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")?;
    let found = statement
        .query_map([], |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, Option<String>>(3)?,
            ))
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut differences = Vec::new();
    for object in OBJECTS {
        let label = format!("{} {}", object.kind, object.name);
        match found.iter().find(|(kind, name, ..)| kind == object.kind && name == object.name) {
            None => differences.push(SchemaDifference { object: label, what: MISSING, found: None }),
            Some((_, _, table, sql)) if table != object.table || sql.as_deref() != object.sql => {
                differences.push(SchemaDifference { object: label, what: "was changed", found: sql.clone() });
            }
            Some(_) => {}
        }
    }
    for (kind, name, _, sql) in &found {
        if !OBJECTS.iter().any(|object| object.kind == kind && object.name == name) {
            let object = format!("{kind} {name}");
            differences.push(SchemaDifference { object, what: "was added", found: sql.clone() });
        }
    }
    if differences.is_empty() && found.len() != OBJECTS.len() {
        let object = "the list of tables".to_owned();
        differences.push(SchemaDifference { object, what: TWICE, found: None });
    }
    Ok(differences)
}
