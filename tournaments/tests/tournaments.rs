//! The tests of the tournaments that need vectors or the whole crate: one binary, one module for each subject.

#[path = "tournaments/qualifier.rs"]
mod qualifier;
#[path = "tournaments/ring.rs"]
mod ring;
#[path = "tournaments/swiss.rs"]
mod swiss;
#[path = "tournaments/vectors.rs"]
mod vectors;
