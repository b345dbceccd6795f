//! The game length of a time control (G). A game that reaches it ends by score at that instant, and a turn in progress
//! does not count. Decided here for all games: of a log, an archive, or between programs.

use annals_events::Termination;

use super::beside::Beside;
use super::contract::Rules;
use super::ending::{LimitCheck, LimitFault};
use super::fold::Game;
use super::watch::{Watch, micros, seconds_up};
use crate::clock::GameLimit;

/// In seconds.
const DAY: u64 = 24 * 3600;

/// Whether the game length is reached, by the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Reached {
    /// With the last turn, or before.
    Yes,
    /// By number of turns.
    No,
    /// After this number of seconds of the turn in progress; `first`: before the flag falls, if known.
    Within { left: u64, first: Option<bool> },
    /// Some times are unknown; turns last at most the time that passed.
    Unknown { limit: u64 },
}

/// Progress towards the game length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LengthSoFar {
    reached: Reached,
    /// A flag fell with the last turn, which ended the game before.
    flag_fell: bool,
    started_at: Option<i64>,
    watch: Watch,
}

impl LengthSoFar {
    /// An end at a time.
    #[must_use]
    pub fn check(self, at: Option<i64>, how: Termination) -> LimitCheck {
        let score = how == Termination::Score;
        match self.reached {
            Reached::Yes if score => self.scored_late(at, 0),
            Reached::Yes => {
                LimitCheck::of(is_of_a_turn(how) && !self.flag_fell, LimitFault::EndedOtherwise(how))
            }
            Reached::No => LimitCheck::of(score, LimitFault::ScoredBefore),
            Reached::Within { left, first } => self.within_the_turn((left, first), at, how),
            Reached::Unknown { limit } => match self.watch.played_at_most(self.started_at, at) {
                Some(most) if most < limit => LimitCheck::of(score, LimitFault::ScoredBefore),
                _ if ends_play(how) => LimitCheck::Unknown,
                _ => LimitCheck::Fits,
            },
        }
    }

    /// An end of which only the latest time is known.
    #[must_use]
    pub fn check_by(self, latest: Option<i64>, how: Termination) -> LimitCheck {
        match self.check(latest, how) {
            LimitCheck::Fault(LimitFault::ScoredLate) => LimitCheck::Fits,
            LimitCheck::Fault(LimitFault::EndedOtherwise(
                Termination::Resignation | Termination::IllegalMove,
            )) if self.reached != Reached::Yes => LimitCheck::Unknown,
            found => found,
        }
    }

    /// An end in a turn that began before the game length.
    fn within_the_turn(
        &self,
        (left, first): (u64, Option<bool>),
        at: Option<i64>,
        how: Termination,
    ) -> LimitCheck {
        let passed = self.watch.of_the_turn(at);
        let fault = LimitCheck::Fault(LimitFault::EndedOtherwise(how));
        match (how, first, passed) {
            (Termination::Score, Some(false), _) => LimitCheck::Fault(LimitFault::ScoredBefore),
            (Termination::Score, _, Some(passed)) if seconds_up(passed) < left => {
                LimitCheck::Fault(LimitFault::ScoredBefore)
            }
            (Termination::Score, Some(true), Some(_)) => self.scored_late(at, left),
            (Termination::Time, Some(true), _) => fault,
            (how, ..) if how != Termination::Score && !is_of_a_turn(how) => LimitCheck::Fits,
            (_, Some(false), _) => LimitCheck::Fits,
            (_, _, Some(passed)) if passed < micros(left) => LimitCheck::Fits,
            (_, Some(true), Some(_)) => fault,
            _ => LimitCheck::Unknown,
        }
    }

    /// An end by score in a turn that reached the game length after `left` seconds. Records with dates only may differ
    /// by a day.
    fn scored_late(&self, at: Option<i64>, left: u64) -> LimitCheck {
        let late = self.watch.of_the_turn(at).map(|passed| passed.saturating_sub(micros(left)));
        LimitCheck::of(late.is_some_and(|late| late > micros(DAY)), LimitFault::ScoredLate)
    }

    /// The instant of the turn in progress at which the game reaches its length; none if the flag falls first, or times
    /// are unknown.
    fn instant(self) -> Option<i64> {
        let began = self.watch.turn_began.filter(|_| !self.watch.doubtful)?;
        match self.reached {
            Reached::Yes => Some(began),
            Reached::Within { left, first: Some(true) } => Some(began.saturating_add(micros(left))),
            _ => None,
        }
    }
}

impl<R: Rules> Game<R> {
    /// Reached with the last turn, so that the score decides. Games not decided by pieces have no length.
    #[must_use]
    pub fn limit_reached(&self) -> bool {
        let scored = self.state().is_some_and(R::is_scored_by_pieces);
        scored && self.clock.is_some_and(|clock| clock.at_least().game_limit_reached())
    }

    /// The last turn, if it is the first one completed after the game length.
    #[must_use]
    pub fn just_played_past_the_limit(&self) -> Option<LimitFault> {
        let (last, before) = self.plies().split_last()?;
        let is_first = last.past_limit && !before.last().is_some_and(|ply| ply.past_limit);
        is_first.then_some(LimitFault::PlayedOn { number: last.number, side: last.side })
    }

    /// When the turn in progress reaches the game length, in microseconds since the Unix epoch. None if the flag falls
    /// first, or times are not recorded.
    #[must_use]
    pub fn limit_instant(&self) -> Option<i64> {
        let instant = self.length_so_far()?.instant()?;
        let halted_before = self.halted && self.watch.halted_at.is_none_or(|halted| halted < instant);
        (!halted_before).then_some(instant)
    }

    /// A halt now, after the game length.
    #[must_use]
    pub fn halted_past_the_limit(&self) -> Option<LimitFault> {
        (self.halted && self.limit_instant().is_some()).then_some(LimitFault::HaltedAfter)
    }

    /// An end now.
    pub(super) fn limit_check(&self, at: Option<i64>, termination: Option<Termination>) -> LimitCheck {
        let length = self.length_so_far().zip(termination);
        length.map_or(LimitCheck::Fits, |(length, how)| length.check(at, how))
    }

    /// A score without a game length. A match may still end so after a number of turns set by its controller.
    #[must_use]
    pub fn scored_without_a_limit(&self) -> Option<LimitFault> {
        let clock = self.clock?;
        clock.at_least().control().game_limit().is_none().then_some(LimitFault::ScoredWithout)
    }

    /// None without a game length.
    #[must_use]
    pub fn length_so_far(&self) -> Option<LengthSoFar> {
        let (state, clock) = self.state().zip(self.clock)?;
        let limit = clock.at_least().control().game_limit().filter(|_| R::is_scored_by_pieces(state))?;
        let flag_fell = self.plies().last().is_some_and(|ply| ply.flag.is_some());
        let reached = self.reached(state, &clock, limit);
        Some(LengthSoFar { reached, flag_fell, started_at: self.started_at(), watch: self.watch })
    }

    fn reached(&self, state: &R::State, clock: &Beside, limit: GameLimit) -> Reached {
        let known = clock.at_least();
        match (limit, known.game_time_left()) {
            _ if known.game_limit_reached() => Reached::Yes,
            (GameLimit::Seconds(_), Some(left)) if clock.knows_game_time() => {
                let side = R::to_move(state);
                let end = known.turn_ends(side, !R::counts_for_repetition(state));
                // The flag is known if the reserve is known or zero.
                let end = end.filter(|_| clock.knows_reserve(side) || known.control().is_untimed());
                Reached::Within { left, first: end.map(|end| end.limit().is_some()) }
            }
            (GameLimit::Seconds(limit), _) => Reached::Unknown { limit: limit.into() },
            (GameLimit::Turns(_), _) => Reached::No,
        }
    }
}

/// Whether such an end is within a turn.
const fn is_of_a_turn(how: Termination) -> bool {
    matches!(how, Termination::Time | Termination::Resignation | Termination::IllegalMove)
}

/// Whether play lasts until such an end.
const fn ends_play(how: Termination) -> bool {
    !matches!(how, Termination::Forfeit | Termination::Abandoned)
}
