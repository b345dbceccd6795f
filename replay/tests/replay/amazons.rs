//! Games of the Amazons in the log: entered at the desk, replayed to any point, taken back, lost on time, and held against
//! the rulebook of their tournament.

use annals_events::log::{Change, Correction};
use annals_events::tournament::{Outcome, PlayerRegistered, ResultRecorded};
use annals_events::{
    BoardId, Ended, Event, GameEvent, GameKind, Halted, LogEvent, PlayerKind, Resumed, Side, Started,
    Termination, TournamentEvent, TurnRetracted, TurnTaken,
};
use annals_replay::facts::FoldedGame;
use annals_replay::handler::{self, Board, Draft, Importer, OperatorLine, Reason};
use annals_replay::{
    Cut, Replayed, Scope, View, audit_games, audit_tournament, game_at, standing_events, tournament_at,
    view_at,
};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{Game, Strictness};
use annals_store::Clock as _;
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::{Compliance, Verdict};
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::games::{Numbers, player};
use super::scene::{SECOND, START, Scene, draft, id, stream};

/// A board on which a game is over soon.
const SMALL: &str = "w [..B../...../B...W/...../..W..]";
const OPEN: &str = "tournament/open";

fn started(position: Option<&'static str>, control: &'static str) -> GameEvent<'static> {
    GameEvent::Started(Box::new(Started {
        gold: player("anna"),
        silver: player("bela"),
        time_control: Some(control.into()),
        ..Started::plain(GameKind::Amazons, position.map(Into::into))
    }))
}

fn taken_back(why: &'static str) -> GameEvent<'static> {
    GameEvent::TurnRetracted(TurnRetracted { reason: Some(why.into()) })
}

/// A legal game played at random, with a move taken back now and then, to its end.
fn random_game(seed: u64, position: Option<&'static str>) -> Vec<GameEvent<'static>> {
    let mut numbers = Numbers::from_seed(seed + 7);
    let mut game: Game<AnyGame> = Game::new(Strictness::Strict);
    let mut events = vec![started(position, "game 30m")];
    game.apply(Some(0), &events[0]).unwrap();
    while game.board_says().is_none() {
        let event = if !game.plies().is_empty() && numbers.below(8) == 0 {
            taken_back("another was meant")
        } else {
            let position = *game.state().unwrap().amazons().unwrap();
            let moves = position.moves();
            let chosen = moves[numbers.below(moves.len() as u64) as usize];
            let words = if numbers.below(2) == 0 { chosen.to_string() } else { chosen.with_slash() };
            let number = game.expected_number().unwrap_or(1);
            let mut turn = TurnTaken::plain(number, position.to_move(), words);
            turn.used = Some(numbers.below(9) as u32);
            GameEvent::TurnTaken(turn)
        };
        game.apply(Some(0), &event).unwrap();
        events.push(event);
    }
    let outcome = game.board_says().unwrap();
    let termination = Some(outcome.termination);
    events.push(GameEvent::Ended(Ended { winner: outcome.winner, termination, stated: None, draw: false }));
    events
}

fn drafts(name: &str, events: &[GameEvent<'static>]) -> Vec<Draft> {
    let at = |index: usize| START + index as i64 * SECOND;
    events.iter().enumerate().map(|(index, event)| draft(name, at(index), event.clone())).collect()
}

#[test]
fn a_whole_game_is_entered_at_the_desk_and_shown_with_its_board_and_territory() {
    let mut scene = Scene::new();
    let events = random_game(1, None);
    scene.append(&drafts("game/1", &events)).unwrap();
    let replay = game_at(&scene.log, &stream("game/1"), &Cut::NOW).unwrap();
    assert!(replay.findings().is_empty() && replay.is_over(), "{:?}", replay.findings());
    let position = *replay.game().state().unwrap().amazons().unwrap();
    let (winner, squares) = position.score().unwrap();

    let view = view_at(&scene.log, &stream("game/1"), &Cut::NOW).unwrap();
    let text = view.document(&TimeZone::UTC).text(&TimeZone::UTC, None);
    assert!(text.contains(&position.board().to_string()), "{text}");
    let name = if winner == Side::Gold { "White" } else { "Black" };
    assert!(text.contains(&format!("{squares} for {name}, who wins")), "{text}");
    assert!(text.contains("White") && text.contains("Black") && text.contains("anna"), "{text}");
    assert!(!text.contains("Gold") && !text.contains("Silver") && !text.contains("gold wins"), "{text}");
    let View::Game(game) = &view else { panic!() };
    let board = game.board.as_ref().unwrap();
    assert_eq!((board.ranks.len(), board.ranks[&10].len()), (10, 10));
    assert_eq!(board.position, position.to_string());
    assert_eq!(game.territory.and_then(|territory| territory.score), Some(squares));

    let scope = Scope::Stream(stream("game/1"));
    let facts = Replayed::<FoldedGame>::rebuild(&scene.log, scope, &Cut::NOW).unwrap().into_state().facts();
    assert_eq!(facts.territory, Some((winner, squares)));
    let retracted = events.iter().filter(|event| matches!(event, GameEvent::TurnRetracted(_))).count();
    assert_eq!((facts.retracted as usize, facts.retractions.len()), (retracted, retracted));
    assert!(facts.retractions.iter().all(|one| one.by == "director" && one.reason.is_some()));
}

#[test]
fn what_stands_of_a_game_is_had_as_events_with_corrections_in_place() {
    let mut scene = Scene::new();
    let events = random_game(4, Some(SMALL));
    scene.append(&drafts("game/1", &events)).unwrap();
    let name = stream("game/1");
    for cut in [Cut::NOW, Cut::at_seq(5), Cut::as_of(START + 3 * SECOND)] {
        let kept = standing_events(&scene.log, &name, &cut).unwrap();
        let kept = kept.game_events();
        assert_eq!(kept.len(), if cut == Cut::NOW { events.len() } else { 4 });
        for (index, ((at, event), expected)) in kept.iter().zip(&events).enumerate() {
            assert_eq!((*at, event), (Some(START + index as i64 * SECOND), expected));
        }
    }
    assert!(standing_events(&scene.log, &stream("game/none"), &Cut::NOW).is_err());
    assert!(standing_events(&scene.log, &stream("log/annals"), &Cut::NOW).is_err());
}

#[test]
fn what_is_against_the_rules_is_refused_with_its_rule_and_the_number_of_the_move() {
    let mut scene = Scene::new();
    scene.append(&drafts("game/1", &[started(None, "game 30m")])).unwrap();
    let at = START + SECOND;
    let turn = |number, side, words: &'static str| {
        draft("game/1", at, GameEvent::TurnTaken(TurnTaken::plain(number, side, words)))
    };
    assert_eq!(scene.refused(draft("game/1", at, taken_back("nothing is there"))), "nothing_to_retract");
    assert_eq!(scene.refused(turn(1, Side::Gold, "d1-d10(d9)")), "queen_obstructed");
    scene.take(turn(1, Side::Gold, "d1-d9(e9)"));
    // The block stands on e9, and White's queen on d9.
    for (words, code, says) in [
        ("d10-f8(f7)", "queen_obstructed", "e9"),
        ("g10-d7(d10)", "block_obstructed", "d9"),
        ("g10-g9(e9)", "block_obstructed", "e9"),
        ("d1-d2(d3)", "no_such_piece", "d1"),
    ] {
        let error = scene.append(&[turn(1, Side::Silver, words)]).unwrap_err().to_string();
        assert!(error.contains(code) && error.contains(says), "{words}: {error}");
        assert!(error.contains("turn 1 of Black"), "{words}: {error}");
    }
    // The square that the queen has just left may be shot across, and hit.
    scene.take(turn(1, Side::Silver, "g10-g8(g10)"));
    scene.take(draft("game/1", at, taken_back("g9 was meant")));
    scene.take(draft("game/1", at, taken_back("and d8")));
    assert_eq!(scene.refused(draft("game/1", at, taken_back("and the start"))), "nothing_to_retract");
    let replay = game_at(&scene.log, &stream("game/1"), &Cut::NOW).unwrap();
    assert_eq!((replay.game().plies().len(), replay.events()), (0, 5));
}

#[test]
fn all_moves_are_made_in_the_fixed_time_or_the_game_is_lost() {
    let mut scene = Scene::new();
    scene.append(&drafts("game/1", &[started(None, "game 1m")])).unwrap();
    let name = stream("game/1");
    let say = |scene: &mut Scene, line: &str| -> Result<(), String> {
        let now = scene.clock.now();
        let said: OperatorLine = line.parse().unwrap();
        let board = Board::of(&scene.log, &name, &[], (None, now)).map_err(|error| error.to_string())?;
        let (_, drafts) = board.say(&said, None).map_err(|error| error.to_string())?;
        scene.append(&drafts).map(drop).map_err(|error| error.to_string())
    };
    say(&mut scene, "1w d1-d7(g7) in 50").unwrap();
    say(&mut scene, "1b g10-g8(b8) in 60").unwrap();
    let error = say(&mut scene, "d7-d6(d7) in 11").unwrap_err();
    assert!(error.contains("out_of_time") && error.contains("lost on time"), "{error}");
    let error = say(&mut scene, "1b d7-d6(d7)").unwrap_err();
    assert!(error.contains("2w"), "{error}");
    // A move taken back gives its time back.
    say(&mut scene, "retract by anna because g9 was meant").unwrap();
    say(&mut scene, "g10-g9(b9) in 20").unwrap();
    let shown = |scene: &Scene| {
        view_at(&scene.log, &name, &Cut::NOW).unwrap().document(&TimeZone::UTC).text(&TimeZone::UTC, None)
    };
    let text = shown(&scene);
    assert!(text.contains("White's time 0:10") && text.contains("0:40"), "{text}");
    say(&mut scene, "time").unwrap();
    let text = shown(&scene);
    assert!(text.contains("Black wins by time") && text.contains("as the position stands"), "{text}");
    assert!(say(&mut scene, "d7-d6(d7) in 1").is_err());

    // In an import the flag that fell unnoticed is what the audit finds.
    let late = |number, side, words: &'static str, used| {
        GameEvent::TurnTaken(TurnTaken { used: Some(used), ..TurnTaken::plain(number, side, words) })
    };
    let events = [
        started(None, "game 1m"),
        late(1, Side::Gold, "d1-d7(g7)", 61),
        late(1, Side::Silver, "g10-g9(b9)", 1),
    ];
    let mut importer = Importer::new(&mut scene.log, "importer").unwrap();
    importer.stream(&drafts("game/2", &events)).unwrap();
    importer.finish().unwrap();
    let audit = audit_games(&scene.log, &Cut::NOW, None).unwrap();
    let found: Vec<&str> = audit.findings.iter().map(|found| found.finding.code).collect();
    assert_eq!(found, ["out_of_time"]);
    assert!(audit.findings[0].finding.message.contains("the flag of White had fallen with turn 1w"));
}

#[test]
fn who_oversteps_the_time_with_the_last_move_has_not_won() {
    for (used, winner, found) in
        [(61, Side::Silver, true), (61, Side::Gold, false), (60, Side::Silver, false)]
    {
        let mut scene = Scene::new();
        scene.clock.advance(100 * SECOND);
        let turn = |side, words: &'static str, used| {
            GameEvent::TurnTaken(TurnTaken { used: Some(used), ..TurnTaken::plain(1, side, words) })
        };
        let termination = match winner {
            Side::Silver => Termination::Resignation,
            Side::Gold => Termination::Time,
        };
        let ended = Ended { winner: Some(winner), termination: Some(termination), stated: None, draw: false };
        let events = [
            started(None, "game 1m"),
            turn(Side::Gold, "d1-d7(g7)", 7),
            turn(Side::Silver, "a7-b8(b3)", used),
            GameEvent::Ended(ended),
        ];
        let mut importer = Importer::new(&mut scene.log, "importer").unwrap();
        importer.stream(&drafts("game/1", &events)).unwrap();
        importer.finish().unwrap();
        let audit = audit_games(&scene.log, &Cut::NOW, None).unwrap();
        let said: Vec<&str> = audit.findings.iter().map(|found| found.finding.message.as_str()).collect();
        match found {
            true => assert!(
                matches!(said[..], [one] if one.contains("flag of Black") && one.contains("said to have won")),
                "{said:?}"
            ),
            false => assert!(said.is_empty(), "{said:?}"),
        }
    }
}

/// An event of 2000 with two programs, its first game begun.
fn encounter(scene: &mut Scene) {
    encounter_of(scene, vec!["Jonathan".to_owned()]);
    let state = tournament_at(&scene.log, &stream(OPEN), &Cut::NOW).unwrap().tournament.clone();
    let (pairing, now) = (BoardId { round: 1, board: 1 }, scene.clock.now());
    let begun =
        handler::begin_game(&scene.log, &"open".parse().unwrap(), &state, pairing, (None, now)).unwrap();
    scene.append(&begun.drafts).unwrap();
    ask(scene, Command::Start { pairing, game: Some(begun.game) });
}

/// The same event, its first round paired.
fn encounter_of(scene: &mut Scene, directors: Vec<String>) {
    let rulebook = Rulebook::named("olympiad-amazons-2000").unwrap();
    let order =
        AnnounceOrder { directors, time_control: Some("game 20m".to_owned()), ..AnnounceOrder::default() };
    scene.take(draft(OPEN, START, TournamentEvent::Announced(announcement(&rulebook, order))));
    for (number, name) in (1..).zip(["anna", "bela"]) {
        let entry = PlayerRegistered {
            player: id(name),
            name: name.to_owned(),
            kind: PlayerKind::Bot,
            developers: vec!["somebody".to_owned()],
            account: None,
            rating: None,
            number: Some(number),
            country: None,
        };
        scene.take(draft(OPEN, START + SECOND, TournamentEvent::PlayerRegistered(entry)));
    }
    ask(scene, Command::Pair { seed: None });
}

fn ask(scene: &mut Scene, command: Command) {
    scene.clock.advance(SECOND);
    super::scene::direct(&mut scene.log, &stream(OPEN), &command, "director", false)
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
}

fn now(scene: &Scene, event: impl Into<Event<'static>>) -> Draft {
    draft("game/open.r1.1", scene.clock.now(), event).now()
}

#[test]
fn in_a_tournament_a_move_is_taken_back_only_under_the_instruction_of_its_director() {
    let mut scene = Scene::new();
    encounter(&mut scene);
    let replay = game_at(&scene.log, &stream("game/open.r1.1"), &Cut::NOW).unwrap();
    assert_eq!(replay.started().unwrap().time_control.as_deref(), Some("game 20m"));
    let turn = now(&scene, GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, "d1-d7(g7)")));
    scene.take(turn);
    // The operator has no standing, nor has a player; and the director says why.
    let retraction = now(&scene, taken_back("g8 was meant"));
    for (of, says) in [
        (retraction.clone(), "director asks for it"),
        (retraction.clone().by("anna"), "anna asks for it"),
        (now(&scene, GameEvent::TurnRetracted(TurnRetracted { reason: None })).by("Jonathan"), "no reason"),
    ] {
        let Err(handler::HandlerError::Refused(refusal)) = scene.append(&[of]) else { panic!("{says}") };
        let Reason::Illegal { code, message } = &refusal.reason else { panic!("{refusal}") };
        assert_eq!(code, "game.retraction");
        assert!(
            message.contains(says) && message.contains("Olympiad 2000, Operational Rules 1"),
            "{message}"
        );
    }
    let seq = scene.take(retraction.by("jonathan"));
    assert_eq!(scene.log.event(seq).unwrap().unwrap().actor, "jonathan");
    let replay = game_at(&scene.log, &stream("game/open.r1.1"), &Cut::NOW).unwrap();
    assert_eq!(replay.game().plies().len(), 0);
    // What was taken back is still in the log, and stood at the time.
    let before = game_at(&scene.log, &stream("game/open.r1.1"), &Cut::at_seq(seq - 1)).unwrap();
    assert_eq!(before.words(0), Some("d1-d7(g7)"));
}

#[test]
fn in_a_tournament_neither_a_resumption_nor_a_correction_is_a_way_around_the_director() {
    let mut scene = Scene::new();
    encounter(&mut scene);
    let mut turns = Vec::new();
    for (number, side, words) in
        [(1, Side::Gold, "d1-d7(g7)"), (1, Side::Silver, "g10-g8(b8)"), (2, Side::Gold, "d7-d6(d7)")]
    {
        let turn = now(&scene, GameEvent::TurnTaken(TurnTaken::plain(number, side, words)));
        turns.push(scene.take(turn));
    }
    let last = *turns.last().unwrap();
    let resumed = |from_ply, reason: Option<&'static str>| {
        GameEvent::Resumed(Resumed { from_ply, reason: reason.map(Into::into), ..Resumed::default() })
    };
    let corrected = |change| {
        Event::Log(LogEvent::Correction(Correction { corrects: last, change, reason: "mistyped".to_owned() }))
    };
    let other = |words: &'static str, used| {
        let turn = TurnTaken { used, ..TurnTaken::plain(2, Side::Gold, words) };
        let payload = Event::from(GameEvent::TurnTaken(turn)).to_payload().unwrap();
        Change::Replace { payload, schema: 1, effective_at: None }
    };
    let halted = now(&scene, GameEvent::Halted(Halted::default()));
    scene.take(halted);
    for of in [
        now(&scene, resumed(0, Some("because"))).by("anna"),
        now(&scene, resumed(2, None)).by("Jonathan"),
        now(&scene, corrected(Change::Strike)).by("anna"),
        now(&scene, corrected(other("d7-d6(d5)", None))).by("anna"),
    ] {
        assert_eq!(scene.refused(of), "game.retraction");
    }
    // The time of a move is put right by anybody, and play goes on from where it was by anybody.
    let time = now(&scene, corrected(other("d7-d6(d7)", Some(9)))).by("anna");
    scene.take(time);
    let strike = now(&scene, corrected(Change::Strike)).by("Jonathan");
    scene.take(strike);
    let on = now(&scene, resumed(2, None)).by("anna");
    scene.take(on);
    let halted = now(&scene, GameEvent::Halted(Halted::default()));
    scene.take(halted);
    let back = now(&scene, resumed(1, Some("a move never arrived"))).by("Jonathan");
    scene.take(back);
    let stream = stream("game/open.r1.1");
    let folded =
        Replayed::<FoldedGame>::rebuild(&scene.log, Scope::Stream(stream), &Cut::NOW).unwrap().into_state();
    let facts = folded.facts();
    let by: Vec<&str> = facts.retractions.iter().map(|one| one.by.as_str()).collect();
    assert_eq!((facts.plies, facts.retracted, by), (1, 1, vec!["Jonathan", "Jonathan"]));
}

#[test]
fn a_game_that_was_corrected_before_it_was_attached_still_asks_for_the_word_of_the_director() {
    // With no director named a player is refused; of anybody else the audit says that their right is not known.
    for (directors, by, is_violation) in [
        (vec!["Jonathan".to_owned()], "anna", true),
        (Vec::new(), "anna", true),
        (Vec::new(), "clerk", false),
    ] {
        let mut scene = Scene::new();
        encounter_of(&mut scene, directors);
        let name = "game/evening";
        let at = scene.clock.now();
        let turn = |side, words| GameEvent::TurnTaken(TurnTaken::plain(1, side, words));
        let events =
            [started(None, "game 20m"), turn(Side::Gold, "d1-d7(g7)"), turn(Side::Silver, "g10-g8(b8)")];
        let drafts: Vec<Draft> = events.iter().map(|event| draft(name, at, event.clone()).now()).collect();
        let struck = scene.append(&drafts).unwrap().last_seq;
        let strike =
            Correction { corrects: struck, change: Change::Strike, reason: "I do not like it".to_owned() };
        let strike = draft(name, scene.clock.now(), Event::Log(LogEvent::Correction(strike))).now();
        scene.take(strike.by(by));
        let given_up = GameEvent::Ended(Ended {
            winner: Some(Side::Gold),
            termination: Some(Termination::Resignation),
            stated: None,
            draw: false,
        });
        let given_up = draft(name, scene.clock.now(), given_up).now();
        scene.take(given_up);
        let state = tournament_at(&scene.log, &stream(OPEN), &Cut::NOW).unwrap().tournament.clone();
        let first = &state.rounds[&1].boards[&1];
        let board = if first.gold() == Some(&id("anna")) { 1 } else { 2 };
        let pairing = BoardId { round: 1, board };
        ask(&mut scene, Command::Start { pairing, game: Some("evening".parse().unwrap()) });
        let result =
            Command::Result { pairing, outcome: None, termination: None, game: None, territory: None };
        let done = super::scene::direct(&mut scene.log, &stream(OPEN), &result, "director", false);
        if is_violation {
            let error = format!("{:?}", done.unwrap_err());
            let said = ["GameRetraction", "anna", "asks for it"];
            assert!(said.iter().all(|word| error.contains(word)), "{error}");
        } else {
            done.unwrap();
            let audit = audit_tournament(&scene.log, &stream(OPEN), &Cut::NOW, &[]).unwrap();
            let mut verdicts = audit.events.iter().flat_map(|event| &event.verdicts);
            let open = |verdict: &&Verdict| matches!(&verdict.holds, Compliance::Undetermined { why } if why.contains(by));
            let found = verdicts.find(open).unwrap();
            assert_eq!(found.rule.id.name(), "game.retraction");
        }
    }
}

#[test]
fn the_audit_holds_moves_taken_back_and_the_territory_of_a_result_against_the_game() {
    for (by, territory, is_violation) in [
        ("Jonathan", None, None),
        ("somebody", None, Some("game.retraction")),
        ("Jonathan", Some(91), Some("territory")),
    ] {
        let mut scene = Scene::new();
        encounter(&mut scene);
        let game = random_game(3, None);
        let mut drafts = Vec::new();
        for event in &game[1..] {
            let draft = now(&scene, event.clone());
            drafts.push(match event {
                GameEvent::TurnRetracted(_) => draft.by(by),
                _ => draft,
            });
        }
        assert!(drafts.iter().any(|draft| draft.actor.is_some()), "a move is taken back in it");
        let (winner, squares) = {
            let mut fold: Game<AnyGame> = Game::new(Strictness::Strict);
            game.iter().for_each(|event| drop(fold.apply(None, event).unwrap()));
            fold.state().unwrap().amazons().unwrap().score().unwrap()
        };
        let pairing = BoardId { round: 1, board: 1 };
        if is_violation.is_none() {
            scene.append(&drafts).unwrap();
            let wrong = Command::Result {
                pairing,
                outcome: None,
                termination: None,
                game: None,
                territory: Some(squares + 1),
            };
            let error =
                super::scene::direct(&mut scene.log, &stream(OPEN), &wrong, "director", false).unwrap_err();
            assert!(
                error.to_string().contains("territory") || format!("{error:?}").contains("territory"),
                "{error}"
            );
            ask(
                &mut scene,
                Command::Result { pairing, outcome: None, termination: None, game: None, territory: None },
            );
        } else {
            // Into the log past the desk, as an import comes.
            let result = TournamentEvent::ResultRecorded(ResultRecorded {
                pairing,
                outcome: Outcome::from(winner),
                termination: Some(Termination::Immobilization),
                attempt: Some(1),
                game: Some("open.r1.1".parse().unwrap()),
                territory: territory.or(Some(squares)),
                note: None,
            });
            // A log of its own, since nothing is imported on top of what was entered by hand.
            let mut whole: Vec<(String, Vec<Draft>)> = Vec::new();
            for event in scene.all() {
                let drafted = Draft::from_parts(
                    event.stream.clone(),
                    &event.event_type,
                    Some(event.schema),
                    event.effective_at,
                    event.payload.clone(),
                );
                let drafted = drafted.unwrap().by(&event.actor);
                match whole.iter_mut().find(|(name, _)| *name == event.stream.as_str()) {
                    Some((_, drafts)) => drafts.push(drafted),
                    None if event.stream.family() == "log" => {}
                    None => whole.push((event.stream.to_string(), vec![drafted])),
                }
            }
            let ended = scene.clock.now();
            for (name, of) in &mut whole {
                match name.as_str() {
                    OPEN => of.push(draft(OPEN, ended, result.clone())),
                    _ => of.extend(drafts.iter().cloned()),
                }
            }
            whole.sort_by_key(|(name, _)| name == OPEN);
            scene = Scene::new();
            scene.clock.advance(1_000 * SECOND);
            let mut importer = Importer::new(&mut scene.log, "importer").unwrap();
            for (_, drafts) in &whole {
                importer.stream(drafts).unwrap();
            }
            importer.finish().unwrap();
        }
        let audit = audit_tournament(&scene.log, &stream(OPEN), &Cut::NOW, &[]).unwrap();
        let found: Vec<&str> = audit.violations().map(|verdict| verdict.rule.id.name()).collect();
        match is_violation {
            Some(rule) => {
                assert!(!found.is_empty() && found.iter().all(|name| *name == rule), "{rule}: {found:?}")
            }
            None => {
                assert!(found.is_empty(), "{:?}", audit.violations().collect::<Vec<_>>());
                let state = tournament_at(&scene.log, &stream(OPEN), &Cut::NOW).unwrap().tournament.clone();
                assert_eq!(state.rounds[&1].boards[&1].territory(), Some(squares), "taken from the game");
                let opens = audit.events.iter().flat_map(|event| &event.verdicts);
                let opens = opens.filter(|verdict| matches!(verdict.holds, Compliance::Undetermined { .. }));
                assert!(opens.clone().all(|verdict| verdict.rule.id.name() != "territory"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_replay_at_any_point_is_the_fold_of_the_events_before_it(seed in 0u64..1_000_000, cut in 0.0f64..1.0) {
        let events = random_game(seed, Some(SMALL));
        let mut scene = Scene::new();
        let last = scene.append(&drafts("game/1", &events)).unwrap().last_seq;
        let first = last + 1 - events.len() as u64;
        let kept = 1 + ((events.len() - 1) as f64 * cut) as usize;
        let mut fold: Game<AnyGame> = Game::new(Strictness::Archive);
        for (index, event) in events[..kept].iter().enumerate() {
            fold.apply(Some(START + index as i64 * SECOND), event).unwrap();
        }
        let expected = format!("{fold:?}");
        for cut in [Cut::at_seq(first + kept as u64 - 1), Cut::as_of(START + (kept as i64 - 1) * SECOND)] {
            let replay = game_at(&scene.log, &stream("game/1"), &cut).unwrap();
            prop_assert_eq!(format!("{:?}", replay.game()), expected.clone());
            prop_assert!(replay.findings().is_empty());
            let view = view_at(&scene.log, &stream("game/1"), &cut).unwrap();
            let View::Game(view) = view else { panic!() };
            prop_assert_eq!(view.board.unwrap().position, fold.state().unwrap().position_text());
            prop_assert_eq!(view.plies, fold.plies().len());
        }
    }
}
