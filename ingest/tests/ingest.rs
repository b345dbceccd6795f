//! The tests of the crate from outside, one module for each part of it.

#[path = "ingest/addresses.rs"]
mod addresses;
#[path = "ingest/any_game_file.rs"]
mod any_game_file;
#[path = "ingest/archive_rows.rs"]
mod archive_rows;
#[path = "ingest/archive_tournaments.rs"]
mod archive_tournaments;
#[path = "ingest/bad_sources.rs"]
mod bad_sources;
#[path = "ingest/bounded.rs"]
mod bounded;
#[path = "ingest/changed_years.rs"]
mod changed_years;
#[path = "ingest/dataset.rs"]
mod dataset;
#[path = "ingest/events.rs"]
mod events;
#[path = "ingest/fixture.rs"]
mod fixture;
#[cfg(target_os = "linux")]
#[path = "ingest/full_disk.rs"]
mod full_disk;
#[path = "ingest/fuzz.rs"]
mod fuzz;
#[path = "ingest/game_files.rs"]
mod game_files;
#[path = "ingest/game_files_at_random.rs"]
mod game_files_at_random;
#[path = "ingest/given_back.rs"]
mod given_back;
#[path = "ingest/grown.rs"]
mod grown;
#[path = "ingest/killed.rs"]
mod killed;
#[path = "ingest/packed_sources.rs"]
mod packed_sources;
#[path = "ingest/publication_faults.rs"]
mod publication_faults;
#[path = "ingest/publication_model.rs"]
mod publication_model;
#[path = "ingest/publishing.rs"]
mod publishing;
#[path = "ingest/real_dataset.rs"]
mod real_dataset;
#[path = "ingest/real_files.rs"]
mod real_files;
#[path = "../../store/tests/store/protocol/search.rs"]
mod search;
#[path = "ingest/sources.rs"]
mod sources;
#[path = "ingest/state_audits.rs"]
mod state_audits;
#[path = "ingest/state_files.rs"]
mod state_files;
#[path = "ingest/state_losses.rs"]
mod state_losses;
#[path = "ingest/synced.rs"]
mod synced;
