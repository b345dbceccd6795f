//! A floating elimination as the fold of its rounds and withdrawals. Play after the first place follows
//! [`Ties`].

use std::borrow::Borrow;
use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_events::tournament::Stage;

use super::conclusion::Conclusion;
use super::error::EliminationError;
use super::phase::{Continuation, Phase};
use super::reading::{
    ColourSelector, EliminationReadings, FinalsHistory, ForfeiterPlace, GamesWon, LeaverPlace,
    RemovedInContinuation,
};
use super::round::pair_round;
use super::rules::{ColourRules, Rules, Ties};
use crate::colours::{Colours, championship_2015, world_championship_2009};
use crate::field::{Field, FieldError};
use crate::formats::RoundPairing;
use crate::record::{PlayedGame, PlayedRound, Tally};
use crate::tpr::Ratings;

/// A floating elimination so far. Rounds that violate the rules are accepted.
#[derive(Debug, Clone)]
pub struct Elimination {
    pub(super) rules: Rules,
    pub(super) readings: EliminationReadings,
    pub(super) field: Field,
    pub(super) rounds: Vec<PlayedRound>,
    pub(super) tally: Tally,
    pub(super) removed: BTreeSet<PlayerId>,
    /// The players of `removed` and `away` removed for a forfeit.
    forfeiters: BTreeSet<PlayerId>,
    /// Those of them who withdrew.
    leavers: BTreeSet<PlayerId>,
    /// Players by initial ranking, the best first; empty if that is the seeds.
    start: Vec<PlayerId>,
    /// Preliminary rounds, whose wins may count.
    preliminary: Tally,
    /// Players who left before the first place was decided and play the continuation.
    pub(super) away: BTreeSet<PlayerId>,
    /// First and second place by ruling.
    pub(super) ruled: (Option<PlayerId>, Option<PlayerId>),
    pub(super) continuation: Continuation,
    pub(super) playoffs: Vec<PlayedGame>,
}

impl Elimination {
    /// `preliminary` are rounds of an earlier stage, which count if the readings count them; they may have
    /// players outside the field.
    ///
    /// # Errors
    /// If the rules give no lives.
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
            leavers: BTreeSet::new(),
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

    /// Records a played round and eliminates players at their last loss, without checking the pairing.
    ///
    /// # Errors
    /// If a player is not in the field or is in the round twice; then nothing is recorded.
    pub fn record(&mut self, round: PlayedRound) -> Result<(), EliminationError> {
        round.check(|player| self.field.seed(player).is_some(), 1)?;
        self.tally.count(&round, 0);
        self.rounds.push(round);
        self.settle();
        Ok(())
    }

    /// Removes a disqualified player: no later rounds, no place.
    ///
    /// # Errors
    /// If the player is not in the field.
    pub fn remove(&mut self, player: &PlayerId) -> Result<(), EliminationError> {
        self.known(player)?;
        self.removed.insert(player.clone());
        self.settle();
        Ok(())
    }

    /// Removes a player for a forfeit: no later rounds, a place if the readings give one.
    ///
    /// # Errors
    /// If the player is not in the field.
    pub fn remove_for_forfeit(&mut self, player: &PlayerId) -> Result<(), EliminationError> {
        self.known(player)?;
        self.forfeiters.insert(player.clone());
        self.take_out(player)
    }

    /// Removes a player who withdraws: no later rounds, a place if the readings give one.
    ///
    /// # Errors
    /// If the player is not in the field.
    pub fn withdraw(&mut self, player: &PlayerId) -> Result<(), EliminationError> {
        self.known(player)?;
        self.leavers.insert(player.clone());
        self.take_out(player)
    }

    /// Sets the initial ranking, the best first. The default is the seeds.
    pub fn rank_at_start(&mut self, ranking: Vec<PlayerId>) {
        self.start = ranking;
    }

    /// Removes a player: no later rounds and no place, unless the readings let them play the continuation.
    ///
    /// # Errors
    /// If the player is not in the field.
    pub(super) fn take_out(&mut self, player: &PlayerId) -> Result<(), EliminationError> {
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

    /// Sets the first and second place by ruling.
    ///
    /// # Errors
    /// If a player is not in the field.
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

    pub fn field(&self) -> &Field {
        &self.field
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    pub fn rounds(&self) -> &[PlayedRound] {
        &self.rounds
    }

    /// In seed order.
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

    /// The last round with a place for the player, from 1; 0 if none.
    pub fn last_round(&self, player: &PlayerId) -> usize {
        let in_it = |round: &PlayedRound| round.players().any(|other| other == player);
        self.rounds.iter().rposition(in_it).map_or(0, |at| at + 1)
    }

    /// None if the rules do not need them.
    ///
    /// # Errors
    /// If the ratings do not converge.
    pub fn ratings(&self) -> Result<Option<Ratings>, EliminationError> {
        if !self.rules.needs_ratings() {
            return Ok(None);
        }
        Ok(Some(Ratings::of(self.field.players(), &self.rounds, self.readings.virtual_draw)?))
    }

    /// # Errors
    /// If the rounds are over.
    pub fn next_round(&self) -> Result<RoundPairing, EliminationError> {
        self.pair(self.ratings()?.as_ref())
    }

    /// The next round by the given ratings.
    ///
    /// # Errors
    /// If the rounds are over.
    pub(super) fn pair(&self, ratings: Option<&Ratings>) -> Result<RoundPairing, EliminationError> {
        let active = self.active();
        if active.len() < 2 {
            return Err(EliminationError::Over);
        }
        pair_round(&self.rules, &self.field, &active, &self.tally, ratings, self.readings)
    }

    /// If arbitrary or drawn, the better seed has Gold here.
    pub fn colours<'a>(&self, one: &'a PlayerId, other: &'a PlayerId) -> Colours<'a> {
        let better = self.field.better(one, other);
        match self.rules.colours {
            ColourRules::Championship2015 => championship_2015(&self.tally, (one, other), better),
            ColourRules::WorldChampionship2009 => {
                world_championship_2009(&self.tally, (one, other), self.readings.no_games, better)
            }
        }
    }

    pub fn conclusion(&self) -> Conclusion<'_> {
        match self.rules.ties {
            Ties::Continuation => self.after_continuation(),
            Ties::Playoffs => self.after_playoffs(),
        }
    }

    /// None when everything is played.
    pub fn due(&self) -> Option<Stage> {
        match self.continuation.phase {
            Phase::Main if self.active().len() > 1 => Some(Stage::Final),
            Phase::Main | Phase::Over => self.conclusion().next.map(|playoff| playoff.stage),
            Phase::SecondPlace { .. } => Some(Stage::Continuation),
        }
    }

    /// Players with a place, in seed order.
    pub(super) fn placed(&self) -> Vec<&PlayerId> {
        self.field.players().iter().filter(|player| self.takes_a_place(player)).collect()
    }

    /// The players of the last round who take a place, in seed order: without a champion, those who fell together.
    pub(super) fn fell_together(&self) -> Vec<&PlayerId> {
        let last = self.rounds.len();
        self.placed().into_iter().filter(|player| self.last_round(player) == last).collect()
    }

    /// Removed players take none, unless the readings give them one.
    pub(super) fn takes_a_place(&self, player: &PlayerId) -> bool {
        let forfeiters =
            self.rules.ties == Ties::Playoffs && self.readings.forfeiter_place == ForfeiterPlace::ByGamesWon;
        let leavers = self.readings.leaver_place == LeaverPlace::ByGamesWon;
        !self.removed.contains(player)
            || forfeiters && self.forfeiters.contains(player)
            || leavers && self.leavers.contains(player)
    }

    pub(super) fn all_left<P: Borrow<PlayerId>>(&self, players: &[P]) -> bool {
        players.iter().all(|player| self.removed.contains(player.borrow()))
    }

    /// Those who withdrew with a game won and take no place, in seed order.
    pub(super) fn left_out(&self) -> Vec<&PlayerId> {
        let players = self.field.players().iter();
        let withdrew = players.filter(|player| self.leavers.contains(*player) && !self.takes_a_place(player));
        withdrew.filter(|player| self.wins(player) > 0).collect()
    }

    /// Games won that give the places, without playoffs.
    pub(super) fn wins(&self, player: &PlayerId) -> u32 {
        let with_swiss = self.readings.games_won == GamesWon::WithSwiss;
        let swiss = if with_swiss { self.preliminary.record(player).wins } else { 0 };
        self.tally.record(player).wins.saturating_add(swiss)
    }

    /// Of two players the lower ranked, who selects the colours of a playoff if equal.
    pub(super) fn colour_selector<'a>(&self, better: &'a PlayerId, worse: &'a PlayerId) -> &'a PlayerId {
        let rank = |player: &PlayerId| self.start.iter().position(|ranked| ranked == player);
        match (self.readings.colour_selector, rank(better), rank(worse)) {
            (ColourSelector::RatingAtStart, Some(one), Some(other)) if one > other => better,
            _ => worse,
        }
    }

    fn known(&self, player: &PlayerId) -> Result<(), EliminationError> {
        match self.field.seed(player) {
            Some(_) => Ok(()),
            None => Err(FieldError::Stranger { player: player.clone() }.into()),
        }
    }
}
