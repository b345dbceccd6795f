//! Whole-program tests: each reads like use. One binary, one module per subject.

#[path = "annals/architecture.rs"]
mod architecture;
#[path = "annals/ingesting.rs"]
mod ingesting;
#[path = "annals/program.rs"]
mod program;
