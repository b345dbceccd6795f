//! A player of a tournament: entry, program, and how they left.

use annals_events::tournament::{
    AccountGiven, AccountWithdrawn, AvailabilityGiven, Disqualification, Disqualified, HardwareDeclared,
    Invited, PlayerRegistered, ProgramPublished, ProgramSubmitted, ProgramSubstituted, ProgramTested,
    ProgramUpdated,
};
use annals_events::{Micros, PlayerKind, closed_words};

use super::noted::Noted;

closed_words! {
    pub enum EntrantStatus, "status of an entry" {
        Entered = "entered",
        Invited = "invited",
        Withdrawn = "withdrawn",
        /// By the director, or after a forfeit.
        Removed = "removed",
        /// The invitation lapsed.
        Lapsed = "lapsed",
        Disqualified = "disqualified",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaving {
    Own,
    Forfeit,
    /// By the director, also by a ruling.
    Removed,
    Disqualified,
    /// An invitation lapsed.
    Lapsed,
}

/// How and when a player left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub seq: u64,
    pub at: Micros,
    pub how: Leaving,
}

/// All events on an entrant's program, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramRecord {
    pub submitted: Vec<Noted<ProgramSubmitted>>,
    pub tested: Vec<Noted<ProgramTested>>,
    pub updated: Vec<Noted<ProgramUpdated>>,
    /// The earlier version that replaces it.
    pub substituted: Option<Noted<ProgramSubstituted>>,
    pub accounts_given: Vec<Noted<AccountGiven>>,
    pub accounts_withdrawn: Vec<Noted<AccountWithdrawn>>,
    pub published: Option<Noted<ProgramPublished>>,
}

impl ProgramRecord {
    /// The last account that was not withdrawn.
    pub(crate) fn account(&self) -> Option<&Noted<AccountGiven>> {
        let withdrawn = self.accounts_withdrawn.last().map_or(0, |withdrawn| withdrawn.seq);
        self.accounts_given.last().filter(|given| given.seq > withdrawn)
    }

    /// The digest of the present program, if recorded.
    pub fn digest(&self) -> Option<&str> {
        if let Some(substituted) = &self.substituted {
            return substituted.fact.digest.as_deref();
        }
        let submitted = self.submitted.last()?;
        let updated = self.updated.last().filter(|updated| updated.seq > submitted.seq);
        Some(updated.map_or(submitted.fact.digest.as_str(), |updated| updated.fact.after.as_str()))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    pub name: String,
    pub entry: Noted<PlayerRegistered>,
    /// By order of entry, from 1.
    pub order: u32,
    /// While they are out.
    pub left: Option<Left>,
    /// One per cause, also of a player who was out already.
    pub disqualified: Vec<Noted<Disqualified>>,
    pub invited: Option<Noted<Invited>>,
    pub program: ProgramRecord,
    /// In order.
    pub hardware: Vec<Noted<HardwareDeclared>>,
    /// In order.
    pub availability: Vec<Noted<AvailabilityGiven>>,
    pub kind: PlayerKind,
    /// As last recorded.
    pub rating: Option<i32>,
    /// Of the entry.
    pub number: Option<u32>,
    /// From the last published order with one. `Tournament::seeds` are the seeds in use.
    pub seed: Option<u32>,
}

impl Entrant {
    /// Entered or invited, and not left.
    pub fn is_in(&self) -> bool {
        self.left.is_none()
    }

    pub(crate) fn disqualified_for(&self, cause: Disqualification) -> Option<&Noted<Disqualified>> {
        self.disqualified.iter().find(|out| out.fact.cause == cause)
    }

    /// Disqualified when leaving, or since.
    fn is_disqualified_since(&self, left: &Left) -> bool {
        self.disqualified.last().is_some_and(|out| out.seq >= left.seq)
    }

    pub fn status(&self) -> EntrantStatus {
        match &self.left {
            Some(left) if self.is_disqualified_since(left) => EntrantStatus::Disqualified,
            Some(Left { how: Leaving::Forfeit | Leaving::Removed, .. }) => EntrantStatus::Removed,
            Some(Left { how: Leaving::Lapsed, .. }) => EntrantStatus::Lapsed,
            Some(_) => EntrantStatus::Withdrawn,
            None if self.invited.is_some() => EntrantStatus::Invited,
            None => EntrantStatus::Entered,
        }
    }

    /// Left before the event that begins a stage, if any.
    pub(crate) fn left_before(&self, begins: Option<u64>) -> bool {
        self.left.as_ref().is_some_and(|left| begins.is_none_or(|begins| left.seq < begins))
    }
}
