//! The calls of the protocol: what each command, ticket and action of a client is answered with.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use annals_analytics::{Question, Session, Values, statement};
use arrow::datatypes::{Schema, SchemaRef};
use arrow_flight::decode::FlightRecordBatchStream;
use arrow_flight::error::FlightError;
use arrow_flight::flight_service_server::FlightService;
use arrow_flight::sql::{
    ActionCancelQueryRequest, ActionCancelQueryResult, ActionClosePreparedStatementRequest,
    ActionCreatePreparedStatementRequest, ActionCreatePreparedStatementResult, Any, Command,
    ProstMessageExt as _, TicketStatementQuery,
};
use arrow_flight::{
    Action, ActionType, CancelFlightInfoRequest, CancelFlightInfoResult, CancelStatus, Criteria, Empty,
    FlightData, FlightDescriptor, FlightEndpoint, FlightInfo, HandshakeRequest, HandshakeResponse, PollInfo,
    PutResult, SchemaResult, Ticket,
};
use futures::stream::{self, BoxStream};
use futures::{StreamExt as _, TryStreamExt as _};
use prost::Message as _;
use prost::bytes::Bytes;
use tokio::sync::Semaphore;
use tonic::{Request, Response, Status, Streaming};

use super::prepared::{MOST_RUNS, Statements};
use super::rows::{Messages, Queries};
use super::{catalog, status, wire};
use crate::App;
use crate::respond::{AT_ONCE, LONGEST};

/// The actions, with what each does.
const ACTIONS: [(&str, &str); 4] = [
    ("CreatePreparedStatement", "Prepares a statement"),
    ("ClosePreparedStatement", "Closes a prepared statement"),
    ("CancelFlightInfo", "Ends the query of a ticket"),
    ("CancelQuery", "Ends the query of a ticket"),
];

pub struct Service {
    app: Arc<App>,
    /// Plans that are made at the same time; others wait.
    plans: Arc<Semaphore>,
    queries: Queries,
    statements: Statements,
    tickets: AtomicU64,
}

impl Service {
    pub fn new(app: Arc<App>) -> Service {
        Service {
            queries: Queries::new(Arc::clone(&app)),
            app,
            plans: Arc::new(Semaphore::new(AT_ONCE)),
            statements: Statements::default(),
            tickets: AtomicU64::new(0),
        }
    }

    /// What `work` finds in the session that all requests share, on a thread that may wait and has the stack for planning.
    async fn with_session<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Fn() -> Result<Arc<Session>, Status>) -> Result<T, Status> + Send + 'static,
    ) -> Result<T, Status> {
        let late = || Status::deadline_exceeded(format!("planning took more than {} s", LONGEST.as_secs()));
        let (app, plans) = (Arc::clone(&self.app), Arc::clone(&self.plans));
        let planned = async {
            let place = plans.acquire_owned().await;
            let session = move || app.session().map_err(|failure| status::of_failure(&failure));
            tokio::task::spawn_blocking(move || {
                let _place = place;
                work(&session)
            })
            .await
        };
        let planned = tokio::time::timeout(LONGEST, planned).await.map_err(|_| late())?;
        planned.map_err(|_| Status::internal("the statement could not be planned"))?
    }

    /// The schema of a query's rows as they are sent, with the values of each run.
    async fn columns(&self, question: Question, values: Vec<Values>) -> Result<SchemaRef, Status> {
        self.with_session(move |session| {
            let planned = session()?.prepare(&question, values.first()).map_err(status::of_query)?;
            Ok(wire::schema_of_runs(&planned.columns, values.len()))
        })
        .await
    }

    /// The schema and the ticket of what a client asks for.
    async fn planned(&self, descriptor: &FlightDescriptor) -> Result<(SchemaRef, Any), Status> {
        match command(&descriptor.cmd)? {
            Command::CommandStatementQuery(query) => {
                if query.transaction_id.is_some_and(|transaction| !transaction.is_empty()) {
                    return Err(no_transactions());
                }
                let question = statement(&query.query).map_err(status::of_query)?;
                let columns = self.columns(question, Vec::new()).await?;
                let number = self.tickets.fetch_add(1, Ordering::Relaxed);
                let ticket =
                    TicketStatementQuery { statement_handle: format!("{number} {}", query.query).into() };
                Ok((columns, ticket.as_any()))
            }
            Command::CommandPreparedStatementQuery(query) => {
                let kept = self.statements.get(&query.prepared_statement_handle)?;
                let columns = self.columns(kept.question, kept.values).await?;
                Ok((columns, query.as_any()))
            }
            Command::CommandStatementSubstraitPlan(_) => Err(no_substrait()),
            Command::CommandStatementUpdate(_)
            | Command::CommandPreparedStatementUpdate(_)
            | Command::CommandStatementIngest(_) => Err(status::read_only("an update is refused")),
            described => {
                let asked = described.clone();
                let batch = self.with_session(move |session| described_by(&asked, session)).await?;
                Ok((batch.schema(), described.into_any()))
            }
        }
    }

    async fn create_prepared(&self, action: &Action) -> Result<Bytes, Status> {
        let asked: ActionCreatePreparedStatementRequest = unpacked(&action.body)?;
        if asked.transaction_id.is_some_and(|transaction| !transaction.is_empty()) {
            return Err(no_transactions());
        }
        let question = statement(&asked.query).map_err(status::of_query)?;
        let planning = question.clone();
        let (columns, parameters) = self
            .with_session(move |session| {
                let planned = session()?.prepare(&planning, None).map_err(status::of_query)?;
                Ok((wire::schema(&planned.columns), wire::schema(&planned.parameters)))
            })
            .await?;
        let result = ActionCreatePreparedStatementResult {
            dataset_schema: schema_bytes(&columns)?,
            parameter_schema: schema_bytes(&parameters)?,
            prepared_statement_handle: self.statements.keep(question),
        };
        Ok(result.as_any().encode_to_vec().into())
    }

    /// Whether a query of the tickets of an answer was running, and is ended.
    fn cancel(&self, info: &FlightInfo) -> CancelStatus {
        let tickets = info.endpoint.iter().filter_map(|endpoint| endpoint.ticket.as_ref());
        match tickets.filter(|ticket| self.queries.cancel(&ticket.ticket)).count() {
            0 => CancelStatus::NotCancellable,
            _ => CancelStatus::Cancelled,
        }
    }
}

/// The answer to a command that describes the server.
fn described_by(
    asked: &Command,
    session: &dyn Fn() -> Result<Arc<Session>, Status>,
) -> Result<arrow::array::RecordBatch, Status> {
    let answer = catalog::answer(asked, || session().map_err(|status| FlightError::Tonic(Box::new(status))))?;
    answer.ok_or_else(|| {
        Status::unimplemented(format!("`{}` is not a command of this server", asked.type_url()))
    })
}

fn command(bytes: &[u8]) -> Result<Command, Status> {
    let any = Any::decode(bytes).map_err(|_| status::invalid("expected a command of Flight SQL"))?;
    Command::try_from(any).map_err(status::invalid)
}

fn unpacked<M: arrow_flight::sql::ProstMessageExt>(bytes: &[u8]) -> Result<M, Status> {
    let any = Any::decode(bytes).map_err(status::invalid)?;
    let message = any.unpack::<M>().map_err(status::invalid)?;
    message.ok_or_else(|| status::invalid(format!("expected {}", M::type_url())))
}

fn schema_bytes(schema: &Schema) -> Result<Bytes, Status> {
    wire::schema_bytes(schema).map_err(|error| Status::internal(error.to_string()))
}

fn no_transactions() -> Status {
    Status::unimplemented("this server has no transactions: it reads the record and never changes it")
}

fn no_substrait() -> Status {
    Status::unimplemented("plans of Substrait are not supported: send SQL")
}

fn not_here(what: &str) -> Status {
    Status::unimplemented(format!("{what} is not part of Flight SQL here"))
}

/// A stream of one message, or of none.
fn one<T: Send + 'static>(message: Option<T>) -> BoxStream<'static, Result<T, Status>> {
    stream::iter(message.map(Ok)).boxed()
}

#[tonic::async_trait]
impl FlightService for Service {
    type HandshakeStream = BoxStream<'static, Result<HandshakeResponse, Status>>;
    type ListFlightsStream = BoxStream<'static, Result<FlightInfo, Status>>;
    type DoGetStream = Messages;
    type DoPutStream = BoxStream<'static, Result<PutResult, Status>>;
    type DoExchangeStream = BoxStream<'static, Result<FlightData, Status>>;
    type DoActionStream = BoxStream<'static, Result<arrow_flight::Result, Status>>;
    type ListActionsStream = BoxStream<'static, Result<ActionType, Status>>;

    async fn handshake(
        &self,
        _: Request<Streaming<HandshakeRequest>>,
    ) -> Result<Response<Self::HandshakeStream>, Status> {
        Err(Status::unimplemented(
            "users and passwords are not supported: send the header `authorization: Bearer TOKEN`",
        ))
    }

    async fn list_flights(&self, _: Request<Criteria>) -> Result<Response<Self::ListFlightsStream>, Status> {
        Err(not_here("ListFlights"))
    }

    async fn get_flight_info(
        &self,
        request: Request<FlightDescriptor>,
    ) -> Result<Response<FlightInfo>, Status> {
        let descriptor = request.into_inner();
        let (schema, ticket) = self.planned(&descriptor).await?;
        let ticket = Ticket::new(ticket.encode_to_vec());
        let info = FlightInfo { schema: schema_bytes(&schema)?, ..FlightInfo::new() };
        let endpoint = FlightEndpoint::new().with_ticket(ticket);
        Ok(Response::new(info.with_endpoint(endpoint).with_descriptor(descriptor).with_ordered(true)))
    }

    async fn poll_flight_info(&self, _: Request<FlightDescriptor>) -> Result<Response<PollInfo>, Status> {
        Err(not_here("PollFlightInfo"))
    }

    async fn get_schema(&self, request: Request<FlightDescriptor>) -> Result<Response<SchemaResult>, Status> {
        let (schema, _) = self.planned(request.get_ref()).await?;
        Ok(Response::new(SchemaResult { schema: schema_bytes(&schema)? }))
    }

    async fn do_get(&self, request: Request<Ticket>) -> Result<Response<Messages>, Status> {
        let ticket = request.into_inner().ticket;
        let messages = match command(&ticket)? {
            Command::TicketStatementQuery(query) => {
                let text =
                    std::str::from_utf8(&query.statement_handle).ok().and_then(|text| text.split_once(' '));
                let (_, sql) = text.ok_or_else(|| status::invalid("the ticket is not of this server"))?;
                let question = statement(sql).map_err(status::of_query)?;
                self.queries.run(ticket, question, vec![Values::default()]).await?
            }
            Command::CommandPreparedStatementQuery(query) => {
                let kept = self.statements.get(&query.prepared_statement_handle)?;
                self.queries.run(ticket, kept.question, kept.values).await?
            }
            described => {
                let batch = self.with_session(move |session| described_by(&described, session)).await?;
                let schema = batch.schema();
                let rows = wire::messages(&batch, &schema)?;
                stream::iter(std::iter::once(wire::first_message(&schema)).chain(rows).map(Ok)).boxed()
            }
        };
        Ok(Response::new(messages))
    }

    async fn do_put(
        &self,
        request: Request<Streaming<FlightData>>,
    ) -> Result<Response<Self::DoPutStream>, Status> {
        let mut data = request.into_inner();
        let first = data.message().await?.ok_or_else(|| status::invalid("the stream is empty"))?;
        let descriptor = first.flight_descriptor.clone().unwrap_or_default();
        let query = match command(&descriptor.cmd)? {
            Command::CommandPreparedStatementQuery(query) => query,
            Command::CommandStatementSubstraitPlan(_) => return Err(no_substrait()),
            Command::CommandStatementIngest(_) => return Err(status::read_only("new rows are refused")),
            _ => return Err(status::read_only("an update is refused")),
        };
        self.statements.get(&query.prepared_statement_handle)?;
        let data = stream::iter([Ok(first)]).chain(data.map_err(FlightError::from));
        let mut batches = FlightRecordBatchStream::new_from_flight_data(data);
        let mut values = Vec::new();
        while let Some(batch) = batches.try_next().await? {
            if values.len() + batch.num_rows() > MOST_RUNS {
                return Err(Status::resource_exhausted(format!(
                    "a statement runs with at most {MOST_RUNS} rows of values"
                )));
            }
            values.extend(Values::of(&batch).map_err(status::of_query)?);
        }
        if values.is_empty() {
            return Err(status::invalid("expected a row of values for the parameters, found none"));
        }
        self.statements.bind(&query.prepared_statement_handle, values)?;
        Ok(Response::new(one(Some(PutResult::default()))))
    }

    async fn do_exchange(
        &self,
        _: Request<Streaming<FlightData>>,
    ) -> Result<Response<Self::DoExchangeStream>, Status> {
        Err(not_here("DoExchange"))
    }

    async fn do_action(&self, request: Request<Action>) -> Result<Response<Self::DoActionStream>, Status> {
        let action = request.into_inner();
        let body = match action.r#type.as_str() {
            "CreatePreparedStatement" => Some(self.create_prepared(&action).await?),
            "ClosePreparedStatement" => {
                let asked: ActionClosePreparedStatementRequest = unpacked(&action.body)?;
                self.statements.close(&asked.prepared_statement_handle);
                None
            }
            "CancelFlightInfo" => {
                let asked = CancelFlightInfoRequest::decode(&*action.body).map_err(status::invalid)?;
                let status = self.cancel(&asked.info.unwrap_or_default());
                Some(CancelFlightInfoResult::new(status).encode_to_vec().into())
            }
            "CancelQuery" => {
                let asked: ActionCancelQueryRequest = unpacked(&action.body)?;
                let info = FlightInfo::decode(&*asked.info).map_err(status::invalid)?;
                // The two results have the same numbers.
                let result = ActionCancelQueryResult { result: self.cancel(&info) as i32 };
                Some(result.as_any().encode_to_vec().into())
            }
            "BeginTransaction" | "EndTransaction" | "BeginSavepoint" | "EndSavepoint" => {
                return Err(no_transactions());
            }
            "CreatePreparedSubstraitPlan" => return Err(no_substrait()),
            other => return Err(not_here(&format!("the action `{other}`"))),
        };
        Ok(Response::new(one(body.map(|body| arrow_flight::Result { body }))))
    }

    async fn list_actions(&self, _: Request<Empty>) -> Result<Response<Self::ListActionsStream>, Status> {
        let actions =
            ACTIONS.map(|(name, what)| ActionType { r#type: name.to_owned(), description: what.to_owned() });
        Ok(Response::new(stream::iter(actions.map(Ok)).boxed()))
    }
}
