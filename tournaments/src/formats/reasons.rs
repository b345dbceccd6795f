//! The reasons of a proposed round: order, byes and colours with their grounds.

use annals_events::tournament::{Ground, Pair, RoundPaired};
use annals_events::{BoardId, Side};

use crate::explain::{ColoursExplained, Explained, RoundExplanation};
use crate::rulebook::{Rule, Rulebook};

/// The format adds criteria and how the pairs were found.
pub(super) fn carried(
    rulebook: &Rulebook,
    paired: &RoundPaired,
    coins: &[(BoardId, Rule)],
) -> RoundExplanation {
    let byes = paired.byes.iter().map(|bye| Explained {
        what: format!("{} has the bye", bye.player),
        paragraph: joined(&bye.grounds, |ground| ground.paragraph.as_deref()),
        because: joined(&bye.grounds, |ground| ground.finding.as_deref()),
    });
    // The second game of an encounter has reversed colours.
    let firsts = paired.pairs.iter().filter(|pair| pair.encounter.is_none() || pair.board % 2 == 1);
    let colours = firsts.filter_map(|pair| {
        let ground = pair.colour.as_ref()?;
        let coin = coins.iter().any(|(at, _)| at.board == pair.board);
        let reason = Explained {
            what: colours_of(rulebook, pair, coin),
            paragraph: ground.paragraph.clone().unwrap_or_default(),
            because: ground.finding.clone().unwrap_or_default(),
        };
        let second = pair.encounter.map(|_| pair.board.saturating_add(1));
        Some(ColoursExplained { boards: [pair.board].into_iter().chain(second).collect(), reason })
    });
    RoundExplanation { byes: byes.collect(), colours: colours.collect(), ..RoundExplanation::of(paired) }
}

fn colours_of(rulebook: &Rulebook, pair: &Pair, coin: bool) -> String {
    let [first, second] = [Side::Gold, Side::Silver].map(|side| side.name_in(rulebook.game));
    match (pair.player(Side::Gold), pair.player(Side::Silver)) {
        (Some(one), Some(other)) if pair.encounter.is_some() => {
            format!("{one} has {first} against {other} in the first game, {second} in the second")
        }
        (Some(one), Some(other)) => format!("{one} has {first} against {other}"),
        _ if coin => format!("a coin decides who has {first}, {} or {}", pair.upper, pair.lower),
        _ => format!("the colours of {} against {} are still open", pair.upper, pair.lower),
    }
}

fn joined<'a>(grounds: &'a [Ground], text: impl Fn(&'a Ground) -> Option<&'a str>) -> String {
    grounds.iter().filter_map(text).collect::<Vec<_>>().join("; ")
}
