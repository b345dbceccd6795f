use annals_events::TournamentEvent;
use annals_events::tournament::{ColourDrawn, RoundPaired};

use crate::check::JudgingContext;
use crate::formats::{Proposal, next_round};
use crate::fund;
use crate::lot;
use crate::refusal::{Refusal, Remedy};

/// The events, and the proposal that the first one publishes.
pub(super) fn draft(
    case: &JudgingContext<'_>,
    seed: Option<&str>,
) -> Result<(Vec<TournamentEvent>, Proposal), Refusal> {
    let proposal = next_round(case.tournament, case.rulebook)
        .map_err(|refusal| fund::before_close(case.tournament, case.rulebook, refusal))?;
    let Proposal { paired, coins, .. } = &proposal;
    let mut events = vec![TournamentEvent::RoundPaired(paired.clone())];
    if let (None, Some((pairing, rule))) = (seed, coins.first()) {
        let what =
            format!("the colours of {pairing} are decided by a coin, and there is no seed to draw it from");
        return Err(Refusal::by(Some(*rule), what).hint(Remedy::PairWithSeed));
    }
    for &(pairing, rule) in coins {
        let Some((seed, pair)) = seed.zip(pair_of(paired, pairing.board)) else { continue };
        events.push(TournamentEvent::ColourDrawn(ColourDrawn {
            pairing,
            gold: lot::gold(seed, pairing.round, &pair.upper, &pair.lower).clone(),
            draw: lot::draw_of(seed, None),
            ground: Some(rule.ground(None)),
        }));
    }
    Ok((events, proposal))
}

fn pair_of(paired: &RoundPaired, board: u32) -> Option<&annals_events::tournament::Pair> {
    paired.pairs.iter().find(|pair| pair.board == board)
}
