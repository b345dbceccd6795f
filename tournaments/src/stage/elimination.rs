//! The floating eliminations of 2015 and 2009, with continuation and playoffs, over what was recorded.

use super::{NextRound, Places, Standing};
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

/// Everybody in its order.
pub(super) fn ranking(_tournament: &Tournament, _rulebook: &Rulebook) -> Result<Vec<Standing>, Refusal> {
    Err(Refusal::lacking("not worked out"))
}

/// The places as far as they are decided.
pub(super) fn places(_tournament: &Tournament, _rulebook: &Rulebook) -> Result<Places, Refusal> {
    Err(Refusal::lacking("not worked out"))
}
