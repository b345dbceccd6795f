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
    /// The bucket does not exist.
    NoBucket,
    /// The web host sends whole files only.
    NoRanges,
    /// The web host has an answer for names that do not exist.
    EveryName,
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
            // A new object can be written wherever there is a bucket.
            E::NotFound { .. } if what == "written" => RequestFailure::NoBucket,
            E::NotFound { .. } => RequestFailure::Missing,
            E::PermissionDenied { .. } | E::Unauthenticated { .. } => RequestFailure::Denied,
            E::NotSupported { .. } | E::NotImplemented { .. } => RequestFailure::NotSupported,
            // The code of S3 and of Google Cloud Storage, in the answer to a list.
            other if causes(other).iter().any(|cause| cause.contains("NoSuchBucket")) => {
                RequestFailure::NoBucket
            }
            other if is_unreachable(other) => RequestFailure::Unreachable,
            _ => RequestFailure::Other,
        };
        let why = failure.why().map_or_else(|| last_cause(error), str::to_owned);
        AddressError::Request { object, what, failure, why }
    }

    pub(super) fn cannot_be_read(object: &str, failure: RequestFailure) -> AddressError {
        let why = failure.why().unwrap_or_default().to_owned();
        AddressError::Request { object: object.to_owned(), what: "read", failure, why }
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

impl RequestFailure {
    /// None where the error itself has the reason.
    fn why(self) -> Option<&'static str> {
        match self {
            RequestFailure::Missing => Some("it does not exist"),
            RequestFailure::NotSupported => Some("its store cannot create files"),
            RequestFailure::Denied => Some("the store denies access"),
            RequestFailure::NoBucket => Some("its bucket does not exist"),
            RequestFailure::NoRanges => Some("its web host sends whole files only, not ranges of them"),
            RequestFailure::EveryName => Some("its web host has an answer for every name"),
            RequestFailure::Unreachable | RequestFailure::Other => None,
        }
    }
}

/// One line.
fn last_cause(error: &object_store::Error) -> String {
    const LONGEST: usize = 300;
    // The last cause is the reason itself; those before it repeat it.
    let last = causes(error).pop().unwrap_or_default();
    let line = last.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
