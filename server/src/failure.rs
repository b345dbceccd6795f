//! Why a request has no page: a status, what and where, the reason, and what to do.

use annals_analytics::Error as AnalyticsError;
use annals_charts::ChartError;
use annals_replay::ReplayError;
use annals_replay::point::PointError;
use annals_replay::queries::QueryError;
use annals_replay::subject::FindStreamError;
use annals_store::{OpenError, ProofError, ReadError};
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct Failure {
    #[serde(skip)]
    pub status: u16,
    pub error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Seconds after which the page is asked for again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u16>,
}

impl Failure {
    pub fn new(status: u16, error: impl ToString) -> Failure {
        Failure { status, error: error.to_string(), reason: None, hints: Vec::new(), retry_after: None }
    }

    pub fn not_found(error: impl ToString) -> Failure {
        Failure::new(404, error)
    }

    pub fn bad(error: impl ToString) -> Failure {
        Failure::new(400, error)
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hints.push(hint.into());
        self
    }

    /// With a browser that asks again by itself.
    #[must_use]
    pub fn retry_after(mut self, seconds: u16) -> Failure {
        self.retry_after = Some(seconds);
        self
    }

    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Failure {
        self.reason = Some(reason.into());
        self
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        Failure::new(500, error).hint("`annals log verify` lists what is intact")
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        Failure::new(500, error).hint("`annals doctor` examines the home")
    }
}

impl From<PointError> for Failure {
    fn from(error: PointError) -> Failure {
        Failure::bad(error)
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Failure {
        match error {
            ReplayError::Read(error) => error.into(),
            ReplayError::Point(error) => error.into(),
            ReplayError::RoundOfWhat { .. } => Failure::bad(error),
            other => Failure::not_found(other),
        }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Failure {
        match error {
            QueryError::Replay(error) => error.into(),
            QueryError::OnlyOfRound => Failure::bad(error),
            other => Failure::not_found(other),
        }
    }
}

impl From<FindStreamError> for Failure {
    fn from(error: FindStreamError) -> Failure {
        match error {
            FindStreamError::Read(error) => error.into(),
            FindStreamError::Name(_) => Failure::bad(error),
            other => Failure::not_found(other),
        }
    }
}

impl From<ProofError> for Failure {
    fn from(error: ProofError) -> Failure {
        match error {
            ProofError::NoSuchEvent { .. } => Failure::not_found(error),
            ProofError::NotABeginning { .. } => Failure::new(409, error),
            other => Failure::new(500, other),
        }
    }
}

impl From<AnalyticsError> for Failure {
    fn from(error: AnalyticsError) -> Failure {
        let status = match &error {
            error if error.is_out_of_memory() => 503,
            AnalyticsError::NoDataset { .. }
            | AnalyticsError::Unknown { .. }
            | AnalyticsError::Nothing { .. } => 404,
            AnalyticsError::Sql { .. }
            | AnalyticsError::Argument { .. }
            | AnalyticsError::ReadOnly { .. }
            | AnalyticsError::Engine(_) => 400,
            AnalyticsError::Cancelled => 503,
            _ => 500,
        };
        let hints = error.hints();
        Failure { hints, ..Failure::new(status, error) }
    }
}

impl From<ChartError> for Failure {
    fn from(error: ChartError) -> Failure {
        Failure::not_found(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::new(500, error)
    }
}
