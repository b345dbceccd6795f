//! The event log as the table `events`: the content of `annals log show` for SQL. It is read from the log itself, up
//! to the last event at the session's first use of it; later events do not count, so that all queries of a session
//! read the same log. A session that does not use the log does not open it, so that a damaged log does not
//! prevent queries on the dataset.
//!
//! Conditions on `seq` and `stream` use the log's own indexes; all others read all events.

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use annals_events::StreamName;
use annals_ingest::tables::TableDescription;
use annals_replay::Identifier;
use annals_replay::identifier::Prefix;
use annals_store::{EventRef, Log, ReadError, VerifyOptions, verify};
use datafusion::arrow::array::{
    ArrayRef, Int64Builder, RecordBatch, StringBuilder, TimestampMicrosecondBuilder,
};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, Operator};
use datafusion::physical_plan::streaming::PartitionStream;

use crate::Error;
use crate::log_columns::{self, Column, Kind};
use crate::streamed::{Source, batches};

/// The name of the table.
pub(crate) const EVENTS: &str = "events";

/// Rows in a batch.
const ROWS: usize = 8_192;

const COLUMNS: &[Column] = &[
    ("seq", Kind::Number, "", "Position in the log, from 1, without gaps."),
    ("stream", Kind::Text, "", "The stream it belongs to: game/…, tournament/…, people/…, log/annals."),
    ("version", Kind::Number, "", "Position in its stream, from 1, without gaps."),
    ("id", Kind::Text, "", "The identity of the event, 32 hexadecimal digits."),
    ("type", Kind::Text, "", "What happened: game.turn_taken, tournament.result_recorded …"),
    ("schema", Kind::Number, "", "Schema version of the payload."),
    (
        "effective_at",
        Kind::Time,
        "UTC",
        "When it happened, as it was recorded (corrections are events of their own).",
    ),
    ("recorded_at", Kind::Time, "UTC", "When the log took it."),
    ("actor", Kind::Text, "", "Who said so."),
    (
        "payload",
        Kind::Text,
        "",
        "The payload as stored: canonical JSON. `payload_value` takes a value out of it.",
    ),
    ("hash", Kind::Text, "", "The hash over the hash before it and all of the above, 64 hexadecimal digits."),
];

/// The table as `annals schema tables` describes it.
pub(crate) fn describe() -> TableDescription {
    TableDescription {
        name: EVENTS,
        purpose: "One row for each event of the home's log; no rows where there is no log.",
        files: "log.db, the log itself",
        order: "seq",
        layout: "Not stored in the dataset: it is read from the log as it was when the question was asked. Conditions \
                 on seq and stream use the log's indexes.",
        columns: log_columns::describe(COLUMNS, false),
    }
}

/// The log of one session: up to the last event at its first use.
#[derive(Debug)]
pub(crate) struct SeenLog {
    path: Option<PathBuf>,
    /// The last event at the first use; 0 without a log.
    last: OnceLock<u64>,
}

impl SeenLog {
    /// The log at a path, which may be missing; it is not opened yet.
    pub fn new(path: Option<&Path>) -> SeenLog {
        SeenLog { path: path.map(Path::to_owned), last: OnceLock::new() }
    }

    /// Whether there is a log.
    pub fn exists(&self) -> bool {
        self.path.as_deref().is_some_and(Path::exists)
    }

    /// Opens it for reading, once all of it was verified; none without a log.
    ///
    /// # Errors
    /// When the file cannot be opened as a log.
    pub fn open(&self) -> std::result::Result<Option<Log>, Error> {
        match self.path.as_deref().filter(|path| path.exists()) {
            Some(path) => {
                self.last()?;
                Ok(Some(Log::open(path).map_err(|e| Error::Log(e.to_string()))?))
            }
            None => Ok(None),
        }
    }

    /// What was read of it; none if nothing was.
    pub fn read(&self) -> std::result::Result<Option<Identifier>, Error> {
        let Some(last) = self.last.get().copied().filter(|last| *last > 0) else { return Ok(None) };
        let failed = |error: ReadError| Error::Log(error.to_string());
        match self.open()? {
            Some(log) => Ok(Prefix::of(&log, last).map_err(failed)?.map(Identifier::Log)),
            None => Ok(None),
        }
    }

    /// The last event of the log as it was first read; 0 without a log.
    ///
    /// # Errors
    /// When the file cannot be opened as a log.
    pub fn last(&self) -> std::result::Result<u64, Error> {
        if let Some(last) = self.last.get() {
            return Ok(*last);
        }
        let last = match self.path.as_deref().filter(|path| path.exists()) {
            Some(path) => whole(path)?,
            None => 0,
        };
        Ok(*self.last.get_or_init(|| last))
    }
}

/// Verifies a log; returns the last event.
fn whole(path: &Path) -> std::result::Result<u64, Error> {
    let report = verify(path, &VerifyOptions::default()).map_err(|error| {
        if error.is_damage() { Error::DamagedLog(error.to_string()) } else { Error::Log(error.to_string()) }
    })?;
    match report.damage().next() {
        None => Ok(report.last),
        Some(damage) => Err(Error::DamagedLog(format!("{}: {damage}", path.display()))),
    }
}

/// The table; without a log it has no rows.
#[derive(Debug)]
pub(crate) struct LogTable {
    schema: SchemaRef,
    log: Arc<SeenLog>,
}

impl LogTable {
    /// The events of a log.
    pub fn new(log: Arc<SeenLog>) -> LogTable {
        LogTable { schema: log_columns::schema(COLUMNS, false), log }
    }

    /// The parts of the log that can have rows for which the filters hold, one for each reader.
    fn parts_up_to(&self, last: u64, filters: &[Expr], readers: usize) -> Vec<Arc<dyn PartitionStream>> {
        let mut wanted = Wanted { first: 1, last, stream: None };
        for filter in filters {
            wanted.narrow(filter);
        }
        let part = |first: u64, last: u64, stream: Option<StreamName>| -> Arc<dyn PartitionStream> {
            let path = self.log.path.clone().unwrap_or_default();
            Arc::new(Part { schema: self.schema.clone(), path, first, last, stream })
        };
        if wanted.first > wanted.last {
            return vec![part(1, 0, None)];
        }
        if wanted.stream.is_some() {
            return vec![part(wanted.first, wanted.last, wanted.stream)];
        }
        let count = wanted.last - wanted.first + 1;
        // A further reader is useful from some thousand events on.
        let readers = (readers.max(1) as u64).min(count.div_ceil(ROWS as u64)).max(1);
        let share = count.div_ceil(readers);
        (0..readers)
            .map(|reader| wanted.first + reader * share)
            .filter(|first| *first <= wanted.last)
            .map(|first| part(first, wanted.last.min(first + share - 1), None))
            .collect()
    }
}

/// The events that the filters select. Filters are applied again to the rows, so this may be too many, never too few.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    first: u64,
    last: u64,
    stream: Option<StreamName>,
}

impl Wanted {
    fn narrow(&mut self, filter: &Expr) {
        let Expr::BinaryExpr(binary) = filter else {
            if let Expr::Between(between) = filter
                && !between.negated
                && is_column(&between.expr, "seq")
            {
                self.at_least(number(&between.low));
                self.at_most(number(&between.high));
            }
            return;
        };
        if binary.op == Operator::And {
            self.narrow(&binary.left);
            self.narrow(&binary.right);
            return;
        }
        let (column, op, value) = if matches!(*binary.left, Expr::Column(_)) {
            (&*binary.left, binary.op, &*binary.right)
        } else {
            let Some(swapped) = binary.op.swap() else { return };
            (&*binary.right, swapped, &*binary.left)
        };
        if is_column(column, "stream") {
            if let (Operator::Eq, Expr::Literal(text, _)) = (op, value)
                && let Some(Ok(stream)) = text.try_as_str().flatten().map(str::parse)
            {
                self.stream = Some(stream);
            }
        } else if is_column(column, "seq") {
            match op {
                Operator::Eq => {
                    self.at_least(number(value));
                    self.at_most(number(value));
                }
                Operator::Gt => self.at_least(number(value).map(|n| n.saturating_add(1))),
                Operator::GtEq => self.at_least(number(value)),
                Operator::Lt => self.at_most(number(value).map(|n| n.saturating_sub(1))),
                Operator::LtEq => self.at_most(number(value)),
                _ => {}
            }
        }
    }

    fn at_least(&mut self, seq: Option<i64>) {
        if let Some(seq) = seq {
            self.first = self.first.max(u64::try_from(seq).unwrap_or(0));
        }
    }

    fn at_most(&mut self, seq: Option<i64>) {
        if let Some(seq) = seq {
            self.last = self.last.min(u64::try_from(seq).unwrap_or(0));
        }
    }
}

fn is_column(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Column(column) if column.name == name)
}

fn number(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(ScalarValue::Int64(number), _) => *number,
        _ => None,
    }
}

impl Source for LogTable {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn parts(&self, filters: &[Expr], readers: usize) -> Result<Vec<Arc<dyn PartitionStream>>> {
        let last = self.log.last().map_err(|e| DataFusionError::External(Box::new(e)))?;
        Ok(self.parts_up_to(last, filters, readers))
    }
}

/// A run of events, or those of one stream in it.
#[derive(Debug, Clone)]
struct Part {
    schema: SchemaRef,
    path: PathBuf,
    first: u64,
    last: u64,
    stream: Option<StreamName>,
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let part = self.clone();
        batches(self.schema.clone(), move |send| {
            part.read(&mut |batch| send(Ok(batch))).map_err(|e| DataFusionError::Execution(e.to_string()))
        })
    }
}

/// Why a part cannot be read.
#[derive(Debug)]
struct Unreadable(String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the log cannot be read: {}", self.0)
    }
}

impl From<ReadError> for Unreadable {
    fn from(error: ReadError) -> Unreadable {
        Unreadable(error.to_string())
    }
}

impl Part {
    fn read(&self, send: &mut impl FnMut(RecordBatch) -> bool) -> std::result::Result<(), Unreadable> {
        if self.first > self.last {
            return Ok(());
        }
        let log = Log::open(&self.path).map_err(|e| Unreadable(e.to_string()))?;
        let mut rows = Rows::default();
        let mut take = |event: EventRef<'_>| {
            if event.seq < self.first {
                return Ok(ControlFlow::Continue(()));
            }
            rows.push(&event);
            if rows.len() < ROWS {
                return Ok(ControlFlow::Continue(()));
            }
            let batch = rows.finish(&self.schema).map_err(|e| Unreadable(e.to_string()))?;
            Ok::<_, Unreadable>(if send(batch) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        match &self.stream {
            Some(stream) => log.scan_stream(stream, self.last, &mut take)?,
            None => log.scan(self.first..=self.last, &mut take)?,
        }
        if rows.len() > 0 {
            let batch = rows.finish(&self.schema).map_err(|e| Unreadable(e.to_string()))?;
            send(batch);
        }
        Ok(())
    }
}

/// A batch of rows under construction.
#[derive(Debug, Default)]
struct Rows {
    seq: Int64Builder,
    stream: StringBuilder,
    version: Int64Builder,
    id: StringBuilder,
    event_type: StringBuilder,
    schema: Int64Builder,
    effective_at: TimestampMicrosecondBuilder,
    recorded_at: TimestampMicrosecondBuilder,
    actor: StringBuilder,
    payload: StringBuilder,
    hash: StringBuilder,
    count: usize,
}

impl Rows {
    fn len(&self) -> usize {
        self.count
    }

    fn push(&mut self, event: &EventRef<'_>) {
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        self.seq.append_value(signed(event.seq));
        self.stream.append_value(event.stream);
        self.version.append_value(signed(event.version));
        self.id.append_value(event.id.to_string());
        self.event_type.append_value(event.event_type);
        self.schema.append_value(i64::from(event.schema));
        self.effective_at.append_value(event.effective_at);
        self.recorded_at.append_value(event.recorded_at);
        self.actor.append_value(event.actor);
        self.payload.append_value(event.payload);
        self.hash.append_value(event.hash.to_string());
        self.count += 1;
    }

    fn finish(&mut self, schema: &SchemaRef) -> Result<RecordBatch> {
        self.count = 0;
        let time = |builder: &mut TimestampMicrosecondBuilder| -> ArrayRef {
            Arc::new(builder.finish().with_timezone("UTC"))
        };
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.seq.finish()),
            Arc::new(self.stream.finish()),
            Arc::new(self.version.finish()),
            Arc::new(self.id.finish()),
            Arc::new(self.event_type.finish()),
            Arc::new(self.schema.finish()),
            time(&mut self.effective_at),
            time(&mut self.recorded_at),
            Arc::new(self.actor.finish()),
            Arc::new(self.payload.finish()),
            Arc::new(self.hash.finish()),
        ];
        Ok(RecordBatch::try_new(schema.clone(), columns)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::prelude::{col, lit};

    fn wanted(filter: &Expr) -> Wanted {
        let mut wanted = Wanted { first: 1, last: 100, stream: None };
        wanted.narrow(filter);
        wanted
    }

    #[test]
    fn conditions_on_seq_and_stream_narrow_what_is_read_and_others_do_not() {
        let range = |filter: Expr| {
            let wanted = wanted(&filter);
            (wanted.first, wanted.last)
        };
        assert_eq!(range(col("seq").eq(lit(7i64))), (7, 7));
        assert_eq!(range(lit(7i64).lt(col("seq"))), (8, 100));
        assert_eq!(range(col("seq").gt_eq(lit(7i64)).and(col("seq").lt(lit(9i64)))), (7, 8));
        assert_eq!(range(col("seq").between(lit(-3i64), lit(5i64))), (1, 5));
        assert_eq!(range(col("seq").lt(lit(-3i64))), (1, 0));
        assert_eq!(range(col("seq").eq(lit(7i64)).or(col("seq").eq(lit(9i64)))), (1, 100));
        assert_eq!(range(col("version").eq(lit(7i64))), (1, 100));
        let one = wanted(&col("stream").eq(lit("game/arimaa-1")));
        assert_eq!(one.stream.unwrap().as_str(), "game/arimaa-1");
        assert_eq!(wanted(&col("stream").not_eq(lit("game/arimaa-1"))).stream, None);
    }
}
