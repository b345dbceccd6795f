//! `standings('wcc-2015', TIMESTAMP '…')` and `crosstable(…)`: the tournament at any point in time, as rows. The second
//! argument is a value of `--as-of`, the third one of `--known-at`: a timestamp, or a text as there.

use std::fmt;
use std::sync::Arc;

use annals_events::{Micros, StreamName};
use annals_replay::queries::TournamentAt;
use annals_replay::{Asked, resolve};
use datafusion::arrow::datatypes::TimeUnit;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{DataFusionError, Result, ScalarValue, plan_err};
use datafusion::datasource::{MemTable, TableProvider};
use datafusion::logical_expr::Expr;
use jiff::tz::TimeZone;

use super::cells::{Cell, batch};
use crate::log_columns::{Column, schema};
use crate::log_table::SeenLog;

/// A table function over one tournament at a point in time.
pub struct AtATime {
    pub name: &'static str,
    /// Its name with its arguments, for messages.
    pub call: &'static str,
    pub meaning: &'static str,
    /// An example of a complete call.
    pub example: &'static str,
    pub columns: &'static [Column],
    pub rows: fn(&TournamentAt<'_>) -> Vec<Vec<Cell>>,
}

/// The function as the engine calls it.
pub struct Called {
    pub function: &'static AtATime,
    pub log: Arc<SeenLog>,
}

impl fmt::Debug for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Called").field("name", &self.function.name).finish_non_exhaustive()
    }
}

impl TableFunctionImpl for Called {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let name = self.function.name;
        let exprs = args.exprs();
        let (first, times) = match exprs {
            [first, times @ ..] if times.len() <= 2 => (first, times),
            _ => {
                return plan_err!(
                    "{name} takes a tournament, then, where wanted, a point in time and one at which it was known: {}",
                    self.function.example
                );
            }
        };
        let Some(tournament) = text(first) else {
            return plan_err!(
                "the first argument of {name} is the name of a tournament: {}",
                self.function.example
            );
        };
        let mut words = Vec::new();
        for (expr, which) in times.iter().zip(["second", "third"]) {
            match point(expr) {
                Some(word) => words.push(word),
                None => {
                    return plan_err!(
                        "the {which} argument of {name} is a point in time: TIMESTAMP '2015-03-08 12:00:00', \
                         '2015-03-08', 'round:5', 'seq:1234' or NULL"
                    );
                }
            }
        }
        self.table(&tournament, &words).map_err(DataFusionError::Plan)
    }
}

impl Called {
    fn table(
        &self,
        tournament: &str,
        words: &[Option<String>],
    ) -> std::result::Result<Arc<dyn TableProvider>, String> {
        let wrong = |error: &dyn fmt::Display| error.to_string();
        let stream: StreamName = match tournament.contains('/') {
            true => tournament.parse().map_err(|e| wrong(&e))?,
            false => format!("tournament/{tournament}").parse().map_err(|e| wrong(&e))?,
        };
        let log = self.log.open().map_err(|e| wrong(&e))?;
        let Some(log) = log else {
            return Err(format!("there is no log, and so no tournament `{tournament}`"));
        };
        let word = |at: usize| words.get(at).and_then(|word| word.as_deref());
        let asked =
            Asked { as_of: word(0), known_at: word(1), seq: Some(self.log.last().map_err(|e| wrong(&e))?) };
        let cut = resolve(&log, Some(&stream), &asked, &TimeZone::UTC).map_err(|e| wrong(&e))?;
        let opened = TournamentAt::at(&log, &stream, &cut).map_err(|e| wrong(&e))?;
        let rows = (self.function.rows)(&opened);
        let batch = batch(self.function.columns, &rows).map_err(|e| wrong(&e))?;
        let table = MemTable::try_new(schema(self.function.columns, true), vec![vec![batch]]);
        Ok(Arc::new(table.map_err(|e| wrong(&e))?))
    }
}

fn text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Literal(value, _) => value.try_as_str().flatten().map(str::to_owned),
        _ => None,
    }
}

/// A point in time as the commands write it; `Some(None)` if none is given.
fn point(expr: &Expr) -> Option<Option<String>> {
    let Expr::Literal(value, _) = expr else { return None };
    if value.is_null() {
        return Some(None);
    }
    if let Some(text) = value.try_as_str().flatten() {
        return Some(Some(text.to_owned()));
    }
    let micros = micros(value)?;
    jiff::Timestamp::from_microsecond(micros).ok().map(|at| Some(at.to_string()))
}

fn micros(value: &ScalarValue) -> Option<Micros> {
    let (number, unit) = match value {
        ScalarValue::TimestampSecond(number, _) => (*number, TimeUnit::Second),
        ScalarValue::TimestampMillisecond(number, _) => (*number, TimeUnit::Millisecond),
        ScalarValue::TimestampMicrosecond(number, _) => (*number, TimeUnit::Microsecond),
        ScalarValue::TimestampNanosecond(number, _) => (*number, TimeUnit::Nanosecond),
        _ => return None,
    };
    let number = number?;
    match unit {
        TimeUnit::Second => number.checked_mul(1_000_000),
        TimeUnit::Millisecond => number.checked_mul(1_000),
        TimeUnit::Microsecond => Some(number),
        TimeUnit::Nanosecond => Some(number.div_euclid(1_000)),
    }
}
