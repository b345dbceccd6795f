//! Rounds of encounters explained.

use annals_events::PlayerId;

use super::{RoundExplanation, WhyNot};
use crate::olympiad::OlympiadPairing;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::stage::NextRound;

/// Explains it.
pub(super) fn explain(
    _next: &NextRound,
    _pairing: &OlympiadPairing<PlayerId>,
    _rulebook: &Rulebook,
) -> Result<RoundExplanation, Refusal> {
    Err(Refusal::lacking("not worked out"))
}

/// Explains it.
pub(super) fn explain_all(_next: &NextRound, _rulebook: &Rulebook) -> Result<RoundExplanation, Refusal> {
    Err(Refusal::lacking("not worked out"))
}

/// Why not.
pub(super) fn why_not(
    _pairing: &OlympiadPairing<PlayerId>,
    _rulebook: &Rulebook,
    _one: &PlayerId,
    _other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    Err(Refusal::lacking("not worked out"))
}

/// Why not.
pub(super) fn why_not_all(
    _next: &NextRound,
    _rulebook: &Rulebook,
    _one: &PlayerId,
    _other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    Err(Refusal::lacking("not worked out"))
}
