//! A round of the Swiss of encounters (Olympiad 2000, Tournament Rules 2). The text states only "5-round
//! Swiss"; Annals reads it so:
//!
//! * The order before a round is the ranking, then the number in the list of entrants.
//! * With an odd number the bye is decided first: fewest byes, then lowest score, then lowest in the order.
//! * The encounters have the least vector: fifth, fourth, third, second meetings; squared score differences
//!   in half points; minus squared rank differences at equal scores; squared rank differences of the others;
//!   then the best player gets the lowest partner, then the next.
//! * The higher ranked has White in the first game. Colours do not influence the pairing.

use annals_events::PlayerId;

use crate::formats::round_pairing::{RoundPairing, nth};
use crate::formats::swiss::{Listed, SwissReadings, Walk, walk};
use crate::pairing::{Candidate, Criterion, PairingProblem};
use crate::record::{Played, PlayedGame};

use super::all_play_all::SWISS_ROUNDS;
use super::reading::{EncounterPairing, OlympiadReadings};
use super::score::{OlympiadError, Score, order_key, scores};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The higher ranked.
    pub white_first: PlayerId,
    /// The lower ranked.
    pub white_second: PlayerId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByeReason {
    pub player: PlayerId,
    /// The fewest byes of a player still in, which is this player's.
    pub fewest_byes: u32,
    /// The lowest score of those, in half points, which is this player's.
    pub lowest_half_points: u32,
    /// The number level on both, of whom this one is lowest in the order.
    pub level: usize,
}

/// What determined the encounters.
#[derive(Debug, Clone)]
pub enum Reasons {
    /// One player is left and has the bye.
    Alone,
    LeastVector(Box<RoundPairing>),
    Walk(Walk<PlayerId>),
}

#[derive(Debug, Clone)]
pub struct OlympiadPairing {
    /// All entrants in order, also those who are out.
    pub order: Vec<Score>,
    pub bye: Option<ByeReason>,
    /// In the order of the higher ranked.
    pub seats: Vec<Seat>,
    pub reasons: Reasons,
}

/// Pairs the next round of the Swiss. A single player has the bye.
///
/// # Errors
/// If the record contradicts itself, an encounter is not over, all rounds are played, or no player is left.
pub fn pair_round(played: &Played, readings: OlympiadReadings) -> Result<OlympiadPairing, OlympiadError> {
    let mut order = scores(played, readings)?;
    let rounds = u32::try_from(played.rounds.len()).unwrap_or(u32::MAX);
    if let Some(open) = open_encounter(played) {
        return Err(open);
    }
    if rounds >= SWISS_ROUNDS {
        return Err(OlympiadError::NoRoundLeft { rounds: SWISS_ROUNDS });
    }
    order.sort_by_key(order_key);
    let mut list: Vec<&Score> = order.iter().filter(|score| !played.out.contains(&score.player)).collect();
    if list.is_empty() {
        return Err(OlympiadError::NoPlayerLeft { entered: played.players.len() });
    }
    let bye = choose_bye(&list);
    if let Some(bye) = &bye {
        list.retain(|score| score.player != bye.player);
    }
    let (seats, reasons) = if list.is_empty() {
        (Vec::new(), Reasons::Alone)
    } else {
        match readings.pairing {
            EncounterPairing::LeastVector => by_least_vector(&list)?,
            EncounterPairing::WalkDownTheList => by_walk(&list),
        }
    };
    Ok(OlympiadPairing { bye, seats, reasons, order })
}

pub(super) fn open_encounter(played: &Played) -> Option<OlympiadError> {
    played.rounds.iter().find_map(|round| {
        let decided = |games: &[&PlayedGame]| games.iter().filter(|game| game.decided().is_some()).count();
        let open = round.meetings().into_iter().find(|meeting| decided(&meeting.games) < 2)?;
        let (one, other) = (open.pair.0.clone(), open.pair.1.clone());
        Some(OlympiadError::OpenEncounter { one, other, round: round.number })
    })
}

/// The bye among the players still in, in order; none for an even number.
fn choose_bye(list: &[&Score]) -> Option<ByeReason> {
    if list.len().is_multiple_of(2) {
        return None;
    }
    let least = |score: &Score| (score.byes, score.half_points);
    let (fewest_byes, lowest_half_points) = list.iter().map(|score| least(score)).min()?;
    let level = list.iter().filter(|score| least(score) == (fewest_byes, lowest_half_points));
    let last = level.clone().next_back()?;
    Some(ByeReason { player: last.player.clone(), fewest_byes, lowest_half_points, level: level.count() })
}

type Seated = (Vec<Seat>, Reasons);

fn by_least_vector(list: &[&Score]) -> Result<Seated, OlympiadError> {
    let place = "Olympiad 2000, Tournament Rules 2";
    let mut criteria: Vec<Criterion> = (2..=SWISS_ROUNDS)
        .rev()
        .map(|time| Criterion::new(place, format!("encounters for the {} time", nth(time))))
        .collect();
    criteria.extend([
        Criterion::new(place, "squares of differences in score, in half points"),
        Criterion::new(place, "less the squares of differences in rank within score groups"),
        Criterion::new(place, "squares of differences in rank between score groups"),
    ]);
    let times = SWISS_ROUNDS as usize;
    let problem = PairingProblem::new(criteria, list.len(), |candidate, row| {
        let Candidate::Pair(a, b) = candidate else { return Ok(()) };
        let (upper, lower) = (list[a], list[b]);
        let met = upper.meetings(&lower.player) as usize;
        // The fifth meeting is the first column; a sixth cannot occur in five rounds.
        if met > 0 {
            row[times - (met + 1).min(times)] = 1;
        }
        let apart = i64::from(upper.half_points.abs_diff(lower.half_points));
        let ranks = (b - a) as i64;
        row[times - 1] = apart * apart;
        if apart == 0 {
            row[times] = -(ranks * ranks);
        } else {
            row[times + 1] = ranks * ranks;
        }
        Ok(())
    })?;
    let pairing = problem.best()?;
    let seats = pairing
        .pairs
        .iter()
        .map(|&(a, b)| Seat { white_first: list[a].player.clone(), white_second: list[b].player.clone() })
        .collect();
    let ranking = list.iter().map(|score| score.player.clone()).collect();
    Ok((seats, Reasons::LeastVector(Box::new(RoundPairing { ranking, problem, pairing }))))
}

fn by_walk(list: &[&Score]) -> Seated {
    let listed: Vec<Listed<usize>> = list
        .iter()
        .enumerate()
        .map(|(at, score)| Listed { player: at, half_points: score.half_points })
        .collect();
    let met = |a: &usize, b: &usize| list[*a].meetings(&list[*b].player) > 0;
    let walk = walk(&listed, met, SwissReadings::default()).map(|at| list[at].player.clone());
    let seats = walk
        .pairs
        .iter()
        .map(|pair| Seat { white_first: pair.upper.clone(), white_second: pair.lower.clone() })
        .collect();
    (seats, Reasons::Walk(walk))
}
