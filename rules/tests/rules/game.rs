//! Arimaa games folded from events: setups, captures, repetitions, takebacks and endings on the real rules, and random
//! play in which every generated turn must be taken.

use annals_events::{
    Ended, GameEvent, GameKind, PlayerAtStart, Resumed, Side, Started, Termination, TurnRetracted, TurnTaken,
};
use annals_rules::arimaa::{Arimaa, Generator};
use annals_rules::game::{Applied, EndingCheck, Era, Game, Outcome, Strictness};
use annals_rules::scoring::{Score, Undecidable};
use proptest::prelude::*;

use crate::vectors;

use Side::{Gold, Silver};

const GOLD_SETUP: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Db2 Hc2 Md2 Ee2 Hf2 Dg2 Ch2";
const SILVER_SETUP: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 db7 hc7 md7 ee7 hf7 dg7 ch7";
const MODERN: i64 = Era::MODERN_FROM;

fn started(position: Option<String>) -> GameEvent<'static> {
    GameEvent::Started(Box::new(Started {
        game: GameKind::Arimaa,
        gold: PlayerAtStart::default(),
        silver: PlayerAtStart::default(),
        time_control: Some("2/2/100/10/8".into()),
        rated: true,
        postal: false,
        event: None,
        site: None,
        position: position.map(Into::into),
        pairing: None,
        attempt: None,
    }))
}

fn turn<'a>(number: u32, side: Side, steps: &'a str) -> GameEvent<'a> {
    GameEvent::TurnTaken(TurnTaken::plain(number, side, steps))
}

/// A position in the short form from pieces such as `Eb4`.
fn position(side: char, pieces: &str) -> Option<String> {
    let mut squares = vec!['.'; 64];
    for piece in pieces.split(' ') {
        let bytes = piece.as_bytes();
        let (file, rank) = (usize::from(bytes[1] - b'a'), usize::from(bytes[2] - b'1'));
        squares[(7 - rank) * 8 + file] = char::from(bytes[0]);
    }
    Some(format!("{side} [{}]", squares.into_iter().collect::<String>()))
}

fn game(strictness: Strictness, at: i64, events: &[GameEvent<'_>]) -> Game<Arimaa> {
    let mut game = Game::new(strictness);
    for event in events {
        game.apply(Some(at), event).unwrap_or_else(|error| panic!("{event:?}: {error}"));
    }
    game
}

fn set_up(strictness: Strictness) -> Game<Arimaa> {
    game(strictness, MODERN, &[started(None), turn(1, Gold, GOLD_SETUP), turn(1, Silver, SILVER_SETUP)])
}

/// The code of the error, after making sure that the game is as it was.
fn refused(game: &mut Game<Arimaa>, event: &GameEvent<'_>) -> &'static str {
    let before = format!("{game:?}");
    let error = game.apply(Some(MODERN), event).expect_err("this event is illegal");
    assert_eq!(format!("{game:?}"), before, "{error}");
    error.code()
}

fn retracted() -> GameEvent<'static> {
    GameEvent::TurnRetracted(TurnRetracted::default())
}

#[test]
fn a_setup_can_be_taken_back_and_made_again() {
    let mut game = set_up(Strictness::Strict);
    assert!(game.plies().iter().all(|ply| ply.played.setup));
    assert_eq!(refused(&mut game, &turn(1, Silver, SILVER_SETUP)), "wrong_side");
    game.apply(Some(MODERN), &retracted()).unwrap();
    assert_eq!(refused(&mut game, &turn(1, Silver, "ee7s")), "setup_due");
    let other = SILVER_SETUP.replace("ee7", "me7").replace("md7", "ed7");
    game.apply(Some(MODERN), &turn(1, Silver, &other)).unwrap();
    assert_eq!(refused(&mut game, &turn(2, Gold, GOLD_SETUP)), "setup_over");
    game.apply(Some(MODERN), &turn(2, Gold, "Ee2n")).unwrap();
}

#[test]
fn an_unstated_capture_is_noted_in_archive_mode_and_an_error_in_strict_mode() {
    let start = started(position('g', "Ed4 Ra2 hd3 rh7"));
    let stated = game(Strictness::Strict, MODERN, &[start.clone(), turn(9, Gold, "hd3w hc3x Ed4s")]);
    let ply = &stated.plies()[0];
    assert_eq!((ply.played.captures, ply.played.captures_misstated, ply.piece_counts), (1, false, [2, 1]));

    let unstated = turn(9, Gold, "hd3w Ed4s");
    let noted = game(Strictness::Archive, MODERN, &[start.clone(), unstated.clone()]);
    assert!(noted.plies()[0].played.captures_misstated);
    assert_eq!(noted.plies()[0].hash_after, ply.hash_after);
    let mut strict = game(Strictness::Strict, MODERN, &[start]);
    assert_eq!(refused(&mut strict, &unstated), "capture_unstated");
}

/// Two elephants that step out and back; the eighth ply brings the first position about for the third time.
fn there_and_back(strictness: Strictness, at: i64) -> (Game<Arimaa>, GameEvent<'static>) {
    let mut all = game(strictness, at, &[started(position('g', "Eb4 Ra2 eg5 rh7"))]);
    let cycle = [(Gold, "Eb4n"), (Silver, "eg5s"), (Gold, "Eb5s"), (Silver, "eg4n")];
    for ply in 0..7u32 {
        let (side, steps) = cycle[ply as usize % 4];
        all.apply(Some(at), &turn(2 + ply / 2, side, steps)).unwrap();
    }
    (all, turn(5, Silver, "eg4n"))
}

#[test]
fn a_third_repetition_is_illegal_today_and_ended_the_game_before_july_2008() {
    let (mut modern, third) = there_and_back(Strictness::Strict, MODERN);
    assert_eq!(refused(&mut modern, &third), "third_repetition");
    modern.apply(Some(MODERN), &turn(5, Silver, "eg4n eg5n")).unwrap();

    let (mut early, third) = there_and_back(Strictness::Strict, MODERN - 1);
    early.apply(Some(MODERN - 1), &third).unwrap();
    let outcome = early.board_says().expect("the game is over");
    assert_eq!(outcome.termination, Termination::Repetition);
    assert_eq!(early.occurrences(early.plies()[7].hash_after), 3);
}

#[test]
fn a_takeback_makes_a_repetition_undone() {
    let (mut game, third) = there_and_back(Strictness::Archive, MODERN);
    for _ in 0..4 {
        game.apply(None, &retracted()).unwrap();
    }
    for (number, side, steps) in [(3, Silver, "eg4n eg5n"), (4, Gold, "Eb4n"), (4, Silver, "eg6s eg5s")] {
        game.apply(None, &turn(number, side, steps)).unwrap();
    }
    game.apply(None, &turn(5, Gold, "Eb5s")).unwrap();
    game.apply(None, &third).unwrap();
    assert_eq!(game.occurrences(game.plies().last().unwrap().hash_after), 2);
}

#[test]
fn an_ending_on_the_board_is_checked_in_winner_and_reason() {
    let start = [started(position('g', "Ra7 Ee4 ee5 rh7")), turn(30, Gold, "Ra7n")];
    let end = |winner, termination| {
        GameEvent::Ended(Ended {
            winner: Some(winner),
            termination: Some(termination),
            stated: None,
            draw: false,
        })
    };
    let mut right = game(Strictness::Strict, MODERN, &start);
    let goal = Outcome { winner: Some(Gold), termination: Termination::Goal };
    assert_eq!(right.board_says(), Some(goal));
    assert_eq!(refused(&mut right, &end(Silver, Termination::Goal)), "ending_disagrees");
    let applied = right.apply(Some(MODERN), &end(Gold, Termination::Goal)).unwrap();
    assert_eq!(applied, Applied::Ended(EndingCheck::Agrees));
    let mut wrong = game(Strictness::Archive, MODERN, &start);
    let applied = wrong.apply(Some(MODERN), &end(Gold, Termination::Elimination)).unwrap();
    assert_eq!(applied, Applied::Ended(EndingCheck::Disagrees { board: Some(goal) }));
}

#[test]
fn the_score_follows_the_pieces_and_an_early_one_is_not_guessed() {
    let capture = [started(position('g', "Ed4 Ra2 hd3 rh7")), turn(9, Gold, "hd3w hc3x Ed4s")];
    assert_eq!(game(Strictness::Strict, MODERN, &capture[..1]).score(), Score::Won(Silver));
    assert_eq!(game(Strictness::Strict, MODERN, &capture).score(), Score::Won(Gold));
    let early = game(Strictness::Strict, MODERN - 1, &capture);
    assert_eq!(early.score(), Score::Undecidable(Undecidable::PiecePointsUnknown));
    let setting_up = game(Strictness::Strict, MODERN, &[started(None), turn(1, Gold, GOLD_SETUP)]);
    assert_eq!(setting_up.score(), Score::Undecidable(Undecidable::NotSetUp));
}

/// Plays so many random turns; `choices` say which of the generated ones.
fn play(game: &mut Game<Arimaa>, choices: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let mut generator = Generator::new();
    let mut turns = Vec::new();
    for choice in choices {
        turns.clear();
        let position = *game.state().unwrap().position();
        let line: &Game<Arimaa> = game;
        generator.for_each(&position, |after, turn| {
            if line.occurrences(after.hash()) < 2 {
                turns.push((turn.to_string(), after.hash()));
            }
        });
        if game.board_says().is_some() {
            break;
        }
        prop_assert!(!turns.is_empty(), "no turn is left, but the board has not said so");
        let (steps, hash) = &turns[choice.index(turns.len())];
        let (number, side) = (game.expected_number().unwrap(), game.to_move().unwrap());
        let applied = game.apply(Some(MODERN), &turn(number, side, steps));
        prop_assert!(applied.is_ok(), "{steps}: {}", applied.unwrap_err());
        prop_assert_eq!(game.plies().last().unwrap().hash_after, *hash);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(vectors::cases(12, 2_000)))]

    #[test]
    fn every_generated_turn_is_taken_and_can_be_taken_back(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 1..24),
        more in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let mut game = set_up(Strictness::Strict);
        play(&mut game, &choices)?;
        let before = format!("{game:?}");
        let stand = game.plies().len();
        play(&mut game, &more)?;
        for _ in stand..game.plies().len() {
            game.apply(Some(MODERN), &retracted()).unwrap();
        }
        prop_assert_eq!(format!("{game:?}"), before);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(vectors::cases(4_000, 400_000)))]

    #[test]
    fn no_text_of_a_turn_makes_the_fold_panic_and_an_illegal_one_changes_nothing(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40).prop_map(|b| String::from_utf8_lossy(&b).into_owned()),
            prop::collection::vec("[RCDHMErcdhme][a-h][1-8][neswx]?", 0..6).prop_map(|words| words.join(" ")),
            prop::collection::vec("[EMHD][a-h][23][nsew]", 1..5).prop_map(|words| words.join(" ")),
        ],
        strictness in prop_oneof![Just(Strictness::Strict), Just(Strictness::Archive)],
    ) {
        let mut game = set_up(strictness);
        let before = format!("{game:?}");
        match game.apply(Some(MODERN), &turn(2, Gold, &bytes)) {
            Ok(_) => {
                let resumed = Resumed { from_ply: 2, ..Resumed::default() };
                game.apply(Some(MODERN), &GameEvent::Halted(Default::default())).unwrap();
                game.apply(Some(MODERN), &GameEvent::Resumed(resumed)).unwrap();
            }
            Err(error) => prop_assert!(error.to_string().len() > 20 && !error.code().is_empty()),
        }
        prop_assert_eq!(format!("{game:?}"), before);
    }
}
