//! The objects under an address.

use std::fmt;
use std::future::Future;
use std::path::Path as FilePath;
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, PutPayload};
use tokio::runtime::{Builder, Handle, Runtime};
use url::Url;

use super::error::{AddressError, RequestFailure};
use super::stores;

/// One thread for the requests of all addresses; it waits for the network only.
static REQUESTS: LazyLock<std::io::Result<Runtime>> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(1).thread_name("annals-requests").enable_all().build()
});

/// An address, and the store that has it.
pub struct Objects {
    /// Without a slash at the end.
    address: String,
    root: Url,
    prefix: Path,
    store: Arc<dyn ObjectStore>,
}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Objects({})", self.address)
    }
}

impl Objects {
    /// # Errors
    /// If it is not an address, or the program was built without stores of its kind.
    pub fn at(address: &str) -> Result<Objects, AddressError> {
        let address = address.trim_end_matches('/');
        let invalid = |why: String| AddressError::Invalid { address: without_secrets(address), why };
        let url = Url::parse(address).map_err(|error| invalid(error.to_string()))?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        if url.query().is_some() || url.fragment().is_some() || has_user {
            return Err(invalid("it has a query, a fragment, a user or a password".to_owned()));
        }
        let (store, root) = stores::open(&url, address)?;
        let prefix = Path::from_url_path(url.path()).map_err(|error| invalid(error.to_string()))?;
        Ok(Objects { address: address.to_owned(), root, prefix, store })
    }

    /// Published files in a folder of this machine.
    ///
    /// # Errors
    /// If the path is not valid.
    pub fn in_folder(folder: &FilePath) -> Result<Objects, AddressError> {
        let address = folder.display().to_string();
        let invalid = |why: String| AddressError::Invalid { address: address.clone(), why };
        let absolute = std::path::absolute(folder).map_err(|error| invalid(error.to_string()))?;
        let prefix = Path::from_absolute_path(&absolute).map_err(|error| invalid(error.to_string()))?;
        let root = Url::parse("file:///").map_err(|error| invalid(error.to_string()))?;
        Ok(Objects { address, root, prefix, store: Arc::new(LocalFileSystem::new()) })
    }

    /// An address in a store that the caller has opened, such as `memory:///datasets/cup`.
    ///
    /// # Errors
    /// If it is not an address.
    pub fn in_store(address: &str, store: Arc<dyn ObjectStore>) -> Result<Objects, AddressError> {
        let address = address.trim_end_matches('/');
        let invalid = |why: String| AddressError::Invalid { address: without_secrets(address), why };
        let mut root = Url::parse(address).map_err(|error| invalid(error.to_string()))?;
        let prefix = Path::from_url_path(root.path()).map_err(|error| invalid(error.to_string()))?;
        root.set_path("");
        Ok(Objects { address: address.to_owned(), root, prefix, store })
    }

    /// As it was given, without a slash at the end.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The URL of the store itself.
    #[must_use]
    pub fn root(&self) -> &Url {
        &self.root
    }

    /// A web host has no list of its objects, and creates none.
    pub(super) fn is_web_host(&self) -> bool {
        matches!(self.root.scheme(), "http" | "https")
    }

    pub(super) fn is_remote(&self) -> bool {
        self.root.scheme() != "file"
    }

    pub(super) fn store(&self) -> Arc<dyn ObjectStore> {
        self.store.clone()
    }

    /// An object below the address.
    pub(super) fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), |path, part| path.join(part))
    }

    /// How messages name an object.
    pub(crate) fn named(&self, name: &str) -> String {
        format!("{}/{name}", self.address)
    }

    /// Waits for requests; not to be called from within them.
    pub(super) fn wait<T>(future: impl Future<Output = T>) -> std::io::Result<T> {
        Ok(handle()?.block_on(future))
    }

    /// As [`wait`](Objects::wait), with an error about the address.
    pub(crate) fn run<T>(
        &self,
        future: impl Future<Output = Result<T, AddressError>>,
    ) -> Result<T, AddressError> {
        Objects::wait(future).map_err(|error| AddressError::Request {
            object: self.address.clone(),
            what: "read",
            failure: RequestFailure::Other,
            why: format!("no thread for requests can be started: {error}"),
        })?
    }

    /// The size of an object; none if it does not exist.
    pub(crate) async fn size(&self, name: &str) -> Result<Option<u64>, AddressError> {
        match self.store.head(&self.path(name)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(AddressError::request(self.named(name), "read", &error)),
        }
    }

    /// The names of the objects at the address, without those in folders.
    pub(super) async fn names(&self) -> Result<Vec<String>, AddressError> {
        let found = self.store.list_with_delimiter(Some(&self.prefix)).await;
        let found = found.map_err(|error| AddressError::request(self.address.clone(), "read", &error))?;
        Ok(found.objects.iter().filter_map(|object| object.location.filename().map(str::to_owned)).collect())
    }

    /// # Errors
    /// If the host does not send a range of an object.
    pub(super) async fn check_ranges(&self, name: &str) -> Result<(), AddressError> {
        match self.store.get_range(&self.path(name), 0..1).await {
            Err(object_store::Error::NotSupported { .. }) => {
                Err(AddressError::cannot_be_read(&self.address, RequestFailure::NoRanges))
            }
            // Another failure is that of the object, which is read next.
            _ => Ok(()),
        }
    }

    pub(crate) async fn read(&self, name: &str) -> Result<Bytes, AddressError> {
        let failed = |error| AddressError::request(self.named(name), "read", &error);
        self.store.get(&self.path(name)).await.map_err(failed)?.bytes().await.map_err(failed)
    }

    /// Creates an object; false if it exists already.
    pub(crate) async fn create(&self, name: &str, content: Vec<u8>) -> Result<bool, AddressError> {
        let payload = PutPayload::from(content);
        match self.store.put_opts(&self.path(name), payload, PutMode::Create.into()).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
                Ok(false)
            }
            Err(error) => Err(AddressError::request(self.named(name), "written", &error)),
        }
    }
}

/// An address for messages, without what may be a password or a signature.
fn without_secrets(address: &str) -> String {
    let hidden = |text: &str, from: usize, to: usize| format!("{}…{}", &text[..from], &text[to..]);
    let address = match address.find('?') {
        Some(query) => hidden(address, query + 1, address.len()),
        None => address.to_owned(),
    };
    let host = address.find("://").map_or(0, |at| at + 3);
    match address.rfind('@').filter(|at| *at > host) {
        Some(at) => hidden(&address, host, at),
        None => address,
    }
}

/// The threads of requests.
pub(super) fn handle() -> std::io::Result<Handle> {
    match &*REQUESTS {
        Ok(runtime) => Ok(runtime.handle().clone()),
        Err(error) => Err(std::io::Error::new(error.kind(), error.to_string())),
    }
}
