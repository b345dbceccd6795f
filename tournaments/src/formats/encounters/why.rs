//! Explains a round of encounters, and why a pair or bye is not in it.

use annals_events::PlayerId;
use annals_events::tournament::{Equals, Ranked, RoundPaired};

use super::{ByeReason, OlympiadPairing, Reasons, Score};
use crate::explain::{Another, Explained, RoundExplanation, WhyNot};
use crate::formats::reasons::carried;
use crate::formats::swiss::why::{how, why_not_walked};
use crate::formats::{Question, measure};
use crate::pairing::Optima;
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

pub(super) fn bye_of(why: &ByeReason) -> String {
    format!(
        "{} byes so far, the fewest; {} half points, the lowest score of those; the lowest of {} in the order",
        why.fewest_byes, why.lowest_half_points, why.level
    )
}

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
        Reasons::LeastVector(best) => {
            let another = optima.map(|optima| best.another(&optima)).transpose()?.flatten();
            let byes = paired.byes.iter().map(|bye| bye.player.clone()).collect();
            (best.criteria(), another.map(|another| Another { byes, ..another }))
        }
        Reasons::Alone | Reasons::Walk(_) => (Vec::new(), None),
    };
    let pairs = match &pairing.reasons {
        Reasons::Walk(walk) => {
            walk.pairs.iter().map(|pair| explained(&pair.upper, &pair.lower, how(pair))).collect()
        }
        Reasons::Alone | Reasons::LeastVector(_) => {
            let seats = pairing.seats.iter().map(|seat| (&seat.white_first, &seat.white_second));
            seats.map(|(one, other)| explained(one, other, standing(pairing, one, other))).collect()
        }
    };
    let mut explanation =
        RoundExplanation { criteria, pairs, ..carried(rulebook, paired, &[]).with(another) };
    if let Reasons::LeastVector(best) = &pairing.reasons {
        rank_the_paired(&mut explanation.order, &best.ranking);
    }
    Ok(explanation)
}

/// The criteria count ranks without players who are out or have the bye: such ranks are given where they differ.
fn rank_the_paired(order: &mut [Ranked], paired: &[PlayerId]) {
    if order.len() == paired.len() {
        return;
    }
    for line in order {
        let rank =
            paired.iter().zip(1_i64..).find(|(player, _)| **player == line.player).map(|(_, rank)| rank);
        line.measures.push(measure("rank_among_the_paired", rank));
    }
}

/// Losses, scores and meetings of a pair before the round, as text.
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

pub(super) fn why_not(question: &Question<'_>, pairing: &OlympiadPairing) -> Result<WhyNot, Refusal> {
    let Question { one, other, .. } = *question;
    if let (None, Some(bye), Some(score)) = (other, &pairing.bye, score(pairing, one)) {
        return Ok(question.by(RuleId::EncounterBye, no_bye(bye, score)));
    }
    if let Some(taken) = question.taken_by_the_bye(RuleId::EncounterBye) {
        return Ok(taken);
    }
    match &pairing.reasons {
        Reasons::Alone => Ok(question.by(RuleId::EncounterPairing, "no other player is in".to_owned())),
        Reasons::Walk(walk) => Ok(why_not_walked(walk, question, RuleId::EncounterPairing)),
        Reasons::LeastVector(best) => {
            let gone = [Some(one), other].into_iter().flatten().find(|player| !best.ranking.contains(player));
            match gone {
                Some(gone) => Ok(question.by(RuleId::EncounterPairing, format!("{gone} plays no more"))),
                None => question.of_best(best),
            }
        }
    }
}

/// Why another player takes precedence for the bye.
fn no_bye(bye: &ByeReason, Score { player, byes, half_points, .. }: &Score) -> String {
    if *byes > bye.fewest_byes {
        format!("{player} has had {byes} byes, and {} had only {}", bye.player, bye.fewest_byes)
    } else if *half_points > bye.lowest_half_points {
        let lowest = bye.lowest_half_points;
        format!("{player} has {half_points} half points, and {} has fewer: {lowest}", bye.player)
    } else {
        format!("{} is lower in the order", bye.player)
    }
}

pub(crate) fn reasons_all(
    rulebook: &Rulebook,
    paired: &RoundPaired,
    another: Option<Another>,
) -> RoundExplanation {
    let rule = rulebook.paragraph(RuleId::EncounterFormat);
    let pairs = paired.pairs.iter().filter(|pair| pair.board % 2 == 1).map(|pair| Explained {
        what: format!("{} against {}", pair.upper, pair.lower),
        paragraph: rule.clone(),
        because: format!("{} entrants: everyone meets everyone once", paired.order.len()),
    });
    // A published round may omit the reason of its colours. The text does not rule who has White first.
    let mut grounded = paired.clone();
    for pair in grounded.pairs.iter_mut().filter(|pair| pair.colour.is_none()) {
        pair.colour = rulebook.ground(RuleId::EncounterGames, "each has White in one of the two games");
    }
    let mut carried = carried(rulebook, &grounded, &[]);
    for (explained, bye) in carried.byes.iter_mut().zip(&paired.byes) {
        explained.what = format!("{} rests", bye.player);
        explained.because =
            "of an odd number one has no opponent in each round; resting is worth nothing".to_owned();
    }
    let equals = another.is_some().then_some(Equals::AtLeast(2));
    RoundExplanation { pairs: pairs.collect(), equals, ..carried.with(another) }
}

pub(super) fn why_not_all(question: &Question<'_>) -> WhyNot {
    let answer = match question.other {
        Some(_) => "everyone meets everyone once, and their encounter is in another round".to_owned(),
        None => format!("{} rests in another round", question.one),
    };
    question.by(RuleId::EncounterFormat, answer)
}
