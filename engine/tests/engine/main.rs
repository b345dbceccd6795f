//! The engine's tests: one file for each idea.

mod aei;
mod amazons_bouts;
mod amazons_evaluation;
mod amazons_places;
mod amazons_search;
mod amazons_strength;
mod bouts;
mod elo;
mod evaluation;
mod evaluation_terms;
mod games;
mod players;
mod schedule;
mod search;
mod search_anywhere;
mod search_exactness;
mod search_places;
mod selfplay;
mod sprt;
mod threats;
mod threats_by_motif;
mod threats_slowly;
#[allow(dead_code, reason = "shared with the tests of the rules, which use more of it")]
#[path = "../../../rules/tests/rules/vectors.rs"]
mod vectors;
