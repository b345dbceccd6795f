//! Prepared statements: their texts and the values that were bound to their parameters.

use std::collections::VecDeque;
use std::sync::Mutex;

use annals_analytics::{Question, Values};
use prost::bytes::Bytes;
use tonic::Status;

use crate::app::locked;

/// Prepared statements that are kept. Beyond it the oldest is closed: a client that crashes closes none.
const MOST: usize = 1_024;

/// Rows of values that can be bound to a statement: it runs once for each.
pub const MOST_RUNS: usize = 1_000;

#[derive(Clone)]
pub struct Statement {
    pub question: Question,
    /// One for each run; before any are bound, one without values.
    pub values: Vec<Values>,
}

#[derive(Default)]
pub struct Statements {
    kept: Mutex<(u64, VecDeque<(Bytes, Statement)>)>,
}

impl Statements {
    /// Keeps a statement; gives its handle.
    pub fn keep(&self, question: Question) -> Bytes {
        let mut guard = locked(&self.kept);
        let (number, kept) = &mut *guard;
        *number += 1;
        let handle = Bytes::from(format!("prepared-{number}"));
        if kept.len() == MOST {
            kept.pop_front();
        }
        kept.push_back((handle.clone(), Statement { question, values: vec![Values::default()] }));
        handle
    }

    /// # Errors
    /// If there is no such statement.
    pub fn get(&self, handle: &[u8]) -> Result<Statement, Status> {
        let guard = locked(&self.kept);
        let found = guard.1.iter().find(|(known, _)| known == handle);
        found.map(|(_, statement)| statement.clone()).ok_or_else(closed)
    }

    /// # Errors
    /// If there is no such statement.
    pub fn bind(&self, handle: &[u8], values: Vec<Values>) -> Result<(), Status> {
        let mut guard = locked(&self.kept);
        let found = guard.1.iter_mut().find(|(known, _)| known == handle);
        found.ok_or_else(closed)?.1.values = values;
        Ok(())
    }

    pub fn close(&self, handle: &[u8]) {
        locked(&self.kept).1.retain(|(known, _)| known != handle);
    }
}

fn closed() -> Status {
    Status::not_found(format!(
        "there is no such prepared statement: it was closed, or {MOST} were prepared after it\nhint: prepare it again"
    ))
}

#[cfg(test)]
mod tests {
    use annals_analytics::statement;

    use super::*;

    #[test]
    fn the_oldest_statement_is_closed_when_too_many_are_kept() {
        let statements = Statements::default();
        let question = statement("SELECT 1").unwrap();
        let handles: Vec<Bytes> = (0..=MOST).map(|_| statements.keep(question.clone())).collect();
        assert_eq!(statements.get(&handles[0]).err().unwrap().code(), tonic::Code::NotFound);
        assert_eq!(statements.get(&handles[1]).unwrap().values.len(), 1);
        statements.close(&handles[1]);
        assert!(statements.bind(&handles[1], Vec::new()).is_err());
        assert!(statements.bind(&handles[2], Vec::new()).is_ok());
        assert!(statements.get(&handles[2]).unwrap().values.is_empty());
    }
}
