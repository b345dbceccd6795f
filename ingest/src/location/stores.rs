//! The store of an address, with the credentials of the environment.

use std::sync::Arc;

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use url::{Position, Url};

use super::error::AddressError;

/// Kinds of addresses, for messages.
const KINDS: &str = "expected s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, https://HOST/PATH or file:///FOLDER";

/// The store, and its own URL.
pub(super) fn open(url: &Url, address: &str) -> Result<(Arc<dyn ObjectStore>, Url), AddressError> {
    let invalid = |why: String| AddressError::Invalid { address: address.to_owned(), why };
    let root = Url::parse(&url[..Position::BeforePath]).map_err(|error| invalid(error.to_string()))?;
    match url.scheme() {
        "file" if url.host_str().is_none() => {
            let root = Url::parse("file:///").map_err(|error| invalid(error.to_string()))?;
            Ok((Arc::new(LocalFileSystem::new()), root))
        }
        "s3" | "gs" | "https" | "http" if url.host_str().is_some() => {
            remote::open(url, address).map(|store| (store, root))
        }
        _ => Err(invalid(KINDS.to_owned())),
    }
}

#[cfg(not(feature = "remote"))]
mod remote {
    use super::{AddressError, Arc, ObjectStore, Url};

    pub(super) fn open(_: &Url, address: &str) -> Result<Arc<dyn ObjectStore>, AddressError> {
        Err(AddressError::NotBuilt { address: address.to_owned() })
    }
}

#[cfg(feature = "remote")]
mod remote {
    use std::time::Duration;

    use object_store::aws::AmazonS3Builder;
    use object_store::client::SpawnedReqwestConnector;
    use object_store::gcp::GoogleCloudStorageBuilder;
    use object_store::http::HttpBuilder;
    use object_store::{ClientOptions, RetryConfig};

    use super::super::objects::handle;
    use super::{AddressError, Arc, ObjectStore, Position, Url};

    /// For a connection, and for a request without an answer.
    const CONNECTION: Duration = Duration::from_secs(5);
    const REQUEST: Duration = Duration::from_secs(60);

    pub(super) fn open(url: &Url, address: &str) -> Result<Arc<dyn ObjectStore>, AddressError> {
        let invalid = |why: String| AddressError::Invalid { address: address.to_owned(), why };
        let connector = SpawnedReqwestConnector::new(handle().map_err(|error| invalid(error.to_string()))?);
        let retries =
            RetryConfig { max_retries: 4, retry_timeout: Duration::from_secs(20), ..RetryConfig::default() };
        let store: object_store::Result<Arc<dyn ObjectStore>> = match url.scheme() {
            "s3" => AmazonS3Builder::from_env()
                .with_url(address)
                .with_retry(retries)
                .with_http_connector(connector)
                .build()
                .map(|store| Arc::new(store) as _),
            "gs" => GoogleCloudStorageBuilder::from_env()
                .with_url(address)
                .with_retry(retries)
                .with_http_connector(connector)
                .build()
                .map(|store| Arc::new(store) as _),
            scheme => {
                let options = ClientOptions::new()
                    .with_allow_http(scheme == "http")
                    .with_connect_timeout(CONNECTION)
                    .with_timeout(REQUEST);
                HttpBuilder::new()
                    .with_url(&url[..Position::BeforePath])
                    .with_client_options(options)
                    .with_retry(retries)
                    .with_http_connector(connector)
                    .build()
                    .map(|store| Arc::new(store) as _)
            }
        };
        store.map_err(|error| invalid(error.to_string()))
    }
}
