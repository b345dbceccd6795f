//! Why an address cannot be read or written.

/// The kind of a failed request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestFailure {
    /// The object does not exist.
    Missing,
    /// The credentials are missing, not valid, or do not permit it.
    Denied,
    /// No connection, or no answer in time.
    Unreachable,
    /// The store cannot create an object only if it is absent.
    NotSupported,
    Other,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum AddressError {
    #[error("`{address}` is not an address of a dataset: {why}")]
    Invalid { address: String, why: String },
    /// Built without object stores.
    #[error("`{address}` cannot be read: this program was built without the feature `remote`")]
    NotBuilt { address: String },
    /// A request failed; `what` is `read` or `written`.
    #[error("`{object}` cannot be {what}: {why}")]
    Request { object: String, what: &'static str, failure: RequestFailure, why: String },
    #[error("the published manifest `{object}` is damaged: {why}")]
    Damaged { object: String, why: String },
}

impl AddressError {
    pub(super) fn request(object: String, what: &'static str, error: &object_store::Error) -> AddressError {
        use object_store::Error as E;
        let failure = match error {
            E::NotFound { .. } => RequestFailure::Missing,
            E::PermissionDenied { .. } | E::Unauthenticated { .. } => RequestFailure::Denied,
            E::NotSupported { .. } | E::NotImplemented { .. } => RequestFailure::NotSupported,
            other if is_unreachable(other) => RequestFailure::Unreachable,
            _ => RequestFailure::Other,
        };
        AddressError::Request { object, what, failure, why: why(failure, error) }
    }

    /// The kind of the request that failed.
    #[must_use]
    pub fn failure(&self) -> Option<RequestFailure> {
        match self {
            AddressError::Request { failure, .. } => Some(*failure),
            _ => None,
        }
    }
}

fn is_unreachable(error: &object_store::Error) -> bool {
    let text = causes(error).join(": ");
    ["error sending request", "connect", "timed out", "timeout", "dns"].iter().any(|part| text.contains(part))
}

fn causes(error: &object_store::Error) -> Vec<String> {
    let mut causes = Vec::new();
    let mut next: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = next {
        causes.push(error.to_string());
        next = error.source();
    }
    causes
}

/// One line.
fn why(failure: RequestFailure, error: &object_store::Error) -> String {
    const LONGEST: usize = 300;
    match failure {
        RequestFailure::Missing => return "it does not exist".to_owned(),
        RequestFailure::NotSupported => return "its store cannot create files".to_owned(),
        RequestFailure::Denied => return "the store denies access".to_owned(),
        RequestFailure::Unreachable | RequestFailure::Other => {}
    }
    // The last cause is the reason itself; those before it repeat it.
    let last = causes(error).pop().unwrap_or_default();
    let line = last.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
