use super::error::EliminationError;
use super::final_round::FinalRound;
use crate::explain::{Explained, RoundExplanation, WhyNot};
use crate::formats::reasons::carried;
use crate::formats::{Proposal, Question};
use crate::pairing::Candidate;
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

/// Criteria with values, each pair's share, bye, colours, and whether an equivalent round exists.
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
    Ok(RoundExplanation {
        criteria: best.criteria(),
        pairs,
        ..carried(rulebook, &next.paired, &next.coins).with(best.another(&round.optima)?)
    })
}

pub(crate) fn explain_playoff(next: &Proposal, rulebook: &Rulebook) -> Result<RoundExplanation, Refusal> {
    let rule = rulebook.rule(RuleId::PlayoffPair);
    let pairs = next.paired.pairs.iter().map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: rule.map_or("", |rule| rule.paragraph).to_owned(),
        because: format!("they are level, and a game breaks the tie ({})", next.paired.stage),
    });
    Ok(RoundExplanation { pairs: pairs.collect(), ..carried(rulebook, &next.paired, &next.coins) })
}

pub(crate) fn why_not_playoff(question: &Question<'_>) -> Result<WhyNot, Refusal> {
    let pair = question.proposal.paired.pairs.first();
    let pair = pair.ok_or_else(|| Refusal::lacking("the playoff has no pair"))?;
    let answer =
        format!("a playoff is one game of those who are level, here {} against {}", pair.upper, pair.lower);
    Ok(question.by(RuleId::PlayoffPair, answer))
}
