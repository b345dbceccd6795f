//! Programs and hardware: each rule followed, and broken.

use annals_events::tournament::*;
use annals_events::{BoardId, PlayerKind};
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::rulebook::{DAY, HOUR, MINUTE};

use crate::record::{E, Record, begins, departed, entry, id, left, left_open, round, submitted, tested};

fn declared(player: &str, hardware: &str, price: Option<u64>, speed: Option<u64>) -> E {
    E::HardwareDeclared(HardwareDeclared {
        player: id(player),
        hardware: hardware.to_owned(),
        system: None,
        price,
        speed,
        computers: vec![Computer { name: hardware.to_owned(), price: None }],
    })
}

fn specified(price: Option<u64>, speed: Option<u64>) -> E {
    E::HardwareSpecified(HardwareSpecified {
        hardware: "one machine".to_owned(),
        system: None,
        price_limit: price,
        speed_limit: speed,
    })
}

#[test]
fn the_organisers_machine_costs_a_thousand_dollars_and_the_players_are_five_times_as_fast_at_most() {
    let mut record = Record::announced("wcc-2015").with_bots(1);
    let at = record.date(Milestone::QualifyingOpens);
    assert_eq!(record.is_violation(at, &specified(Some(100_000), Some(5_000))), [""; 0]);
    assert_eq!(record.is_violation(at, &specified(Some(100_001), None)), ["hardware.limit"]);
    assert_eq!(
        left_open(&record.ask(at, &specified(None, Some(5_100)))),
        ["hardware.limit", "qualifier.hardware"]
    );

    let with = |speed| declared("bot01", "a box", Some(500_000), speed);
    assert_eq!(left_open(&record.ask(at, &with(Some(1)))), ["qualifier.hardware"], "faster than what");
    let reference = |year| {
        let (hardware, system) = ("the machine of the match".to_owned(), None);
        E::ReferenceHardwareRecorded(ReferenceHardwareRecorded { hardware, system, year, note: None })
    };
    assert_eq!(record.is_violation(at, &reference(Some(2015))), ["hardware.reference"], "this year's");
    assert_eq!(left_open(&record.ask(at, &reference(None))), ["hardware.reference"]);
    record.rightly(at, &reference(Some(2014)));
    assert_eq!(record.is_violation(at, &with(Some(5_000))), [""; 0], "the price binds the organiser only");
    assert_eq!(record.is_violation(at, &with(Some(5_001))), ["qualifier.hardware"]);
    assert_eq!(left_open(&record.ask(at, &with(None))), ["qualifier.hardware"]);
    assert_eq!(record.is_violation(at, &declared("bot99", "a box", None, Some(1))), ["registration.known"]);
    record.rightly(at, &specified(Some(90_000), Some(4_000)));
    assert_eq!(record.is_violation(at, &with(Some(4_001))), [""; 0], "beside the machine of last year");
    record.rulebook.read("T46", "one_machine").expect("a reading");
    assert_eq!(record.is_violation(at, &with(Some(4_001))), ["qualifier.hardware"], "as it was specified");
}

#[test]
fn postal_hardware_is_declared_before_the_start_and_stays() {
    let mut record = Record::announced("postal-2006");
    for name in ["ada", "bob", "cyc"] {
        record.rightly(1, &entry(name, PlayerKind::Bot, &[]));
    }
    record.rightly(1, &entry("dora", PlayerKind::Human, &[]));
    assert_eq!(record.is_violation(2, &declared("ada", "a box", Some(100_001), None)), ["hardware.limit"]);
    let mut dated = Record::empty("postal-2006");
    let schedule = vec![Deadline { milestone: Milestone::HardwareDue, at: 50 }];
    let order = AnnounceOrder { schedule, ..AnnounceOrder::default() };
    dated.say(0, &E::Announced(announcement(&dated.rulebook, order)));
    dated.say(1, &entry("ada", PlayerKind::Bot, &[]));
    let box_of_ada = declared("ada", "a box", Some(1), None);
    for (recorded_at, open) in [(49, vec![]), (50, vec!["hardware.declared"])] {
        let mut late = dated.when(49);
        late.recorded_at = recorded_at;
        let verdicts = annals_tournaments::check::check(&dated.case(), &late, &box_of_ada);
        assert_eq!((departed(&verdicts), left_open(&verdicts)), (vec![], open), "recorded at {recorded_at}");
    }
    assert_eq!(dated.is_violation(50, &box_of_ada), ["hardware.declared"]);
    record.rightly(2, &declared("ada", "a box", Some(100_000), None));
    record.rightly(2, &declared("ada", "a better box", Some(100_000), None));
    record.rightly(2, &declared("bob", "a box", Some(1), None));
    record.rightly(2, &submitted("bob", "sha256:01"));
    record.say(3, &round(1, Stage::Ring, &[("ada", "bob"), ("cyc", "dora")]));
    let start = begins(1, &[("bob", "sha256:01")]);
    let verdicts = record.ask(4, &start);
    assert_eq!(departed(&verdicts), ["hardware.declared"], "of cyc, and not of dora, who is a human");
    assert!(
        verdicts.iter().any(|verdict| verdict.is_violation() && verdict.subject.to_string().contains("cyc"))
    );
    record.say(4, &start);
    assert_eq!(record.is_violation(5, &declared("ada", "a better box", Some(100_000), None)), [""; 0]);
    assert_eq!(
        record.is_violation(5, &declared("ada", "a box", Some(100_000), None)),
        ["hardware.unchanged"]
    );
    assert_eq!(record.is_violation(5, &declared("cyc", "a box", Some(1), None)), ["hardware.declared"]);
    assert_eq!(record.is_violation(5, &submitted("bob", "sha256:02")), ["program.frozen"]);
    assert_eq!(record.is_violation(5, &changed("bob", "sha256:01", 1, true, (5, 6))), [""; 0]);
    assert_eq!(record.is_violation(5, &changed("bob", "sha256:01", 1, false, (5, 6))), ["program.frozen"]);
}

#[test]
fn a_program_is_uploaded_and_tested_in_time_and_then_left_alone() {
    let mut record = Record::qualified(9);
    let (due, tests) = (record.date(Milestone::ProgramsDue), record.date(Milestone::TestsDue));
    let program = submitted("bot01", "sha256:01");
    assert_eq!(record.is_violation(due, &program), ["program.deadline"]);
    let mut late = record.when(due - 1);
    late.recorded_at = due + 5;
    let verdicts = annals_tournaments::check::check(&record.case(), &late, &program);
    assert_eq!((departed(&verdicts), left_open(&verdicts)), (vec![], vec!["program.deadline"]), "dated back");
    assert_eq!(
        record.is_violation(due, &tested("bot01", "sha256:01", true)),
        ["program.tested"],
        "none is there"
    );
    record.rightly(due - 2, &program);
    record.rightly(due - 1, &submitted("bot01", "sha256:02"));
    assert_eq!(
        record.is_violation(due, &tested("bot01", "sha256:01", true)),
        ["program.tested"],
        "an older one"
    );
    let open = ProgramTested {
        player: id("bot01"),
        digest: "sha256:02".to_owned(),
        passed: true,
        access_closed: false,
        note: None,
    };
    assert_eq!(record.is_violation(due, &E::ProgramTested(open)), ["program.tested"], "access is open");
    assert_eq!(
        record.is_violation(tests, &tested("bot01", "sha256:02", true)),
        ["program.tested"],
        "too late"
    );
    let mut late = record.when(tests - 1);
    late.recorded_at = tests + 5;
    let verdicts =
        annals_tournaments::check::check(&record.case(), &late, &tested("bot01", "sha256:02", true));
    assert_eq!((departed(&verdicts), left_open(&verdicts)), (vec![], vec!["program.tested"]), "dated back");
    record.rightly(due, &tested("bot01", "sha256:02", false));
    record.rightly(due + 1, &tested("bot01", "sha256:02", true));
    let again = record.ask(due - 1, &submitted("bot01", "sha256:03"));
    assert_eq!(departed(&again), ["program.frozen"], "it passed its test");
    assert_eq!(record.is_violation(due - 1, &submitted("bot99", "sha256:03")), ["registration.known"]);
    record.rightly(due, &left("bot02", Withdrawal::Own));
    assert_eq!(record.is_violation(due - 1, &submitted("bot02", "sha256:03")), ["registration.standing"]);
}

fn changed(player: &str, before: &str, after_round: u32, automated: bool, run: (i64, i64)) -> E {
    E::ProgramUpdated(ProgramUpdated {
        player: id(player),
        before: before.to_owned(),
        after: format!("{before}x"),
        after_round,
        automated,
        started_at: run.0,
        ended_at: run.1,
        evidence: Vec::new(),
    })
}

fn result(board: u32) -> E {
    E::ResultRecorded(ResultRecorded {
        pairing: BoardId { round: 1, board },
        outcome: Outcome::Gold,
        termination: None,
        attempt: None,
        game: None,
        territory: None,
        note: None,
    })
}

#[test]
fn a_program_changes_by_an_automated_run_of_four_hours_between_rounds_and_by_nothing_else() {
    let mut record = Record::qualified(4);
    let due = record.date(Milestone::ProgramsDue);
    for name in ["bot01", "bot02", "bot03", "bot04"] {
        record.rightly(due - 2, &submitted(name, "sha256:01"));
        record.rightly(due - 1, &tested(name, "sha256:01", true));
    }
    let start = record.date(Milestone::PlayBegins);
    let run = |from: i64, length: i64| (start + from, start + from + length);
    let right = changed("bot01", "sha256:01", 1, true, run(9 * HOUR, 4 * HOUR));
    assert_eq!(record.is_violation(start, &right), ["program.run"], "nothing has been played");
    record.say(start, &round(1, Stage::Final, &[("bot01", "bot04"), ("bot02", "bot03")]));
    assert_eq!(record.is_violation(start, &begins(1, &[("bot01", "sha256:01")])), [""; 0]);
    assert_eq!(record.is_violation(start, &begins(1, &[("bot01", "sha256:02")])), ["program.frozen"]);
    assert_eq!(record.is_violation(start, &begins(1, &[("bot77", "sha256:02")])), ["registration.known"]);
    record.rightly(start, &begins(1, &[("bot01", "sha256:01"), ("bot02", "sha256:01")]));
    record.say(start + 5 * HOUR, &result(1));
    let at = start + 14 * HOUR;
    assert_eq!(record.is_violation(at, &right), ["program.run"], "board 2 is still being played");
    record.say(start + 8 * HOUR, &result(2));
    assert_eq!(record.is_violation(at, &right), [""; 0]);
    let wrong = [
        ("program.run", changed("bot01", "sha256:01", 1, true, run(9 * HOUR, 4 * HOUR + 1))),
        ("program.run", changed("bot01", "sha256:01", 1, true, run(9 * HOUR, -1))),
        ("program.run", changed("bot01", "sha256:01", 1, true, run(7 * HOUR, MINUTE))),
        ("program.run", changed("bot01", "sha256:01", 2, true, run(9 * HOUR, MINUTE))),
        ("program.frozen", changed("bot01", "sha256:02", 1, true, run(9 * HOUR, MINUTE))),
        ("program.frozen", changed("bot01", "sha256:01", 1, false, run(9 * HOUR, MINUTE))),
    ];
    for (rule, event) in wrong {
        assert_eq!(record.is_violation(at, &event), [rule], "{event:?}");
    }
    assert_eq!(record.is_violation(start + 12 * HOUR, &right), ["program.run"], "it is not over yet");
    let again = |length| changed("bot02", "sha256:01x", 1, true, run(11 * HOUR, length));
    record.rightly(at, &changed("bot02", "sha256:01", 1, true, run(9 * HOUR, 2 * HOUR)));
    assert_eq!(record.is_violation(at, &again(2 * HOUR)), [""; 0], "four hours in two runs");
    assert_eq!(record.is_violation(at, &again(2 * HOUR + 1)), ["program.run"], "more in two runs");
    record.rightly(at, &right);
    record.say(at, &round(2, Stage::Final, &[("bot01", "bot02")]));
    assert_eq!(record.is_violation(at, &begins(2, &[("bot01", "sha256:01")])), ["program.frozen"]);
    assert_eq!(record.is_violation(at, &begins(2, &[("bot01", "sha256:01x")])), [""; 0]);
}

#[test]
fn a_round_is_over_when_a_ruling_gives_its_last_result() {
    let mut record = Record::qualified(4);
    let due = record.date(Milestone::ProgramsDue);
    record.rightly(due - 2, &submitted("bot01", "sha256:01"));
    let start = record.date(Milestone::PlayBegins);
    record.say(start, &round(1, Stage::Final, &[("bot01", "bot04"), ("bot02", "bot03")]));
    record.say(start, &begins(1, &[]));
    record.say(start + HOUR, &result(1));
    let after = |hours: i64| {
        let from = start + hours * HOUR;
        changed("bot01", "sha256:01", 1, true, (from, from + MINUTE))
    };
    let at = start + 20 * HOUR;
    let ruling = |number, supersedes, effect| {
        let (reason, grounds, evidence) = ("as it was".to_owned(), Vec::new(), Vec::new());
        E::RulingGiven(RulingGiven { number, effect, reason, grounds, evidence, dispute: None, supersedes })
    };
    let of_board = |outcome| {
        let pairing = BoardId { round: 1, board: 2 };
        Effect::SetResult { pairing, outcome, termination: None }
    };
    record.say(start + 4 * HOUR, &ruling(1, None, of_board(Outcome::Gold)));
    assert_eq!(record.is_violation(at, &after(2)), ["program.run"], "board 2 had no result");
    assert_eq!(record.is_violation(at, &after(5)), [""; 0]);
    record.say(start + 7 * HOUR, &ruling(2, None, of_board(Outcome::Silver)));
    assert_eq!(record.is_violation(at, &after(5)), [""; 0], "the game was over before");
    let (pairing, failure) = (BoardId { round: 1, board: 1 }, Failure::GameServer);
    record.say(start + 8 * HOUR, &ruling(3, None, Effect::Rematch { pairing, failure }));
    assert_eq!(record.is_violation(at, &after(9)), ["program.run"], "board 1 is played again");
    record.say(start + 10 * HOUR, &ruling(4, Some(3), Effect::Nothing));
    assert_eq!(record.is_violation(at, &after(9)), ["program.run"]);
    assert_eq!(record.is_violation(at, &after(11)), [""; 0]);
}

#[test]
fn a_start_without_programs_is_left_open_for_those_who_play() {
    let mut record = Record::qualified(2);
    let start = record.date(Milestone::PlayBegins);
    let unknown = record.ask(start, &begins(1, &[]));
    assert_eq!(left_open(&unknown), [""; 0], "it is not paired");
    record.say(start, &round(1, Stage::Final, &[("bot01", "bot02")]));
    let unknown = record.ask(start, &begins(1, &[]));
    assert_eq!(
        left_open(&unknown),
        ["program.deadline", "program.deadline", "hardware.specified", "hardware.same"]
    );
    let mut machine = specified(Some(90_000), None);
    if let E::HardwareSpecified(machine) = &mut machine {
        machine.system = Some("Linux".to_owned());
    }
    record.rightly(start - 1, &machine);
    assert_eq!(left_open(&record.ask(start, &begins(1, &[]))), ["program.deadline", "program.deadline"]);
    assert_eq!(record.is_violation(start, &begins(1, &[])), [""; 0]);
    assert_eq!(record.is_violation(start - 1, &begins(1, &[])), ["round.dates"], "play has not begun");
    let due = record.date(Milestone::ProgramsDue);
    record.rightly(due - 2, &submitted("bot01", "sha256:01"));
    record.rightly(due - 2, &submitted("bot02", "sha256:02"));
    let open = |record: &Record| left_open(&record.ask(start, &begins(1, &[])));
    assert_eq!(
        open(&record),
        ["account.given", "program.tested", "account.given", "program.tested"],
        "neither is tested"
    );
    for bot in ["bot01", "bot02"] {
        let account = AccountGiven { player: id(bot), login: None, note: None };
        record.rightly(record.date(Milestone::AccountsGiven) - 1, &E::AccountGiven(account));
    }
    record.rightly(due - 1, &tested("bot01", "sha256:01", false));
    record.rightly(due - 1, &tested("bot02", "sha256:02", true));
    assert_eq!(open(&record), ["program.tested"], "that of bot01 failed");
    record.rightly(due, &tested("bot01", "sha256:01", true));
    assert_eq!(open(&record), [""; 0]);
}

fn stands_in(player: &str, stand_in: &str, year: i32) -> E {
    E::ProgramSubstituted(ProgramSubstituted {
        player: id(player),
        stand_in: id(stand_in),
        program: format!("{stand_in} of {year}"),
        year,
        digest: None,
        reason: None,
    })
}

#[test]
fn a_program_of_an_earlier_year_stands_in_for_an_invited_one_only() {
    let mut record = Record::qualified(10);
    let at = record.date(Milestone::ProgramsDue) + 1;
    let command = Command::Disqualify {
        player: id("bot03"),
        cause: Disqualification::NotUploaded,
        reason: None,
        rules: Vec::new(),
    };
    record.carry_out(at, &command);
    record.carry_out(at, &Command::Invite { replaces: None });
    let rule = ["program.stand_in"];
    assert_eq!(record.is_violation(at, &stands_in("bot01", "old", 2014)), rule, "it was not invited");
    assert_eq!(record.is_violation(at, &stands_in("bot09", "old", 2015)), rule, "it is of this year");
    assert_eq!(left_open(&record.ask(at, &stands_in("bot09", "old", 2014))), rule, "2014 is not in the log");

    let mut before = Record::announced("wcc-2015").with_bots(2);
    let E::Announced(mut announced) = before.announcement() else { unreachable!() };
    announced.year = Some(2014);
    before.say(1, &E::Announced(announced));
    before.say(2, &submitted("bot01", "sha256:14"));
    record.context.tournaments.insert("wcc-2014".parse().unwrap(), before.tournament);
    assert_eq!(record.is_violation(at, &stands_in("bot09", "bot01", 2014)), ["program.stand_in_time"]);
    let at = at + 6 * DAY;
    assert_eq!(record.is_violation(at, &stands_in("bot09", "bot01", 2014)), [""; 0]);
    assert_eq!(
        record.is_violation(at, &stands_in("bot09", "bot02", 2014)),
        rule,
        "it entered and was never handed in"
    );
    assert_eq!(left_open(&record.ask(at, &stands_in("bot09", "bot02", 2013))), rule);

    let mut excused = stands_in("bot09", "bot01", 2014);
    if let E::ProgramSubstituted(substituted) = &mut excused {
        substituted.reason = Some("its developer gave up".to_owned());
    }
    assert_eq!(left_open(&record.ask(at - DAY, &excused)), ["program.stand_in_time"]);
    let at = record.date(Milestone::ProgramsDue) + 1;
    let mut set_up = Record { tournament: record.tournament.clone(), ..Record::empty("wcc-2015") };
    set_up.seq = record.seq;
    set_up.rightly(at, &submitted("bot09", "sha256:09"));
    set_up.rightly(at + DAY, &tested("bot09", "sha256:09", true));
    assert_eq!(set_up.is_violation(at + DAY, &stands_in("bot09", "old", 2014)), rule, "it is set up in time");

    record.rightly(at + 7 * DAY, &stands_in("bot09", "bot01", 2014));
    assert_eq!(record.is_violation(at + DAY, &submitted("bot09", "sha256:10")), ["program.frozen"]);
    let lapsed = E::InvitationLapsed(InvitationLapsed { player: id("bot09"), reason: None });
    assert_eq!(record.is_violation(at + 7 * DAY, &lapsed), ["invitation.lapsed"]);
}

#[test]
fn an_account_goes_once_to_each_program_that_qualified_before_it_is_tested() {
    let given = |player: &str, login: Option<&str>| {
        let login = login.map(str::to_owned);
        E::AccountGiven(AccountGiven { player: id(player), login, note: None })
    };
    let rule = ["account.given"];
    let record = Record::qualified(9);
    let due = record.date(Milestone::AccountsGiven);
    assert_eq!(record.is_violation(due - 1, &given("bot01", Some("first"))), [""; 0]);
    assert_eq!(record.is_violation(due - 1, &given("bot01", Some(" "))), rule, "a name without a word");
    assert_eq!(record.is_violation(due, &given("bot01", None)), rule, "too late");
    assert_eq!(record.is_violation(due - 1, &given("bot09", None)), rule, "it did not qualify");
    assert_eq!(record.is_violation(due - 1, &given("bot99", None)), ["registration.known"]);

    let mut again = Record::qualified(9);
    again.rightly(due - 1, &given("bot01", None));
    assert_eq!(again.is_violation(due - 1, &given("bot01", None)), rule, "it has one");
    let mut tested_before = Record::qualified(9);
    tested_before.rightly(due - 2, &submitted("bot01", "sha256:01"));
    tested_before.rightly(due - 2, &tested("bot01", "sha256:01", true));
    assert_eq!(tested_before.is_violation(due - 1, &given("bot01", None)), rule, "after its test");
    let mut gone = Record::qualified(9);
    gone.rightly(due - 2, &left("bot01", Withdrawal::Own));
    assert_eq!(gone.is_violation(due - 1, &given("bot01", None)), ["registration.standing"]);
}

#[test]
fn hardware_costs_what_its_computers_cost_together() {
    let mut record = Record::announced("postal-2006");
    record.rightly(1, &entry("ada", PlayerKind::Bot, &[]));
    let of_computers = |total: Option<u64>, prices: [Option<u64>; 2]| {
        let computers = prices.into_iter().zip(["a box", "a server"]);
        E::HardwareDeclared(HardwareDeclared {
            player: id("ada"),
            hardware: "two computers".to_owned(),
            system: None,
            price: total,
            speed: None,
            computers: computers.map(|(price, name)| Computer { name: name.to_owned(), price }).collect(),
        })
    };
    let limit = ["hardware.limit"];
    for (total, prices, violations, open) in [
        (None, [Some(60_000), Some(40_000)], &[][..], &[][..]),
        (None, [Some(60_000), Some(40_001)], &limit, &[]),
        (Some(50_000), [Some(60_000), Some(40_001)], &limit, &[]),
        (Some(100_001), [Some(60_000), Some(40_000)], &limit, &[]),
        (None, [Some(60_000), None], &[], &limit),
        (Some(100_000), [Some(60_000), None], &[], &[]),
        (None, [Some(u64::MAX), Some(1)], &[], &limit),
    ] {
        let verdicts = record.ask(2, &of_computers(total, prices));
        // Two computers are one too many, whatever they cost.
        let mut departed = departed(&verdicts);
        departed.retain(|rule| *rule != "hardware.single");
        assert_eq!((&departed[..], &left_open(&verdicts)[..]), (violations, open), "{total:?} {prices:?}");
    }
}
