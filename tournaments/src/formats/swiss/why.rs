//! Explains a round of the Swiss: rejected candidates, bye, colours; and why a pair or bye is not in it.

use annals_events::tournament::RoundPaired;
use annals_events::{BoardId, PlayerId};

use super::{
    ByeChoice, ColourCount, PairedGame, Reached, Rejected, Rejection, SwissPairing, Walk, WalkOutcome,
    WalkPair,
};
use crate::explain::{CriterionValue, Explained, RoundExplanation, WhyNot};
use crate::formats::Question;
use crate::formats::reasons::carried;
use crate::rulebook::{Rule, RuleId, Rulebook};

pub(super) fn reasons(
    rulebook: &Rulebook,
    paired: &RoundPaired,
    coins: &[(BoardId, Rule)],
    pairing: &SwissPairing,
) -> RoundExplanation {
    let pairs = pairing.walk.pairs.iter().map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: pair.reached.paragraph().to_owned(),
        because: how(pair),
    });
    let mut carried = carried(rulebook, paired, coins);
    for (bye, (player, why)) in carried.byes.iter_mut().zip(&pairing.bye) {
        bye.because = format!("an odd number of players is in, and {player} is {}", bye_of(why));
    }
    RoundExplanation {
        criteria: vec![CriterionValue {
            paragraph: Rejection::Met.paragraph().to_owned(),
            counts: "pairs that have met before".to_owned(),
            value: i64::from(pairing.walk.rematches),
            of_bye: false,
        }],
        pairs: pairs.collect(),
        ..carried
    }
}

/// The colours of both players so far, as text.
pub(super) fn colours_of(game: &PairedGame) -> String {
    let had = |player: &PlayerId, count: ColourCount| {
        format!("{player} has had Gold {} and Silver {}", count.golds, count.silvers)
    };
    format!("{}; {}", had(&game.upper, game.upper_count), had(&game.lower, game.lower_count))
}

pub(super) fn bye_of(why: &ByeChoice) -> String {
    match why {
        ByeChoice::LastOfTheList => "the last of the list".to_owned(),
        ByeChoice::LowestWithFewestByes { fewest } => {
            format!("the lowest of those with the fewest byes, {fewest}")
        }
    }
}

/// How a pair was found, as text.
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

pub(crate) fn why_not_walked(walk: &Walk<PlayerId>, question: &Question<'_>, rule: RuleId) -> WhyNot {
    let other = question.other.unwrap_or(question.one);
    match walk.why_not(question.one, other) {
        WalkOutcome::Paired => question.no("", "they do meet in this round".to_owned()),
        WalkOutcome::NotListed { player } => question.no("", format!("{player} plays no more")),
        WalkOutcome::TakenBefore { player, by } => {
            question.by(rule, format!("{by} is higher, had the turn before, and took {player}"))
        }
        WalkOutcome::ReachedLater { walker, took } => {
            question.by(rule, format!("in the turn of {walker} the walk reaches {took} before"))
        }
        WalkOutcome::PassedBy { walker, why } => question.no(
            why.paragraph(),
            format!("in the turn of {walker} that pair is passed by: {}", why_passed_by(why)),
        ),
    }
}
