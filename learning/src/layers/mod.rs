//! The layers with forward passes and gradients, on rows of positions. Matrix products in `dense` depend in their last
//! bits on the processor; everything else is plain arithmetic in a fixed order, which the search uses too.

pub(crate) mod convolution;
pub(crate) mod curve;
pub(crate) mod dense;
pub(crate) mod normalization;
pub(crate) mod pooling;
pub(crate) mod skip;
