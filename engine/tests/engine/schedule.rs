//! Schedules: everybody meets everybody, as often with either colour, from the same openings; and the tables of results.

use std::collections::{BTreeMap, BTreeSet};

use annals_engine::arena::schedule::{Fixture, Format, Schedule, ScheduleError};
use annals_engine::arena::standings::{Record, Standings};
use annals_events::Side;

#[test]
fn everybody_meets_everybody_with_both_colours_from_the_same_openings() {
    for contestants in 2..9 {
        let schedule = Schedule::new(Format::RoundRobin, contestants, 3, 7).unwrap();
        let games: Vec<Fixture> = schedule.iter().collect();
        assert_eq!(games.len(), contestants * (contestants - 1) * 3);
        assert_eq!(games.len() as u64, schedule.games());
        let mut met: BTreeMap<(usize, usize), BTreeSet<u64>> = BTreeMap::new();
        for game in &games {
            assert_ne!(game.gold, game.silver);
            met.entry((game.gold, game.silver)).or_default().insert(game.opening);
        }
        let openings = &met[&(0, 1)];
        assert_eq!(openings.len(), 3);
        assert_eq!(met.len(), contestants * (contestants - 1));
        assert!(met.values().all(|seen| seen == openings), "{contestants}: all play the same openings");
        for pair in games.chunks(2) {
            assert_eq!((pair[0].gold, pair[0].silver), (pair[1].silver, pair[1].gold));
            assert_eq!((pair[0].opening, pair[0].pair), (pair[1].opening, pair[1].pair));
        }
    }
}

#[test]
fn nobody_waits_long_in_a_round_robin() {
    // The pairings of one opening fall into rounds in which everybody plays once.
    let schedule = Schedule::new(Format::RoundRobin, 6, 1, 1).unwrap();
    let games: Vec<Fixture> = schedule.iter().collect();
    for round in games.chunks(6) {
        let players: BTreeSet<usize> = round.iter().flat_map(|game| [game.gold, game.silver]).collect();
        assert_eq!(players.len(), 6, "{round:?}");
    }
}

#[test]
fn in_a_gauntlet_one_plays_all_others_and_they_do_not_meet() {
    let schedule = Schedule::new(Format::Gauntlet { challenger: 2 }, 4, 5, 1).unwrap();
    assert_eq!(schedule.games(), 3 * 5 * 2);
    assert!(schedule.iter().all(|game| (game.gold == 2) != (game.silver == 2)));
    let gold = schedule.iter().filter(|game| game.gold == 2).count();
    assert_eq!(gold, 15);
    assert_eq!(
        Schedule::new(Format::Gauntlet { challenger: 4 }, 4, 5, 1),
        Err(ScheduleError::NoSuchChallenger { challenger: 4, contestants: 4 })
    );
}

#[test]
fn a_game_can_be_asked_for_alone_and_follows_from_the_seed() {
    let schedule = Schedule::new(Format::RoundRobin, 5, 4, 9).unwrap();
    let all: Vec<Fixture> = schedule.iter().collect();
    assert_eq!(schedule.game(33), Some(all[33]));
    assert_eq!(schedule.game(schedule.games()), None);
    let other = Schedule::new(Format::RoundRobin, 5, 4, 10).unwrap();
    assert_ne!(other.game(0).map(|game| game.opening), Some(all[0].opening));
    // One more opening leaves the games before it as they are.
    let longer = Schedule::new(Format::RoundRobin, 5, 5, 9).unwrap();
    assert!(longer.iter().zip(&all).all(|(a, b)| a == *b));
    assert_eq!(Schedule::new(Format::RoundRobin, 1, 4, 9), Err(ScheduleError::TooFew { contestants: 1 }));
    assert!(matches!(Schedule::new(Format::RoundRobin, 5, u64::MAX, 9), Err(ScheduleError::TooMany { .. })));
    assert_eq!(Schedule::new(Format::RoundRobin, 5, 0, 9).unwrap().game(0), None);
}

#[test]
fn a_table_counts_what_was_won_with_which_colour() {
    let mut standings = Standings::new(["a", "b", "c"].map(str::to_owned).to_vec());
    for (gold, silver, winner) in [
        (0, 1, Some(Side::Gold)),
        (1, 0, Some(Side::Gold)),
        (0, 2, Some(Side::Silver)),
        (1, 2, None),
        (0, 1, Some(Side::Gold)),
    ] {
        assert!(standings.add(gold, silver, winner));
    }
    assert!(!standings.add(0, 3, None), "nobody is third");
    assert_eq!(standings.against(0, 1), Record { wins: 2, draws: 0, losses: 1 });
    assert_eq!(standings.against(1, 0), standings.against(0, 1).reversed());
    let lines = standings.lines();
    let told: Vec<_> = lines.iter().map(|line| (line.place, line.name.as_str(), line.total)).collect();
    let record = |wins, draws, losses| Record { wins, draws, losses };
    assert_eq!(told, [(1, "c", record(1, 1, 0)), (2, "a", record(2, 0, 2)), (3, "b", record(1, 1, 2))]);
    assert_eq!((lines[1].gold, lines[1].silver), (record(2, 0, 1), record(0, 0, 1)));
    assert_eq!(standings.table()[2][0], record(1, 0, 0));
}

#[test]
fn those_who_are_level_share_a_place_and_who_has_not_played_stands_last() {
    let mut standings = Standings::new(["a", "b", "c"].map(str::to_owned).to_vec());
    standings.add(1, 2, None);
    let places: Vec<_> = standings.lines().into_iter().map(|line| (line.place, line.contestant)).collect();
    assert_eq!(places, [(1, 1), (1, 2), (3, 0)]);
}

#[test]
fn each_two_contestants_play_the_same_number_of_games_and_colours_change() {
    let pairs = |contestants, games, format| {
        let schedule = Schedule::of_games(format, contestants, games, 1).unwrap();
        assert!(schedule.game(schedule.games()).is_none());
        schedule.iter().map(|fixture| [fixture.gold, fixture.silver]).collect::<Vec<_>>()
    };
    assert_eq!(pairs(2, 3, Format::RoundRobin), [[0, 1], [1, 0], [0, 1]]);
    assert_eq!(pairs(3, 2, Format::Gauntlet { challenger: 0 }), [[0, 1], [1, 0], [0, 2], [2, 0]]);
    for games in 1..6 {
        let all = pairs(4, games, Format::RoundRobin);
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let count = |pair| all.iter().filter(|met| **met == pair).count() as u32;
            let (with_gold, with_silver) = (count([a, b]), count([b, a]));
            assert_eq!((with_gold + with_silver, with_gold - with_silver), (games, games % 2), "{all:?}");
        }
    }
}
