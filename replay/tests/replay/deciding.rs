//! The desk: what the rules forbid is refused and the log stays as it was; what is taken is what was decided.

use annals_events::tournament::Outcome;
use annals_events::{
    BoardId, Ended, EventId, GameEvent, Halted, PeopleEvent, PlayerKind, Side, Termination, TournamentEvent,
    TurnTaken,
};
use annals_replay::handler::{self, HandlerError, Reason};
use annals_store::{AppendError, Clock as _};

use super::games::{setup, started};
use super::scene::{
    DAY, SECOND, START, Scene, announced, draft, game, id, paired, registered, result, round_started,
    tournament,
};

fn turn(number: u32, side: Side, steps: &'static str) -> GameEvent<'static> {
    GameEvent::TurnTaken(TurnTaken::plain(number, side, steps))
}

fn begun() -> Scene {
    let mut scene = Scene::new();
    scene.take(draft("game/1", START, GameEvent::Started(Box::new(started()))));
    scene.take(draft("game/1", START + SECOND, turn(1, Side::Gold, setup(Side::Gold))));
    scene.take(draft("game/1", START + 2 * SECOND, turn(1, Side::Silver, setup(Side::Silver))));
    scene
}

#[test]
fn an_illegal_turn_is_refused_naming_the_rule_and_nothing_is_written() {
    let mut scene = begun();
    let last = scene.log.last_seq().unwrap();
    let at = START + 3 * SECOND;
    for (event, code) in [
        (turn(2, Side::Gold, "Ra1n"), "occupied"),
        (turn(2, Side::Gold, "Ee2n Ee3s"), "position_unchanged"),
        (turn(2, Side::Silver, "rh7s"), "wrong_side"),
        (turn(5, Side::Gold, "Ee2n"), "wrong_number"),
        (turn(2, Side::Gold, "nonsense"), "token"),
        (GameEvent::Started(Box::new(started())), "started_twice"),
    ] {
        let error = scene.append(&[draft("game/1", at, event.clone())]).unwrap_err();
        let HandlerError::Refused(refusal) = error else { panic!("{error}") };
        let Reason::Illegal { code: found, message } = &refusal.reason else { panic!("{refusal}") };
        assert!(!message.is_empty());
        if !["occupied", "token"].contains(&code) {
            assert_eq!(found, code, "{event:?}");
        }
        assert!(refusal.to_string().contains("game/1"), "{refusal}");
    }
    assert_eq!(scene.log.last_seq().unwrap(), last);
    scene.take(draft("game/1", at, turn(2, Side::Gold, "Ee2n Ee3n")));
}

#[test]
fn a_transaction_is_decided_in_order_and_refused_as_a_whole() {
    let mut scene = begun();
    let last = scene.log.last_seq().unwrap();
    let at = START + 3 * SECOND;
    let drafts = [
        draft("game/1", at, turn(2, Side::Gold, "Ee2n Ee3n")),
        draft("game/1", at, turn(2, Side::Silver, "ed7s ed6s")),
        draft("game/1", at, turn(3, Side::Gold, "Ee4n Ee4n")),
    ];
    let Err(HandlerError::Refused(refusal)) = scene.append(&drafts) else { panic!() };
    assert_eq!(refusal.index, 2);
    assert_eq!(scene.log.last_seq().unwrap(), last);
    assert_eq!(scene.append(&drafts[..2]).unwrap().last_seq, last + 2);
}

#[test]
fn a_result_that_contradicts_the_board_is_refused() {
    let mut scene = begun();
    let ended = |winner, termination| {
        GameEvent::Ended(Ended {
            winner: Some(winner),
            termination: Some(termination),
            stated: None,
            draw: false,
        })
    };
    let at = START + 3 * SECOND;
    let code = scene.refused(draft("game/1", at, ended(Side::Gold, Termination::Goal)));
    assert_eq!(code, "ending_disagrees");
    scene.take(draft("game/1", at, ended(Side::Gold, Termination::Resignation)));
    assert_eq!(scene.refused(draft("game/1", at, turn(2, Side::Gold, "Ee2n"))), "game_ended");
}

#[test]
fn nothing_happens_before_its_causes() {
    let mut scene = begun();
    let late = draft("game/1", START + SECOND, turn(2, Side::Gold, "Ee2n"));
    let Err(HandlerError::Refused(refusal)) = scene.append(&[late]) else { panic!() };
    let expected = Reason::BeforeCause { effective_at: START + SECOND, floor: START + 2 * SECOND, cause: 4 };
    assert_eq!(refusal.reason, expected);
    assert!(refusal.to_string().contains("event 4, on which it depends"), "{refusal}");

    let open = "tournament/open";
    scene.take(draft(open, START, announced()));
    assert_eq!(scene.refused(draft(open, START - 1, registered("anna"))), "before_its_cause");
    scene.take(draft(open, START + 50, registered("anna")));
    scene.take(draft(open, START + 10, registered("bela")));
    let pair = paired(1, &[("anna", "bela")], None);
    assert_eq!(scene.refused(draft(open, START + 40, pair.clone())), "before_its_cause");
    scene.take(draft(open, START + 60, pair));
    // A game says which pairing it is an attempt at: it cannot begin before that was made.
    let mut of_pairing = started();
    of_pairing.pairing = Some("open.r1.1".into());
    let begin = |at| draft("game/open.r1.1", at, GameEvent::Started(Box::new(of_pairing.clone())));
    assert_eq!(scene.refused(begin(START + 59)), "before_its_cause");
    scene.take(begin(START + 60));
}

#[test]
fn a_tournament_takes_what_follows_from_what_came_before() {
    let mut scene = Scene::new();
    let open = "tournament/open";
    assert_eq!(scene.refused(draft(open, START, registered("anna"))), "not_announced");
    let drafts = tournament(open, START);
    for draft in &drafts[..9] {
        scene.take(draft.clone());
    }
    let at = START + DAY;
    assert_eq!(scene.refused(draft(open, at, announced())), "announced_twice");
    assert_eq!(scene.refused(draft(open, at, result(1, 1, Outcome::Silver))), "second_result");
    assert_eq!(scene.refused(draft(open, at, result(7, 1, Outcome::Silver))), "no_such_pairing");
    assert_eq!(scene.refused(draft(open, at, round_started(2))), "no_such_round");
    let with_oneself = paired(2, &[("anna", "anna")], None);
    assert_eq!(scene.refused(draft(open, at, with_oneself)), "paired_with_oneself");
    let not_entered = paired(2, &[("anna", "nobody")], None);
    assert_eq!(scene.refused(draft(open, at, not_entered)), "not_entered");
    let again = paired(1, &[("anna", "bela")], None);
    assert_eq!(scene.refused(draft(open, at, again)), "paired_twice");
    let stranger = TournamentEvent::PlayerWithdrawn(annals_events::tournament::PlayerWithdrawn {
        player: id("nobody"),
        how: annals_events::tournament::Withdrawal::Own,
        reason: None,
    });
    assert_eq!(scene.refused(draft(open, at, stranger)), "no_such_player");
    scene.take(drafts[9].clone());
    assert_eq!(scene.refused(draft(open, at, result(2, 1, Outcome::Gold))), "round_not_started");
    let gone = TournamentEvent::PlayerWithdrawn(annals_events::tournament::PlayerWithdrawn {
        player: id("dora"),
        how: annals_events::tournament::Withdrawal::Own,
        reason: None,
    });
    scene.take(draft(open, at, gone));
    assert_eq!(scene.refused(draft(open, at, paired(3, &[("anna", "dora")], None))), "not_entered");
}

#[test]
fn two_who_decided_on_the_same_state_cannot_both_append() {
    let mut scene = begun();
    let at = START + 3 * SECOND;
    let draft = draft("game/1", at, turn(2, Side::Gold, "Ee2n"));
    let mut desk = handler::Handler::at(&scene.log, scene.log.last_seq().unwrap()).unwrap();
    desk.decide(0, &draft).unwrap().unwrap();
    let expected = desk.expectations();
    drop(desk);
    scene.take(draft);
    let event = annals_store::NewEvent::new(
        "game/1".parse().unwrap(),
        EventId([3; 16]),
        at,
        "other",
        &annals_events::Entry::from(annals_events::Event::from(turn(2, Side::Gold, "Md2n"))),
    );
    let transaction = annals_store::Transaction { expected, events: vec![event.unwrap()] };
    assert!(matches!(scene.log.append(&transaction), Err(AppendError::Conflict { .. })));
}

#[test]
fn a_repetition_is_taken_as_one_and_decided_no_second_time() {
    let mut scene = begun();
    let once = draft("game/1", START + 3 * SECOND, turn(2, Side::Gold, "Ee2n")).with_id(EventId([5; 16]));
    let first = scene.append(std::slice::from_ref(&once)).unwrap();
    let second = scene.append(std::slice::from_ref(&once)).unwrap();
    assert!(second.repeated && second.last_seq == first.last_seq);
    let other = draft("game/1", START + 3 * SECOND, turn(2, Side::Gold, "Md2n")).with_id(EventId([5; 16]));
    let error = scene.append(&[other]).unwrap_err();
    assert!(matches!(error, HandlerError::Append(AppendError::IdReused { .. })), "{error}");
}

#[test]
fn what_is_said_of_a_player_stands_in_that_players_stream() {
    let mut scene = Scene::new();
    let known = PeopleEvent::PlayerKnown(annals_events::people::PlayerKnown {
        player: id("anna"),
        name: "Anna".to_owned(),
        kind: PlayerKind::Human,
        country: None,
        developers: Vec::new(),
        earlier_version: None,
    });
    assert_eq!(scene.refused(draft("people/bela", START, known.clone())), "no_event");
    assert_eq!(scene.refused(draft("game/anna", START, known.clone())), "no_event");
    scene.take(draft("people/anna", START, known));
}

#[test]
fn a_game_whose_import_broke_the_rules_can_still_be_annulled() {
    let mut scene = Scene::new();
    let mut drafts = game("game/odd", START, 3, 6);
    let last = drafts.len() - 1;
    let at = drafts[last].effective_at;
    drafts.insert(4, draft("game/odd", drafts[3].effective_at, turn(2, Side::Silver, "Ee2n")));
    let mut importer = handler::Importer::new(&mut scene.log, "import").unwrap();
    assert!(!importer.stream(&drafts).unwrap().flags.is_empty());
    importer.finish().unwrap();
    let halted = draft("game/odd", at, GameEvent::Halted(Halted::default()));
    assert_eq!(scene.refused(halted), "no_position");
    scene.take(draft("game/odd", at, GameEvent::Annulled(annals_events::Annulled::default())));
}

#[test]
fn evidence_points_to_an_event_that_is_there_and_is_no_later() {
    use annals_events::tournament::{Effect, Evidence, RulingGiven};
    let mut scene = Scene::new();
    for draft in tournament("tournament/open", START) {
        scene.take(draft);
    }
    let last = scene.log.event(15).unwrap().unwrap();
    let ruling = |seq, at| {
        let evidence = Evidence {
            text: "the record".to_owned(),
            source: None,
            digest: None,
            game: None,
            ply: None,
            seq: Some(seq),
        };
        let ruling = RulingGiven {
            number: 1,
            effect: Effect::Nothing,
            reason: "dismissed".to_owned(),
            grounds: Vec::new(),
            evidence: vec![evidence],
            dispute: None,
            supersedes: None,
        };
        draft("tournament/open", at, TournamentEvent::RulingGiven(ruling))
    };
    assert_eq!(scene.refused(ruling(999, START + DAY)), "no_such_event");
    assert_eq!(scene.refused(ruling(15, last.effective_at - 1)), "before_its_cause");
    scene.take(ruling(15, last.effective_at));
}

#[test]
fn a_ruling_on_a_game_is_no_earlier_than_its_last_turn() {
    use annals_events::tournament::{Effect, Failure, RulingGiven};
    let (mut scene, open, minute) = (Scene::new(), "tournament/open", 60 * SECOND);
    for draft in &tournament(open, START)[..7] {
        scene.take(draft.clone());
    }
    let mut of_pairing = started();
    of_pairing.pairing = Some("open.r1.1".into());
    let at = START + 7 * minute;
    scene.take(draft("game/open.r1.1", at, GameEvent::Started(Box::new(of_pairing))));
    let last = scene.take(draft("game/open.r1.1", at + minute, turn(1, Side::Gold, setup(Side::Gold))));
    let ruling = |at| {
        let effect = Effect::Halt {
            pairing: BoardId { round: 1, board: 1 },
            game: Some("open.r1.1".parse().unwrap()),
            ply: 0,
            failure: Failure::GameServer,
            clocks: None,
        };
        let reason = "the server failed".to_owned();
        let (grounds, evidence) = (Vec::new(), Vec::new());
        let given =
            RulingGiven { number: 1, effect, reason, grounds, evidence, dispute: None, supersedes: None };
        draft(open, at, TournamentEvent::RulingGiven(given))
    };
    let Err(HandlerError::Refused(refusal)) = scene.append(&[ruling(at + minute - 1)]) else { panic!() };
    let expected = Reason::BeforeCause { effective_at: at + minute - 1, floor: at + minute, cause: last };
    assert_eq!(refusal.reason, expected);
    scene.take(ruling(at + minute));
}

#[test]
fn those_who_append_at_once_are_decided_again_until_all_are_in() {
    let mut scene = Scene::new();
    scene.take(draft("tournament/open", START, announced()));
    let path = scene.log.path().to_owned();
    let clock = scene.clock.clone();
    std::thread::scope(|scope| {
        for who in ["a", "b", "c"] {
            let (path, clock) = (path.clone(), clock.clone());
            scope.spawn(move || {
                let mut log = annals_store::Log::open_for_append(&path, Box::new(clock)).unwrap();
                for n in 0..8 {
                    let entry = draft("tournament/open", START + 1, registered(&format!("{who}{n}")));
                    handler::append(&mut log, &[entry], who, &[]).unwrap();
                }
            });
        }
    });
    assert_eq!(scene.log.stream_info(&"tournament/open".parse().unwrap()).unwrap().unwrap().version, 25);
    let expected = [("tournament/open".parse().unwrap(), annals_store::Expected::Version(24))];
    let late = [draft("tournament/open", START + 1, registered("late"))];
    let error = handler::append(&mut scene.log, &late, "late", &expected).unwrap_err();
    assert!(matches!(error, HandlerError::Append(AppendError::Conflict { version: 25, .. })), "{error}");
}

#[test]
fn what_happens_now_is_lifted_to_what_was_appended_a_moment_before() {
    let mut scene = begun();
    let now = draft("game/1", START + SECOND, turn(2, Side::Gold, "Ee2n"));
    assert_eq!(scene.refused(now.clone()), "before_its_cause");
    let seq = scene.take(now.now());
    assert_eq!(scene.log.event(seq).unwrap().unwrap().effective_at, START + 2 * SECOND);
}

#[test]
fn nothing_happens_later_than_the_clock_shows() {
    let mut scene = begun();
    // The clock goes on by a second before the append.
    let shows = scene.clock.now() + SECOND;
    let at = |at| draft("game/1", at, turn(2, Side::Gold, "Ee2n"));
    let Err(HandlerError::Refused(refusal)) = scene.append(&[at(shows + 10 * SECOND + 1)]) else { panic!() };
    assert_eq!(refusal.reason, Reason::InTheFuture { effective_at: shows + 10 * SECOND + 1, now: shows });
    scene.take(at(shows + SECOND + 10 * SECOND));
    let drafts = game("game/future", shows + DAY, 3, 6);
    let mut importer = handler::Importer::new(&mut scene.log, "import").unwrap();
    let flags = importer.stream(&drafts).unwrap().flags;
    assert_eq!(flags.len(), drafts.len());
    assert!(flags.iter().all(|flag| flag.code == "in_the_future"));
    importer.finish().unwrap();
}

#[test]
fn a_correction_is_no_earlier_than_what_it_corrects() {
    let mut scene = begun();
    let early = annals_events::LogEvent::Correction(annals_events::log::Correction {
        corrects: 4,
        change: annals_events::log::Change::Strike,
        reason: "a slip".to_owned(),
    });
    let at = |at| draft("game/1", at, early.clone());
    assert_eq!(scene.refused(at(START + 2 * SECOND - 1)), "before_its_cause");
    scene.take(at(START + 2 * SECOND));
}
