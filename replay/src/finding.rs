//! Findings of a fold: an event that violates rules or order, or cannot be read. A finding never ends a fold.

use annals_events::Event;
use annals_events::bounds::beyond;
pub use annals_tournaments::Finding;

/// The finding's code for a number out of bounds.
pub const OUT_OF_BOUNDS: &str = "number_out_of_bounds";

/// The code of a time after the clock of the log.
pub const IN_THE_FUTURE: &str = "in_the_future";

/// None if all numbers are within bounds.
pub(crate) fn out_of_bounds(seq: u64, event: &Event<'_>) -> Option<Finding> {
    beyond(event).map(|beyond| Finding::new(seq, OUT_OF_BOUNDS, beyond.to_string()))
}
