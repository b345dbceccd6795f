//! What every floating elimination keeps: the field, the rounds, who was taken out, and the counts over all that.

use std::collections::{BTreeMap, BTreeSet};

use super::rules::Rules;
use crate::history::{Field, FieldError, PastRound, Player, Tally};
use crate::pairing::PairingError;
use crate::tpr::RatingError;

/// Why an elimination could not go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EliminationError {
    /// The field, or a round, has somebody twice, or a stranger, or nobody.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The round cannot be paired.
    #[error(transparent)]
    Pairing(#[from] PairingError),
    /// The ratings were not found.
    #[error(transparent)]
    Rating(#[from] RatingError),
    /// Somebody who is eliminated, was taken out, or never was in.
    #[error("{player} is not among the players who are still in")]
    NotIn {
        /// The player.
        player: Player,
    },
    /// The rules rank by tournament performance rating.
    #[error("the rules rank by tournament performance rating, and no ratings were given")]
    RatingsMissing,
    /// Nothing is left to be paired.
    #[error("the final is over: there is no further round")]
    Over,
    /// A playoff that is not the next one.
    #[error("the next game is not a playoff of {one} and {other}")]
    NoSuchPlayoff {
        /// A player.
        one: Player,
        /// The other.
        other: Player,
    },
    /// A playoff without a winner.
    #[error("a playoff needs a winner: {player} is neither {one} nor {other}")]
    NoSuchWinner {
        /// Who was named.
        player: Player,
        /// A player.
        one: Player,
        /// The other.
        other: Player,
    },
    /// A round in mid-playoffs.
    #[error("the rounds are over: what is left is playoffs, or nothing")]
    RoundsAreOver,
    /// Rules without lives.
    #[error("an elimination needs at least one life for each player")]
    NoLives,
}

/// The field, the rounds so far, and what follows from them.
#[derive(Debug, Clone)]
pub(super) struct Contest {
    pub(super) rules: Rules,
    pub(super) field: Field,
    pub(super) rounds: Vec<PastRound>,
    pub(super) tally: Tally,
    pub(super) removed: BTreeSet<Player>,
    seeds: BTreeMap<Player, usize>,
}

impl Contest {
    /// A contest of a field; `tally` holds what counts from before it.
    pub(super) fn new(rules: Rules, field: Field, tally: Tally) -> Result<Contest, EliminationError> {
        if rules.lives == 0 {
            return Err(EliminationError::NoLives);
        }
        let seeds = field.seed_numbers();
        Ok(Contest { rules, field, rounds: Vec::new(), tally, removed: BTreeSet::new(), seeds })
    }

    /// The seed of a player of the field.
    pub(super) fn seed(&self, player: Player) -> usize {
        self.seeds.get(&player).copied().unwrap_or(usize::MAX)
    }

    /// Counts a round, whoever was paired in it.
    pub(super) fn record(&mut self, round: PastRound) -> Result<(), EliminationError> {
        round.check(self.rounds.len() + 1)?;
        let players = round.meetings.iter().flat_map(|meeting| [meeting.gold, meeting.silver]);
        for player in players.chain(round.byes.iter().copied()) {
            self.known(player)?;
        }
        self.tally.count(&round);
        self.rounds.push(round);
        Ok(())
    }

    /// Takes a player out of all later rounds.
    pub(super) fn remove(&mut self, player: Player) -> Result<(), EliminationError> {
        self.known(player)?;
        self.removed.insert(player);
        Ok(())
    }

    /// Those of some players who have lost fewer than `lives` times and were not taken out, in the order of the seeds.
    pub(super) fn in_with(&self, lives: u32, pool: Option<&BTreeSet<Player>>) -> Vec<Player> {
        let players = self.field.players().iter().copied();
        players
            .filter(|player| pool.is_none_or(|pool| pool.contains(player)))
            .filter(|player| !self.removed.contains(player) && self.tally.record(*player).losses < lives)
            .collect()
    }

    /// Games won.
    pub(super) fn wins(&self, player: Player) -> u32 {
        self.tally.record(player).wins
    }

    /// Checks that a player is in the field.
    pub(super) fn known(&self, player: Player) -> Result<(), FieldError> {
        if self.seeds.contains_key(&player) { Ok(()) } else { Err(FieldError::Stranger { player }) }
    }
}

/// Those of some players with the greatest value.
pub(super) fn greatest(players: &[Player], value: impl Fn(Player) -> u32) -> Vec<Player> {
    let most = players.iter().map(|player| value(*player)).max();
    players.iter().copied().filter(|player| Some(value(*player)) == most).collect()
}
