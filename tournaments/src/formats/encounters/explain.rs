//! Rounds of encounters explained: the criteria with their values, how each encounter came about, the bye, who has White.

use annals_events::PlayerId;
use annals_events::tournament::RoundPaired;

use super::propose::bye_of;
use crate::explain::{CriterionValue, Explained, RoundExplanation, WhyNot};
use crate::formats::NextRound;
use crate::formats::encounters::{OlympiadPairing, Reasons, Score};
use crate::formats::swiss::WhyNot as WalkWhyNot;
use crate::pairing::{Candidate, Optima, Pairing, PairingProblem, Verdict};
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

fn paragraph(rulebook: &Rulebook, rule: RuleId) -> String {
    rulebook.rule(rule).map_or_else(String::new, |rule| rule.paragraph.to_owned())
}

/// White in the first game of each encounter, as published.
fn colours(paired: &RoundPaired, rulebook: &Rulebook) -> Vec<Explained> {
    let firsts = paired.pairs.iter().filter(|pair| pair.board % 2 == 1);
    firsts
        .filter_map(|pair| {
            let white = pair.player(annals_events::Side::Gold)?;
            let black = pair.player(annals_events::Side::Silver)?;
            Some(Explained {
                what: format!("{white} has White against {black} in the first game, Black in the second"),
                paragraph: paragraph(rulebook, RuleId::EncounterColour),
                because: pair.colour.as_ref().and_then(|ground| ground.finding.clone()).unwrap_or_default(),
            })
        })
        .collect()
}

/// Explains it.
pub(crate) fn explain(
    next: &NextRound,
    pairing: &OlympiadPairing<PlayerId>,
    rulebook: &Rulebook,
) -> Result<RoundExplanation, Refusal> {
    let rule = paragraph(rulebook, RuleId::EncounterPairing);
    let (criteria, another) = match &pairing.reasons {
        Reasons::LeastVector { list, problem, pairing: best } => {
            (values(problem, best), another(list, problem, best)?)
        }
        Reasons::NoContext | Reasons::Walk(_) => (Vec::new(), None),
    };
    let pairs = match &pairing.reasons {
        Reasons::Walk(walk) => walk
            .pairs
            .iter()
            .map(|pair| Explained {
                what: format!("{} against {}", pair.upper, pair.lower),
                paragraph: rule.clone(),
                because: crate::formats::swiss::explain::how(pair),
            })
            .collect(),
        Reasons::NoContext | Reasons::LeastVector { .. } => pairing
            .seats
            .iter()
            .map(|seat| Explained {
                what: format!("{} against {}", seat.white_first, seat.white_second),
                paragraph: rule.clone(),
                because: standing(pairing, &seat.white_first, &seat.white_second),
            })
            .collect(),
    };
    let byes = pairing.bye.iter().map(|why| Explained {
        what: format!("{} has the bye", why.player),
        paragraph: paragraph(rulebook, RuleId::EncounterBye),
        because: bye_of(why),
    });
    Ok(RoundExplanation {
        round: next.paired.round,
        order: next.paired.order.clone(),
        criteria,
        pairs,
        byes: byes.collect(),
        colours: colours(&next.paired, rulebook),
        equals: next.paired.equals,
        another,
    })
}

fn values(problem: &PairingProblem, best: &Pairing) -> Vec<CriterionValue> {
    let value = |(criterion, value): (&crate::pairing::Criterion, i64)| CriterionValue {
        paragraph: criterion.paragraph.clone(),
        counts: criterion.counts.clone(),
        value,
    };
    problem.reasons(&best.value).map(value).collect()
}

fn another(
    list: &[PlayerId],
    problem: &PairingProblem,
    best: &Pairing,
) -> Result<Option<Vec<(PlayerId, PlayerId)>>, Refusal> {
    let optima = problem.optima(best).map_err(|error| Refusal::lacking(error.to_string()))?;
    let Optima::Another(other) = optima else { return Ok(None) };
    let named = |&(a, b): &(usize, usize)| Some((list.get(a)?.clone(), list.get(b)?.clone()));
    Ok(other.pairs.iter().map(named).collect())
}

/// How two stand to each other before the round, in words.
fn standing(pairing: &OlympiadPairing<PlayerId>, one: &PlayerId, other: &PlayerId) -> String {
    let (Some(a), Some(b)) = (score(pairing, one), score(pairing, other)) else { return String::new() };
    let met = a.met.get(&b.number.saturating_sub(1)).copied().unwrap_or(0);
    let met = match met {
        0 => "they have not met".to_owned(),
        times => format!("encounters of the two before: {times}"),
    };
    if a.half_points == b.half_points {
        format!("both have {} half points; {met}", a.half_points)
    } else {
        format!("{} and {} half points; {met}", a.half_points, b.half_points)
    }
}

fn score<'a>(pairing: &'a OlympiadPairing<PlayerId>, player: &PlayerId) -> Option<&'a Score<PlayerId>> {
    pairing.order.iter().find(|score| score.player == *player)
}

/// Everyone against everyone, explained.
pub(crate) fn explain_all(next: &NextRound, rulebook: &Rulebook) -> Result<RoundExplanation, Refusal> {
    let rule = paragraph(rulebook, RuleId::EncounterFormat);
    let pairs = next.paired.pairs.iter().filter(|pair| pair.board % 2 == 1).map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: rule.clone(),
        because: format!("{} entrants: everyone meets everyone once", next.paired.order.len()),
    });
    let byes = next.paired.byes.iter().map(|bye| Explained {
        what: format!("{} rests", bye.player),
        paragraph: rule.clone(),
        because: "of an odd number one has no opponent in each round; resting is worth nothing".to_owned(),
    });
    Ok(RoundExplanation {
        round: next.paired.round,
        order: next.paired.order.clone(),
        criteria: Vec::new(),
        pairs: pairs.collect(),
        byes: byes.collect(),
        colours: colours(&next.paired, rulebook),
        equals: next.paired.equals,
        another: None,
    })
}

/// Why not.
pub(crate) fn why_not(
    pairing: &OlympiadPairing<PlayerId>,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    for player in [Some(one), other].into_iter().flatten() {
        if score(pairing, player).is_none() {
            return Err(Refusal::lacking(format!("{player} is not entered")));
        }
    }
    let Some(other) = other else { return Ok(no_bye(pairing, rulebook, one)) };
    if one == other {
        return Err(Refusal::lacking(format!("{one} is one entrant, and an encounter needs two")));
    }
    let asked = format!("{one} against {other}");
    let answer = |possible: bool, rule: RuleId, answer: String| WhyNot {
        asked: asked.clone(),
        possible,
        paragraph: (!possible).then(|| paragraph(rulebook, rule)),
        loses_on: None,
        answer,
    };
    if let Some(bye) = pairing.bye.as_ref().filter(|bye| [one, other].contains(&&bye.player)) {
        let words = format!("{} has the bye: {}", bye.player, bye_of(bye));
        return Ok(answer(false, RuleId::EncounterBye, words));
    }
    match &pairing.reasons {
        Reasons::NoContext => Ok(answer(false, RuleId::EncounterPairing, "nobody else is in".to_owned())),
        Reasons::Walk(walk) => {
            let words = match walk.why_not(one, other) {
                WalkWhyNot::Paired => {
                    return Ok(answer(true, RuleId::EncounterPairing, "they do meet".to_owned()));
                }
                WalkWhyNot::NotListed { player } => format!("{player} plays no more"),
                WalkWhyNot::TakenBefore { player, by } => {
                    format!("{by} had the turn before and took {player}")
                }
                WalkWhyNot::ReachedLater { walker, took } => {
                    format!("in the turn of {walker} the walk reaches {took} before")
                }
                WalkWhyNot::PassedBy { walker, why } => {
                    format!("in the turn of {walker} that pair is passed by ({})", why.paragraph())
                }
            };
            Ok(answer(false, RuleId::EncounterPairing, words))
        }
        Reasons::LeastVector { list, problem, pairing: best } => {
            let at = |player: &PlayerId| list.iter().position(|other| other == player);
            let (Some(a), Some(b)) = (at(one), at(other)) else {
                let gone = if at(one).is_none() { one } else { other };
                return Ok(answer(false, RuleId::EncounterPairing, format!("{gone} plays no more")));
            };
            let found = problem
                .why_not(Candidate::pair(a, b), best)
                .map_err(|error| Refusal::lacking(error.to_string()))?;
            Ok(by_verdict(asked, found.verdict))
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

fn no_bye(pairing: &OlympiadPairing<PlayerId>, rulebook: &Rulebook, one: &PlayerId) -> WhyNot {
    let (possible, answer) = match (&pairing.bye, score(pairing, one)) {
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
    };
    WhyNot {
        asked: format!("a bye for {one}"),
        possible,
        paragraph: (!possible).then(|| paragraph(rulebook, RuleId::EncounterBye)),
        loses_on: None,
        answer,
    }
}

/// Why not, where everyone meets everyone.
pub(crate) fn why_not_all(
    next: &NextRound,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    for player in [Some(one), other].into_iter().flatten() {
        if !next.paired.order.iter().any(|line| line.player == *player) {
            return Err(Refusal::lacking(format!("{player} is not entered")));
        }
    }
    let rule = paragraph(rulebook, RuleId::EncounterFormat);
    let (asked, possible, answer) = match other {
        Some(other) => {
            let meets = next.paired.pairs.iter().any(|pair| {
                (pair.upper == *one && pair.lower == *other) || (pair.upper == *other && pair.lower == *one)
            });
            let answer = if meets {
                "they do meet in this round".to_owned()
            } else {
                "everyone meets everyone once, and their encounter is in another round".to_owned()
            };
            (format!("{one} against {other}"), meets, answer)
        }
        None => {
            let rests = next.paired.byes.iter().any(|bye| bye.player == *one);
            let answer = if rests {
                format!("{one} does rest in this round")
            } else if next.paired.byes.is_empty() {
                "an even number is entered, and nobody rests".to_owned()
            } else {
                format!("{one} rests in another round")
            };
            (format!("a bye for {one}"), rests, answer)
        }
    };
    Ok(WhyNot { asked, possible, paragraph: (!possible).then_some(rule), loses_on: None, answer })
}
