//! Files, row groups, pages and bytes that a query read of each table, from the engine's own counters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use datafusion::datasource::physical_plan::{FileScanConfig, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricValue;
use serde::Serialize;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Reads(pub BTreeMap<String, TableReads>);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TableReads {
    /// Parquet files read.
    pub files: usize,
    /// Row groups not excluded by their statistics.
    pub row_groups_read: usize,
    /// Row groups excluded by their minimum and maximum.
    pub row_groups_skipped: usize,
    /// Pages not excluded by the page index, if it was used.
    pub pages_read: usize,
    /// Pages excluded by the page index.
    pub pages_skipped: usize,
    /// Bytes read from the files.
    pub bytes: usize,
    /// Bytes of the files as a whole.
    pub bytes_in_files: u64,
    /// Rows returned by the readers.
    pub rows: usize,
    /// Columns returned by the readers; a column used only by a filter may be read without being returned.
    pub columns: BTreeSet<String>,
}

impl Reads {
    /// Adds up the counters of a plan that has run.
    pub(crate) fn of(plan: &Arc<dyn ExecutionPlan>) -> Reads {
        let mut reads = Reads::default();
        reads.add(plan);
        reads
    }

    /// Adds the counts of another query.
    pub fn merge(&mut self, other: Reads) {
        for (table, theirs) in other.0 {
            let ours = self.0.entry(table).or_default();
            ours.files = ours.files.max(theirs.files);
            ours.bytes_in_files = ours.bytes_in_files.max(theirs.bytes_in_files);
            ours.row_groups_read += theirs.row_groups_read;
            ours.row_groups_skipped += theirs.row_groups_skipped;
            ours.pages_read += theirs.pages_read;
            ours.pages_skipped += theirs.pages_skipped;
            ours.bytes += theirs.bytes;
            ours.rows += theirs.rows;
            ours.columns.extend(theirs.columns);
        }
    }

    fn add(&mut self, plan: &Arc<dyn ExecutionPlan>) {
        if let Some(exec) = plan.downcast_ref::<DataSourceExec>()
            && let Some((config, _)) = exec.downcast_to_file_source::<ParquetSource>()
        {
            let files = config.file_groups.iter().flat_map(|group| group.files());
            let table = files.filter_map(|f| f.table_reference.as_ref()).map(|t| t.table().to_owned()).next();
            let reads = self.0.entry(table.unwrap_or_default()).or_default();
            reads.add(plan.as_ref(), config);
        }
        for child in plan.children() {
            self.add(child);
        }
    }
}

impl TableReads {
    fn add(&mut self, plan: &dyn ExecutionPlan, config: &FileScanConfig) {
        // A large file is split among threads: each file counts once.
        let mut files = BTreeMap::new();
        for file in config.file_groups.iter().flat_map(|group| group.files()) {
            files.insert(file.object_meta.location.to_string(), file.object_meta.size);
        }
        self.files = self.files.max(files.len());
        self.bytes_in_files = self.bytes_in_files.max(files.values().sum());
        self.columns.extend(plan.schema().fields().iter().map(|f| f.name().clone()));
        let Some(metrics) = plan.metrics() else { return };
        for metric in metrics.iter() {
            match metric.value() {
                MetricValue::OutputRows(rows) => self.rows += rows.value(),
                MetricValue::Count { name, count } if name == "bytes_scanned" => self.bytes += count.value(),
                MetricValue::PruningMetrics { name, pruning_metrics } => {
                    let (pruned, matched) = (pruning_metrics.pruned(), pruning_metrics.matched());
                    match name.as_ref() {
                        "row_groups_pruned_statistics" => {
                            self.row_groups_skipped += pruned;
                            self.row_groups_read += matched;
                        }
                        "page_index_pages_pruned" => {
                            self.pages_skipped += pruned;
                            self.pages_read += matched;
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
}

impl fmt::Display for Reads {
    /// One line a table, as `--explain` shows them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing was read: the manifest knows the answer");
        }
        for (i, (table, reads)) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{table}: {reads}")?;
        }
        Ok(())
    }
}

impl fmt::Display for TableReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} file{}", self.files, if self.files == 1 { "" } else { "s" })?;
        let groups = self.row_groups_read + self.row_groups_skipped;
        if groups > 0 {
            write!(f, ", {} of {groups} row groups", self.row_groups_read)?;
        }
        let pages = self.pages_read + self.pages_skipped;
        if pages > 0 {
            write!(f, ", {} of {pages} pages", self.pages_read)?;
        }
        write!(f, ", {} of {} bytes, {} rows", self.bytes, self.bytes_in_files, self.rows)?;
        if !self.columns.is_empty() {
            let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
            write!(f, ", columns {}", columns.join(" "))?;
        }
        Ok(())
    }
}
