//! Coins: only where a rule needs one, for a player of the board, consistent with the recorded seed.

use annals_events::tournament::ColourDrawn;

use crate::check::checker::Checker;
use crate::lot;
use crate::rulebook::RuleId;
use crate::state::Board;

/// Common to all coins: one of the two has Gold, drawn once and before the start, reproducible from a stated
/// seed. Adds the verdict of `rule`.
pub(crate) fn drawn(
    check: &mut Checker<'_>,
    rule: RuleId,
    board: &Board,
    started: bool,
    drawn: &ColourDrawn,
) {
    let subject = drawn.pairing;
    let fault = fault(board, started, drawn);
    if fault.is_none() && drawn.draw.method == lot::METHOD && drawn.draw.seed.is_none() {
        return check.open(rule, subject, "the coin came from a seed, which is not recorded");
    }
    let holds = fault.is_none();
    check.hold(rule, subject, holds, || fault.unwrap_or_default());
}

fn fault(board: &Board, started: bool, drawn: &ColourDrawn) -> Option<(String, String)> {
    if !board.has(&drawn.gold) {
        let expected = format!("Gold for {} or {}", board.upper(), board.lower());
        return Some((expected, format!("Gold for {}", drawn.gold)));
    }
    if started {
        return Some(("a coin before the round begins".to_owned(), "the round has started".to_owned()));
    }
    if let Some(before) = board.drawn() {
        let found = format!("it was drawn before, with Gold for {}", before.fact.gold);
        return Some(("one coin".to_owned(), found));
    }
    if drawn.draw.method != lot::METHOD {
        return None;
    }
    let seed = drawn.draw.seed.as_deref()?;
    let expected = lot::gold(seed, drawn.pairing.round, board.upper(), board.lower());
    if *expected != drawn.gold {
        return Some((format!("Gold for {expected} from the seed"), format!("Gold for {}", drawn.gold)));
    }
    let published = drawn.draw.commitment.as_deref()?;
    let expected = lot::commitment(seed);
    (published != expected).then(|| (format!("the commitment {expected} of the seed"), published.to_owned()))
}
