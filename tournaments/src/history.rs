//! Fields and histories of tournaments as plain values: who plays, who met whom with which colours and what came of it,
//! and what can be counted from that. Pairings, colours, ratings and places are functions of these; they know no
//! events, so that any rulebook can use them.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::Outcome;
use annals_events::{PlayerId, Side};

/// Why players make no field, or a round does not fit one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// No player.
    #[error("the field is empty: a tournament needs players")]
    Empty,
    /// A player with two seeds.
    #[error("{player} is in the field twice, as seed {first} and seed {second}")]
    Twice {
        /// The player.
        player: PlayerId,
        /// The better seed.
        first: usize,
        /// The worse seed.
        second: usize,
    },
    /// A player who is not in the field.
    #[error("{player} is not in the field")]
    Stranger {
        /// The player.
        player: PlayerId,
    },
    /// A player with two places in one round.
    #[error("{player} has more than one place in round {round}: a player meets one opponent, or has the bye")]
    TwiceInRound {
        /// The player.
        player: PlayerId,
        /// The round, counted from 1.
        round: usize,
    },
}

/// The players of a tournament in the order of their seeds, the best seed first. The default has no players.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    players: Vec<PlayerId>,
    seeds: BTreeMap<PlayerId, usize>,
}

impl Field {
    /// A field of players, the best seed first.
    ///
    /// # Errors
    /// When it is empty or a player is in it twice.
    pub fn new(players: Vec<PlayerId>) -> Result<Field, FieldError> {
        if players.is_empty() {
            return Err(FieldError::Empty);
        }
        let mut seeds = BTreeMap::new();
        for (second, player) in (1..).zip(&players) {
            if let Some(first) = seeds.insert(player.clone(), second) {
                return Err(FieldError::Twice { player: player.clone(), first, second });
            }
        }
        Ok(Field { players, seeds })
    }

    /// The players, the best seed first.
    #[must_use]
    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    /// The seed of a player, 1 for the best; none for a stranger.
    #[must_use]
    pub fn seed(&self, player: &PlayerId) -> Option<usize> {
        self.seeds.get(player).copied()
    }

    /// Checks that a round is one of these players, each with at most one place in it; `number` is the round's.
    ///
    /// # Errors
    /// The first player who is a stranger, or has a second place.
    pub fn check(&self, round: &PastRound, number: usize) -> Result<(), FieldError> {
        let mut placed = BTreeSet::new();
        for player in round.players() {
            let seed = self.seed(player).ok_or_else(|| FieldError::Stranger { player: player.clone() })?;
            if !placed.insert(seed) {
                return Err(FieldError::TwiceInRound { player: player.clone(), round: number });
            }
        }
        Ok(())
    }

    /// Of two players the one with the better seed; strangers come last.
    #[must_use]
    pub fn better<'a>(&self, one: &'a PlayerId, other: &'a PlayerId) -> &'a PlayerId {
        let rank = |player| self.seed(player).unwrap_or(usize::MAX);
        if rank(one) <= rank(other) { one } else { other }
    }
}

/// Two players put together in a round. However often its game is broken off and resumed, it is one meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// Who has Gold.
    pub gold: PlayerId,
    /// Who has Silver.
    pub silver: PlayerId,
    /// What came of it; a game that is not over has no decision.
    pub result: Outcome,
}

impl Meeting {
    /// The player of a side.
    #[must_use]
    pub fn player(&self, side: Side) -> &PlayerId {
        match side {
            Side::Gold => &self.gold,
            Side::Silver => &self.silver,
        }
    }

    /// Who won alone; none for a draw, a double loss or a double win.
    #[must_use]
    pub fn winner(&self) -> Option<&PlayerId> {
        self.result.winner().map(|side| self.player(side))
    }
}

/// One round that was paired.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PastRound {
    /// Its meetings.
    pub meetings: Vec<Meeting>,
    /// Who had a bye.
    pub byes: Vec<PlayerId>,
}

impl PastRound {
    /// Every place of the round: the players of its meetings, and those with a bye.
    pub fn players(&self) -> impl Iterator<Item = &PlayerId> {
        self.meetings.iter().flat_map(|meeting| [&meeting.gold, &meeting.silver]).chain(&self.byes)
    }
}

/// What two players have behind them together, as one of them sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Against {
    /// Meetings as Gold.
    pub golds: u32,
    /// Meetings as Silver.
    pub silvers: u32,
    /// The side in the last meeting.
    pub last: Option<Side>,
}

impl Against {
    /// How often the two have been put together.
    #[must_use]
    pub fn meetings(&self) -> u32 {
        self.golds + self.silvers
    }
}

/// What one player has behind them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// Meetings as Gold, forfeited ones included.
    pub golds: u32,
    /// Meetings as Silver, forfeited ones included.
    pub silvers: u32,
    /// Games won, by forfeit too; a bye is no game.
    pub wins: u32,
    /// Games lost, by forfeit too.
    pub losses: u32,
    /// Byes.
    pub byes: u32,
    /// The side in the last meeting.
    pub last: Option<Side>,
    /// How many meetings in a row had that side; a bye breaks nothing.
    pub streak: u32,
    /// Every opponent so far.
    pub opponents: BTreeMap<PlayerId, Against>,
}

impl Record {
    /// Meetings as Gold minus meetings as Silver.
    #[must_use]
    pub fn balance(&self) -> i64 {
        i64::from(self.golds) - i64::from(self.silvers)
    }

    /// What the player has behind them with one opponent.
    #[must_use]
    pub fn against(&self, opponent: &PlayerId) -> Against {
        self.opponents.get(opponent).copied().unwrap_or_default()
    }

    fn meet(&mut self, opponent: &PlayerId, side: Side) {
        let against = self.opponents.entry(opponent.clone()).or_default();
        match side {
            Side::Gold => (self.golds, against.golds) = (self.golds + 1, against.golds + 1),
            Side::Silver => (self.silvers, against.silvers) = (self.silvers + 1, against.silvers + 1),
        }
        against.last = Some(side);
        self.streak = if self.last == Some(side) { self.streak + 1 } else { 1 };
        self.last = Some(side);
    }
}

/// What is counted over the rounds of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    records: BTreeMap<PlayerId, Record>,
    /// The record of a player without games.
    empty: Record,
}

impl Tally {
    /// Counts rounds, from the first to the last.
    #[must_use]
    pub fn of<'a>(rounds: impl IntoIterator<Item = &'a PastRound>) -> Tally {
        let mut tally = Tally::default();
        rounds.into_iter().for_each(|round| tally.count(round));
        tally
    }

    /// Counts one more round.
    pub fn count(&mut self, round: &PastRound) {
        self.count_meetings(round, true);
    }

    /// Counts a round of an earlier stage: its meetings, colours and byes, but neither wins nor losses.
    pub fn count_earlier(&mut self, round: &PastRound) {
        self.count_meetings(round, false);
    }

    fn count_meetings(&mut self, round: &PastRound, with_results: bool) {
        for bye in &round.byes {
            self.of_player(bye).byes += 1;
        }
        for meeting in &round.meetings {
            for side in Side::BOTH {
                let record = self.of_player(meeting.player(side));
                record.meet(meeting.player(side.other()), side);
                let (won, lost) = match meeting.result {
                    _ if !with_results => (false, false),
                    Outcome::DoubleWin => (true, false),
                    Outcome::DoubleLoss => (false, true),
                    result => (result.winner() == Some(side), result.winner() == Some(side.other())),
                };
                record.wins += u32::from(won);
                record.losses += u32::from(lost);
            }
        }
    }

    /// What a player has behind them.
    #[must_use]
    pub fn record(&self, player: &PlayerId) -> &Record {
        self.records.get(player).unwrap_or(&self.empty)
    }

    fn of_player(&mut self, player: &PlayerId) -> &mut Record {
        self.records.entry(player.clone()).or_default()
    }
}
