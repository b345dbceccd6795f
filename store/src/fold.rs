//! Reads what a fold needs of the events of a range, in batches.

use std::ops::{ControlFlow, RangeInclusive};

use crate::log::Log;
use crate::read::ReadError;
use crate::row::{FoldEvent, clamp};

const SQL: &str = "SELECT 1 FROM event WHERE seq BETWEEN ?1 AND ?2
  AND gather(seq, stream, type, schema, effective_at, recorded_at, actor, payload) ORDER BY seq";

impl Log {
    /// As [`Log::scan`] for the fields of a fold, and faster.
    ///
    /// # Errors
    /// Those of `each`; if an event is damaged or missing.
    pub fn scan_for_fold<E: From<ReadError>>(
        &self,
        range: RangeInclusive<u64>,
        mut each: impl FnMut(FoldEvent<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let last = (*range.end()).min(self.last_seq()?);
        let mut expected = (*range.start()).max(1);
        let fault = |error: &rusqlite::Error| ReadError::Fault(self.fault("reading events", error));
        let mut batch = std::mem::take(&mut *self.gathering.on(&self.connection).map_err(|e| fault(&e))?);
        let mut statement = self.connection.prepare_cached(SQL).map_err(|e| fault(&e))?;
        let mut rows = statement.query([clamp(expected), clamp(last)]).map_err(|e| fault(&e))?;
        loop {
            let step = rows.next().map(|row| row.is_some());
            let gathering = self.gathering.on(&self.connection);
            std::mem::swap(&mut batch, &mut *gathering.map_err(|e| fault(&e))?);
            for event in batch.events() {
                if event.seq != expected {
                    return Err(ReadError::Missing { expected, found: Some(event.seq) }.into());
                }
                expected += 1;
                if each(event)?.is_break() {
                    return Ok(());
                }
            }
            if let Some(problem) = batch.problem.take() {
                return Err(ReadError::Row { seq: expected, problem }.into());
            }
            batch.clear();
            if !step.map_err(|e| fault(&e))? {
                break;
            }
        }
        if expected <= last {
            return Err(ReadError::Missing { expected, found: None }.into());
        }
        Ok(())
    }
}
