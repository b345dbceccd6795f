//! The engine's tests: one file for each idea.

mod evaluation;
mod evaluation_terms;
mod games;
#[path = "../../../rules/tests/rules/vectors.rs"]
#[allow(dead_code, reason = "shared with the tests of the rules, which use all of it")]
mod vectors;
