//! The log tried as a whole: from outside its crate, with real files, processes that are killed, disks that fail, and
//! people who tamper.

#[path = "../child/work.rs"]
mod work;

#[path = "store/appending.rs"]
mod appending;
#[path = "store/opening.rs"]
mod opening;
#[path = "store/scene.rs"]
mod scene;
