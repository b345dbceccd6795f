//! The engine's tests: one file for each idea.

mod aei;
mod bouts;
mod games;
