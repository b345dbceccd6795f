//! The rules of the fold, one by one, on the toy game.

mod limit;

use annals_events::{
    Annulled, ClockSet, GameEvent, GameKind, Halted, RatedChanged, Resumed, Side, Termination, TurnRejected,
    TurnRetracted,
};

use super::toy::{Toy, ToyIllegal, ended, started, timed, turn};
use super::*;
use crate::scoring::{Score, Undecidable};

use Side::{Gold, Silver};

const EARLY: i64 = Era::MODERN_FROM - 1;

fn game(strictness: Strictness, events: &[GameEvent<'static>]) -> Game<Toy> {
    let mut game = Game::new(strictness);
    for event in events {
        game.apply(None, event).unwrap_or_else(|error| panic!("{event:?}: {error}"));
    }
    game
}

fn archive(events: &[GameEvent<'static>]) -> Game<Toy> {
    game(Strictness::Archive, events)
}

fn begun() -> Vec<GameEvent<'static>> {
    vec![started(Some("2/2/100/10/8"), None), turn(1, Gold, "put"), turn(1, Silver, "put")]
}

fn with(mut events: Vec<GameEvent<'static>>, more: &[GameEvent<'static>]) -> Vec<GameEvent<'static>> {
    events.extend_from_slice(more);
    events
}

/// The code of the error, after making sure that the game is as it was.
fn refused(game: &mut Game<Toy>, event: &GameEvent<'_>) -> &'static str {
    let before = format!("{game:?}");
    let error = game.apply(None, event).expect_err("this event is illegal");
    assert_eq!(format!("{game:?}"), before, "{error}");
    assert!(error.to_string().len() > 30, "an error explains itself: {error}");
    error.code()
}

fn turn_in(number: u32, side: Side, steps: &'static str, used: u32) -> GameEvent<'static> {
    timed(number, side, steps, used, None)
}

fn retracted() -> GameEvent<'static> {
    GameEvent::TurnRetracted(TurnRetracted::default())
}

fn halted() -> GameEvent<'static> {
    GameEvent::Halted(Halted::default())
}

fn resumed(from_ply: u32) -> GameEvent<'static> {
    GameEvent::Resumed(Resumed { from_ply, ..Resumed::default() })
}

#[test]
fn turns_make_a_line_of_plies_with_numbers_sides_and_hashes() {
    let game = archive(&with(begun(), &[turn(2, Gold, "+1"), turn(2, Silver, "-2")]));
    let line: Vec<_> = game.plies().iter().map(|ply| (ply.number, ply.side, ply.state_after.at)).collect();
    assert_eq!(line, [(1, Gold, 5), (1, Silver, 5), (2, Gold, 6), (2, Silver, 4)]);
    for pair in game.plies().windows(2) {
        assert_eq!(pair[0].hash_after, pair[1].hash_before);
    }
    assert_eq!((game.to_move(), game.expected_number()), (Some(Gold), Some(3)));
    assert_eq!(game.plies()[3].piece_counts, [4, 6]);
}

#[test]
fn nothing_happens_before_the_start_and_it_happens_once() {
    let mut empty = Game::new(Strictness::Archive);
    assert_eq!(refused(&mut empty, &turn(1, Gold, "put")), "not_started");
    assert_eq!(refused(&mut empty, &retracted()), "not_started");
    let mut game = archive(&begun());
    assert_eq!(refused(&mut game, &started(None, None)), "started_twice");
}

#[test]
fn a_game_of_another_kind_or_from_no_position_is_refused() {
    let mut game = Game::<Toy>::new(Strictness::Archive);
    let GameEvent::Started(mut other) = started(None, None) else { unreachable!() };
    other.game = GameKind::Arimaa;
    assert_eq!(refused(&mut game, &GameEvent::Started(other)), "other_game");
    assert_eq!(refused(&mut game, &started(None, Some("11 gold"))), "bad_position");
}

#[test]
fn wrong_side_wrong_number_and_illegal_turns_are_told_apart() {
    let mut game = archive(&begun());
    assert_eq!(refused(&mut game, &turn(2, Silver, "+1")), "wrong_side");
    assert_eq!(refused(&mut game, &turn(3, Gold, "+1")), "wrong_number");
    assert_eq!(refused(&mut game, &turn(2, Gold, "+9")), "unreadable_turn");
}

#[test]
fn a_game_from_a_position_takes_its_numbers_from_the_first_turn() {
    let mut game = archive(&[started(None, Some("5 silver"))]);
    assert_eq!(game.expected_number(), None);
    assert_eq!(refused(&mut game, &turn(17, Gold, "+1")), "wrong_side");
    game.apply(None, &turn(17, Silver, "+1")).unwrap();
    assert_eq!(refused(&mut game, &turn(17, Gold, "+1")), "wrong_number");
    game.apply(None, &turn(18, Gold, "+1")).unwrap();
}

#[test]
fn a_third_repetition_is_seen_over_the_line_and_forgotten_with_a_takeback() {
    let there_and_back =
        [turn(2, Gold, "+1"), turn(2, Silver, "-1"), turn(3, Gold, "+1"), turn(3, Silver, "+1")];
    let mut game = archive(&with(begun(), &there_and_back));
    // 6 with Silver to move has stood twice.
    game.apply(None, &turn(4, Gold, "-2")).unwrap();
    game.apply(None, &retracted()).unwrap();
    assert_eq!(refused(&mut game, &turn(4, Gold, "-1")), "third_repetition");
    for _ in 0..2 {
        game.apply(None, &retracted()).unwrap();
    }
    game.apply(None, &turn(3, Gold, "+1")).unwrap();
    assert_eq!(game.occurrences(game.plies()[4].hash_after), 2);
}

#[test]
fn takebacks_follow_each_other_and_may_undo_the_setups() {
    let mut game = archive(&with(begun(), &[turn(2, Gold, "+1")]));
    let applied = game.apply(None, &retracted()).unwrap();
    assert_eq!(applied, Applied::TurnRetracted { number: 2, side: Gold });
    game.apply(None, &retracted()).unwrap();
    assert_eq!((game.to_move(), game.expected_number()), (Some(Silver), Some(1)));
    game.apply(None, &retracted()).unwrap();
    assert_eq!(refused(&mut game, &retracted()), "nothing_to_retract");
    game.apply(None, &turn(1, Gold, "put")).unwrap();
}

#[test]
fn while_play_is_halted_no_turn_is_taken_or_taken_back() {
    let mut game = archive(&with(begun(), &[halted()]));
    assert!(game.is_halted());
    assert_eq!(refused(&mut game, &turn(2, Gold, "+1")), "game_halted");
    assert_eq!(refused(&mut game, &retracted()), "game_halted");
    assert_eq!(refused(&mut game, &halted()), "game_halted");
    assert_eq!(refused(&mut game, &resumed(3)), "no_such_ply");
    assert_eq!(game.apply(None, &resumed(2)), Ok(Applied::Resumed { undone: 0 }));
    game.apply(None, &turn(2, Gold, "+1")).unwrap();
    assert_eq!(refused(&mut super_strict(), &resumed(1)), "not_halted");
}

fn super_strict() -> Game<Toy> {
    game(Strictness::Strict, &begun())
}

#[test]
fn resuming_restores_position_line_and_clock_of_that_ply() {
    let timed_line = [
        started(Some("2/2/100/10/8"), None),
        timed(1, Gold, "put", 10, None),
        timed(1, Silver, "put", 10, None),
        timed(2, Gold, "+1", 20, None),
        timed(2, Silver, "-1", 130, None),
        timed(3, Gold, "+1", 30, None),
    ];
    let mut resumed_game = archive(&timed_line);
    resumed_game.apply(None, &halted()).unwrap();
    let applied = resumed_game.apply(None, &resumed(3)).unwrap();
    assert_eq!(applied, Applied::Resumed { undone: 2 });
    assert_eq!(format!("{resumed_game:?}"), format!("{:?}", archive(&timed_line[..4])));
    let figures = resumed_game.clock().unwrap().figures();
    assert_eq!((figures.reserves, figures.game_time, figures.turns), ([220, 120], 40, 3));

    resumed_game.apply(None, &halted()).unwrap();
    let anew = Resumed { from_ply: 0, silver_reserve: Some(77), ..Resumed::default() };
    resumed_game.apply(None, &GameEvent::Resumed(anew)).unwrap();
    assert_eq!(resumed_game.clock().unwrap().figures().reserves, [120, 77]);
}

#[test]
fn reserves_set_while_halted_stand_when_play_goes_on_from_the_same_ply() {
    let set = GameEvent::ClockSet(ClockSet { gold_reserve: 33, silver_reserve: 44, reason: None });
    let mut game = archive(&with(begun(), &[halted(), set.clone(), resumed(2)]));
    assert_eq!(game.clock().unwrap().figures().reserves, [33, 44]);
    game.apply(None, &timed(2, Gold, "+1", 121, Some(32))).unwrap();
    assert_eq!(game.plies()[2].clock_matches, Some(true));
    let mut clockless = archive(&[started(None, None)]);
    assert_eq!(refused(&mut clockless, &set), "no_clock");
}

#[test]
fn in_archive_mode_a_wrong_clock_is_said_once_and_in_strict_mode_it_is_an_error() {
    let start = [started(Some("2/2/100/10/8"), None), timed(1, Gold, "put", 5, Some(120))];
    let wrong = timed(1, Silver, "put", 125, Some(118));
    let mut lenient = archive(&with(start.to_vec(), std::slice::from_ref(&wrong)));
    let matches = |game: &Game<Toy>| game.plies().last().unwrap().clock_matches;
    assert_eq!(matches(&lenient), Some(false));
    assert_eq!(lenient.plies()[1].silver_reserve, Some(115));
    lenient.apply(None, &timed(2, Gold, "+1", 120, Some(120))).unwrap();
    lenient.apply(None, &timed(2, Silver, "+1", 119, Some(119))).unwrap();
    assert_eq!(matches(&lenient), Some(true));
    assert_eq!(refused(&mut game(Strictness::Strict, &start), &wrong), "clock_disagrees");
}

#[test]
fn a_flag_that_fell_is_noted_in_archive_mode_and_an_error_in_strict_mode() {
    let start = with(vec![started(Some("0:10/0:10/0/0/0/0:30"), None)], &begun()[1..]);
    let late = timed(2, Gold, "+1", 21, None);
    let mut strict = game(
        Strictness::Strict,
        &[start[0].clone(), timed(1, Gold, "put", 1, None), timed(1, Silver, "put", 1, None)],
    );
    assert_eq!(refused(&mut strict, &late), "out_of_time");
    let mut lenient = archive(&[
        start[0].clone(),
        timed(1, Gold, "put", 1, None),
        timed(1, Silver, "put", 1, None),
        late.clone(),
    ]);
    assert_eq!(lenient.plies()[2].gold_reserve, Some(-1));
    assert!(lenient.plies()[2].flag.is_some());
    lenient.apply(None, &ended(Silver, Termination::Time)).unwrap();
    // Where a time used is not known, nobody can say that a flag fell.
    let unknown = archive(&with(start, &[late]));
    assert_eq!((unknown.plies()[2].flag, unknown.plies()[2].gold_reserve), (None, None));
}

#[test]
fn a_game_without_a_clock_says_why() {
    assert_eq!(Game::<Toy>::new(Strictness::Archive).clock(), Err(NoClock::NotStarted));
    assert_eq!(archive(&[started(None, None)]).clock(), Err(NoClock::NoTimeControl));
    let bad = archive(&[started(Some("2/two"), None)]);
    assert!(matches!(bad.clock(), Err(NoClock::BadTimeControl(_))));
    let mut strict = Game::new(Strictness::Strict);
    assert_eq!(refused(&mut strict, &started(Some("2/two"), None)), "bad_time_control");
    assert_eq!(archive(&begun()).clock(), Err(NoClock::TimeUnknown));
}

#[test]
fn a_takeback_gives_the_time_back_and_doubts_it_in_archive_mode() {
    let start = [
        started(Some("2/2/100/10/8"), None),
        timed(1, Gold, "put", 10, None),
        timed(1, Silver, "put", 10, None),
    ];
    let mut lenient = archive(&start);
    lenient.apply(None, &timed(2, Gold, "+1", 150, Some(90))).unwrap();
    lenient.apply(None, &retracted()).unwrap();
    assert_eq!(lenient.clock().unwrap().figures().reserves, [120, 120]);
    lenient.apply(None, &timed(2, Gold, "+2", 121, Some(89))).unwrap();
    assert_eq!(lenient.plies()[2].clock_matches, None, "the server may have kept the 30 seconds");

    let mut strict = game(Strictness::Strict, &start);
    strict.apply(None, &timed(2, Gold, "+1", 150, Some(90))).unwrap();
    strict.apply(None, &retracted()).unwrap();
    assert_eq!(refused(&mut strict, &timed(2, Gold, "+2", 121, Some(89))), "clock_disagrees");
    strict.apply(None, &timed(2, Gold, "+2", 121, Some(119))).unwrap();
}

#[test]
fn an_ending_is_held_against_the_board() {
    let won = with(
        begun(),
        &[
            turn(2, Gold, "+2"),
            turn(2, Silver, "+1"),
            turn(3, Gold, "+1"),
            turn(3, Silver, "-1"),
            turn(4, Gold, "+2"),
        ],
    );
    let goal = Outcome { winner: Some(Gold), termination: Termination::Goal };
    let mut game_won = archive(&won);
    assert_eq!(game_won.board_says(), Some(goal));
    assert_eq!(refused(&mut game(Strictness::Strict, &won), &turn(4, Silver, "-1")), "decided_on_board");
    let mut disputed = archive(&won);
    let applied = game_won.apply(None, &ended(Gold, Termination::Goal)).unwrap();
    assert_eq!(applied, Applied::Ended(EndingCheck::Agrees));
    let applied = disputed.apply(None, &ended(Silver, Termination::Time)).unwrap();
    assert_eq!(applied, Applied::Ended(EndingCheck::Disagrees { board: Some(goal) }));

    let mut played_on = archive(&won);
    assert!(played_on.played_on().is_none());
    played_on.apply(None, &turn(4, Silver, "-1")).unwrap();
    assert_eq!(played_on.played_on().map(|ply| (ply.number, ply.side)), Some((4, Gold)));

    let mut open = archive(&begun());
    let applied = open.apply(None, &ended(Silver, Termination::Time)).unwrap();
    assert_eq!(applied, Applied::Ended(EndingCheck::NotOnBoard));
    let mut strict = super_strict();
    assert_eq!(refused(&mut strict, &ended(Gold, Termination::Goal)), "ending_disagrees");
    let GameEvent::Ended(mut both) = ended(Gold, Termination::Time) else { unreachable!() };
    both.draw = true;
    assert_eq!(refused(&mut strict, &GameEvent::Ended(both)), "winner_and_draw");
}

#[test]
fn after_the_end_only_its_rating_and_its_standing_change() {
    let mut game = archive(&with(begun(), &[ended(Gold, Termination::Resignation)]));
    let twice = ended(Gold, Termination::Resignation);
    for event in [turn(2, Gold, "+1"), retracted(), halted(), resumed(0), twice] {
        assert_eq!(refused(&mut game, &event), "game_ended", "{event:?}");
    }
    let unrated = GameEvent::RatedChanged(RatedChanged { rated: false, reason: None });
    assert!(game.is_rated());
    game.apply(None, &unrated).unwrap();
    assert!(!game.is_rated());
    let annulled = GameEvent::Annulled(Annulled::default());
    game.apply(None, &annulled).unwrap();
    assert!(game.is_annulled());
    assert_eq!(refused(&mut game, &annulled), "game_annulled");
    assert_eq!(game.ending().unwrap().winner, Some(Gold));
}

#[test]
fn a_refused_turn_changes_nothing_and_is_judged_by_our_own_rules() {
    let mut game = archive(&begun());
    let mut judge = |number, side, steps: &'static str| {
        let event =
            GameEvent::TurnRejected(TurnRejected { number, side, steps: steps.into(), reason: "no".into() });
        let before = format!("{game:?}");
        let applied = game.apply(None, &event).unwrap();
        assert_eq!(format!("{game:?}"), before);
        match applied {
            Applied::TurnRejected(check) => check,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(judge(2, Gold, "+7"), RejectionCheck::Illegal(ToyIllegal("unreadable_turn")));
    assert!(matches!(judge(2, Gold, "+1"), RejectionCheck::Legal(_)));
    assert_eq!(judge(2, Silver, "+1"), RejectionCheck::OutOfTurn);
    assert_eq!(judge(3, Gold, "+1"), RejectionCheck::OutOfTurn);
}

#[test]
fn the_score_is_that_of_the_era_and_needs_complete_setups() {
    let not_set_up = Score::Undecidable(Undecidable::NotSetUp);
    assert_eq!(archive(&begun()[..2]).score(), not_set_up);
    assert_eq!(archive(&begun()).score(), Score::Won(Silver), "level throughout");
    let ahead = with(begun(), &[turn(2, Gold, "+1"), turn(2, Silver, "-1")]);
    assert_eq!(archive(&ahead).score(), Score::Won(Gold), "level now, but Gold had more last");
    let mut early = Game::<Toy>::new(Strictness::Archive);
    for event in begun() {
        early.apply(Some(EARLY), &event).unwrap();
    }
    assert_eq!(early.era(), Era::Early);
    assert_eq!(early.score(), Score::Undecidable(Undecidable::PiecePointsUnknown));
}

#[test]
fn in_strict_mode_no_event_comes_before_the_one_it_rests_on() {
    let mut strict = Game::<Toy>::new(Strictness::Strict);
    strict.apply(Some(1000), &started(None, None)).unwrap();
    let error = strict.apply(Some(999), &turn(1, Gold, "put")).unwrap_err();
    assert_eq!(error.code(), "before_its_cause");
    strict.apply(Some(1000), &turn(1, Gold, "put")).unwrap();
    let mut lenient = Game::<Toy>::new(Strictness::Archive);
    lenient.apply(Some(1000), &started(None, None)).unwrap();
    lenient.apply(Some(999), &turn(1, Gold, "put")).unwrap();
    assert_eq!(lenient.plies()[0].at, Some(999));
}

#[test]
fn a_refused_turn_that_only_an_archive_is_forgiven_is_not_called_legal() {
    use crate::arimaa::Arimaa;

    let setup = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Ed2 Me2 Cf2 Hg2 Rh2";
    for strictness in [Strictness::Archive, Strictness::Strict] {
        let mut game: Game<Arimaa> = Game::new(strictness);
        let GameEvent::Started(mut begins) = started(None, None) else { panic!("no start") };
        begins.game = GameKind::Arimaa;
        game.apply(None, &GameEvent::Started(begins)).unwrap();
        let mut judge = |steps: &'static str| {
            let rejected = TurnRejected { number: 1, side: Gold, steps: steps.into(), reason: "no".into() };
            match game.apply(None, &GameEvent::TurnRejected(rejected)).unwrap() {
                Applied::TurnRejected(check) => check,
                other => panic!("{other:?}"),
            }
        };
        let RejectionCheck::Illegal(illegal) = judge("Ra1") else { panic!("{strictness:?}") };
        assert_eq!(illegal.code(), "setup_incomplete");
        assert!(matches!(judge(setup), RejectionCheck::Legal(_)), "{strictness:?}");
    }
}

#[test]
fn unused_setup_time_is_lost_unless_the_clock_is_set_to_it() {
    let set = |gold, silver| {
        GameEvent::ClockSet(ClockSet { gold_reserve: gold, silver_reserve: silver, reason: None })
    };
    let start = vec![started(Some("2/2/100/10/8"), None), turn_in(1, Gold, "put", 20)];
    let game = archive(&start);
    assert_eq!(game.reserves_with_setup_time(), Some([220, 120]));
    assert!(game.setup_time_lost());
    let set_to = with(start.clone(), &[set(220, 120), turn_in(1, Silver, "put", 120)]);
    let game = archive(&set_to);
    assert!(!game.setup_time_lost() && game.reserves_with_setup_time().is_none(), "Silver used all of it");
    assert!(
        archive(&with(start, &[turn_in(1, Silver, "put", 120), turn_in(2, Gold, "+1", 1)])).setup_time_lost()
    );
    // A setup with a minute of its own earns nothing.
    let short = vec![started(Some("30s/2/100/10/8"), None), turn_in(1, Gold, "put", 1)];
    assert!(!archive(&short).setup_time_lost());
    // The record may add it; our clock goes on from there.
    let added = vec![started(Some("2/2/100/10/8"), None), timed(1, Gold, "put", 20, Some(220))];
    let game = archive(&added);
    assert!(game.plies()[0].adds_setup_time && !game.setup_time_lost());
    let other = vec![started(Some("2/2/100/10/8"), None), timed(1, Gold, "put", 20, Some(221))];
    assert!(!archive(&other).plies()[0].adds_setup_time);
}
