//! Benchmarks, qualifying games, the published order, invitations, disqualifications, penalties and bans: each rule
//! followed, and broken.

use annals_events::tournament::*;
use annals_events::{Side, Termination};
use annals_rules::{EndFacts, GameFacts};
use annals_tournaments::EntrantStatus;
use annals_tournaments::commands::Command;
use annals_tournaments::rulebook::{DAY, HOUR};

use crate::record::{E, Record, departed, game, id, left, left_open, stable, submitted, tested};

#[test]
fn benchmarks_are_declared_once_each_before_the_first_game() {
    let mut record = Record::announced("wcc-2015").with_bots(1);
    let at = record.date(Milestone::QualifyingOpens) + HOUR;
    assert_eq!(record.is_violation(at, &stable(&["x", "y"])), [""; 0]);
    assert_eq!(record.is_violation(at, &stable(&["x", "x"])), ["qualifier.benchmarks"]);
    assert_eq!(record.is_violation(at, &stable(&[])), ["qualifier.benchmarks"]);
    record.rightly(at, &E::QualifyingGamePlayed(game("bot01", "a", true, true, at, 1)));
    assert_eq!(record.is_violation(at, &stable(&["x"])), ["qualifier.benchmarks"]);
}

#[test]
fn games_that_do_not_count_are_in_order_and_games_that_contradict_are_not() {
    let mut record = Record::announced("wcc-2015").with_bots(2);
    let opens = record.date(Milestone::QualifyingOpens);
    let first = game("bot01", "a", true, true, opens + HOUR, 1);
    record.rightly(opens + DAY, &E::QualifyingGamePlayed(first.clone()));
    type Change = fn(&mut QualifyingGamePlayed);
    let fine: [Change; 4] = [
        |game| game.rated = false,
        |game| game.started_at -= 90 * DAY,
        |game| game.side = Side::Gold,
        |game| game.winner = None,
    ];
    let known = "registration.known";
    let wrong: [(&str, Change); 6] = [
        (known, |game| game.player = id("bot77")),
        ("qualifier.benchmarks", |game| game.benchmark = id("bot02")),
        ("qualifier.game", |game| game.ended_at = game.started_at - 1),
        ("qualifier.game", |game| game.number = Some(1)),
        ("qualifier.game", |game| (game.number, game.player) = (Some(1), id("bot02"))),
        ("qualifier.benchmarks", |game| game.benchmark = id("nobody")),
    ];
    let next = game("bot01", "a", false, true, opens + 3 * HOUR, 2);
    for (i, change) in fine.into_iter().enumerate() {
        let mut game = next.clone();
        change(&mut game);
        assert_eq!(record.is_violation(opens + DAY, &E::QualifyingGamePlayed(game)), [""; 0], "case {i}");
    }
    for (i, (rule, change)) in wrong.into_iter().enumerate() {
        let mut game = next.clone();
        change(&mut game);
        assert_eq!(record.is_violation(opens + DAY, &E::QualifyingGamePlayed(game)), [rule], "case {i}");
    }
}

#[test]
fn a_recorded_game_says_what_the_game_in_the_log_says() {
    let mut record = Record::announced("wcc-2015").with_bots(1);
    let opens = record.date(Milestone::QualifyingOpens);
    let mut right = game("bot01", "a", true, true, opens + HOUR, 1);
    right.game = Some("g1".parse().unwrap());
    right.termination = Some(Termination::Goal);
    let facts = GameFacts {
        started_at: Some(right.started_at + 900_000),
        gold: Some("BOT01".to_owned()),
        silver: Some("a".to_owned()),
        rated: Some(true),
        ended: Some(EndFacts {
            at: right.ended_at,
            winner: Some(Side::Gold),
            termination: Termination::Goal,
        }),
        ..GameFacts::default()
    };
    record.context.games.insert("g1".parse().unwrap(), facts);
    assert_eq!(record.is_violation(opens + DAY, &E::QualifyingGamePlayed(right.clone())), [""; 0]);
    type Change = fn(&mut QualifyingGamePlayed);
    let wrong: [Change; 6] = [
        |game| game.winner = Some(Side::Silver),
        |game| game.side = Side::Silver,
        |game| game.rated = false,
        |game| game.started_at += HOUR / 3,
        |game| game.ended_at += HOUR / 3,
        |game| game.termination = Some(Termination::Time),
    ];
    for (i, change) in wrong.into_iter().enumerate() {
        let mut game = right.clone();
        change(&mut game);
        assert_eq!(
            record.is_violation(opens + DAY, &E::QualifyingGamePlayed(game)),
            ["qualifier.game"],
            "case {i}"
        );
    }
}

/// Ten programs whose games are over; the order is still to be published.
fn unpublished(count: u32) -> (Record, Qualified, i64) {
    let mut record = Record::qualified(count);
    let published = record.tournament.qualified.pop().unwrap();
    for entrant in record.tournament.entrants.values_mut() {
        entrant.seed = None;
    }
    let at = record.date(Milestone::QualifiersNamed) - 1;
    (record, published, at)
}

#[test]
fn an_order_that_follows_is_found_to_follow_and_each_fault_on_its_own_rule() {
    let (record, right, at) = unpublished(11);
    assert_eq!(right.order.iter().filter(|place| place.seed.is_some()).count(), 8);
    assert_eq!(record.is_violation(at, &E::Qualified(right.clone())), [""; 0]);
    assert_eq!(left_open(&record.ask(at, &E::Qualified(right.clone()))), [""; 0]);
    let closes = record.date(Milestone::QualifyingCloses);
    assert_eq!(record.is_violation(closes - 1, &E::Qualified(right.clone())), ["qualifier.window"]);
    let published = Record::qualified(11);
    assert_eq!(published.is_violation(at, &E::Qualified(right.clone())), ["field.places"], "it is published");

    type Change = fn(&mut Qualified);
    fn measure<'a>(order: &'a mut Qualified, place: usize, name: &str) -> &'a mut i64 {
        let measures = &mut order.order[place].measures;
        &mut measures.iter_mut().find(|measure| measure.name == name).unwrap().values[0]
    }
    fn exchange(order: &mut Qualified, a: usize, b: usize) {
        order.order.swap(a, b);
        for i in [a, b] {
            order.order[i].rank = i as u32 + 1;
            order.order[i].seed = (i < 8).then_some(i as u32 + 1);
        }
    }
    let wrong: [(&str, Change); 11] = [
        ("qualifier.score", |q| *measure(q, 2, "points") += 1),
        ("qualifier.score", |q| *measure(q, 2, "losses_before") -= 1),
        ("qualifier.score", |q| *measure(q, 0, "completed_at") -= 1),
        ("qualifier.score", |q| *measure(q, 9, "played") += 1),
        ("qualifier.score", |q| *measure(q, 9, "rating") += 1),
        ("qualifier.order", |q| exchange(q, 1, 2)),
        ("qualifier.order", |q| q.order[3].rank = 3),
        ("field.seeds", |q| (q.order[0].seed, q.order[1].seed) = (Some(2), Some(1))),
        ("field.places", |q| q.order[8].seed = Some(9)),
        ("field.places", |q| q.order[7].seed = None),
        ("field.places", |q| q.to = Stage::Continuation),
    ];
    for (i, (rule, change)) in wrong.into_iter().enumerate() {
        let mut published = right.clone();
        change(&mut published);
        assert_eq!(record.is_violation(at, &E::Qualified(published)), [rule], "case {i}");
    }
    let mut unsaid = right.clone();
    unsaid.order.iter_mut().for_each(|place| place.measures.clear());
    assert_eq!(
        record.is_violation(at, &E::Qualified(unsaid)),
        [""; 0],
        "what is not published is not asked for"
    );
    let mut without = right.clone();
    without.order.pop();
    assert_eq!(record.is_violation(at, &E::Qualified(without)), ["qualifier.order", "field.places"]);
}

#[test]
fn an_over_counted_game_is_found_in_the_score() {
    let (mut record, right, at) = unpublished(5);
    let game = record.tournament.qualifying_games.iter_mut().find(|game| game.player == id("bot03")).unwrap();
    game.rated = false;
    let verdicts = record.ask(at, &E::Qualified(right));
    assert!(departed(&verdicts).contains(&"qualifier.score"), "{verdicts:?}");
    let subjects: Vec<String> = verdicts
        .iter()
        .filter(|verdict| verdict.is_violation() && verdict.rule.id.name() == "qualifier.score")
        .map(|verdict| verdict.subject.to_string())
        .collect();
    assert_eq!(subjects, ["the score of bot03"]);
}

#[test]
fn those_who_played_nothing_are_ranked_by_rating() {
    let mut record = Record::announced("wcc-2015").with_bots(3);
    let at = record.date(Milestone::QualifiersNamed) - 1;
    let ratings = vec![PlayerRating { player: id("bot02"), rating: 1900 }];
    record.rightly(at, &E::RatingsRecorded(RatingsRecorded { ratings, source: None }));
    let decision = record.decide(at, &Command::Qualify).unwrap();
    let [E::Qualified(right)] = &decision.events[..] else { unreachable!() };
    let names: Vec<&str> = right.order.iter().map(|place| place.player.as_str()).collect();
    assert_eq!(names, ["bot02", "bot01", "bot03"], "fewer than eight are ranked and seeded too");
    assert_eq!(right.order[2].seed, Some(3));
    let mut wrong = right.clone();
    wrong.order.swap(0, 1);
    (wrong.order[0].rank, wrong.order[1].rank) = (1, 2);
    (wrong.order[0].seed, wrong.order[1].seed) = (Some(1), Some(2));
    assert_eq!(record.is_violation(at, &E::Qualified(wrong)), ["qualifier.unplayed"]);
}

#[test]
fn nothing_is_qualified_where_nobody_entered_or_the_period_is_not_known() {
    let record = Record::announced("wcc-2015").with_bots(0);
    let at = record.date(Milestone::QualifiersNamed) - 1;
    let command = Command::Qualify;
    let refusal = record.decide(at, &command).unwrap_err();
    assert!(refusal.what.starts_with("no player has entered"), "{refusal}");
    let mut undated = Record::announced("wcc-2015").with_bots(1);
    undated.tournament.announced.as_mut().unwrap().schedule.clear();
    let refusal = undated.decide(at, &command).unwrap_err().to_string();
    assert!(refusal.contains("does not say when the qualifying period begins"), "{refusal}");
    let order =
        Qualified { from: Stage::Qualifier, to: Stage::Final, order: Vec::new(), grounds: Vec::new() };
    assert_eq!(left_open(&undated.ask(at, &E::Qualified(order))), ["qualifier.order"]);
    let refusal = Record::announced("postal-2006").decide(at, &command).unwrap_err().to_string();
    assert!(refusal.contains("no player goes on"), "{refusal}");
    let early = Record::announced("wcc-2015").with_bots(1);
    let refusal = early.decide(early.date(Milestone::QualifyingCloses) - 1, &command).unwrap_err();
    assert_eq!(refusal.rule.unwrap().id.name(), "qualifier.window");
}

fn out(player: &str, cause: Disqualification) -> Command {
    Command::Disqualify { player: id(player), cause, reason: None, rules: Vec::new() }
}

fn words(events: &[E]) -> Vec<&'static str> {
    let word = |event: &E| match event {
        E::Disqualified(_) => "disqualified",
        E::PenaltyRecorded(_) => "penalty",
        E::BanRecorded(_) => "ban",
        E::Invited(_) => "invited",
        _ => "other",
    };
    events.iter().map(word).collect()
}

#[test]
fn the_next_in_the_order_is_invited_for_six_days_into_a_place_that_fell_vacant() {
    let mut record = Record::qualified(11);
    let at = record.date(Milestone::ProgramsDue);
    let invite = Command::Invite { replaces: None };
    let refusal = record.decide(at, &invite).unwrap_err();
    assert_eq!(
        (refusal.rule.unwrap().id.name(), refusal.what.as_str()),
        ("invitation.vacancy", "no place is vacant")
    );
    record.carry_out(at, &out("bot03", Disqualification::NotUploaded));
    let E::Invited(right) = record.decide(at, &invite).unwrap().events.remove(0) else { unreachable!() };
    assert_eq!((right.player.as_str(), right.rank, right.fee_at_risk), ("bot09", 9, false));
    assert_eq!((right.due, right.replaces.clone()), (Some(at + 6 * DAY), Some(id("bot03"))));
    type Change = fn(&mut Invited);
    for (more, violations) in [(DAY, vec![]), (DAY + 1, vec!["invitation.days"])] {
        let invited = Invited { due: right.due.map(|due| due + more), ..right.clone() };
        assert_eq!(record.is_violation(at, &E::Invited(invited)), violations, "to the end of that day");
    }
    let wrong: [(&[&str], Change); 8] = [
        (&["invitation.next"], |i| (i.player, i.rank) = (id("bot10"), 10)),
        (&["invitation.next"], |i| i.rank = 8),
        (&["invitation.next"], |i| i.player = id("bot01")),
        (&["invitation.vacancy"], |i| i.replaces = Some(id("bot04"))),
        (&["invitation.days"], |i| i.due = i.due.map(|due| due - DAY)),
        (&["invitation.fee"], |i| i.fee_at_risk = true),
        (&["registration.known"], |i| i.player = id("bot77")),
        (&["registration.standing"], |i| i.player = id("bot03")),
    ];
    for (rules, change) in wrong {
        let mut invited = right.clone();
        change(&mut invited);
        assert_eq!(record.is_violation(at, &E::Invited(invited)), rules);
    }
    record.carry_out(at, &invite);
    assert_eq!(
        record.is_violation(at, &E::Invited(right)),
        ["invitation.vacancy", "invitation.next"],
        "it is invited"
    );
    assert_eq!(record.decide(at, &invite).unwrap_err().what, "no place is vacant");

    record.rightly(at, &left("bot05", Withdrawal::Own));
    record.rightly(at, &left("bot06", Withdrawal::Own));
    let several = record.decide(at, &invite).unwrap_err();
    assert!(several.what.contains("`bot05`, `bot06`"), "{several}");
    let lapsed = E::InvitationLapsed(InvitationLapsed { player: id("bot09"), reason: None });
    assert_eq!(
        record.is_violation(at, &E::InvitationLapsed(InvitationLapsed { player: id("bot01"), reason: None })),
        ["invitation.lapsed"],
        "it was not invited"
    );
    let over = at + 6 * DAY;
    assert_eq!(record.is_violation(over - 1, &lapsed), ["invitation.lapsed"], "it still runs");
    let declined = Some("declined".to_owned());
    let declined = E::InvitationLapsed(InvitationLapsed { player: id("bot09"), reason: declined });
    let verdicts = record.ask(over - 1, &declined);
    assert_eq!((departed(&verdicts), left_open(&verdicts)), (vec![], vec!["invitation.lapsed"]));
    assert_eq!(left_open(&record.ask(over, &lapsed)), [""; 0]);
    record.rightly(over, &lapsed);
    for replaces in ["bot09", "bot06"] {
        let events = record.carry_out(at, &Command::Invite { replaces: Some(id(replaces)) });
        assert_eq!(words(&events), ["invited"]);
    }
    let invited = |name: &str| record.tournament.entrants[&id(name)].invited.is_some();
    assert!(invited("bot10") && invited("bot11"));
    let nobody = record.decide(at, &invite).unwrap_err();
    assert_eq!(nobody.rule.unwrap().id.name(), "invitation.next", "the order is at its end: {nobody}");
    let none = Record::announced("wc-2009").decide(at, &invite).unwrap_err().to_string();
    assert!(none.contains("invites no player"), "{none}");
}

#[test]
fn a_place_that_fell_vacant_under_a_pairing_that_is_revoked_is_vacant_before_the_final() {
    let mut record = Record::qualified(11);
    let at = record.date(Milestone::PlayBegins);
    record.carry_out(at, &Command::Pair { seed: Some("coins".to_owned()) });
    record.carry_out(at, &out("bot03", Disqualification::NotUploaded));
    let invite = Command::Invite { replaces: None };
    assert_eq!(record.decide(at, &invite).unwrap_err().what, "no place is vacant");
    let reason = "bot03 is out".to_owned();
    record.rightly(at, &E::PairingRevoked(PairingRevoked { round: 1, board: None, reason }));
    assert_eq!(words(&record.carry_out(at, &invite)), ["invited"]);
    assert!(record.tournament.entrants[&id("bot09")].invited.is_some());
}

#[test]
fn an_invited_player_who_leaves_and_comes_back_is_invited() {
    let mut record = Record::qualified(11);
    let at = record.date(Milestone::ProgramsDue);
    record.carry_out(at, &out("bot03", Disqualification::NotUploaded));
    record.carry_out(at, &Command::Invite { replaces: None });
    let status = |record: &Record, name: &str| record.tournament.entrants[&id(name)].status();
    assert_eq!(status(&record, "bot03"), EntrantStatus::Disqualified);
    assert_eq!(status(&record, "bot09"), EntrantStatus::Invited);
    record.rightly(at, &left("bot09", Withdrawal::Own));
    assert_eq!(status(&record, "bot09"), EntrantStatus::Withdrawn);
    let back = PlayerReinstated { player: id("bot09"), appeal: None, reason: None };
    record.say(at, &E::PlayerReinstated(back));
    assert_eq!(status(&record, "bot09"), EntrantStatus::Invited);
}

#[test]
fn a_disqualification_has_a_cause_that_the_record_bears_out() {
    use Disqualification::*;
    let mut record = Record::qualified(10);
    let (due, tests) = (record.date(Milestone::ProgramsDue), record.date(Milestone::TestsDue));
    let disqualified = |player: &str, cause| {
        E::Disqualified(Disqualified { player: id(player), cause, grounds: Vec::new(), reason: None })
    };
    let cause = ["disqualification.cause"];
    assert_eq!(
        record.is_violation(due - 1, &disqualified("bot01", NotUploaded)),
        cause,
        "the time is not over"
    );
    assert_eq!(record.is_violation(due, &disqualified("bot01", NotUploaded)), [""; 0]);
    assert_eq!(record.is_violation(due, &disqualified("bot09", NotUploaded)), cause, "it did not qualify");
    assert_eq!(record.is_violation(due, &disqualified("bot99", NotUploaded)), ["registration.known"]);
    record.rightly(due - 9, &submitted("bot01", "sha256:01"));
    assert_eq!(left_open(&record.ask(due, &disqualified("bot01", NotUploaded))), cause, "it is not tested");
    record.rightly(due - 8, &tested("bot01", "sha256:01", false));
    assert_eq!(left_open(&record.ask(due, &disqualified("bot01", NotUploaded))), [""; 0], "it failed");
    record.rightly(due - 7, &tested("bot01", "sha256:01", true));
    assert_eq!(
        record.is_violation(tests, &disqualified("bot01", NotUploaded)),
        cause,
        "it was set up in time"
    );
    for open in [QualifyingRules, FasterHardware, ProgramChanged, HardwareChanged, LimitedProgram, Other] {
        let event = disqualified("bot01", open);
        assert_eq!(left_open(&record.ask(due, &event)), cause, "{open}");
        assert_eq!(record.is_violation(due, &event), [""; 0], "{open}");
    }
    record.say(due - 6, &submitted("bot01", "sha256:02"));
    assert_eq!(
        left_open(&record.ask(due, &disqualified("bot01", ProgramChanged))),
        [""; 0],
        "the record shows it"
    );
    for (hardware, speed) in [("slow", 1_000), ("fast", 9_000)] {
        record.say(
            due,
            &E::HardwareDeclared(HardwareDeclared {
                player: id("bot01"),
                hardware: hardware.to_owned(),
                system: None,
                price: None,
                speed: Some(speed),
                computers: Vec::new(),
            }),
        );
    }
    let shown = |record: &Record, cause| left_open(&record.ask(due, &disqualified("bot01", cause)));
    assert_eq!(shown(&record, HardwareChanged), [""; 0]);
    assert_eq!(shown(&record, FasterHardware), cause, "the machine to compare with is not recorded");
    let (hardware, year) = ("i5".to_owned(), Some(2014));
    let reference = ReferenceHardwareRecorded { hardware, system: None, year, note: None };
    record.say(due, &E::ReferenceHardwareRecorded(reference));
    assert_eq!(shown(&record, FasterHardware), [""; 0]);
}

#[test]
fn a_disqualification_brings_the_penalty_and_the_ban_that_the_text_ties_to_its_cause() {
    use Disqualification::*;
    let mut record = Record::qualified(10);
    let due = record.date(Milestone::ProgramsDue);
    let brings = |record: &Record, at, player: &str, cause| {
        words(&record.decide(at, &out(player, cause)).unwrap().events)
    };
    assert_eq!(brings(&record, due, "bot01", NotUploaded), ["disqualified", "penalty"]);
    assert_eq!(brings(&record, due, "bot01", QualifyingRules), ["disqualified", "penalty"]);
    assert_eq!(brings(&record, due, "bot01", FasterHardware), ["disqualified", "penalty", "ban"]);
    assert_eq!(brings(&record, due, "bot01", LimitedProgram), ["disqualified", "ban"]);
    assert_eq!(brings(&record, due, "bot01", ProgramChanged), ["disqualified"]);
    let early = record.decide(due - 1, &out("bot01", NotUploaded)).unwrap_err();
    assert_eq!(early.rule.unwrap().id.name(), "disqualification.cause");
    let events = record.decide(due, &out("bot01", FasterHardware)).unwrap().events;
    let [_, E::PenaltyRecorded(penalty), E::BanRecorded(ban)] = &events[..] else { unreachable!() };
    assert_eq!(penalty.amount, 2_000);
    assert_eq!((ban.series.as_deref(), ban.developers.len()), (Some("arimaa-wcc"), 1));
    assert_eq!(ban.until, Some(due + 731 * DAY), "2016 has a day more");
    record.carry_out(due, &out("bot01", NotUploaded));
    record.carry_out(due, &Command::Invite { replaces: None });
    let over = due + 6 * DAY;
    assert_eq!(brings(&record, over, "bot09", NotUploaded), ["disqualified"], "nothing is at risk");
    assert_eq!(
        record.decide(over - 1, &out("bot09", NotUploaded)).unwrap_err().rule.unwrap().id.name(),
        "disqualification.cause"
    );
    assert_eq!(brings(&record, over, "bot09", QualifyingRules), ["disqualified", "penalty"]);
    assert!(record.decide(over, &out("bot77", Other)).unwrap_err().what.contains("never entered"));
}

#[test]
fn penalties_are_twenty_dollars_imposed_and_then_paid() {
    let mut record = Record::qualified(9);
    let due = record.date(Milestone::ProgramsDue);
    let penalty = |player: &str, amount, rule: &str| {
        let ground = Ground { rule: rule.to_owned(), paragraph: None, finding: None };
        E::PenaltyRecorded(PenaltyRecorded {
            player: id(player),
            amount,
            grounds: vec![ground],
            evidence: Vec::new(),
            reason: "as the director found".to_owned(),
        })
    };
    let paid = |player: &str, amount| E::PenaltyPaid(PenaltyPaid { player: id(player), amount, note: None });
    assert_eq!(record.is_violation(due, &paid("bot01", 2_000)), ["penalty"], "nothing is owed");
    assert_eq!(record.is_violation(due, &penalty("bot01", 1_000, "program.deadline")), ["penalty"]);
    assert_eq!(record.is_violation(due - 1, &penalty("bot01", 2_000, "program.deadline")), ["penalty"]);
    assert_eq!(record.is_violation(due - 1, &penalty("bot01", 2_000, "qualifier.conduct")), [""; 0]);
    assert_eq!(
        record.is_violation(due, &penalty("bot77", 2_000, "qualifier.conduct")),
        ["registration.known"]
    );
    assert_eq!(left_open(&record.ask(due, &penalty("bot01", 2_000, "round.order"))), ["penalty"]);
    record.rightly(due, &penalty("bot01", 2_000, "program.deadline"));
    assert_eq!(
        left_open(&record.ask(due, &penalty("bot01", 2_000, "qualifier.conduct"))),
        ["penalty"],
        "twice"
    );
    assert_eq!(record.is_violation(due, &paid("bot01", 2_001)), ["penalty"]);
    record.rightly(due, &paid("bot01", 1_500));
    assert_eq!(record.is_violation(due, &paid("bot01", 501)), ["penalty"]);
    record.rightly(due, &paid("bot01", 500));

    record.carry_out(due, &out("bot02", Disqualification::NotUploaded));
    record.carry_out(due, &Command::Invite { replaces: None });
    assert_eq!(record.is_violation(due, &penalty("bot09", 2_000, "program.deadline")), ["penalty"]);
    assert_eq!(record.is_violation(due, &penalty("bot09", 2_000, "qualifier.conduct")), [""; 0]);
}

#[test]
fn bans_are_for_two_years_or_following_years_and_from_this_series() {
    let mut record = Record::qualified(2);
    let at = record.date(Milestone::PlayBegins);
    let ban = |player: &str, rule: &str, until, series: Option<&str>| {
        E::BanRecorded(BanRecorded {
            player: id(player),
            developers: vec!["developer  1".to_owned(), "Another".to_owned()],
            series: series.map(str::to_owned),
            until,
            grounds: vec![Ground { rule: rule.to_owned(), paragraph: None, finding: None }],
            evidence: Vec::new(),
            reason: "as the director found".to_owned(),
        })
    };
    let (wcc, faster, limited) = (Some("arimaa-wcc"), "qualifier.hardware", "program.unlimited");
    let two_years = at + 731 * DAY;
    let right = ban("bot01", faster, Some(two_years), wcc);
    assert_eq!((record.is_violation(at, &right), left_open(&record.ask(at, &right))), (vec![], vec![]));
    for developers in [vec![], vec!["Another".to_owned()]] {
        let E::BanRecorded(ban) = right.clone() else { unreachable!() };
        let of_others = E::BanRecorded(BanRecorded { developers, ..ban });
        assert_eq!(record.is_violation(at, &of_others), ["ban"], "its developer could enter another program");
    }
    for wrong in [Some(two_years - 1), Some(two_years + 2 * DAY), None] {
        assert_eq!(record.is_violation(at, &ban("bot01", faster, wrong, wcc)), ["ban"], "{wrong:?}");
    }
    assert_eq!(
        record.is_violation(at, &ban("bot01", faster, Some(two_years), None)),
        ["ban"],
        "every tournament"
    );
    assert_eq!(record.is_violation(at, &ban("bot77", faster, None, wcc)), ["registration.known"]);
    assert_eq!(left_open(&record.ask(at, &ban("bot01", limited, None, wcc))), [""; 0]);
    assert_eq!(left_open(&record.ask(at, &ban("bot01", limited, Some(two_years), wcc))), ["ban"]);
    assert_eq!(left_open(&record.ask(at, &ban("bot01", "colour", None, wcc))), ["ban"]);
    let lifted = |series: Option<&str>| {
        E::BanLifted(BanLifted {
            player: id("bot01"),
            series: series.map(str::to_owned),
            reason: "time heals".to_owned(),
        })
    };
    assert_eq!(record.is_violation(at, &lifted(wcc)), ["ban"], "none stands");
    record.rightly(at, &right);
    assert_eq!(record.is_violation(at, &lifted(None)), ["ban"]);
    assert_eq!(
        (record.is_violation(at, &lifted(wcc)), left_open(&record.ask(at, &lifted(wcc)))),
        (vec![], vec!["ban"])
    );
    record.rightly(at, &lifted(wcc));
    assert!(record.context.bans.is_empty());
    assert_eq!(record.is_violation(at, &lifted(wcc)), ["ban"], "it was lifted before");
}
