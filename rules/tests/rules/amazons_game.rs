//! Games of the Amazons folded from events, by the same fold as those of Arimaa.

use annals_events::{
    Ended, GameEvent, GameKind, PlayerAtStart, Resumed, Side, Started, Termination, TurnRejected,
    TurnRetracted, TurnTaken,
};
use annals_rules::amazons::{Amazons, Position};
use annals_rules::game::{Applied, EndingCheck, Game, Outcome, RejectionCheck, Strictness};
use annals_rules::scoring::{Score, Undecidable};
use annals_rules::seeded::Rng;
use proptest::prelude::*;

use crate::vectors::cases;

use Side::{Gold, Silver};

fn started(kind: GameKind, position: Option<&str>) -> GameEvent<'static> {
    GameEvent::Started(Box::new(Started {
        game: kind,
        gold: PlayerAtStart::default(),
        silver: PlayerAtStart::default(),
        time_control: None,
        rated: true,
        postal: false,
        event: None,
        site: None,
        position: position.map(|text| text.to_owned().into()),
        pairing: None,
        attempt: None,
    }))
}

fn turn(number: u32, side: Side, played: &str) -> GameEvent<'_> {
    GameEvent::TurnTaken(TurnTaken::plain(number, side, played))
}

fn ended(winner: Option<Side>, termination: Termination) -> GameEvent<'static> {
    GameEvent::Ended(Ended { winner, termination: Some(termination), stated: None, draw: false })
}

fn retracted() -> GameEvent<'static> {
    GameEvent::TurnRetracted(TurnRetracted { reason: Some("the operator typed another square".into()) })
}

fn begun(position: Option<&str>) -> Game<Amazons> {
    let mut game = Game::new(Strictness::Strict);
    game.apply(None, &started(GameKind::Amazons, position)).unwrap();
    game
}

/// The error's words and code, after making sure that the game is as it was.
fn refused(game: &mut Game<Amazons>, event: &GameEvent<'_>) -> (String, &'static str) {
    let before = format!("{game:?}");
    let error = game.apply(None, event).expect_err("this event is illegal");
    assert_eq!(format!("{game:?}"), before, "{error}");
    (error.to_string(), error.code())
}

#[test]
fn white_is_gold_and_the_first_move_is_turn_one_without_a_setup() {
    let mut game = begun(None);
    assert_eq!((game.to_move(), game.expected_number()), (Some(Gold), Some(1)));
    game.apply(None, &turn(1, Gold, "d1-d7(g7)")).unwrap();
    assert_eq!((game.to_move(), game.expected_number()), (Some(Silver), Some(1)));
    game.apply(None, &turn(1, Silver, "a7-b6/b1")).unwrap();
    assert_eq!((game.to_move(), game.expected_number()), (Some(Gold), Some(2)));
    let ply = &game.plies()[0];
    assert_eq!((ply.played.steps, ply.played.setup, ply.piece_counts), (1, false, [4, 4]));
    assert_eq!(ply.hash_before, Position::start().hash());
}

#[test]
fn an_illegal_event_is_refused_and_leaves_the_game_as_it_was() {
    let mut game = begun(None);
    let nothing = "a turn was taken back, but no completed turn is left; a `turn_taken` is missing before it";
    assert_eq!(refused(&mut game, &retracted()), (nothing.to_owned(), "nothing_to_retract"));
    let cases = [
        (turn(1, Silver, "a7-b6(b1)"), "wrong_side"),
        (turn(2, Gold, "d1-d7(g7)"), "wrong_number"),
        (turn(1, Gold, "d1-d7"), "unreadable_turn"),
        (turn(1, Gold, "d1-d10(d9)"), "queen_obstructed"),
        (turn(1, Gold, "a4-d4(j4)"), "block_obstructed"),
        (turn(1, Gold, "l4-d4(j4)"), "off_board"),
        (started(GameKind::Amazons, None), "started_twice"),
        (ended(Some(Gold), Termination::Immobilization), "ending_disagrees"),
    ];
    for (event, code) in cases {
        assert_eq!(refused(&mut game, &event).1, code, "{event:?}");
    }
    let (words, _) = refused(&mut game, &turn(1, Gold, "a4-d4(j4)"));
    assert_eq!(
        words,
        "turn 1 of gold is illegal: the block cannot be shot from d4 to j4: a queen of White stands on j4; only the \
         square that the queen has just left is free (in `a4-d4(j4)`)"
    );
    let mut none: Game<Amazons> = Game::new(Strictness::Strict);
    assert_eq!(refused(&mut none, &started(GameKind::Arimaa, None)).1, "other_game");
    let (words, code) = refused(&mut none, &started(GameKind::Amazons, Some("w [.../..]")));
    assert_eq!(code, "bad_position");
    assert!(words.contains("rank 1 has 2 squares"), "{words}");
}

#[test]
fn the_side_that_cannot_move_has_lost() {
    let mut game = begun(Some("w [B.W./xxx.]"));
    game.apply(None, &turn(31, Gold, "c2-d1(c2)")).unwrap();
    assert_eq!(game.board_says(), None, "Black still moves to b2");
    game.apply(None, &turn(31, Silver, "a2-b2(a2)")).unwrap();
    assert_eq!(game.board_says(), None, "White still moves to d2");
    game.apply(None, &turn(32, Gold, "d1-d2(d1)")).unwrap();
    let lost = Outcome { winner: Some(Gold), termination: Termination::Immobilization };
    assert_eq!(game.board_says(), Some(lost));
    assert_eq!(refused(&mut game, &turn(32, Silver, "b2-a2(b2)")).1, "decided_on_board");
    assert_eq!(refused(&mut game, &ended(Some(Silver), Termination::Immobilization)).1, "ending_disagrees");
    let end = game.apply(None, &ended(Some(Gold), Termination::Immobilization)).unwrap();
    assert_eq!(end, Applied::Ended(EndingCheck::Agrees));
}

#[test]
fn a_game_that_starts_with_a_side_that_cannot_move_is_decided_before_its_first_move() {
    // White's only queen is walled in, and White is to move; Black has the whole fourth rank.
    let blocked = "w [..../xx.B/Wx../xx..]";
    let mut game = begun(Some(blocked));
    let black = Outcome { winner: Some(Silver), termination: Termination::Immobilization };
    assert_eq!(game.board_says(), Some(black));
    let (_, code) = refused(&mut game, &turn(1, Gold, "a2-a3(a2)"));
    assert_eq!(code, "decided_on_board");
    let applied = game.apply(None, &ended(Some(Silver), Termination::Immobilization)).unwrap();
    assert_eq!(applied, Applied::Ended(EndingCheck::Agrees));

    let open = begun(Some("b [..../xx.B/Wx../xx..]"));
    assert_eq!(open.board_says(), None);
}

#[test]
fn pieces_decide_nothing_so_there_is_no_score_and_no_ending_by_it() {
    let mut game = begun(None);
    assert_eq!(game.score(), Score::Undecidable(Undecidable::NotScored));
    let (_, code) = refused(&mut game, &ended(Some(Gold), Termination::Score));
    assert_eq!(code, "ending_disagrees");
}

#[test]
fn a_refused_move_is_judged_by_our_own_rules() {
    let mut game = begun(None);
    let rejected = |steps: &'static str| {
        GameEvent::TurnRejected(TurnRejected {
            number: 1,
            side: Gold,
            steps: steps.into(),
            reason: "".into(),
        })
    };
    let judged = |game: &mut Game<Amazons>, steps| game.apply(None, &rejected(steps)).unwrap();
    assert!(matches!(
        judged(&mut game, "d1-d10(d9)"),
        Applied::TurnRejected(RejectionCheck::Illegal(illegal)) if illegal.code() == "queen_obstructed"
    ));
    assert!(matches!(judged(&mut game, "d1-d7(g7)"), Applied::TurnRejected(RejectionCheck::Legal(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60, 3_000)))]

    /// Whole games with takebacks, some to the last move and some resigned before it.
    #[test]
    fn whole_games_fold_with_takebacks_and_endings(seed in any::<u64>(), small in any::<bool>()) {
        let mut rng = Rng::of(&[seed]);
        let start = small.then_some("w [..B../...../B...W/...../..W..]");
        let mut game = begun(start);
        let mut lines: Vec<String> = vec![format!("{game:?}")];
        let resigns_after = rng.between(0, 200) as usize;
        while game.board_says().is_none() && game.plies().len() < resigns_after {
            if rng.chance(150) && !game.plies().is_empty() {
                let back = rng.between(1, game.plies().len().min(4) as u32);
                for _ in 0..back {
                    let taken = game.apply(None, &retracted()).unwrap();
                    let is_retraction = matches!(taken, Applied::TurnRetracted { .. });
                    prop_assert!(is_retraction);
                    lines.pop();
                    prop_assert_eq!(&format!("{game:?}"), lines.last().unwrap());
                }
            }
            let position = *game.state().unwrap();
            let played = *rng.pick(&position.moves());
            let text = if rng.chance(500) { played.to_string() } else { played.with_slash() };
            let number = game.expected_number().unwrap_or(1);
            game.apply(None, &turn(number, position.to_move(), &text)).unwrap();
            let ply = game.plies().last().unwrap();
            prop_assert_eq!(ply.hash_before, position.hash());
            prop_assert_eq!(ply.state_after, position.play(played).unwrap());
            prop_assert_eq!(game.occurrences(ply.hash_after), 1);
            lines.push(format!("{game:?}"));
        }
        prop_assert_eq!(lines.len(), game.plies().len() + 1);
        // A game that is resumed from a ply is the game as it stood then.
        let stand = rng.below(game.plies().len() as u32 + 1);
        let mut resumed = begun(start);
        for ply in 0..game.plies().len() {
            let before = if ply == 0 { *game.initial_state().unwrap() } else { game.plies()[ply - 1].state_after };
            let after = game.plies()[ply].state_after;
            let moves = before.moves();
            let played = moves.iter().find(|played| before.play(**played) == Ok(after)).unwrap().to_string();
            resumed.apply(None, &turn(game.plies()[ply].number, before.to_move(), &played)).unwrap();
        }
        resumed.apply(None, &GameEvent::Halted(annals_events::Halted::default())).unwrap();
        let from = GameEvent::Resumed(Resumed { from_ply: stand, ..Resumed::default() });
        resumed.apply(None, &from).unwrap();
        prop_assert_eq!(&format!("{resumed:?}"), &lines[stand as usize]);

        let to_move = game.to_move().unwrap();
        let (event, check) = match game.board_says() {
            Some(outcome) => {
                prop_assert_eq!(outcome.winner, Some(to_move.other()));
                prop_assert!(game.state().unwrap().score().is_some());
                (ended(outcome.winner, Termination::Immobilization), EndingCheck::Agrees)
            }
            None => (ended(Some(to_move.other()), Termination::Resignation), EndingCheck::NotOnBoard),
        };
        prop_assert_eq!(game.apply(None, &event).unwrap(), Applied::Ended(check));
        prop_assert_eq!(refused(&mut game, &retracted()).1, "game_ended");
    }
}
