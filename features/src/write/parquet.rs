//! Parquet: working threads encode row groups, the writing one appends them. Planes are fixed-size binary, for reading
//! in place; grouping and filter columns are texts and numbers.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals_ingest::source::SourceInfo;
use arrow::array::{
    ArrayRef, BooleanArray, DictionaryArray, FixedSizeBinaryArray, Int8Array, Int16Array, StringArray,
    UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use arrow::buffer::Buffer;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt8Type};
use arrow::error::ArrowError;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, TypePtr};

use crate::columns::{Column, Kind, NO_RATING};
use crate::error::FeatureError;
use crate::format::METADATA;
use crate::table::FeatureTable;

/// The files' writer. It changes with the bytes, not with releases.
const CREATED_BY: &str = "annals-features version 1.0.0";

/// Of pages: planes are mostly zeros, and higher levels save little.
const ZSTD_LEVEL: i32 = 1;

/// Shared by all threads.
pub(super) struct Encoder {
    schema: SchemaRef,
    parquet_schema: TypePtr,
    properties: WriterPropertiesPtr,
    factory: ArrowRowGroupWriterFactory,
}

pub(super) struct RowGroup(Vec<ArrowColumnChunk>);

impl Encoder {
    pub fn new(columns: &[&'static Column], plain: bool) -> Result<Encoder, FeatureError> {
        let fields: Vec<Field> = columns.iter().map(|column| field(column)).collect();
        let schema: SchemaRef = Arc::new(Schema::new(fields));
        let mut properties = properties(columns, plain)?;
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let properties = Arc::new(properties);
        let parquet_schema = ArrowSchemaConverter::new().convert(&schema)?.root_schema_ptr();
        // The factory takes schema and properties from any file writer.
        let model =
            SerializedFileWriter::new(std::io::sink(), Arc::clone(&parquet_schema), Arc::clone(&properties))?;
        let factory = ArrowRowGroupWriterFactory::new(&model, Arc::clone(&schema));
        Ok(Encoder { schema, parquet_schema, properties, factory })
    }

    /// Rows of one source.
    pub fn encode(&self, table: FeatureTable, source: &SourceInfo) -> Result<RowGroup, FeatureError> {
        let mut chunks = Vec::new();
        let mut writers = self.factory.create_column_writers(0)?.into_iter();
        let rows = table.rows();
        for (field, (column, bytes)) in self.schema.fields().iter().zip(table.into_columns()) {
            let array = array(column.kind, bytes, rows, &source.name)?;
            for leaf in compute_leaves(field, &array)? {
                let writer = writers.next();
                let mut writer = writer.ok_or_else(|| ParquetError::General("too many leaves".to_owned()))?;
                writer.write(&leaf)?;
                chunks.push(writer.close()?);
            }
        }
        Ok(RowGroup(chunks))
    }
}

fn field(column: &Column) -> Field {
    let words = || DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8));
    let data_type = match column.kind {
        Kind::Truth => DataType::Boolean,
        Kind::U8 => DataType::UInt8,
        Kind::I8 => DataType::Int8,
        Kind::U16 => DataType::UInt16,
        Kind::I16 | Kind::Rating => DataType::Int16,
        Kind::U32 => DataType::UInt32,
        Kind::U64 => DataType::UInt64,
        Kind::Word(_) | Kind::Source => words(),
        Kind::Planes(_) => DataType::FixedSizeBinary(plane_bytes(column.kind)),
    };
    Field::new(column.name, data_type, column.kind == Kind::Rating)
}

/// Some thousand at most.
fn plane_bytes(kind: Kind) -> i32 {
    i32::try_from(kind.width()).unwrap_or(i32::MAX)
}

fn properties(columns: &[&'static Column], plain: bool) -> Result<WriterProperties, FeatureError> {
    let packed = || ZstdLevel::try_new(ZSTD_LEVEL).map(Compression::ZSTD);
    let compression = if plain { Compression::UNCOMPRESSED } else { packed()? };
    let mut builder = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(compression)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for column in columns.iter().filter(|column| matches!(column.kind, Kind::Planes(_))) {
        let path = ColumnPath::from(column.name);
        builder = builder
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_statistics_enabled(path, EnabledStatistics::None);
    }
    Ok(builder.build())
}

/// From bytes.
fn numbers<const N: usize, T>(bytes: &[u8], of: fn([u8; N]) -> T) -> Vec<T> {
    let (numbers, _) = bytes.as_chunks::<N>();
    numbers.iter().map(|number| of(*number)).collect()
}

fn array(kind: Kind, bytes: Vec<u8>, rows: usize, source: &str) -> Result<ArrayRef, ArrowError> {
    let words = |keys: Vec<u8>, words: &[&str]| {
        let values = Arc::new(StringArray::from(words.to_vec()));
        DictionaryArray::<UInt8Type>::try_new(UInt8Array::from(keys), values)
    };
    Ok(match kind {
        Kind::Truth => Arc::new(BooleanArray::from_iter(bytes.iter().map(|byte| Some(*byte != 0)))),
        Kind::U8 => Arc::new(UInt8Array::from(bytes)),
        Kind::I8 => Arc::new(Int8Array::from(numbers(&bytes, i8::from_le_bytes))),
        Kind::U16 => Arc::new(UInt16Array::from(numbers(&bytes, u16::from_le_bytes))),
        Kind::I16 => Arc::new(Int16Array::from(numbers(&bytes, i16::from_le_bytes))),
        Kind::Rating => {
            let ratings = numbers(&bytes, i16::from_le_bytes).into_iter();
            Arc::new(Int16Array::from_iter(ratings.map(|rating| (rating != NO_RATING).then_some(rating))))
        }
        Kind::U32 => Arc::new(UInt32Array::from(numbers(&bytes, u32::from_le_bytes))),
        Kind::U64 => Arc::new(UInt64Array::from(numbers(&bytes, u64::from_le_bytes))),
        Kind::Word(known) => Arc::new(words(bytes, known)?),
        // A table's rows are of one source.
        Kind::Source => Arc::new(words(vec![0; rows], &[source])?),
        Kind::Planes(_) => {
            Arc::new(FixedSizeBinaryArray::try_new(plane_bytes(kind), Buffer::from_vec(bytes), None)?)
        }
    })
}

pub(super) struct TableFile {
    target: PathBuf,
    writer: SerializedFileWriter<BufWriter<File>>,
}

impl TableFile {
    pub fn create(path: &Path, target: &Path, encoder: &Encoder) -> Result<TableFile, FeatureError> {
        let file = File::create(path).map_err(|e| FeatureError::write("created", target, e))?;
        let file = BufWriter::with_capacity(1 << 18, file);
        let (schema, properties) = (Arc::clone(&encoder.parquet_schema), Arc::clone(&encoder.properties));
        let writer = SerializedFileWriter::new(file, schema, properties).map_err(|e| failed(target, e))?;
        Ok(TableFile { target: target.to_owned(), writer })
    }

    pub fn append(&mut self, RowGroup(chunks): RowGroup) -> Result<(), FeatureError> {
        let failed = |error| failed(&self.target, error);
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        Ok(())
    }

    /// With the table's description.
    pub fn finish(mut self, description: &str, metadata: &[(&str, String)]) -> Result<(), FeatureError> {
        for (key, value) in metadata {
            self.writer.append_key_value_metadata(KeyValue::new((*key).to_owned(), value.clone()));
        }
        let description = KeyValue::new(METADATA.to_owned(), description.to_owned());
        self.writer.append_key_value_metadata(description);
        self.writer.close().map_err(|error| failed(&self.target, error))?;
        Ok(())
    }
}

/// A disk error of Parquet as the file's.
fn failed(target: &Path, error: ParquetError) -> FeatureError {
    let source = match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => *error,
            Err(error) => std::io::Error::other(error),
        },
        error => std::io::Error::other(error),
    };
    FeatureError::write("written", target, source)
}
