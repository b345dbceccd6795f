use std::collections::BTreeSet;

use annals_events::tournament::{Bye, Equals, Pair, RoundPaired};
use annals_events::{BoardId, PlayerId, Side};

use super::encounters::reasons_all;
use super::meetings::meetings;
use super::reasons::carried;
use super::{Proof, Proposal, StageState, module};
use crate::explain::{Another, RoundExplanation};
use crate::rulebook::{Rule, Rulebook};
use crate::state::Tournament;

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
        Proof::AllPlayAll => reasons_all(rulebook, &paired, None),
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
