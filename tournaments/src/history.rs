//! Fields and histories of tournaments as plain values: who plays, who met whom with which colours and what came of it,
//! and what can be counted from that. Pairings, colours, ratings and places are functions of these; they know no
//! events and no names, so that any rulebook can use them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// A player, by a number that the caller gives. The number says nothing about strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Player(pub u32);

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "player {}", self.0)
    }
}

/// Why players make no field, or a round does not fit one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Nobody.
    #[error("the field is empty: a tournament needs players")]
    Empty,
    /// A player with two seeds.
    #[error("{player} stands in the field twice, as seed {first} and seed {second}")]
    Twice {
        /// The player.
        player: Player,
        /// The better seed.
        first: usize,
        /// The worse seed.
        second: usize,
    },
    /// Somebody who is not in the field.
    #[error("{player} is not in the field")]
    Stranger {
        /// The player.
        player: Player,
    },
    /// A player with two places in one round.
    #[error("{player} has more than one place in round {round}: a player meets one opponent, or has the bye")]
    TwiceInRound {
        /// The player.
        player: Player,
        /// The round, counted from 1.
        round: usize,
    },
}

/// The players of a tournament in the order of their seeds, the best seed first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Field {
    seeds: Vec<Player>,
}

impl Field {
    /// A field of players, the best seed first.
    ///
    /// # Errors
    /// When it is empty or somebody stands in it twice.
    pub fn new(seeds: Vec<Player>) -> Result<Field, FieldError> {
        if seeds.is_empty() {
            return Err(FieldError::Empty);
        }
        let mut seen = BTreeMap::new();
        for (index, &player) in seeds.iter().enumerate() {
            if let Some(first) = seen.insert(player, index + 1) {
                return Err(FieldError::Twice { player, first, second: index + 1 });
            }
        }
        Ok(Field { seeds })
    }

    /// Players numbered by their seeds, 1 to `players`.
    ///
    /// # Errors
    /// When there are none.
    pub fn numbered(players: u32) -> Result<Field, FieldError> {
        Field::new((1..=players).map(Player).collect())
    }

    /// The players, the best seed first.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.seeds
    }

    /// The seed of every player, 1 for the best.
    #[must_use]
    pub fn seed_numbers(&self) -> BTreeMap<Player, usize> {
        self.seeds.iter().enumerate().map(|(index, player)| (*player, index + 1)).collect()
    }

    /// The seed of a player, 1 for the best; none for a stranger.
    #[must_use]
    pub fn seed(&self, player: Player) -> Option<usize> {
        self.seeds.iter().position(|other| *other == player).map(|index| index + 1)
    }
}

/// What came of a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeetingResult {
    /// Gold won, by play or by the other's forfeit.
    Gold,
    /// Silver won, by play or by the other's forfeit.
    Silver,
    /// A draw.
    Draw,
    /// Both lost: both forfeited.
    DoubleLoss,
    /// Both won, by ruling.
    DoubleWin,
    /// It stands without a result, by ruling, or is not over.
    Undecided,
}

/// Two players put together in a round. However often its game is broken off and resumed, it is one meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meeting {
    /// Who has Gold.
    pub gold: Player,
    /// Who has Silver.
    pub silver: Player,
    /// What came of it.
    pub result: MeetingResult,
}

impl Meeting {
    /// Who won alone; none for a draw, a double loss or a double win.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        match self.result {
            MeetingResult::Gold => Some(self.gold),
            MeetingResult::Silver => Some(self.silver),
            _ => None,
        }
    }

    /// Who lost: nobody, one or both.
    #[must_use]
    pub fn losers(&self) -> Vec<Player> {
        match self.result {
            MeetingResult::Gold => vec![self.silver],
            MeetingResult::Silver => vec![self.gold],
            MeetingResult::DoubleLoss => vec![self.gold, self.silver],
            _ => Vec::new(),
        }
    }
}

/// One round that was paired.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PastRound {
    /// Its meetings.
    pub meetings: Vec<Meeting>,
    /// Who had a bye.
    pub byes: Vec<Player>,
}

impl PastRound {
    /// Checks that nobody has two places in it.
    ///
    /// # Errors
    /// Who has; `round` is its number, for the message.
    pub fn check(&self, round: usize) -> Result<(), FieldError> {
        let mut seen = BTreeSet::new();
        let players = self.meetings.iter().flat_map(|meeting| [meeting.gold, meeting.silver]);
        for player in players.chain(self.byes.iter().copied()) {
            if !seen.insert(player) {
                return Err(FieldError::TwiceInRound { player, round });
            }
        }
        Ok(())
    }
}

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Moves first.
    Gold,
    /// Moves second.
    Silver,
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
    /// The colour of the last meeting.
    pub last_colour: Option<Colour>,
    /// How many meetings in a row had that colour; a bye breaks nothing.
    pub streak: u32,
}

impl Record {
    /// Meetings as Gold minus meetings as Silver.
    #[must_use]
    pub fn balance(&self) -> i64 {
        i64::from(self.golds) - i64::from(self.silvers)
    }
}

/// What two players have behind them together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Encounters {
    /// With the lower numbered player as Gold, and with the other.
    golds: [u32; 2],
    last_gold: Option<Player>,
}

/// What is counted over the rounds of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    records: BTreeMap<Player, Record>,
    encounters: BTreeMap<(Player, Player), Encounters>,
}

impl Tally {
    /// Counts rounds, from the first to the last.
    #[must_use]
    pub fn of<'a>(rounds: impl IntoIterator<Item = &'a PastRound>) -> Tally {
        let mut tally = Tally::default();
        for round in rounds {
            tally.count(round);
        }
        tally
    }

    /// Counts one more round.
    pub fn count(&mut self, round: &PastRound) {
        self.count_meetings(round);
        for meeting in &round.meetings {
            match meeting.result {
                MeetingResult::DoubleWin => {
                    self.records.entry(meeting.gold).or_default().wins += 1;
                    self.records.entry(meeting.silver).or_default().wins += 1;
                }
                _ => {
                    if let Some(winner) = meeting.winner() {
                        self.records.entry(winner).or_default().wins += 1;
                    }
                }
            }
            for loser in meeting.losers() {
                self.records.entry(loser).or_default().losses += 1;
            }
        }
    }

    /// Counts a round of an earlier stage: its meetings, colours and byes, but neither wins nor losses.
    pub fn count_meetings(&mut self, round: &PastRound) {
        for bye in &round.byes {
            self.records.entry(*bye).or_default().byes += 1;
        }
        for meeting in &round.meetings {
            for (player, colour) in [(meeting.gold, Colour::Gold), (meeting.silver, Colour::Silver)] {
                let record = self.records.entry(player).or_default();
                match colour {
                    Colour::Gold => record.golds += 1,
                    Colour::Silver => record.silvers += 1,
                }
                record.streak = if record.last_colour == Some(colour) { record.streak + 1 } else { 1 };
                record.last_colour = Some(colour);
            }
            let pair = ordered(meeting.gold, meeting.silver);
            let encounters = self.encounters.entry(pair).or_default();
            encounters.golds[usize::from(meeting.gold != pair.0)] += 1;
            encounters.last_gold = Some(meeting.gold);
        }
    }

    /// What a player has behind them.
    #[must_use]
    pub fn record(&self, player: Player) -> Record {
        self.records.get(&player).cloned().unwrap_or_default()
    }

    /// How often two players have been put together.
    #[must_use]
    pub fn meetings(&self, one: Player, other: Player) -> u32 {
        self.encounters.get(&ordered(one, other)).map_or(0, |between| between.golds[0] + between.golds[1])
    }

    /// Everybody who has met anybody: two players and how often, the lower number first.
    pub fn encounters(&self) -> impl Iterator<Item = (Player, Player, u32)> {
        self.encounters
            .iter()
            .map(|(&(one, other), between)| (one, other, between.golds[0] + between.golds[1]))
    }

    /// How often a player had Gold against another.
    #[must_use]
    pub fn golds_against(&self, player: Player, opponent: Player) -> u32 {
        let pair = ordered(player, opponent);
        self.encounters.get(&pair).map_or(0, |between| between.golds[usize::from(player != pair.0)])
    }

    /// Who had Gold when two players last met.
    #[must_use]
    pub fn last_gold(&self, one: Player, other: Player) -> Option<Player> {
        self.encounters.get(&ordered(one, other))?.last_gold
    }
}

fn ordered(one: Player, other: Player) -> (Player, Player) {
    (one.min(other), one.max(other))
}
