//! The final of the 2015 World Computer Championship: floating quadruple elimination with a continuation for second
//! place (2015 WCC, Tournament format).
//!
//! The first place is for whoever is left. "Ties for second place will be broken by adding one more life to all the
//! second place players and continuing the tournament", with the earlier games counted; third place goes by games won,
//! and ties for it stand.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::contest::{Contest, EliminationError, greatest};
use super::round::{RoundPairing, pair_round};
use super::rules::Rules;
use crate::colours::{Colours, Rule2015, championship_2015};
use crate::history::{Field, PastRound, Player, Tally};
use crate::reading::readings;
use crate::tpr::{Ratings, VirtualDraw};

readings! {
    /// Who is tied for second place (2015 WCC, Tournament format, on ties).
    pub enum SecondPlace, "T7", "who is tied for second place" {
        /// Those with the most games won.
        MostWins = "A" "most_wins",
        /// Those who were eliminated last.
        LastEliminated = "B" "last_eliminated",
    }
}

readings! {
    /// Whether games won in the continuation count for third place (2015 WCC, Tournament format, on ties).
    pub enum ThirdPlaceWins, "T8", "whether wins of the continuation count for third place" {
        /// They count: it is the same tournament.
        WithContinuation = "A" "with_continuation",
        /// Only games won before it count.
        WithoutContinuation = "B" "without_continuation",
    }
}

/// How the ambiguous paragraphs of the final of 2015 are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Readings2015 {
    /// Who is tied for second place.
    pub second: SecondPlace,
    /// Which wins count for third place.
    pub third: ThirdPlaceWins,
    /// What the virtual draw of the ratings weighs.
    pub virtual_draw: VirtualDraw,
}

/// How far the final is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Played for the first place.
    Main,
    /// Played on for the second place by these, who are out when they have lost so many times.
    SecondPlace {
        /// All who were level for second place.
        contenders: BTreeSet<Player>,
        /// With one more life.
        lives: u32,
    },
    /// Over.
    Over,
}

/// The places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Places {
    /// The last one in. None while it is played for, and when the last ones fell together: a ruling must say then.
    pub champion: Option<Player>,
    /// Those who were level for second place when the first was decided, in the order of the seeds.
    pub level_for_second: Vec<Player>,
    /// The second, once decided.
    pub second: Option<Player>,
    /// The third, or all who share that place, in the order of the seeds; nobody before the second is decided.
    pub third: Vec<Player>,
    /// Whether the final is over without a champion.
    pub needs_ruling: bool,
}

/// The final of 2015 as the fold of its rounds and withdrawals.
#[derive(Debug, Clone)]
pub struct QuadrupleElimination {
    contest: Contest,
    readings: Readings2015,
    phase: Phase,
    champion: Option<Player>,
    level_for_second: Vec<Player>,
    second: Option<Player>,
    /// Games won when the first place was decided.
    wins_of_main: BTreeMap<Player, u32>,
    main_rounds: Option<usize>,
}

impl QuadrupleElimination {
    /// The final of a field, by the rules of 2015 or similar ones. A single player has won it at once.
    ///
    /// # Errors
    /// When the rules give no lives.
    pub fn new(
        rules: Rules,
        field: Field,
        readings: Readings2015,
    ) -> Result<QuadrupleElimination, EliminationError> {
        let mut elimination = QuadrupleElimination {
            contest: Contest::new(rules, field, Tally::default())?,
            readings,
            phase: Phase::Main,
            champion: None,
            level_for_second: Vec::new(),
            second: None,
            wins_of_main: BTreeMap::new(),
            main_rounds: None,
        };
        elimination.settle();
        Ok(elimination)
    }

    /// Records a round that has been played, and eliminates who has lost too often. It is not asked whether the round was
    /// paired by the rules.
    ///
    /// # Errors
    /// When somebody in it is not in the field, or is in it twice.
    pub fn record(&mut self, round: PastRound) -> Result<(), EliminationError> {
        self.contest.record(round)?;
        self.settle();
        Ok(())
    }

    /// Takes out a player who is disqualified or withdraws: no later rounds, no place.
    ///
    /// # Errors
    /// When the player is not in the field.
    pub fn remove(&mut self, player: Player) -> Result<(), EliminationError> {
        self.contest.remove(player)?;
        self.settle();
        Ok(())
    }

    /// Gives the first place by a ruling, where the last ones fell together; the second is played for as ever. Where there
    /// is a champion, or rounds remain, nothing changes.
    ///
    /// # Errors
    /// When the player is not in the field.
    pub fn crown(&mut self, player: Player) -> Result<(), EliminationError> {
        self.contest.known(player)?;
        if self.phase == Phase::Over && self.champion.is_none() {
            self.champion = Some(player);
            self.play_for_second();
            self.settle();
        }
        Ok(())
    }

    /// Who was taken out.
    #[must_use]
    pub fn removed(&self) -> &BTreeSet<Player> {
        &self.contest.removed
    }

    /// How far it is.
    #[must_use]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The players still in, in the order of their seeds.
    #[must_use]
    pub fn active(&self) -> Vec<Player> {
        match &self.phase {
            Phase::Main => self.contest.in_with(self.contest.rules.lives, None),
            Phase::SecondPlace { contenders, lives } => self.contest.in_with(*lives, Some(contenders)),
            Phase::Over => Vec::new(),
        }
    }

    /// Meetings, colours, wins, losses and byes so far.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.contest.tally
    }

    /// The rounds so far.
    #[must_use]
    pub fn rounds(&self) -> &[PastRound] {
        &self.contest.rounds
    }

    /// After how many rounds the first place was decided.
    #[must_use]
    pub fn main_rounds(&self) -> Option<usize> {
        self.main_rounds
    }

    /// The tournament performance ratings of all players of the field (2015 WCC, Tournament format 7).
    ///
    /// # Errors
    /// When the ratings do not come to rest.
    pub fn ratings(&self) -> Result<Ratings, EliminationError> {
        let contest = &self.contest;
        Ok(Ratings::of(contest.field.players(), &contest.rounds, self.readings.virtual_draw)?)
    }

    /// The next round, with its proof.
    ///
    /// # Errors
    /// When the final is over.
    pub fn next_round(&self) -> Result<RoundPairing, EliminationError> {
        if self.phase == Phase::Over {
            return Err(EliminationError::Over);
        }
        let Contest { rules, field, tally, .. } = &self.contest;
        pair_round(rules, field, &self.active(), tally, Some(self.ratings()?))
    }

    /// The colours of a pair (2015 WCC, Color Assignment); where they are arbitrary the better seed has Gold.
    #[must_use]
    pub fn colours(&self, one: Player, other: Player) -> Colours<Rule2015> {
        let better = if self.contest.seed(one) <= self.contest.seed(other) { one } else { other };
        championship_2015(&self.contest.tally, (one, other), better)
    }

    /// The places, as far as they are decided.
    #[must_use]
    pub fn places(&self) -> Places {
        let third = if self.second.is_some() {
            let placed = [self.champion, self.second];
            let rest: Vec<Player> =
                self.unplaced().into_iter().filter(|player| !placed.contains(&Some(*player))).collect();
            greatest(&rest, |player| match self.readings.third {
                ThirdPlaceWins::WithContinuation => self.contest.wins(player),
                ThirdPlaceWins::WithoutContinuation => self.wins_of_main.get(&player).copied().unwrap_or(0),
            })
        } else {
            Vec::new()
        };
        Places {
            champion: self.champion,
            level_for_second: self.level_for_second.clone(),
            second: self.second,
            third,
            needs_ruling: self.phase == Phase::Over && self.champion.is_none(),
        }
    }

    /// Everybody but the champion and those taken out, in the order of the seeds.
    fn unplaced(&self) -> Vec<Player> {
        let players = self.contest.field.players().iter().copied();
        players
            .filter(|player| Some(*player) != self.champion && !self.contest.removed.contains(player))
            .collect()
    }

    /// Goes on to the next phase, as often as the present one is decided.
    fn settle(&mut self) {
        loop {
            let active = self.active();
            if self.phase == Phase::Over || active.len() > 1 {
                return;
            }
            if self.phase == Phase::Main {
                self.main_rounds = Some(self.contest.rounds.len());
                self.champion = active.first().copied();
                if self.champion.is_none() {
                    self.phase = Phase::Over;
                    return;
                }
                self.play_for_second();
            } else if let [second] = active[..] {
                self.second = Some(second);
                self.phase = Phase::Over;
            } else {
                // The last ones fell together: one more life for all who are still to be asked.
                let remaining = self.level_for_second.iter().copied();
                self.play_on(remaining.filter(|player| !self.contest.removed.contains(player)).collect());
            }
        }
    }

    /// Goes on after the first place is decided.
    fn play_for_second(&mut self) {
        let players = self.contest.field.players();
        self.wins_of_main = players.iter().map(|player| (*player, self.contest.wins(*player))).collect();
        self.level_for_second = self.level();
        self.play_on(self.level_for_second.clone());
    }

    /// Those who are level for second place.
    fn level(&self) -> Vec<Player> {
        let rest = self.unplaced();
        match self.readings.second {
            SecondPlace::MostWins => greatest(&rest, |player| self.contest.wins(player)),
            SecondPlace::LastEliminated => {
                let mut last_round: BTreeMap<Player, u32> = BTreeMap::new();
                for (number, round) in (1..).zip(&self.contest.rounds) {
                    for meeting in &round.meetings {
                        last_round.insert(meeting.gold, number);
                        last_round.insert(meeting.silver, number);
                    }
                }
                greatest(&rest, |player| last_round.get(&player).copied().unwrap_or(0))
            }
        }
    }

    /// One more life for these, if they are several; one alone is second.
    fn play_on(&mut self, contenders: Vec<Player>) {
        match contenders[..] {
            [] => self.phase = Phase::Over,
            [second] => {
                self.second = Some(second);
                self.phase = Phase::Over;
            }
            _ => {
                let losses = contenders.iter().map(|player| self.contest.tally.record(*player).losses);
                let lives = losses.max().unwrap_or(0) + 1;
                self.phase = Phase::SecondPlace { contenders: contenders.into_iter().collect(), lives };
            }
        }
    }
}
