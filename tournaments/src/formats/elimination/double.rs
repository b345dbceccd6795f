//! The final of the 2009 World Championship: floating double elimination, with playoffs for second and third place
//! (2009 WC, Tournament format).
//!
//! The preliminary and the final are one tournament (reading T14): meetings, byes and colours of the Swiss count for
//! constraints 3–7 and for the colours. Wins and losses do not: everybody begins the final with two lives, and places go
//! by games won in it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::contest::{Contest, EliminationError, greatest};
use super::round::{RoundPairing, pair_round};
use super::rules::Rules;
use crate::colours::{
    Colours, NoGames, PlayoffColour, Rule2009, world_championship_2009, world_championship_2009_playoff,
};
use crate::history::{Field, PastRound, Player, Tally};
use crate::reading::readings;

readings! {
    /// What "so far" counts in the final (2009 WC, Floating Double Elimination 3–7 and 12).
    pub enum FinalsHistory, "T14", "whether the history of the Swiss preliminary counts in the final" {
        /// The Swiss counts: meetings, byes and colours.
        WholeTournament = "A" "whole_tournament",
        /// Only the final counts.
        FinalOnly = "B" "none",
    }
}

/// A place that playoffs are played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayoffPlace {
    /// The second.
    Second,
    /// The third.
    Third,
}

/// A playoff that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Playoff {
    /// What for.
    pub place: PlayoffPlace,
    /// The player with the better seed.
    pub better: Player,
    /// The player with the worse seed.
    pub worse: Player,
    /// Who has Gold, or who chooses.
    pub colour: PlayoffColour,
}

/// A playoff that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PlayoffGame {
    /// Who had Gold.
    pub gold: Player,
    /// Who had Silver.
    pub silver: Player,
    /// Who won.
    pub winner: Player,
}

/// What the rules do not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RulingNeeded {
    /// The last ones fell together: there is no champion.
    Champion,
    /// More than two are level for second, and not in the way that the rules provide for.
    Second,
    /// More than two are level for third.
    Third,
}

/// The places as far as they are decided, and what is needed for the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conclusion {
    /// The last one in.
    pub champion: Option<Player>,
    /// The second.
    pub second: Option<Player>,
    /// The third.
    pub third: Option<Player>,
    /// Those level for second by games won, in the order of the seeds.
    pub level_for_second: Vec<Player>,
    /// Those level for third, playoff games won included, in the order of the seeds.
    pub level_for_third: Vec<Player>,
    /// The playoffs played: what for, and how the colours came about.
    pub playoffs: Vec<(Playoff, PlayoffGame)>,
    /// The playoff to be played next.
    pub next: Option<Playoff>,
    /// What a ruling must decide.
    pub ruling: Option<RulingNeeded>,
    /// Everybody who takes a place, best first; equals together.
    pub order: Vec<Vec<Player>>,
}

/// The final of 2009 as the fold of its rounds, withdrawals and playoffs.
#[derive(Debug, Clone)]
pub struct DoubleElimination {
    contest: Contest,
    no_games: NoGames,
    /// After which round of the final each player was out.
    out_after: BTreeMap<Player, usize>,
    playoffs: Vec<PlayoffGame>,
    /// What rulings gave: the first place and the second.
    ruled: (Option<Player>, Option<Player>),
}

impl DoubleElimination {
    /// The final of a field, its seeds those of the preliminary's order. `preliminary` are the rounds of the Swiss; they
    /// may name players who did not reach the final.
    ///
    /// # Errors
    /// When the rules give no lives.
    pub fn new(
        rules: Rules,
        field: Field,
        preliminary: &[PastRound],
        history: FinalsHistory,
        no_games: NoGames,
    ) -> Result<DoubleElimination, EliminationError> {
        let mut tally = Tally::default();
        if history == FinalsHistory::WholeTournament {
            for round in preliminary {
                tally.count_meetings(round);
            }
        }
        let contest = Contest::new(rules, field, tally)?;
        let (out_after, playoffs, ruled) = (BTreeMap::new(), Vec::new(), (None, None));
        Ok(DoubleElimination { contest, no_games, out_after, playoffs, ruled })
    }

    /// Records a round that has been played. It is not asked whether it was paired by the rules. `removed` are those who
    /// forfeited in it and have no accepted appeal: they play no further rounds and take no place.
    ///
    /// # Errors
    /// When somebody is not in the field, or is in the round twice. Nothing is recorded then.
    pub fn record(&mut self, round: PastRound, removed: &[Player]) -> Result<(), EliminationError> {
        for player in removed {
            self.contest.known(*player)?;
        }
        self.contest.record(round)?;
        for player in removed {
            self.contest.remove(*player)?;
        }
        self.note_who_is_out();
        Ok(())
    }

    /// Takes out a player who drops out between rounds.
    ///
    /// # Errors
    /// When the player is not in the field.
    pub fn remove(&mut self, player: Player) -> Result<(), EliminationError> {
        self.contest.remove(player)?;
        self.note_who_is_out();
        Ok(())
    }

    /// Takes the first and the second place from rulings, where the rules leave them open.
    ///
    /// # Errors
    /// When a player is not in the field.
    pub fn rule(&mut self, champion: Option<Player>, second: Option<Player>) -> Result<(), EliminationError> {
        for player in champion.into_iter().chain(second) {
            self.contest.known(player)?;
        }
        self.ruled = (champion, second);
        Ok(())
    }

    /// Who was taken out.
    #[must_use]
    pub fn removed(&self) -> &BTreeSet<Player> {
        &self.contest.removed
    }

    /// The players still in, in the order of their seeds.
    #[must_use]
    pub fn active(&self) -> Vec<Player> {
        self.contest.in_with(self.contest.rules.lives, None)
    }

    /// Meetings, colours and byes that count, wins and losses of the final.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.contest.tally
    }

    /// The rounds of the final so far.
    #[must_use]
    pub fn rounds(&self) -> &[PastRound] {
        &self.contest.rounds
    }

    /// After which round of the final a player was out; none for whoever is in.
    #[must_use]
    pub fn out_after(&self, player: Player) -> Option<usize> {
        self.out_after.get(&player).copied()
    }

    /// The next round, with its proof.
    ///
    /// # Errors
    /// When the rounds are over.
    pub fn next_round(&self) -> Result<RoundPairing, EliminationError> {
        let active = self.active();
        if active.len() < 2 {
            return Err(EliminationError::Over);
        }
        pair_round(&self.contest.rules, &self.contest.field, &active, &self.contest.tally, None)
    }

    /// The colours of a pair (2009 WC, Floating Double Elimination 12); by lot means the better seed has Gold here, unless
    /// the caller draws and says otherwise.
    #[must_use]
    pub fn colours(&self, one: Player, other: Player, lot: Option<Player>) -> Colours<Rule2009> {
        let better = if self.contest.seed(one) <= self.contest.seed(other) { one } else { other };
        world_championship_2009(&self.contest.tally, (one, other), self.no_games, lot.unwrap_or(better))
    }

    /// Records the next playoff.
    ///
    /// # Errors
    /// When it is not the next one, or the winner did not play in it.
    pub fn record_playoff(&mut self, game: PlayoffGame) -> Result<(), EliminationError> {
        let PlayoffGame { gold: one, silver: other, winner } = game;
        let next = self.conclusion().next;
        let fits = next.is_some_and(|next| [(one, other), (other, one)].contains(&(next.better, next.worse)));
        if !fits {
            return Err(EliminationError::NoSuchPlayoff { one, other });
        }
        if ![one, other].contains(&winner) {
            return Err(EliminationError::NoSuchWinner { player: winner, one, other });
        }
        self.playoffs.push(game);
        Ok(())
    }

    /// The places, the next playoff, or what a ruling must decide. Nothing while rounds remain.
    #[must_use]
    pub fn conclusion(&self) -> Conclusion {
        let mut conclusion = Conclusion {
            champion: None,
            second: None,
            third: None,
            level_for_second: Vec::new(),
            level_for_third: Vec::new(),
            playoffs: Vec::new(),
            next: None,
            ruling: None,
            order: Vec::new(),
        };
        let active = self.active();
        if active.len() > 1 {
            return conclusion;
        }
        let wins = self.contest.field.players().iter().map(|player| (*player, self.contest.wins(*player)));
        let mut playoffs =
            Playoffs { of: self, played: 0, wins: wins.collect(), record: Vec::new(), next: None };
        conclusion.champion = active.first().copied().or(self.ruled.0);
        let placed = self.placed();
        let rest: Vec<Player> =
            placed.iter().copied().filter(|player| Some(*player) != conclusion.champion).collect();
        conclusion.level_for_second = greatest(&rest, |player| playoffs.wins_of(player));
        if conclusion.champion.is_none() {
            conclusion.ruling = Some(RulingNeeded::Champion);
        } else {
            match self.second_place(&conclusion.level_for_second, &mut playoffs) {
                Ok(second) => conclusion.second = second,
                Err(ruling) => match self.ruled.1 {
                    Some(second) => conclusion.second = Some(second),
                    None => conclusion.ruling = Some(ruling),
                },
            }
        }
        if let Some(second) = conclusion.second {
            let rest: Vec<Player> = rest.into_iter().filter(|player| *player != second).collect();
            conclusion.level_for_third = greatest(&rest, |player| playoffs.wins_of(player));
            match conclusion.level_for_third[..] {
                [] => {}
                [third] => conclusion.third = Some(third),
                [one, other] => conclusion.third = playoffs.winner(PlayoffPlace::Third, one, other),
                _ => conclusion.ruling = Some(RulingNeeded::Third),
            }
        }
        conclusion.order = order_of_places(&conclusion, &placed, &playoffs);
        conclusion.next = playoffs.next;
        conclusion.playoffs = playoffs.record;
        conclusion
    }

    /// The second place among those level for it; none while playoffs remain.
    fn second_place(
        &self,
        level: &[Player],
        playoffs: &mut Playoffs<'_>,
    ) -> Result<Option<Player>, RulingNeeded> {
        match *level {
            [] => Ok(None),
            [second] => Ok(Some(second)),
            [one, other] => Ok(playoffs.winner(PlayoffPlace::Second, one, other)),
            [_, _, _] => {
                // Two fell in the second-to-last round, one in the last: the two first, the winner meets the third.
                let last = self.contest.rounds.len();
                let (last_out, before): (Vec<Player>, Vec<Player>) =
                    level.iter().partition(|player| self.out_after(**player) == Some(last));
                let all_before =
                    before.iter().all(|player| self.out_after(*player) == Some(last.wrapping_sub(1)));
                let ([third], [one, other], true) = (&last_out[..], &before[..], all_before) else {
                    return Err(RulingNeeded::Second);
                };
                let first = playoffs.winner(PlayoffPlace::Second, *one, *other);
                Ok(first.and_then(|winner| playoffs.winner(PlayoffPlace::Second, winner, *third)))
            }
            _ => Err(RulingNeeded::Second),
        }
    }

    /// Everybody who was not taken out, in the order of the seeds.
    fn placed(&self) -> Vec<Player> {
        let players = self.contest.field.players().iter().copied();
        players.filter(|player| !self.contest.removed.contains(player)).collect()
    }

    fn note_who_is_out(&mut self) {
        let active = self.active();
        let round = self.contest.rounds.len();
        for player in self.contest.field.players() {
            if !active.contains(player) {
                self.out_after.entry(*player).or_insert(round);
            }
        }
    }
}

/// The playoffs, asked for one after the other; those played give their winners, the first that was not is next.
struct Playoffs<'a> {
    of: &'a DoubleElimination,
    played: usize,
    wins: BTreeMap<Player, u32>,
    record: Vec<(Playoff, PlayoffGame)>,
    next: Option<Playoff>,
}

impl Playoffs<'_> {
    fn wins_of(&self, player: Player) -> u32 {
        self.wins.get(&player).copied().unwrap_or(0)
    }

    /// The winner of a playoff; none when it is still to be played.
    fn winner(&mut self, place: PlayoffPlace, one: Player, other: Player) -> Option<Player> {
        let contest = &self.of.contest;
        let (better, worse) =
            if contest.seed(one) < contest.seed(other) { (one, other) } else { (other, one) };
        let balance = |player: Player| {
            let played = self
                .record
                .iter()
                .map(|(_, game)| i64::from(game.gold == player) - i64::from(game.silver == player));
            contest.tally.record(player).balance() + played.sum::<i64>()
        };
        let colour = world_championship_2009_playoff((better, worse), balance);
        let playoff = Playoff { place, better, worse, colour };
        let Some(game) = self.of.playoffs.get(self.played).copied() else {
            self.next = Some(playoff);
            return None;
        };
        self.played += 1;
        *self.wins.entry(game.winner).or_default() += 1;
        self.record.push((playoff, game));
        Some(game.winner)
    }
}

/// First, second and third as far as they are decided, then the others by games won; equals together.
fn order_of_places(conclusion: &Conclusion, placed: &[Player], playoffs: &Playoffs<'_>) -> Vec<Vec<Player>> {
    let places = [conclusion.champion, conclusion.second, conclusion.third];
    let mut order: Vec<Vec<Player>> = places.into_iter().flatten().map(|player| vec![player]).collect();
    let mut rest: Vec<Player> =
        placed.iter().copied().filter(|player| !places.contains(&Some(*player))).collect();
    rest.sort_by_key(|player| std::cmp::Reverse(playoffs.wins_of(*player)));
    order.extend(
        rest.chunk_by(|one, other| playoffs.wins_of(*one) == playoffs.wins_of(*other))
            .map(<[Player]>::to_vec),
    );
    order
}
