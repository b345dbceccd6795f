//! The final of 2009 once one player is in: playoffs for second and third place (2009 WC, Tournament format).
//! Places go by games won; two level players play one game.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::Stage;

use super::conclusion::{Conclusion, Playoff, RulingNeeded, greatest};
use super::error::EliminationError;
use super::reading::GamesWon;
use super::state::Elimination;
use crate::colours::world_championship_2009_playoff;
use crate::record::PlayedGame;

impl Elimination {
    /// # Errors
    /// If it is not the next playoff or has no winner.
    pub fn record_playoff(&mut self, game: PlayedGame) -> Result<(), EliminationError> {
        let next = self.conclusion().next;
        let players = [&game.gold, &game.silver];
        let due = next
            .is_some_and(|next| players == [next.better, next.worse] || players == [next.worse, next.better]);
        if !due || game.winner().is_none() {
            return Err(EliminationError::NoSuchPlayoff { one: game.gold, other: game.silver });
        }
        self.playoffs.push(game);
        Ok(())
    }

    /// Places, next playoff, or the ruling needed; empty while rounds remain.
    pub(super) fn after_playoffs(&self) -> Conclusion<'_> {
        let mut conclusion = Conclusion::default();
        let active = self.active();
        if active.len() > 1 {
            return conclusion;
        }
        let mut series = Series { of: self, played: 0, wins: BTreeMap::new(), next: None };
        conclusion.champion = active.first().copied().or(self.ruled.0.as_ref());
        let mut rest = self.placed();
        rest.retain(|player| Some(*player) != conclusion.champion);
        conclusion.level_for_second = greatest(&rest, |player| series.wins(player));
        if conclusion.champion.is_none() {
            conclusion.ruling = Some(RulingNeeded::Champion);
        } else {
            match self.second_place(&conclusion.level_for_second, &mut series) {
                Ok(second) => conclusion.second = second,
                Err(needed) => {
                    conclusion.second = self.ruled.1.as_ref();
                    conclusion.ruling = conclusion.second.is_none().then_some(needed);
                }
            }
        }
        if conclusion.second.is_some() {
            rest.retain(|player| Some(*player) != conclusion.second);
            conclusion.level_for_third = greatest(&rest, |player| series.wins(player));
            match conclusion.level_for_third[..] {
                [] => {}
                [third] => conclusion.third = vec![third],
                [one, other] => {
                    conclusion.third = series.winner(Stage::ThirdPlayoff, one, other).into_iter().collect();
                }
                _ => conclusion.ruling = Some(RulingNeeded::Third),
            }
        }
        conclusion.put_in_order(self.placed(), |player| series.wins(player));
        conclusion.next = series.next;
        conclusion
    }

    /// None while playoffs remain.
    fn second_place<'a>(
        &self,
        level: &[&'a PlayerId],
        series: &mut Series<'a>,
    ) -> Result<Option<&'a PlayerId>, RulingNeeded> {
        match *level {
            [] => Ok(None),
            [second] => Ok(Some(second)),
            [one, other] => Ok(series.winner(Stage::SecondPlayoff, one, other)),
            [_, _, _] => {
                // Two were eliminated in the second-to-last round and one in the last: the two play first,
                // the winner meets the third.
                let last = self.rounds.len();
                let (last_out, before): (Vec<&PlayerId>, Vec<&PlayerId>) =
                    level.iter().partition(|player| self.last_round(player) == last);
                let all_before = before.iter().all(|player| self.last_round(player) + 1 == last);
                let ([third], [one, other], true) = (&last_out[..], &before[..], all_before) else {
                    return Err(RulingNeeded::Second);
                };
                let first = series.winner(Stage::SecondPlayoff, one, other);
                Ok(first.and_then(|winner| series.winner(Stage::SecondPlayoff, winner, third)))
            }
            _ => Err(RulingNeeded::Second),
        }
    }
}

/// The playoffs in order; those played have winners, and the first unplayed one is next.
struct Series<'a> {
    of: &'a Elimination,
    played: usize,
    wins: BTreeMap<&'a PlayerId, u32>,
    next: Option<Playoff<'a>>,
}

impl<'a> Series<'a> {
    /// Games won that give the places, playoffs included if the readings count them.
    fn wins(&self, player: &PlayerId) -> u32 {
        self.of.wins(player) + self.wins.get(player).copied().unwrap_or(0)
    }

    /// None if it is still to be played.
    fn winner(&mut self, stage: Stage, one: &'a PlayerId, other: &'a PlayerId) -> Option<&'a PlayerId> {
        let of = self.of;
        match of.playoffs.get(self.played).and_then(PlayedGame::winner) {
            Some(winner) => {
                self.played += 1;
                if of.readings.games_won == GamesWon::WithPlayoffs {
                    *self.wins.entry(winner).or_default() += 1;
                }
                Some(winner)
            }
            None => {
                let better = of.field.better(one, other);
                let worse = if better == one { other } else { one };
                let balance = |player: &PlayerId| {
                    let played = of.playoffs.iter().take(self.played);
                    let colours = played
                        .map(|game| i64::from(game.gold == *player) - i64::from(game.silver == *player));
                    of.tally.record(player).balance() + colours.sum::<i64>()
                };
                let selector = of.colour_selector(better, worse);
                let other = if selector == better { worse } else { better };
                let colour = world_championship_2009_playoff(other, selector, balance);
                self.next = Some(Playoff { stage, better, worse, colour });
                None
            }
        }
    }
}
