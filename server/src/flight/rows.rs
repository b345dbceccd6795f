//! The rows of a query as a stream of messages, and what ends it: its reader leaves, cancels it, or stops reading; it takes
//! too long or too much memory.

use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use annals_analytics::{Question, Values};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow_flight::FlightData;
use futures::future::{BoxFuture, FutureExt as _, ready};
use futures::{Stream, StreamExt as _, stream};
use prost::bytes::Bytes;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;
use tonic::Status;

use super::{status, wire};
use crate::App;
use crate::app::{CancelSlot, locked};
use crate::respond::{AT_ONCE, LONGEST};

/// How long a query may take until its next rows, and its reader until it reads them.
const PAUSE: Duration = Duration::from_secs(300);

/// How long a query may run.
const WHOLE: Duration = Duration::from_secs(3600);

/// Batches that are encoded, each on a thread, or wait for the reader.
const AHEAD: usize = 4;

pub type Messages = Pin<Box<dyn Stream<Item = Result<FlightData, Status>> + Send>>;

/// A batch while it is encoded; none at the end of the rows. A stream that ends without it was broken off.
type Part = Option<BoxFuture<'static, Result<Vec<FlightData>, Status>>>;

/// A query that is running.
#[derive(Default)]
struct Running {
    slot: CancelSlot,
    ended: Notify,
}

impl Running {
    fn end(&self) {
        self.slot.cancel();
        self.ended.notify_one();
    }
}

/// Ends the query when its stream is dropped.
struct WhileRead(Arc<Running>);

impl Drop for WhileRead {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The queries that are running.
pub struct Queries {
    app: Arc<App>,
    places: Arc<Semaphore>,
    running: Mutex<Vec<(Bytes, Weak<Running>)>>,
}

impl Queries {
    pub fn new(app: Arc<App>) -> Queries {
        Queries { app, places: Arc::new(Semaphore::new(AT_ONCE)), running: Mutex::default() }
    }

    /// Ends the queries of a ticket. Returns whether there were any.
    pub fn cancel(&self, ticket: &[u8]) -> bool {
        let ended: Vec<Arc<Running>> = locked(&self.running)
            .iter()
            .filter(|(of, _)| of == ticket)
            .filter_map(|(_, running)| running.upgrade())
            .filter(|running| !running.slot.is_cancelled())
            .collect();
        ended.iter().for_each(|running| running.end());
        !ended.is_empty()
    }

    /// Runs a statement once for each of `values`, one run after the other.
    ///
    /// # Errors
    /// If too many queries are running.
    pub async fn run(
        &self,
        ticket: Bytes,
        question: Question,
        values: Vec<Values>,
    ) -> Result<Messages, Status> {
        let place = timeout(LONGEST, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else {
            let busy = format!("{AT_ONCE} queries are running\nhint: try again in a moment");
            return Err(Status::unavailable(busy));
        };
        let running = Arc::new(Running::default());
        {
            let mut all = locked(&self.running);
            all.retain(|(_, running)| running.strong_count() > 0);
            all.push((ticket, Arc::downgrade(&running)));
        }
        let (sender, receiver) = channel(AHEAD);
        let until = WhileRead(Arc::clone(&running));
        let app = Arc::clone(&self.app);
        tokio::task::spawn_blocking(move || {
            let _place = place;
            let parts = Parts { sender, running };
            let last = match parts.send_all(&app, &question, &values) {
                Ok(()) => None,
                Err(status) => Some(ready(Err(status)).boxed()),
            };
            parts.send(last);
        });
        Ok(read(receiver, until))
    }
}

/// The messages that a query sends, until its end or the first failure.
fn read(receiver: Receiver<Part>, until: WhileRead) -> Messages {
    let late = tokio::time::Instant::now() + WHOLE;
    let parts = stream::unfold(Some((receiver, until)), move |state| async move {
        let (mut receiver, until) = state?;
        let part = async {
            let next =
                timeout(PAUSE, receiver.recv()).await.map_err(|_| too_long("until its next rows", PAUSE))?;
            match next {
                Some(Some(encoded)) => encoded.await.map(Some),
                Some(None) => Ok(None),
                None => Err(too_long("until its rows were read", PAUSE)),
            }
        };
        let part =
            tokio::time::timeout_at(late, part).await.unwrap_or_else(|_| Err(too_long("in all", WHOLE)));
        match part {
            Ok(Some(messages)) => Some((Ok(messages), Some((receiver, until)))),
            Ok(None) => None,
            Err(status) => Some((Err(status), None)),
        }
    });
    let messages = parts.flat_map(|part| match part {
        Ok(messages) => stream::iter(messages.into_iter().map(Ok).collect::<Vec<_>>()),
        Err(status) => stream::iter(vec![Err(status)]),
    });
    Box::pin(messages)
}

fn too_long(what: &str, most: Duration) -> Status {
    Status::deadline_exceeded(format!("the query was stopped: it took more than {} s {what}", most.as_secs()))
}

/// The sending end of a query.
struct Parts {
    sender: Sender<Part>,
    running: Arc<Running>,
}

impl Parts {
    /// Sends a part; false if its reader has left or reads no more.
    fn send(&self, part: Part) -> bool {
        let sent = Handle::current().block_on(timeout(PAUSE, self.sender.send(part)));
        matches!(sent, Ok(Ok(())))
    }

    fn send_all(&self, app: &App, question: &Question, values_of_runs: &[Values]) -> Result<(), Status> {
        // A session of its own, so that the query can be cancelled alone.
        let session = app.open_session().map_err(|failure| status::of_failure(&failure))?;
        self.running.slot.hold(session.canceller());
        let mut sent: Option<SchemaRef> = None;
        for values in values_of_runs {
            let mut answer = session.ask_with(question, values).map_err(status::of_query)?;
            let schema = match &sent {
                Some(schema) => Arc::clone(schema),
                None => {
                    let schema = wire::schema_of_runs(&answer.schema(), values_of_runs.len());
                    if !self.send(Some(ready(Ok(vec![wire::first_message(&schema)])).boxed())) {
                        return Ok(());
                    }
                    Arc::clone(sent.insert(schema))
                }
            };
            while let Some(batch) = answer.next_batch().map_err(status::of_query)? {
                if !self.send(Some(encoded(batch, Arc::clone(&schema)))) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// The messages of a batch, which a thread of its own encodes.
fn encoded(batch: RecordBatch, schema: SchemaRef) -> BoxFuture<'static, Result<Vec<FlightData>, Status>> {
    let work = tokio::task::spawn_blocking(move || wire::messages(&batch, &schema).map_err(Status::from));
    async move { work.await.unwrap_or_else(|_| Err(Status::internal("rows could not be encoded"))) }.boxed()
}
