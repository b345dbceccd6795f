//! An ingest on several machines. A plan lists the input files in order. Each shard reads its part of them and writes
//! tables and indexes to the address; the finisher decides about games that several shards have, merges the indexes,
//! and publishes. The dataset has the same bytes as that of one ingest of all files.
//!
//! Nothing at the address is changed: files are named by their content, reports and manifests are created once. So a
//! shard that ended early runs again, and two finishers make one dataset.

mod finish;
mod plan;
mod report;
mod shard;
mod shared_games;

pub use finish::{Finished, finish};
pub use plan::{PlanError, Shard, ShardPlan};
pub use shard::{ShardDone, run_shard};
