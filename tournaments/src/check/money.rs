//! Fees, contributions, refunds, prizes, and the close with its places.

mod close;

use annals_events::tournament::{FeeRecorded, PrizeAwarded, PrizeForfeited, PrizeReturned, RefundRecorded};
use annals_events::{PlayerId, TournamentEvent};

use super::Bench;
use crate::formats;
use crate::fund;
use crate::rulebook::{Prizes, RuleId};
use crate::state::Money;

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::FeeRecorded(fee) => fee_recorded(bench, fee),
        TournamentEvent::RefundRecorded(refund) => refunded(bench, refund),
        TournamentEvent::PrizeAwarded(prize) => awarded(bench, prize),
        TournamentEvent::PrizeForfeited(prize) => forfeited(bench, prize),
        TournamentEvent::PrizeReturned(prize) => returned(bench, prize),
        TournamentEvent::Closed(closed) => close::judge(bench, closed),
        _ => {}
    }
}

fn entered(bench: &mut Bench<'_>, rule: RuleId, subject: &str, player: &PlayerId) -> bool {
    let known = bench.case.tournament.entrants.contains_key(player);
    bench.hold(rule, subject, known, || {
        ("a player who entered".to_owned(), format!("`{player}` never entered"))
    });
    known
}

fn fee_recorded(bench: &mut Bench<'_>, fee: &FeeRecorded) {
    let subject = format!("the fee of {}", fee.player);
    let tournament = bench.case.tournament;
    entered(bench, RuleId::RegistrationFee, &subject, &fee.player);
    let announced = tournament.announced.as_ref().and_then(|announced| announced.fees.as_ref());
    if let Some(fees) = announced.or(bench.case.rulebook.fees.as_ref()) {
        bench.hold(RuleId::RegistrationFee, subject.as_str(), fee.amount == fees.registration, || {
            (format!("{} cents", fees.registration), format!("{} cents", fee.amount))
        });
    }
    let again = fund::booked(tournament, Money::Fee, &fee.player);
    bench.hold(RuleId::RegistrationFee, subject, !again, || {
        ("a fee is paid once".to_owned(), format!("`{}` has paid it", fee.player))
    });
}

fn refunded(bench: &mut Bench<'_>, refund: &RefundRecorded) {
    let (tournament, rulebook) = (bench.case.tournament, bench.case.rulebook);
    let player = &refund.player;
    let subject = format!("the refund of {player}");
    if !entered(bench, RuleId::RefundDue, &subject, player) {
        return;
    }
    let amount = fund::refundable(tournament, rulebook);
    bench.hold(RuleId::RefundDue, subject.as_str(), refund.amount == amount, || {
        (format!("{amount} cents go back"), format!("{} cents", refund.amount))
    });
    bench.hold(RuleId::RefundDue, subject.as_str(), fund::booked(tournament, Money::Fee, player), || {
        ("a fee that was paid".to_owned(), format!("no fee of `{player}` is recorded"))
    });
    bench.hold(RuleId::RefundDue, subject.as_str(), !fund::booked(tournament, Money::Refund, player), || {
        ("a fee goes back once".to_owned(), format!("`{player}` has it back"))
    });
    let keeps = fund::keeps_fee(tournament, player);
    bench.hold(RuleId::RefundDue, subject.as_str(), keeps.is_none(), || {
        let expected = "it goes back to those who neither forfeit, resign nor drop out".to_owned();
        (expected, keeps.clone().unwrap_or_default())
    });
    let over = fund::has_played_out(tournament, rulebook, player);
    bench.hold(RuleId::RefundDue, subject, over, || {
        ("it goes back once their play is over".to_owned(), format!("`{player}` still plays"))
    });
}

fn awarded(bench: &mut Bench<'_>, prize: &PrizeAwarded) {
    let (tournament, rulebook) = (bench.case.tournament, bench.case.rulebook);
    let player = &prize.player;
    let subject = format!("the prize of {player}");
    entered(bench, RuleId::PrizeShare, &subject, player);
    if let Some(thing) = prize.thing.as_ref().filter(|_| prize.amount == 0) {
        if rulebook.title_won.is_some_and(|title| thing.contains(title)) {
            let places =
                formats::places(tournament, rulebook).map(|places| places.placings).unwrap_or_default();
            let first = places.iter().any(|placing| placing.place == 1 && placing.player == *player);
            bench.hold(RuleId::PlaceTitle, subject.as_str(), first, || {
                ("the title goes to the first".to_owned(), format!("`{player}` is not the first"))
            });
        }
        return;
    }
    if let Err(open) = fund::play_is_over(tournament, rulebook) {
        bench.hold(RuleId::PrizeShare, subject.as_str(), false, || {
            ("all games are played before the fund is divided".to_owned(), open.to_string())
        });
    }
    let again = tournament.prizes.iter().any(|old| old.fact.player == *player && old.fact.amount > 0);
    bench.hold(RuleId::PrizeShare, subject.as_str(), !again, || {
        ("a share is awarded once".to_owned(), format!("`{player}` has been awarded theirs"))
    });
    bench.hold(RuleId::PrizeForfeited, subject.as_str(), !fund::forfeits_prizes(tournament, player), || {
        ("a prize that is forfeited is not awarded".to_owned(), format!("`{player}` forfeits it"))
    });
    if rulebook.prizes == Prizes::None {
        return;
    }
    let due = match fund::prizes(tournament, rulebook) {
        Ok(due) => due.into_iter().find(|due| due.player == *player),
        Err(why) => return bench.open(RuleId::PrizeShare, subject, why.to_string()),
    };
    let amount = due.as_ref().map_or(0, |due| due.amount);
    bench.hold(RuleId::PrizeShare, subject.as_str(), amount == prize.amount, || {
        let of = match (
            due.as_ref().and_then(|due| due.games_won),
            due.as_ref().and_then(|due| due.half_points),
        ) {
            (Some(games), _) => {
                let share = fund::share_of_a_game(tournament, rulebook);
                let (share, games_in_all) = share.unwrap_or_default();
                format!("{games} games won at {share} cents, of {games_in_all} games")
            }
            (None, Some(half_points)) => format!("{half_points} half points"),
            (None, None) => "nothing won".to_owned(),
        };
        (format!("{amount} cents: {of}"), format!("{} cents", prize.amount))
    });
    if let Some(due) = &due {
        let said = prize.games_won.is_none_or(|said| Some(said) == due.games_won)
            && prize.half_points.is_none_or(|said| Some(said) == due.half_points);
        bench.hold(RuleId::PrizeShare, subject.as_str(), said, || {
            (
                format!("games won {:?}, half points {:?}", due.games_won, due.half_points),
                format!("games won {:?}, half points {:?}", prize.games_won, prize.half_points),
            )
        });
    }
    let left = tournament.fund();
    let enough = i64::try_from(prize.amount).is_ok_and(|amount| amount <= left);
    bench.hold(RuleId::PrizeShare, subject, enough, || {
        (format!("no more than is in the fund: {left} cents"), format!("{} cents", prize.amount))
    });
}

fn forfeited(bench: &mut Bench<'_>, prize: &PrizeForfeited) {
    let tournament = bench.case.tournament;
    let subject = format!("the forfeited prize of {}", prize.player);
    if !entered(bench, RuleId::PrizeForfeited, &subject, &prize.player) {
        return;
    }
    use annals_events::tournament::Disqualification;
    let entrant = tournament.entrants.get(&prize.player);
    let cause = entrant.and_then(|entrant| entrant.disqualified.as_ref()).map(|out| out.fact.cause);
    bench.hold(
        RuleId::PrizeForfeited,
        subject.as_str(),
        cause == Some(Disqualification::FasterHardware),
        || {
            let found = cause.map_or("no disqualification", Disqualification::word);
            ("a player who was disqualified for faster hardware or other help".to_owned(), found.to_owned())
        },
    );
    let paid = tournament.prizes.iter().any(|old| old.fact.player == prize.player && old.fact.amount > 0);
    bench.hold(RuleId::PrizeForfeited, subject.as_str(), !paid, || {
        ("a prize is forfeited before it is awarded".to_owned(), "it has been awarded".to_owned())
    });
    let again = fund::booked(tournament, Money::PrizeForfeited, &prize.player);
    bench.hold(RuleId::PrizeForfeited, subject.as_str(), !again, || {
        ("a prize is forfeited once".to_owned(), "it has been recorded".to_owned())
    });
    if let Ok(due) = fund::prizes(tournament, bench.case.rulebook) {
        let due = due.into_iter().find(|due| due.player == prize.player).map_or(0, |due| due.amount);
        bench.hold(RuleId::PrizeForfeited, subject, due == prize.amount, || {
            (format!("what would be awarded: {due} cents"), format!("{} cents", prize.amount))
        });
    }
}

fn returned(bench: &mut Bench<'_>, prize: &PrizeReturned) {
    let tournament = bench.case.tournament;
    let subject = format!("the returned prize of {}", prize.player);
    if !entered(bench, RuleId::PrizeReturned, &subject, &prize.player) {
        return;
    }
    let sum = |what: Money| -> u128 {
        let lines = tournament.ledger.iter().filter(|line| line.what == what);
        lines.filter(|line| line.who == prize.player.as_str()).map(|line| u128::from(line.amount)).sum()
    };
    let held = sum(Money::Prize).saturating_sub(sum(Money::PrizeReturned));
    bench.hold(RuleId::PrizeReturned, subject.as_str(), u128::from(prize.amount) <= held, || {
        (format!("no more than was awarded: {held} cents"), format!("{} cents", prize.amount))
    });
    use annals_events::tournament::Disqualification;
    let entrant = tournament.entrants.get(&prize.player);
    let cause = entrant.and_then(|entrant| entrant.disqualified.as_ref()).map(|out| out.fact.cause);
    let banned = tournament.bans.iter().any(|ban| ban.player == prize.player);
    match cause {
        Some(Disqualification::LimitedProgram) => {
            bench.hold(RuleId::PrizeReturned, subject, true, Default::default);
        }
        _ if banned => {
            let why = "a ban is recorded; the record does not say that the program was limited";
            bench.open(RuleId::PrizeReturned, subject, why);
        }
        _ => bench.hold(RuleId::PrizeReturned, subject, false, || {
            let expected = "a program that is limited in time or games, recorded as a ban".to_owned();
            (expected, "no such thing is recorded".to_owned())
        }),
    }
}
