//! The recorded rounds of a final as the elimination that they make: rounds in their order, whoever left taken out after
//! the round during which they left, playoffs after the rounds, and the places that rulings give where the rules leave
//! them open.

use annals_events::tournament::{Effect, Outcome, Stage};
use annals_events::{Pairing, PlayerId};

use super::finalists::{Finalists, final_begins, finalists};
use crate::formats::Roster;
use crate::formats::elimination::{
    DoubleElimination, EliminationError, Phase, PlayoffGame, QuadrupleElimination, Rules,
};
use crate::history::{Field, Meeting, MeetingResult, PastRound, Player};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, RuleId, Rulebook};
use crate::state::Tournament;
use crate::state::{Board, Round};

/// The elimination that a record makes.
#[derive(Debug, Clone)]
pub(crate) enum Contest {
    /// Nobody has a place in the final.
    Nobody,
    /// That of 2015, played on for second place.
    Quadruple(Box<QuadrupleElimination>),
    /// That of 2009, with playoffs.
    Double(Box<DoubleElimination>),
}

/// What to do about a board without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gaps {
    /// The record does not go so far: nothing can follow.
    Refused,
    /// It counts as not yet decided.
    Counted,
}

/// The final as far as it is recorded.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    /// Who the numbers are: the finalists by seed, then everybody else.
    pub roster: Roster,
    /// How many are finalists.
    pub field: usize,
    /// The elimination.
    pub contest: Contest,
    /// Boards without a result.
    pub open: Vec<Pairing>,
    /// A playoff that is over and has no winner.
    pub without_winner: Option<Pairing>,
    /// What the text leaves open and was decided here.
    pub decision: Option<String>,
}

/// Reads the rounds below `before` of a final, its preliminary among them.
///
/// # Errors
/// When nobody has qualified, a result is missing and that is not allowed, or the record contradicts itself.
pub(crate) fn course(
    tournament: &Tournament,
    rulebook: &Rulebook,
    before: u32,
    gaps: Gaps,
) -> Result<Course, Refusal> {
    let Finalists { roster, field, decision } = finalists(tournament, rulebook)?;
    let contest = Contest::Nobody;
    let mut course = Course { roster, field, contest, open: Vec::new(), without_winner: None, decision };
    if field == 0 {
        return Ok(course);
    }
    let Some(Format::Elimination(rules)) = rulebook.stage(Stage::Final).map(|rules| &rules.format) else {
        return Err(Refusal::lacking(format!("the rulebook {} has no final", rulebook.name)));
    };
    let recorded: Vec<(u32, &Round)> =
        tournament.rounds.range(..before).map(|(number, round)| (*number, round)).collect();
    let until = tournament.rounds.get(&before).map(|round| round.paired.seq);
    let leavers = course.leavers(tournament, until);
    let ruled = course.ruled(tournament);
    if rulebook.stages.iter().any(|stage| stage.format == Format::Continuation) {
        course.play_2015(rulebook, rules, &recorded, &leavers, ruled, gaps)?;
    } else {
        course.play_2009(rulebook, rules, &recorded, &leavers, ruled, gaps)?;
    }
    Ok(course)
}

impl Course {
    /// Who left in the course of the final, with the event that says so, in order.
    fn leavers(&self, tournament: &Tournament, until: Option<u64>) -> Vec<(u64, Player)> {
        let Some(begins) = final_begins(tournament) else { return Vec::new() };
        let mut leavers: Vec<(u64, Player)> = self
            .seeds()
            .filter_map(|(number, player)| {
                let left = tournament.entrants.get(player)?.left.as_ref()?;
                Some((left.seq, number))
            })
            .filter(|(seq, _)| *seq > begins && until.is_none_or(|until| *seq < until))
            .collect();
        leavers.sort_unstable();
        leavers
    }

    /// The finalists with their numbers.
    pub fn seeds(&self) -> impl Iterator<Item = (Player, &PlayerId)> {
        (0..).map(Player).zip(self.roster.players().iter().take(self.field))
    }

    /// The first and second place as far as rulings in force give them to one finalist.
    fn ruled(&self, tournament: &Tournament) -> (Option<Player>, Option<Player>) {
        let given = |wanted: u32| {
            let rulings = tournament.rulings.iter().filter(|ruling| ruling.superseded_by.is_none()).rev();
            rulings.into_iter().find_map(|ruling| match &ruling.ruling.effect {
                Effect::Place { players, place } if *place == wanted => match &players[..] {
                    [one] => self.roster.number(one).filter(|player| self.is_finalist(*player)),
                    _ => None,
                },
                _ => None,
            })
        };
        (given(1), given(2))
    }

    fn is_finalist(&self, player: Player) -> bool {
        usize::try_from(player.0).is_ok_and(|number| number < self.field)
    }

    fn field_of_seeds(&self) -> Result<Field, Refusal> {
        let seeds = self.seeds().map(|(number, _)| number).collect();
        Field::new(seeds).map_err(|error| Refusal::lacking(self.roster.named(&error.to_string())))
    }

    fn play_2015(
        &mut self,
        rulebook: &Rulebook,
        rules: &Rules,
        recorded: &[(u32, &Round)],
        leavers: &[(u64, Player)],
        ruled: (Option<Player>, Option<Player>),
        gaps: Gaps,
    ) -> Result<(), Refusal> {
        let field = self.field_of_seeds()?;
        let readings = rulebook.readings.quadruple();
        let mut final_ =
            QuadrupleElimination::new(rules.clone(), field, readings).map_err(|error| self.fault(&error))?;
        let mut leavers = leavers.iter().peekable();
        for (number, round) in recorded.iter().filter(|(_, round)| is_round(round.stage)) {
            while let Some((_, player)) = leavers.next_if(|(seq, _)| *seq < round.paired.seq) {
                final_.remove(*player).map_err(|error| self.fault(&error))?;
            }
            crown(&mut final_, ruled.0).map_err(|error| self.fault(&error))?;
            let past = self.past_round(rulebook, *number, round, gaps)?;
            final_.record(past).map_err(|error| self.fault(&error))?;
        }
        for (_, player) in leavers {
            final_.remove(*player).map_err(|error| self.fault(&error))?;
        }
        crown(&mut final_, ruled.0).map_err(|error| self.fault(&error))?;
        self.contest = Contest::Quadruple(Box::new(final_));
        Ok(())
    }

    fn play_2009(
        &mut self,
        rulebook: &Rulebook,
        rules: &Rules,
        recorded: &[(u32, &Round)],
        leavers: &[(u64, Player)],
        ruled: (Option<Player>, Option<Player>),
        gaps: Gaps,
    ) -> Result<(), Refusal> {
        let mut preliminary = Vec::new();
        for (number, round) in recorded.iter().filter(|(_, round)| round.stage == Stage::Swiss) {
            preliminary.push(self.past_round(rulebook, *number, round, gaps)?);
        }
        let (history, no_games) = (rulebook.readings.finals_history, rulebook.readings.no_games);
        let field = self.field_of_seeds()?;
        let mut final_ = DoubleElimination::new(rules.clone(), field, &preliminary, history, no_games)
            .map_err(|error| self.fault(&error))?;
        let mut leavers = leavers.iter().peekable();
        for (number, round) in recorded.iter().filter(|(_, round)| is_round(round.stage)) {
            while let Some((_, player)) = leavers.next_if(|(seq, _)| *seq < round.paired.seq) {
                final_.remove(*player).map_err(|error| self.fault(&error))?;
            }
            let past = self.past_round(rulebook, *number, round, gaps)?;
            final_.record(past, &[]).map_err(|error| self.fault(&error))?;
        }
        // Whoever leaves once playoffs are paired keeps the place that the rounds gave.
        let playoffs: Vec<&(u32, &Round)> =
            recorded.iter().filter(|(_, round)| is_playoff(round.stage)).collect();
        let first = playoffs.iter().map(|(_, round)| round.paired.seq).min();
        for (_, player) in leavers.filter(|(seq, _)| first.is_none_or(|first| *seq < first)) {
            final_.remove(*player).map_err(|error| self.fault(&error))?;
        }
        final_.rule(ruled.0, ruled.1).map_err(|error| self.fault(&error))?;
        for (number, round) in playoffs {
            self.play_off(rulebook, *number, round, &mut final_, gaps)?;
        }
        self.contest = Contest::Double(Box::new(final_));
        Ok(())
    }

    fn play_off(
        &mut self,
        rulebook: &Rulebook,
        number: u32,
        round: &Round,
        final_: &mut DoubleElimination,
        gaps: Gaps,
    ) -> Result<(), Refusal> {
        let past = self.past_round(rulebook, number, round, gaps)?;
        for (board, meeting) in round.boards.keys().zip(&past.meetings) {
            match meeting.winner() {
                _ if self.without_winner.is_some() => {}
                Some(winner) => {
                    let game = PlayoffGame { gold: meeting.gold, silver: meeting.silver, winner };
                    final_.record_playoff(game).map_err(|error| self.fault(&error))?;
                }
                None if self.open.last().is_some_and(|open| (open.round, open.board) == (number, *board)) => {
                }
                None => self.without_winner = Some(Pairing { round: number, board: *board }),
            }
        }
        Ok(())
    }

    /// A recorded round as the parts know it.
    fn past_round(
        &mut self,
        rulebook: &Rulebook,
        number: u32,
        round: &Round,
        gaps: Gaps,
    ) -> Result<PastRound, Refusal> {
        let mut past = PastRound::default();
        let mut open = Vec::new();
        for (&board, recorded) in &round.boards {
            let pairing = Pairing { round: number, board };
            let result = recorded.outcome.map_or(MeetingResult::Undecided, result_of);
            if recorded.outcome.is_none() {
                open.push(pairing);
            }
            let (gold, silver) = self.colours_of(pairing, recorded, gaps)?;
            past.meetings.push(Meeting { gold, silver, result });
        }
        for bye in &round.byes {
            past.byes.push(self.number(&bye.player)?);
        }
        if gaps == Gaps::Refused && !open.is_empty() {
            return Err(no_result(rulebook, &open));
        }
        self.open.extend(open);
        Ok(past)
    }

    fn colours_of(&self, pairing: Pairing, board: &Board, gaps: Gaps) -> Result<(Player, Player), Refusal> {
        let (upper, lower) = (self.number(&board.upper)?, self.number(&board.lower)?);
        match &board.gold {
            Some(gold) if *gold == board.lower => Ok((lower, upper)),
            Some(_) => Ok((upper, lower)),
            None if gaps == Gaps::Counted && board.outcome.is_none() => Ok((upper, lower)),
            None => {
                let what = format!(
                    "nobody has Gold in {pairing}, so neither its result nor later colours can be read"
                );
                Err(Refusal::lacking(what).hint("record who had Gold: a drawn or a chosen colour"))
            }
        }
    }

    /// The number of a player.
    pub fn number(&self, player: &PlayerId) -> Result<Player, Refusal> {
        self.roster
            .number(player)
            .ok_or_else(|| Refusal::lacking(format!("{player} is paired and never entered the tournament")))
    }

    fn fault(&self, error: &EliminationError) -> Refusal {
        Refusal::lacking(self.roster.named(&error.to_string()))
    }
}

/// That boards have no result, where the next round rests on them.
pub(crate) fn no_result(rulebook: &Rulebook, open: &[Pairing]) -> Refusal {
    let named: Vec<String> = open.iter().map(ToString::to_string).collect();
    let what = format!("{} {} no result", named.join(", "), if open.len() == 1 { "has" } else { "have" });
    Refusal::by(rulebook.rule(RuleId::RoundOrder), what).hint(Remedy::ResultOrForfeit)
}

fn crown(final_: &mut QuadrupleElimination, ruled: Option<Player>) -> Result<(), EliminationError> {
    match ruled {
        Some(player) if *final_.phase() == Phase::Over && final_.places().needs_ruling => {
            final_.crown(player)
        }
        _ => Ok(()),
    }
}

fn is_round(stage: Stage) -> bool {
    matches!(stage, Stage::Final | Stage::Continuation)
}

fn is_playoff(stage: Stage) -> bool {
    matches!(stage, Stage::SecondPlayoff | Stage::ThirdPlayoff)
}

fn result_of(outcome: Outcome) -> MeetingResult {
    match outcome {
        Outcome::Gold => MeetingResult::Gold,
        Outcome::Silver => MeetingResult::Silver,
        Outcome::Draw => MeetingResult::Draw,
        Outcome::DoubleLoss => MeetingResult::DoubleLoss,
        Outcome::DoubleWin => MeetingResult::DoubleWin,
        Outcome::NoDecision => MeetingResult::Undecided,
    }
}
