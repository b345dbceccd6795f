//! Reads written tables into memory, with checks: truncated or foreign files are errors.

use std::fs::File;
use std::io::{Read, Seek as _, SeekFrom};
use std::path::Path;

use arrow::array::{Array, AsArray as _, RecordBatch};
use arrow::datatypes::{UInt8Type, UInt16Type, UInt64Type};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use crate::dataset::{Dataset, Gathered, NEEDED};
use crate::error::FeatureError;
use crate::format::METADATA;
use crate::paper;

/// Rows per batch.
const ROWS: usize = 16_384;

/// Longest safetensors header; that of a thousand sources has some hundred kilobytes.
const MAX_HEADER: u64 = 100 << 20;

/// The table's description line, from its JSON.
fn description(path: &Path, json: Option<&str>) -> Result<String, FeatureError> {
    let missing = || FeatureError::NoDescription { path: path.to_owned() };
    let whole: Value =
        serde_json::from_str(json.ok_or_else(missing)?).map_err(|e| FeatureError::damaged(path, e))?;
    Ok(whole.get("description").and_then(Value::as_str).ok_or_else(missing)?.to_owned())
}

pub(crate) fn parquet(path: &Path) -> Result<Dataset, FeatureError> {
    let damaged = |error: &dyn std::fmt::Display| FeatureError::damaged(path, error);
    let file = File::open(path).map_err(|error| FeatureError::read(path, error))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| damaged(&e))?;
    let metadata = builder.metadata().file_metadata().key_value_metadata();
    let json = metadata.into_iter().flatten().find(|pair| pair.key == METADATA);
    let description = description(path, json.and_then(|pair| pair.value.as_deref()))?;
    for column in NEEDED {
        if builder.schema().column_with_name(column).is_none() {
            return Err(FeatureError::NoColumn { path: path.to_owned(), column });
        }
    }
    let mask = ProjectionMask::columns(builder.parquet_schema(), NEEDED);
    let reader = builder.with_projection(mask).with_batch_size(ROWS).build().map_err(|e| damaged(&e))?;
    let mut gathered = Gathered::default();
    for batch in reader {
        let batch = batch.map_err(|e| damaged(&e))?;
        add(&mut gathered, &batch).ok_or_else(|| damaged(&"a column has another type"))?;
    }
    Ok(gathered.finish(description))
}

fn add(gathered: &mut Gathered, batch: &RecordBatch) -> Option<()> {
    let [games, labels, heights, planes] = NEEDED.map(|name| batch.column_by_name(name));
    let games = games?.as_primitive_opt::<UInt64Type>()?;
    let labels = labels?.as_primitive_opt::<UInt8Type>()?;
    let heights = heights?.as_primitive_opt::<UInt16Type>()?;
    let planes = planes?.as_fixed_size_binary_opt().filter(|planes| planes.value_size() == paper::LEN)?;
    let bytes: [Vec<u8>; 2] = [
        games.values().iter().flat_map(|number| number.to_le_bytes()).collect(),
        heights.values().iter().flat_map(|number| number.to_le_bytes()).collect(),
    ];
    let planes = planes.value_data().get(..planes.len() * paper::LEN)?;
    gathered.add([&bytes[0], labels.values(), &bytes[1], planes]);
    Some(())
}

pub(crate) fn safetensors(path: &Path) -> Result<Dataset, FeatureError> {
    let failed = |error| FeatureError::read(path, error);
    let damaged = |why: &str| FeatureError::damaged(path, why);
    let mut file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(|_| damaged("it is shorter than its header"))?;
    let length = u64::from_le_bytes(length);
    if length > MAX_HEADER || length > size {
        return Err(damaged("it does not begin with the length of a header"));
    }
    let mut header = vec![0; length as usize];
    file.read_exact(&mut header).map_err(|_| damaged("it is shorter than its header"))?;
    let header: Value =
        serde_json::from_slice(&header).map_err(|error| FeatureError::damaged(path, error))?;
    let json = header.pointer("/__metadata__").and_then(|metadata| metadata.get(METADATA));
    let description = description(path, json.and_then(Value::as_str))?;
    let ends = header.as_object().into_iter().flat_map(|tensors| tensors.values());
    let end = ends.filter_map(|tensor| tensor.pointer("/data_offsets/1").and_then(Value::as_u64)).max();
    if end != size.checked_sub(8 + length) {
        return Err(damaged("it does not end where its last tensor does"));
    }
    let mut bytes: [Vec<u8>; 4] = Default::default();
    let mut rows = [0; 4];
    let wanted = NEEDED.into_iter().zip(["U64", "U8", "U16", "I8"]).zip([8, 1, 2, paper::LEN as u64]);
    for (((column, dtype), width), (bytes, rows)) in wanted.zip(bytes.iter_mut().zip(&mut rows)) {
        let tensor =
            header.get(column).ok_or_else(|| FeatureError::NoColumn { path: path.to_owned(), column })?;
        let offset = |place: usize| tensor.pointer(&format!("/data_offsets/{place}")).and_then(Value::as_u64);
        let (Some(start), Some(end)) = (offset(0), offset(1)) else {
            return Err(damaged("a tensor has no place"));
        };
        let place = start
            .checked_add(8 + length)
            .filter(|_| start <= end && end <= size - 8 - length && (end - start).is_multiple_of(width));
        let place = place.ok_or_else(|| damaged("a tensor does not lie within the file"))?;
        if tensor.get("dtype").and_then(Value::as_str) != Some(dtype) {
            return Err(damaged("a tensor has another type"));
        }
        *rows = (end - start) / width;
        file.seek(SeekFrom::Start(place)).map_err(failed)?;
        bytes.reserve_exact((end - start) as usize);
        (&mut file).take(end - start).read_to_end(bytes).map_err(failed)?;
    }
    if rows.iter().any(|count| *count != rows[0]) {
        return Err(damaged("its tensors are of different lengths"));
    }
    let mut gathered = Gathered::default();
    gathered.add(bytes.each_ref().map(Vec::as_slice));
    Ok(gathered.finish(description))
}
