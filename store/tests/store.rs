//! The log tried as a whole: from outside its crate, with real files, processes that are killed, disks that fail, and
//! people who tamper.

// The child itself uses the rest of it.
#[allow(dead_code)]
#[path = "../child/work.rs"]
mod work;

#[path = "store/actor_signing.rs"]
mod actor_signing;
#[path = "store/appending.rs"]
mod appending;
#[path = "store/backups.rs"]
mod backups;
#[path = "store/child.rs"]
mod child;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "store/disk.rs"]
mod disk;
#[path = "store/endless.rs"]
mod endless;
#[cfg(target_os = "linux")]
#[path = "store/failing.rs"]
mod failing;
#[path = "store/flips.rs"]
mod flips;
#[path = "store/gathering.rs"]
mod gathering;
#[path = "store/kills.rs"]
mod kills;
#[path = "store/losing.rs"]
mod losing;
#[path = "store/opening.rs"]
mod opening;
#[path = "store/planting.rs"]
mod planting;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "store/power.rs"]
mod power;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "store/process.rs"]
mod process;
#[path = "store/proofs.rs"]
mod proofs;
#[path = "store/protocol/mod.rs"]
mod protocol;
#[path = "store/salvaging.rs"]
mod salvaging;
#[path = "store/scene.rs"]
mod scene;
#[path = "store/sealing.rs"]
mod sealing;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "store/simulation/mod.rs"]
mod simulation;
#[path = "store/tampering.rs"]
mod tampering;
#[path = "store/tlog.rs"]
mod tlog;
#[path = "store/tlog_witness.rs"]
mod tlog_witness;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "store/trace.rs"]
mod trace;
#[path = "store/trees.rs"]
mod trees;
