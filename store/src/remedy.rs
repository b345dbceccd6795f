//! What to do next about a damaged log: one step, which is accepted in the state that it is named for.

use std::path::{Path, PathBuf};

use crate::loss::MOST_AT_ONCE;
use crate::names::{anchor_path, beside};
use crate::outside::AnchorProblem;
use crate::repair::is_of_the_tree;
use crate::verify::{Finding, Report};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Events are damaged: the intact ones are written out, and the log is not repaired in place.
    Salvage,
    RestoreSchema,
    /// Also makes a damaged tree again: over events that the anchor contradicts, only with a record of the loss.
    AcceptLoss,
    RebuildTree,
    /// The log is whole; its anchor is older than a receipt, or has a line that cannot be read.
    Acknowledge,
    /// A file has the wrong name, or is in the place of another.
    Move {
        from: PathBuf,
        to: PathBuf,
    },
    /// Only a receipt or a backup shows that the log is not the latest; nothing in its files does.
    Backup,
    /// The log is whole; a backup with which it was compared is damaged, or is no backup of it.
    NewBackup,
    /// The log is whole; a receipt with which it was compared is of another log.
    OtherReceipt,
    /// A signature of an actor shows that events were rewritten, or a key that was given is not that of the log.
    Signed,
}

impl Finding {
    /// Damage of what protects the events; none of them was found changed in itself.
    pub(crate) fn is_of_protection(&self) -> bool {
        match self {
            Finding::Schema(difference) => difference.can_be_restored(),
            Finding::Anchor(_) => true,
            finding => is_of_the_tree(finding),
        }
    }

    fn is_from_outside(&self) -> bool {
        matches!(self, Finding::Receipt { .. } | Finding::Backup { .. } | Finding::Digest { .. })
    }

    fn is_of_signatures(&self) -> bool {
        matches!(self, Finding::Signature { .. } | Finding::ActorKey { .. })
    }
}

impl Report {
    /// The next step; none for a log that is whole and has its protections.
    #[must_use]
    pub fn remedy(&self) -> Option<Remedy> {
        let within =
            || self.damage().filter(|finding| !finding.is_from_outside() && !finding.is_of_signatures());
        if within().all(Finding::is_of_protection) && self.damage().any(Finding::is_of_signatures) {
            return Some(Remedy::Signed);
        }
        if within().next().is_none() {
            let is_behind = |finding: &Finding| {
                matches!(finding, Finding::AnchorBehind { .. } | Finding::AnchorLine { block: 0 | 1 })
            };
            let lags = self.findings.iter().any(is_behind).then_some(Remedy::Acknowledge);
            return if self.is_whole() { lags } else { Some(self.of_what_is_outside()) };
        }
        if !within().all(Finding::is_of_protection) {
            return Some(Remedy::Salvage);
        }
        if within().any(|finding| matches!(finding, Finding::Schema(_))) {
            return Some(Remedy::RestoreSchema);
        }
        let mut anchor = within().filter_map(|finding| match finding {
            Finding::Anchor(problem) => Some(problem),
            _ => None,
        });
        Some(match anchor.next() {
            None => Remedy::RebuildTree,
            Some(problem) => of_the_anchor(&self.path, problem),
        })
    }
}

impl Report {
    /// For a log in which only what it was compared with is damage.
    fn of_what_is_outside(&self) -> Remedy {
        let mut damage = self.damage();
        match damage.clone().find(|finding| finding.seq().is_none()) {
            _ if damage.any(|finding| finding.seq().is_some()) => Remedy::Backup,
            Some(Finding::Receipt { .. }) => Remedy::OtherReceipt,
            _ => Remedy::NewBackup,
        }
    }
}

fn of_the_anchor(log: &Path, problem: &AnchorProblem) -> Remedy {
    match problem {
        AnchorProblem::Missing { earlier: Some(earlier), .. } => {
            Remedy::Move { from: earlier.clone(), to: anchor_path(log) }
        }
        AnchorProblem::LossNotRecorded { accepted, recorded }
            if accepted.saturating_sub(*recorded) > MOST_AT_ONCE =>
        {
            Remedy::Move { from: anchor_path(log), to: beside(log, "forged-anchor") }
        }
        _ => Remedy::AcceptLoss,
    }
}
