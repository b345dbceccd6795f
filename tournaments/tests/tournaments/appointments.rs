//! When games are played: what players ask for, what follows from it, and what they are told (2009 WC, Time of games).

use annals_events::tournament::{
    AvailabilityGiven, GameScheduled, Milestone, Notice, NoticeGiven, Outcome, Slot, Stage,
};
use annals_events::{Micros, PlayerKind, Termination, TournamentEvent};
use annals_tournaments::commands::Command;

use crate::director::{Director, id, pairing, recorded};
use crate::record::{Record, entry, round};

const HOUR: Micros = 3_600_000_000;
const DAY: Micros = 24 * HOUR;
/// Tuesday, 6 January 2009, 00:00 EST; the round is paired on the Sunday before, at 20:00.
const TUESDAY: Micros = 1_231_218_000_000_000;

fn paired() -> Director {
    let mut director = Director::with_players("wc-2009", &["A", "B", "C", "D"]);
    director.pair(1, Stage::Swiss, &[("A", "D"), ("B", "C")]);
    director
}

fn available(name: &str, round: Option<u32>, slots: &[(Micros, Micros)]) -> TournamentEvent {
    let slots = slots.iter().map(|(from, to)| Slot { from: TUESDAY + from, to: TUESDAY + to }).collect();
    TournamentEvent::AvailabilityGiven(AvailabilityGiven { player: id(name), round, slots })
}

fn scheduled(at: Micros, reason: Option<&str>) -> TournamentEvent {
    TournamentEvent::GameScheduled(GameScheduled {
        pairing: pairing("r1.1"),
        at: TUESDAY + at,
        ground: None,
        reason: reason.map(str::to_owned),
    })
}

#[test]
fn players_say_within_a_day_when_they_can_play_in_the_week() {
    let mut director = paired();
    let good = available("A", Some(1), &[(HOUR, 2 * HOUR)]);
    assert!(director.is_violation(&good).is_empty());
    for bad in [
        available("A", Some(1), &[(-HOUR, HOUR)]),
        available("A", Some(1), &[(6 * DAY - HOUR, 6 * DAY + HOUR)]),
        available("A", Some(1), &[(2 * HOUR, HOUR)]),
        available("nobody", Some(1), &[(HOUR, 2 * HOUR)]),
    ] {
        assert!(director.is_violation(&bad).contains(&"availability.window"), "{bad:?}");
    }
    director.at += DAY - 1;
    assert!(director.is_violation(&good).is_empty());
    director.at += 1;
    assert_eq!(
        director.is_violation(&good),
        ["availability.window"],
        "what is due at a time is due before it"
    );
}

#[test]
fn the_time_is_the_earliest_that_both_want_else_that_one_wants() {
    let mut director = paired();
    let schedule = Command::Schedule { pairing: pairing("r1.1"), at: None, reason: None };
    assert_eq!(director.refuses(&schedule).0, "schedule.slot", "both can still answer");
    director.tell(available("A", Some(1), &[(5 * HOUR, 9 * HOUR), (2 * HOUR, 3 * HOUR)]));
    director.tell(available("D", Some(1), &[(7 * HOUR, 10 * HOUR)]));
    assert_eq!(
        director.is_violation(&scheduled(7 * HOUR, None)),
        ["schedule.fixed"],
        "times are fixed on Monday"
    );
    director.at += DAY;
    assert!(director.is_violation(&scheduled(7 * HOUR, None)).is_empty());
    assert_eq!(director.open(&scheduled(8 * HOUR, None)), ["schedule.slot"], "both want it, though later");
    assert_eq!(director.is_violation(&scheduled(2 * HOUR, None)), ["schedule.slot"]);
    assert_eq!(director.open(&scheduled(2 * HOUR, Some("the server is down then"))), ["schedule.slot"]);
    assert!(director.is_violation(&scheduled(6 * DAY, None)).contains(&"schedule.window"));
    director.does(&schedule);
    let board = &director.tournament.rounds[&1].boards[&1];
    assert_eq!(board.scheduled_at(), Some(TUESDAY + 7 * HOUR));

    let mut director = paired();
    director.tell(available("A", Some(1), &[(5 * HOUR, 6 * HOUR)]));
    director.tell(available("D", Some(1), &[(3 * HOUR, 4 * HOUR)]));
    director.at += DAY;
    assert!(director.is_violation(&scheduled(3 * HOUR, None)).is_empty(), "nothing is wanted by both");
}

#[test]
fn who_says_nothing_wants_what_they_wanted_before_and_else_any_time() {
    let mut director = paired();
    director.tell(available("A", None, &[(-14 * DAY + 4 * HOUR, -14 * DAY + 5 * HOUR)]));
    director.at += DAY;
    director.does(&Command::Schedule { pairing: pairing("r1.1"), at: None, reason: None });
    assert_eq!(director.tournament.rounds[&1].boards[&1].scheduled_at(), Some(TUESDAY + 4 * HOUR));
    director.does(&Command::Schedule { pairing: pairing("r1.2"), at: None, reason: None });
    assert_eq!(director.tournament.rounds[&1].boards[&2].scheduled_at(), Some(TUESDAY));
    assert_eq!(
        director.refuses(&Command::Schedule { pairing: pairing("r9.1"), at: None, reason: None }).0,
        "result.paired"
    );
}

#[test]
fn a_game_whose_beginning_is_not_recorded_is_over_after_its_fixed_time_and_in_its_week_else() {
    let over = recorded("r1.1", Outcome::Gold, Termination::Goal);
    let early = |director: &mut Director, at: Micros| {
        director.at = TUESDAY + at;
        director.is_violation(&over).contains(&"schedule.begin")
    };
    let mut director = paired();
    director.tell(scheduled(2 * DAY, None));
    let lateness = director.rulebook.lateness.unwrap();
    assert!(early(&mut director, 2 * DAY - lateness - 1));
    assert!(!early(&mut director, 2 * DAY - lateness));
    assert!(!early(&mut paired(), -DAY), "no evening of publication is announced, so no week is known");

    let mut record = Record::announced("wc-2009");
    for name in ["a", "d"] {
        record.rightly(1, &entry(name, PlayerKind::Human, &[]));
    }
    let published = record.date(Milestone::PairingPublished);
    record.say(published, &round(1, Stage::Swiss, &[("a", "d")]));
    assert!(record.is_violation(TUESDAY - 1, &over).contains(&"schedule.begin"));
    assert!(!record.is_violation(TUESDAY, &over).contains(&"schedule.begin"));
}

#[test]
fn players_are_told_once_of_their_pairings_and_of_each_time() {
    let mut director = paired();
    let notify = Command::Notify { stage: None };
    let events = director.does(&notify).events;
    assert_eq!(events.len(), 2);
    assert!(matches!(&events[0], TournamentEvent::NoticeGiven(told) if told.about == Notice::Pairing));
    assert!(director.refuses(&notify).1.contains("all players have been told"));
    director.at += DAY;
    director.does(&Command::Schedule { pairing: pairing("r1.1"), at: None, reason: None });
    let events = director.does(&notify).events;
    assert!(matches!(&events[..], [TournamentEvent::NoticeGiven(told)] if told.about == Notice::GameTime));
    director.tell(scheduled(DAY, Some("moved")));
    assert_eq!(director.does(&notify).events.len(), 1, "a time that was moved is told anew");
}

#[test]
fn a_notice_goes_to_those_whom_it_concerns() {
    let director = paired();
    let notice = |names: &[&str], about, at: &str| {
        TournamentEvent::NoticeGiven(NoticeGiven {
            to: names.iter().map(|name| id(name)).collect(),
            about,
            round: Some(1),
            pairing: Some(pairing(at)),
            text: None,
        })
    };
    assert!(director.is_violation(&notice(&["A", "D"], Notice::Pairing, "r1.1")).is_empty());
    assert_eq!(director.is_violation(&notice(&["A", "B"], Notice::Pairing, "r1.1")), ["notice.pairing"]);
    assert!(director.is_violation(&notice(&["nobody"], Notice::Pairing, "r1.1")).contains(&"notice.pairing"));
    assert_eq!(director.is_violation(&notice(&["A"], Notice::GameTime, "r1.1")), ["notice.game_time"]);
}
