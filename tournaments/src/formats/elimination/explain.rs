//! Rounds of a floating elimination, and playoffs, explained: the reasons that the round carries, in words.

use annals_events::PlayerId;
use annals_events::tournament::Ground;

use super::propose::FinalRound;
use super::state::EliminationError;
use crate::explain::{ColoursExplained, CriterionValue, Explained, RoundExplanation, WhyNot};
use crate::formats::Proposal;
use crate::pairing::{Candidate, Criterion, Pairing, Verdict};
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

/// Explains a round: the criteria with its values, how each pair counts on them, the bye, the colours, and whether another
/// round is as good.
pub(crate) fn explain(
    next: &Proposal,
    round: &FinalRound,
    rulebook: &Rulebook,
) -> Result<RoundExplanation, Refusal> {
    let best = &round.best;
    let paragraph = rulebook.rule(RuleId::PairingBest).map_or("", |rule| rule.paragraph);
    let mut pairs = Vec::new();
    for (&(a, b), (one, other)) in best.pairing.pairs.iter().zip(best.pairs()) {
        let values = best.problem.values(Candidate::Pair(a, b)).map_err(EliminationError::from)?;
        let counted: Vec<String> = best
            .problem
            .reasons(&values)
            .filter(|(_, value)| *value != 0)
            .map(|(criterion, value)| format!("{}: {value}", criterion.counts))
            .collect();
        let counts =
            if counted.is_empty() { "counts on no criterion".to_owned() } else { counted.join("; ") };
        pairs.push(Explained {
            what: format!("{one} against {other}"),
            paragraph: paragraph.to_owned(),
            because: format!("ranks {} and {}; {counts}", a + 1, b + 1),
        });
    }
    let reasons = best.problem.reasons(&best.pairing.value);
    let named =
        |other: Pairing| best.pairs_of(&other).map(|(one, other)| (one.clone(), other.clone())).collect();
    Ok(RoundExplanation {
        criteria: reasons.map(|(criterion, value)| valued(criterion, value)).collect(),
        pairs,
        byes: byes(next),
        another: round.another()?.map(named),
        ..without_criteria(next)
    })
}

/// Explains a playoff.
pub(crate) fn explain_playoff(next: &Proposal, rulebook: &Rulebook) -> Result<RoundExplanation, Refusal> {
    let rule = rulebook.rule(RuleId::PlayoffPair);
    let pairs = next.paired.pairs.iter().map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: rule.map_or("", |rule| rule.paragraph).to_owned(),
        because: format!("they are level, and a game breaks the tie ({})", next.paired.stage),
    });
    Ok(RoundExplanation { pairs: pairs.collect(), ..without_criteria(next) })
}

/// What every round carries: its order, its colours, how many are as good.
fn without_criteria(next: &Proposal) -> RoundExplanation {
    RoundExplanation { colours: colours(next), ..RoundExplanation::of(&next.paired) }
}

/// Why two players do not meet, or one has no bye.
pub(crate) fn why_not(
    round: &FinalRound,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    let best = &round.best;
    if other == Some(one) {
        return Err(Refusal::lacking(format!("{one} cannot meet {one}: name two players")));
    }
    for player in [Some(one), other].into_iter().flatten() {
        best.index(player).map_err(|_| Refusal::lacking(format!("{player} is not in this round")))?;
    }
    let asked = asked(one, other);
    if let (None, None) = (other, best.bye()) {
        let answer = format!("{} players are in, an even number: nobody has a bye", best.ranking.len());
        let paragraph = rulebook.rule(RuleId::ByeFewest).map(|rule| rule.paragraph.to_owned());
        return Ok(WhyNot { asked, possible: false, paragraph, loses_on: None, answer });
    }
    let found = best.why_not(one, other)?;
    let with = found.alternative.as_ref().map_or_else(String::new, |pairing| {
        let pairs = best.pairs_of(pairing).map(|(one, other)| format!("{one}-{other}"));
        let bye = best.bye_of(pairing).map(|player| format!("bye {player}"));
        pairs.chain(bye).collect::<Vec<_>>().join(", ")
    });
    let instead = || match (best.pairs().find(|pair| pair.0 == one || pair.1 == one), other) {
        (Some((upper, lower)), Some(_)) => {
            format!("{one} meets {}", if upper == one { lower } else { upper })
        }
        _ => best.bye().map_or_else(String::new, |bye| format!("{bye} has the bye")),
    };
    let (possible, paragraph, loses_on, answer) = match found.verdict {
        Verdict::Chosen => (true, None, None, format!("it is in the round: {asked}")),
        Verdict::EquallyGood => {
            let answer = format!(
                "a round with it is as good on every criterion ({with}); of equals the canonical one is taken, in which {}",
                instead()
            );
            (true, None, None, answer)
        }
        Verdict::Forbidden { paragraph, because } => {
            let answer = format!("it is forbidden: {one} {because} ({paragraph})");
            (false, Some(paragraph), None, answer)
        }
        Verdict::LeavesNoRound => {
            (false, None, None, "it is allowed, but nothing allowed remains for the others".to_owned())
        }
        Verdict::Loses { counts, chosen, alternative, .. } => {
            let answer = format!(
                "the best round with it ({with}) has {alternative} {}, the round paired has {chosen} ({}); in it {}",
                counts.counts,
                counts.paragraph,
                instead()
            );
            (false, Some(counts.paragraph.clone()), Some((valued(&counts, chosen), alternative)), answer)
        }
    };
    Ok(WhyNot { asked, possible, paragraph, loses_on, answer })
}

fn asked(one: &PlayerId, other: Option<&PlayerId>) -> String {
    match other {
        Some(other) => format!("{one} against {other}"),
        None => format!("a bye for {one}"),
    }
}

/// Why not, in a playoff.
pub(crate) fn why_not_playoff(
    next: &Proposal,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    let Some(pair) = next.paired.pairs.first() else {
        return Err(Refusal::lacking("the playoff has no pair"));
    };
    let players = [&pair.upper, &pair.lower];
    let asked = asked(one, other);
    let possible =
        players.contains(&one) && other.is_some_and(|other| other != one && players.contains(&other));
    let answer = if possible {
        format!("it is the playoff: {asked}")
    } else {
        format!("a playoff is one game of those who are level, here {} against {}", pair.upper, pair.lower)
    };
    let paragraph = rulebook.rule(RuleId::PlayoffPair).map(|rule| rule.paragraph.to_owned());
    let paragraph = paragraph.filter(|_| !possible);
    Ok(WhyNot { asked, possible, paragraph, loses_on: None, answer })
}

fn valued(criterion: &Criterion, value: i64) -> CriterionValue {
    CriterionValue { paragraph: criterion.paragraph.clone(), counts: criterion.counts.clone(), value }
}

fn byes(next: &Proposal) -> Vec<Explained> {
    let explained = |player: &PlayerId, grounds: &[Ground]| Explained {
        what: format!("{player} has the bye"),
        paragraph: paragraphs(grounds),
        because: grounds.iter().filter_map(|ground| ground.finding.clone()).collect::<Vec<_>>().join("; "),
    };
    next.paired.byes.iter().map(|bye| explained(&bye.player, &bye.grounds)).collect()
}

fn colours(next: &Proposal) -> Vec<ColoursExplained> {
    let explained = next.paired.pairs.iter().filter_map(|pair| {
        let ground = pair.colour.as_ref()?;
        let what = match pair.player(annals_events::Side::Gold) {
            Some(gold) => {
                let silver = if *gold == pair.upper { &pair.lower } else { &pair.upper };
                format!("{gold} has Gold against {silver}")
            }
            None => format!("the colours of {} against {} are still open", pair.upper, pair.lower),
        };
        let reason = Explained {
            what,
            paragraph: paragraphs(std::slice::from_ref(ground)),
            because: ground.finding.clone().unwrap_or_default(),
        };
        Some(ColoursExplained { boards: vec![pair.board], reason })
    });
    explained.collect()
}

fn paragraphs(grounds: &[Ground]) -> String {
    grounds.iter().filter_map(|ground| ground.paragraph.clone()).collect::<Vec<_>>().join("; ")
}
