//! A round of the Swiss of encounters (Olympiad 2000, Tournament Rules 2). The text says "5-round Swiss"; the rest is what
//! the platform takes it to mean:
//!
//! * The order before a round is the ranking, and where that leaves two level, the number in the list of entrants.
//! * Of an odd number, the bye goes to the one with the fewest byes, among those to the lowest score, among those to
//!   the lowest in the order. It is decided before everything else.
//! * The encounters are those whose vector is least: how many meet for the fifth, fourth, third, second time; the squares of
//!   the differences in score, in half points; less the squares of the differences in rank of those with equal scores (the
//!   first meets the last of a score group); the squares of the differences in rank of the others; and where that
//!   leaves several, the best player gets the lowest partner, then the next.
//! * The higher ranked of a pair has White in the first game. Colours do not influence the pairing.

use annals_events::PlayerId;

use crate::formats::round_pairing::{RoundPairing, nth};
use crate::formats::swiss::{Listed, SwissReadings, Walk, walk};
use crate::pairing::{Candidate, Criterion, PairingProblem};
use crate::record::{Played, PlayedGame};

use super::all_play_all::SWISS_ROUNDS;
use super::reading::{EncounterPairing, OlympiadReadings};
use super::score::{OlympiadError, Score, order_key, scores};

/// Two who meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The higher ranked: White in the first game.
    pub white_first: PlayerId,
    /// The lower ranked: White in the second.
    pub white_second: PlayerId,
}

/// Why an entrant has the bye.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByeReason {
    pub player: PlayerId,
    /// The fewest byes of anybody still in: as many as this one has had.
    pub fewest_byes: u32,
    /// The lowest score of those, in half points: that of this one.
    pub lowest_half_points: u32,
    /// How many are level on both; this one is the lowest of them in the order.
    pub level: usize,
}

/// What the encounters rest on.
#[derive(Debug, Clone)]
pub enum Reasons {
    /// Nothing: one is left, who has the bye.
    Alone,
    LeastVector(Box<RoundPairing>),
    /// The walk down the list.
    Walk(Walk<PlayerId>),
}

/// A round with its reasons.
#[derive(Debug, Clone)]
pub struct OlympiadPairing {
    /// The order that it rests on, of all entrants, those who are out among them.
    pub order: Vec<Score>,
    pub bye: Option<ByeReason>,
    /// The encounters, by the order of the higher ranked.
    pub seats: Vec<Seat>,
    /// What the encounters rest on.
    pub reasons: Reasons,
}

/// Pairs the next round of the Swiss. Somebody who is left alone has the bye.
///
/// # Errors
///
/// When the record contradicts itself, an encounter is not over, all rounds are played, or nobody is left.
pub fn pair_round(played: &Played, readings: OlympiadReadings) -> Result<OlympiadPairing, OlympiadError> {
    let mut order = scores(played, readings)?;
    let rounds = u32::try_from(played.rounds.len()).unwrap_or(u32::MAX);
    if rounds >= SWISS_ROUNDS {
        return Err(OlympiadError::NoRoundLeft { rounds: SWISS_ROUNDS });
    }
    if let Some(open) = open_encounter(played) {
        return Err(open);
    }
    order.sort_by_key(order_key);
    let mut list: Vec<&Score> = order.iter().filter(|score| !played.out.contains(&score.player)).collect();
    if list.is_empty() {
        return Err(OlympiadError::NobodyLeft { entered: played.players.len() });
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

/// The first encounter that is not over: two games with results.
pub(super) fn open_encounter(played: &Played) -> Option<OlympiadError> {
    played.rounds.iter().find_map(|round| {
        let decided = |games: &[&PlayedGame]| games.iter().filter(|game| game.decided().is_some()).count();
        let open = round.meetings().into_iter().find(|meeting| decided(&meeting.games) < 2)?;
        let (one, other) = (open.pair.0.clone(), open.pair.1.clone());
        Some(OlympiadError::OpenEncounter { one, other, round: round.number })
    })
}

/// Who of those still in, in order, has the bye; nobody of an even number.
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

/// The encounters, and what they rest on.
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
        // The slot of the fifth time is the first; a sixth encounter cannot come about in five rounds.
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
