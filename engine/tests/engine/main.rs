//! The engine's tests: one file for each idea.

mod elo;
mod games;
mod schedule;
mod selfplay;
mod sprt;
