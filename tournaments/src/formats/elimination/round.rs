//! One round as a pairing problem: the players still in, ranked, and each candidate pair's value on each
//! constraint.

use std::collections::BTreeMap;

use annals_events::PlayerId;

use super::error::EliminationError;
use super::reading::{EliminationReadings, Occurrence, RanksOfRound};
use super::rules::{Constraint, Ranking, Rules, UnequalLosses};
use crate::field::Field;
use crate::formats::round_pairing::{RoundPairing, nth};
use crate::pairing::{Bar, Candidate, Criterion, PairingProblem};
use crate::record::Tally;
use crate::tpr::Ratings;

struct RoundPlayer {
    losses: i64,
    byes: u32,
    seed: i64,
    /// Index of the rating among the distinct ratings, 0 for the highest.
    rating_class: i64,
}

/// Pairs the `active` players. Seeds are those of `field`; `tally` has the meetings, byes and losses that
/// count.
///
/// # Errors
/// If a player is not in the field, there are fewer than two players, or needed ratings are missing.
pub fn pair_round(
    rules: &Rules,
    field: &Field,
    active: &[&PlayerId],
    tally: &Tally,
    ratings: Option<&Ratings>,
    readings: EliminationReadings,
) -> Result<RoundPairing, EliminationError> {
    if rules.needs_ratings() && ratings.is_none() {
        return Err(EliminationError::RatingsMissing);
    }
    let standing = |player: &PlayerId| -> Result<RoundPlayer, EliminationError> {
        let record = tally.record(player);
        let seed = field.seed(player).ok_or_else(|| EliminationError::NotIn { player: player.clone() })?;
        let class = ratings.and_then(|ratings| ratings.class(player)).unwrap_or(0);
        let (losses, byes) = (i64::from(record.losses), record.byes);
        Ok(RoundPlayer { losses, byes, seed: seed as i64, rating_class: class as i64 })
    };
    let mut ranked: Vec<(&PlayerId, RoundPlayer)> = active
        .iter()
        .map(|player| Ok((*player, standing(player)?)))
        .collect::<Result<_, EliminationError>>()?;
    ranked.sort_by_key(|(_, standing)| match rules.ranking {
        Ranking::LossesRatingSeed => (standing.losses, standing.rating_class, standing.seed),
        Ranking::Seed => (0, 0, standing.seed),
    });
    let (ranking, standings): (Vec<&PlayerId>, Vec<RoundPlayer>) = ranked.into_iter().unzip();
    let problem = problem(rules, &ranking, &standings, tally, readings)?;
    let pairing = problem.best()?;
    let ranking = ranking.into_iter().cloned().collect();
    Ok(RoundPairing { ranking, problem, pairing })
}

/// The columns of a constraint in the value vector.
struct Columns<'a> {
    constraint: &'a Constraint,
    paragraph: &'a str,
    first: usize,
    count: usize,
}

fn problem(
    rules: &Rules,
    ranking: &[&PlayerId],
    standings: &[RoundPlayer],
    tally: &Tally,
    readings: EliminationReadings,
) -> Result<PairingProblem, EliminationError> {
    let players = ranking.len();
    let index: BTreeMap<&PlayerId, usize> = ranking.iter().copied().zip(0..).collect();
    let mut met = vec![0_u32; players * players];
    let mut most_met = 0;
    for (a, player) in ranking.iter().enumerate() {
        for (opponent, against) in &tally.record(player).opponents {
            if let Some(b) = index.get(opponent) {
                let times = match readings.occurrence {
                    Occurrence::Pairings => against.meetings,
                    Occurrence::GamesPlayed => against.games,
                };
                met[a * players + b] = times;
                most_met = most_met.max(times);
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
                criteria.push(Criterion::of_bye(own, "losses of the player with the bye"))
            }
            Constraint::ByeToHighestRated => {
                criteria.push(Criterion::of_bye(own, "higher ratings than that of the player with the bye"));
            }
            Constraint::ByeToBestSeeded => {
                criteria.push(Criterion::of_bye(own, "seed of the player with the bye"))
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
                    // The last column is the second meeting.
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
                    let apart = match readings.ranks {
                        RanksOfRound::Dense => (b - a) as i64,
                        RanksOfRound::OriginalSeeds => standings[b].seed - standings[a].seed,
                    };
                    let square = apart * apart;
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
