//! Why a round of the Swiss is as it is: for each pair who was tried before and why they were passed by, the bye, the
//! colours; and why a pair or a bye is not in it.

use annals_events::PlayerId;
use annals_events::tournament::RoundPaired;

use super::{
    ByeChoice, ColourCount, PairedGame, Reached, Rejected, Rejection, SwissColour, SwissPairing, Walk,
    WalkPair, WhyNot as WalkWhyNot,
};
use crate::explain::{ColoursExplained, CriterionValue, Explained, RoundExplanation, WhyNot};
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

/// The reasons of a round.
pub(super) fn reasons(rulebook: &Rulebook, paired: &RoundPaired, pairing: &SwissPairing) -> RoundExplanation {
    let pairs = pairing.walk.pairs.iter().map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: pair.reached.paragraph().to_owned(),
        because: how(pair),
    });
    let byes = pairing.bye.iter().map(|(player, why)| Explained {
        what: format!("{player} has the bye"),
        paragraph: rulebook.paragraph(RuleId::SwissBye),
        because: format!("an odd number of players is in, and {player} is {}", bye_of(why)),
    });
    let colours = (1..).zip(&pairing.games).map(|(board, game)| ColoursExplained {
        boards: vec![board],
        reason: Explained {
            what: match game.colour {
                SwissColour::Upper => format!("{} has Gold against {}", game.upper, game.lower),
                SwissColour::Lower => format!("{} has Gold against {}", game.lower, game.upper),
                SwissColour::ByLot => {
                    format!("a coin decides who has Gold, {} or {}", game.upper, game.lower)
                }
            },
            paragraph: rulebook.paragraph(RuleId::SwissColour),
            because: colours_of(game),
        },
    });
    RoundExplanation {
        criteria: vec![CriterionValue {
            paragraph: Rejection::Met.paragraph().to_owned(),
            counts: "pairs that have met before".to_owned(),
            value: i64::from(pairing.walk.rematches),
        }],
        pairs: pairs.collect(),
        byes: byes.collect(),
        colours: colours.collect(),
        ..RoundExplanation::of(paired)
    }
}

/// How often the two of a pair have had each colour, in words.
pub(super) fn colours_of(game: &PairedGame) -> String {
    let had = |player: &PlayerId, count: ColourCount| {
        format!("{player} has had Gold {} and Silver {}", count.golds, count.silvers)
    };
    format!("{}; {}", had(&game.upper, game.upper_count), had(&game.lower, game.lower_count))
}

/// Why a player has the bye, in words.
pub(super) fn bye_of(why: &ByeChoice) -> String {
    match why {
        ByeChoice::LastOfTheList => "the last of the list".to_owned(),
        ByeChoice::LowestWithFewestByes { fewest } => {
            format!("the lowest of those with the fewest byes, {fewest}")
        }
    }
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

/// Why a pair or a bye is not in a round.
pub(super) fn why_not(
    rulebook: &Rulebook,
    pairing: &SwissPairing,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    for player in [Some(one), other].into_iter().flatten() {
        if !pairing.order.iter().any(|line| line.player == *player) {
            return Err(Refusal::lacking(format!("{player} does not play the Swiss")));
        }
    }
    let bye_rule = rulebook.paragraph(RuleId::SwissBye);
    let Some(other) = other else {
        let (possible, answer) = match &pairing.bye {
            Some((player, why)) if player == one => {
                (true, format!("{one} does have the bye, being {}", bye_of(why)))
            }
            Some((player, why)) => (false, format!("the bye is that of {player}, {}", bye_of(why))),
            None => (false, "an even number of players is in, and nobody has a bye".to_owned()),
        };
        return Ok(WhyNot::of_bye(one, possible, &bye_rule, answer));
    };
    if one == other {
        return Err(Refusal::lacking(format!("{one} is one player, and a pair needs two")));
    }
    if let Some((bye, why)) = pairing.bye.as_ref().filter(|(bye, _)| bye == one || bye == other) {
        let words = format!("{bye} has the bye, being {}", bye_of(why));
        return Ok(WhyNot::of_pair(one, other, false, &bye_rule, words));
    }
    Ok(why_not_walked(&pairing.walk, &rulebook.paragraph(RuleId::SwissPairing), one, other))
}

/// Why a pair is not in a walk.
pub(crate) fn why_not_walked(
    walk: &Walk<PlayerId>,
    paragraph: &str,
    one: &PlayerId,
    other: &PlayerId,
) -> WhyNot {
    let (possible, paragraph, answer) = match walk.why_not(one, other) {
        WalkWhyNot::Paired => (true, "", "they do meet in this round".to_owned()),
        WalkWhyNot::NotListed { player } => (false, "", format!("{player} plays no more")),
        WalkWhyNot::TakenBefore { player, by } => {
            (false, paragraph, format!("{by} stands higher, had the turn before, and took {player}"))
        }
        WalkWhyNot::ReachedLater { walker, took } => {
            (false, paragraph, format!("in the turn of {walker} the walk reaches {took} before"))
        }
        WalkWhyNot::PassedBy { walker, why } => (
            false,
            why.paragraph(),
            format!("in the turn of {walker} that pair is passed by: {}", why_passed_by(why)),
        ),
    };
    WhyNot::of_pair(one, other, possible, paragraph, answer)
}
