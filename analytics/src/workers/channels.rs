//! Connections to workers, with the token in each request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result};
use datafusion_distributed::grpc::{BoxCloneSyncChannel, create_worker_client};
use datafusion_distributed::{ChannelResolver, WorkerChannel};
use http::header::{AUTHORIZATION, HeaderValue};
use tonic::transport::{Channel, Endpoint};
use tower::ServiceExt as _;
use url::Url;

/// How long a worker may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// Each connection is tried at this interval, also while the worker computes.
const PING: Duration = Duration::from_secs(10);

/// A worker that does not answer a ping for this long counts as ended: the requests to it fail.
const PONG: Duration = Duration::from_secs(20);

/// Connections that are kept and used again. One that has ended is made anew by the next request.
#[derive(Clone)]
pub(super) struct Channels {
    open: Arc<Mutex<HashMap<Url, Channel>>>,
    bearer: Option<HeaderValue>,
}

impl Channels {
    /// # Errors
    /// If the token is not a text for a header.
    pub(super) fn new(token: Option<&str>) -> Result<Channels> {
        let bearer = token.map(|token| {
            let mut bearer = HeaderValue::try_from(format!("Bearer {token}"))
                .map_err(|error| DataFusionError::External(Box::new(error)))?;
            bearer.set_sensitive(true);
            Ok::<_, DataFusionError>(bearer)
        });
        Ok(Channels { open: Arc::default(), bearer: bearer.transpose()? })
    }

    fn channel(&self, url: &Url) -> Result<Channel> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = open.get(url) {
            return Ok(channel.clone());
        }
        let endpoint = Endpoint::from_shared(url.to_string())
            .map_err(|error| DataFusionError::External(Box::new(error)))?
            .connect_timeout(CONNECT)
            .http2_keep_alive_interval(PING)
            .keep_alive_timeout(PONG)
            .keep_alive_while_idle(true);
        let channel = endpoint.connect_lazy();
        open.insert(url.clone(), channel.clone());
        Ok(channel)
    }
}

#[async_trait]
impl ChannelResolver for Channels {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let (channel, bearer) = (self.channel(url)?, self.bearer.clone());
        Ok(create_worker_client(BoxCloneSyncChannel::new(channel.map_request(
            move |mut request: http::Request<_>| {
                if let Some(bearer) = &bearer {
                    request.headers_mut().insert(AUTHORIZATION, bearer.clone());
                }
                request
            },
        ))))
    }
}
