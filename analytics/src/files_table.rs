//! A table over exactly the Parquet files that the manifest lists. Folders are never listed, so a file that an interrupted
//! ingest left is ignored. Numbers of rows are from the manifest, so `count(*)` reads nothing; a year
//! from the manifest excludes whole files before any is opened.

use std::sync::Arc;

use annals_ingest::location::TableFile;
use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::stats::Precision;
use datafusion::common::{Column, DFSchema, Result, ScalarValue, Statistics, TableReference, project_schema};
use datafusion::config::TableParquetOptions;
use datafusion::datasource::listing::{ListingTableUrl, PartitionedFile, helpers};
use datafusion::datasource::physical_plan::parquet::{
    CachedParquetFileReaderFactory, transform_schema_to_view,
};
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::datasource::{TableProvider, TableType, create_ordering};
use datafusion::logical_expr::{Expr, SortExpr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;

use crate::store::Store;

/// One Parquet file of a table.
#[derive(Debug, Clone)]
pub(crate) struct ListedFile {
    pub file: TableFile,
    /// Its size in bytes.
    pub bytes: u64,
    pub rows: u64,
    /// The year of its games, if the table is divided by year.
    pub year: Option<i16>,
    /// The digest of its source, if the table is divided by source.
    pub source: Option<String>,
}

/// A table over listed files.
#[derive(Debug)]
pub(crate) struct FilesTable {
    schema: TableSchema,
    store: Store,
    files: Vec<PartitionedFile>,
    /// The columns by which each file is sorted, ascending, nulls last.
    sorted_by: &'static [&'static str],
    rows: usize,
}

/// The column from the manifest, which is not in the files.
pub(crate) const YEAR: &str = "year";

impl FilesTable {
    /// A table of the files with the columns of `schema`, and `year` if the files have one.
    pub(crate) fn new(
        name: &str,
        schema: &Schema,
        store: &Store,
        files: &[ListedFile],
        by_year: bool,
        sorted_by: &'static [&'static str],
    ) -> Result<FilesTable> {
        // View types: strings are read without copying each into a new buffer.
        let file_schema = Arc::new(transform_schema_to_view(&for_sql(schema)));
        let year = Arc::new(Field::new(YEAR, DataType::Int16, false));
        let columns = if by_year { vec![year] } else { Vec::new() };
        let schema = TableSchema::builder(file_schema).with_table_partition_cols(columns).build();
        let files: Vec<PartitionedFile> = files
            .iter()
            .map(|f| partitioned_file(name, f, by_year, schema.file_schema()))
            .collect::<Result<_>>()?;
        let rows = files.iter().filter_map(|f| f.statistics.as_ref()?.num_rows.get_value().copied()).sum();
        Ok(FilesTable { schema, store: store.clone(), files, sorted_by, rows })
    }

    fn is_by_year(&self) -> bool {
        !self.schema.table_partition_cols().is_empty()
    }

    /// Whether a filter is on the year alone, so that it selects whole files.
    fn is_about_the_year(&self, filter: &Expr) -> bool {
        self.is_by_year() && helpers::expr_applicable_for_cols(&[YEAR], filter)
    }

    /// The files that can have rows for which the filters hold.
    fn wanted_files(&self, filters: &[Expr]) -> Result<Vec<PartitionedFile>> {
        let about_year: Vec<Expr> = filters.iter().filter(|f| self.is_about_the_year(f)).cloned().collect();
        if about_year.is_empty() {
            return Ok(self.files.clone());
        }
        let columns = Schema::new(self.schema.table_partition_cols().clone());
        let columns = DFSchema::try_from(columns)?;
        let mut wanted = Vec::new();
        for file in &self.files {
            wanted.extend(helpers::filter_partitioned_file(file.clone(), &about_year, &columns)?);
        }
        Ok(wanted)
    }

    fn statistics_of(&self, files: &[PartitionedFile]) -> Statistics {
        let statistics = files.iter().filter_map(|f| f.statistics.as_ref());
        let rows = statistics.filter_map(|s| s.num_rows.get_value().copied()).sum();
        let bytes: u64 = files.iter().map(|f| f.object_meta.size).sum();
        let mut statistics = Statistics::new_unknown(self.schema.table_schema());
        statistics.num_rows = Precision::Exact(rows);
        // Unpacked, a column needs some four times its size on disk; the planner only compares tables.
        statistics.total_byte_size =
            Precision::Inexact(usize::try_from(bytes).unwrap_or(usize::MAX).saturating_mul(4));
        statistics
    }
}

/// The types in SQL. Unsigned numbers are signed: the files store counts as small unsigned numbers, but
/// `g_rabbits - s_rabbits` on these would fail below zero. Identifiers and hashes stay, since they need all 64 bits;
/// `checked_arithmetic` makes their differences signed. Vocabularies are plain text: the engine groups and compares short texts faster than
/// dictionaries (all studies together by 10 %), which it turns into rows.
fn for_sql(schema: &Schema) -> Schema {
    retyped(&signed(schema), |field| match field.data_type() {
        DataType::UInt64 if !is_identity(field.name()) => DataType::Int64,
        DataType::Dictionary(_, words) => words.as_ref().clone(),
        other => other.clone(),
    })
}

/// Each unsigned number of at most 32 bits as the signed type that has all its values.
pub(crate) fn signed(schema: &Schema) -> Schema {
    retyped(schema, |field| match field.data_type() {
        DataType::UInt8 => DataType::Int16,
        DataType::UInt16 => DataType::Int32,
        DataType::UInt32 => DataType::Int64,
        other => other.clone(),
    })
}

pub(crate) fn retyped(schema: &Schema, of: impl Fn(&Field) -> DataType) -> Schema {
    let fields = schema.fields().iter();
    Schema::new(fields.map(|f| f.as_ref().clone().with_data_type(of(f))).collect::<Vec<_>>())
}

/// Whether a column of this name has identifiers or hashes.
pub(crate) fn is_identity(column: &str) -> bool {
    column.ends_with("_id") || column.starts_with("hash") || column == "key"
}

fn partitioned_file(
    table: &str,
    file: &ListedFile,
    by_year: bool,
    schema: &SchemaRef,
) -> Result<PartitionedFile> {
    let mut listed = PartitionedFile::new(String::new(), file.bytes);
    match &file.file {
        // Through a URL, since a path may have characters that the store's own path type reads differently.
        TableFile::Local(path) => {
            listed.object_meta.location = ListingTableUrl::parse(path.to_string_lossy())?.prefix().clone();
        }
        TableFile::Remote(remote) => {
            listed.object_meta.location = remote.object.clone();
            // The footer and the page index are one request.
            listed.metadata_size_hint = usize::try_from(remote.tail).ok().filter(|tail| *tail > 0);
        }
    }
    if by_year {
        listed = listed.with_partition_values(vec![ScalarValue::Int16(file.year)]);
    }
    // Each file has the name of its table, so that `Reads` can count by table.
    listed = listed.with_table_reference(Some(TableReference::bare(table)));
    let mut statistics = Statistics::new_unknown(schema);
    statistics.num_rows = Precision::Exact(usize::try_from(file.rows).unwrap_or(usize::MAX));
    Ok(listed.with_statistics(Arc::new(statistics)))
}

#[async_trait]
impl TableProvider for FilesTable {
    fn schema(&self) -> SchemaRef {
        self.schema.table_schema().clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn statistics(&self) -> Option<Statistics> {
        let mut statistics = Statistics::new_unknown(self.schema.table_schema());
        statistics.num_rows = Precision::Exact(self.rows);
        Some(statistics)
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(filters
            .iter()
            .map(|filter| {
                if self.is_about_the_year(filter) {
                    TableProviderFilterPushDown::Exact
                } else {
                    TableProviderFilterPushDown::Inexact
                }
            })
            .collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let files = self.wanted_files(filters)?;
        if files.is_empty() {
            return Ok(Arc::new(EmptyExec::new(project_schema(&self.schema(), projection)?)));
        }
        let store_url = self.store.url.clone();
        let store = state.runtime_env().object_store(&store_url)?;
        let cache = state.runtime_env().cache_manager.get_file_metadata_cache();
        let options = TableParquetOptions {
            global: state.config_options().execution.parquet.clone(),
            ..Default::default()
        };
        let source = ParquetSource::new(self.schema.clone())
            .with_table_parquet_options(options)
            .with_parquet_file_reader_factory(Arc::new(CachedParquetFileReaderFactory::new(store, cache)));
        let statistics = self.statistics_of(&files);
        let sorted_by: Vec<SortExpr> = self
            .sorted_by
            .iter()
            .map(|name| Expr::Column(Column::from_name(*name)).sort(true, false))
            .collect();
        let groups = state.config().target_partitions();
        // An order can be declared only for groups of one file each.
        let ordering = if sorted_by.is_empty() || files.len() > groups {
            Vec::new()
        } else {
            create_ordering(self.schema.table_schema(), &[sorted_by])?
        };
        let config = FileScanConfigBuilder::new(store_url, Arc::new(source))
            .with_file_groups(FileGroup::new(files).split_files(groups))
            .with_statistics(statistics)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .with_output_ordering(ordering)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
