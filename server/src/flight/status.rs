//! Failures as statuses of gRPC: a code by the kind of failure, and a message with the position and the hints.

use annals_analytics::Error as AnalyticsError;
use tonic::{Code, Status};

use crate::Failure;

/// The most characters of a message, which travels in a header.
const LONGEST_MESSAGE: usize = 4_000;

/// Why a query fails.
pub fn of_query(error: AnalyticsError) -> Status {
    let code = match &error {
        AnalyticsError::ReadOnly { statement } => return read_only(&format!("`{statement}` is refused")),
        AnalyticsError::Cancelled => Code::Cancelled,
        AnalyticsError::DamagedLog(_) | AnalyticsError::Dataset(_) => Code::DataLoss,
        error if error.is_out_of_memory() => Code::ResourceExhausted,
        _ => return of_failure(&error.into()),
    };
    with_code(code, &error.into())
}

/// Why a request fails before its query.
pub fn of_failure(failure: &Failure) -> Status {
    let code = match failure.status {
        400 => Code::InvalidArgument,
        404 => Code::NotFound,
        503 => Code::Unavailable,
        _ => Code::Internal,
    };
    with_code(code, failure)
}

fn with_code(code: Code, failure: &Failure) -> Status {
    let reason = failure.reason.iter().map(|reason| format!("\nreason: {reason}"));
    // The files of a client are not on this machine.
    let hints = failure.hints.iter().filter(|hint| !hint.contains("--table"));
    let hints = hints.map(|hint| format!("\nhint: {hint}"));
    let message: String = std::iter::once(failure.error.clone()).chain(reason).chain(hints).collect();
    Status::new(code, message.chars().take(LONGEST_MESSAGE).collect::<String>())
}

/// For what changes something.
pub fn read_only(what: &str) -> Status {
    Status::unimplemented(format!("{what}: this server reads the record and never changes it"))
}

/// For a message that is not of the protocol.
pub fn invalid(error: impl ToString) -> Status {
    Status::invalid_argument(error.to_string())
}
