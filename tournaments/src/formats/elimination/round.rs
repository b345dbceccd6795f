//! One round of a floating elimination as a pairing problem: the players still in, ranked, and the value of every
//! candidate on every constraint.

use std::collections::BTreeMap;

use annals_events::PlayerId;

use super::rules::{Constraint, Ranking, Rules, UnequalLosses};
use super::state::EliminationError;
use crate::field::Field;
use crate::pairing::{Bar, Candidate, Criterion, Optima, Pairing, PairingProblem, WhyNot};
use crate::record::Tally;
use crate::tpr::Ratings;

/// A round with its proof.
#[derive(Debug, Clone)]
pub struct RoundPairing {
    /// The players still in, by rank, the best first: the numbers of the problem and of the pairing.
    pub ranking: Vec<PlayerId>,
    /// Criteria and values of every candidate.
    pub problem: PairingProblem,
    pub pairing: Pairing,
    /// The tournament performance ratings, where the rules need them.
    pub ratings: Option<Ratings>,
}

impl RoundPairing {
    /// The pairs, the higher ranked player first, in the order of the ranking.
    pub fn pairs(&self) -> impl Iterator<Item = (&PlayerId, &PlayerId)> {
        self.pairs_of(&self.pairing)
    }

    /// The pairs of another round of these players.
    pub fn pairs_of<'a>(
        &'a self,
        pairing: &'a Pairing,
    ) -> impl Iterator<Item = (&'a PlayerId, &'a PlayerId)> {
        pairing.pairs.iter().map(|&(a, b)| (&self.ranking[a], &self.ranking[b]))
    }

    /// The player with the bye.
    #[must_use]
    pub fn bye(&self) -> Option<&PlayerId> {
        self.bye_of(&self.pairing)
    }

    /// The player with the bye in another round of these players.
    #[must_use]
    pub fn bye_of(&self, pairing: &Pairing) -> Option<&PlayerId> {
        pairing.bye.map(|index| &self.ranking[index])
    }

    /// How many rounds are as good.
    ///
    /// # Errors
    /// As [`PairingProblem::optima`].
    pub fn optima(&self) -> Result<Optima, EliminationError> {
        Ok(self.problem.optima(&self.pairing)?)
    }

    /// Why two players are not paired; with one player, why that player has no bye.
    ///
    /// # Errors
    /// When a player is not in, or there is no bye.
    pub fn why_not(&self, one: &PlayerId, other: Option<&PlayerId>) -> Result<WhyNot, EliminationError> {
        let one = self.index(one)?;
        let candidate = match other {
            Some(other) => Candidate::pair(one, self.index(other)?),
            None => Candidate::Bye(one),
        };
        Ok(self.problem.why_not(candidate, &self.pairing)?)
    }

    /// A round that was paired otherwise, with its value on every criterion: to be compared with the best.
    ///
    /// # Errors
    /// When a player in it is not in.
    pub fn value_of<'a>(
        &self,
        pairs: impl IntoIterator<Item = (&'a PlayerId, &'a PlayerId)>,
        bye: Option<&PlayerId>,
    ) -> Result<Pairing, EliminationError> {
        let pairs: Vec<(usize, usize)> = pairs
            .into_iter()
            .map(|(one, other)| Ok((self.index(one)?, self.index(other)?)))
            .collect::<Result<_, EliminationError>>()?;
        let bye = bye.map(|player| self.index(player)).transpose()?;
        Ok(Pairing::of(&self.problem, &pairs, bye)?)
    }

    /// The number of a player in the problem: the rank, from 0.
    ///
    /// # Errors
    /// When the player is not in.
    pub fn index(&self, player: &PlayerId) -> Result<usize, EliminationError> {
        let at = self.ranking.iter().position(|other| other == player);
        at.ok_or_else(|| EliminationError::NotIn { player: player.clone() })
    }
}

/// What is known of one player of the round.
struct Standing {
    losses: i64,
    byes: u32,
    seed: i64,
    /// The place of the rating among the different ratings of all players, 0 for the highest.
    rating_class: i64,
}

/// Pairs the players still in (`active`) by the rules. Seeds are those of `field`; `tally` holds whatever counts for
/// meetings, byes and losses.
///
/// # Errors
/// When a player is not in the field, when there are fewer than two players, or ratings are needed and missing.
pub fn pair_round(
    rules: &Rules,
    field: &Field,
    active: &[&PlayerId],
    tally: &Tally,
    ratings: Option<Ratings>,
) -> Result<RoundPairing, EliminationError> {
    if rules.needs_ratings() && ratings.is_none() {
        return Err(EliminationError::RatingsMissing);
    }
    let standing = |player: &PlayerId| -> Result<Standing, EliminationError> {
        let record = tally.record(player);
        let seed = field.seed(player).ok_or_else(|| EliminationError::NotIn { player: player.clone() })?;
        let class = ratings.as_ref().and_then(|ratings| ratings.class(player)).unwrap_or(0);
        let (losses, byes) = (i64::from(record.losses), record.byes);
        Ok(Standing { losses, byes, seed: seed as i64, rating_class: class as i64 })
    };
    let mut ranked: Vec<(&PlayerId, Standing)> = active
        .iter()
        .map(|player| Ok((*player, standing(player)?)))
        .collect::<Result<_, EliminationError>>()?;
    ranked.sort_by_key(|(_, standing)| match rules.ranking {
        Ranking::LossesRatingSeed => (standing.losses, standing.rating_class, standing.seed),
        Ranking::Seed => (0, 0, standing.seed),
    });
    let (ranking, standings): (Vec<&PlayerId>, Vec<Standing>) = ranked.into_iter().unzip();
    let problem = problem(rules, &ranking, &standings, tally)?;
    let pairing = problem.best()?;
    let ranking = ranking.into_iter().cloned().collect();
    Ok(RoundPairing { ranking, problem, pairing, ratings })
}

/// The columns that a constraint takes in the vector.
struct Columns<'a> {
    constraint: &'a Constraint,
    paragraph: &'a str,
    first: usize,
    count: usize,
}

fn problem(
    rules: &Rules,
    ranking: &[&PlayerId],
    standings: &[Standing],
    tally: &Tally,
) -> Result<PairingProblem, EliminationError> {
    let players = ranking.len();
    let index: BTreeMap<&PlayerId, usize> = ranking.iter().copied().zip(0..).collect();
    let mut met = vec![0_u32; players * players];
    let mut most_met = 0;
    for (a, player) in ranking.iter().enumerate() {
        for (opponent, against) in &tally.record(player).opponents {
            if let Some(b) = index.get(opponent) {
                met[a * players + b] = against.meetings;
                most_met = most_met.max(against.meetings);
            }
        }
    }
    let losses = || standings.iter().map(|standing| standing.losses);
    let widest = losses().max().unwrap_or(0) - losses().min().unwrap_or(0);
    let fewest_byes = standings.iter().map(|standing| standing.byes).min().unwrap_or(0);

    let mut criteria: Vec<Criterion> = Vec::new();
    let mut columns = Vec::new();
    for demand in &rules.demands {
        let first = criteria.len();
        let own = demand.paragraph.as_str();
        match &demand.constraint {
            Constraint::ByeToFewestByes => {}
            Constraint::FewestRepeats { paragraphs } => {
                for time in (2..=most_met + 1).rev() {
                    let special = paragraphs.iter().find(|(of, _)| *of == time);
                    let paragraph = special.map_or(own, |(_, paragraph)| paragraph);
                    criteria
                        .push(Criterion::new(paragraph, format!("pairings for the {}", nth(time) + " time")));
                }
            }
            Constraint::NearestLosses => {
                for difference in (1..=widest).rev() {
                    let counts = format!("pairings of players whose losses differ by {difference}");
                    criteria.push(Criterion::new(own, counts));
                }
            }
            Constraint::ByeToFewestLosses => {
                criteria.push(Criterion::new(own, "losses of the player with the bye"))
            }
            Constraint::ByeToHighestRated => {
                criteria.push(Criterion::new(own, "higher ratings than that of the player with the bye"));
            }
            Constraint::ByeToBestSeeded => {
                criteria.push(Criterion::new(own, "seed of the player with the bye"))
            }
            Constraint::SpreadRanks(UnequalLosses::Added) => {
                criteria.push(Criterion::new(own, "minus the squares of the differences in rank"));
            }
            Constraint::SpreadRanks(UnequalLosses::Subtracted) => criteria.push(Criterion::new(
                own,
                "squares of the differences in rank: those with unequal losses minus those with equal losses",
            )),
        }
        let count = criteria.len() - first;
        columns.push(Columns { constraint: &demand.constraint, paragraph: own, first, count });
    }

    let weigh = |candidate: Candidate, row: &mut [i64]| -> Result<(), Bar> {
        for Columns { constraint, paragraph, first, count } in &columns {
            match (candidate, *constraint) {
                (Candidate::Bye(player), Constraint::ByeToFewestByes) => {
                    let byes = standings[player].byes;
                    if byes > fewest_byes {
                        let because =
                            format!("has had the bye {byes} times, somebody else {fewest_byes} times");
                        return Err(Bar { paragraph: (*paragraph).to_owned(), because });
                    }
                }
                (Candidate::Bye(player), Constraint::ByeToFewestLosses) => {
                    row[*first] = standings[player].losses
                }
                (Candidate::Bye(player), Constraint::ByeToHighestRated) => {
                    row[*first] = standings[player].rating_class;
                }
                (Candidate::Bye(player), Constraint::ByeToBestSeeded) => row[*first] = standings[player].seed,
                (Candidate::Pair(a, b), Constraint::FewestRepeats { .. }) => {
                    // The last column is the second time.
                    let time = met[a * players + b] as usize + 1;
                    if time >= 2 {
                        row[first + count + 1 - time] = 1;
                    }
                }
                (Candidate::Pair(a, b), Constraint::NearestLosses) => {
                    let apart = (standings[a].losses - standings[b].losses).unsigned_abs() as usize;
                    if apart > 0 {
                        row[first + count - apart] = 1;
                    }
                }
                (Candidate::Pair(a, b), Constraint::SpreadRanks(unequal)) => {
                    let square = ((b - a) * (b - a)) as i64;
                    let equal = standings[a].losses == standings[b].losses;
                    let counts_for = equal || *unequal == UnequalLosses::Added;
                    row[*first] = if counts_for { -square } else { square };
                }
                _ => {}
            }
        }
        Ok(())
    };
    Ok(PairingProblem::new(criteria, players, weigh)?)
}

/// `2nd`, `3rd`, `11th`.
fn nth(number: u32) -> String {
    let ending = match (number % 10, number % 100 / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
