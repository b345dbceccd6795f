//! What a table is: its name, what it is for, how its files are laid out and why, and for every column its type,
//! unit and meaning. The `table!` macro writes all of that once; the Arrow schema, the Parquet
//! properties, the row builders and the description that `annals schema tables` prints come from it.

use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use serde::Serialize;

/// How a column is encoded in its Parquet pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Differences to the value before, bit-packed, not compressed again: ids, times, counts, which change little
    /// from row to row.
    Delta,
    /// A dictionary for each row group, then zstd: words, names and other values that come again.
    Dictionary,
    /// The bytes as they are, then zstd.
    Plain,
    /// The bytes as they are and no compression: hashes, which no method makes smaller.
    Random,
    /// Texts that seldom come again: all lengths, then all bytes, then zstd.
    Lengths,
}

/// How finely a column's minimum and maximum are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistics {
    /// For every page: a reader who filters by this column reads only the pages that can match.
    Pages,
    RowGroups,
    /// Not at all: nobody can use the range of this column (boards, long texts).
    None,
}

/// A column as it is defined.
#[derive(Debug, Clone)]
pub struct ColumnSpec {
    pub name: &'static str,
    /// Its Arrow type.
    pub data_type: DataType,
    /// Whether a value may be missing.
    pub nullable: bool,
    /// Its type in the words of SQL.
    pub sql_type: &'static str,
    pub encoding: Encoding,
    /// How finely its range is kept.
    pub statistics: Statistics,
    /// The unit, empty where there is none.
    pub unit: &'static str,
    pub meaning: &'static str,
}

/// A table as it is defined, without its columns.
#[derive(Debug, Clone, Copy)]
pub struct TableSpec {
    /// Its name, also in SQL and in the manifest.
    pub name: &'static str,
    /// What one row is and what the table is for.
    pub purpose: &'static str,
    /// Where its files lie in the dataset folder.
    pub files: &'static str,
    /// In which order the rows stand.
    pub order: &'static str,
    /// Why it is laid out like that.
    pub layout: &'static str,
    /// The columns by which every file is sorted as a whole; recorded in its metadata. Empty where the order is that of
    /// the source: readers take the claim of one row group for the whole file.
    pub sorted_by: &'static [&'static str],
    /// The most rows of a row group.
    pub row_group_rows: usize,
    /// The most rows of a page.
    pub page_rows: usize,
}

/// The rows of one table, being gathered.
pub trait Rows: Default + Send {
    const SPEC: TableSpec;
    /// The columns, in order.
    fn columns() -> Vec<ColumnSpec>;
    /// The rows gathered, as one array for each column; the builder is empty afterwards.
    ///
    /// # Errors
    /// When a column cannot be built, which only a wrong builder can bring about.
    fn take(&mut self) -> Result<Vec<ArrayRef>, ArrowError>;
    /// The number of rows gathered.
    fn len(&self) -> usize;
    /// Whether nothing has been gathered.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The Arrow schema.
    fn schema() -> SchemaRef {
        let fields = Self::columns();
        let fields = fields.into_iter().map(|c| Field::new(c.name, c.data_type, c.nullable));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }
}

/// A column as `annals schema tables` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnDescription {
    pub name: &'static str,
    /// Its type in the words of SQL.
    #[serde(rename = "type")]
    pub sql_type: &'static str,
    /// Whether a value may be missing.
    pub nullable: bool,
    /// The unit, empty where there is none.
    pub unit: &'static str,
    pub meaning: &'static str,
    pub encoding: Encoding,
    /// How finely its range is kept.
    pub statistics: Statistics,
}

/// A table as `annals schema tables` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableDescription {
    pub name: &'static str,
    /// What one row is and what the table is for.
    pub purpose: &'static str,
    /// Where its files lie in the dataset folder.
    pub files: &'static str,
    /// In which order the rows stand.
    pub order: &'static str,
    /// Why it is laid out like that.
    pub layout: &'static str,
    /// The columns, in order.
    pub columns: Vec<ColumnDescription>,
}

#[must_use]
pub fn describe_table<R: Rows>() -> TableDescription {
    let TableSpec { name, purpose, files, order, layout, .. } = R::SPEC;
    let columns = R::columns().into_iter().map(|c| ColumnDescription {
        name: c.name,
        sql_type: c.sql_type,
        nullable: c.nullable,
        unit: c.unit,
        meaning: c.meaning,
        encoding: c.encoding,
        statistics: c.statistics,
    });
    TableDescription { name, purpose, files, order, layout, columns: columns.collect() }
}

/// Defines a table: its row builder with a field for each column, and everything that is said about it.
macro_rules! table {
    (
        $(#[$meta:meta])*
        pub struct $rows:ident;
        name: $table:literal,
        purpose: $purpose:literal,
        files: $files:literal,
        order: $order:literal,
        layout: $layout:literal,
        sorted_by: $sorted_by:expr,
        row_group_rows: $row_group_rows:expr,
        page_rows: $page_rows:expr,
        columns: {
            $($name:ident: $type:ty, $encoding:ident, $statistics:ident, $unit:literal, $meaning:literal;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        pub struct $rows {
            $(#[doc = $meaning] pub $name: $type,)+
        }

        /// The names of the columns, for readers of the files.
        #[allow(non_upper_case_globals)]
        impl $rows {
            $(#[doc = $meaning] pub const $name: &'static str = stringify!($name);)+
        }

        impl $crate::tables::schema::Rows for $rows {
            const SPEC: $crate::tables::schema::TableSpec = $crate::tables::schema::TableSpec {
                name: $table,
                purpose: $purpose,
                files: $files,
                order: $order,
                layout: $layout,
                sorted_by: $sorted_by,
                row_group_rows: $row_group_rows,
                page_rows: $page_rows,
            };

            fn columns() -> Vec<$crate::tables::schema::ColumnSpec> {
                use $crate::tables::column::Column;
                vec![$($crate::tables::schema::ColumnSpec {
                    name: stringify!($name),
                    data_type: <$type>::data_type(),
                    nullable: <$type>::NULLABLE,
                    sql_type: <$type>::SQL_TYPE,
                    encoding: $crate::tables::schema::Encoding::$encoding,
                    statistics: $crate::tables::schema::Statistics::$statistics,
                    unit: $unit,
                    meaning: $meaning,
                }),+]
            }

            fn take(&mut self) -> Result<Vec<arrow::array::ArrayRef>, arrow::error::ArrowError> {
                use $crate::tables::column::Column;
                Ok(vec![$(self.$name.finish()?),+])
            }

            fn len(&self) -> usize {
                use $crate::tables::column::Column;
                let lengths = [$(self.$name.len()),+];
                debug_assert!(lengths.iter().all(|l| *l == lengths[0]), "ragged {}: {lengths:?}", $table);
                lengths[0]
            }
        }
    };
}
pub(crate) use table;
