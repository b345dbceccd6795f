pub(super) mod close;

use annals_events::tournament::{
    Disqualification, FeeRecorded, PrizeAwarded, PrizeForfeited, PrizeReturned, Qualified, RefundRecorded,
};

use annals_events::PlayerId;
use annals_events::narrative;

use super::Checker;
use crate::formats;
use crate::fund;
use crate::rulebook::{Prizes, RuleId};
use crate::state::Money;

pub(super) fn fee_recorded(check: &mut Checker<'_>, fee: &FeeRecorded) {
    let subject = format!("the fee of {}", fee.player);
    let tournament = check.case.tournament;
    check.entered(RuleId::RegistrationFee, &subject, &fee.player);
    if let Some(fees) = check.case.fees() {
        check.hold(RuleId::RegistrationFee, &subject, fee.amount == fees.registration, || {
            (format!("{} cents", fees.registration), format!("{} cents", fee.amount))
        });
    }
    let again = tournament.booked(Money::Fee, &fee.player);
    check.hold(RuleId::RegistrationFee, subject, !again, || {
        ("a fee is paid once", format!("`{}` has paid it", fee.player))
    });
}

pub(super) fn refunded(check: &mut Checker<'_>, refund: &RefundRecorded) {
    let (tournament, rulebook) = (check.case.tournament, check.case.rulebook);
    let player = &refund.player;
    let subject = format!("the refund of {player}");
    if !check.has(RuleId::RefundDue) {
        return without_refunds(check, &subject, refund);
    }
    if !check.entered(RuleId::RefundDue, &subject, player) {
        return;
    }
    let amount = fund::refundable(tournament, rulebook);
    check.hold(RuleId::RefundDue, &subject, refund.amount == amount, || {
        (format!("{amount} cents go back"), format!("{} cents", refund.amount))
    });
    check.hold(RuleId::RefundDue, &subject, tournament.booked(Money::Fee, player), || {
        ("a fee that was paid", format!("no fee of `{player}` is recorded"))
    });
    check.hold(RuleId::RefundDue, &subject, !tournament.booked(Money::Refund, player), || {
        ("a fee goes back once", format!("`{player}` has it back"))
    });
    let keeps = fund::keeps_fee(tournament, rulebook, player);
    check.none(RuleId::RefundDue, &subject, keeps, |why| {
        ("it goes back to those who do not forfeit, resign or drop out of the tournament", why)
    });
    let over = fund::played_out(tournament, rulebook).contains(player);
    check.hold(RuleId::RefundDue, subject, over, || {
        let seeded = |order: &Qualified| {
            order.order.iter().any(|place| place.player == *player && place.seed.is_some())
        };
        let waits = tournament.order_to_final().is_some_and(|order| !seeded(order));
        let found = match waits {
            true => format!("`{player}` takes the place of a finalist who leaves before the final is paired"),
            false => format!("`{player}` still plays"),
        };
        ("it goes back once their play is over", found)
    });
}

/// A refund where the source pays no fee back: at most what the player paid, and left to the director. Edition 1 has
/// no such check.
fn without_refunds(check: &mut Checker<'_>, subject: &str, refund: &RefundRecorded) {
    let (tournament, player) = (check.case.tournament, &refund.player);
    let money = [RuleId::RegistrationFee, RuleId::PrizeShare, RuleId::PrizeLeft, RuleId::RegistrationKnown];
    let Some(rule) = check.first_rule(&money).filter(|_| check.case.rulebook.edition > 1) else { return };
    if !check.entered(rule, subject, player) {
        return;
    }
    let [paid, back] = [Money::Fee, Money::Refund].map(|what| fund::booked_to(tournament, what, player));
    let most = paid.saturating_sub(back);
    check.hold(rule, subject, refund.amount <= most, || {
        let expected = match (paid, back) {
            (0, _) => "a fee that was paid".to_owned(),
            (_, 0) => format!("at most the {} that `{player}` paid", in_units(paid)),
            _ => format!(
                "at most {}: of {} that were paid, {} went back",
                in_units(most),
                in_units(paid),
                in_units(back)
            ),
        };
        let found = match paid {
            0 => format!("no fee of `{player}` is recorded"),
            _ => in_units(refund.amount),
        };
        (expected, found)
    });
    if refund.amount <= most {
        let why = "the text pays no fee back: it is part of the fund; the director answers for the refund";
        check.open(rule, subject, why);
    }
}

fn in_units(cents: u64) -> String {
    format!("{cents} cents")
}

pub(super) fn awarded(check: &mut Checker<'_>, prize: &PrizeAwarded) {
    let (tournament, rulebook) = (check.case.tournament, check.case.rulebook);
    let player = &prize.player;
    let subject = format!("the prize of {player}");
    check.entered(RuleId::PrizeShare, &subject, player);
    let is_title = |thing: &str| rulebook.title_won.is_some_and(|title| thing.contains(title));
    if let Some(thing) = prize.thing.as_ref().filter(|thing| !is_title(thing)) {
        let rule = check.first_rule(&[RuleId::PrizeGift, RuleId::PrizeShare]);
        check.said(rule, &subject, "what is awarded", thing);
        gift(check, &subject, player, thing);
    }
    if let Some(thing) = prize.thing.as_ref().filter(|_| prize.amount == 0) {
        if is_title(thing) {
            let places =
                formats::places(tournament, rulebook).map(|places| places.placings).unwrap_or_default();
            let first = places.iter().any(|placing| placing.place == 1 && placing.player == *player);
            check.hold(RuleId::PlaceTitle, &subject, first, || {
                ("the title goes to the first", format!("`{player}` is not the first"))
            });
        }
        return;
    }
    if let Err(open) = fund::play_is_over(tournament, rulebook) {
        let expected = "all games are played before the fund is divided";
        check.hold(RuleId::PrizeShare, &subject, false, || (expected, open.to_string()));
    }
    check.hold(RuleId::PrizeShare, &subject, !tournament.awarded(player), || {
        ("a share is awarded once", format!("`{player}` has been awarded theirs"))
    });
    check.hold(
        RuleId::PrizeForfeited,
        &subject,
        !fund::forfeits_prizes(tournament, rulebook, player),
        || ("a prize that is forfeited is not awarded", format!("`{player}` forfeits it")),
    );
    if fund::keeps_no_prize(tournament, rulebook, player).is_some_and(|(by, _)| by == RuleId::PrizeReturned) {
        let why =
            format!("the program of `{player}` was limited, so that the prize would have to be returned");
        check.open(RuleId::PrizeReturned, &subject, why);
    }
    if rulebook.prizes == Prizes::None {
        return;
    }
    let due = match fund::prizes(tournament, rulebook) {
        Ok(due) => due.into_iter().find(|due| due.player == *player),
        Err(why) => return check.open(RuleId::PrizeShare, subject, why.to_string()),
    };
    let (amount, won, points) =
        due.as_ref().map_or((0, None, None), |due| (due.amount, due.games_won, due.half_points));
    check.hold(RuleId::PrizeShare, &subject, amount == prize.amount, || {
        let of = match (won, points) {
            (Some(games), _) => {
                let share = fund::share_of_a_game(tournament, rulebook);
                let (share, games_in_all) = share.unwrap_or_default();
                format!("{games} games won at {share} cents, of {games_in_all} games")
            }
            (None, Some(half_points)) => format!("{} points", narrative::points(half_points)),
            (None, None) => "nothing won".to_owned(),
        };
        (format!("{amount} cents: {of}"), format!("{} cents", prize.amount))
    });
    if due.is_some() {
        let said = (prize.games_won.is_none() || prize.games_won == won)
            && (prize.half_points.is_none() || prize.half_points == points);
        check.hold(RuleId::PrizeShare, &subject, said, || {
            (won_in_words(won, points), won_in_words(prize.games_won, prize.half_points))
        });
    }
    let left = fund::left(tournament, rulebook);
    let enough = i64::try_from(prize.amount).is_ok_and(|amount| amount <= left);
    check.hold(RuleId::PrizeShare, subject, enough, || {
        (format!("no more than is in the fund: {left} cents"), format!("{} cents", prize.amount))
    });
}

/// Games won and points, as far as they are stated.
fn won_in_words(games: Option<u32>, half_points: Option<u32>) -> String {
    let games = games.map(|games| format!("games won {games}"));
    let points = half_points.map(|half_points| format!("points {}", narrative::points(half_points)));
    let stated: Vec<String> = games.into_iter().chain(points).collect();
    if stated.is_empty() { "nothing won".to_owned() } else { stated.join(", ") }
}

/// A prize that is not money: for an entered player, once, not received from another player.
fn gift(check: &mut Checker<'_>, subject: &str, player: &PlayerId, thing: &str) {
    if !check.entered(RuleId::PrizeGift, subject, player) {
        return;
    }
    let prizes = check.case.tournament.prizes.iter().map(|prize| &prize.fact);
    let same = prizes.filter(|prize| prize.thing.as_deref() == Some(thing));
    let holders: Vec<&PlayerId> = same.map(|prize| &prize.player).collect();
    check.hold(RuleId::PrizeGift, subject, !holders.contains(&player), || {
        ("a thing is awarded once", format!("`{player}` has it already"))
    });
    if let Some(other) = holders.iter().find(|holder| **holder != player) {
        let why = format!(
            "`{other}` was awarded a prize in the same words; a certificate is not transferable, so it has to be another"
        );
        check.open(RuleId::PrizeGift, subject, why);
    }
}

pub(super) fn forfeited(check: &mut Checker<'_>, prize: &PrizeForfeited) {
    let (tournament, rulebook) = (check.case.tournament, check.case.rulebook);
    let subject = format!("the forfeited prize of {}", prize.player);
    if !check.entered(RuleId::PrizeForfeited, &subject, &prize.player) {
        return;
    }
    let faster = Disqualification::FasterHardware;
    let faster = fund::recorded_cause(tournament, rulebook, &prize.player, faster).is_some();
    check.hold(RuleId::PrizeForfeited, &subject, faster, || {
        let entrant = tournament.entrants.get(&prize.player);
        let causes = entrant.into_iter().flat_map(|entrant| &entrant.disqualified);
        let causes: Vec<&str> = causes.map(|out| out.fact.cause.word()).collect();
        let found = if causes.is_empty() { "no disqualification".to_owned() } else { causes.join(", ") };
        ("a player who was disqualified for faster hardware or other help", found)
    });
    check.hold(RuleId::PrizeForfeited, &subject, !tournament.awarded(&prize.player), || {
        ("a prize is forfeited before it is awarded, and goes back after it", "it has been awarded")
    });
    let again = tournament.booked(Money::PrizeForfeited, &prize.player);
    check.hold(RuleId::PrizeForfeited, &subject, !again, || {
        ("a prize is forfeited once", "it has been recorded")
    });
    if let Ok(due) = fund::prizes(tournament, rulebook) {
        let due = due.into_iter().find(|due| due.player == prize.player).map_or(0, |due| due.amount);
        check.hold(RuleId::PrizeForfeited, subject, due == prize.amount, || {
            (format!("what would be awarded: {due} cents"), format!("{} cents", prize.amount))
        });
    }
}

pub(super) fn returned(check: &mut Checker<'_>, prize: &PrizeReturned) {
    let (tournament, rulebook) = (check.case.tournament, check.case.rulebook);
    let subject = format!("the returned prize of {}", prize.player);
    if !check.entered(RuleId::PrizeReturned, &subject, &prize.player) {
        return;
    }
    let held = fund::held(tournament, &prize.player);
    check.hold(RuleId::PrizeReturned, &subject, prize.amount <= held, || {
        (format!("no more than was awarded: {held} cents"), format!("{} cents", prize.amount))
    });
    let limited = Disqualification::LimitedProgram;
    let limited = fund::recorded_cause(tournament, rulebook, &prize.player, limited);
    let by = fund::keeps_no_prize(tournament, rulebook, &prize.player);
    let mut bans = check.case.context.bans().iter();
    match by.or(limited.map(|at| (RuleId::PrizeReturned, at))) {
        Some((by, _)) => check.compliant(by, subject),
        None if bans.any(|standing| standing.ban.player == prize.player) => {
            let why = "a ban is recorded; the record does not say that the program was limited";
            check.open(RuleId::PrizeReturned, subject, why);
        }
        None => check.hold(RuleId::PrizeReturned, subject, false, || {
            let expected =
                "a limited program or much faster hardware, recorded by a disqualification or a ban";
            (expected, "no such thing is recorded")
        }),
    }
}
