use annals_events::BoardId;
use annals_events::tournament::{Pair, RoundPaired, Stage};

use super::course::{Gaps, course, no_result};
use super::{check, explain, places, propose, ranking};
use crate::check::checker::Checker;
use crate::explain::WhyNot;
use crate::formats::byes::same_byes;
use crate::formats::ruled::with_rulings;
use crate::formats::stage_format::over;
use crate::formats::{
    Decided, Decider, Places, Proof, Proposal, Question, RankedPlayer, RoundRules, StageFormat, StageState,
    Texts, Value,
};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::RuleId;
use crate::state::{Board, Tournament};

pub(crate) struct FloatingElimination;

/// That too few players entered for a game, until a number of rounds is declared, an order published, or a ruling given.
fn before_the_entries(tournament: &Tournament) -> Option<String> {
    if tournament.is_begun() {
        return None;
    }
    let mut entered = tournament.entrants.values();
    match (entered.next(), entered.next()) {
        (None, _) => Some("nobody is entered, so there is no game to pair".to_owned()),
        (Some(only), None) if only.is_in() => {
            Some(format!("only {} is entered, so there is no game to pair", only.name))
        }
        _ => None,
    }
}

impl StageFormat for FloatingElimination {
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal> {
        let mut proposal = propose::next_round(state.tournament, state.rulebook, state.stage)?;
        proposal.reasons = match &proposal.proof {
            Proof::Elimination(round) => explain::explain(&proposal, round, state.rulebook)?,
            _ => explain::explain_playoff(&proposal, state.rulebook)?,
        };
        Ok(proposal)
    }

    fn due(&self, state: &StageState<'_>) -> Result<Option<Stage>, Refusal> {
        let StageState { tournament, rulebook, .. } = *state;
        let course = course(tournament, rulebook, u32::MAX, Gaps::Counted)?;
        if let Some(what) = before_the_entries(tournament) {
            return Err(over(rulebook, what).hint(Remedy::Enter));
        }
        if !course.open.is_empty() {
            return Err(no_result(rulebook, &course.open));
        }
        if let Some(pairing) = course.without_winner {
            let what = format!(
                "the playoff {pairing} has no winner, and the rules say no more: the director has to rule"
            );
            return Err(Refusal::by(rulebook.rule(RuleId::PlayoffPair), what).hint(Remedy::GivePlace));
        }
        if let Some(stage) = course.state.due() {
            return Ok(Some(stage));
        }
        let places = with_rulings(places::places_of(tournament, &course), state);
        if let Some(needed) = places.ruling_needed {
            return Err(over(rulebook, needed).hint(Remedy::GivePlace));
        }
        let first = places.placings.iter().find(|placing| placing.place == 1);
        let what = first.map_or_else(
            || "all games are played".to_owned(),
            |first| format!("{} is the champion, and no place is open", first.player),
        );
        Err(over(rulebook, what).hint(Remedy::Close))
    }

    fn rank(&self, state: &StageState<'_>) -> Result<Vec<RankedPlayer>, Refusal> {
        ranking::ranking(state.tournament, state.rulebook)
    }

    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal> {
        places::places(state.tournament, state.rulebook)
    }

    fn why_not(&self, question: &Question<'_>) -> Result<WhyNot, Refusal> {
        match &question.proposal.proof {
            Proof::Elimination(round) => question.of_best(&round.best),
            _ => explain::why_not_playoff(question),
        }
    }

    fn rules(&self, stage: Stage) -> RoundRules {
        if stage.is_playoff() { check::PLAYOFF } else { check::FINAL }
    }

    fn texts(&self, stage: Stage) -> Texts {
        let ranking = &["T6", "T7", "T8", "T26", "T29", "T30", "T41", "T42", "T43", "T48"];
        let rounds: &[&str] = match stage {
            _ if stage.is_playoff() => &["T29", "T30", "T35", "T43", "T48"],
            Stage::Final => {
                &["T1", "T9", "T14", "T15", "T20", "T22", "T27", "T37", "arbitrary_colour", "T42"]
            }
            _ => &[
                "T1", "T6", "T7", "T9", "T14", "T15", "T20", "T22", "T26", "T27", "T37", "arbitrary_colour",
                "T41", "T42",
            ],
        };
        Texts { rounds, ranking }
    }

    fn value(
        &self,
        state: &StageState<'_>,
        proposal: &Proposal,
        paired: &RoundPaired,
    ) -> Result<Value, Refusal> {
        let Proof::Elimination(round) = &proposal.proof else {
            return Ok(Value::of_the_only_round(&proposal.paired, paired));
        };
        match check::wrong_players(&round.best, paired) {
            Some(fault) => Err(Refusal::by(state.rulebook.rule(RuleId::RoundPlayers), fault)),
            None => check::value(&round.best, paired),
        }
    }

    fn colours<'a>(
        &self,
        state: &StageState<'_>,
        proposal: &Proposal,
        paired: &'a RoundPaired,
    ) -> Vec<(&'a Pair, Decided)> {
        let pairs = paired.pairs.iter();
        let colours = |pair: &Pair| match &proposal.proof {
            Proof::Elimination(round) => round.course.colours(state.rulebook, &pair.upper, &pair.lower),
            _ => proposal.paired.pairs.first().map(Decided::from),
        };
        pairs.filter_map(|pair| Some((pair, colours(pair)?))).collect()
    }

    fn decider(&self, state: &StageState<'_>, pairing: BoardId, board: &Board) -> Result<Decider, Refusal> {
        check::decider(state, pairing, board)
    }

    fn check_byes(&self, check: &mut Checker<'_>, proposal: &Proposal, paired: &RoundPaired) {
        match &proposal.proof {
            Proof::Elimination(round) => check::bye(check, &round.best, paired),
            _ => same_byes(check, RuleId::PlayoffPair, &proposal.paired, paired),
        }
    }
}
