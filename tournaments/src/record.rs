//! What was played (players, games, byes), derived once from the tournament in one shape for every format.
//! [`Tally`] counts points, colours and meetings.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Outcome, Stage};
use annals_events::{BoardId, PlayerId, Side, Termination};

use crate::state::decision::half_points;
use crate::state::{Board, Entrant, Round, Tournament};

/// A player of a stage, with what orders players before any game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contestant {
    pub player: PlayerId,
    pub name: String,
    pub rating: Option<i64>,
}

/// How a game ended, as far as scores depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The loser could not move: played out.
    NoMoves,
    /// On time.
    Time,
    /// Any other ending, such as resignation.
    Resignation,
    Forfeit,
    Ruling,
    /// Not recorded.
    Unsaid,
}

impl Ending {
    /// If not recorded, a ruled result counts as ruled.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    pub pairing: BoardId,
    /// In the round, for formats with encounters.
    pub encounter: Option<u32>,
    /// The player named first while colours are undecided.
    pub gold: PlayerId,
    pub silver: PlayerId,
    /// Whether colours are recorded; without them a result has no winner.
    pub coloured: bool,
    /// None while undecided.
    pub outcome: Option<Outcome>,
    pub ending: Ending,
    /// As [`Board::games_played`].
    pub games_played: u32,
    /// In the final position, in squares, if known.
    pub territory: Option<u32>,
    /// By a ruling.
    pub territory_ruled: bool,
}

impl PlayedGame {
    pub fn of(pairing: BoardId, board: &Board) -> PlayedGame {
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
            games_played: board.games_played(),
            territory: board.territory(),
            territory_ruled: board.territory_ruled(),
        }
    }

    pub const fn player(&self, side: Side) -> &PlayerId {
        match side {
            Side::Gold => &self.gold,
            Side::Silver => &self.silver,
        }
    }

    /// The outcome if it names the winner, or has none.
    pub fn decided(&self) -> Option<Outcome> {
        self.outcome.filter(|_| self.coloured)
    }

    /// None for a draw, double loss or double win.
    pub fn winner(&self) -> Option<&PlayerId> {
        self.decided()?.winner().map(|side| self.player(side))
    }

    /// None while the game is open.
    pub fn half_points(&self, side: Side) -> Option<u32> {
        self.decided().and_then(|outcome| half_points(outcome, side))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedRound {
    pub number: u32,
    pub stage: Stage,
    pub games: Vec<PlayedGame>,
    pub byes: Vec<PlayerId>,
}

/// The games of two players in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting<'a> {
    /// Gold of the first game first.
    pub pair: (&'a PlayerId, &'a PlayerId),
    pub games: Vec<&'a PlayedGame>,
}

impl PlayedRound {
    pub fn of(number: u32, round: &Round) -> PlayedRound {
        let game = |(&board, recorded)| PlayedGame::of(BoardId { round: number, board }, recorded);
        PlayedRound {
            number,
            stage: round.stage,
            games: round.boards.iter().map(game).collect(),
            byes: round.byes.iter().map(|bye| bye.player.clone()).collect(),
        }
    }

    /// Players of games and byes.
    pub fn players(&self) -> impl Iterator<Item = &PlayerId> {
        self.games.iter().flat_map(|game| [&game.gold, &game.silver]).chain(&self.byes)
    }

    /// The games of one encounter are one meeting.
    pub fn meetings(&self) -> Vec<Meeting<'_>> {
        let mut groups: BTreeMap<(Option<u32>, &PlayerId, &PlayerId), Meeting<'_>> = BTreeMap::new();
        for game in &self.games {
            let (low, high) = ((&game.gold).min(&game.silver), (&game.gold).max(&game.silver));
            let new = || Meeting { pair: (&game.gold, &game.silver), games: Vec::new() };
            groups.entry((game.encounter, low, high)).or_insert_with(new).games.push(game);
        }
        groups.into_values().collect()
    }

    /// Checks that every player entered and has one opponent or the bye, with at most `games` games per
    /// meeting.
    ///
    /// # Errors
    /// The first player who does not.
    pub fn check(&self, entered: impl Fn(&PlayerId) -> bool, games: usize) -> Result<(), RecordError> {
        let (round, mut placed) = (self.number, BTreeSet::new());
        let mut place = |player: &PlayerId| {
            if !entered(player) {
                return Err(RecordError::NotEntered { player: player.clone(), round });
            }
            let first = placed.insert(player.clone());
            first.then_some(()).ok_or_else(|| RecordError::TwiceInRound { player: player.clone(), round })
        };
        for Meeting { pair: (one, other), games: played } in self.meetings() {
            place(one)?;
            place(other)?;
            if played.len() > games {
                return place(one);
            }
        }
        self.byes.iter().try_for_each(place)
    }
}

/// Players who began some stages, by order of entry: those in when the first round was paired, and those in
/// any round. Before that, all who are in.
pub(crate) fn began<'a>(tournament: &'a Tournament, stages: &[Stage]) -> Vec<(&'a PlayerId, &'a Entrant)> {
    let first = tournament.begins(stages);
    let boards = tournament.rounds_of(stages).flat_map(|(_, round)| round.boards.values());
    let byes = tournament.rounds_of(stages).flat_map(|(_, round)| &round.byes).map(|bye| &bye.player);
    let appear: BTreeSet<&PlayerId> = boards.flat_map(Board::players).chain(byes).collect();
    let mut players: Vec<(&PlayerId, &Entrant)> = tournament
        .entrants
        .iter()
        .filter(|(player, entrant)| {
            let entered = first.is_none_or(|first| entrant.entry.seq < first);
            entered && !entrant.left_before(first) || appear.contains(player)
        })
        .collect();
    players.sort_by_key(|(_, entrant)| entrant.order);
    players
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Played {
    /// Those who began, by order of entry.
    pub players: Vec<Contestant>,
    pub rounds: Vec<PlayedRound>,
    pub out: BTreeSet<PlayerId>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("{player} is entered twice")]
    EnteredTwice { player: PlayerId },
    #[error(
        "{player} has a game or a bye in round {round} and is not in the field. Players have to register first, and \
         to qualify for a final"
    )]
    NotEntered { player: PlayerId, round: u32 },
    #[error("{player} is recorded as out and was never entered; check the name")]
    OutNotEntered { player: PlayerId },
    #[error("{player} appears twice in round {round}. A player has one opponent or the bye in a round")]
    TwiceInRound { player: PlayerId, round: u32 },
}

/// The counts of one player against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Against {
    /// An encounter of two games counts once.
    pub meetings: u32,
    /// Games played, replayed ones each; a forfeit without a game does not count.
    pub games: u32,
    pub golds: u32,
    pub silvers: u32,
    pub over: u32,
    pub last: Option<Side>,
}

/// The counts of one player so far. Forfeits count as games, byes do not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    pub golds: u32,
    pub silvers: u32,
    /// Double wins included.
    pub wins: u32,
    pub draws: u32,
    /// Double losses included.
    pub losses: u32,
    pub byes: u32,
    /// In halves, byes included.
    pub half_points: u32,
    pub last: Option<Side>,
    /// Games in a row with that side; byes do not break it.
    pub streak: u32,
    pub opponents: BTreeMap<PlayerId, Against>,
}

impl Record {
    /// Games as Gold minus games as Silver.
    pub fn balance(&self) -> i64 {
        i64::from(self.golds) - i64::from(self.silvers)
    }

    pub fn against(&self, opponent: &PlayerId) -> Against {
        self.opponents.get(opponent).copied().unwrap_or_default()
    }

    fn meet(&mut self, opponent: &PlayerId, games: &[(Side, &PlayedGame)], results: bool) {
        let against = self.opponents.entry(opponent.clone()).or_default();
        against.meetings += 1;
        for &(side, game) in games {
            match side {
                Side::Gold => (self.golds, against.golds) = (self.golds + 1, against.golds + 1),
                Side::Silver => (self.silvers, against.silvers) = (self.silvers + 1, against.silvers + 1),
            }
            self.streak = if self.last == Some(side) { self.streak + 1 } else { 1 };
            (self.last, against.last) = (Some(side), Some(side));
            against.games = against.games.saturating_add(game.games_played);
            if !results {
                continue;
            }
            against.over += u32::from(game.outcome.is_some());
            let points = game.half_points(side);
            self.half_points = self.half_points.saturating_add(points.unwrap_or(0));
            match points {
                Some(2) => self.wins += 1,
                Some(1) => self.draws += 1,
                Some(_) => self.losses += 1,
                None => {}
            }
        }
    }
}

/// The records of all players.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    records: BTreeMap<PlayerId, Record>,
    /// For a player without games.
    empty: Record,
}

impl Tally {
    /// Byes count zero.
    pub fn of<'a>(rounds: impl IntoIterator<Item = &'a PlayedRound>) -> Tally {
        let mut tally = Tally::default();
        rounds.into_iter().for_each(|round| tally.count(round, 0));
        tally
    }

    /// Adds a round. A pairing counts as meeting and colours at once, for points once it has a result.
    pub fn count(&mut self, round: &PlayedRound, bye_half_points: u32) {
        self.add(round, true, bye_half_points);
    }

    /// Counts a round of an earlier stage without results.
    pub fn count_earlier(&mut self, round: &PlayedRound) {
        self.add(round, false, 0);
    }

    fn add(&mut self, round: &PlayedRound, results: bool, bye_half_points: u32) {
        for bye in &round.byes {
            let record = self.of_player(bye);
            record.byes += 1;
            record.half_points = record.half_points.saturating_add(bye_half_points);
        }
        for Meeting { pair: (one, other), games } in round.meetings() {
            for (player, opponent) in [(one, other), (other, one)] {
                let side = |game: &PlayedGame| if game.gold == *player { Side::Gold } else { Side::Silver };
                let games: Vec<(Side, &PlayedGame)> = games.iter().map(|game| (side(game), *game)).collect();
                self.of_player(player).meet(opponent, &games, results);
            }
        }
    }

    pub fn record(&self, player: &PlayerId) -> &Record {
        self.records.get(player).unwrap_or(&self.empty)
    }

    pub(crate) fn into_records(self) -> impl Iterator<Item = (PlayerId, Record)> {
        self.records.into_iter()
    }

    /// In any round.
    pub fn met(&self, one: &PlayerId, other: &PlayerId) -> bool {
        self.record(one).opponents.contains_key(other)
    }

    pub(crate) fn of_player(&mut self, player: &PlayerId) -> &mut Record {
        self.records.entry(player.clone()).or_default()
    }
}

impl Played {
    pub fn of(tournament: &Tournament, stages: &[Stage]) -> Played {
        let began = began(tournament, stages);
        let out = began.iter().filter(|(_, entrant)| !entrant.is_in());
        let out = out.map(|(player, _)| (*player).clone()).collect();
        let players = began.into_iter().map(|(player, entrant)| Contestant {
            player: player.clone(),
            name: entrant.name.clone(),
            rating: entrant.rating.map(i64::from),
        });
        let rounds = tournament.rounds_of(stages).map(|(number, round)| PlayedRound::of(number, round));
        Played { players: players.collect(), rounds: rounds.collect(), out }
    }

    /// None before the first round.
    pub fn last(&self) -> Option<u32> {
        self.rounds.last().map(|round| round.number)
    }

    pub fn open_game(&self) -> Option<&PlayedGame> {
        self.rounds.iter().flat_map(|round| &round.games).find(|game| game.outcome.is_none())
    }

    /// Counts everything; a bye counts `bye_half_points`.
    ///
    /// # Errors
    /// If a player entered twice, plays or is out without an entry, or appears twice in a round. A meeting
    /// has at most `games` games.
    pub fn tally(&self, games: usize, bye_half_points: u32) -> Result<Tally, RecordError> {
        let mut tally = Tally::default();
        for Contestant { player, .. } in &self.players {
            if tally.records.insert(player.clone(), Record::default()).is_some() {
                return Err(RecordError::EnteredTwice { player: player.clone() });
            }
        }
        for round in &self.rounds {
            round.check(|player| tally.records.contains_key(player), games)?;
            tally.count(round, bye_half_points);
        }
        match self.out.iter().find(|player| !tally.records.contains_key(*player)) {
            Some(player) => Err(RecordError::OutNotEntered { player: player.clone() }),
            None => Ok(tally),
        }
    }
}
