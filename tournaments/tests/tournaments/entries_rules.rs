//! Announcements, entries, ratings, withdrawals: each rule followed, and broken.

use annals_events::tournament::*;
use annals_events::{BoardId, PlayerKind, Termination};
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::context::StandingBan;
use annals_tournaments::rulebook::{DAY, HOUR, Rulebook};

use crate::record::{E, Record, departed, entry, game, id, left, left_open, round, stable};

use PlayerKind::{Bot, Human};

#[test]
fn every_rulebook_is_announced_with_every_reading_and_read_back_the_same() {
    for mut rulebook in Rulebook::all() {
        let numbers = &rulebook.recorded();
        if numbers.contains(&"T7") {
            rulebook.read("T7", "B").unwrap();
        }
        let order = AnnounceOrder { schedule: rulebook.published_schedule(), ..AnnounceOrder::default() };
        let announced = announcement(&rulebook, order);
        assert_eq!(announced.options.len(), numbers.len(), "{}", rulebook.name);
        assert_eq!(Rulebook::of(&announced).unwrap(), rulebook);
        let mut record = Record::empty(rulebook.name);
        record.rulebook = rulebook;
        assert_eq!(record.is_violation(0, &E::Announced(announced)), [""; 0]);
    }
}

#[test]
fn the_published_dates_are_those_of_the_sources() {
    let dates = |name: &str| -> Vec<(Milestone, i64)> {
        let rulebook = Rulebook::named(name).unwrap();
        rulebook.published_schedule().iter().map(|date| (date.milestone, date.at / 1_000_000)).collect()
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
fn each_event_is_one_of_a_series() {
    for (name, series) in [
        ("wcc-2015", "arimaa-wcc"),
        ("wc-2009", "arimaa-wc"),
        ("postal-2006", "arimaa-postal"),
        ("olympiad-amazons-2000", "olympiad-amazons"),
    ] {
        let record = Record::empty(name);
        let E::Announced(mut announced) = record.announcement() else { unreachable!() };
        assert_eq!(announced.series.as_deref(), Some(series), "{name}");
        announced.series = Some(format!("{series}-of-another"));
        assert!(record.is_violation(0, &E::Announced(announced)).contains(&"announcement.terms"), "{name}");
    }
}

#[test]
fn an_announcement_that_is_not_the_rulebooks_departs_on_the_rule_that_it_breaks() {
    type Change = fn(&mut Announced);
    let cases: [(&str, Change); 12] = [
        ("announcement.rulebook", |a| a.edition = 3),
        ("announcement.rulebook", |a| a.rulebook = "wc-2009".to_owned()),
        ("announcement.readings", |a| drop(a.options.remove("t7"))),
        ("announcement.readings", |a| drop(a.options.insert("t7".to_owned(), "Z".to_owned()))),
        ("announcement.readings", |a| drop(a.options.insert("t16".to_owned(), "A".to_owned()))),
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
        assert_eq!(record.is_violation(0, &E::Announced(announced)), [rule], "case {i}");
    }
    let mut without_continuation = right.clone();
    without_continuation.stages.pop();
    assert_eq!(record.is_violation(0, &E::Announced(without_continuation)), [""; 0]);
    let again = Record::announced("wcc-2015");
    assert_eq!(again.is_violation(0, &E::Announced(right)), ["announcement.first"]);
}

fn moved(milestone: Milestone, at: i64) -> E {
    E::ScheduleChanged(ScheduleChanged {
        schedule: vec![Deadline { milestone, at }],
        reason: "storm".to_owned(),
    })
}

fn playing_date(milestone: Milestone) -> i64 {
    crate::record::date(&Rulebook::named("wcc-2015").unwrap(), milestone)
}

#[test]
fn dates_move_until_something_rests_on_them() {
    use Milestone::*;
    let record = Record::announced("wcc-2015").with_bots(2);
    let closes = record.date(QualifyingCloses);
    let now = record.date(QualifyingOpens);
    let longer = moved(QualifyingCloses, closes + HOUR);
    assert_eq!(record.is_violation(now, &longer), [""; 0]);
    assert_eq!(left_open(&record.ask(now, &longer)), [""; 0]);
    assert_eq!(left_open(&record.ask(closes + 1, &longer)), ["announcement.schedule"], "it had passed");
    assert_eq!(
        record.is_violation(now, &moved(QualifyingCloses, now)),
        ["announcement.schedule"],
        "it would open then"
    );
    let twice = E::ScheduleChanged(ScheduleChanged {
        schedule: vec![Deadline { milestone: PlayEnds, at: closes * 2 }; 2],
        reason: String::new(),
    });
    assert_eq!(record.is_violation(now, &twice), ["announcement.schedule"]);
    let published = Record::qualified(9);
    assert_eq!(published.is_violation(closes + DAY, &longer), ["announcement.schedule"]);
    let mut late = record.when(closes - 1);
    late.recorded_at = closes + 1;
    let verdicts = annals_tournaments::check::check(&record.case(), &late, &longer);
    assert_eq!(left_open(&verdicts), ["announcement.schedule"], "dated back");
    late.recorded_at = closes - 1;
    let verdicts = annals_tournaments::check::check(&record.case(), &late, &longer);
    assert_eq!((departed(&verdicts), left_open(&verdicts)), (vec![], vec![]));

    let mut playing = published;
    let start = playing.date(PlayBegins);
    let later = |milestone| moved(milestone, playing_date(milestone) + DAY);
    let missed = Command::Disqualify {
        player: id("bot03"),
        cause: Disqualification::NotUploaded,
        reason: None,
        rules: Vec::new(),
    };
    assert_eq!(playing.is_violation(closes + DAY, &later(ProgramsDue)), [""; 0]);
    playing.carry_out(playing.date(ProgramsDue), &missed);
    assert_eq!(
        playing.is_violation(start, &later(ProgramsDue)),
        ["announcement.schedule"],
        "somebody missed it"
    );
    assert_eq!(playing.is_violation(start, &later(PlayBegins)), [""; 0]);
    playing.say(start, &round(1, Stage::Final, &[("bot01", "bot02")]));
    playing.say(start, &crate::record::begins(1, &[]));
    for milestone in [ProgramsDue, TestsDue, PlayBegins] {
        assert_eq!(playing.is_violation(start, &later(milestone)), ["announcement.schedule"], "{milestone}");
    }
    assert_eq!(Record::empty("wcc-2015").is_violation(0, &longer), ["announcement.first"]);
}

#[test]
fn who_may_enter_is_the_rulebooks_to_say() {
    let at = |record: &Record| match record.rulebook.name {
        "wcc-2015" => record.date(Milestone::RegistrationOpens) + 1,
        "wc-2009" => record.date(Milestone::RegistrationCloses) - 1,
        _ => 5,
    };
    for (rulebook, kind, violations) in [
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
        assert_eq!(record.is_violation(at(&record), &event), violations, "{rulebook} {kind:?}");
        let command = Command::Record(Box::new(event));
        let refused =
            record.decide(at(&record), &command).err().map(|refusal| refusal.rule.unwrap().id.name());
        assert_eq!(refused, violations.first().copied(), "the desk says what the audit says");
    }
}

#[test]
fn entries_are_made_after_the_opening_and_before_the_close() {
    let record = Record::announced("wcc-2015");
    let (opens, closes) =
        (record.date(Milestone::RegistrationOpens), record.date(Milestone::RegistrationCloses));
    let event = entry("sharp", Bot, &["Wu"]);
    for (at, violations) in [
        (opens, vec!["registration.window"]),
        (opens + 1, vec![]),
        (closes - 1, vec![]),
        (closes, vec!["registration.window"]),
    ] {
        assert_eq!(record.is_violation(at, &event), violations, "at {at}");
    }
    let refusal = record.decide(closes, &Command::Record(Box::new(event.clone()))).unwrap_err().to_string();
    assert!(refusal.contains("before 2015-01-01 00:00:00 UTC"), "{refusal}");
    assert!(refusal.contains("registration.window, 2015 WCC, Registration"), "{refusal}");

    let mut late = record.when(closes - 1);
    late.recorded_at = closes + 1;
    let verdicts = annals_tournaments::check::check(&record.case(), &late, &event);
    assert_eq!(
        (departed(&verdicts), left_open(&verdicts)),
        (vec![], vec!["registration.window"]),
        "dated back"
    );
    late.imported = true;
    let verdicts = annals_tournaments::check::check(&record.case(), &late, &event);
    assert_eq!(left_open(&verdicts), [""; 0], "an import is always late");

    let mut undated = Record::empty("wcc-2015");
    undated.say(0, &E::Announced(announcement(&undated.rulebook, AnnounceOrder::default())));
    assert_eq!(left_open(&undated.ask(9, &event)), ["registration.window"]);

    let mut postal = Record::announced("postal-2006");
    assert_eq!(postal.is_violation(9, &event), [""; 0]);
    postal.say(9, &entry("anna", Human, &[]));
    postal.say(9, &entry("bela", Human, &[]));
    postal.say(10, &round(1, Stage::Ring, &[("anna", "bela")]));
    assert_eq!(postal.is_violation(11, &event), ["registration.window"]);
    let mut olympiad = Record::announced("olympiad-amazons-2000");
    for name in ["amazong", "yamazon"] {
        olympiad.rightly(9, &entry(name, Bot, &[]));
    }
    olympiad.say(10, &round(1, Stage::RoundRobin, &[("amazong", "yamazon")]));
    assert_eq!(olympiad.is_violation(11, &event), ["registration.window"]);
    let published = Record::qualified(3);
    assert_eq!(published.is_violation(closes - 1, &event), ["registration.window"], "the order is published");
}

#[test]
fn a_player_enters_once_and_a_developer_enters_one_program() {
    let mut record = Record::announced("wcc-2015");
    let at = record.date(Milestone::RegistrationCloses) - DAY;
    record.rightly(at, &entry("sharp", Bot, &["David Wu"]));
    let developers = ["registration.one_per_developer"];
    assert_eq!(record.is_violation(at, &entry("sharp", Bot, &["Somebody"])), ["registration.once"]);
    assert_eq!(record.is_violation(at, &entry("blunt", Bot, &["A. N. Other", " david  WU "])), developers);
    assert_eq!(record.is_violation(at, &entry("blunt", Bot, &["David Wuu"])), [""; 0]);
    assert_eq!(left_open(&record.ask(at, &entry("blunt", Bot, &[]))), developers);
    record.rightly(at, &left("sharp", Withdrawal::Own));
    assert_eq!(record.is_violation(at, &entry("blunt", Bot, &["David Wu"])), [""; 0], "the other one is out");
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
        record.context.bans = vec![standing.clone()];
        let expected = if binds { vec!["registration.ban"] } else { vec![] };
        assert_eq!(record.is_violation(at, &named), expected, "{standing:?}");
        assert_eq!(record.is_violation(at, &by_developer), expected, "{standing:?}");
        assert_eq!(record.is_violation(at, &entry("third", Bot, &["Y"])), [""; 0]);
    }
    record.context.bans = vec![ban("sharp", None, None)];
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
    assert_eq!(record.is_violation(at, &ratings(&[("bot01", 1), ("bot02", 1)])), [""; 0]);
    assert_eq!(record.is_violation(at, &ratings(&[("bot01", 1), ("bot99", 1)])), ["registration.known"]);
    assert_eq!(record.is_violation(at, &ratings(&[("bot01", 1), ("bot01", 2)])), ["registration.known"]);
    let back = |player: &str| {
        E::PlayerReinstated(PlayerReinstated { player: id(player), appeal: None, reason: None })
    };
    assert_eq!(record.is_violation(at, &left("bot99", Withdrawal::Own)), ["registration.known"]);
    assert_eq!(record.is_violation(at, &back("bot99")), ["registration.known"]);
    assert_eq!(record.is_violation(at, &back("bot01")), ["registration.standing"], "it is in");
    record.rightly(at, &left("bot01", Withdrawal::Own));
    assert_eq!(record.is_violation(at, &left("bot01", Withdrawal::Removed)), ["registration.standing"]);
    let played = E::QualifyingGamePlayed(game("bot01", "a", true, true, at + 1, 1));
    assert_eq!(record.is_violation(at, &played), ["registration.standing"]);
    record.rightly(at, &back("bot01"));
    assert_eq!(record.is_violation(at, &played), [""; 0]);
    assert_eq!(record.is_violation(at, &stable(&["a"])), [""; 0]);
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
    assert_eq!(record.is_violation(at, &out), ["forfeit.removed"], "no game is lost yet");
    record.say(at, &crate::record::begins(1, &[]));
    record.say(
        at,
        &E::ResultRecorded(ResultRecorded {
            pairing: BoardId { round: 1, board: 1 },
            outcome: Outcome::Gold,
            termination: Some(Termination::Forfeit),
            attempt: None,
            game: None,
            territory: None,
            note: None,
        }),
    );
    assert_eq!(record.is_violation(at, &left("anna", Withdrawal::Forfeit)), ["forfeit.removed"], "she won");
    record.rightly(at, &out);
    let back = |appeal| E::PlayerReinstated(PlayerReinstated { player: id("bela"), appeal, reason: None });
    assert_eq!(record.is_violation(at, &back(None)), ["forfeit.removed"]);
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
    assert_eq!(record.is_violation(at, &back(Some(1))), ["forfeit.removed"], "it is not decided");
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
    assert_eq!(record.is_violation(at, &back(Some(2))), ["forfeit.removed"], "that is another's appeal");
    record.rightly(at, &back(Some(1)));
}

fn rated(player: &str, rating: i32) -> E {
    let ratings = vec![PlayerRating { player: id(player), rating }];
    E::RatingsRecorded(RatingsRecorded { ratings, source: None })
}

#[test]
fn ratings_are_those_of_before_the_tournament() {
    for (rulebook, stage, kind, rule) in
        [("wc-2009", Stage::Swiss, Human, "swiss.order"), ("postal-2006", Stage::Ring, Human, "ring.order")]
    {
        let mut record = Record::announced(rulebook);
        for name in ["anna", "bela"] {
            record.rightly(1, &entry(name, kind, &[]));
        }
        record.rightly(2, &rated("anna", 1500));
        record.say(3, &round(1, stage, &[("anna", "bela")]));
        assert_eq!(record.is_violation(4, &rated("anna", 1900)), [rule], "{rulebook}");
    }
    let published = Record::qualified(3);
    let at = published.date(Milestone::ProgramsDue);
    assert_eq!(published.is_violation(at, &rated("bot01", 1900)), ["qualifier.unplayed"]);
}

fn returned(player: &str) -> E {
    E::PlayerReinstated(PlayerReinstated { player: id(player), appeal: None, reason: None })
}

fn ruled_back(player: &str) -> E {
    E::RulingGiven(RulingGiven {
        number: 1,
        effect: Effect::Reinstate { player: id(player) },
        dispute: None,
        supersedes: None,
        grounds: Vec::new(),
        evidence: Vec::new(),
        reason: "granted".to_owned(),
    })
}

#[test]
fn who_left_comes_back_while_their_place_is_free_and_not_once_it_is_filled_or_played_without_them() {
    let standing = ["registration.standing"];
    let mut record = Record::qualified(10);
    let at = record.date(Milestone::ProgramsDue);
    record.rightly(at, &left("bot03", Withdrawal::Own));
    assert_eq!(record.is_violation(at, &returned("bot03")), [""; 0], "nobody has the place");
    assert_eq!(record.is_violation(at, &ruled_back("bot03")), [""; 0]);
    record.carry_out(at, &Command::Invite { replaces: None });
    for back in [returned("bot03"), ruled_back("bot03")] {
        assert_eq!(record.is_violation(at, &back), standing, "bot09 was invited");
    }
    let refusal = record.decide(at, &Command::Record(Box::new(returned("bot03")))).unwrap_err().to_string();
    assert!(refusal.contains("`bot09` was invited in their place"), "{refusal}");
    record.rightly(at, &left("bot04", Withdrawal::Own));
    record.say(at, &round(1, Stage::Final, &[("bot01", "bot09"), ("bot02", "bot05")]));
    assert_eq!(record.is_violation(at, &returned("bot04")), standing, "the final was paired without it");
    record.rightly(at, &left("bot05", Withdrawal::Own));
    assert_eq!(record.is_violation(at, &returned("bot05")), [""; 0], "it played in the first round");

    for (rulebook, stage, kind) in [
        ("olympiad-amazons-2000", Stage::RoundRobin, Bot),
        ("postal-2006", Stage::Ring, Human),
        ("wc-2009", Stage::Final, Human),
    ] {
        let mut record = Record::announced(rulebook);
        for name in ["anna", "bela", "cleo"] {
            record.rightly(1, &entry(name, kind, &[]));
        }
        record.rightly(2, &left("cleo", Withdrawal::Own));
        assert_eq!(record.is_violation(3, &returned("cleo")), [""; 0], "{rulebook}");
        record.say(3, &round(1, stage, &[("anna", "bela")]));
        assert_eq!(record.is_violation(4, &returned("cleo")), standing, "{rulebook}");
        record.rightly(5, &left("bela", Withdrawal::Own));
        assert_eq!(record.is_violation(6, &returned("bela")), [""; 0], "{rulebook}");
    }
}

#[test]
fn who_was_out_when_the_order_was_published_has_no_place_to_come_back_to() {
    let mut record = Record::announced("wcc-2015").with_bots(3);
    let at = record.date(Milestone::QualifiersNamed) - 1;
    record.rightly(at - 1, &left("bot02", Withdrawal::Own));
    assert_eq!(record.is_violation(at - 1, &returned("bot02")), [""; 0]);
    record.carry_out(at, &Command::Qualify);
    assert_eq!(record.is_violation(at, &returned("bot02")), ["registration.standing"]);
    record.rightly(at, &left("bot03", Withdrawal::Own));
    assert_eq!(record.is_violation(at, &returned("bot03")), [""; 0]);
}

#[test]
fn who_comes_back_could_still_enter() {
    let mut record = Record::announced("wcc-2015");
    let at = record.date(Milestone::RegistrationCloses) - DAY;
    record.rightly(at, &entry("sharp", Bot, &["David Wu"]));
    record.rightly(at, &left("sharp", Withdrawal::Own));
    assert_eq!(record.is_violation(at, &returned("sharp")), [""; 0]);
    let ban = BanRecorded {
        player: id("elsewhere"),
        developers: vec!["david wu".to_owned()],
        series: None,
        until: None,
        grounds: Vec::new(),
        evidence: Vec::new(),
        reason: "a limited program".to_owned(),
    };
    record.context.bans =
        vec![StandingBan { tournament: "wcc-2014".parse().unwrap(), seq: 7, at: at - 1, ban }];
    assert_eq!(record.is_violation(at, &returned("sharp")), ["registration.ban"]);
    record.context.bans.clear();
    record.rightly(at, &entry("blunt", Bot, &["David Wu"]));
    assert_eq!(record.is_violation(at, &returned("sharp")), ["registration.one_per_developer"]);
    assert_eq!(record.is_violation(at, &ruled_back("sharp")), ["registration.one_per_developer"]);
}
