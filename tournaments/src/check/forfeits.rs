use annals_events::tournament::{ForfeitClaimed, ResultRecorded};
use annals_events::{PlayerId, Side};

use super::{Checker, JudgingContext};
use crate::appointment;
use crate::rulebook::{MINUTE, RuleId};
use crate::state::calendar::utc;
use crate::state::{Board, Entrant};

/// Whether a player who loses a game by forfeit is removed from the tournament.
pub(crate) fn is_removed(case: &JudgingContext<'_>, player: &PlayerId) -> bool {
    let entrant = case.tournament.entrants.get(player);
    case.rulebook.rule(RuleId::ForfeitRemoved).is_some() && entrant.is_some_and(Entrant::is_in)
}

pub(super) fn claimed(check: &mut Checker<'_>, claimed: &ForfeitClaimed) {
    let pairing = claimed.pairing;
    let subject = format!("the claim of {} in {pairing}", claimed.claimant);
    let Some(board) = check.board(pairing, &subject) else { return };
    let of_the_pair = board.has(&claimed.claimant);
    check.hold(RuleId::ForfeitClaim, &subject, of_the_pair, || {
        let expected = format!("`{}` or `{}` claims it", board.upper(), board.lower());
        (expected, format!("`{}` claims it", claimed.claimant))
    });
    check.hold(RuleId::ForfeitClaim, &subject, board.outcome().is_none(), || {
        ("the game is still to be decided", format!("{pairing} has its result"))
    });
    let Some(lateness) = check.case.rulebook.lateness else { return };
    let Some(scheduled) = board.scheduled_at() else {
        let why = format!("no event fixes the time of {pairing}, so it is not known who was late");
        check.open(RuleId::ForfeitClaim, subject, why);
        return;
    };
    if let Some(said) = claimed.scheduled_at {
        check.hold(RuleId::ForfeitClaim, &subject, said == scheduled, || {
            (format!("the game was fixed for {}", utc(scheduled)), format!("the claim says {}", utc(said)))
        });
    }
    let absent = board.other(&claimed.claimant);
    if check.has(RuleId::NoticeGameTime)
        && !appointment::told_the_time(check.case.tournament, pairing, absent)
    {
        let why = format!("no notice is recorded that told `{absent}` when the game of {pairing} is played");
        check.open(RuleId::NoticeGameTime, subject.as_str(), why);
    }
    let over = scheduled.saturating_add(lateness);
    if let Some(waited) = claimed.waited_until {
        check.hold(RuleId::ForfeitClaim, &subject, waited >= over, || {
            let minutes = waited.saturating_sub(scheduled).div_euclid(MINUTE);
            let expected = format!("{} minutes are waited", lateness / MINUTE);
            (expected, format!("{minutes} minutes were waited"))
        });
        let at = check.when.at;
        check.hold(RuleId::ForfeitClaim, &subject, at >= waited, || {
            ("a claim comes after the waiting", format!("it is dated {}, before {}", utc(at), utc(waited)))
        });
    } else {
        let at = check.when.at;
        check.hold(RuleId::ForfeitClaim, subject, at >= over, || {
            (format!("the game can be claimed from {}", utc(over)), format!("it is claimed at {}", utc(at)))
        });
    }
}

/// An absent player loses and the opponent claims the game; without a claim it is unknown who waited.
pub(super) fn claimed_by_the_winner(
    check: &mut Checker<'_>,
    subject: &str,
    board: &Board,
    result: &ResultRecorded,
) {
    if !check.has(RuleId::ForfeitClaim) {
        return;
    }
    let winner = match result.outcome.winner() {
        Some(Side::Gold) => board.gold(),
        _ => board.silver(),
    };
    let Some(winner) = winner else { return };
    match &board.claim {
        Some(claim) => check.hold(RuleId::ForfeitClaim, subject, claim.fact.claimant == *winner, || {
            let found = format!("`{}` claimed it, `{winner}` wins", claim.fact.claimant);
            ("the one who claims it wins", found)
        }),
        None => {
            check.open(RuleId::ForfeitClaim, subject, "no claim is recorded, so it is not known who waited")
        }
    }
}

/// If both are absent, no player claims; both are late once the waiting time is over.
pub(super) fn nobody_came(check: &mut Checker<'_>, subject: &str, board: &Board) {
    let lateness = check.case.rulebook.lateness.filter(|_| check.case.rulebook.edition > 1);
    let Some(lateness) = lateness.filter(|_| check.has(RuleId::ForfeitClaim)) else { return };
    let Some(scheduled) = board.scheduled_at() else {
        let why = "no event fixes the time of the game, so it is not known whether both were late";
        return check.open(RuleId::ForfeitClaim, subject, why);
    };
    let (over, at) = (scheduled.saturating_add(lateness), check.when.at);
    check.hold(RuleId::ForfeitClaim, subject, at >= over, || {
        (format!("both are late from {}", utc(over)), format!("both forfeit at {}", utc(at)))
    });
}
