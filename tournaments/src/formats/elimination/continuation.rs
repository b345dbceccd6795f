//! The final of 2015 after the first place is decided: the continuation for second place (2015 WCC,
//! Tournament format).
//!
//! First is the last player in. "Ties for second place will be broken by adding one more life to all the
//! second place players and continuing the tournament", earlier games counted. Third place goes by games won,
//! and ties for it remain.

use annals_events::PlayerId;

use super::conclusion::{Conclusion, RulingNeeded, greatest};
use super::phase::{Continuation, Phase};
use super::reading::{LastForSecond, SecondPlace, ThirdPlaceWins};
use super::rules::Ties;
use super::state::Elimination;
use crate::record::Tally;

impl Elimination {
    pub fn phase(&self) -> &Phase {
        &self.continuation.phase
    }

    /// Advances through all decided phases.
    pub(super) fn settle(&mut self) {
        while self.rules.ties == Ties::Continuation && self.continuation.phase != Phase::Over {
            let active = self.active();
            if active.len() > 1 {
                return;
            }
            let left = active.first().copied().cloned();
            match (self.continuation.phase == Phase::Main, left) {
                (true, None) => {
                    self.continuation.main_rounds = Some(self.rounds.len());
                    self.continuation.phase = Phase::Over;
                }
                (true, champion) => {
                    self.continuation.main_rounds = Some(self.rounds.len());
                    self.continuation.champion = champion;
                    self.play_for_second();
                }
                (false, None) => {
                    let last = self.rounds.len();
                    let mut remaining = self.continuation.level_for_second.clone();
                    let is_open = self.all_left(&remaining)
                        && remaining.iter().any(|player| self.takes_a_place(player));
                    remaining.retain(|player| !self.removed.contains(player));
                    match self.readings.last_for_second {
                        _ if is_open => {
                            self.continuation.second_open = true;
                            self.continuation.phase = Phase::Over;
                        }
                        LastForSecond::FellTogether => {
                            remaining.retain(|player| self.last_round(player) == last);
                            self.play_on(remaining);
                        }
                        LastForSecond::AllLevel => self.play_on(remaining),
                        LastForSecond::Ruling => {
                            self.continuation.second_open = true;
                            self.continuation.phase = Phase::Over;
                        }
                    }
                }
                (false, second) => {
                    self.continuation.second = second;
                    self.continuation.phase = Phase::Over;
                }
            }
        }
    }

    /// Gives the first or second place by a ruling; after a ruled first place the second is still played for.
    pub(super) fn crown(&mut self) {
        if self.continuation.second_open {
            self.continuation.second = self.ruled.1.clone();
        }
        if self.continuation.phase == Phase::Over
            && self.continuation.champion.is_none()
            && self.ruled.0.is_some()
        {
            self.continuation.champion = self.ruled.0.clone();
            self.play_for_second();
            self.settle();
        }
    }

    pub(super) fn after_continuation(&self) -> Conclusion<'_> {
        let Continuation { phase, champion, level_for_second, second, second_open, .. } = &self.continuation;
        let no_champion = *phase == Phase::Over && champion.is_none();
        let mut conclusion = Conclusion {
            champion: champion.as_ref(),
            level_for_second: level_for_second.iter().collect(),
            second: second.as_ref(),
            ruling: match (no_champion, *second_open && second.is_none()) {
                (true, _) => Some(RulingNeeded::Champion),
                (false, true) => Some(RulingNeeded::Second),
                (false, false) => None,
            },
            ..Conclusion::default()
        };
        if second.is_some() {
            let mut rest = self.placed();
            rest.retain(|player| ![champion, second].contains(&&Some((*player).clone())));
            conclusion.third = match self.readings.third {
                ThirdPlaceWins::WithContinuation => greatest(&rest, |player| self.wins(player)),
                ThirdPlaceWins::WithoutContinuation => {
                    let main = Tally::of(self.rounds.iter().take(self.continuation.main_rounds.unwrap_or(0)));
                    greatest(&rest, |player| main.record(player).wins)
                }
            };
            conclusion.level_for_third = conclusion.third.clone();
        }
        conclusion.put_in_order(self.placed(), |player| self.wins(player));
        conclusion
    }

    fn play_for_second(&mut self) {
        let mut rest = self.placed();
        rest.retain(|player| Some(*player) != self.continuation.champion.as_ref());
        let level = match self.readings.second {
            SecondPlace::MostWins => greatest(&rest, |player| self.wins(player)),
            SecondPlace::LastEliminated => greatest(&rest, |player| self.last_round(player)),
        };
        let level: Vec<PlayerId> = level.into_iter().cloned().collect();
        self.continuation.level_for_second = level.clone();
        self.play_on(level);
    }

    /// One more life for several contenders; a single one is second.
    fn play_on(&mut self, contenders: Vec<PlayerId>) {
        if contenders.len() < 2 {
            self.continuation.second = contenders.into_iter().next();
            self.continuation.phase = Phase::Over;
            return;
        }
        let losses = contenders.iter().map(|player| self.tally.record(player).losses);
        let lives = losses.max().unwrap_or(0).saturating_add(1);
        self.continuation.phase = Phase::SecondPlace { contenders: contenders.into_iter().collect(), lives };
    }
}
