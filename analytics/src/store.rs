//! The store that has the files of a dataset: the file system, or one at an address.

use std::fmt;
use std::sync::Arc;

use annals_ingest::location::OpenDataset;
use datafusion::common::Result;
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::object_store::ObjectStore;
use datafusion::prelude::SessionContext;

/// A store, and the URL under which the engine finds it.
#[derive(Clone)]
pub(crate) struct Store {
    pub url: ObjectStoreUrl,
    /// None for the file system, which the engine has already.
    published: Option<Arc<dyn ObjectStore>>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({})", self.url.as_str())
    }
}

impl Store {
    pub fn local() -> Store {
        Store { url: ObjectStoreUrl::local_filesystem(), published: None }
    }

    pub fn of(dataset: &OpenDataset) -> Result<Store> {
        match dataset.store() {
            None => Ok(Store::local()),
            Some((root, _)) if root.scheme() == "file" => Ok(Store::local()),
            Some((root, store)) => Ok(Store { url: ObjectStoreUrl::parse(root)?, published: Some(store) }),
        }
    }

    pub fn register(&self, context: &SessionContext) {
        if let Some(store) = &self.published {
            context.register_object_store(self.url.as_ref(), store.clone());
        }
    }
}
