//! Arrow Flight SQL: the tables of the home for clients that read Arrow (ADBC, JDBC, pyarrow), read-only.
//!
//! A client plans a statement (`GetFlightInfo`), gets a ticket, and reads the rows of the ticket (`DoGet`). A ticket of a
//! statement is its text, so the server keeps nothing of it. Only prepared statements are kept.

mod catalog;
mod prepared;
mod rows;
mod service;
mod status;
mod wire;

use std::sync::Arc;

use arrow_flight::flight_service_server::FlightServiceServer;
use axum::Router;
use axum::middleware;
use tonic::service::Routes;

use crate::App;
use crate::grpc::admit;
use service::Service;

/// Bytes of a request: a statement, or the values of its parameters.
const LARGEST_REQUEST: usize = 4 << 20;

/// The routes of Flight SQL. The name of the host is not checked as for pages: no browser speaks this protocol.
pub fn router(app: Arc<App>, token: Option<String>) -> Router {
    let service = FlightServiceServer::new(Service::new(app)).max_decoding_message_size(LARGEST_REQUEST);
    let admit = middleware::from_fn_with_state(Arc::new(token), admit);
    Routes::new(service).into_axum_router().layer(admit)
}
