//! The engine's tests: one file for each idea.

mod games;
