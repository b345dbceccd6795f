//! What the tests of the writing half share: ingesting into a fresh folder, and reading a dataset back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use annals_ingest::manifest::Manifest;
use annals_ingest::run::{IngestError, Options, ingest};
use annals_ingest::summary::Summary;
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{ArrowPrimitiveType, DataType};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// Options for some inputs, with two threads.
pub fn options(dataset: &Path, inputs: &[&Path]) -> Options {
    Options { threads: 2, ..Options::new(dataset, inputs.iter().map(PathBuf::from)) }
}

/// Ingests with two threads.
pub fn store(dataset: &Path, inputs: &[&Path]) -> Result<Summary, IngestError> {
    ingest(&options(dataset, inputs), &())
}

/// The listed files of a dataset with their digests, which are those of their bytes.
pub fn files(dataset: &Path) -> BTreeMap<String, String> {
    let manifest = Manifest::open(dataset).expect("a manifest");
    manifest.check_files(dataset).expect("whole");
    let digest = |path: &str| blake3::hash(&std::fs::read(dataset.join(path)).expect("readable")).to_string();
    let files: BTreeMap<_, _> = manifest.files.iter().map(|f| (f.path.clone(), digest(&f.path))).collect();
    for file in &manifest.files {
        assert_eq!(files[&file.path], file.digest, "{}", file.path);
    }
    files
}

/// Every Parquet file in the folder, listed or not, below the dataset folder.
pub fn parquet_files(dataset: &Path) -> Vec<String> {
    fn walk(folder: &Path, below: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), found);
            } else if name.ends_with(".parquet") {
                found.push(name);
            }
        }
    }
    let mut found = Vec::new();
    walk(dataset, "", &mut found);
    found.sort();
    found
}

/// All rows of a table.
pub struct Table(Vec<RecordBatch>);

/// Reads a table through the manifest.
pub fn table(dataset: &Path, name: &str) -> Table {
    let manifest = Manifest::open(dataset).expect("a manifest");
    let mut batches = Vec::new();
    for entry in manifest.table(name) {
        let file = std::fs::File::open(dataset.join(&entry.path)).expect("readable");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let read: Vec<_> = reader.build().expect("Parquet").map(|batch| batch.expect("rows")).collect();
        assert_eq!(read.iter().map(|b| b.num_rows() as u64).sum::<u64>(), entry.rows, "{}", entry.path);
        batches.extend(read);
    }
    Table(batches)
}

impl Table {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.0.iter().map(RecordBatch::num_rows).sum()
    }

    /// A column of numbers.
    pub fn numbers<T: ArrowPrimitiveType>(&self, column: &str) -> Vec<Option<T::Native>> {
        self.columns(column).flat_map(|c| c.as_primitive::<T>().iter().collect::<Vec<_>>()).collect()
    }

    /// A column of text.
    pub fn texts(&self, column: &str) -> Vec<Option<String>> {
        let texts =
            |c: &dyn Array| c.as_string::<i32>().iter().map(|t| t.map(str::to_owned)).collect::<Vec<_>>();
        self.columns(column).flat_map(texts).collect()
    }

    /// A column of text without missing values.
    pub fn words(&self, column: &str) -> Vec<String> {
        self.texts(column).into_iter().map(|word| word.expect("none is missing")).collect()
    }

    /// How many texts each list of a column has.
    pub fn list_lengths(&self, column: &str) -> Vec<usize> {
        let lengths = |c: &dyn Array| {
            c.as_list::<i32>().iter().map(|list| list.map_or(0, |list| list.len())).collect::<Vec<_>>()
        };
        self.columns(column).flat_map(lengths).collect()
    }

    /// A column of yes and no.
    pub fn bools(&self, column: &str) -> Vec<Option<bool>> {
        self.columns(column).flat_map(|c| c.as_boolean().iter().collect::<Vec<_>>()).collect()
    }

    /// A column of fixed-size bytes.
    pub fn bytes(&self, column: &str) -> Vec<Vec<u8>> {
        let bytes =
            |c: &dyn Array| c.as_fixed_size_binary().iter().map(|b| b.unwrap().to_vec()).collect::<Vec<_>>();
        self.columns(column).flat_map(bytes).collect()
    }

    /// How often each word stands in a column.
    pub fn counts(&self, column: &str) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for word in self.texts(column) {
            *counts.entry(word.unwrap_or_else(|| "null".to_owned())).or_default() += 1;
        }
        counts
    }

    /// Every row as text, column by column.
    pub fn lines(&self) -> Vec<String> {
        let options = FormatOptions::default().with_null("null");
        let mut lines = Vec::new();
        for batch in &self.0 {
            let formatters: Vec<_> = batch
                .columns()
                .iter()
                .map(|c| ArrayFormatter::try_new(c, &options).expect("printable"))
                .collect();
            for row in 0..batch.num_rows() {
                lines.push(formatters.iter().map(|f| f.value(row).to_string()).collect::<Vec<_>>().join("|"));
            }
        }
        lines
    }

    /// The names and types of the columns.
    pub fn shape(&self) -> Vec<(String, DataType)> {
        let schema = self.0.first().map(RecordBatch::schema);
        let fields = schema.iter().flat_map(|schema| schema.fields().iter());
        fields.map(|field| (field.name().clone(), field.data_type().clone())).collect()
    }

    fn columns<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t dyn Array> + 't {
        self.0.iter().map(move |b| b.column_by_name(name).unwrap_or_else(|| panic!("no {name}")).as_ref())
    }
}
