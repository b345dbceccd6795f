//! Networks on small games that were made up: what is learnt, what is kept, what is refused.

mod checkpoints;
mod data;
mod judging;
mod models;
mod search;
mod training;
