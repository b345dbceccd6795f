//! The picture of a page: an SVG with its provenance, as the command that draws it writes it.

use annals_analytics::Session;
use annals_analytics::citations::identifier;
use annals_charts::{Drawn, Picture, metadata};
use annals_events::{PROGRAM, StreamName};
use annals_replay::{Cut, Identifier};
use annals_report::Provenance;
use annals_store::Log;

use crate::Failure;
use crate::reply::Reply;

/// Where a file comes from that a command makes of one object.
pub fn made_from(source: Option<Identifier>, command: String) -> Provenance {
    let sources = source.iter().map(ToString::to_string).collect();
    Provenance { sources, command, program: PROGRAM.to_owned(), damage: None }
}

/// Where a file comes from that a command makes of a tournament or a game of the log.
pub fn of_stream(log: &Log, stream: &StreamName, cut: &Cut, command: String) -> Result<Provenance, Failure> {
    Ok(made_from(Identifier::of_stream(log, stream, cut)?, command))
}

/// Where a file comes from that a command makes of a dataset, and of the log as far as the queries of this session have read it.
pub fn of_queries(session: &Session, command: String) -> Result<Provenance, Failure> {
    let mut provenance = made_from(identifier(session.dataset(), None), command);
    provenance.sources.extend(session.log_read()?.map(|log| log.to_string()));
    Ok(provenance)
}

/// Draws a chart.
pub fn reply(chart: &impl Drawn, provenance: &Provenance) -> Result<Reply, Failure> {
    let entries = provenance.entries_of_picture(chart.title());
    let bytes = metadata::embed(&chart.draw(Picture::Svg)?, Picture::Svg, &entries)?;
    Ok(Reply::File { content_type: "image/svg+xml", bytes, name: None })
}
