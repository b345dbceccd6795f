//! How fast the log replays.
fn main() {}
