//! A session with the query engine: a dataset's tables, Annals' functions, a memory limit, and queries with a
//! stream of rows as result. It hides the asynchronous engine: a call waits for the next batch of rows.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::ScalarValue;
use datafusion::error::DataFusionError;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SendableRecordBatchStream, SessionStateBuilder};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::prelude::{SQLOptions, SessionConfig, SessionContext};
use futures::StreamExt as _;
use tokio::runtime::Runtime;

use crate::Error;
use crate::bounded_texts;
use crate::careers::Careers;
use crate::checked_arithmetic;
use crate::dataset::Dataset;
use crate::duration_patterns;
use crate::explore::Explored;
use crate::functions;
use crate::headers;
use crate::keyed::Footers;
use crate::log_table::{EVENTS, LogTable, SeenLog};
use crate::memory::{Canceller, LastResort, Measured, Watch};
use crate::old_names;
use crate::reads::Reads;
use crate::spill::Spill;
use crate::sql_bounds::STACK_BYTES;
use crate::sql_error::Names;
use crate::sql_guard::{Question, queries};
use crate::sql_schema::Schema;
use crate::stoppable::Stop;
use crate::streamed::{Source as _, Streamed};
use crate::tournaments;
use crate::user_table::{self, UserTable};
#[cfg(feature = "cluster")]
use crate::workers::{Cluster, Ran, Workers};
use annals_ingest::location::Location;
use annals_replay::Identifier;

/// The options of a session.
#[derive(Debug, Clone)]
pub struct Options {
    /// Bytes that sorting, joining and grouping may hold before they spill to disk. A query that uses [`crate::BUFFERS`]
    /// more, counted over the whole process, is stopped.
    pub memory: usize,
    /// Called with the error if a stopped query does not end and uses [`crate::MARGIN`] more; expected to end
    /// the program.
    pub last_resort: Option<LastResort>,
    /// Threads; none for one a core.
    pub threads: Option<usize>,
    /// The folder in which each session creates one for spilled rows, and removes it at the end.
    pub spill: PathBuf,
    /// The home's event log, for the table `events`; it need not exist.
    pub log: Option<PathBuf>,
    /// The schema of table names.
    pub schema: Schema,
    /// Tables over files of the user.
    pub files: Vec<UserTable>,
    /// Processes that run parts of queries.
    #[cfg(feature = "cluster")]
    pub workers: Option<Workers>,
}

/// The default memory limit in bytes: 1 GiB.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// The reading method of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Whole columns: filters run after decoding.
    Scan,
    /// A few rows: filters run while decoding, so that the other columns of excluded rows are never unpacked. It
    /// slows scans by 5 to 55 %, so it is chosen per query.
    LookUp,
}

/// The values of a query's parameters, by their names.
pub(crate) type Parameters<'p> = &'p [(&'p str, ScalarValue)];

/// A dataset opened for queries.
pub struct Session {
    pub(crate) runtime: Runtime,
    dataset: Dataset,
    /// Of files that were read by key.
    pub(crate) footers: Footers,
    careers: OnceLock<Careers>,
    /// What was played from the start of a game.
    pub(crate) start: Mutex<Option<Arc<Explored>>>,
    /// The names of the tables over files of the user.
    files: Vec<String>,
    pub(crate) scans: SessionContext,
    lookups: SessionContext,
    #[cfg(feature = "cluster")]
    cluster: Option<Cluster>,
    log: Arc<SeenLog>,
    spill: Spill,
    /// Continues measuring until the threads of the runtime, which is dropped first, have ended.
    pub(crate) memory: Watch,
}

impl Session {
    /// Opens a dataset.
    ///
    /// # Errors
    /// `NoDataset` if nothing was ingested; `Dataset` if the manifest or a file is not valid.
    pub fn open(location: &Location, options: &Options) -> Result<Session, Error> {
        let log = Arc::new(SeenLog::new(options.log.as_deref()));
        let dataset = match Dataset::open(location) {
            // The log and files of the user can be queried before anything was ingested.
            Err(Error::NoDataset { .. }) if !options.files.is_empty() || log.last()? > 0 => {
                Dataset::empty(location)
            }
            other => other?,
        };
        let threads = options
            .threads
            .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
            .unwrap_or(1)
            .max(1);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("annals-query")
            .thread_stack_size(STACK_BYTES)
            // Requests to an address are repeated after some time; workers are reached over the network.
            .enable_all()
            .build()
            .map_err(|e| Error::io("start the query engine's threads", e))?;
        let spill = Spill::begin(&options.spill)?;
        let scans = context(options, &spill, threads)?;
        dataset.register(&scans)?;
        register_events(&scans, &dataset, &log)?;
        tournaments::register(&scans, &log, options.schema)?;
        runtime.block_on(register_views(&scans, &dataset, options.schema))?;
        runtime.block_on(user_table::register(&scans, &options.files))?;
        // The look-ups use the same tables: a second default catalogue would replace the first.
        let mut config = scans.copied_config().with_create_default_catalog_and_schema(false);
        config.options_mut().execution.parquet.pushdown_filters = true;
        config.options_mut().execution.parquet.reorder_filters = true;
        let state = SessionStateBuilder::new_from_existing(scans.state()).with_config(config).build();
        let lookups = SessionContext::new_with_state(state);
        #[cfg(feature = "cluster")]
        let cluster = match &options.workers {
            Some(workers) => Some(runtime.block_on(Cluster::of(&scans, workers))?),
            None => None,
        };
        let memory = Watch::new(options.memory, options.last_resort);
        let files = options.files.iter().map(|table| table.name().to_owned()).collect();
        let footers = Footers::default();
        let careers = OnceLock::new();
        let start = Mutex::new(None);
        Ok(Session {
            runtime,
            dataset,
            footers,
            careers,
            start,
            files,
            scans,
            lookups,
            #[cfg(feature = "cluster")]
            cluster,
            log,
            spill,
            memory,
        })
    }

    /// The queried dataset.
    #[must_use]
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// The folder of this session into which rows are spilled; a program that ends without dropping the session removes it.
    #[must_use]
    pub fn spill_folder(&self) -> &Path {
        self.spill.path()
    }

    /// Reads what careers need of all games into memory, for a session that shows many; not if it exceeds
    /// [`crate::CAREERS`].
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn prepare_careers(&self) -> Result<(), Error> {
        if self.careers.get().is_none()
            && let Some(careers) = Careers::read(self)?
        {
            let _ = self.careers.set(careers);
        }
        Ok(())
    }

    pub(crate) fn careers(&self) -> Option<&Careers> {
        self.careers.get()
    }

    /// How many games the log has while the dataset has none.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn games_in_log_alone(&self) -> Result<usize, Error> {
        if self.dataset.rows("games") > 0 {
            return Ok(0);
        }
        let Some(log) = self.log()? else { return Ok(0) };
        Ok(log.streams(Some("game")).map_err(|error| Error::Log(error.to_string()))?.len())
    }

    /// Stops the query that is being answered, from any thread.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        self.memory.canceller()
    }

    /// The names of the tables over files of the user.
    pub(crate) fn user_tables(&self) -> &[String] {
        &self.files
    }

    /// The home's log as far as queries have read it; none if no query has read it.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn log_read(&self) -> Result<Option<Identifier>, Error> {
        self.log.read()
    }

    /// The home's log, for queries outside of SQL; none without a log.
    pub(crate) fn log(&self) -> Result<Option<annals_store::Log>, Error> {
        self.log.open()
    }

    /// Starts a query. Planning uses stack in proportion to the statement: call this on a thread that has
    /// [`crate::STACK_BYTES`] of it if any user can write the statement.
    ///
    /// # Errors
    /// `Sql` if a name does not exist or types do not fit, with the place and similar names; `Memory` if the
    /// plan exceeds the memory limit.
    pub fn ask(&self, question: &Question) -> Result<Answer<'_>, Error> {
        self.ask_by(question, &[], Reading::Scan)
    }

    /// As [`ask`](Session::ask), for SQL with exactly one statement, with values for `$name`.
    ///
    /// # Errors
    /// As [`ask`](Session::ask), and if the text is not one statement.
    pub(crate) fn ask_sql(
        &self,
        sql: &str,
        parameters: Parameters<'_>,
        reading: Reading,
    ) -> Result<Answer<'_>, Error> {
        let queries = queries(sql)?;
        let [question] = queries.as_slice() else {
            return Err(Error::Sql {
                message: format!("one statement is expected, not {}", queries.len()),
                hints: vec![],
            });
        };
        self.ask_by(question, parameters, reading)
    }

    pub(crate) fn ask_by(
        &self,
        question: &Question,
        parameters: Parameters<'_>,
        reading: Reading,
    ) -> Result<Answer<'_>, Error> {
        let context = match reading {
            Reading::Scan => &self.scans,
            Reading::LookUp => &self.lookups,
        };
        let started = Instant::now();
        let memory = self.memory.begin();
        #[cfg(feature = "cluster")]
        let distributed = match (&self.cluster, reading) {
            // What cannot be distributed runs on this machine.
            (Some(cluster), Reading::Scan) => {
                self.started(&cluster.context, question, parameters, &memory).ok()
            }
            _ => None,
        };
        #[cfg(not(feature = "cluster"))]
        let distributed = None;
        let (plan, stream, stop) = match distributed {
            Some(started) => started,
            None => self.started(context, question, parameters, &memory)?,
        };
        Ok(Answer {
            _stop: stop,
            session: self,
            question: question.clone(),
            #[cfg(feature = "cluster")]
            again: Ran::of(&plan).is_distributed().then(|| owned(parameters)),
            plan,
            stream,
            planning: started.elapsed(),
            executing: Duration::ZERO,
            memory,
        })
    }

    /// Plans a query and starts it.
    fn started(
        &self,
        context: &SessionContext,
        question: &Question,
        parameters: Parameters<'_>,
        memory: &Measured<'_>,
    ) -> Result<Started, Error> {
        let planning = async {
            let logical = logical(context, question, parameters).await?;
            let frame = context.execute_logical_plan(logical).await?;
            let tasks = Arc::new(frame.task_ctx());
            let stop = Stop::when(memory.ending());
            let mut plan = frame.create_physical_plan().await?;
            if !is_distributed(&plan) {
                plan = stop.within(plan)?;
            }
            // Starting the stream may already spawn readers, so it happens inside the runtime.
            let stream = execute_stream(plan.clone(), tasks)?;
            Ok((plan, stream, stop))
        };
        let planned = self.runtime.block_on(memory.bounded(planning))?;
        planned.map_err(|error| question.explain(error, &self.names()))
    }

    /// Why workers are left out of queries.
    #[cfg(feature = "cluster")]
    #[must_use]
    pub fn missing_workers(&self) -> &[String] {
        self.cluster.as_ref().map_or(&[], |cluster| cluster.missing.as_slice())
    }

    /// The existing names, for "did you mean" and completion.
    pub(crate) fn names(&self) -> Vec<Names> {
        let mut tables = Vec::new();
        let mut columns = Vec::new();
        for (table, schema) in self.tables() {
            tables.push(table);
            columns.extend(schema.fields().iter().map(|f| f.name().clone()));
        }
        columns.sort_unstable();
        columns.dedup();
        vec![
            Names { what: "table", known: tables },
            Names { what: "column", known: columns },
            Names { what: "function", known: self.function_names() },
        ]
    }

    /// The tables and views with their columns, in the order in which `annals schema tables` lists them.
    #[must_use]
    pub fn tables(&self) -> Vec<(String, SchemaRef)> {
        let built_in = table_names(&self.dataset).map(str::to_owned);
        let names = built_in.chain(self.files.iter().cloned());
        self.runtime.block_on(async {
            let mut tables = Vec::new();
            for name in names {
                if let Ok(table) = self.scans.table_provider(name.as_str()).await {
                    tables.push((name, table.schema()));
                }
            }
            tables
        })
    }

    /// The names of all functions: Annals' own, and the engine's scalar, aggregate and window functions.
    #[must_use]
    pub fn function_names(&self) -> Vec<String> {
        let state = self.scans.state();
        let mut names: Vec<String> = state.scalar_functions().keys().cloned().collect();
        names.extend(state.aggregate_functions().keys().cloned());
        names.extend(state.window_functions().keys().cloned());
        names.sort_unstable();
        names.dedup();
        names
    }
}

#[cfg(feature = "cluster")]
fn owned(parameters: Parameters<'_>) -> Vec<(String, ScalarValue)> {
    parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// The table of events: of the log, or if there is no log, as they were published with the dataset.
fn register_events(context: &SessionContext, dataset: &Dataset, log: &Arc<SeenLog>) -> Result<(), Error> {
    let of_log = LogTable::new(log.clone());
    match dataset.events_table(EVENTS, of_log.schema()).map(|table| table.filter(|_| !log.exists()))? {
        Some(published) => context.register_table(EVENTS, Arc::new(published))?,
        None => context.register_table(EVENTS, Arc::new(Streamed(of_log)))?,
    };
    Ok(())
}

/// The plan of a statement, with the values of its parameters. A statement that does more than read is refused.
pub(crate) async fn logical(
    context: &SessionContext,
    question: &Question,
    parameters: Parameters<'_>,
) -> Result<LogicalPlan, DataFusionError> {
    let state = context.state();
    let mut logical = match state.statement_to_plan(headers::named(&question.parsed)).await {
        Ok(logical) => logical,
        // The engine does not accept a name for every expression; errors name the statement as written.
        Err(_) => state.statement_to_plan(question.parsed.clone()).await?,
    };
    if !parameters.is_empty() {
        logical = logical.with_param_values(parameters.to_vec())?;
    }
    let reading_only =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    reading_only.verify_plan(&logical)?;
    duration_patterns::check(&logical)?;
    Ok(logical)
}

/// The names of the tables and views, in the order in which they are explained.
fn table_names(dataset: &Dataset) -> impl Iterator<Item = &'static str> + use<> {
    dataset.table_names().into_iter().chain([EVENTS]).chain(tournaments::names())
}

/// Creates the views, also those of the schema `v3`, and makes the chosen schema the default one.
async fn register_views(context: &SessionContext, dataset: &Dataset, schema: Schema) -> Result<(), Error> {
    for view in &crate::dataset::VIEWS {
        context.sql(&view.sql()).await?;
    }
    context.sql(&format!("CREATE SCHEMA {}", old_names::V3)).await?;
    for name in table_names(dataset) {
        let table = context.table_provider(name).await?;
        match old_names::view(name, &table.schema()) {
            Some(sql) => drop(context.sql(&sql).await?),
            None => drop(context.register_table(format!("{}.{name}", old_names::V3), table)?),
        }
    }
    let other = match schema {
        Schema::Public => old_names::V3,
        Schema::V3 => Schema::ALL[0].0,
    };
    if schema == Schema::V3 {
        let state = context.state_ref();
        old_names::V3.clone_into(&mut state.write().config_mut().options_mut().catalog.default_schema);
    }
    old_names::leave_out_of_lists(context, other);
    Ok(())
}

/// The engine's memory limit, and the folder in which it creates its own folder for spilled rows.
pub(crate) fn runtime_builder(memory: usize, spill: PathBuf) -> RuntimeEnvBuilder {
    let pool = TrackConsumersPool::new(
        FairSpillPool::new(memory),
        std::num::NonZeroUsize::new(5).unwrap_or(std::num::NonZeroUsize::MIN),
    );
    let disk = DiskManagerBuilder::default().with_mode(DiskManagerMode::Directories(vec![spill]));
    RuntimeEnvBuilder::new().with_memory_pool(Arc::new(pool)).with_disk_manager_builder(disk)
}

fn context(options: &Options, spill: &Spill, threads: usize) -> Result<SessionContext, Error> {
    let runtime = runtime_builder(options.memory, spill.path().to_owned()).build_arc()?;
    let mut config = SessionConfig::new().with_target_partitions(threads).with_information_schema(true);
    config.options_mut().sql_parser.collect_spans = true;
    register_functions(SessionContext::new_with_config_rt(config, runtime))
}

/// Adds the functions of Annals.
pub(crate) fn register_functions(mut context: SessionContext) -> Result<SessionContext, Error> {
    for udf in functions::udfs() {
        context.register_udf(udf);
    }
    checked_arithmetic::register(&mut context)?;
    bounded_texts::register(&context);
    Ok(context)
}

/// The plan of a query, its rows, and what ends its joins.
type Started = (Arc<dyn ExecutionPlan>, SendableRecordBatchStream, Stop);

/// Whether parts of a plan run on workers, which cannot be sent a condition of [`Stop`].
fn is_distributed(plan: &Arc<dyn ExecutionPlan>) -> bool {
    #[cfg(feature = "cluster")]
    return Ran::of(plan).is_distributed();
    #[cfg(not(feature = "cluster"))]
    {
        let _ = plan;
        false
    }
}

/// A running query: call [`next_batch`](Answer::next_batch) until it returns none.
pub struct Answer<'s> {
    /// Dropped before the stream.
    _stop: Stop,
    session: &'s Session,
    question: Question,
    /// The parameters of a query of which no row was returned yet: it can run again without workers.
    #[cfg(feature = "cluster")]
    again: Option<Vec<(String, ScalarValue)>>,
    plan: Arc<dyn ExecutionPlan>,
    stream: SendableRecordBatchStream,
    planning: Duration,
    executing: Duration,
    /// Dropped after the stream.
    memory: Measured<'s>,
}

impl Answer<'_> {
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.stream.schema()
    }

    /// The next rows; none at the end.
    ///
    /// # Errors
    /// If a value is not valid for a function, memory does not suffice, or a file cannot be read.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        let started = Instant::now();
        let batch = self.next();
        #[cfg(feature = "cluster")]
        let batch = self.or_without_workers(batch);
        self.executing += started.elapsed();
        batch
    }

    fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        let batch = self.session.runtime.block_on(self.memory.bounded(self.stream.next()));
        batch?.transpose().map_err(|error| self.question.explain(error, &[]))
    }

    /// Runs the query again on this machine alone, where it failed before its first row: a worker may have ended.
    #[cfg(feature = "cluster")]
    fn or_without_workers(
        &mut self,
        batch: Result<Option<RecordBatch>, Error>,
    ) -> Result<Option<RecordBatch>, Error> {
        let again = self.again.take();
        match (batch, again) {
            (Ok(Some(batch)), again) if batch.num_rows() == 0 => {
                self.again = again;
                Ok(Some(batch))
            }
            (Err(Error::Cancelled), _) => Err(Error::Cancelled),
            (Err(_), Some(parameters)) => {
                let parameters: Vec<(&str, ScalarValue)> =
                    parameters.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
                (self.plan, self.stream, self._stop) =
                    self.session.started(&self.session.scans, &self.question, &parameters, &self.memory)?;
                self.next()
            }
            (batch, _) => batch,
        }
    }

    /// What of it ran on workers.
    #[cfg(feature = "cluster")]
    #[must_use]
    pub fn ran(&self) -> Ran {
        Ran::of(&self.plan)
    }

    /// All remaining rows; for small results only.
    ///
    /// # Errors
    /// As [`next_batch`](Answer::next_batch).
    pub fn collect(mut self) -> Result<Vec<RecordBatch>, Error> {
        let mut batches = Vec::new();
        while let Some(batch) = self.next_batch()? {
            batches.push(batch);
        }
        Ok(batches)
    }

    /// Time spent on planning, and on executing so far (waiting for rows, without the caller's own work).
    #[must_use]
    pub fn times(&self) -> (Duration, Duration) {
        (self.planning, self.executing)
    }

    /// The counts of files, pages and bytes read so far.
    #[must_use]
    pub fn reads(&self) -> Reads {
        Reads::of(&self.plan)
    }
}
