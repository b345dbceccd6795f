//! A worker: a service that runs parts of plans. It reads files of the file system and of addresses as a session does.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use annals_ingest::location::store_of;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::object_store::ObjectStore;
use datafusion::prelude::SessionContext;
use datafusion_distributed::{DistributedExt as _, Worker, WorkerQueryContext};
use tonic::service::Routes;
use url::Url;

use super::VERSION;
use super::channels::Channels;
use crate::Error;
use crate::session::{register_functions, runtime_builder};
use crate::spill::Spill;

/// The options of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Bytes that sorting, joining and grouping of all its tasks may hold before they spill to disk.
    pub memory: usize,
    /// The folder in which the worker creates one for spilled rows.
    pub spill: PathBuf,
    /// What it sends to other workers.
    pub token: Option<String>,
}

/// A worker that has not begun to listen.
pub struct WorkerService {
    pub routes: Routes,
    /// The tasks that it has begun.
    pub tasks: Arc<AtomicU64>,
    /// Its folder for spilled rows, which is removed when this is dropped.
    _spill: Spill,
}

/// Makes a worker.
///
/// # Errors
/// If the folder cannot be created, or the token is not a text for a header.
pub fn worker_service(options: &WorkerOptions) -> Result<WorkerService, Error> {
    let spill = Spill::begin(&options.spill)?;
    let runtime = runtime_builder(options.memory, spill.path().to_owned())
        .with_object_store_registry(Arc::new(Stores::default()))
        .build_arc()?;
    let channels = Channels::new(options.token.as_deref())?;
    // The functions of a session, which plans name.
    let functions = SessionContext::new();
    let functions = register_functions(functions)?.state();
    let tasks = Arc::new(AtomicU64::new(0));
    let begun = Arc::clone(&tasks);
    // Called for each task.
    let build = move |context: WorkerQueryContext| {
        begun.fetch_add(1, Ordering::Relaxed);
        let state = with_functions(context.builder, &functions)
            .with_distributed_channel_resolver(channels.clone())
            .build();
        std::future::ready(Ok::<SessionState, DataFusionError>(state))
    };
    let worker = Worker::from_session_builder(build).with_runtime_env(runtime).with_version(VERSION);
    Ok(WorkerService { routes: Routes::new(worker.into_worker_server()), tasks, _spill: spill })
}

fn with_functions(builder: SessionStateBuilder, of: &SessionState) -> SessionStateBuilder {
    builder
        .with_scalar_functions(of.scalar_functions().values().cloned().collect())
        .with_aggregate_functions(of.aggregate_functions().values().cloned().collect())
        .with_window_functions(of.window_functions().values().cloned().collect())
}

/// Stores by URL; one that is not known yet is opened with the credentials of the environment.
#[derive(Debug, Default)]
struct Stores(DefaultObjectStoreRegistry);

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.0.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.0.get_store(url).or_else(|_| {
            let store = store_of(url).map_err(|error| DataFusionError::External(Box::new(error)))?;
            self.0.register_store(url, Arc::clone(&store));
            Ok(store)
        })
    }
}
