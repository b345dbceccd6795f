//! The next round of a final: the best pairing with reasons, bye, colours with their rule, coins, choices;
//! and the playoffs.

use annals_events::tournament::{Equals, Ground, Pair, Ranked, RoundPaired, Stage};
use annals_events::{BoardId, PlayerId, Side};

use super::conclusion::Playoff;
use super::course::{Course, Gaps, course};
use super::error::EliminationError;
use super::final_round::FinalRound;
use super::finalists::final_begins;
use super::rules::ColourRules;
use crate::colours::PlayoffColour;
use crate::explain::RoundExplanation;
use crate::formats::{Decided, Proof, Proposal};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{AcceptedColours, ArbitraryColour, RuleId, Rulebook};
use crate::state::Tournament;

pub(crate) fn next_round(
    tournament: &Tournament,
    rulebook: &Rulebook,
    stage: Stage,
) -> Result<Proposal, Refusal> {
    let course = course(tournament, rulebook, u32::MAX, Gaps::Refused)?;
    let round = tournament.next_round();
    let over = || Refusal::by(rulebook.rule(RuleId::RoundNeeded), EliminationError::Over.to_string());
    let due = course.state.due().ok_or_else(over)?;
    if due != stage {
        let what = format!("a round of the stage {due} is due, and none of the stage {stage}");
        return Err(Refusal::by(rulebook.rule(RuleId::RoundNeeded), what));
    }
    if stage.is_playoff() {
        let playoff = course.state.conclusion().next.ok_or_else(over)?;
        return Ok(playoff_round(rulebook, round, playoff));
    }
    let ratings = course.state.ratings()?;
    let best = course.state.pair(ratings.as_ref())?;
    let optima = best.optima()?;
    let undetermined =
        course.decision.filter(|_| final_begins(tournament).is_none()).map(|why| (RuleId::FieldSeeds, why));
    let proof = FinalRound { best, ratings, optima, course };
    let (mut pairs, mut coins) = (Vec::new(), Vec::new());
    for (board, (upper, lower)) in (1..).zip(proof.best.pairs()) {
        let decided = proof.course.colours(rulebook, upper, lower);
        let gold = decided.as_ref().and_then(|decided| decided.gold.as_ref());
        let upper_side = gold.map(|gold| if gold == upper { Side::Gold } else { Side::Silver });
        if let (None, Some(rule)) = (upper_side, rulebook.rule(RuleId::Colour)) {
            coins.push((BoardId { round, board }, rule));
        }
        let colour = decided.and_then(|decided| decided.ground);
        let (upper, lower) = (upper.clone(), lower.clone());
        pairs.push(Pair { board, upper, lower, upper_side, colour, encounter: None });
    }
    let ranked = proof.best.ranking.iter().zip(1..);
    let paired = RoundPaired {
        round,
        stage,
        pairs,
        byes: proof.best.bye().map(|player| proof.bye(rulebook, player)).into_iter().collect(),
        order: ranked
            .map(|(player, rank)| Ranked { player: player.clone(), rank, measures: proof.measures(player) })
            .collect(),
        measures: proof.best.measures(&proof.best.pairing),
        equals: Some(Equals::from(&proof.optima)),
        inferred: false,
    };
    let reasons = RoundExplanation::of(&paired);
    let proof = Proof::Elimination(Box::new(proof));
    Ok(Proposal { coins, undetermined, ..Proposal::of(paired, reasons, proof) })
}

impl Course {
    /// The colours of two players after the course; none without finalists or colour rules.
    pub fn colours(&self, rulebook: &Rulebook, one: &PlayerId, other: &PlayerId) -> Option<Decided> {
        let rule = rulebook.rule(RuleId::Colour).filter(|_| !self.state.field().players().is_empty())?;
        let found = self.state.colours(one, other);
        let (step, coin) = match self.state.rules.colours {
            ColourRules::Championship2015 => {
                ("rule", rulebook.readings.arbitrary_colour == ArbitraryColour::Coin)
            }
            ColourRules::WorldChampionship2009 => ("step", true),
        };
        let by = match (found.arbitrary, coin) {
            (true, true) => ", a coin decides",
            (true, false) => ", the better seed has Gold",
            (false, _) => "",
        };
        let ground = Ground {
            rule: rule.id.name().to_owned(),
            paragraph: Some(found.paragraph),
            finding: Some(format!("{step} {}: {}{by}", found.rule, found.because)),
        };
        let gold = (!(found.arbitrary && coin)).then(|| found.gold.clone());
        let arbitrary = found.arbitrary
            && self.state.rules.colours == ColourRules::Championship2015
            && rulebook.readings.arbitrary_accepted == AcceptedColours::Any;
        Some(Decided { gold, ground: Some(ground), arbitrary })
    }
}

fn playoff_round(rulebook: &Rulebook, round: u32, playoff: Playoff<'_>) -> Proposal {
    let rule = rulebook.rule(RuleId::PlayoffColour);
    let mut choices = Vec::new();
    let (upper_side, finding) = match playoff.colour {
        PlayoffColour::Gold(gold) => {
            let side = if gold == playoff.better { Side::Gold } else { Side::Silver };
            (Some(side), format!("{gold} has had Gold less often"))
        }
        PlayoffColour::Chooses(chooser) => {
            choices.extend(rule.map(|rule| (BoardId { round, board: 1 }, chooser.clone(), rule)));
            (None, format!("it is equal, so {chooser} chooses, the lower ranked at the start"))
        }
    };
    let pair = Pair {
        board: 1,
        upper: playoff.better.clone(),
        lower: playoff.worse.clone(),
        upper_side,
        colour: rule.map(|rule| rule.ground(Some(finding))),
        encounter: None,
    };
    let paired = RoundPaired {
        round,
        stage: playoff.stage,
        pairs: vec![pair],
        byes: Vec::new(),
        order: Vec::new(),
        measures: Vec::new(),
        equals: Some(Equals::Exactly(1)),
        inferred: false,
    };
    let reasons = RoundExplanation::of(&paired);
    Proposal { choices, ..Proposal::of(paired, reasons, Proof::Playoff) }
}

/// Who chooses the colours of a playoff; none if the rules give them.
///
/// # Errors
/// If no playoff was due.
/// The choice of a colour that the last round, a playoff, waits for.
pub(crate) fn colour_to_choose(tournament: &Tournament, rulebook: &Rulebook) -> Option<Remedy> {
    let (&round, last) = tournament.rounds.last_key_value().filter(|(_, last)| last.stage.is_playoff())?;
    let (&board, _) = last.boards.iter().find(|(_, board)| board.gold().is_none())?;
    let chooser = playoff_due(tournament, rulebook, round).ok().flatten()?;
    Some(Remedy::ChooseColour(BoardId { round, board }, chooser))
}

pub(crate) fn playoff_due(
    tournament: &Tournament,
    rulebook: &Rulebook,
    round: u32,
) -> Result<Option<PlayerId>, Refusal> {
    let course = course(tournament, rulebook, round, Gaps::Refused)?;
    match course.state.conclusion().next.map(|playoff| playoff.colour) {
        Some(PlayoffColour::Chooses(chooser)) => Ok(Some(chooser.clone())),
        Some(PlayoffColour::Gold(_)) => Ok(None),
        None => Err(Refusal::lacking(format!("no playoff was due in round {round}"))),
    }
}
