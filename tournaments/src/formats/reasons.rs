//! The reasons of a proposed round: order, byes and colours with their grounds; and those of a published
//! round.

use std::collections::BTreeSet;

use annals_events::tournament::{Bye, Equals, Ground, Pair, RoundPaired};
use annals_events::{BoardId, PlayerId, Side};

use super::{Proof, Proposal, StageState, encounters, module};
use crate::explain::{Another, ColoursExplained, Explained, RoundExplanation};
use crate::round_check::published::meetings;
use crate::rulebook::{Rule, Rulebook};
use crate::state::Tournament;

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

/// The reasons for a published round: its pairs and byes, with its colours by the rules. If its pairs differ
/// and it is as good, the proposed round is another equivalent.
pub fn as_published(
    tournament: &Tournament,
    rulebook: &Rulebook,
    proposal: Proposal,
    published: &RoundPaired,
) -> Proposal {
    let state = StageState { tournament, rulebook, stage: published.stage };
    let Some(format) = rulebook.stage(state.stage).and_then(|rules| module(&rules.format)) else {
        return proposal;
    };
    let RoundPaired { order, measures, equals, .. } = proposal.paired.clone();
    let mut paired = RoundPaired { order, measures, equals, ..published.clone() };
    for (pair, decided) in format.colours(&state, &proposal, published) {
        if let Some(own) = paired.pairs.iter_mut().find(|own| own.board == pair.board) {
            let side = |gold: &PlayerId| if *gold == own.upper { Side::Gold } else { Side::Silver };
            own.upper_side = decided.gold.as_ref().map(side);
            own.colour = decided.ground;
        }
    }
    let rule = rulebook.rule(format.rules(state.stage).colour).filter(|_| proposal.choices.is_empty());
    let open = paired.pairs.iter().filter(|pair| pair.upper_side.is_none());
    let coin = |pair: &Pair| Some((BoardId { round: paired.round, board: pair.board }, rule?));
    let coins: Vec<(BoardId, Rule)> = open.filter_map(coin).collect();
    let own = match proposal.proof {
        Proof::AllPlayAll => encounters::reasons_all(rulebook, &paired, None),
        _ => carried(rulebook, &paired, &coins),
    };
    let Proposal { paired: proposed, reasons, .. } = &proposal;
    let resting = |byes: &[Bye]| byes.iter().map(|bye| bye.player.clone()).collect::<BTreeSet<_>>();
    let byes = if resting(&proposed.byes) == resting(&paired.byes) { reasons.byes.clone() } else { own.byes };
    let reasons = if meetings(&proposed.pairs) == meetings(&paired.pairs) {
        RoundExplanation { byes, colours: own.colours, ..reasons.clone() }
    } else {
        let another = Another {
            pairs: meetings(&proposed.pairs).into_iter().collect(),
            byes: proposed.byes.iter().map(|bye| bye.player.clone()).collect(),
        };
        let equals = reasons.equals.or(Some(Equals::AtLeast(2)));
        RoundExplanation { byes, criteria: reasons.criteria.clone(), equals, ..own }.with(Some(another))
    };
    Proposal { paired, coins, reasons, ..proposal }
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
