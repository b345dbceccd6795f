//! Networks that learn to evaluate positions. The only crate that knows the network library.
