//! Table definitions by the `table!` macro: name, purpose, layout with reasons, columns with type, unit and meaning.
//! Arrow schema, Parquet properties, row builders and `annals schema tables` are generated from them.

use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Bit-packed differences, uncompressed: ids, times, counts.
    Delta,
    /// A dictionary per row group, then zstd: repeated values.
    Dictionary,
    /// Plain, then zstd.
    Plain,
    /// Plain and uncompressed: hashes.
    Random,
    /// Lengths, then bytes, then zstd: texts that seldom repeat.
    Lengths,
}

/// Granularity of minimum and maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistics {
    /// Per page: filters read only matching pages.
    Pages,
    RowGroups,
    /// None: ranges are useless (boards, long texts).
    None,
}

#[derive(Debug, Clone)]
pub struct ColumnSpec {
    pub name: &'static str,
    pub data_type: DataType,
    /// May be missing.
    pub nullable: bool,
    /// As shown to users.
    pub sql_type: &'static str,
    pub encoding: Encoding,
    pub statistics: Statistics,
    /// Empty if none.
    pub unit: &'static str,
    pub meaning: &'static str,
}

/// Without columns.
#[derive(Debug, Clone, Copy)]
pub struct TableSpec {
    /// Also in SQL and the manifest.
    pub name: &'static str,
    /// What a row is and what the table is for.
    pub purpose: &'static str,
    /// Path in the dataset folder.
    pub files: &'static str,
    /// Row order.
    pub order: &'static str,
    /// The reasons for the layout.
    pub layout: &'static str,
    /// The sort columns of every whole file, recorded in its metadata. Empty for source order: readers apply the claim
    /// of a row group to the whole file.
    pub sorted_by: &'static [&'static str],
    /// Most rows per row group.
    pub row_group_rows: usize,
    /// Most rows per page.
    pub page_rows: usize,
}

/// A builder of table rows.
pub trait Rows: Default + Send {
    const SPEC: TableSpec;
    fn columns() -> Vec<ColumnSpec>;
    /// One array per column; empties the builder.
    ///
    /// # Errors
    /// If a column cannot be built, which is an error in the builder.
    fn take(&mut self) -> Result<Vec<ArrayRef>, ArrowError>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    fn schema() -> SchemaRef {
        let fields = Self::columns();
        let fields = fields.into_iter().map(|c| Field::new(c.name, c.data_type, c.nullable));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }
}

/// As printed by `annals schema tables`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnDescription {
    pub name: &'static str,
    #[serde(rename = "type")]
    pub sql_type: &'static str,
    pub nullable: bool,
    pub unit: &'static str,
    pub meaning: &'static str,
    pub encoding: Encoding,
    pub statistics: Statistics,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableDescription {
    pub name: &'static str,
    pub purpose: &'static str,
    pub files: &'static str,
    pub order: &'static str,
    pub layout: &'static str,
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

/// Defines a table: row builder and description.
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

        /// Column names for readers.
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
