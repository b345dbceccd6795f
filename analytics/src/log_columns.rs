//! Columns of the tables that are read from the log.

use std::sync::Arc;

use annals_ingest::tables::{ColumnDescription, Encoding, Statistics};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef, TimeUnit};

/// The kind of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Text,
    Time,
    Truth,
    /// Texts; an empty list if there is none.
    List,
}

/// A column: its name, its kind, its unit, its meaning.
pub(crate) type Column = (&'static str, Kind, &'static str, &'static str);

impl Kind {
    fn data_type(self) -> DataType {
        match self {
            Kind::Number => DataType::Int64,
            Kind::Text => DataType::Utf8,
            Kind::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            Kind::Truth => DataType::Boolean,
            Kind::List => DataType::List(item_field()),
        }
    }

    pub(crate) const fn sql(self) -> &'static str {
        match self {
            Kind::Number => "BIGINT",
            Kind::Text => "VARCHAR",
            Kind::Time => "TIMESTAMP (UTC, microseconds)",
            Kind::Truth => "BOOLEAN",
            Kind::List => "VARCHAR[]",
        }
    }
}

pub(crate) fn item_field() -> FieldRef {
    Arc::new(Field::new("element", DataType::Utf8, false))
}

pub(crate) fn schema(columns: &[Column], nullable: bool) -> SchemaRef {
    let field = |(name, kind, ..): &Column| Field::new(*name, kind.data_type(), nullable);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// Columns as `annals schema tables` describes them.
pub(crate) fn describe(columns: &'static [Column], nullable: bool) -> Vec<ColumnDescription> {
    columns
        .iter()
        .map(|(name, kind, unit, meaning)| ColumnDescription {
            name,
            sql_type: kind.sql(),
            nullable,
            unit,
            meaning,
            encoding: Encoding::Plain,
            statistics: Statistics::None,
        })
        .collect()
}
