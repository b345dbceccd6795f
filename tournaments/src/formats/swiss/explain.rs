//! Rounds of the Swiss explained: for each pair who was tried before and why they were passed by, the bye, the colours.

use annals_events::PlayerId;
use annals_events::tournament::Equals;

use super::propose::{bye_of, colours_of};
use crate::explain::{CriterionValue, Explained, RoundExplanation, WhyNot};
use crate::formats::NextRound;
use crate::formats::swiss::{
    Reached, Rejected, Rejection, SwissColour, SwissPairing, WalkPair, WhyNot as WalkWhyNot,
};
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

/// The paragraph of a rule.
fn paragraph(rulebook: &Rulebook, rule: RuleId) -> String {
    rulebook.rule(rule).map_or_else(String::new, |rule| rule.paragraph.to_owned())
}

/// Explains it.
pub(crate) fn explain(
    next: &NextRound,
    pairing: &SwissPairing<PlayerId>,
    rulebook: &Rulebook,
) -> Result<RoundExplanation, Refusal> {
    let pairs = pairing.walk.pairs.iter().map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: pair.reached.paragraph().to_owned(),
        because: how(pair),
    });
    let byes = pairing.bye.iter().map(|(player, why)| Explained {
        what: format!("{player} has the bye"),
        paragraph: paragraph(rulebook, RuleId::SwissBye),
        because: format!("an odd number of players is in, and {player} is {}", bye_of(why)),
    });
    let colours = pairing.games.iter().map(|game| Explained {
        what: match game.colour {
            SwissColour::Upper => format!("{} has Gold against {}", game.upper, game.lower),
            SwissColour::Lower => format!("{} has Gold against {}", game.lower, game.upper),
            SwissColour::ByLot => {
                format!("a coin decides who has Gold, {} or {}", game.upper, game.lower)
            }
        },
        paragraph: paragraph(rulebook, RuleId::SwissColour),
        because: colours_of(game),
    });
    Ok(RoundExplanation {
        round: next.paired.round,
        order: next.paired.order.clone(),
        criteria: vec![CriterionValue {
            paragraph: Rejection::Met.paragraph().to_owned(),
            counts: "pairs that have met before".to_owned(),
            value: i64::from(pairing.walk.rematches),
        }],
        pairs: pairs.collect(),
        byes: byes.collect(),
        colours: colours.collect(),
        equals: Some(Equals::Exactly(1)),
        another: None,
    })
}

/// How a pair of a walk was found, in words.
pub(crate) fn how(pair: &WalkPair<PlayerId>) -> String {
    let WalkPair { upper, lower, .. } = pair;
    let reached = match pair.reached {
        Reached::SamePlace => {
            format!(
                "{upper} is in the top half of the score group, {lower} at the same place of the bottom half"
            )
        }
        Reached::FurtherDown => format!("{lower} is the next down the score group who can be taken"),
        Reached::FurtherUp => {
            format!("nobody further down the score group can be taken, and {lower} is the first going up")
        }
        Reached::NextGroup => {
            format!("nobody of the score group can be taken, and {lower} is the first below it who can")
        }
        Reached::DownTheList => {
            format!(
                "{upper} is in the bottom half of the score group, {lower} the next down the list who can be taken"
            )
        }
    };
    let mut words = reached;
    if !pair.rejected.is_empty() {
        let passed: Vec<String> = pair.rejected.iter().map(passed_by).collect();
        words += &format!("; passed by: {}", passed.join(", "));
    }
    if pair.rematch {
        words += "; the two have met before, which no round could avoid";
    }
    words
}

fn passed_by(rejected: &Rejected<PlayerId>) -> String {
    format!("{} ({})", rejected.player, why_passed_by(rejected.why))
}

fn why_passed_by(why: Rejection) -> &'static str {
    match why {
        Rejection::Met => "the two have met",
        Rejection::StrandsOthers => "the others could not all be paired without a rematch then",
    }
}

/// Why not.
pub(crate) fn why_not(
    pairing: &SwissPairing<PlayerId>,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    for player in [Some(one), other].into_iter().flatten() {
        if !pairing.order.iter().any(|line| line.player == *player) {
            return Err(Refusal::lacking(format!("{player} does not play the Swiss")));
        }
    }
    let Some(other) = other else { return Ok(no_bye(pairing, rulebook, one)) };
    if one == other {
        return Err(Refusal::lacking(format!("{one} is one player, and a pair needs two")));
    }
    let asked = format!("{one} against {other}");
    let answer = |possible: bool, paragraph: Option<String>, answer: String| WhyNot {
        asked: asked.clone(),
        possible,
        paragraph,
        loses_on: None,
        answer,
    };
    let walk = Some(paragraph(rulebook, RuleId::SwissPairing));
    Ok(match pairing.walk.why_not(one, other) {
        WalkWhyNot::Paired => answer(true, None, "they do meet in this round".to_owned()),
        WalkWhyNot::NotListed { player } => match &pairing.bye {
            Some((bye, why)) if *bye == player => {
                let words = format!("{player} has the bye, being {}", bye_of(why));
                answer(false, Some(paragraph(rulebook, RuleId::SwissBye)), words)
            }
            _ => answer(false, None, format!("{player} plays no more")),
        },
        WalkWhyNot::TakenBefore { player, by } => {
            answer(false, walk, format!("{by} stands higher, had the turn before, and took {player}"))
        }
        WalkWhyNot::ReachedLater { walker, took } => {
            answer(false, walk, format!("in the turn of {walker} the walk reaches {took} before"))
        }
        WalkWhyNot::PassedBy { walker, why } => answer(
            false,
            Some(why.paragraph().to_owned()),
            format!("in the turn of {walker} that pair is passed by: {}", why_passed_by(why)),
        ),
    })
}

fn no_bye(pairing: &SwissPairing<PlayerId>, rulebook: &Rulebook, one: &PlayerId) -> WhyNot {
    let (possible, answer) = match &pairing.bye {
        Some((player, why)) if player == one => {
            (true, format!("{one} does have the bye, being {}", bye_of(why)))
        }
        Some((player, why)) => (false, format!("the bye is that of {player}, {}", bye_of(why))),
        None => (false, "an even number of players is in, and nobody has a bye".to_owned()),
    };
    WhyNot {
        asked: format!("a bye for {one}"),
        possible,
        paragraph: (!possible).then(|| paragraph(rulebook, RuleId::SwissBye)),
        loses_on: None,
        answer,
    }
}
