//! Rounds of a floating elimination, and playoffs, explained.

use annals_events::PlayerId;

use super::{RoundExplanation, WhyNot};
use crate::elimination::RoundPairing;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::stage::NextRound;
use crate::stage::Roster;

/// Explains it.
pub(super) fn explain(
    _next: &NextRound,
    _round: &RoundPairing,
    _roster: &Roster,
    _rulebook: &Rulebook,
) -> Result<RoundExplanation, Refusal> {
    Err(Refusal::lacking("not worked out"))
}

/// Explains it.
pub(super) fn explain_playoff(_next: &NextRound, _rulebook: &Rulebook) -> Result<RoundExplanation, Refusal> {
    Err(Refusal::lacking("not worked out"))
}

/// Why not.
pub(super) fn why_not(
    _round: &RoundPairing,
    _roster: &Roster,
    _rulebook: &Rulebook,
    _one: &PlayerId,
    _other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    Err(Refusal::lacking("not worked out"))
}

/// Why not.
pub(super) fn why_not_playoff(
    _next: &NextRound,
    _rulebook: &Rulebook,
    _one: &PlayerId,
    _other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    Err(Refusal::lacking("not worked out"))
}
