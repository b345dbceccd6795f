//! Why a round of encounters is as it is: the criteria with their values, how each encounter came about, the bye, who has
//! White; and why a pair or a bye is not in it.

use annals_events::tournament::RoundPaired;
use annals_events::{PlayerId, Side};

use super::{ByeReason, OlympiadPairing, Reasons, Score};
use crate::explain::{ColoursExplained, CriterionValue, Explained, RoundExplanation, WhyNot};
use crate::formats::Proposal;
use crate::formats::swiss::why::{how, why_not_walked};
use crate::pairing::{Candidate, Optima, Pairing, PairingProblem, Verdict};
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

/// White in the first game of each encounter, as published.
fn colours(rulebook: &Rulebook, paired: &RoundPaired) -> Vec<ColoursExplained> {
    let firsts = paired.pairs.iter().filter(|pair| pair.board % 2 == 1);
    firsts
        .filter_map(|pair| {
            let (white, black) = (pair.player(Side::Gold)?, pair.player(Side::Silver)?);
            let reason = Explained {
                what: format!("{white} has White against {black} in the first game, Black in the second"),
                paragraph: rulebook.paragraph(RuleId::EncounterColour),
                because: pair.colour.as_ref().and_then(|ground| ground.finding.clone()).unwrap_or_default(),
            };
            Some(ColoursExplained { boards: vec![pair.board, pair.board.saturating_add(1)], reason })
        })
        .collect()
}

/// Why a player has the bye, in words.
pub(super) fn bye_of(why: &ByeReason) -> String {
    format!(
        "{} byes so far, the fewest; {} half points, the lowest score of those; the lowest of {} in the order",
        why.fewest_byes, why.lowest_half_points, why.level
    )
}

/// The reasons of a round of the Swiss.
pub(super) fn reasons(
    rulebook: &Rulebook,
    paired: &RoundPaired,
    pairing: &OlympiadPairing,
    optima: Option<Optima>,
) -> Result<RoundExplanation, Refusal> {
    let explained = |one: &PlayerId, other: &PlayerId, because: String| Explained {
        what: format!("{one} against {other}"),
        paragraph: rulebook.paragraph(RuleId::EncounterPairing),
        because,
    };
    let (criteria, another) = match &pairing.reasons {
        Reasons::LeastVector { list, problem, pairing: best } => {
            let another = match optima {
                Some(Optima::Another(other)) => Some(other),
                Some(Optima::Exactly(rounds)) if rounds > 1 => {
                    problem.another(best).map_err(|error| Refusal::lacking(error.to_string()))?
                }
                _ => None,
            };
            let named = |&(a, b): &(usize, usize)| Some((list.get(a)?.clone(), list.get(b)?.clone()));
            (values(problem, best), another.and_then(|other| other.pairs.iter().map(named).collect()))
        }
        Reasons::Alone | Reasons::Walk(_) => (Vec::new(), None),
    };
    let pairs = match &pairing.reasons {
        Reasons::Walk(walk) => {
            walk.pairs.iter().map(|pair| explained(&pair.upper, &pair.lower, how(pair))).collect()
        }
        Reasons::Alone | Reasons::LeastVector { .. } => {
            let seats = pairing.seats.iter().map(|seat| (&seat.white_first, &seat.white_second));
            seats.map(|(one, other)| explained(one, other, standing(pairing, one, other))).collect()
        }
    };
    let byes = pairing.bye.iter().map(|why| Explained {
        what: format!("{} has the bye", why.player),
        paragraph: rulebook.paragraph(RuleId::EncounterBye),
        because: bye_of(why),
    });
    let (byes, colours) = (byes.collect(), colours(rulebook, paired));
    Ok(RoundExplanation { criteria, pairs, byes, colours, another, ..RoundExplanation::of(paired) })
}

fn values(problem: &PairingProblem, best: &Pairing) -> Vec<CriterionValue> {
    let value = |(criterion, value): (&crate::pairing::Criterion, i64)| CriterionValue {
        paragraph: criterion.paragraph.clone(),
        counts: criterion.counts.clone(),
        value,
    };
    problem.reasons(&best.value).map(value).collect()
}

/// How two stand to each other before the round, in words.
fn standing(pairing: &OlympiadPairing, one: &PlayerId, other: &PlayerId) -> String {
    let (Some(a), Some(b)) = (score(pairing, one), score(pairing, other)) else { return String::new() };
    let met = match a.meetings(other) {
        0 => "they have not met".to_owned(),
        times => format!("encounters of the two before: {times}"),
    };
    if a.half_points == b.half_points {
        format!("both have {} half points; {met}", a.half_points)
    } else {
        format!("{} and {} half points; {met}", a.half_points, b.half_points)
    }
}

fn score<'a>(pairing: &'a OlympiadPairing, player: &PlayerId) -> Option<&'a Score> {
    pairing.order.iter().find(|score| score.player == *player)
}

/// Why a pair or a bye is not in a round of the Swiss.
pub(super) fn why_not(
    rulebook: &Rulebook,
    pairing: &OlympiadPairing,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    for player in [Some(one), other].into_iter().flatten() {
        if score(pairing, player).is_none() {
            return Err(Refusal::lacking(format!("{player} is not entered")));
        }
    }
    let (rule, bye_rule) =
        (rulebook.paragraph(RuleId::EncounterPairing), rulebook.paragraph(RuleId::EncounterBye));
    let Some(other) = other else {
        let (possible, answer) = no_bye(pairing, one);
        return Ok(WhyNot::of_bye(one, possible, &bye_rule, answer));
    };
    if one == other {
        return Err(Refusal::lacking(format!("{one} is one entrant, and an encounter needs two")));
    }
    if let Some(bye) = pairing.bye.as_ref().filter(|bye| [one, other].contains(&&bye.player)) {
        let words = format!("{} has the bye: {}", bye.player, bye_of(bye));
        return Ok(WhyNot::of_pair(one, other, false, &bye_rule, words));
    }
    match &pairing.reasons {
        Reasons::Alone => Ok(WhyNot::of_pair(one, other, false, &rule, "nobody else is in".to_owned())),
        Reasons::Walk(walk) => Ok(why_not_walked(walk, &rule, one, other)),
        Reasons::LeastVector { list, problem, pairing: best } => {
            let at = |player: &PlayerId| list.iter().position(|other| other == player);
            let (Some(a), Some(b)) = (at(one), at(other)) else {
                let gone = if at(one).is_none() { one } else { other };
                return Ok(WhyNot::of_pair(one, other, false, &rule, format!("{gone} plays no more")));
            };
            let found = problem
                .why_not(Candidate::pair(a, b), best)
                .map_err(|error| Refusal::lacking(error.to_string()))?;
            Ok(by_verdict(format!("{one} against {other}"), found.verdict))
        }
    }
}

fn by_verdict(asked: String, verdict: Verdict) -> WhyNot {
    let plain = |possible: bool, paragraph: Option<String>, answer: &str| WhyNot {
        asked: asked.clone(),
        possible,
        paragraph,
        loses_on: None,
        answer: answer.to_owned(),
    };
    match verdict {
        Verdict::Chosen => plain(true, None, "they do meet in this round"),
        Verdict::EquallyGood => plain(
            true,
            None,
            "a round with it is as good; the best ranked gets the lowest partner, and so on",
        ),
        Verdict::Forbidden { paragraph, because } => plain(false, Some(paragraph), &because),
        Verdict::LeavesNoRound => plain(false, None, "the others could not be paired then"),
        Verdict::Loses { counts, chosen, alternative, .. } => WhyNot {
            answer: format!("{}: {alternative} at best with it, {chosen} without", counts.counts),
            asked,
            possible: false,
            paragraph: Some(counts.paragraph.clone()),
            loses_on: Some((
                CriterionValue { paragraph: counts.paragraph, counts: counts.counts, value: chosen },
                alternative,
            )),
        },
    }
}

fn no_bye(pairing: &OlympiadPairing, one: &PlayerId) -> (bool, String) {
    match (&pairing.bye, score(pairing, one)) {
        (None, _) => (false, "an even number of entrants is in, and nobody has a bye".to_owned()),
        (Some(bye), _) if bye.player == *one => (true, format!("{one} does have the bye: {}", bye_of(bye))),
        (Some(bye), Some(score)) if score.byes > bye.fewest_byes => (
            false,
            format!("{one} has had {} byes, and {} had only {}", score.byes, bye.player, bye.fewest_byes),
        ),
        (Some(bye), Some(score)) if score.half_points > bye.lowest_half_points => (
            false,
            format!(
                "{one} has {} half points, and {} has fewer: {}",
                score.half_points, bye.player, bye.lowest_half_points
            ),
        ),
        (Some(bye), _) => (false, format!("{} stands lower in the order", bye.player)),
    }
}

/// The reasons of a round of an all-play-all.
pub(super) fn reasons_all(rulebook: &Rulebook, paired: &RoundPaired) -> RoundExplanation {
    let rule = rulebook.paragraph(RuleId::EncounterFormat);
    let pairs = paired.pairs.iter().filter(|pair| pair.board % 2 == 1).map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: rule.clone(),
        because: format!("{} entrants: everyone meets everyone once", paired.order.len()),
    });
    let byes = paired.byes.iter().map(|bye| Explained {
        what: format!("{} rests", bye.player),
        paragraph: rule.clone(),
        because: "of an odd number one has no opponent in each round; resting is worth nothing".to_owned(),
    });
    RoundExplanation {
        pairs: pairs.collect(),
        byes: byes.collect(),
        colours: colours(rulebook, paired),
        ..RoundExplanation::of(paired)
    }
}

/// Why not, where everyone meets everyone.
pub(super) fn why_not_all(
    rulebook: &Rulebook,
    proposal: &Proposal,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    for player in [Some(one), other].into_iter().flatten() {
        if !proposal.paired.order.iter().any(|line| line.player == *player) {
            return Err(Refusal::lacking(format!("{player} is not entered")));
        }
    }
    let rule = rulebook.paragraph(RuleId::EncounterFormat);
    Ok(match other {
        Some(other) => {
            let meets = proposal.paired.pairs.iter().any(|pair| {
                (pair.upper == *one && pair.lower == *other) || (pair.upper == *other && pair.lower == *one)
            });
            let answer = if meets {
                "they do meet in this round".to_owned()
            } else {
                "everyone meets everyone once, and their encounter is in another round".to_owned()
            };
            WhyNot::of_pair(one, other, meets, &rule, answer)
        }
        None => {
            let rests = proposal.paired.byes.iter().any(|bye| bye.player == *one);
            let answer = if rests {
                format!("{one} does rest in this round")
            } else if proposal.paired.byes.is_empty() {
                "an even number is entered, and nobody rests".to_owned()
            } else {
                format!("{one} rests in another round")
            };
            WhyNot::of_bye(one, rests, &rule, answer)
        }
    })
}
