//! The Swiss preliminary of 2009 over what was recorded.

use super::NextRound;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::state::Tournament;

/// The next round of it.
pub(super) fn next_round(_tournament: &Tournament, _rulebook: &Rulebook) -> Result<NextRound, Refusal> {
    Err(Refusal::lacking("not worked out"))
}
