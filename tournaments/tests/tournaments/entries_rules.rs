//! Announcements, entries, ratings, withdrawals: each rule followed, and broken.

use annals_events::tournament::*;
use annals_events::{Pairing, PlayerKind, Termination};
use annals_tournaments::around::StandingBan;
use annals_tournaments::decide::{AnnounceOrder, Command, announcement, published_schedule};
use annals_tournaments::rulebook::{DAY, Rulebook};

use crate::record::{E, Record, departed, entry, game, id, left, left_open, round, stable};

use PlayerKind::{Bot, Human};

#[test]
fn every_rulebook_is_announced_with_every_reading_and_read_back_the_same() {
    for mut rulebook in Rulebook::all() {
        let numbers = rulebook.ambiguous;
        if numbers.contains(&"T7") {
            rulebook.read("T7", "B").unwrap();
        }
        let order = AnnounceOrder { schedule: published_schedule(&rulebook), ..AnnounceOrder::default() };
        let announced = announcement(&rulebook, order);
        assert_eq!(announced.options.len(), numbers.len(), "{}", rulebook.name);
        assert_eq!(Rulebook::of(&announced).unwrap(), rulebook);
        let mut record = Record::empty(rulebook.name);
        record.rulebook = rulebook;
        assert_eq!(record.departs(0, &E::Announced(announced)), [""; 0]);
    }
}

#[test]
fn the_published_dates_are_those_of_the_sources() {
    let dates = |name: &str| -> Vec<(Milestone, i64)> {
        let rulebook = Rulebook::named(name).unwrap();
        published_schedule(&rulebook).iter().map(|date| (date.milestone, date.at / 1_000_000)).collect()
    };
    use Milestone::*;
    let of_2015 = [
        (RegistrationOpens, 1_417_478_400),
        (RegistrationCloses, 1_420_070_400),
        (QualifyingOpens, 1_420_156_800),
        (QualifyingCloses, 1_422_835_200),
        (ProgramsDue, 1_424_649_600),
    ];
    for date in of_2015 {
        assert!(dates("wcc-2015").contains(&date), "{date:?}");
    }
    assert_eq!(dates("wcc-2015").len(), 10);
    assert_eq!(
        dates("wc-2009"),
        [(RegistrationCloses, 1_230_937_200), (PairingPublished, 1_231_117_200), (PlayBegins, 1_231_218_000),]
    );
    assert_eq!(dates("postal-2006"), []);
}

#[test]
fn an_announcement_that_is_not_the_rulebooks_departs_on_the_rule_that_it_breaks() {
    type Change = fn(&mut Announced);
    let cases: [(&str, Change); 12] = [
        ("announcement.rulebook", |a| a.edition = 2),
        ("announcement.rulebook", |a| a.rulebook = "wc-2009".to_owned()),
        ("announcement.readings", |a| drop(a.options.remove("T7"))),
        ("announcement.readings", |a| drop(a.options.insert("T7".to_owned(), "Z".to_owned()))),
        ("announcement.readings", |a| drop(a.options.insert("T16".to_owned(), "A".to_owned()))),
        ("announcement.terms", |a| a.fees.as_mut().unwrap().penalty = 1_999),
        ("announcement.terms", |a| a.stages[1].time_control = Some("2m/5m/100/0/8h/6m".to_owned())),
        ("announcement.terms", |a| a.stages[0].places = Some(9)),
        ("announcement.terms", |a| a.stages.swap(0, 1)),
        ("announcement.terms", |a| drop(a.stages.remove(1))),
        ("announcement.terms", |a| a.currency = None),
        ("announcement.schedule", |a| a.schedule[1].at = a.schedule[0].at),
    ];
    let record = Record::empty("wcc-2015");
    let E::Announced(right) = record.announcement() else { unreachable!() };
    for (i, (rule, change)) in cases.into_iter().enumerate() {
        let mut announced = right.clone();
        change(&mut announced);
        assert_eq!(record.departs(0, &E::Announced(announced)), [rule], "case {i}");
    }
    let mut without_continuation = right.clone();
    without_continuation.stages.pop();
    assert_eq!(record.departs(0, &E::Announced(without_continuation)), [""; 0]);
    let again = Record::announced("wcc-2015");
    assert_eq!(again.departs(0, &E::Announced(right)), ["announcement.first"]);
}

fn moved(milestone: Milestone, at: i64) -> E {
    E::ScheduleChanged(ScheduleChanged {
        schedule: vec![Deadline { milestone, at }],
        reason: "storm".to_owned(),
    })
}

#[test]
fn dates_move_until_something_rests_on_them() {
    use Milestone::*;
    let record = Record::announced("wcc-2015").with_bots(2);
    let closes = record.date(QualifyingCloses);
    let now = record.date(QualifyingOpens);
    let longer = moved(QualifyingCloses, closes + DAY);
    assert_eq!(record.departs(now, &longer), [""; 0]);
    assert_eq!(left_open(&record.ask(now, &longer)), [""; 0]);
    assert_eq!(left_open(&record.ask(closes + 1, &longer)), ["announcement.schedule"], "it had passed");
    assert_eq!(
        record.departs(now, &moved(QualifyingCloses, now)),
        ["announcement.schedule"],
        "it would open then"
    );
    let twice = E::ScheduleChanged(ScheduleChanged {
        schedule: vec![Deadline { milestone: PlayEnds, at: closes * 2 }; 2],
        reason: String::new(),
    });
    assert_eq!(record.departs(now, &twice), ["announcement.schedule"]);
    let published = Record::qualified(9);
    assert_eq!(published.departs(closes + DAY, &longer), ["announcement.schedule"]);
    assert_eq!(Record::empty("wcc-2015").departs(0, &longer), ["announcement.first"]);
}

#[test]
fn who_may_enter_is_the_rulebooks_to_say() {
    let at = |record: &Record| match record.rulebook.name {
        "wcc-2015" => record.date(Milestone::RegistrationOpens) + 1,
        "wc-2009" => record.date(Milestone::RegistrationCloses) - 1,
        _ => 5,
    };
    for (rulebook, kind, departures) in [
        ("wcc-2015", Bot, vec![]),
        ("wcc-2015", Human, vec!["eligibility.kind"]),
        ("wc-2009", Human, vec![]),
        ("wc-2009", Bot, vec!["eligibility.kind"]),
        ("postal-2006", Human, vec![]),
        ("postal-2006", Bot, vec![]),
        ("olympiad-amazons-2000", Bot, vec![]),
        ("olympiad-amazons-2000", Human, vec!["eligibility.kind"]),
    ] {
        let record = Record::announced(rulebook);
        let event = entry("somebody", kind, &["D"]);
        assert_eq!(record.departs(at(&record), &event), departures, "{rulebook} {kind:?}");
        let command = Command::Record(Box::new(event));
        let refused = record.decide(at(&record), &command).err().map(|refusal| refusal.rule.unwrap().name);
        assert_eq!(refused, departures.first().copied(), "the desk says what the audit says");
    }
}

#[test]
fn entries_are_made_after_the_opening_and_before_the_close() {
    let record = Record::announced("wcc-2015");
    let (opens, closes) =
        (record.date(Milestone::RegistrationOpens), record.date(Milestone::RegistrationCloses));
    let event = entry("sharp", Bot, &["Wu"]);
    for (at, departures) in [
        (opens, vec!["registration.window"]),
        (opens + 1, vec![]),
        (closes - 1, vec![]),
        (closes, vec!["registration.window"]),
    ] {
        assert_eq!(record.departs(at, &event), departures, "at {at}");
    }
    let refusal = record.decide(closes, &Command::Record(Box::new(event.clone()))).unwrap_err().to_string();
    assert!(refusal.contains("before 2015-01-01 00:00:00 UTC"), "{refusal}");
    assert!(refusal.contains("registration.window, 2015 WCC, Registration"), "{refusal}");

    let mut late = record.when(closes - 1);
    late.recorded_at = closes + 1;
    let verdicts = annals_tournaments::judge::judge(&record.case(), &late, &event);
    assert_eq!(
        (departed(&verdicts), left_open(&verdicts)),
        (vec![], vec!["registration.window"]),
        "dated back"
    );
    late.imported = true;
    let verdicts = annals_tournaments::judge::judge(&record.case(), &late, &event);
    assert_eq!(left_open(&verdicts), [""; 0], "an import is always late");

    let mut undated = Record::empty("wcc-2015");
    undated.say(0, &E::Announced(announcement(&undated.rulebook, AnnounceOrder::default())));
    assert_eq!(left_open(&undated.ask(9, &event)), ["registration.window"]);

    let mut postal = Record::announced("postal-2006");
    assert_eq!(postal.departs(9, &event), [""; 0]);
    postal.say(9, &entry("anna", Human, &[]));
    postal.say(9, &entry("bela", Human, &[]));
    postal.say(10, &round(1, Stage::Ring, &[("anna", "bela")]));
    assert_eq!(postal.departs(11, &event), ["registration.window"]);
    let published = Record::qualified(3);
    assert_eq!(published.departs(closes - 1, &event), ["registration.window"], "the order is published");
}

#[test]
fn a_player_enters_once_and_a_developer_enters_one_program() {
    let mut record = Record::announced("wcc-2015");
    let at = record.date(Milestone::RegistrationCloses) - DAY;
    record.rightly(at, &entry("sharp", Bot, &["David Wu"]));
    let developers = ["registration.one_per_developer"];
    assert_eq!(record.departs(at, &entry("sharp", Bot, &["Somebody"])), ["registration.once"]);
    assert_eq!(record.departs(at, &entry("blunt", Bot, &["A. N. Other", " david  WU "])), developers);
    assert_eq!(record.departs(at, &entry("blunt", Bot, &["David Wuu"])), [""; 0]);
    assert_eq!(left_open(&record.ask(at, &entry("blunt", Bot, &[]))), developers);
    record.rightly(at, &left("sharp", Withdrawal::Own));
    assert_eq!(record.departs(at, &entry("blunt", Bot, &["David Wu"])), [""; 0], "the other one is out");
}

#[test]
fn nobody_enters_whom_a_ban_binds() {
    let mut record = Record::announced("wcc-2015");
    let at = record.date(Milestone::RegistrationCloses) - DAY;
    let ban = |player: &str, series: Option<&str>, until: Option<i64>| StandingBan {
        tournament: "wcc-2014".parse().unwrap(),
        seq: 77,
        at: at - 1_000,
        ban: BanRecorded {
            player: id(player),
            developers: vec!["David Wu".to_owned()],
            series: series.map(str::to_owned),
            until,
            grounds: Vec::new(),
            evidence: Vec::new(),
            reason: "qualified on a cluster".to_owned(),
        },
    };
    let (named, by_developer) = (entry("sharp", Bot, &["X"]), entry("other", Bot, &["david wu"]));
    for (standing, binds) in [
        (ban("sharp", None, None), true),
        (ban("sharp", Some("arimaa-wcc"), Some(at + 1)), true),
        (ban("sharp", Some("arimaa-wcc"), Some(at)), false),
        (ban("sharp", Some("arimaa-wc"), None), false),
        (StandingBan { at: at + 1, ..ban("sharp", None, None) }, false),
    ] {
        record.around.bans = vec![standing.clone()];
        let expected = if binds { vec!["registration.ban"] } else { vec![] };
        assert_eq!(record.departs(at, &named), expected, "{standing:?}");
        assert_eq!(record.departs(at, &by_developer), expected, "{standing:?}");
        assert_eq!(record.departs(at, &entry("third", Bot, &["Y"])), [""; 0]);
    }
    record.around.bans = vec![ban("sharp", None, None)];
    let refusal = record.decide(at, &Command::Record(Box::new(named))).unwrap_err().to_string();
    assert!(refusal.contains("wcc-2014, event 77") && refusal.contains("cluster"), "{refusal}");
}

#[test]
fn ratings_withdrawals_and_returns_concern_those_who_entered() {
    let mut record = Record::announced("wcc-2015").with_bots(3);
    let at = record.date(Milestone::QualifyingOpens);
    let ratings = |list: &[(&str, i32)]| {
        let rating = |(player, rating): &(&str, i32)| PlayerRating { player: id(player), rating: *rating };
        E::RatingsRecorded(RatingsRecorded { ratings: list.iter().map(rating).collect(), source: None })
    };
    assert_eq!(record.departs(at, &ratings(&[("bot01", 1), ("bot02", 1)])), [""; 0]);
    assert_eq!(record.departs(at, &ratings(&[("bot01", 1), ("bot99", 1)])), ["registration.known"]);
    assert_eq!(record.departs(at, &ratings(&[("bot01", 1), ("bot01", 2)])), ["registration.known"]);
    let back = |player: &str| {
        E::PlayerReinstated(PlayerReinstated { player: id(player), appeal: None, reason: None })
    };
    assert_eq!(record.departs(at, &left("bot99", Withdrawal::Own)), ["registration.known"]);
    assert_eq!(record.departs(at, &back("bot99")), ["registration.known"]);
    assert_eq!(record.departs(at, &back("bot01")), ["registration.standing"], "it is in");
    record.rightly(at, &left("bot01", Withdrawal::Own));
    assert_eq!(record.departs(at, &left("bot01", Withdrawal::Removed)), ["registration.standing"]);
    let played = E::QualifyingGamePlayed(game("bot01", "a", true, true, at + 1, 1));
    assert_eq!(record.departs(at, &played), ["registration.standing"]);
    record.rightly(at, &back("bot01"));
    assert_eq!(record.departs(at, &played), [""; 0]);
    assert_eq!(record.departs(at, &stable(&["a"])), [""; 0]);
}

#[test]
fn who_forfeits_in_2009_is_out_and_comes_back_by_an_accepted_appeal_only() {
    let mut record = Record::announced("wc-2009");
    let at = record.date(Milestone::RegistrationCloses) - DAY;
    for name in ["anna", "bela", "cleo"] {
        record.rightly(at, &entry(name, Human, &[]));
    }
    record.say(at, &round(1, Stage::Swiss, &[("anna", "bela")]));
    let out = left("bela", Withdrawal::Forfeit);
    assert_eq!(record.departs(at, &out), ["forfeit.removed"], "no game is lost yet");
    record.say(at, &crate::record::begins(1, &[]));
    record.say(
        at,
        &E::ResultRecorded(ResultRecorded {
            pairing: Pairing { round: 1, board: 1 },
            outcome: Outcome::Gold,
            termination: Some(Termination::Forfeit),
            attempt: None,
            game: None,
            territory: None,
            note: None,
        }),
    );
    assert_eq!(record.departs(at, &left("anna", Withdrawal::Forfeit)), ["forfeit.removed"], "she won");
    record.rightly(at, &out);
    let back = |appeal| E::PlayerReinstated(PlayerReinstated { player: id("bela"), appeal, reason: None });
    assert_eq!(record.departs(at, &back(None)), ["forfeit.removed"]);
    let appeal = |number, by: &str| {
        E::AppealFiled(AppealFiled {
            number,
            by: id(by),
            ruling: None,
            pairing: None,
            claim: "the server was down".to_owned(),
            evidence: Vec::new(),
        })
    };
    record.say(at, &appeal(1, "bela"));
    record.say(at, &appeal(2, "cleo"));
    assert_eq!(record.departs(at, &back(Some(1))), ["forfeit.removed"], "it is not decided");
    for (number, by) in [(1, "bela"), (2, "cleo")] {
        let decided = AppealDecided {
            number,
            by: id(by),
            accepted: true,
            reason: "so it was".to_owned(),
            grounds: Vec::new(),
        };
        record.say(at, &E::AppealDecided(decided));
    }
    assert_eq!(record.departs(at, &back(Some(2))), ["forfeit.removed"], "that is another's appeal");
    record.rightly(at, &back(Some(1)));
}
