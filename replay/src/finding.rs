//! What a fold has to say about an event: it does not follow from the rules or from what came before, or it cannot be
//! read. A finding never ends a fold; an imported history is what it is.

use annals_events::Event;
use annals_events::bounds::beyond;
pub use annals_tournaments::Finding;

/// The code of a finding about a number that is beyond its bound.
pub const OUT_OF_BOUNDS: &str = "number_out_of_bounds";

/// That a number of an event is beyond its bound; none where all are within.
pub(crate) fn out_of_bounds(seq: u64, event: &Event<'_>) -> Option<Finding> {
    beyond(event).map(|beyond| Finding::new(seq, OUT_OF_BOUNDS, beyond.to_string()))
}
