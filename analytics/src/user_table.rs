//! Tables over files of the user, next to those of the dataset: `--table mine=mine.csv`. The files are read while a query
//! runs, within its memory, and never written.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::csv::reader::Format;
use datafusion::arrow::datatypes::{DataType, Field, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{ident, lit, try_cast};
use datafusion::prelude::SessionContext;

use crate::Error;
use crate::files_table::{retyped, signed};

/// The longest first line of a CSV file that is searched for its separator, in bytes.
const LONGEST_HEAD: u64 = 64 * 1024;

/// A name, and the file whose rows it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserTable {
    name: String,
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Separated by this byte, with a header.
    Delimited(u8),
    /// One array, or one object a line.
    Json,
    Parquet,
}

impl UserTable {
    /// Reads `NAME=FILE`; the ending of the file names its format.
    ///
    /// # Errors
    /// Where it is not of this form, the name is not a name in SQL, or the ending names no format.
    pub fn parse(text: &str) -> Result<UserTable, String> {
        let (name, file) = text.split_once('=').ok_or("expected NAME=FILE, as `mine=mine.csv`")?;
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Err(format!(
                "`{name}` is not a table name: use letters, digits and underscores, a letter first"
            ));
        }
        let path = PathBuf::from(file);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let kind = match ending.to_ascii_lowercase().as_str() {
            "csv" => Kind::Delimited(b','),
            "tsv" => Kind::Delimited(b'\t'),
            "json" | "ndjson" | "jsonl" => Kind::Json,
            "parquet" => Kind::Parquet,
            _ => {
                return Err(format!(
                    "the ending of `{file}` names no format: use .csv, .tsv, .json, .ndjson, .jsonl or .parquet"
                ));
            }
        };
        Ok(UserTable { name: name.to_ascii_lowercase(), path, kind })
    }

    /// Its name in SQL.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    fn cannot(&self, reason: String) -> Error {
        let what = format!("cannot read `{}` as the table `{}`", self.path.display(), self.name);
        Error::UserTable { what, reason: Some(reason) }
    }

    async fn register(&self, context: &SessionContext) -> Result<(), Error> {
        if context.table_exist(self.name.as_str())? {
            let what = format!("there is a table `{}` already", self.name);
            return Err(Error::UserTable { what, reason: None });
        }
        let path = self.path.canonicalize().map_err(|e| self.cannot(e.to_string()))?;
        if !path.is_file() {
            return Err(self.cannot("it is not a file".to_owned()));
        }
        if let Some(name) = self.repeated_column(&path).map_err(|e| self.cannot(e.to_string()))? {
            return Err(self.cannot(format!("the column `{name}` occurs twice in its first line")));
        }
        let format = self.format(&path).map_err(|e| self.cannot(e.to_string()))?;
        let cannot = |e: DataFusionError| self.cannot(e.find_root().to_string());
        let mut table = listed(context, &path, Arc::clone(&format), &[]).await.map_err(cannot)?;
        if let Kind::Delimited(_) = self.kind {
            let times = times_of(&table);
            let texts = listed(context, &path, Arc::clone(&format), &times).await.map_err(cannot)?;
            let texts = not_times(context, table.schema(), texts, times).await.map_err(cannot)?;
            if !texts.is_empty() {
                table = listed(context, &path, format, &texts).await.map_err(cannot)?;
            }
        }
        if table.schema().fields().is_empty() {
            return Err(self.cannot("it has no columns".to_owned()));
        }
        context.register_table(self.name.as_str(), Arc::new(table))?;
        Ok(())
    }

    /// The first column of a CSV file that its head names twice.
    fn repeated_column(&self, path: &Path) -> Result<Option<String>, Box<dyn std::error::Error>> {
        let Some(separator) = self.separator(path)? else { return Ok(None) };
        let head = Format::default().with_header(true).with_delimiter(separator);
        let (schema, _) = head.infer_schema(File::open(path)?, Some(0))?;
        let mut names = HashSet::new();
        let repeated = schema.fields().iter().find(|field| !names.insert(field.name()));
        Ok(repeated.map(|field| field.name().clone()))
    }

    /// The separator of a CSV file.
    fn separator(&self, path: &Path) -> std::io::Result<Option<u8>> {
        match self.kind {
            Kind::Delimited(b',') => comma_or_semicolon(path).map(Some),
            Kind::Delimited(separator) => Ok(Some(separator)),
            Kind::Json | Kind::Parquet => Ok(None),
        }
    }

    /// The format. Types are found from all rows, so that no later row is of another type.
    fn format(&self, path: &Path) -> std::io::Result<Arc<dyn FileFormat>> {
        Ok(match self.kind {
            Kind::Delimited(separator) => Arc::new(
                CsvFormat::default()
                    .with_has_header(true)
                    .with_delimiter(self.separator(path)?.unwrap_or(separator))
                    .with_newlines_in_values(true)
                    .with_schema_infer_max_rec(usize::MAX),
            ),
            Kind::Json => Arc::new(
                JsonFormat::default()
                    .with_newline_delimited(!begins_with_a_bracket(path)?)
                    .with_schema_infer_max_rec(usize::MAX),
            ),
            Kind::Parquet => Arc::new(ParquetFormat::default()),
        })
    }
}

/// The separator of a CSV file: a semicolon if its first line has no comma.
fn comma_or_semicolon(path: &Path) -> std::io::Result<u8> {
    let mut head = Vec::new();
    BufReader::new(File::open(path)?.take(LONGEST_HEAD)).read_until(b'\n', &mut head)?;
    Ok(if head.contains(&b';') && !head.contains(&b',') { b';' } else { b',' })
}

/// Whether a JSON file is one array.
fn begins_with_a_bracket(path: &Path) -> std::io::Result<bool> {
    let mut file = BufReader::new(File::open(path)?);
    loop {
        let bytes = file.fill_buf()?;
        if let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
            return Ok(*first == b'[');
        }
        let read = bytes.len();
        if read == 0 {
            return Ok(false);
        }
        file.consume(read);
    }
}

/// The columns whose values all have the form of dates or times.
fn times_of(table: &ListingTable) -> Vec<String> {
    let schema = table.schema();
    let times = schema.fields().iter().filter(|field| field.data_type().is_temporal());
    times.map(|field| field.name().clone()).collect()
}

/// Of these columns, which `texts` has as texts, those with a value that the calendar does not have: `2020-02-30`.
async fn not_times(
    context: &SessionContext,
    schema: SchemaRef,
    texts: ListingTable,
    times: Vec<String>,
) -> Result<Vec<String>, DataFusionError> {
    let texts: Arc<dyn TableProvider> = Arc::new(texts);
    let mut found = Vec::new();
    for name in times {
        let kind = schema.field_with_name(&name)?.data_type().clone();
        let fault = ident(&name).not_eq(lit("")).and(try_cast(ident(&name), kind).is_null());
        let rows = context.read_table(Arc::clone(&texts))?.filter(fault)?.limit(0, Some(1))?;
        if rows.count().await? > 0 {
            found.push(name);
        }
    }
    Ok(found)
}

/// The table of exactly this file, with these columns as texts: characters of its path that mean something in a URL or a pattern stay what they are.
async fn listed(
    context: &SessionContext,
    path: &Path,
    format: Arc<dyn FileFormat>,
    texts: &[String],
) -> Result<ListingTable, DataFusionError> {
    let path = path.to_string_lossy().replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    let url = ListingTableUrl::parse(format!("file://{path}"))?;
    let options = ListingOptions::new(format).with_file_extension("");
    let config = ListingTableConfig::new(url).with_listing_options(options);
    let config = config.infer_schema(&context.state()).await?;
    let typed = |field: &Field| match texts.contains(field.name()) {
        true => DataType::Utf8,
        false => field.data_type().clone(),
    };
    let signed = config.file_schema.as_deref().map(|schema| Arc::new(retyped(&signed(schema), typed)));
    ListingTable::try_new(match signed {
        Some(signed) => config.with_schema(signed),
        None => config,
    })
}

/// Makes the tables known to a session.
pub(crate) async fn register(context: &SessionContext, tables: &[UserTable]) -> Result<(), Error> {
    for table in tables {
        table.register(context).await?;
    }
    Ok(())
}
