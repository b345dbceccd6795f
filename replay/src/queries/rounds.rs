//! Rounds: pairings, colours and reasons, results, byes, games, appointments, revocations.

mod gone;
mod page;

use std::collections::BTreeMap;

use annals_events::tournament::{Bye, Equals, Failure, Ground, Outcome, Stage};
use annals_events::{
    BoardId, GameId, GameKind, Micros, PlayerId, StatedPeriod, Termination, TournamentEvent,
};
use annals_tournaments::{Board, ColourDecision, Noted, Round, SetAside, Tournament};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::corrections::{self, CorrectionLine};
use super::error::QueryError;
use super::heading::Heading;
use super::person::Person;
use super::tournament_at::TournamentAt;
use crate::event_history::HistoryEvent;
use gone::Gone;
pub use gone::{Appointment, RevokedPair};
pub(super) use page::outcome_words;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rounds {
    #[serde(flatten)]
    pub heading: Heading,
    /// The requested ones, by number.
    pub rounds: Vec<RoundAnswer>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundAnswer {
    #[serde(skip)]
    pub game: GameKind,
    pub round: u32,
    pub stage: Stage,
    /// The pairing event.
    pub seq: u64,
    pub paired_at: Micros,
    /// The beginning of its first game.
    pub started_at: Option<Micros>,
    /// The month, season or year in which it began, if no more is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_stated: Option<StatedPeriod>,
    /// From games.
    pub inferred: bool,
    /// Every board has a result.
    pub over: bool,
    /// The published number of equivalents, itself counted.
    pub equals: Option<Equals>,
    pub boards: Vec<BoardAnswer>,
    pub byes: Vec<ByeAnswer>,
    /// Pairs that count as never paired.
    pub revoked: Vec<RevokedPair>,
    /// Of events that name one of its pairings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<CorrectionLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardAnswer {
    pub pairing: BoardId,
    pub upper: Person,
    pub lower: Person,
    /// None while undecided.
    pub gold: Option<PlayerId>,
    /// None while undecided.
    pub silver: Option<PlayerId>,
    /// As recorded.
    pub colour_rule: Option<Ground>,
    /// The source of colours if not the pairing: `drawn by lot`, `chosen by anna`, `by ruling 2`.
    pub colour_how: Option<String>,
    pub encounter: Option<u32>,
    pub outcome: Option<Outcome>,
    pub termination: Option<Termination>,
    /// The winner's, if the rulebook counts it.
    pub territory: Option<u32>,
    /// The result is a ruling's.
    pub ruled: bool,
    /// By a ruling.
    pub halted: bool,
    pub forfeit_claimed_by: Option<PlayerId>,
    /// In order.
    pub appointments: Vec<Appointment>,
    /// By attempt.
    pub games: BTreeMap<u32, GameId>,
    /// By rulings.
    pub set_aside: Vec<AttemptAnswer>,
}

/// An attempt that a ruling set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttemptAnswer {
    pub attempt: u32,
    pub game: Option<GameId>,
    /// While it was played; otherwise its result was invalidated.
    pub halted: bool,
    /// The ply from which the next attempt resumes; none for a rematch from the start.
    pub goes_on_from: Option<u32>,
    pub failure: Failure,
    /// The ruling's.
    pub seq: u64,
    pub at: Micros,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByeAnswer {
    pub player: Person,
    /// In half points, if the pairing states it.
    pub half_points: Option<u32>,
    /// As recorded.
    pub grounds: Vec<Ground>,
}

/// All rounds, or one.
///
/// # Errors
/// If the log cannot be read, or has no such round.
pub fn ask(opened: &TournamentAt<'_>, round: Option<u32>) -> Result<Rounds, QueryError> {
    with_corrections(opened, round, &corrections::ask(opened, &TimeZone::UTC)?)
}

/// As [`ask`], with the corrections of the tournament.
pub(super) fn with_corrections(
    opened: &TournamentAt<'_>,
    round: Option<u32>,
    corrections: &[CorrectionLine],
) -> Result<Rounds, QueryError> {
    let tournament = opened.tournament();
    let events = opened.event_history()?.events;
    let gone = Gone::of(tournament, &events);
    let of = |(number, round): (&u32, &Round)| RoundAnswer {
        started_stated: start_stated(&events, *number, round),
        ..RoundAnswer::of(opened, *number, round, (&gone, corrections))
    };
    let mut rounds: Vec<RoundAnswer> = tournament.rounds.iter().map(of).collect();
    if let Some(wanted) = round {
        rounds.retain(|answer| answer.round == wanted);
        if rounds.is_empty() {
            return Err(QueryError::NoSuchRound {
                stream: opened.stream.clone(),
                round: wanted,
                known: tournament.rounds.keys().copied().collect(),
            });
        }
    }
    Ok(Rounds { heading: opened.heading("rounds"), rounds })
}

/// The period of the event that began a round.
fn start_stated(events: &[HistoryEvent], number: u32, round: &Round) -> Option<StatedPeriod> {
    let begins = |said: &&HistoryEvent| {
        let of = matches!(&*said.event, TournamentEvent::RoundStarted(started) if started.round == number);
        of && Some(said.at) == round.started_at
    };
    events.iter().find(begins)?.stated()
}

/// The source of the present colours as text, and its rule; none if from the pairing.
pub(super) fn colours_by(tournament: &Tournament, board: &Board) -> Option<(String, Option<Ground>)> {
    let (how, ground) = match board.colours_by()? {
        ColourDecision::Drawn(Noted { fact, .. }) => {
            (format!("drawn by lot ({})", fact.draw.method.replace('_', " ")), &fact.ground)
        }
        ColourDecision::Chosen(Noted { fact, .. }) => (format!("chosen by {}", fact.player), &fact.ground),
        ColourDecision::Ruled(ruled) => {
            let given = tournament.rulings.iter().find(|given| given.seq == ruled.seq);
            let number = given.map_or(String::new(), |given| format!(" {}", given.ruling.number));
            return Some((format!("by ruling{number}"), None));
        }
    };
    Some((how, ground.as_ref().or(board.pair.colour.as_ref()).cloned()))
}

impl RoundAnswer {
    fn of(
        opened: &TournamentAt<'_>,
        number: u32,
        round: &Round,
        (gone, corrections): (&Gone, &[CorrectionLine]),
    ) -> RoundAnswer {
        let names = |line: &&CorrectionLine| line.pairings.iter().any(|pairing| pairing.round == number);
        let board = |(board, pair): (&u32, &Board)| {
            let pairing = BoardId { round: number, board: *board };
            BoardAnswer::of(opened.tournament(), pairing, pair, gone.appointments(pairing))
        };
        let bye = |bye: &Bye| ByeAnswer {
            player: opened.person(&bye.player),
            half_points: bye.half_points,
            grounds: bye.grounds.clone(),
        };
        RoundAnswer {
            game: opened.game(),
            round: number,
            stage: round.stage,
            seq: round.paired.seq,
            paired_at: round.paired.at,
            started_at: round.started_at,
            started_stated: None,
            inferred: round.inferred,
            over: round.is_over(),
            equals: round.paired.fact.equals,
            boards: round.boards.iter().map(board).collect(),
            byes: round.byes.iter().map(bye).collect(),
            revoked: gone.revoked_in(number),
            corrections: corrections.iter().filter(names).cloned().collect(),
        }
    }
}

impl BoardAnswer {
    fn of(
        tournament: &Tournament,
        pairing: BoardId,
        board: &Board,
        appointments: Vec<Appointment>,
    ) -> BoardAnswer {
        let (how, rule) = match colours_by(tournament, board) {
            Some((how, rule)) => (Some(how), rule),
            None => (None, board.pair.colour.clone()),
        };
        let aside = |aside: &Noted<SetAside>| AttemptAnswer {
            attempt: aside.fact.attempt,
            game: board.games.get(&aside.fact.attempt).cloned(),
            halted: aside.fact.halted,
            goes_on_from: aside.fact.ply,
            failure: aside.fact.failure,
            seq: aside.seq,
            at: aside.at,
        };
        BoardAnswer {
            pairing,
            upper: Person::of(tournament, board.upper()),
            lower: Person::of(tournament, board.lower()),
            gold: board.gold().cloned(),
            silver: board.silver().cloned(),
            colour_rule: rule,
            colour_how: how,
            encounter: board.pair.encounter,
            outcome: board.outcome(),
            termination: board.termination(),
            territory: board.territory(),
            ruled: board.ruled(),
            halted: board.halted(),
            forfeit_claimed_by: board.claim.as_ref().map(|claim| claim.fact.claimant.clone()),
            appointments,
            games: board.games.clone(),
            set_aside: board.set_aside.iter().map(aside).collect(),
        }
    }
}
