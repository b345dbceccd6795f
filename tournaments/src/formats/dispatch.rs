//! The module of each format: the only dispatch.

use super::stage_format::StageFormat;
use super::{elimination, encounters, ring, swiss};
use crate::rulebook::Format;

/// None for a qualifier, which has no rounds.
pub(crate) fn module(format: &Format) -> Option<&'static dyn StageFormat> {
    match format {
        Format::Qualifier { .. } => None,
        Format::Swiss => Some(&swiss::propose::Swiss),
        Format::Elimination(_) | Format::Continuation | Format::Playoff => {
            Some(&elimination::stage::FloatingElimination)
        }
        Format::Ring => Some(&ring::propose::Ring),
        Format::Encounters => Some(&encounters::propose::Encounters),
    }
}
