//! The field of the final: the best of the qualifier, with those who fall out, those who are invited in their place,
//! and last year's programs that stand in (2015 WCC, Program Submission).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use annals_events::Micros;

use super::reading::StandInSeed;

/// How long an invited program has, to be uploaded and tested: six days, in microseconds.
pub const INVITATION: Micros = 6 * 24 * 3600 * 1_000_000;

/// What changes the field after the qualifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldChange {
    /// The program is out: disqualified, or invited and not set up in time. The next in the order takes the place.
    Out,
    /// The program was invited and cannot be set up in time, and one of an earlier year plays in its place.
    StandIn,
}

/// A place in the final.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finalist<P> {
    /// The seed, from 1, without gaps.
    pub seed: u32,
    /// Who; for a stand-in, the one in whose place it plays.
    pub player: P,
    /// The place in the qualifier, from 1.
    pub place: u32,
    /// Whether the place came by an invitation. Then no fee is at risk.
    pub invited: bool,
    /// Whether a program of an earlier year plays.
    pub stand_in: bool,
}

/// What a field makes possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Prospect {
    /// Nobody is left: no final, no champion, and the director has to rule.
    Nobody,
    /// One is left, who is champion without a game.
    ChampionWithoutPlay,
    /// A final is played.
    Final,
}

/// The field of the final.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalField<P> {
    /// The finalists by seed.
    pub finalists: Vec<Finalist<P>>,
    /// Those who would be invited next, in order.
    pub waiting: Vec<P>,
    /// What the field makes possible.
    pub prospect: Prospect,
}

/// Why a field cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError<P: fmt::Display> {
    /// Somebody changes the field who is not in the order.
    #[error("{player} is not in the order of the qualifier, so nothing about the final can change by it")]
    Unranked {
        /// Who.
        player: P,
    },
    /// Somebody stands twice in the order.
    #[error("{player} stands twice in the order of the qualifier. Each program has one place")]
    RankedTwice {
        /// Who.
        player: P,
    },
    /// A stand-in for one who was not invited.
    #[error(
        "{player} is among the first {size} and was not invited, so no program of an earlier year may stand in: \
         disqualify it and invite the next (2015 WCC, Program Submission)"
    )]
    NotInvited {
        /// Who.
        player: P,
        /// The size of the final.
        size: usize,
    },
    /// A stand-in for one who has no place.
    #[error("{player} has no place in the final, so nothing can stand in for it: nobody fell out before it")]
    NoPlace {
        /// Who.
        player: P,
    },
}

/// Makes the field: the first `size` (eight in 2015) of the order who are not out, seeded densely in that order. Fewer
/// entrants make a smaller field.
///
/// # Errors
///
/// When a change names somebody who is not in the order, or a stand-in is not one for an invited program.
pub fn final_field<P: Clone + Ord + fmt::Display>(
    order: &[P],
    changes: &BTreeMap<P, FieldChange>,
    size: usize,
    stand_in_seed: StandInSeed,
) -> std::result::Result<FinalField<P>, FieldError<P>> {
    let mut ranked = BTreeSet::new();
    if let Some(twice) = order.iter().find(|player| !ranked.insert(*player)) {
        return Err(FieldError::RankedTwice { player: twice.clone() });
    }
    if let Some(player) = changes.keys().find(|player| !ranked.contains(player)) {
        return Err(FieldError::Unranked { player: player.clone() });
    }
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut left =
        order.iter().enumerate().filter(|(_, player)| changes.get(player) != Some(&FieldChange::Out));
    let mut finalists: Vec<Finalist<P>> = left
        .by_ref()
        .take(size)
        .map(|(i, player)| Finalist {
            seed: 0,
            player: player.clone(),
            place: small(i + 1),
            invited: i >= size,
            stand_in: changes.get(player) == Some(&FieldChange::StandIn),
        })
        .collect();
    let waiting: Vec<P> = left.map(|(_, player)| player.clone()).collect();
    if let Some(early) = finalists.iter().find(|finalist| finalist.stand_in && !finalist.invited) {
        return Err(FieldError::NotInvited { player: early.player.clone(), size });
    }
    if let Some(player) = waiting.iter().find(|player| changes.contains_key(player)) {
        return Err(FieldError::NoPlace { player: player.clone() });
    }
    if stand_in_seed == StandInSeed::Last {
        finalists.sort_by_key(|finalist| finalist.stand_in);
    }
    for (i, finalist) in finalists.iter_mut().enumerate() {
        finalist.seed = small(i + 1);
    }
    let prospect = match finalists.len() {
        0 => Prospect::Nobody,
        1 => Prospect::ChampionWithoutPlay,
        _ => Prospect::Final,
    };
    Ok(FinalField { finalists, waiting, prospect })
}

/// An invitation to take the place of one who fell out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation<P> {
    /// Who is invited.
    pub player: P,
    /// The place in the qualifier, from 1.
    pub place: u32,
    /// Until when the program is to be uploaded and tested.
    pub until: Micros,
}

/// Whom a change of the field makes the director invite: those who have a place after it and had none before.
/// No invited program risks its fee.
#[must_use]
pub fn invitations<P: Clone + PartialEq>(
    before: &FinalField<P>,
    after: &FinalField<P>,
    invited_at: Micros,
) -> Vec<Invitation<P>> {
    after
        .finalists
        .iter()
        .filter(|finalist| !before.finalists.iter().any(|old| old.player == finalist.player))
        .map(|finalist| Invitation {
            player: finalist.player.clone(),
            place: finalist.place,
            until: invited_at.saturating_add(INVITATION),
        })
        .collect()
}
