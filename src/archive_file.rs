//! Games as an archive in the gameroom's format.

pub use annals_ingest::archive_row::Rows;
