//! The floating eliminations of 2015 and 2009, with continuation and playoffs, over what was recorded.

use super::NextRound;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::state::Tournament;

/// The next round of it.
pub(super) fn next_round(
    _tournament: &Tournament,
    _rulebook: &Rulebook,
    _stage: annals_events::tournament::Stage,
) -> Result<NextRound, Refusal> {
    Err(Refusal::lacking("not worked out"))
}
