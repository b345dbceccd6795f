//! Fees, refunds and prizes held against the rules.

use annals_events::tournament::{
    Closed, Disqualification, Disqualified, FeeRecorded, Outcome, PlayerWithdrawn, PrizeAwarded,
    PrizeForfeited, PrizeReturned, RefundRecorded, Stage, Withdrawal,
};
use annals_events::{Termination, TournamentEvent};
use annals_tournaments::commands::Command;
use annals_tournaments::fund;

use crate::director::{Director, id, recorded};

const NAMES: [&str; 4] = ["A", "B", "C", "D"];

fn fee(name: &str, amount: u64) -> TournamentEvent {
    TournamentEvent::FeeRecorded(FeeRecorded { player: id(name), amount, note: None })
}

fn prize(name: &str, amount: u64, games_won: Option<u32>) -> TournamentEvent {
    TournamentEvent::PrizeAwarded(PrizeAwarded {
        player: id(name),
        amount,
        games_won,
        half_points: None,
        thing: None,
        ground: None,
    })
}

fn refund(name: &str, amount: u64) -> TournamentEvent {
    TournamentEvent::RefundRecorded(RefundRecorded { player: id(name), amount, ground: None, note: None })
}

fn close(director: &mut Director) {
    director.tell(TournamentEvent::Closed(Closed { places: Vec::new(), fund_left: None, note: None }));
}

/// Two rounds of a championship: three games won, one a double forfeit, with every fee paid.
fn played(rulebook: &str, stage: Stage, amount: u64) -> Director {
    let mut director = Director::with_players(rulebook, &NAMES);
    for name in NAMES {
        director.tell(fee(name, amount));
    }
    director.pair(1, stage, &[("A", "D"), ("B", "C")]);
    director.begin(1);
    director.tell(recorded("r1.1", Outcome::Gold, Termination::Goal));
    director.tell(recorded("r1.2", Outcome::Gold, Termination::Resignation));
    director.pair(2, stage, &[("A", "B"), ("C", "D")]);
    director.begin(2);
    director.tell(recorded("r2.1", Outcome::Gold, Termination::Goal));
    director.tell(recorded("r2.2", Outcome::DoubleLoss, Termination::Forfeit));
    director
}

#[test]
fn a_fee_is_paid_once_in_full_by_one_who_entered() {
    let mut director = Director::with_players("wcc-2015", &NAMES);
    assert!(director.is_violation(&fee("A", 1_000)).is_empty());
    assert_eq!(director.is_violation(&fee("A", 999)), ["registration.fee"]);
    assert!(director.is_violation(&fee("nobody", 1_000)).contains(&"registration.fee"));
    director.tell(fee("A", 1_000));
    assert_eq!(director.is_violation(&fee("A", 1_000)), ["registration.fee"]);
}

#[test]
fn every_game_of_2015_is_worth_the_same_to_its_winner() {
    let mut director = played("wcc-2015", Stage::Final, 1_000);
    assert!(director.is_violation(&prize("A", 2_000, Some(2))).contains(&"prize.share"), "it is not over");
    close(&mut director);
    assert!(director.is_violation(&prize("A", 2_000, Some(2))).is_empty());
    assert_eq!(director.is_violation(&prize("A", 2_001, Some(2))), ["prize.share"]);
    assert_eq!(director.is_violation(&prize("A", 2_000, Some(1))), ["prize.share"]);
    assert_eq!(
        director.is_violation(&prize("D", 1_000, Some(1))),
        ["prize.share"],
        "nobody wins a double forfeit"
    );
    let events = director.does(&Command::Award).events;
    assert_eq!(events.len(), 2);
    assert_eq!(
        fund::left(&director.tournament, &director.rulebook),
        1_000,
        "the share of the double forfeit stays in the fund"
    );
    assert!(director.is_violation(&prize("A", 2_000, Some(2))).contains(&"prize.share"), "once");
    assert!(director.refuses(&Command::Award).1.contains("no prize is due"));
}

#[test]
fn the_continuation_shares_the_fund_unless_the_text_is_read_otherwise() {
    let mut director = played("wcc-2015", Stage::Final, 1_000);
    director.pair(3, Stage::Continuation, &[("B", "C")]);
    director.begin(3);
    director.tell(recorded("r3.1", Outcome::Gold, Termination::Goal));
    close(&mut director);
    assert!(director.is_violation(&prize("B", 1_600, Some(2))).is_empty());
    director.rulebook.read("T31", "B").unwrap();
    assert!(director.is_violation(&prize("B", 1_000, Some(1))).is_empty());
}

#[test]
fn who_qualified_on_faster_hardware_forfeits_the_prize() {
    let mut director = played("wcc-2015", Stage::Final, 1_000);
    close(&mut director);
    let forfeited = |name: &str, amount| {
        TournamentEvent::PrizeForfeited(PrizeForfeited {
            player: id(name),
            amount,
            ground: None,
            reason: "faster hardware".to_owned(),
        })
    };
    assert_eq!(director.is_violation(&forfeited("A", 2_000)), ["prize.forfeited"]);
    director.tell(TournamentEvent::Disqualified(Disqualified {
        player: id("A"),
        cause: Disqualification::FasterHardware,
        grounds: Vec::new(),
        reason: None,
    }));
    assert_eq!(director.is_violation(&prize("A", 2_000, Some(2))), ["prize.forfeited"]);
    assert!(director.is_violation(&forfeited("A", 2_000)).is_empty());
    assert_eq!(director.is_violation(&forfeited("A", 1_999)), ["prize.forfeited"]);
    let events = director.does(&Command::Award).events;
    assert!(matches!(&events[0], TournamentEvent::PrizeForfeited(prize) if prize.player == id("A")));
    assert!(matches!(&events[1], TournamentEvent::PrizeAwarded(prize) if prize.player == id("B")));
}

#[test]
fn a_limited_program_returns_what_it_was_awarded_and_no_more() {
    let mut director = played("wcc-2015", Stage::Final, 1_000);
    close(&mut director);
    director.does(&Command::Award);
    let returned = |amount| {
        TournamentEvent::PrizeReturned(PrizeReturned {
            player: id("A"),
            amount,
            ground: None,
            reason: "the program was limited".to_owned(),
        })
    };
    assert_eq!(director.is_violation(&returned(2_000)), ["prize.returned"], "nothing was found against it");
    director.tell(TournamentEvent::Disqualified(Disqualified {
        player: id("A"),
        cause: Disqualification::LimitedProgram,
        grounds: Vec::new(),
        reason: None,
    }));
    assert!(director.is_violation(&returned(2_000)).is_empty());
    assert_eq!(director.is_violation(&returned(2_001)), ["prize.returned"]);
}

#[test]
fn half_the_fee_of_2009_goes_back_to_those_who_neither_forfeit_nor_resign_nor_drop_out() {
    let mut director = played("wc-2009", Stage::Swiss, 2_000);
    assert!(director.is_violation(&refund("A", 1_000)).contains(&"refund.due"), "their play is not over");
    close(&mut director);
    assert!(director.is_violation(&refund("A", 1_000)).is_empty());
    assert_eq!(director.is_violation(&refund("A", 2_000)), ["refund.due"]);
    assert_eq!(director.is_violation(&refund("C", 1_000)), ["refund.due"], "resigned");
    assert_eq!(director.is_violation(&refund("D", 1_000)), ["refund.due"], "forfeited");
    director.tell(TournamentEvent::PlayerWithdrawn(PlayerWithdrawn {
        player: id("B"),
        how: Withdrawal::Own,
        reason: None,
    }));
    assert_eq!(director.is_violation(&refund("B", 1_000)), ["refund.due"], "dropped out");
    let events = director.does(&Command::Refund).events;
    assert_eq!(events.len(), 1);
    assert_eq!(director.is_violation(&refund("A", 1_000)), ["refund.due"], "once");
    assert_eq!(director.refuses(&Command::Refund).0, "refund.due");
}

#[test]
fn a_source_that_pays_no_fee_back_leaves_a_refund_of_what_was_paid_to_the_director() {
    for (rulebook, stage, rule) in
        [("wcc-2015", Stage::Final, "registration.fee"), ("postal-2006", Stage::Ring, "prize.share")]
    {
        let mut director = played(rulebook, stage, 1_000);
        assert_eq!(director.is_violation(&refund("nobody", 1_000)), [rule], "{rulebook}: never entered");
        assert_eq!(director.is_violation(&refund("A", 1_001)), [rule], "{rulebook}: more than was paid");
        assert!(director.is_violation(&refund("A", 600)).is_empty(), "{rulebook}");
        assert_eq!(director.open(&refund("A", 600)), [rule], "{rulebook}");
        director.tell(refund("A", 600));
        assert_eq!(director.is_violation(&refund("A", 600)), [rule], "{rulebook}: more than is left of it");
        assert_eq!(director.open(&refund("A", 400)), [rule], "{rulebook}");
        let mut unpaid = Director::with_players(rulebook, &NAMES);
        assert_eq!(unpaid.is_violation(&refund("B", 1_000)), [rule], "{rulebook}: nothing was paid");
        unpaid.rulebook.edition = 1;
        assert!(unpaid.judged(&refund("B", 1_000)).is_empty(), "{rulebook}: edition 1 has no such check");
    }
}

#[test]
fn what_a_prize_rests_on_is_worded_for_people() {
    let mut director = played("wcc-2015", Stage::Final, 1_000);
    close(&mut director);
    let verdicts = director.judged(&prize("A", 2_000, Some(1)));
    let violation = verdicts.iter().find(|verdict| verdict.is_violation()).unwrap();
    assert_eq!(violation.holds.why().unwrap(), "expected games won 2; found: games won 1");
}

#[test]
fn the_postal_pool_is_shared_by_points() {
    let mut director = played("postal-2006", Stage::Ring, 1_000);
    close(&mut director);
    assert!(director.is_violation(&prize("A", 2_667, None)).is_empty(), "4 of 6 half points of 4,000 cents");
    assert_eq!(director.is_violation(&prize("A", 2_666, None)), ["prize.share"]);
    let total: u64 = director
        .does(&Command::Award)
        .events
        .iter()
        .map(|event| match event {
            TournamentEvent::PrizeAwarded(prize) => prize.amount,
            other => panic!("{other:?}"),
        })
        .sum();
    assert_eq!((total, fund::left(&director.tournament, &director.rulebook)), (4_000, 0));
}

#[test]
fn a_tournament_is_not_closed_while_a_board_is_open() {
    let mut director = Director::with_players("wcc-2015", &NAMES);
    director.pair(1, Stage::Final, &[("A", "D"), ("B", "C")]);
    let (_, text) = director.refuses(&Command::Close { note: None });
    assert!(text.contains("r1.1 has no result"), "{text}");
    let closed = TournamentEvent::Closed(Closed { places: Vec::new(), fund_left: None, note: None });
    assert_eq!(director.is_violation(&closed), ["place.champion"]);
    director.tell(closed.clone());
    assert!(director.is_violation(&closed).contains(&"place.champion"), "it is closed once");
    assert!(director.refuses(&Command::Close { note: None }).1.contains("closed already"));
}
