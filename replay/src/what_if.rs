//! What if: the state with further events in memory. Each is decided as by the command handler on the record of that
//! moment. A rejected event does not count and is reported; a supposed result counts even if it is rejected.

use annals_events::{RawEnvelope, StreamName};
use annals_report::Document;
use annals_store::{FoldEvent, Log, ReadError};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::cut::Cut;
use crate::difference::{Difference, diff, differences_document};
use crate::difference_words::Labels;
use crate::error::ReplayError;
use crate::handler::{Draft, DraftRefusal, Handler};
use crate::lines::Line;
use crate::read::absent;
use crate::recorded::{InLog, Recorded, Scope, recorded, reference};
use crate::supposed_result::SupposedResult;
use crate::timeline::{CORRECTION, Corrections};
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supposed: Option<SupposedResult>,
    pub differences: Vec<Difference>,
}

impl WhatIf {
    pub fn document(&self, zone: &TimeZone) -> Document {
        let mut taken = match &self.supposed {
            Some(supposed) => supposed.lines(),
            None => {
                vec![format!("{} of {} events would be taken", self.taken, self.taken + self.refused.len())]
            }
        };
        taken.extend(self.refused.iter().map(|RefusedLine { line, refusal }| {
            format!("line {line}: {} is refused: {}", refusal.event_type, refusal.reason)
        }));
        let state = match (&self.before, &self.after) {
            (None, Some(after)) => after.document(zone),
            (before, after) => {
                let labels = Labels::of([before, after].into_iter().flatten());
                differences_document(&self.differences, &labels, zone)
            }
        };
        let document = Document::default().lines("", taken).prose(state.title);
        state.parts.into_iter().fold(document, Document::part)
    }
}

/// A stream's state at a cut with further events after its prefix. An event with a stated time counts for `as_of` as
/// others; one without a time happens at that moment.
///
/// # Errors
/// If the log cannot be read, or neither it nor the events have such a stream.
pub fn what_if(log: &Log, stream: &StreamName, cut: &Cut, extra: &[Line]) -> Result<WhatIf, ReplayError> {
    let moment = Moment::of(log, stream, cut)?;
    let mut handler = Handler::at(log, moment.decided_at)?;
    let mut refused = Vec::new();
    for (index, line) in extra.iter().enumerate() {
        if let Err(refusal) = handler.decide(index, &at_moment(&line.draft, cut))? {
            refused.push(RefusedLine { line: line.number, refusal });
        }
    }
    let taken: Vec<RawEnvelope> = handler.accepted().iter().map(|one| one.envelope.clone()).collect();
    moment.compared(log, stream, taken, refused, None)
}

/// An event without a stated time happens at the moment, if that is past.
fn at_moment(draft: &Draft, cut: &Cut) -> Draft {
    let at = cut.as_of.filter(|at| draft.now && *at < draft.effective_at);
    Draft { effective_at: at.unwrap_or(draft.effective_at), ..draft.clone() }
}

/// The point in time of the query, and where its record ends.
pub(crate) struct Moment<'c> {
    cut: &'c Cut,
    scope: Scope,
    /// The last event of the cut's prefix.
    up_to: u64,
    /// The last event that counts: the events that are added are decided after it.
    pub(crate) decided_at: u64,
}

impl Moment<'_> {
    pub(crate) fn of<'c>(log: &Log, stream: &StreamName, cut: &'c Cut) -> Result<Moment<'c>, ReplayError> {
        let (scope, up_to) = (scope_of(stream)?, cut.last_seq(log)?);
        let decided_at = match cut.as_of {
            None => up_to,
            Some(_) => {
                let counting = counting(&recorded(log, &scope, up_to)?, cut);
                counting
                    .iter()
                    .filter(|event| event.event_type != CORRECTION)
                    .map(|event| event.seq)
                    .max()
                    .unwrap_or(0)
            }
        };
        Ok(Moment { cut, scope, up_to, decided_at })
    }

    /// Compares the state of the moment with that after further events.
    pub(crate) fn compared(
        self,
        log: &Log,
        stream: &StreamName,
        taken: Vec<RawEnvelope>,
        refused: Vec<RefusedLine>,
        supposed: Option<SupposedResult>,
    ) -> Result<WhatIf, ReplayError> {
        let before = self.view_with(log, stream, &[])?;
        let after = self.view_with(log, stream, &taken)?;
        if before.is_none() && after.is_none() && refused.is_empty() {
            return Err(absent(log, stream)?);
        }
        let differences = match (&before, &after) {
            (Some(before), Some(after)) => diff(before, after),
            _ => Vec::new(),
        };
        Ok(WhatIf { before, after, taken: taken.len(), refused, supposed, differences })
    }

    fn view_with(
        &self,
        log: &Log,
        stream: &StreamName,
        extra: &[RawEnvelope],
    ) -> Result<Option<View>, ReplayError> {
        let belongs = |event: &&RawEnvelope| match &self.scope {
            Scope::Stream(stream) => event.stream == *stream,
            Scope::People => event.stream.family() == "people",
            Scope::Log => true,
        };
        let last = self.up_to + extra.len() as u64;
        let extra = extra.iter().filter(belongs);
        let (mut view, folded) = match self.cut.as_of {
            None => {
                let log = InLog::new(log, &self.scope, self.up_to);
                view_of(&OnTop { log, extra: extra.collect() }, stream, (self.cut, self.cut), last)?
            }
            Some(at) => {
                let mut events = counting(&recorded(log, &self.scope, self.up_to)?, self.cut);
                events.extend(extra.filter(|event| event.effective_at <= at).cloned());
                view_of(events.as_slice(), stream, (&Cut::NOW, self.cut), last)?
            }
        };
        view.rename(log, self.cut)?;
        Ok((folded > 0).then_some(view))
    }
}

/// The events that count at a cut, as recorded, with the corrections of its prefix.
fn counting(events: &[RawEnvelope], cut: &Cut) -> Vec<RawEnvelope> {
    let corrections = Corrections::of(events);
    let counts = |event: &&RawEnvelope| {
        let effective = reference(event);
        event.event_type == CORRECTION
            || corrections.put_in_place(&effective).is_none_or(|effective| cut.counts(&effective))
    };
    events.iter().filter(counts).cloned().collect()
}

struct OnTop<'a> {
    log: InLog<'a>,
    extra: Vec<&'a RawEnvelope>,
}

impl Recorded for OnTop<'_> {
    fn each(&self, visit: &mut dyn FnMut(FoldEvent<'_>)) -> Result<(), ReadError> {
        self.log.each(visit)?;
        self.extra.iter().for_each(|event| visit(reference(event)));
        Ok(())
    }
}
