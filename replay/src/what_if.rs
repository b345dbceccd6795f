//! What if: the state with further events in memory. Each is decided as by the command handler; a rejected one does not
//! count and is reported.

use annals_events::{RawEnvelope, StreamName};
use annals_report::Document;
use annals_store::{Log, ReadError};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::cut::Cut;
use crate::difference::{Difference, diff, differences_document};
use crate::error::ReplayError;
use crate::handler::{DraftRefusal, Handler};
use crate::lines::Line;
use crate::read::absent;
use crate::recorded::{InLog, Recorded, Scope, reference};
use crate::view::{View, scope_of, view_of};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusedLine {
    pub line: u64,
    pub refusal: DraftRefusal,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhatIf {
    /// None if no event counts at the cut.
    pub before: Option<View>,
    /// None if still no event counts.
    pub after: Option<View>,
    /// Accepted events.
    pub taken: usize,
    pub refused: Vec<RefusedLine>,
    pub differences: Vec<Difference>,
}

impl WhatIf {
    pub fn document(&self, zone: &TimeZone) -> Document {
        let mut taken =
            vec![format!("{} of {} events would be taken", self.taken, self.taken + self.refused.len())];
        taken.extend(self.refused.iter().map(|RefusedLine { line, refusal }| {
            format!("line {line}: {} is refused: {}", refusal.event_type, refusal.reason)
        }));
        let state = match (&self.before, &self.after) {
            (None, Some(after)) => after.document(zone),
            _ => differences_document(&self.differences, zone),
        };
        let document = Document::default().lines("", taken).prose(state.title);
        state.parts.into_iter().fold(document, Document::part)
    }
}

/// A stream's state at a cut with further events after its prefix, which count for `as_of` as others.
///
/// # Errors
/// If the log cannot be read, or neither it nor the events have such a stream.
pub fn what_if(log: &Log, stream: &StreamName, cut: &Cut, extra: &[Line]) -> Result<WhatIf, ReplayError> {
    let up_to = cut.last_seq(log)?;
    let mut handler = Handler::at(log, up_to)?;
    let mut refused = Vec::new();
    for (index, line) in extra.iter().enumerate() {
        if let Err(refusal) = handler.decide(index, &line.draft)? {
            refused.push(RefusedLine { line: line.number, refusal });
        }
    }
    let taken: Vec<RawEnvelope> = handler.accepted().iter().map(|one| one.envelope.clone()).collect();
    let before = view_with(log, stream, cut, up_to, &[])?;
    let after = view_with(log, stream, cut, up_to, &taken)?;
    if before.is_none() && after.is_none() && refused.is_empty() {
        return Err(absent(log, stream)?);
    }
    let differences = match (&before, &after) {
        (Some(before), Some(after)) => diff(before, after),
        _ => Vec::new(),
    };
    Ok(WhatIf { before, after, taken: taken.len(), refused, differences })
}

struct OnTop<'a> {
    log: InLog<'a>,
    extra: Vec<&'a RawEnvelope>,
}

impl Recorded for OnTop<'_> {
    fn each(&self, visit: &mut dyn FnMut(annals_store::FoldEvent<'_>)) -> Result<(), ReadError> {
        self.log.each(visit)?;
        self.extra.iter().for_each(|event| visit(reference(event)));
        Ok(())
    }
}

fn view_with(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    up_to: u64,
    extra: &[RawEnvelope],
) -> Result<Option<View>, ReplayError> {
    let scope = scope_of(stream)?;
    let belongs = |event: &&RawEnvelope| match &scope {
        Scope::Stream(stream) => event.stream == *stream,
        Scope::People => event.stream.family() == "people",
        Scope::Log => true,
    };
    let events = OnTop { log: InLog::new(log, &scope, up_to), extra: extra.iter().filter(belongs).collect() };
    let (view, folded) = view_of(&events, stream, cut, up_to + extra.len() as u64)?;
    Ok((folded > 0).then_some(view))
}
