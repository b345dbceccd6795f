//! Generated games: the same for the same seed, whole by every check that a played game has to pass, and in order.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};

use annals_engine::evaluation::Registry;
use annals_engine::player::{Settings, SetupStyle};
use annals_engine::search::Limits;
use annals_engine::selfplay::{Colours, Contestant, Generated, Options, OptionsError, RunError, SelfPlay};
use annals_engine::settings_text::player_name;
use annals_events::{GameEvent, Side, Termination, generated};
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Applied, EndingCheck, Game, LimitCheck, Strictness};

fn settings(nodes: u64) -> Settings {
    Settings { limits: Limits::nodes(nodes), hash_mib: 1, setup: SetupStyle::Random, ..Settings::default() }
}

fn options(games: u64, nodes: [u64; 2]) -> Options {
    let contestants = nodes.map(|nodes| {
        let settings = settings(nodes);
        Contestant { name: player_name(&settings), settings }
    });
    // Short games: ten turns of each side, so that many of them reach the limit.
    let time_control = "15s/2m30s/100/0/10t".to_owned();
    Options { seed: 7, games, contestants, colours: Colours::Alternate, time_control }
}

fn run(options: Options) -> SelfPlay {
    SelfPlay::new(options, Registry::standard()).unwrap()
}

fn played(options: Options, threads: usize) -> Vec<Generated> {
    let mut games = Vec::new();
    run(options)
        .play(threads, &AtomicBool::new(false), |game| {
            games.push(game);
            Ok::<(), Infallible>(())
        })
        .unwrap();
    games
}

#[test]
fn the_games_are_the_same_whatever_the_number_of_threads_and_in_order() {
    let one = played(options(9, [30, 60]), 1);
    let two = played(options(9, [30, 60]), 2);
    assert_eq!(one, two);
    assert_eq!(one.iter().map(|game| game.game).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
    // One game alone, at a table that has seen others, is the same again.
    let run = run(options(9, [30, 60]));
    let mut table = run.table().unwrap();
    table.play(3).unwrap();
    assert_eq!(table.play(5).unwrap(), one[5]);
    let mut last = Vec::new();
    run.play_from(4, 2, &AtomicBool::new(false), |game| {
        last.push(game);
        Ok::<(), Infallible>(())
    })
    .unwrap();
    assert_eq!(last[..], one[4..]);
    let other = played(Options { seed: 8, ..options(2, [30, 60]) }, 1);
    assert_ne!(other[0].events, one[0].events);
}

#[test]
fn every_game_stands_before_the_strictest_check_and_says_that_it_was_generated() {
    let games = played(options(12, [30, 30]), 2);
    let mut lists = std::collections::BTreeSet::new();
    for generated in &games {
        let mut game: Game<Arimaa> = Game::new(Strictness::Strict);
        let mut words = String::new();
        for (at, event) in &generated.events {
            let applied = game.apply(Some(*at), event).unwrap();
            match event {
                GameEvent::TurnTaken(turn) => {
                    words.push_str(&turn.steps);
                    let ply = game.plies().last().unwrap();
                    assert_eq!((ply.clock_matches, ply.flag), (Some(true), None));
                    assert!(!ply.played.captures_misstated);
                    assert!(game.occurrences(ply.hash_after) < 3, "a third repetition");
                }
                GameEvent::Ended(_) => {
                    assert_eq!(applied, Applied::Ended(EndingCheck::Agrees), "{:?}", generated.termination);
                }
                GameEvent::Started(started) => {
                    let (event, site) = (started.event.as_deref().unwrap(), started.site.as_deref().unwrap());
                    assert!(generated::is_generated(event, site, [&started.gold.name, &started.silver.name]));
                    assert_eq!(event, generated::event(7, annals_engine::VERSION));
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(game.plies().len() as u64, generated.turns);
        if generated.termination == Termination::Score {
            assert_eq!(generated.turns, 20, "ten turns of each side");
        }
        assert!(lists.insert(words), "game {} is there twice", generated.game);
        let times: Vec<i64> = generated.events.iter().map(|(at, _)| *at).collect();
        assert!(times.is_sorted());
    }
    assert!(games.iter().any(|game| game.termination == Termination::Score));
    assert!(games.windows(2).all(|two| two[0].events[0].0 < two[1].events[0].0));
}

fn setups(game: &Generated) -> Vec<String> {
    let steps = |event: &GameEvent<'_>| match event {
        GameEvent::TurnTaken(turn) => Some(turn.steps.clone().into_owned()),
        _ => None,
    };
    game.events.iter().filter_map(|(_, event)| steps(event)).take(2).collect()
}

#[test]
fn in_a_match_both_play_each_opening_with_both_colours() {
    let games = played(options(4, [30, 60]), 1);
    assert_eq!(games.iter().map(|game| game.seats).collect::<Vec<_>>(), [[0, 1], [1, 0], [0, 1], [1, 0]]);
    assert_eq!(setups(&games[0]), setups(&games[1]));
    assert_ne!(setups(&games[0]), setups(&games[2]));
    let fixed = played(Options { colours: Colours::Fixed, ..options(4, [30, 60]) }, 1);
    assert!(fixed.iter().all(|game| game.seats == [0, 1]));
    assert_ne!(setups(&fixed[0]), setups(&fixed[1]));
    let against_itself = played(options(2, [30, 30]), 1);
    assert_ne!(setups(&against_itself[0]), setups(&against_itself[1]), "no game is played twice");
    let mut twins = options(2, [30, 30]);
    twins.contestants[1].name = "twin".into();
    let twins = played(twins, 1);
    assert_ne!(setups(&twins[0]), setups(&twins[1]), "nor where the names alone differ");
}

#[test]
fn whoever_refuses_a_game_ends_the_run_and_so_does_stopping() {
    let run = run(options(50, [30, 30]));
    let mut taken = 0;
    let refused = run.play(2, &AtomicBool::new(false), |_| {
        taken += 1;
        if taken == 3 { Err("full") } else { Ok(()) }
    });
    assert!(matches!(refused, Err(RunError::Refused("full"))));
    assert_eq!(taken, 3);
    let stop = AtomicBool::new(false);
    let mut numbers = Vec::new();
    run.play(2, &stop, |game| {
        numbers.push(game.game);
        stop.store(numbers.len() >= 5, Ordering::Relaxed);
        Ok::<(), Infallible>(())
    })
    .unwrap();
    assert!((5..20).contains(&numbers.len()), "{}", numbers.len());
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
}

#[test]
fn what_could_not_be_repeated_recorded_or_ended_is_refused_beforehand() {
    let refused = |change: &dyn Fn(&mut Options)| {
        let mut options = options(1, [30, 30]);
        change(&mut options);
        SelfPlay::new(options, Registry::standard()).map(|_| ()).unwrap_err()
    };
    let time = refused(&|o| o.contestants[1].settings.limits.time = Some(std::time::Duration::from_secs(1)));
    assert!(matches!(time, OptionsError::NotRepeatable { .. }));
    assert!(matches!(
        refused(&|o| o.contestants[0].settings.limits = Limits::default()),
        OptionsError::NotRepeatable { .. }
    ));
    assert!(matches!(refused(&|o| o.contestants[0].name = "a\tb".into()), OptionsError::Name { .. }));
    assert!(matches!(refused(&|o| o.contestants[0].settings.hash_mib = 2), OptionsError::SameName { .. }));
    assert!(matches!(refused(&|o| o.time_control = "2/2".into()), OptionsError::Endless { .. }));
    assert!(matches!(refused(&|o| o.time_control = "x".into()), OptionsError::TimeControl(_)));
    assert!(matches!(
        refused(&|o| o.contestants[0].settings.evaluator = "none".into()),
        OptionsError::Evaluator(_)
    ));
    assert!(matches!(refused(&|o| o.games = u64::MAX), OptionsError::TooMany { .. }));
}

#[test]
fn a_length_in_seconds_ends_a_game_too() {
    let options = Options { time_control: "8s/0/0/0/0:02".into(), ..options(2, [30, 30]) };
    for game in played(options, 1) {
        let Some((_, GameEvent::TurnTaken(last))) = game.events.iter().rev().nth(1) else { panic!("a turn") };
        if game.termination == Termination::Score {
            assert!((112..=120).contains(&last.game_time.unwrap()), "{:?}", last.game_time);
        }
        assert!(matches!(game.winner, Side::Gold | Side::Silver));
    }
}

#[test]
fn a_turn_that_would_be_completed_after_the_length_of_the_game_is_not_played() {
    let mut limited = options(6, [30, 60]);
    limited.time_control = "15s/2m30s/100/0/30s".to_owned();
    let games = played(limited, 1);
    assert!(games.iter().any(|game| game.termination == Termination::Score));
    for generated in games {
        let mut game: Game<Arimaa> = Game::new(Strictness::Strict);
        for (at, event) in &generated.events {
            game.apply(Some(*at), event).unwrap();
        }
        assert!(game.plies().iter().all(|ply| !ply.past_limit), "{:?}", generated.events);
        assert_eq!(game.ending().unwrap().limit, LimitCheck::Fits, "{:?}", generated.events.last());
    }
}
