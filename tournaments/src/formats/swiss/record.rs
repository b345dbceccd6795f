//! What has been played: players, rounds, games, byes, as plain values, and the counts that the rules need.

use std::collections::BTreeMap;
use std::fmt;

use annals_events::Side;
use annals_events::tournament::Outcome;

use super::reading::ByePoints;
use crate::standings::half_points;

/// A player of the Swiss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissPlayer<P> {
    /// Who.
    pub player: P,
    /// The rating before the tournament; none ranks below every rating.
    pub rating: Option<i64>,
}

/// A pairing with its colours, and how it came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissGame<P> {
    /// Who has Gold.
    pub gold: P,
    /// Who has Silver.
    pub silver: P,
    /// How it came out; none while it is open.
    pub outcome: Option<Outcome>,
    /// Whether it was decided by somebody's absence: then each who lost it is out of later rounds.
    pub forfeit: bool,
}

impl<P: PartialEq> SwissGame<P> {
    /// The half points of a side; none while the game is open, or nothing was decided.
    #[must_use]
    pub fn half_points(&self, side: Side) -> Option<u32> {
        half_points(self.outcome?, side)
    }

    /// Who has a side.
    #[must_use]
    pub const fn player(&self, side: Side) -> &P {
        match side {
            Side::Gold => &self.gold,
            Side::Silver => &self.silver,
        }
    }
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissRound<P> {
    /// The games.
    pub games: Vec<SwissGame<P>>,
    /// Who has the bye.
    pub bye: Option<P>,
}

/// Why a record cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError<P: fmt::Display> {
    /// A player is entered twice.
    #[error("{player} is entered twice in the Swiss. Each player enters once (2009 WC, Registration)")]
    EnteredTwice {
        /// Who.
        player: P,
    },
    /// Somebody plays who was never entered.
    #[error("{player} has a game or a bye in round {round} and was never entered. Register {player} first")]
    NotEntered {
        /// Who.
        player: P,
        /// The round, from 1.
        round: usize,
    },
    /// Somebody appears twice in a round.
    #[error("{player} appears twice in round {round}. A player has one game or the bye in a round")]
    TwiceInRound {
        /// Who.
        player: P,
        /// The round, from 1.
        round: usize,
    },
}

/// The counts of one player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub half_points: u32,
    pub byes: u32,
    pub golds: u32,
    pub silvers: u32,
    /// By position; a second game with the same opponent counts again.
    pub opponents: Vec<usize>,
}

/// A record that has been checked: positions instead of names, and counts.
#[derive(Debug, Clone)]
pub struct SwissRecord<'a, P> {
    pub(super) players: &'a [SwissPlayer<P>],
    pub(super) rounds: &'a [SwissRound<P>],
    index: BTreeMap<&'a P, usize>,
    pub(super) tallies: Vec<Tally>,
}

impl<'a, P: Clone + Ord + fmt::Display> SwissRecord<'a, P> {
    /// Reads a record. Games count as a meeting and for colours from their pairing on, forfeited ones too; as points and
    /// for the sum of opponents' scores once they have a result.
    ///
    /// # Errors
    ///
    /// When somebody is entered twice, plays without being entered, or appears twice in a round.
    pub fn new(
        players: &'a [SwissPlayer<P>],
        rounds: &'a [SwissRound<P>],
        bye_points: ByePoints,
    ) -> Result<SwissRecord<'a, P>, RecordError<P>> {
        let mut index = BTreeMap::new();
        for (i, player) in players.iter().enumerate() {
            if index.insert(&player.player, i).is_some() {
                return Err(RecordError::EnteredTwice { player: player.player.clone() });
            }
        }
        let mut tallies = vec![Tally::default(); players.len()];
        for (number, round) in rounds.iter().enumerate() {
            let number = number + 1;
            let mut seen = vec![false; players.len()];
            let mut find = |player: &P| {
                let &at = index
                    .get(player)
                    .ok_or_else(|| RecordError::NotEntered { player: player.clone(), round: number })?;
                if std::mem::replace(&mut seen[at], true) {
                    return Err(RecordError::TwiceInRound { player: player.clone(), round: number });
                }
                Ok(at)
            };
            for game in &round.games {
                let (gold, silver) = (find(&game.gold)?, find(&game.silver)?);
                for (side, at, other) in [(Side::Gold, gold, silver), (Side::Silver, silver, gold)] {
                    let tally = &mut tallies[at];
                    tally.half_points += game.half_points(side).unwrap_or(0);
                    match side {
                        Side::Gold => tally.golds += 1,
                        Side::Silver => tally.silvers += 1,
                    }
                    if game.outcome.is_some() {
                        tally.opponents.push(other);
                    }
                }
            }
            if let Some(bye) = &round.bye {
                let at = find(bye)?;
                tallies[at].byes += 1;
                tallies[at].half_points += match bye_points {
                    ByePoints::One => 2,
                    ByePoints::None => 0,
                };
            }
        }
        Ok(SwissRecord { players, rounds, index, tallies })
    }

    /// Where a player stands in the list of players.
    #[must_use]
    pub fn position(&self, player: &P) -> Option<usize> {
        self.index.get(player).copied()
    }

    /// Whether two have been paired in any round.
    #[must_use]
    pub fn met(&self, a: &P, b: &P) -> bool {
        self.rounds
            .iter()
            .flat_map(|round| &round.games)
            .any(|game| (game.gold == *a && game.silver == *b) || (game.gold == *b && game.silver == *a))
    }

    /// The first game without a result: round from 1, and the game.
    #[must_use]
    pub fn open_game(&self) -> Option<(usize, &'a SwissGame<P>)> {
        self.rounds.iter().enumerate().find_map(|(i, round)| {
            round.games.iter().find(|game| game.outcome.is_none()).map(|game| (i + 1, game))
        })
    }
}
