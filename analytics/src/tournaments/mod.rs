//! Tournaments in SQL: what the events of the log make of each tournament, as tables, and `standings(…)` and
//! `crosstable(…)` as table functions that answer for any point in time. The rows are those that the commands show,
//! folded from the log as the session first saw it; nothing is read before it is asked for.

mod at_a_time;
mod columns;
mod functions;
mod rows;

use std::fmt;
use std::sync::{Arc, OnceLock};

use annals_events::{Family, TournamentId};
use annals_ingest::tables::TableDescription;
use annals_replay::{Cut, tournament_at};
use annals_tournaments::Tournament;
use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::{MemTable, TableProvider, TableType};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;

use crate::Error;
use crate::log_table::SeenLog;
use at_a_time::{AtATime, Called};
use columns::Cell;
use functions::FUNCTIONS;
use rows::{LogRows, TABLES};

/// The names of the tables.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|table| table.name)
}

/// What `annals schema` says of the tables.
pub(crate) fn describe() -> Vec<TableDescription> {
    TABLES
        .iter()
        .map(|table| TableDescription {
            name: table.name,
            purpose: table.purpose,
            files: "log.db, the log itself",
            order: table.order,
            layout: "Not stored in the dataset: folded from the log as it was when the question was asked.",
            columns: columns::describe(table.columns),
        })
        .collect()
}

/// A table function, as `annals schema functions` tells of it.
#[derive(Debug, Clone, Copy)]
pub struct TableFunction {
    /// Its name with its arguments.
    pub call: &'static str,
    /// What it gives.
    pub meaning: &'static str,
    /// A call that can be typed as it stands.
    pub example: &'static str,
}

/// The table functions.
#[must_use]
pub fn table_functions() -> Vec<TableFunction> {
    let told = |f: &AtATime| TableFunction { call: f.call, meaning: f.meaning, example: f.example };
    FUNCTIONS.iter().map(told).collect()
}

/// Makes the tables and functions known to a session.
pub(crate) fn register(context: &SessionContext, log: &Arc<SeenLog>) -> std::result::Result<(), Error> {
    let folded = Arc::new(Folded { log: log.clone(), all: OnceLock::new() });
    for table in TABLES {
        let provider = LogRowsTable { table, schema: columns::schema(table.columns), folded: folded.clone() };
        context.register_table(table.name, Arc::new(provider))?;
    }
    for function in FUNCTIONS {
        context.register_udtf(function.name, Arc::new(Called { function, log: log.clone() }));
    }
    Ok(())
}

/// All tournaments of the log as it stands for the session, folded when they are first asked for.
struct Folded {
    log: Arc<SeenLog>,
    all: OnceLock<Vec<(TournamentId, Tournament)>>,
}

impl fmt::Debug for Folded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folded").finish_non_exhaustive()
    }
}

impl Folded {
    fn all(&self) -> std::result::Result<&[(TournamentId, Tournament)], Error> {
        if let Some(all) = self.all.get() {
            return Ok(all);
        }
        let all = match self.log.open()? {
            None => Vec::new(),
            Some(log) => {
                let cut = Cut::at_seq(self.log.last()?);
                let broken = |error: &dyn fmt::Display| Error::Log(error.to_string());
                let mut all = Vec::new();
                for stream in log.streams(Some(Family::Tournament.word())).map_err(|e| broken(&e))? {
                    let Ok(id) = stream.name.name().parse::<TournamentId>() else { continue };
                    match tournament_at(&log, &stream.name, &cut) {
                        Ok(replay) => all.push((id, replay.tournament)),
                        // It began after the session first saw the log.
                        Err(annals_replay::ReplayError::NotYet { .. }) => {}
                        Err(error) => return Err(broken(&error)),
                    }
                }
                all
            }
        };
        Ok(self.all.get_or_init(|| all))
    }
}

/// One of the tables.
struct LogRowsTable {
    table: &'static LogRows,
    schema: SchemaRef,
    folded: Arc<Folded>,
}

impl fmt::Debug for LogRowsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogRowsTable").field("name", &self.table.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl TableProvider for LogRowsTable {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all = self.folded.all().map_err(|e| DataFusionError::External(Box::new(e)))?;
        let rows: Vec<Vec<Cell>> =
            all.iter().flat_map(|(id, tournament)| (self.table.rows)(id, tournament)).collect();
        let batch = columns::batch(self.table.columns, &rows)?;
        MemTable::try_new(self.schema.clone(), vec![vec![batch]])?
            .scan(state, projection, filters, limit)
            .await
    }
}
