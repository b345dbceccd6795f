//! From collected rows to staged Parquet files, and from staged files to a dataset.

mod error;
mod row_group;
mod sink;
mod staging;
mod stored;
mod table_file;

pub use error::WriteError;
pub use row_group::{Encoder, RowGroup};
pub use sink::Sink;
pub use staging::{
    FinishedInput, FinishedSource, Journal, LOCK_FILE, Lock, PublishError, STAGING_FOLDER, Staging,
};
pub use stored::{Columns, StoredFile, StoredFileError, text as stored_text, value as stored_value};
pub use table_file::{BatchedTable, StagedFile, TableFile};
