//! The side of the query: which workers answer, a context that distributes plans, and what ran where.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use datafusion::common::Result;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::execution::SessionStateBuilder;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;
use datafusion_distributed::{
    ChannelResolver as _, DistributedExt as _, GetWorkerInfoRequest, NetworkBoundaryExt as _,
    SessionStateBuilderExt as _, WorkerResolver,
};
use futures::future::join_all;
use tokio::time::timeout;
use url::Url;

use super::channels::Channels;
use super::{VERSION, Workers};
use crate::Error;

/// How long a worker may take to state its version.
const ANSWER: Duration = Duration::from_secs(5);

/// The context that distributes plans among workers.
pub(crate) struct Cluster {
    pub context: SessionContext,
    /// Of workers that do not answer, why not.
    pub missing: Vec<String>,
}

/// What of a query ran on workers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ran {
    /// Stages of the plan that ran on workers; 0 for a query that ran here alone.
    pub stages: usize,
    /// Their tasks together.
    pub tasks: usize,
}

struct Listed(Vec<Url>);

impl WorkerResolver for Listed {
    fn get_urls(&self) -> Result<Vec<Url>> {
        Ok(self.0.clone())
    }
}

impl Cluster {
    /// A context with the tables and functions of `local`. Must run in the runtime that will run the queries.
    ///
    /// # Errors
    /// `Workers` if none answers, or one has another version.
    pub(crate) async fn of(local: &SessionContext, workers: &Workers) -> Result<Cluster, Error> {
        let channels = Channels::new(workers.token.as_deref())?;
        let asked = workers.addresses.iter().map(|address| version(&channels, address));
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for (address, answer) in workers.addresses.iter().zip(join_all(asked).await) {
            match answer {
                Ok(version) if version == VERSION => found.push(address.clone()),
                Ok(version) => {
                    return Err(Error::Workers {
                        what: format!("{address} runs `{version}`, this program is `{VERSION}`"),
                    });
                }
                Err(why) => missing.push(format!("{address} does not answer: {why}")),
            }
        }
        if found.is_empty() {
            return Err(Error::Workers { what: missing.join("; ") });
        }
        let config = local.copied_config().with_create_default_catalog_and_schema(false);
        let state = SessionStateBuilder::new_from_existing(local.state())
            .with_config(config)
            .with_distributed_worker_resolver(Listed(found))
            .with_distributed_channel_resolver(channels)
            .with_distributed_file_scan_config_bytes_per_partition(workers.scan_bytes)?
            .with_distributed_planner()
            .build();
        Ok(Cluster { context: SessionContext::new_with_state(state), missing })
    }
}

async fn version(channels: &Channels, address: &Url) -> Result<String, String> {
    let asked = async {
        let mut worker = channels.get_worker_client_for_url(address).await?;
        worker.get_worker_info(GetWorkerInfoRequest {}).await
    };
    match timeout(ANSWER, asked).await {
        Ok(Ok(answer)) => Ok(answer.version),
        Ok(Err(error)) => Err(error.strip_backtrace()),
        Err(_) => Err(format!("no answer in {} s", ANSWER.as_secs())),
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stages {
            0 => f.write_str("workers: none, the query ran here"),
            stages => write!(f, "workers: {stages} stages in {} tasks", self.tasks),
        }
    }
}

impl Ran {
    /// Whether workers ran parts of it.
    #[must_use]
    pub fn is_distributed(self) -> bool {
        self.stages > 0
    }

    pub(crate) fn of(plan: &Arc<dyn ExecutionPlan>) -> Ran {
        let mut ran = Ran::default();
        let _ = plan.apply(|node| {
            if let Some(boundary) = node.as_network_boundary() {
                ran.stages += 1;
                ran.tasks += boundary.input_stage().task_count();
            }
            Ok(TreeNodeRecursion::Continue)
        });
        ran
    }
}
