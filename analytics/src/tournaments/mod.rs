//! Tournaments in SQL: the fold of each tournament of the log, as tables, and `standings(…)` and
//! `crosstable(…)` as table functions for any point in time. The rows are those that the commands show,
//! folded from the log at the session's first use of it; nothing is read before the first use.

mod at_a_time;
mod cells;
mod functions;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use annals_events::{Family, TournamentId};
use annals_ingest::tables::TableDescription;
use annals_replay::Cut;
use annals_replay::queries::TournamentAt;
use annals_tournaments::Tournament;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::prelude::SessionContext;

use crate::Error;
use crate::log_columns;
use crate::log_table::SeenLog;
use crate::sql_schema::Schema;
use crate::streamed::{Source, Streamed, batches};
use at_a_time::{AtATime, Called};
use functions::{FUNCTIONS, STANDINGS_OF_V3};
use rows::{Actors, LogRows, TABLES};

/// The names of the tables.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|table| table.name)
}

/// The tables as `annals schema tables` describes them.
pub(crate) fn describe() -> Vec<TableDescription> {
    TABLES
        .iter()
        .map(|table| TableDescription {
            name: table.name,
            purpose: table.purpose,
            files: "log.db, the log itself",
            order: table.order,
            layout: "Not stored in the dataset: folded from the log as it was when the question was asked.",
            columns: log_columns::describe(table.columns, true),
        })
        .collect()
}

/// A table function, as `annals schema tables functions` describes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableFunction {
    /// Its name with its arguments.
    pub call: &'static str,
    pub meaning: &'static str,
    /// An example of a complete call.
    pub example: &'static str,
}

pub(crate) fn table_functions() -> Vec<TableFunction> {
    let told = |f: &AtATime| TableFunction { call: f.call, meaning: f.meaning, example: f.example };
    FUNCTIONS.iter().map(told).collect()
}

/// Registers the tables and functions with a session.
pub(crate) fn register(
    context: &SessionContext,
    log: &Arc<SeenLog>,
    schema: Schema,
) -> std::result::Result<(), Error> {
    let folded = Arc::new(Folded::new(log.clone()));
    for table in TABLES {
        let provider =
            LogRowsTable { table, schema: log_columns::schema(table.columns, true), folded: folded.clone() };
        context.register_table(table.name, Arc::new(Streamed(provider)))?;
    }
    let old: &'static [AtATime] = if schema == Schema::V3 { &[STANDINGS_OF_V3] } else { &[] };
    // The later of two functions with one name replaces the first.
    for function in FUNCTIONS.iter().chain(old) {
        context.register_udtf(function.name, Arc::new(Called { function, log: log.clone() }));
    }
    Ok(())
}

/// The tournaments of the session's log, each folded when a query first needs it.
struct Folded {
    log: Arc<SeenLog>,
    known: Mutex<BTreeMap<TournamentId, Arc<Known>>>,
}

/// A tournament, with the directors of its rulings.
struct Known {
    tournament: Tournament,
    actors: Actors,
}

impl fmt::Debug for Folded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folded").finish_non_exhaustive()
    }
}

impl Folded {
    fn new(log: Arc<SeenLog>) -> Folded {
        Folded { log, known: Mutex::default() }
    }

    /// Calls `each` with the wanted tournaments in the order of their names, until it returns false.
    fn each(
        &self,
        wanted: Option<&BTreeSet<String>>,
        mut each: impl FnMut(&TournamentId, &Known) -> bool,
    ) -> std::result::Result<(), Error> {
        let Some(log) = self.log.open()? else { return Ok(()) };
        let broken = |error: &dyn fmt::Display| Error::Log(error.to_string());
        let streams = log.streams(Some(Family::Tournament.word())).map_err(|e| broken(&e))?;
        let names = streams.iter().map(|stream| &stream.name);
        for name in names.filter(|name| wanted.is_none_or(|wanted| wanted.contains(name.name()))) {
            let Ok(id) = name.name().parse::<TournamentId>() else { continue };
            let known = self.known().get(&id).cloned();
            let tournament = match known {
                Some(known) => known,
                None => match TournamentAt::at(&log, name, &Cut::at_seq(self.log.last()?)) {
                    Ok(opened) => {
                        let tournament = opened.replay.tournament;
                        let mut actors = Actors::new();
                        for given in &tournament.rulings {
                            let event = log.event(given.seq).map_err(|e| broken(&e))?;
                            actors.extend(event.map(|event| (given.seq, event.actor)));
                        }
                        let folded = Arc::new(Known { tournament, actors });
                        self.known().insert(id.clone(), folded.clone());
                        folded
                    }
                    // It began after the session's first use of the log.
                    Err(annals_replay::ReplayError::NotYet { .. }) => continue,
                    Err(error) => return Err(broken(&error)),
                },
            };
            if !each(&id, &tournament) {
                break;
            }
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<TournamentId, Arc<Known>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tournaments that filters select; none if they select all.
fn wanted(filters: &[Expr]) -> Option<BTreeSet<String>> {
    let is_tournament = |expr: &Expr| matches!(expr, Expr::Column(column) if column.name == "tournament");
    let text = |expr: &Expr| match expr {
        Expr::Literal(value, _) => value.try_as_str().flatten().map(str::to_owned),
        _ => None,
    };
    let one = |filter: &Expr| -> Option<BTreeSet<String>> {
        match filter {
            Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => {
                let value = if is_tournament(left) { right } else { left };
                (is_tournament(left) || is_tournament(right)).then(|| text(value))?.map(|name| [name].into())
            }
            Expr::InList(InList { expr, list, negated: false }) if is_tournament(expr) => {
                list.iter().map(text).collect()
            }
            _ => None,
        }
    };
    filters.iter().filter_map(one).reduce(|one, other| one.intersection(&other).cloned().collect())
}

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

impl Source for LogRowsTable {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn parts(&self, filters: &[Expr], _: usize) -> Result<Vec<Arc<dyn PartitionStream>>> {
        let (table, schema, folded) = (self.table, self.schema.clone(), self.folded.clone());
        Ok(vec![Arc::new(Part { table, schema, folded, wanted: wanted(filters) })])
    }
}

/// The rows of the wanted tournaments, folded on a separate thread when they are first needed.
#[derive(Clone)]
struct Part {
    table: &'static LogRows,
    schema: SchemaRef,
    folded: Arc<Folded>,
    wanted: Option<BTreeSet<String>>,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("wanted", &self.wanted).finish_non_exhaustive()
    }
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let part = self.clone();
        batches(self.schema.clone(), move |send| {
            let each = |id: &TournamentId, known: &Known| {
                let rows = (part.table.rows)(id, &known.tournament, &known.actors);
                send(cells::batch(part.table.columns, &rows).map_err(DataFusionError::from))
            };
            part.folded.each(part.wanted.as_ref(), each).map_err(|e| DataFusionError::External(Box::new(e)))
        })
    }
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::{col, lit};

    use super::wanted;

    #[test]
    fn filters_on_the_tournament_leave_only_those_that_they_name() {
        let named = |filters: &[_]| wanted(filters).map(|names| names.into_iter().collect::<Vec<_>>());
        let (cup, open) = (lit("cup"), lit("open"));
        assert_eq!(named(&[col("tournament").eq(cup.clone())]), Some(vec!["cup".to_owned()]));
        assert_eq!(named(&[cup.clone().eq(col("tournament"))]), Some(vec!["cup".to_owned()]));
        let both = col("tournament").in_list(vec![cup.clone(), open], false);
        assert_eq!(named(std::slice::from_ref(&both)), Some(vec!["cup".to_owned(), "open".to_owned()]));
        assert_eq!(named(&[both, col("tournament").eq(cup.clone())]), Some(vec!["cup".to_owned()]));
        for all in [col("round").eq(lit(1)), col("tournament").not_eq(cup.clone()), col("tournament").gt(cup)]
        {
            assert_eq!(named(&[all]), None);
        }
    }
}
