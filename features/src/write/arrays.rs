//! Columns as arrays in temporary files, since their length is known only at the end.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::columns::{Column, Kind};
use crate::error::FeatureError;
use crate::table::FeatureTable;
use annals_ingest::output_file::Staging;

pub(super) struct Arrays {
    target: PathBuf,
    files: Vec<(Array, BufWriter<File>)>,
    rows: usize,
}

pub(super) struct Array {
    pub column: &'static Column,
    pub rows: usize,
    path: PathBuf,
}

impl Array {
    /// Rows, and the planes' own.
    pub fn shape(&self) -> Vec<usize> {
        match self.column.kind {
            Kind::Planes(planes) => vec![self.rows, planes.len(), 8, 8],
            _ => vec![self.rows],
        }
    }

    pub fn bytes(&self) -> u64 {
        self.rows as u64 * self.column.kind.width() as u64
    }

    pub fn copy(&self, out: &mut impl io::Write) -> io::Result<()> {
        io::copy(&mut File::open(&self.path)?, out).map(|_| ())
    }
}

impl Arrays {
    pub fn create(
        staging: &Staging,
        target: &Path,
        columns: &[&'static Column],
    ) -> Result<Arrays, FeatureError> {
        let create = |column: &&'static Column| {
            let path = staging.path(column.name);
            let file = File::create(&path).map_err(|e| FeatureError::write("created", target, e))?;
            Ok((Array { column, rows: 0, path }, BufWriter::with_capacity(1 << 18, file)))
        };
        let files = columns.iter().map(create).collect::<Result<_, FeatureError>>()?;
        Ok(Arrays { target: target.to_owned(), files, rows: 0 })
    }

    pub fn append(&mut self, table: FeatureTable) -> Result<(), FeatureError> {
        self.rows += table.rows();
        for ((_, file), (_, bytes)) in self.files.iter_mut().zip(table.columns()) {
            file.write_all(bytes).map_err(|e| FeatureError::write("written", &self.target, e))?;
        }
        Ok(())
    }

    pub fn finish(self) -> Result<Vec<Array>, FeatureError> {
        let Arrays { target, files, rows } = self;
        let finish = |(array, mut file): (Array, BufWriter<File>)| {
            file.flush().map_err(|e| FeatureError::write("written", &target, e))?;
            Ok(Array { rows, ..array })
        };
        files.into_iter().map(finish).collect()
    }
}
