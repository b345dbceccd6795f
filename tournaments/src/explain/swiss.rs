//! Rounds of the Swiss explained.

use annals_events::PlayerId;

use super::{RoundExplanation, WhyNot};
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::stage::NextRound;
use crate::swiss::SwissPairing;

/// Explains it.
pub(super) fn explain(
    _next: &NextRound,
    _pairing: &SwissPairing<PlayerId>,
    _rulebook: &Rulebook,
) -> Result<RoundExplanation, Refusal> {
    Err(Refusal::lacking("not worked out"))
}

/// Why not.
pub(super) fn why_not(
    _pairing: &SwissPairing<PlayerId>,
    _rulebook: &Rulebook,
    _one: &PlayerId,
    _other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    Err(Refusal::lacking("not worked out"))
}
