//! What was played: players, games with colours and results, byes. It is read off the tournament once, in one shape for
//! every format; points, colours and meetings are counted from it.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Outcome, Stage};
use annals_events::{Pairing, PlayerId, Side, Termination};

use crate::formats::began::{began, rounds_of, still_in};
use crate::standings::half_points;
use crate::state::{Board, Tournament};

/// A player of a stage, with what orders players before any game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contestant {
    /// Who.
    pub player: PlayerId,
    /// The name to show.
    pub name: String,
    /// The rating before the tournament.
    pub rating: Option<i64>,
}

/// How a game ended, as far as scores depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The loser could not move: the game was played out.
    NoMoves,
    /// The loser's time was up.
    Time,
    /// In any other way over the board; the loser resigned, say.
    Resignation,
    /// A player was absent.
    Forfeit,
    /// By a ruling.
    Ruling,
    /// The record does not say.
    Unsaid,
}

impl Ending {
    /// How the game of a board ended. Where the record does not say, a ruled result is a ruling's.
    fn of(board: &Board) -> Ending {
        match board.termination() {
            _ if board.is_forfeit() => Ending::Forfeit,
            None if board.ruled() => Ending::Ruling,
            None => Ending::Unsaid,
            Some(Termination::Immobilization) => Ending::NoMoves,
            Some(Termination::Time) => Ending::Time,
            Some(_) => Ending::Resignation,
        }
    }
}

/// A game of two with its colours, and how it came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// The pairing.
    pub pairing: Pairing,
    /// The encounter of the round that it belongs to, where the format has encounters.
    pub encounter: Option<u32>,
    /// Who has Gold; the player named first while colours are open.
    pub gold: PlayerId,
    /// Who has Silver.
    pub silver: PlayerId,
    /// Whether the colours are recorded. Without them a result does not say who won.
    pub coloured: bool,
    /// How it came out; none while it is open.
    pub outcome: Option<Outcome>,
    /// How it ended.
    pub ending: Ending,
    /// The winner's territory in the final position, in squares; none where it is not known.
    pub territory: Option<u32>,
    /// Whether a ruling gave that territory.
    pub territory_ruled: bool,
}

impl PlayedGame {
    /// The game of a board.
    #[must_use]
    pub fn of(pairing: Pairing, board: &Board) -> PlayedGame {
        let gold = board.gold().unwrap_or(board.upper());
        let silver = board.other(gold);
        PlayedGame {
            pairing,
            encounter: board.pair.encounter,
            gold: gold.clone(),
            silver: silver.clone(),
            coloured: board.gold().is_some(),
            outcome: board.outcome(),
            ending: Ending::of(board),
            territory: board.territory(),
            territory_ruled: board.territory_ruled(),
        }
    }

    /// The player of a side.
    #[must_use]
    pub const fn player(&self, side: Side) -> &PlayerId {
        match side {
            Side::Gold => &self.gold,
            Side::Silver => &self.silver,
        }
    }

    /// Whether it says who won, or that nobody did.
    #[must_use]
    pub const fn is_decided(&self) -> bool {
        self.coloured && self.outcome.is_some()
    }

    /// Whether it was decided by a player's absence.
    #[must_use]
    pub fn is_forfeit(&self) -> bool {
        self.outcome.is_some() && self.ending == Ending::Forfeit
    }

    /// The half points of a side; none while the game is open.
    #[must_use]
    pub fn half_points(&self, side: Side) -> Option<u32> {
        self.outcome.filter(|_| self.coloured).and_then(|outcome| half_points(outcome, side))
    }
}

/// A round that was paired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedRound {
    /// Its number in the tournament.
    pub number: u32,
    /// Its stage.
    pub stage: Stage,
    /// The games by board.
    pub games: Vec<PlayedGame>,
    /// The players with a bye.
    pub byes: Vec<PlayerId>,
}

/// The games of two players who meet in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting<'a> {
    /// The two, the one with Gold in the first game first.
    pub pair: (&'a PlayerId, &'a PlayerId),
    /// The games by board.
    pub games: Vec<&'a PlayedGame>,
}

impl PlayedRound {
    /// Who meets whom: the games of one encounter are one meeting.
    #[must_use]
    pub fn meetings(&self) -> Vec<Meeting<'_>> {
        let mut groups: BTreeMap<(Option<u32>, &PlayerId, &PlayerId), Meeting<'_>> = BTreeMap::new();
        for game in &self.games {
            let (low, high) = ((&game.gold).min(&game.silver), (&game.gold).max(&game.silver));
            let new = || Meeting { pair: (&game.gold, &game.silver), games: Vec::new() };
            groups.entry((game.encounter, low, high)).or_insert_with(new).games.push(game);
        }
        groups.into_values().collect()
    }
}

/// What was played in a stage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Played {
    /// The players who began, in the order of their entries.
    pub players: Vec<Contestant>,
    /// The rounds in order.
    pub rounds: Vec<PlayedRound>,
    /// The players who have left.
    pub out: BTreeSet<PlayerId>,
}

/// Why a record cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A player is entered twice.
    #[error("{player} is entered twice")]
    EnteredTwice {
        /// Who.
        player: PlayerId,
    },
    /// A player has a game or a bye and never entered.
    #[error("{player} has a game or a bye in round {round} and was never entered. Register {player} first")]
    NotEntered {
        /// Who.
        player: PlayerId,
        /// The round.
        round: u32,
    },
    /// A player appears twice in a round.
    #[error("{player} appears twice in round {round}. A player has one opponent or the bye in a round")]
    TwiceInRound {
        /// Who.
        player: PlayerId,
        /// The round.
        round: u32,
    },
}

/// What one player has behind them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Count {
    /// Points, in halves, byes counted.
    pub half_points: u32,
    /// Byes.
    pub byes: u32,
    /// Games with Gold, forfeited ones included.
    pub golds: u32,
    /// Games with Silver, forfeited ones included.
    pub silvers: u32,
    /// The opponents of the games that have a result, by position; one who was met twice is there twice.
    pub opponents: Vec<usize>,
    /// The players met, by position, with how often.
    pub met: BTreeMap<usize, u32>,
}

/// The counts of all players of a record.
#[derive(Debug, Clone)]
pub struct Counts<'a> {
    index: BTreeMap<&'a PlayerId, usize>,
    /// By position in the list of players.
    pub players: Vec<Count>,
}

impl Counts<'_> {
    /// The position of a player in the list; none for a stranger.
    #[must_use]
    pub fn position(&self, player: &PlayerId) -> Option<usize> {
        self.index.get(player).copied()
    }

    /// The counts of a player.
    #[must_use]
    pub fn of(&self, player: &PlayerId) -> Option<&Count> {
        self.players.get(self.position(player)?)
    }

    /// Whether two have been paired in any round.
    #[must_use]
    pub fn met(&self, one: &PlayerId, other: &PlayerId) -> bool {
        self.position(other).is_some_and(|at| self.of(one).is_some_and(|count| count.met.contains_key(&at)))
    }
}

impl Played {
    /// What was played in some stages.
    #[must_use]
    pub fn of(tournament: &Tournament, stages: &[Stage]) -> Played {
        let began = began(tournament, stages);
        let out = began.iter().filter(|(_, entrant)| !still_in(entrant));
        let out = out.map(|(player, _)| (*player).clone()).collect();
        let players = began.into_iter().map(|(player, entrant)| Contestant {
            player: player.clone(),
            name: entrant.name.clone(),
            rating: entrant.rating.map(i64::from),
        });
        let rounds = rounds_of(tournament, stages).map(|(number, round)| PlayedRound {
            number,
            stage: round.stage,
            games: round
                .boards
                .iter()
                .map(|(&board, recorded)| PlayedGame::of(Pairing { round: number, board }, recorded))
                .collect(),
            byes: round.byes.iter().map(|bye| bye.player.clone()).collect(),
        });
        Played { players: players.collect(), rounds: rounds.collect(), out }
    }

    /// The number of the last round; none before the first.
    #[must_use]
    pub fn last(&self) -> Option<u32> {
        self.rounds.last().map(|round| round.number)
    }

    /// The first game without a result.
    #[must_use]
    pub fn open_game(&self) -> Option<&PlayedGame> {
        self.rounds.iter().flat_map(|round| &round.games).find(|game| game.outcome.is_none())
    }

    /// The half points of a player's games so far.
    #[must_use]
    pub fn half_points(&self, player: &PlayerId) -> u32 {
        let games = self.rounds.iter().flat_map(|round| &round.games);
        let points = games.filter_map(|game| {
            let side = Side::BOTH.into_iter().find(|side| game.player(*side) == player)?;
            game.half_points(side)
        });
        points.fold(0, u32::saturating_add)
    }

    /// Counts everything. A pairing counts as a meeting and for colours at once, as points once it has a result.
    ///
    /// # Errors
    /// When a player is entered twice, plays without an entry, or appears twice in a round; a meeting has at most `games`
    /// games.
    pub fn counts(&self, games: usize, bye_half_points: u32) -> Result<Counts<'_>, RecordError> {
        let mut index = BTreeMap::new();
        for (at, player) in self.players.iter().enumerate() {
            if index.insert(&player.player, at).is_some() {
                return Err(RecordError::EnteredTwice { player: player.player.clone() });
            }
        }
        let mut players = vec![Count::default(); self.players.len()];
        for round in &self.rounds {
            let mut seen = BTreeSet::new();
            let mut find = |player: &PlayerId| {
                let found = index.get(player).copied();
                let at = found
                    .ok_or_else(|| RecordError::NotEntered { player: player.clone(), round: round.number })?;
                if !seen.insert(at) {
                    return Err(RecordError::TwiceInRound { player: player.clone(), round: round.number });
                }
                Ok(at)
            };
            for meeting in round.meetings() {
                let (one, other) = (find(meeting.pair.0)?, find(meeting.pair.1)?);
                if meeting.games.len() > games {
                    let player = meeting.pair.0.clone();
                    return Err(RecordError::TwiceInRound { player, round: round.number });
                }
                for (at, opponent) in [(one, other), (other, one)] {
                    let count = &mut players[at];
                    *count.met.entry(opponent).or_default() += 1;
                    for game in &meeting.games {
                        let side = if index.get(&game.gold) == Some(&at) { Side::Gold } else { Side::Silver };
                        match side {
                            Side::Gold => count.golds += 1,
                            Side::Silver => count.silvers += 1,
                        }
                        count.half_points += game.half_points(side).unwrap_or(0);
                        if game.outcome.is_some() {
                            count.opponents.push(opponent);
                        }
                    }
                }
            }
            for bye in &round.byes {
                let count = &mut players[find(bye)?];
                count.byes += 1;
                count.half_points += bye_half_points;
            }
        }
        Ok(Counts { index, players })
    }
}
