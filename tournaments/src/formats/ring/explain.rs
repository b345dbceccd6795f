//! The ring explained: how far apart the two of each game are, and which colours that gives.

use annals_events::PlayerId;
use annals_events::tournament::Equals;

use super::propose::{colour_of, position};
use crate::explain::{Explained, RoundExplanation, WhyNot};
use crate::formats::NextRound;
use crate::formats::ring::{RingDraw, RingWhyNot};
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

fn paragraph(rulebook: &Rulebook) -> String {
    rulebook.rule(RuleId::RingPairing).map_or_else(String::new, |rule| rule.paragraph.to_owned())
}

/// Explains it.
pub(crate) fn explain(
    next: &NextRound,
    draw: &RingDraw<PlayerId>,
    rulebook: &Rulebook,
) -> Result<RoundExplanation, Refusal> {
    let place = |player: &PlayerId| position(draw, player).unwrap_or_default();
    // The distance is the greatest that a ring of so many has: then everyone meets everyone.
    let everyone = draw.reach == draw.ring.len() / 2;
    let pairs = draw.games.iter().map(|game| Explained {
        what: format!("{} against {}", game.gold, game.silver),
        paragraph: paragraph(rulebook),
        because: if everyone {
            format!("{} players: everyone meets everyone", draw.ring.len())
        } else {
            format!(
                "positions {} and {} are {} apart on a ring of {}, and players meet up to {}",
                place(&game.gold),
                place(&game.silver),
                game.distance,
                draw.ring.len(),
                draw.reach
            )
        },
    });
    let colours = draw.games.iter().map(|game| Explained {
        what: format!("{} has Gold against {}", game.gold, game.silver),
        paragraph: game.ground.paragraph().to_owned(),
        because: colour_of(game),
    });
    Ok(RoundExplanation {
        round: next.paired.round,
        order: next.paired.order.clone(),
        criteria: Vec::new(),
        pairs: pairs.collect(),
        byes: Vec::new(),
        colours: colours.collect(),
        equals: Some(Equals::Exactly(1)),
        another: None,
    })
}

/// Why not.
pub(crate) fn why_not(
    draw: &RingDraw<PlayerId>,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    let known = |player: &PlayerId| match position(draw, player) {
        Some(at) => Ok(at),
        None => Err(Refusal::lacking(format!("{player} has no position on the ring"))),
    };
    let at = known(one)?;
    let Some(other) = other else {
        return Ok(WhyNot {
            asked: format!("a bye for {one}"),
            possible: false,
            paragraph: Some(paragraph(rulebook)),
            loses_on: None,
            answer: "all games are played at once, and nobody has a bye".to_owned(),
        });
    };
    let there = known(other)?;
    let (possible, answer) = match draw.why_not(one, other) {
        RingWhyNot::TheyMeet => (true, "they do meet".to_owned()),
        RingWhyNot::Same => (false, format!("{one} is one player, and a game needs two")),
        RingWhyNot::NotEntered => (false, "one of them has no position on the ring".to_owned()),
        RingWhyNot::TooFarApart { distance, reach } => (
            false,
            format!(
                "positions {at} and {there} are {distance} apart on the ring, and players meet up to {reach}"
            ),
        ),
    };
    Ok(WhyNot {
        asked: format!("{one} against {other}"),
        possible,
        paragraph: (!possible).then(|| paragraph(rulebook)),
        loses_on: None,
        answer,
    })
}
