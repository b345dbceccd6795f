//! The tests of the rules that need files, vectors or the whole crate: one binary, one module for each subject.

#[path = "rules/adjudication.rs"]
mod adjudication;
#[path = "rules/amazons.rs"]
mod amazons;
#[path = "rules/amazons_game.rs"]
mod amazons_game;
#[path = "rules/amazons_grid.rs"]
mod amazons_grid;
#[path = "rules/amazons_properties.rs"]
mod amazons_properties;
#[path = "rules/amazons_texts.rs"]
mod amazons_texts;
#[path = "rules/archive.rs"]
mod archive;
#[path = "rules/clock_rating.rs"]
mod clock_rating;
#[path = "rules/eras.rs"]
mod eras;
#[path = "rules/game.rs"]
mod game;
#[path = "rules/mailbox.rs"]
mod mailbox;
#[path = "rules/perft.rs"]
mod perft;
#[path = "rules/properties.rs"]
mod properties;
#[path = "rules/real_archive.rs"]
mod real_archive;
#[path = "rules/real_turns.rs"]
mod real_turns;
#[path = "rules/setups.rs"]
mod setups;
#[path = "rules/step_counts.rs"]
mod step_counts;
#[path = "rules/steps.rs"]
mod steps;
#[path = "rules/texts.rs"]
mod texts;
#[path = "rules/vectors.rs"]
mod vectors;
