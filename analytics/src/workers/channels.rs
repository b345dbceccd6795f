//! Connections to workers, with the token in each request.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result};
use datafusion_distributed::grpc::{BoxCloneSyncChannel, DefaultChannelResolver, create_worker_client};
use datafusion_distributed::{ChannelResolver, WorkerChannel};
use http::header::{AUTHORIZATION, HeaderValue};
use tower::ServiceExt as _;
use url::Url;

/// Connections that are kept and used again.
#[derive(Clone)]
pub(super) struct Channels {
    open: Arc<DefaultChannelResolver>,
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
}

#[async_trait]
impl ChannelResolver for Channels {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let channel = self.open.get_channel(url).await?;
        let Some(bearer) = self.bearer.clone() else { return Ok(create_worker_client(channel)) };
        let channel = channel.map_request(move |mut request: http::Request<_>| {
            request.headers_mut().insert(AUTHORIZATION, bearer.clone());
            request
        });
        Ok(create_worker_client(BoxCloneSyncChannel::new(channel)))
    }
}
