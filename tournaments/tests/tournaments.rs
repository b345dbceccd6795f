//! The tests of the tournaments that need vectors or the whole crate: one binary, one module for each subject.

#[path = "tournaments/colours.rs"]
mod colours;
#[path = "tournaments/elimination_rules.rs"]
mod elimination_rules;
#[path = "tournaments/elimination_vectors.rs"]
mod elimination_vectors;
#[path = "tournaments/pairing_exact.rs"]
mod pairing_exact;
#[path = "tournaments/places.rs"]
mod places;
#[path = "tournaments/qualifier.rs"]
mod qualifier;
#[path = "tournaments/ratings.rs"]
mod ratings;
#[path = "tournaments/ring.rs"]
mod ring;
#[path = "tournaments/rulings.rs"]
mod rulings;
#[path = "tournaments/swiss.rs"]
mod swiss;
#[path = "tournaments/vectors.rs"]
mod vectors;
