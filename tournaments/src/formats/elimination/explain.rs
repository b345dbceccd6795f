//! Rounds of a floating elimination, and playoffs, explained.

use annals_events::PlayerId;
use annals_events::tournament::{Equals, Ground};

use super::roster::Roster;
use crate::explain::{CriterionValue, Explained, RoundExplanation, WhyNot};
use crate::formats::Proposal;
use crate::formats::elimination::{EliminationError, RoundPairing};
use crate::history::Player;
use crate::pairing::{Candidate, Criterion, PairingError, Verdict};
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

/// Explains a round: the criteria with its values, how each pair counts on them, the bye, the colours, and whether another
/// round is as good.
pub(crate) fn explain(
    next: &Proposal,
    round: &RoundPairing,
    roster: &Roster,
    rulebook: &Rulebook,
) -> Result<RoundExplanation, Refusal> {
    let criteria = round
        .problem
        .reasons(&round.pairing.value)
        .map(|(criterion, value)| valued(criterion, value))
        .collect();
    let paragraph = rulebook.rule(RuleId::PairingBest).map_or("", |rule| rule.paragraph);
    let mut pairs = Vec::new();
    for (&(a, b), (one, other)) in round.pairing.pairs.iter().zip(round.pairs()) {
        let counts = counts(round, Candidate::Pair(a, b), roster)?;
        pairs.push(Explained {
            what: format!("{} against {}", roster.name(one), roster.name(other)),
            paragraph: paragraph.to_owned(),
            because: format!("ranks {} and {}; {counts}", a + 1, b + 1),
        });
    }
    let another = match next.paired.equals {
        Some(Equals::Exactly(1)) => None,
        _ => round.another().map_err(|error| fault(&error, roster))?,
    };
    let another = another.map(|other| {
        let pair = |&(a, b): &(usize, usize)| {
            let player = |at: usize| roster.id(*round.ranking.get(at)?).cloned();
            Some((player(a)?, player(b)?))
        };
        other.pairs.iter().filter_map(pair).collect()
    });
    Ok(RoundExplanation {
        round: next.paired.round,
        order: next.paired.order.clone(),
        criteria,
        pairs,
        byes: byes(next),
        colours: colours(next),
        equals: next.paired.equals,
        another,
    })
}

/// Explains a playoff.
pub(crate) fn explain_playoff(next: &Proposal, rulebook: &Rulebook) -> Result<RoundExplanation, Refusal> {
    let rule = rulebook.rule(RuleId::PlayoffPair);
    let pairs = next.paired.pairs.iter().map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: rule.map_or_else(String::new, |rule| rule.paragraph.to_owned()),
        because: format!("they are level, and a game breaks the tie ({})", next.paired.stage),
    });
    Ok(RoundExplanation {
        round: next.paired.round,
        order: next.paired.order.clone(),
        criteria: Vec::new(),
        pairs: pairs.collect(),
        byes: Vec::new(),
        colours: colours(next),
        equals: next.paired.equals,
        another: None,
    })
}

/// Why two players do not meet, or one has no bye.
pub(crate) fn why_not(
    round: &RoundPairing,
    roster: &Roster,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    let number = |player: &PlayerId| {
        let number = roster.number(player).filter(|number| round.rank(*number).is_some());
        number.ok_or_else(|| Refusal::lacking(format!("{player} is not in this round")))
    };
    if other == Some(one) {
        return Err(Refusal::lacking(format!("{one} cannot meet {one}: name two players")));
    }
    let first = number(one)?;
    let (asked, found, best) = match other {
        Some(second) => {
            let second_number = number(second)?;
            let best = match opponent(round, roster, first) {
                Some(opponent) => format!("{one} meets {opponent}"),
                None => format!("{one} has the bye"),
            };
            (format!("{one} against {second}"), round.why_not(first, second_number), best)
        }
        None => {
            let asked = format!("a bye for {one}");
            let Some(bye) = round.bye() else {
                let rule = rulebook.rule(RuleId::ByeFewest);
                return Ok(WhyNot {
                    asked,
                    possible: false,
                    paragraph: rule.map(|rule| rule.paragraph.to_owned()),
                    loses_on: None,
                    answer: format!(
                        "{} players are in, an even number: nobody has a bye",
                        round.ranking.len()
                    ),
                });
            };
            (asked, round.why_no_bye(first), format!("{} has the bye", roster.name(bye)))
        }
    };
    let found = found.map_err(|error| fault(&error, roster))?;
    let with = found.alternative.as_ref().map(|pairing| {
        let pairs = pairing.pairs.iter().map(|&(a, b)| (a, Some(b)));
        let all = pairs.chain(pairing.bye.map(|bye| (bye, None)));
        let name = |at: usize| round.ranking.get(at).map_or_else(String::new, |player| roster.name(*player));
        let named = all.map(|(a, b)| match b {
            Some(b) => format!("{}-{}", name(a), name(b)),
            None => format!("bye {}", name(a)),
        });
        named.collect::<Vec<_>>().join(", ")
    });
    let with = with.unwrap_or_default();
    Ok(match found.verdict {
        Verdict::Chosen => {
            let answer = format!("it is in the round: {asked}");
            WhyNot { asked, possible: true, paragraph: None, loses_on: None, answer }
        }
        Verdict::EquallyGood => {
            let answer = format!(
                "a round with it is as good on every criterion ({with}); of equals the canonical one is taken, in which {best}"
            );
            WhyNot { asked, possible: true, paragraph: None, loses_on: None, answer }
        }
        Verdict::Forbidden { paragraph, because } => {
            let answer = format!("it is forbidden: {one} {because} ({paragraph})");
            WhyNot { asked, possible: false, paragraph: Some(paragraph), loses_on: None, answer }
        }
        Verdict::LeavesNoRound => {
            let answer = "it is allowed, but nothing allowed remains for the others".to_owned();
            WhyNot { asked, possible: false, paragraph: None, loses_on: None, answer }
        }
        Verdict::Loses { counts, chosen, alternative, .. } => {
            let answer = format!(
                "the best round with it ({with}) has {alternative} {}, the round paired has {chosen} ({}); in it {best}",
                counts.counts, counts.paragraph
            );
            let paragraph = Some(counts.paragraph.clone());
            let loses_on = Some((valued(&counts, chosen), alternative));
            WhyNot { asked, possible: false, paragraph, loses_on, answer }
        }
    })
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
    let asked = match other {
        Some(other) => format!("{one} against {other}"),
        None => format!("a bye for {one}"),
    };
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

fn opponent(round: &RoundPairing, roster: &Roster, player: Player) -> Option<String> {
    let of = |&(one, other): &(Player, Player)| match player {
        _ if one == player => Some(other),
        _ if other == player => Some(one),
        _ => None,
    };
    round.pairs().find_map(|pair| of(&pair)).map(|other| roster.name(other))
}

fn valued(criterion: &Criterion, value: i64) -> CriterionValue {
    CriterionValue { paragraph: criterion.paragraph.clone(), counts: criterion.counts.clone(), value }
}

/// What a candidate adds to the criteria, in words.
fn counts(round: &RoundPairing, candidate: Candidate, roster: &Roster) -> Result<String, Refusal> {
    let values = round.problem.values(candidate);
    let values = values.map_err(|error: PairingError| fault(&error.into(), roster))?;
    let counted: Vec<String> = round
        .problem
        .reasons(&values)
        .filter(|(_, value)| *value != 0)
        .map(|(criterion, value)| format!("{}: {value}", criterion.counts))
        .collect();
    Ok(if counted.is_empty() { "counts on no criterion".to_owned() } else { counted.join("; ") })
}

fn byes(next: &Proposal) -> Vec<Explained> {
    let explained = |player: &PlayerId, grounds: &[Ground]| Explained {
        what: format!("{player} has the bye"),
        paragraph: paragraphs(grounds),
        because: grounds.iter().filter_map(|ground| ground.finding.clone()).collect::<Vec<_>>().join("; "),
    };
    next.paired.byes.iter().map(|bye| explained(&bye.player, &bye.grounds)).collect()
}

fn colours(next: &Proposal) -> Vec<Explained> {
    let explained = next.paired.pairs.iter().filter_map(|pair| {
        let ground = pair.colour.as_ref()?;
        let what = match pair.player(annals_events::Side::Gold) {
            Some(gold) => {
                let silver = if *gold == pair.upper { &pair.lower } else { &pair.upper };
                format!("{gold} has Gold against {silver}")
            }
            None => format!("the colours of {} against {} are still open", pair.upper, pair.lower),
        };
        Some(Explained {
            what,
            paragraph: paragraphs(std::slice::from_ref(ground)),
            because: ground.finding.clone().unwrap_or_default(),
        })
    });
    explained.collect()
}

fn paragraphs(grounds: &[Ground]) -> String {
    grounds.iter().filter_map(|ground| ground.paragraph.clone()).collect::<Vec<_>>().join("; ")
}

fn fault(error: &EliminationError, roster: &Roster) -> Refusal {
    Refusal::lacking(roster.named(&error.to_string()))
}
