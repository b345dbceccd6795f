//! safetensors: header length, JSON header, then all tensors' numbers, wide types first for alignment.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::arrays::Array;
use crate::columns::Kind;
use crate::format::METADATA;

pub(super) fn write(arrays: &[Array], path: &Path, description: &str) -> io::Result<()> {
    let mut ordered: Vec<&Array> = arrays.iter().collect();
    ordered.sort_by_key(|array| std::cmp::Reverse(number_width(array.column.kind)));
    let mut header = Map::new();
    header.insert("__metadata__".to_owned(), json!({ METADATA: description }));
    let mut offset = 0;
    for array in &ordered {
        let end = offset + array.bytes();
        let tensor = json!({
            "dtype": dtype(array.column.kind),
            "shape": array.shape(),
            "data_offsets": [offset, end],
        });
        header.insert(array.column.name.to_owned(), tensor);
        offset = end;
    }
    let mut header = serde_json::to_vec(&Value::Object(header))?;
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&header)?;
    for array in ordered {
        array.copy(&mut out)?;
    }
    out.flush()
}

const fn number_width(kind: Kind) -> usize {
    match kind {
        Kind::Planes(_) => 1,
        kind => kind.width(),
    }
}

fn dtype(kind: Kind) -> &'static str {
    match kind.number_type() {
        "bool" => "BOOL",
        "int8" => "I8",
        "uint16" => "U16",
        "int16" => "I16",
        "uint32" => "U32",
        "uint64" => "U64",
        _ => "U8",
    }
}
