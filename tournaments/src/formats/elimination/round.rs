//! One round of a floating elimination as a pairing problem: the players still in, ranked, and the value of every
//! candidate on every constraint.

use std::collections::BTreeMap;

use super::contest::EliminationError;
use super::rules::{Constraint, Ranking, Rules, UnequalLosses};
use crate::history::{Field, Player, Tally};
use crate::pairing::{Bar, Candidate, Criterion, Optima, Pairing, PairingProblem, WhyNot};
use crate::tpr::Ratings;

/// A round with its proof.
#[derive(Debug, Clone)]
pub struct RoundPairing {
    /// The players still in, by rank, the best first: the numbers of the problem and of the pairing.
    pub ranking: Vec<Player>,
    /// Criteria and values of every candidate.
    pub problem: PairingProblem,
    /// The best round.
    pub pairing: Pairing,
    /// The tournament performance ratings, where the rules need them.
    pub ratings: Option<Ratings>,
}

impl RoundPairing {
    /// The pairs, the higher ranked player first, in the order of the ranking.
    pub fn pairs(&self) -> impl Iterator<Item = (Player, Player)> {
        self.pairing.pairs.iter().map(|&(a, b)| (self.ranking[a], self.ranking[b]))
    }

    /// Who has the bye.
    #[must_use]
    pub fn bye(&self) -> Option<Player> {
        self.pairing.bye.map(|index| self.ranking[index])
    }

    /// The rank of a player, from 1; none for somebody who is not in.
    #[must_use]
    pub fn rank(&self, player: Player) -> Option<usize> {
        self.ranking.iter().position(|other| *other == player).map(|index| index + 1)
    }

    /// How many rounds are as good.
    ///
    /// # Errors
    /// As [`PairingProblem::optima`].
    pub fn optima(&self) -> Result<Optima, EliminationError> {
        Ok(self.problem.optima(&self.pairing)?)
    }

    /// Another round that is as good; none where it is the only one.
    ///
    /// # Errors
    /// As for the round itself, which has none of them.
    pub fn another(&self) -> Result<Option<Pairing>, EliminationError> {
        Ok(self.problem.another(&self.pairing)?)
    }

    /// Why two players are not paired.
    ///
    /// # Errors
    /// When either is not in.
    pub fn why_not(&self, one: Player, other: Player) -> Result<WhyNot, EliminationError> {
        let candidate = Candidate::pair(self.index(one)?, self.index(other)?);
        Ok(self.problem.why_not(candidate, &self.pairing)?)
    }

    /// Why a player has no bye.
    ///
    /// # Errors
    /// When the player is not in, or nobody has a bye.
    pub fn why_no_bye(&self, player: Player) -> Result<WhyNot, EliminationError> {
        Ok(self.problem.why_not(Candidate::Bye(self.index(player)?), &self.pairing)?)
    }

    /// A round that was paired otherwise, with its value on every criterion: to be compared with the best.
    ///
    /// # Errors
    /// When somebody in it is not in.
    pub fn value_of(
        &self,
        pairs: &[(Player, Player)],
        bye: Option<Player>,
    ) -> Result<Pairing, EliminationError> {
        let pairs: Vec<(usize, usize)> = pairs
            .iter()
            .map(|&(one, other)| Ok((self.index(one)?, self.index(other)?)))
            .collect::<Result<_, EliminationError>>()?;
        let bye = bye.map(|player| self.index(player)).transpose()?;
        Ok(Pairing::of(&self.problem, &pairs, bye)?)
    }

    fn index(&self, player: Player) -> Result<usize, EliminationError> {
        self.ranking.iter().position(|other| *other == player).ok_or(EliminationError::NotIn { player })
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
/// When somebody is not in the field, when there are fewer than two players, or ratings are needed and missing.
pub fn pair_round(
    rules: &Rules,
    field: &Field,
    active: &[Player],
    tally: &Tally,
    ratings: Option<Ratings>,
) -> Result<RoundPairing, EliminationError> {
    if rules.needs_ratings() && ratings.is_none() {
        return Err(EliminationError::RatingsMissing);
    }
    let seeds = field.seed_numbers();
    let mut ranked: Vec<(Player, Standing)> = active
        .iter()
        .map(|&player| {
            let record = tally.record(player);
            let seed = *seeds.get(&player).ok_or(EliminationError::NotIn { player })?;
            let class = ratings.as_ref().and_then(|ratings| ratings.class(player)).unwrap_or(0);
            let (losses, byes) = (i64::from(record.losses), record.byes);
            Ok((player, Standing { losses, byes, seed: seed as i64, rating_class: class as i64 }))
        })
        .collect::<Result<_, EliminationError>>()?;
    ranked.sort_by_key(|(_, standing)| match rules.ranking {
        Ranking::LossesRatingSeed => (standing.losses, standing.rating_class, standing.seed),
        Ranking::Seed => (0, 0, standing.seed),
    });
    let (ranking, standings): (Vec<Player>, Vec<Standing>) = ranked.into_iter().unzip();
    let problem = problem(rules, &ranking, &standings, tally)?;
    let pairing = problem.best()?;
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
    ranking: &[Player],
    standings: &[Standing],
    tally: &Tally,
) -> Result<PairingProblem, EliminationError> {
    let players = ranking.len();
    let index: BTreeMap<Player, usize> =
        ranking.iter().enumerate().map(|(at, player)| (*player, at)).collect();
    let mut met = vec![0_u32; players * players];
    let mut most_met = 0;
    for (one, other, times) in tally.encounters() {
        if let (Some(&a), Some(&b)) = (index.get(&one), index.get(&other)) {
            met[a * players + b] = times;
            met[b * players + a] = times;
            most_met = most_met.max(times);
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
