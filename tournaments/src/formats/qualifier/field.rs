//! The field of the final: the best of the qualifier, with disqualifications, invitations and stand-ins (2015
//! WCC, Program Submission).

use std::collections::{BTreeMap, BTreeSet};

use annals_events::PlayerId;

use super::reading::StandInSeed;

/// Changes after the qualifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldChange {
    /// Disqualified, or invited and not set up in time. The next in the order takes the place.
    Out,
    /// An invited program is not set up in time, and one of an earlier year replaces it.
    StandIn,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finalist {
    /// For a stand-in, the player whom it replaces.
    pub player: PlayerId,
    /// In the qualifier, from 1.
    pub rank: u32,
    /// By invitation, so that no fee is at risk.
    pub invited: bool,
    /// A program of an earlier year plays.
    pub stand_in: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    #[error("{player} is not in the order of the qualifier, so nothing about the final can change by it")]
    Unranked { player: PlayerId },
    #[error("{player} is twice in the order of the qualifier. Each program has one place")]
    RankedTwice { player: PlayerId },
    #[error(
        "{player} is among the first {size} and was not invited, so no program of an earlier year may stand in: \
         disqualify it and invite the next"
    )]
    NotInvited { player: PlayerId, size: usize },
    #[error(
        "{player} has no place in the final, so nothing can stand in for it: no player fell out before it"
    )]
    NoPlace { player: PlayerId },
}

/// The finalists by seed: the first `size` (eight in 2015) of the order who are not out. Fewer entrants give
/// a smaller field.
///
/// # Errors
/// If a change has a player outside the order, or a stand-in replaces a program that was not invited.
pub fn final_field(
    order: &[PlayerId],
    changes: &BTreeMap<PlayerId, FieldChange>,
    size: usize,
    stand_in_seed: StandInSeed,
) -> Result<Vec<Finalist>, FieldError> {
    let mut ranked = BTreeSet::new();
    if let Some(twice) = order.iter().find(|player| !ranked.insert(*player)) {
        return Err(FieldError::RankedTwice { player: twice.clone() });
    }
    if let Some(player) = changes.keys().find(|player| !ranked.contains(player)) {
        return Err(FieldError::Unranked { player: player.clone() });
    }
    let mut left = (1..)
        .zip(order)
        .map(|(rank, player)| (rank, player, changes.get(player)))
        .filter(|(_, _, change)| *change != Some(&FieldChange::Out));
    let mut finalists: Vec<Finalist> = left
        .by_ref()
        .take(size)
        .map(|(rank, player, change)| Finalist {
            player: player.clone(),
            rank,
            invited: usize::try_from(rank).is_ok_and(|rank| rank > size),
            stand_in: change == Some(&FieldChange::StandIn),
        })
        .collect();
    if let Some(early) = finalists.iter().find(|finalist| finalist.stand_in && !finalist.invited) {
        return Err(FieldError::NotInvited { player: early.player.clone(), size });
    }
    if let Some((_, player, _)) = left.find(|(_, _, change)| change.is_some()) {
        return Err(FieldError::NoPlace { player: player.clone() });
    }
    if stand_in_seed == StandInSeed::Last {
        finalists.sort_by_key(|finalist| finalist.stand_in);
    }
    Ok(finalists)
}
