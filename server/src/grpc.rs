//! What services of gRPC share: the token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tonic::Status;

use crate::access::has_bearer;

/// Refuses a request without the token, if there is one.
pub async fn admit(State(token): State<Arc<Option<String>>>, request: Request, next: Next) -> Response {
    match &*token {
        Some(token) if !has_bearer(request.headers(), token) => {
            let refused = "this server requires a token\nhint: send the header `authorization: Bearer TOKEN`";
            Status::unauthenticated(refused).into_http::<axum::body::Body>().into_response()
        }
        _ => next.run(request).await,
    }
}
