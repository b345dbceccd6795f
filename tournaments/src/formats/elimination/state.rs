//! A floating elimination as the fold of its rounds and withdrawals: the field, the rounds, who was taken out, and the
//! counts over all that. What is played once the first place is decided is that of the rulebook ([`Ties`]).

use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_events::tournament::Stage;

use super::continuation::{Continuation, Phase};
use super::playoffs::Playoff;
use super::reading::{
    ColourSelector, EliminationReadings, FinalsHistory, ForfeiterPlace, GamesWon, RemovedInContinuation,
};
use super::round::pair_round;
use super::rules::{ColourRules, Rules, Ties};
use crate::colours::{Colours, championship_2015, world_championship_2009};
use crate::field::{Field, FieldError};
use crate::formats::RoundPairing;
use crate::pairing::PairingError;
use crate::record::{PlayedGame, PlayedRound, RecordError, Tally};
use crate::refusal::Refusal;
use crate::tpr::{RatingError, Ratings};

/// Why an elimination could not go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EliminationError {
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Pairing(#[from] PairingError),
    #[error(transparent)]
    Rating(#[from] RatingError),
    #[error("{player} is not among the players who are still in")]
    NotIn { player: PlayerId },
    #[error("the rules rank by tournament performance rating, and no ratings were given")]
    RatingsMissing,
    #[error("the final is over: there is no further round")]
    Over,
    #[error("the next game is not a playoff of {one} and {other}")]
    NoSuchPlayoff { one: PlayerId, other: PlayerId },
    #[error("an elimination needs at least one life for each player")]
    NoLives,
}

impl From<EliminationError> for Refusal {
    fn from(error: EliminationError) -> Refusal {
        Refusal::lacking(error.to_string())
    }
}

/// What the rules do not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulingNeeded {
    /// The last ones fell together: there is no champion.
    Champion,
    /// More than two are level for second, and not in the way that the rules provide for.
    Second,
    /// More than two are level for third.
    Third,
}

/// The places as far as they are decided, and what is needed for the rest. Players who are level are in the order of their
/// seeds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conclusion<'a> {
    /// The last one in. None while it is played for, and when the last ones fell together.
    pub champion: Option<&'a PlayerId>,
    pub level_for_second: Vec<&'a PlayerId>,
    pub second: Option<&'a PlayerId>,
    /// Those level for third once the second is decided.
    pub level_for_third: Vec<&'a PlayerId>,
    /// The third, or all who share that place.
    pub third: Vec<&'a PlayerId>,
    /// The playoff to be played next.
    pub next: Option<Playoff<'a>>,
    /// What a ruling must decide.
    pub ruling: Option<RulingNeeded>,
    /// Every player who takes a place, best first; equals together.
    pub order: Vec<Vec<&'a PlayerId>>,
}

impl<'a> Conclusion<'a> {
    /// First, second and third as far as they are decided, then the others by games won.
    pub(super) fn put_in_order(&mut self, placed: Vec<&'a PlayerId>, wins: impl Fn(&PlayerId) -> u32) {
        let first = [self.champion, self.second].into_iter().flatten().map(|player| vec![player]);
        self.order.extend(first);
        self.order.extend((!self.third.is_empty()).then(|| self.third.clone()));
        let known = self.order.concat();
        let mut rest: Vec<&PlayerId> = placed.into_iter().filter(|player| !known.contains(player)).collect();
        rest.sort_by_key(|player| std::cmp::Reverse(wins(player)));
        self.order.extend(rest.chunk_by(|one, other| wins(one) == wins(other)).map(<[_]>::to_vec));
    }
}

/// A floating elimination as far as it was played. Rounds that were paired otherwise than by the rules are accepted.
#[derive(Debug, Clone)]
pub struct Elimination {
    pub(super) rules: Rules,
    pub(super) readings: EliminationReadings,
    pub(super) field: Field,
    pub(super) rounds: Vec<PlayedRound>,
    pub(super) tally: Tally,
    pub(super) removed: BTreeSet<PlayerId>,
    /// Of those, the players who were removed for a forfeit.
    forfeiters: BTreeSet<PlayerId>,
    /// The players by the ranking at the start of the tournament, the best first; empty where it is that of the seeds.
    start: Vec<PlayerId>,
    /// The rounds of the preliminary, of which the games won may count.
    preliminary: Tally,
    /// Who left before the first place was decided, and plays the continuation.
    pub(super) away: BTreeSet<PlayerId>,
    /// What rulings give: the first place and the second.
    pub(super) ruled: (Option<PlayerId>, Option<PlayerId>),
    pub(super) continuation: Continuation,
    pub(super) playoffs: Vec<PlayedGame>,
}

impl Elimination {
    /// The elimination of a field. `preliminary` are rounds of an earlier stage, which count if the readings say so; they
    /// may name players who did not reach the final.
    ///
    /// # Errors
    /// When the rules give no lives.
    pub fn new(
        rules: Rules,
        field: Field,
        preliminary: &[PlayedRound],
        readings: EliminationReadings,
    ) -> Result<Elimination, EliminationError> {
        if rules.lives == 0 {
            return Err(EliminationError::NoLives);
        }
        let mut tally = Tally::default();
        if readings.history == FinalsHistory::WholeTournament {
            preliminary.iter().for_each(|round| tally.count_earlier(round));
        }
        let mut elimination = Elimination {
            rules,
            readings,
            field,
            rounds: Vec::new(),
            tally,
            removed: BTreeSet::new(),
            forfeiters: BTreeSet::new(),
            start: Vec::new(),
            preliminary: Tally::of(preliminary),
            away: BTreeSet::new(),
            ruled: (None, None),
            continuation: Continuation::default(),
            playoffs: Vec::new(),
        };
        elimination.settle();
        Ok(elimination)
    }

    /// Records a round that has been played, and eliminates players who have lost too often. Whether the round was paired
    /// by the rules is not checked here.
    ///
    /// # Errors
    /// When a player in it is not in the field, or is in it twice. Nothing is recorded then.
    pub fn record(&mut self, round: PlayedRound) -> Result<(), EliminationError> {
        round.check(|player| self.field.seed(player).is_some(), 1)?;
        self.tally.count(&round, 0);
        self.rounds.push(round);
        self.settle();
        Ok(())
    }

    /// Takes out a player who is disqualified: no later rounds, no place.
    ///
    /// # Errors
    /// When the player is not in the field.
    pub fn remove(&mut self, player: &PlayerId) -> Result<(), EliminationError> {
        self.known(player)?;
        self.removed.insert(player.clone());
        self.settle();
        Ok(())
    }

    /// Takes out a player who lost a game by forfeit: no later rounds, and a place if the readings give one.
    ///
    /// # Errors
    /// When the player is not in the field.
    pub fn remove_for_forfeit(&mut self, player: &PlayerId) -> Result<(), EliminationError> {
        self.withdraw(player)?;
        self.forfeiters.insert(player.clone());
        Ok(())
    }

    /// Gives the ranking at the start of the tournament, the best first. Without it, the ranking is that of the seeds.
    pub fn rank_at_start(&mut self, ranking: Vec<PlayerId>) {
        self.start = ranking;
    }

    /// Takes out a player who withdraws: no later rounds and no place, unless the readings let them play the continuation.
    ///
    /// # Errors
    /// When the player is not in the field.
    pub fn withdraw(&mut self, player: &PlayerId) -> Result<(), EliminationError> {
        let comes_back = self.rules.ties == Ties::Continuation
            && self.readings.removed == RemovedInContinuation::In
            && self.continuation.phase == Phase::Main;
        if !comes_back {
            return self.remove(player);
        }
        self.known(player)?;
        self.away.insert(player.clone());
        self.settle();
        Ok(())
    }

    /// Takes the first and the second place from rulings, where the rules leave them open.
    ///
    /// # Errors
    /// When a player is not in the field.
    pub fn rule(
        &mut self,
        champion: Option<PlayerId>,
        second: Option<PlayerId>,
    ) -> Result<(), EliminationError> {
        champion.iter().chain(&second).try_for_each(|player| self.known(player))?;
        self.ruled = (champion, second);
        self.crown();
        Ok(())
    }

    /// The players of the elimination by seed.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Meetings, colours and byes that count, wins and losses of the final.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The rounds so far.
    pub fn rounds(&self) -> &[PlayedRound] {
        &self.rounds
    }

    /// The players still in, in the order of their seeds.
    pub fn active(&self) -> Vec<&PlayerId> {
        let (lives, contenders) = match &self.continuation.phase {
            Phase::Main => (self.rules.lives, None),
            Phase::SecondPlace { contenders, lives } => (*lives, Some(contenders)),
            Phase::Over => return Vec::new(),
        };
        let is_in = |player: &PlayerId| match contenders {
            Some(contenders) => contenders.contains(player),
            None => !self.away.contains(player),
        };
        let players = self.field.players().iter();
        players
            .filter(|player| is_in(player))
            .filter(|player| !self.removed.contains(*player) && self.tally.record(player).losses < lives)
            .collect()
    }

    /// The last round in which a player had a place, from 1; 0 where there is none.
    pub fn last_round(&self, player: &PlayerId) -> usize {
        let in_it = |round: &PlayedRound| round.players().any(|other| other == player);
        self.rounds.iter().rposition(in_it).map_or(0, |at| at + 1)
    }

    /// The tournament performance ratings of all players of the field; none where the rules do not need them.
    ///
    /// # Errors
    /// When the ratings do not come to rest.
    pub fn ratings(&self) -> Result<Option<Ratings>, EliminationError> {
        if !self.rules.needs_ratings() {
            return Ok(None);
        }
        Ok(Some(Ratings::of(self.field.players(), &self.rounds, self.readings.virtual_draw)?))
    }

    /// The next round, with its proof.
    ///
    /// # Errors
    /// When the rounds are over.
    pub fn next_round(&self) -> Result<RoundPairing, EliminationError> {
        self.pair(self.ratings()?.as_ref())
    }

    /// The next round by the ratings of now.
    ///
    /// # Errors
    /// When the rounds are over.
    pub(super) fn pair(&self, ratings: Option<&Ratings>) -> Result<RoundPairing, EliminationError> {
        let active = self.active();
        if active.len() < 2 {
            return Err(EliminationError::Over);
        }
        pair_round(&self.rules, &self.field, &active, &self.tally, ratings, self.readings)
    }

    /// The colours of a pair; where they are arbitrary or drawn the better seed has Gold here.
    pub fn colours<'a>(&self, one: &'a PlayerId, other: &'a PlayerId) -> Colours<'a> {
        let better = self.field.better(one, other);
        match self.rules.colours {
            ColourRules::Championship2015 => championship_2015(&self.tally, (one, other), better),
            ColourRules::WorldChampionship2009 => {
                world_championship_2009(&self.tally, (one, other), self.readings.no_games, better)
            }
        }
    }

    /// The places, the next playoff, or what a ruling must decide, as far as that is known.
    pub fn conclusion(&self) -> Conclusion<'_> {
        match self.rules.ties {
            Ties::Continuation => self.after_continuation(),
            Ties::Playoffs => self.after_playoffs(),
        }
    }

    /// The stage of the next round; none when everything is played.
    pub fn due(&self) -> Option<Stage> {
        match self.continuation.phase {
            Phase::Main if self.active().len() > 1 => Some(Stage::Final),
            Phase::Main | Phase::Over => self.conclusion().next.map(|playoff| playoff.stage),
            Phase::SecondPlace { .. } => Some(Stage::Continuation),
        }
    }

    /// Every player who takes a place, in the order of the seeds.
    pub(super) fn placed(&self) -> Vec<&PlayerId> {
        self.field.players().iter().filter(|player| self.takes_a_place(player)).collect()
    }

    /// Whether a player takes a place: who was taken out takes none, but for a forfeit if the readings say so.
    pub(super) fn takes_a_place(&self, player: &PlayerId) -> bool {
        let by_games_won =
            self.rules.ties == Ties::Playoffs && self.readings.forfeiter_place == ForfeiterPlace::ByGamesWon;
        !self.removed.contains(player) || by_games_won && self.forfeiters.contains(player)
    }

    /// The games won that give the places, playoffs not counted.
    pub(super) fn wins(&self, player: &PlayerId) -> u32 {
        let with_swiss = self.readings.games_won == GamesWon::WithSwiss;
        let swiss = if with_swiss { self.preliminary.record(player).wins } else { 0 };
        self.tally.record(player).wins.saturating_add(swiss)
    }

    /// Of two players the one who selects the colours of a playoff where they are equal: the lower ranked.
    pub(super) fn colour_selector<'a>(&self, better: &'a PlayerId, worse: &'a PlayerId) -> &'a PlayerId {
        let rank = |player: &PlayerId| self.start.iter().position(|ranked| ranked == player);
        match (self.readings.colour_selector, rank(better), rank(worse)) {
            (ColourSelector::RatingAtStart, Some(one), Some(other)) if one > other => better,
            _ => worse,
        }
    }

    /// Checks that a player is in the field.
    fn known(&self, player: &PlayerId) -> Result<(), EliminationError> {
        match self.field.seed(player) {
            Some(_) => Ok(()),
            None => Err(FieldError::Stranger { player: player.clone() }.into()),
        }
    }
}

/// Those of some players with the greatest value.
pub(super) fn greatest<'a, V: Ord>(
    players: &[&'a PlayerId],
    value: impl Fn(&PlayerId) -> V,
) -> Vec<&'a PlayerId> {
    let most = players.iter().map(|player| value(player)).max();
    players.iter().copied().filter(|player| Some(value(player)) == most).collect()
}
