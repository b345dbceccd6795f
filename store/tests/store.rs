//! The log tried as a whole: from outside its crate, with real files, processes that are killed, disks that fail, and
//! people who tamper.

#[path = "../child/work.rs"]
mod work;

#[path = "store/appending.rs"]
mod appending;
#[path = "store/backups.rs"]
mod backups;
#[path = "store/opening.rs"]
mod opening;
#[path = "store/proofs.rs"]
mod proofs;
#[path = "store/scene.rs"]
mod scene;
#[path = "store/tampering.rs"]
mod tampering;
