//! The real tables of London 2000 and Maastricht 2001, the sum of opponents' points, and the all-play-all.

use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_events::tournament::Outcome;
use annals_tournaments::formats::encounters::{
    EncounterSystem, OlympiadReadings, all_play_all, format_for, ranking,
};
use annals_tournaments::published;
use annals_tournaments::record::{Ending, PlayedGame};
use serde_json::{Value, json};

use crate::olympiad::{Encounter, Round, half, record};
use crate::vectors::{Numbers, id, named, played as game, vectors};

/// All numbers of games won in each encounter that give everybody their points, without draws.
fn crosstables(points: &[u32], games: u32) -> Vec<Vec<(usize, usize, u32)>> {
    fn fill(
        at: usize,
        meetings: &[(usize, usize)],
        games: u32,
        left: &mut Vec<u32>,
        row: &mut Vec<(usize, usize, u32)>,
        all: &mut Vec<Vec<(usize, usize, u32)>>,
    ) {
        let Some(&(a, b)) = meetings.get(at) else {
            if left.iter().all(|left| *left == 0) {
                all.push(row.clone());
            }
            return;
        };
        for won in 0..=games {
            if won <= left[a] && games - won <= left[b] {
                left[a] -= won;
                left[b] -= games - won;
                row.push((a, b, won));
                fill(at + 1, meetings, games, left, row, all);
                row.pop();
                left[a] += won;
                left[b] += games - won;
            }
        }
    }
    let meetings: Vec<(usize, usize)> =
        (0..points.len()).flat_map(|a| (a + 1..points.len()).map(move |b| (a, b))).collect();
    let mut all = Vec::new();
    fill(0, &meetings, games, &mut points.to_vec(), &mut Vec::new(), &mut all);
    all
}

/// The encounters of a crosstable as one long round each, `squares(winner)` of territory for each game won.
fn played(
    names: &[PlayerId],
    table: &[(usize, usize, u32)],
    games: u32,
    squares: impl Fn(&PlayerId) -> u32,
) -> Vec<Round> {
    let mut rounds = Vec::new();
    for &(a, b, won) in table {
        for first in (0..games).step_by(2) {
            let games = (first..first + 2)
                .map(|i| {
                    let a_wins = i < won;
                    let (white, black) = if i % 2 == 0 { (a, b) } else { (b, a) };
                    PlayedGame {
                        territory: Some(squares(if a_wins { &names[a] } else { &names[b] })),
                        ..game(
                            &names[white],
                            &names[black],
                            Some(if a_wins == (white == a) { Outcome::Gold } else { Outcome::Silver }),
                            Ending::NoMoves,
                        )
                    }
                })
                .collect();
            let pair = (names[a].clone(), names[b].clone());
            rounds.push(Round { encounters: vec![Encounter { pair, games }], bye: None });
        }
    }
    rounds
}

#[test]
fn london_2000_has_one_crosstable_and_its_order_tells_of_territory() {
    let names: Vec<PlayerId> = ["8QP", "Yamazon", "Anky", "Antiope", "Aska", "Otrere"].map(id).into();
    let points = [10, 7, 7, 4, 2, 0];
    let tables = crosstables(&points, 2);
    assert_eq!(tables.len(), 1);
    for (a, b, won) in &tables[0] {
        let drawn = (named(&names[*a]), named(&names[*b])) == ("Yamazon".to_owned(), "Anky".to_owned());
        assert_eq!(*won, if drawn { 1 } else { 2 });
    }
    let rank = |more: &str| {
        let rounds = played(&names, &tables[0], 2, |winner| if *winner == id(more) { 6 } else { 5 });
        ranking(&record(&names, &rounds, &BTreeSet::new()), OlympiadReadings::default()).unwrap()
    };
    let order = rank("Yamazon");
    let rows: Vec<(u32, String, u32, u32)> = order
        .iter()
        .map(|place| {
            let score = &place.score;
            (place.place, named(&score.player), score.half_points / 2, score.opponents_half_points / 2)
        })
        .collect();
    assert_eq!(
        rows,
        [
            (1, "8QP".to_owned(), 10, 20),
            (2, "Yamazon".to_owned(), 7, 23),
            (3, "Anky".to_owned(), 7, 23),
            (4, "Antiope".to_owned(), 4, 26),
            (5, "Aska".to_owned(), 2, 28),
            (6, "Otrere".to_owned(), 0, 30)
        ]
    );
    assert!(order[1].score.territory > order[2].score.territory);
    assert_eq!(rank("Anky")[1].score.player, id("Anky"));
    let level = rank("nobody");
    assert_eq!(
        (level[1].place, level[2].place, level[3].place),
        (2, 2, 4),
        "level on everything: a shared place"
    );
    if let Some(file) = vectors("olympiad.json") {
        let found: Vec<Value> = order
            .iter()
            .map(|place| {
                let score = &place.score;
                json!([
                    place.place,
                    named(&score.player),
                    half(score.half_points),
                    half(score.opponents_half_points),
                    score.territory
                ])
            })
            .collect();
        assert_eq!(Value::from(found), file["table"]);
    }
}

/// The crosstables of the program as the brute force above writes them: games won in each encounter.
fn derived(points: &[u32], games: u32) -> Vec<Vec<(usize, usize, u32)>> {
    let half_points: Vec<u32> = points.iter().map(|points| points * 2).collect();
    let tables = published::crosstables(&half_points, games, false).unwrap();
    let won = |table: &published::Scores| {
        let pairs = (0..points.len()).flat_map(|a| (a + 1..points.len()).map(move |b| (a, b)));
        pairs.map(|(a, b)| (a, b, table[a][b] / 2)).collect()
    };
    tables.iter().map(won).collect()
}

#[test]
fn the_derived_crosstables_are_those_of_brute_force_and_of_the_vectors() {
    for (points, games) in [
        (vec![10, 7, 7, 4, 2, 0], 2),
        (vec![12, 5, 5, 2], 4),
        (vec![3, 3, 3, 3], 2),
        (vec![9, 1, 2, 0], 2),
        (vec![4, 4, 2, 2], 2),
        (vec![1], 2),
        (vec![], 2),
    ] {
        assert_eq!(derived(&points, games), crosstables(&points, games), "{points:?}");
    }
    // With draws half points can be shared, so that more crosstables fit.
    assert_eq!(published::crosstables(&[2, 2], 2, false).map(|tables| tables.len()), Some(1));
    assert_eq!(published::crosstables(&[3, 1], 2, true), Some(vec![vec![vec![0, 3], vec![1, 0]]]));
    assert_eq!(published::crosstables(&[3, 1], 2, false), Some(Vec::new()));
    // Too many to be tried, or to be counted at all.
    assert_eq!(published::crosstables(&[60; 16], 4, true), None);
    assert_eq!(published::crosstables(&[u32::MAX, 0], u32::MAX, false), None);
    if let Some(file) = vectors("olympiad.json") {
        let london = file["london2000_crosstable"].as_object().unwrap();
        let names = ["8QP", "Yamazon", "Anky", "Antiope", "Aska", "Otrere"];
        for (a, b, won) in &derived(&[10, 7, 7, 4, 2, 0], 2)[0] {
            assert_eq!(london[&format!("{} vs {}", names[*a], names[*b])], json!([won, 2 - won]));
        }
    }
}

#[test]
fn maastricht_2001_has_three_crosstables_and_one_ranking_by_points() {
    let names: Vec<PlayerId> = ["8QP", "Aska", "Invader", "Anky"].map(id).into();
    let tables = crosstables(&[12, 5, 5, 2], 4);
    assert_eq!(tables.len(), 3);
    for table in &tables {
        let order = ranking(
            &record(&names, &played(&names, table, 4, |_| 5), &BTreeSet::new()),
            OlympiadReadings::default(),
        )
        .unwrap();
        let rows: Vec<_> = order.iter().map(|place| (place.place, place.score.half_points / 2)).collect();
        assert_eq!(rows, [(1, 12), (2, 5), (2, 5), (4, 2)]);
    }
}

#[test]
fn in_an_all_play_all_the_sum_of_opponents_is_all_points_less_ones_own() {
    let mut numbers = Numbers::new(3);
    for entrants in 2..=8 {
        let names: Vec<PlayerId> = (0..entrants).map(|i| id(&format!("x{i}"))).collect();
        for _ in 0..50 {
            let mut table = Vec::new();
            for a in 0..entrants {
                table.extend((a + 1..entrants).map(|b| (a, b, numbers.below(3) as u32)));
            }
            let order = ranking(
                &record(&names, &played(&names, &table, 2, |_| 0), &BTreeSet::new()),
                OlympiadReadings::default(),
            )
            .unwrap();
            let total: u32 = order.iter().map(|place| place.score.half_points).sum();
            for place in &order {
                assert_eq!(place.score.opponents_half_points, total - place.score.half_points);
            }
            for two in order.windows(2) {
                let [above, below] = [&two[0].score, &two[1].score];
                let level = above.half_points == below.half_points;
                assert!(!level || above.opponents_half_points == below.opponents_half_points);
            }
        }
    }
}

#[test]
fn everyone_meets_everyone_once_and_plays_once_a_round() {
    let formats: Vec<EncounterSystem> = (0..=7).map(format_for).collect();
    assert_eq!((formats[0], formats[1]), (EncounterSystem::Nobody, EncounterSystem::Alone));
    assert!(formats[2..7].iter().all(|format| *format == EncounterSystem::AllPlayAll));
    assert_eq!(formats[7], EncounterSystem::Swiss { rounds: 5 });
    for entrants in 0..=12 {
        let rounds = all_play_all(entrants);
        assert_eq!(rounds.len(), if entrants < 2 { 0 } else { entrants - 1 + entrants % 2 });
        let mut met = BTreeSet::new();
        let mut whites = vec![0i64; entrants];
        for round in &rounds {
            let mut playing = BTreeSet::new();
            for &(one, other) in round {
                assert!(playing.insert(one) && playing.insert(other));
                assert!(met.insert((one.min(other), one.max(other))));
                whites[one] += 1;
                whites[other] -= 1;
            }
            assert_eq!(playing.len(), entrants - entrants % 2);
        }
        assert_eq!(met.len(), entrants * entrants.saturating_sub(1) / 2);
        assert!(whites.iter().all(|balance| balance.abs() <= 1), "{entrants}: {whites:?}");
    }
}
