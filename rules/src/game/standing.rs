//! Read access to a game after the events so far.

use std::fmt;

use annals_events::{Ended, Side, Termination, TurnTaken};

use super::applied::NoClock;
use super::beside::Beside;
use super::contract::{Era, Outcome, Rules, Strictness};
use super::ending::Ending;
use super::fold::{Game, occurrences};
use super::ply::Ply;
use crate::clock::Clock;
use crate::scoring::{EarlySide, PiecePoints, Score, Undecidable, early};

impl<R: Rules> Game<R> {
    /// In force, in order.
    #[must_use]
    pub fn plies(&self) -> &[Ply<R>] {
        &self.plies
    }

    /// None before the start.
    #[must_use]
    pub fn state(&self) -> Option<&R::State> {
        match self.plies.last() {
            Some(ply) => Some(&ply.state_after),
            None => self.initial_state(),
        }
    }

    /// None before the start.
    #[must_use]
    pub fn initial_state(&self) -> Option<&R::State> {
        self.begun.as_ref().map(|begun| &begun.state)
    }

    /// None before the start.
    #[must_use]
    pub fn to_move(&self) -> Option<Side> {
        self.state().map(R::to_move)
    }

    /// The winner by time of an end of the game, if the clock of the loser stood still: the winner is to move, and no flag fell
    /// with the last turn. An archive without that turn's time contradicts nothing.
    #[must_use]
    pub fn won_by_clock_that_stood(&self, ended: &Ended<'_>) -> Option<Side> {
        let last = self.plies.last()?;
        let winner = ended.winner.filter(|_| ended.termination == Some(Termination::Time))?;
        let reserve = match last.side {
            Side::Gold => last.gold_reserve,
            Side::Silver => last.silver_reserve,
        };
        let known = self.strictness == Strictness::Strict || last.used.and(reserve).is_some();
        (known && last.flag.is_none() && self.to_move() == Some(winner)).then_some(winner)
    }

    /// None before the start, and before the first turn from a stated position.
    #[must_use]
    pub fn expected_number(&self) -> Option<u32> {
        match (self.plies.last(), &self.begun) {
            (Some(ply), _) if ply.side == Side::Silver => Some(ply.number.saturating_add(1)),
            (Some(ply), _) => Some(ply.number),
            (None, Some(begun)) if !begun.from_position => Some(1),
            (None, _) => None,
        }
    }

    /// Occurrences of a position since the setups.
    #[must_use]
    pub fn occurrences(&self, hash: u64) -> u32 {
        occurrences(&self.line, hash)
    }

    /// After the last turn, or in a stated position; none while undecided.
    #[must_use]
    pub fn board_says(&self) -> Option<Outcome> {
        match self.plies.last() {
            Some(ply) => ply.outcome,
            None => self.begun.as_ref().and_then(|begun| begun.outcome),
        }
    }

    /// The first deciding ply after which play continued.
    #[must_use]
    pub fn played_on(&self) -> Option<&Ply<R>> {
        let before_last = self.plies.split_last().map_or(&[][..], |(_, before)| before);
        before_last.iter().find(|ply| ply.outcome.is_some())
    }

    /// Modern before the start.
    #[must_use]
    pub fn era(&self) -> Era {
        self.begun.as_ref().map_or(Era::Modern, |begun| begun.era)
    }

    /// In microseconds since the Unix epoch, if stated.
    #[must_use]
    pub fn started_at(&self) -> Option<i64> {
        self.begun.as_ref().and_then(|begun| begun.at)
    }

    /// In microseconds since the Unix epoch: at the start, after the last turn, or at the resumption; if stated.
    #[must_use]
    pub fn turn_began(&self) -> Option<i64> {
        self.watch.turn_began
    }

    /// In microseconds since the Unix epoch, if stated.
    #[must_use]
    pub fn last_at(&self) -> Option<i64> {
        self.last_at
    }

    /// In microseconds since the Unix epoch.
    #[must_use]
    pub fn halted_at(&self) -> Option<i64> {
        self.watch.halted_at
    }

    /// After the last turn.
    ///
    /// # Errors
    /// The reason if there is none.
    pub fn clock(&self) -> Result<Clock, NoClock> {
        match (&self.begun, &self.clock) {
            (None, _) => Err(NoClock::NotStarted),
            (Some(_), Some(clock)) => clock.clock().ok_or(NoClock::TimeUnknown),
            (Some(begun), None) => Err(begun.clock.clone().err().unwrap_or(NoClock::NoTimeControl)),
        }
    }

    /// Whether the clock after an uncompleted turn, such as one with a resignation, follows from its time. None if it
    /// is not the next turn, or has no figures.
    #[must_use]
    pub fn clock_follows(&self, unfinished: &TurnTaken<'_>) -> Option<bool> {
        let state = self.state().filter(|state| R::to_move(state) == unfinished.side)?;
        let setup = !R::counts_for_repetition(state);
        self.clock.and_then(|mut clock| clock.turn(unfinished, setup).matches)
    }

    /// Before the first turn, as set; none without a clock.
    #[must_use]
    pub fn clock_at_first(&self) -> Option<Clock> {
        let before = self.plies.first().map_or(self.clock, |ply| ply.clock_before);
        before.and_then(|clock| clock.clock())
    }

    /// Both reserves with unused time of the last setup, which the text of the Match Rules adds and the server does
    /// not; none without any.
    #[must_use]
    pub fn reserves_with_setup_time(&self) -> Option<[i64; 2]> {
        let last = self.plies.last().filter(|ply| ply.unused_setup_time() > 0)?;
        let mut reserves = self.clock().ok()?.figures().reserves;
        let reserve = &mut reserves[last.side.index()];
        *reserve = reserve.saturating_add(last.unused_setup_time());
        Some(reserves)
    }

    /// Unused setup time was not added before the side's next turn.
    #[must_use]
    pub fn setup_time_lost(&self) -> bool {
        let lost = |(place, ply): (usize, &Ply<R>)| {
            let next = self.plies[place + 1..].iter().find(|next| next.side == ply.side);
            let then = next.map_or(self.clock, |next| next.clock_before);
            let reserve = |clock: Beside| clock.clock().map(|clock| clock.figures().reserve(ply.side));
            let both = ply.clock_before.and_then(reserve).zip(then.and_then(reserve));
            both.is_some_and(|(before, then)| then < before.saturating_add(ply.unused_setup_time()))
        };
        let setups = self.plies.iter().enumerate().take_while(|(_, ply)| ply.played.setup);
        setups.filter(|(_, ply)| ply.unused_setup_time() > 0).any(lost)
    }

    /// The present score, if the game reached its length. Before 2008-07-01 it is [`Undecidable::PiecePointsUnknown`].
    #[must_use]
    pub fn score(&self) -> Score {
        self.score_with(None)
    }

    /// With piece points, which count before 2008-07-01.
    #[must_use]
    pub fn score_with(&self, points: Option<&PiecePoints>) -> Score {
        match (self.state(), &self.begun) {
            (Some(state), _) if !R::is_scored_by_pieces(state) => Score::Undecidable(Undecidable::NotScored),
            (Some(state), Some(begun)) if R::counts_for_repetition(state) => match begun.era {
                Era::Early => {
                    let unknown = Score::Undecidable(Undecidable::PiecePointsUnknown);
                    self.early_sides().map_or(unknown, |sides| early(&sides, points))
                }
                Era::Modern => Score::Won(self.plies.last().map_or(begun.lead, Ply::lead).winner()),
            },
            _ => Score::Undecidable(Undecidable::NotSetUp),
        }
    }

    /// For the score before 2008-07-01, Gold's and Silver's; none later, and before the setups.
    #[must_use]
    pub fn early_sides(&self) -> Option<[EarlySide; 2]> {
        let state = self.state().filter(|state| R::counts_for_repetition(state))?;
        (self.era() == Era::Early).then(|| R::early_sides(state))?
    }

    /// None while it is played.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Counts for ratings.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.rated
    }

    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.halted
    }

    #[must_use]
    pub fn is_annulled(&self) -> bool {
        self.annulled
    }

    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.strictness
    }
}

impl<R: Rules> fmt::Debug for Game<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Game");
        out.field("strictness", &self.strictness);
        if let Some(begun) = &self.begun {
            out.field("initial_state", &begun.state)
                .field("era", &begun.era)
                .field("started_at", &begun.at)
                .field("from_position", &begun.from_position)
                .field("initial_lead", &begun.lead)
                .field("initial_clock", &begun.clock);
        }
        out.field("plies", &self.plies)
            .field("line", &self.line)
            .field("clock", &self.clock)
            .field("last_at", &self.last_at)
            .field("watch", &self.watch)
            .field("rated", &self.rated)
            .field("halted", &self.halted)
            .field("annulled", &self.annulled)
            .field("ending", &self.ending)
            .finish()
    }
}
