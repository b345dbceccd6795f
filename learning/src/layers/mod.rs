//! The layers, each with its forward pass and its derivatives, on rows of numbers: a row for each position.
//!
//! The product of matrices in `dense` depends in its last bits on the kind of processor. Everything else is plain arithmetic in a
//! fixed order, which the search uses too.

pub(crate) mod convolution;
pub(crate) mod curve;
pub(crate) mod dense;
pub(crate) mod normalization;
pub(crate) mod pooling;
