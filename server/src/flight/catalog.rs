//! What a client learns of the server without a query: the catalog, its schema, the tables, and what SQL can do here.

use std::sync::LazyLock;

use annals_analytics::{Session, is_view};
use annals_events::PROGRAM;
use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema};
use arrow_flight::error::FlightError;
use arrow_flight::sql::metadata::{
    SqlInfoData, SqlInfoDataBuilder, XdbcTypeInfo, XdbcTypeInfoData, XdbcTypeInfoDataBuilder,
};
use arrow_flight::sql::{
    Command, Nullable, Searchable, SqlInfo, SqlNullOrdering, SqlSupportedCaseSensitivity,
    SqlSupportedTransaction, XdbcDataType,
};

use super::wire;

/// The engine's names of its only catalog, and of the schema of the tables.
const CATALOG: &str = "datafusion";
const SCHEMA: &str = "public";

/// The answer to a command that describes; none to any other command. `session` gives the tables.
pub fn answer<E: From<FlightError>>(
    command: &Command,
    session: impl FnOnce() -> Result<std::sync::Arc<Session>, E>,
) -> Result<Option<RecordBatch>, E> {
    let batch = match command {
        Command::CommandGetCatalogs(asked) => {
            let mut catalogs = asked.into_builder();
            catalogs.append(CATALOG);
            catalogs.build()
        }
        Command::CommandGetDbSchemas(asked) => {
            let mut schemas = asked.clone().into_builder();
            schemas.append(CATALOG, SCHEMA);
            schemas.build()
        }
        Command::CommandGetTableTypes(asked) => {
            let mut types = asked.into_builder();
            types.append("TABLE");
            types.append("VIEW");
            types.build()
        }
        Command::CommandGetTables(asked) => {
            let mut tables = asked.clone().into_builder();
            for (name, schema) in session()?.tables() {
                let sort = if is_view(&name) { "VIEW" } else { "TABLE" };
                tables.append(CATALOG, SCHEMA, name, sort, &wire::schema(&schema))?;
            }
            tables.build()
        }
        Command::CommandGetPrimaryKeys(_) => Ok(RecordBatch::new_empty(PRIMARY_KEYS.clone().into())),
        Command::CommandGetExportedKeys(_)
        | Command::CommandGetImportedKeys(_)
        | Command::CommandGetCrossReference(_) => Ok(RecordBatch::new_empty(FOREIGN_KEYS.clone().into())),
        Command::CommandGetSqlInfo(asked) => asked.clone().into_builder(&SQL_INFO).build(),
        Command::CommandGetXdbcTypeInfo(asked) => asked.into_builder(&TYPES).build(),
        _ => return Ok(None),
    };
    Ok(Some(batch?))
}

fn texts(names: &[&str], nullable: bool) -> impl Iterator<Item = Field> {
    names.iter().map(move |name| Field::new(*name, DataType::Utf8, nullable)).collect::<Vec<_>>().into_iter()
}

/// No table has a key that is declared: these have the columns of the protocol and no row.
static PRIMARY_KEYS: LazyLock<Schema> = LazyLock::new(|| {
    let names = texts(&["catalog_name", "db_schema_name"], true);
    let names = names.chain(texts(&["table_name", "column_name"], false)).chain(texts(&["key_name"], true));
    Schema::new(names.chain([Field::new("key_sequence", DataType::Int32, false)]).collect::<Vec<_>>())
});

static FOREIGN_KEYS: LazyLock<Schema> = LazyLock::new(|| {
    let fields = texts(&["pk_catalog_name", "pk_db_schema_name"], true)
        .chain(texts(&["pk_table_name", "pk_column_name"], false))
        .chain(texts(&["fk_catalog_name", "fk_db_schema_name"], true))
        .chain(texts(&["fk_table_name", "fk_column_name"], false))
        .chain([Field::new("key_sequence", DataType::Int32, false)])
        .chain(texts(&["fk_key_name", "pk_key_name"], true))
        .chain(["update_rule", "delete_rule"].map(|name| Field::new(name, DataType::UInt8, false)));
    Schema::new(fields.collect::<Vec<_>>())
});

static SQL_INFO: LazyLock<SqlInfoData> = LazyLock::new(|| {
    let (name, version) = PROGRAM.split_once(' ').unwrap_or((PROGRAM, ""));
    let mut info = SqlInfoDataBuilder::new();
    info.append(SqlInfo::FlightSqlServerName, name);
    info.append(SqlInfo::FlightSqlServerVersion, version);
    info.append(SqlInfo::FlightSqlServerArrowVersion, arrow::ARROW_VERSION);
    info.append(SqlInfo::FlightSqlServerReadOnly, true);
    info.append(SqlInfo::FlightSqlServerSql, true);
    info.append(SqlInfo::FlightSqlServerSubstrait, false);
    info.append(SqlInfo::FlightSqlServerTransaction, SqlSupportedTransaction::None as i32);
    info.append(SqlInfo::FlightSqlServerCancel, true);
    info.append(SqlInfo::FlightSqlServerBulkIngestion, false);
    for ddl in [SqlInfo::SqlDdlCatalog, SqlInfo::SqlDdlSchema, SqlInfo::SqlDdlTable] {
        info.append(ddl, false);
    }
    let folded = SqlSupportedCaseSensitivity::SqlCaseSensitivityLowercase as i32;
    info.append(SqlInfo::SqlIdentifierCase, folded);
    info.append(SqlInfo::SqlIdentifierQuoteChar, "\"");
    let kept = SqlSupportedCaseSensitivity::SqlCaseSensitivityCaseInsensitive as i32;
    info.append(SqlInfo::SqlQuotedIdentifierCase, kept);
    info.append(SqlInfo::SqlAllTablesAreSelectable, true);
    info.append(SqlInfo::SqlNullOrdering, SqlNullOrdering::SqlNullsSortedHigh as i32);
    info.append(SqlInfo::SqlSupportsColumnAliasing, true);
    info.append(SqlInfo::SqlNullPlusNullIsNull, true);
    info.append(SqlInfo::SqlSupportsTableCorrelationNames, true);
    info.append(SqlInfo::SqlSchemaTerm, "schema");
    info.append(SqlInfo::SqlCatalogTerm, "catalog");
    info.append(SqlInfo::SqlCatalogAtStart, true);
    info.build().expect("the values have the types of their entries")
});

/// The types of SQL, with the bits or characters that a value has at most, and what is around a literal.
static TYPES: LazyLock<XdbcTypeInfoData> = LazyLock::new(|| {
    let types = [
        ("BOOLEAN", XdbcDataType::XdbcBit, 1, ""),
        ("SMALLINT", XdbcDataType::XdbcSmallint, 16, ""),
        ("INTEGER", XdbcDataType::XdbcInteger, 32, ""),
        ("BIGINT", XdbcDataType::XdbcBigint, 64, ""),
        ("REAL", XdbcDataType::XdbcReal, 32, ""),
        ("DOUBLE", XdbcDataType::XdbcDouble, 64, ""),
        ("VARCHAR", XdbcDataType::XdbcVarchar, i32::MAX, "'"),
        ("BYTEA", XdbcDataType::XdbcVarbinary, i32::MAX, "'"),
        ("DATE", XdbcDataType::XdbcDate, 10, "'"),
        ("TIMESTAMP", XdbcDataType::XdbcTimestamp, 29, "'"),
    ];
    let mut infos = XdbcTypeInfoDataBuilder::new();
    for (name, sort, size, quote) in types {
        let quote = Some(quote.to_owned()).filter(|quote| !quote.is_empty());
        infos.append(XdbcTypeInfo {
            type_name: name.to_owned(),
            data_type: sort,
            column_size: Some(size),
            literal_prefix: quote.clone(),
            literal_suffix: quote,
            nullable: Nullable::NullabilityNullable,
            case_sensitive: sort == XdbcDataType::XdbcVarchar,
            searchable: Searchable::Full,
            local_type_name: Some(name.to_owned()),
            sql_data_type: sort,
            ..XdbcTypeInfo::default()
        });
    }
    infos.build().expect("every entry is complete")
});
