//! How fast a log is verified.
fn main() {}
