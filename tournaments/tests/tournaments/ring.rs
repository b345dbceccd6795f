//! The postal tournament: the stored draws, the text of the rule followed player by player, wrong draws that must be
//! caught, and the pool.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::PlayerId;
use annals_tournaments::formats::ring::{
    ColourGround, NameOrder, OppositeSide, PoolError, RingDraw, RingError, RingFormat, RingReadings, Scorer,
    draw, ring_order, share_pool,
};
use annals_tournaments::record::Contestant;
use serde_json::{Value, json};

use crate::vectors::{Numbers, ask_the_checkers, cases, id, named, vectors};

type Player = Contestant;

fn player(name: &str, rating: i64) -> Player {
    Contestant { player: id(name), name: name.to_owned(), rating: Some(rating) }
}

fn falling(size: usize) -> Vec<Player> {
    (1..=size).map(|i| player(&format!("p{i:02}"), 2400 - 10 * i as i64)).collect()
}

fn drawn(players: &[Player]) -> RingDraw {
    draw(players, RingFormat::default()).unwrap()
}

fn games(draw: &RingDraw) -> Vec<(String, String, usize)> {
    draw.games.iter().map(|game| (named(&game.gold), named(&game.silver), game.distance)).collect()
}

#[test]
fn the_stored_draws_are_made_game_by_game() {
    let Some(file) = vectors("ring2006.json") else { return };
    for (size, stored) in file.as_object().unwrap() {
        let size: usize = size.parse().unwrap();
        let draw = drawn(&falling(size));
        assert_eq!(json!(draw.ring.iter().map(named).collect::<Vec<_>>()), stored["ring"], "{size} players");
        assert_eq!(json!(games(&draw)), stored["games"], "{size} players");
    }
}

/// A deliberately wrong draw.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Wrong {
    SecondNextToTheFirst,
    SilverToTheFirstOnTheRight,
    SameColoursOnTheLeft,
    OppositeByAlternation,
    OppositeHigherRatedGold,
    OppositeHigherPositionGold,
    FourNeighbours,
    EveryoneUpToTwelve,
    CapitalsFirst,
    WorstFirst,
}

/// The draw by the text, player by player: each looks to the right and to the left and says with which colour they
/// meet whom. What two players say must agree; none where it does not. The games as (Gold, Silver).
fn by_the_text(players: &[Player], wrong: Option<Wrong>) -> Option<BTreeSet<(String, String)>> {
    let is = |other| wrong == Some(other);
    let mut order: Vec<&Player> = players.iter().collect();
    order.sort_by_key(|player| {
        let name =
            if is(Wrong::CapitalsFirst) { player.name.clone() } else { player.name.to_ascii_lowercase() };
        (name, player.name.clone())
    });
    order.sort_by_key(
        |player| if is(Wrong::WorstFirst) { player.rating.unwrap() } else { -player.rating.unwrap() },
    );
    let size = order.len();
    let mut position = BTreeMap::new();
    for (i, player) in order.iter().enumerate() {
        let rank = i + 1;
        let at = if is(Wrong::SecondNextToTheFirst) {
            rank
        } else if rank % 2 == 1 {
            rank.div_ceil(2)
        } else {
            size - rank / 2 + 1
        };
        position.insert(at, *player);
    }
    let everyone = size <= if is(Wrong::EveryoneUpToTwelve) { 12 } else { 11 };
    let reach = if everyone {
        size / 2
    } else if is(Wrong::FourNeighbours) {
        4
    } else {
        5
    };
    let mut said: BTreeMap<(String, String), bool> = BTreeMap::new();
    for (&at, me) in &position {
        for (sign, k) in [1i64, -1].into_iter().flat_map(|sign| (1..=reach).map(move |k| (sign, k))) {
            let there = (at as i64 - 1 + sign * k as i64).rem_euclid(size as i64) as usize + 1;
            let other = position[&there];
            let mut gold = (k % 2 == 1) == (sign == 1);
            if is(Wrong::SilverToTheFirstOnTheRight) {
                gold = !gold;
            }
            if is(Wrong::SameColoursOnTheLeft) && sign == -1 {
                gold = k % 2 == 1;
            }
            if 2 * k == size && !is(Wrong::OppositeByAlternation) {
                gold = if me.rating == other.rating { at < there } else { me.rating < other.rating };
                let swapped = if me.rating == other.rating {
                    is(Wrong::OppositeHigherPositionGold)
                } else {
                    is(Wrong::OppositeHigherRatedGold)
                };
                gold ^= swapped;
            }
            let before = said.insert((me.name.clone(), other.name.clone()), gold);
            if before.is_some_and(|before| before != gold) {
                return None;
            }
        }
    }
    let agree = said.iter().all(|((me, other), gold)| said.get(&(other.clone(), me.clone())) == Some(&!gold));
    agree.then(|| said.into_iter().filter(|(_, gold)| *gold).map(|(pair, _)| pair).collect())
}

fn some_field(seed: u64) -> Vec<Player> {
    let mut numbers = Numbers::new(seed);
    let size = 1 + numbers.below(40);
    let levels = 1 + numbers.below(12);
    let mut players: Vec<Player> = (0..size)
        .map(|i| {
            let capital = if numbers.chance(50) { "N" } else { "n" };
            player(
                &format!("{capital}{:02}{}", i / 2, if i % 2 == 0 { "a" } else { "A" }),
                1500 + numbers.below(levels) as i64,
            )
        })
        .collect();
    numbers.shuffle(&mut players);
    players
}

#[test]
fn every_player_finds_the_opponents_and_colours_of_the_text() {
    for seed in 0..cases(400, 20_000) {
        let players = some_field(seed);
        let draw = drawn(&players);
        let found: BTreeSet<(String, String)> =
            draw.games.iter().map(|game| (named(&game.gold), named(&game.silver))).collect();
        assert_eq!(found.len(), draw.games.len(), "no game is drawn twice");
        assert_eq!(Some(found), by_the_text(&players, None), "seed {seed}");
    }
}

#[test]
fn every_wrong_draw_is_caught() {
    use Wrong::*;
    for wrong in [
        SecondNextToTheFirst,
        SilverToTheFirstOnTheRight,
        SameColoursOnTheLeft,
        OppositeByAlternation,
        OppositeHigherRatedGold,
        OppositeHigherPositionGold,
        FourNeighbours,
        EveryoneUpToTwelve,
        CapitalsFirst,
        WorstFirst,
    ] {
        let caught = (0..400).any(|seed| {
            let players = some_field(seed);
            let found = drawn(&players)
                .games
                .into_iter()
                .map(|game| (named(&game.gold), named(&game.silver)))
                .collect();
            by_the_text(&players, Some(wrong)) != Some(found)
        });
        assert!(caught, "{wrong:?} is not caught");
    }
}

#[test]
fn from_two_to_sixty_players_games_and_colours_are_balanced() {
    for size in 2..=60 {
        for equal in [false, true] {
            let mut players = falling(size);
            if equal {
                players.iter_mut().for_each(|player| player.rating = Some(2000));
            }
            let draw = drawn(&players);
            let pairs: BTreeSet<BTreeSet<&PlayerId>> =
                draw.games.iter().map(|game| BTreeSet::from([&game.gold, &game.silver])).collect();
            assert_eq!(pairs.len(), draw.games.len());
            let expected = if size <= 11 { size * (size - 1) / 2 } else { 5 * size };
            assert_eq!(draw.games.len(), expected);
            for player in &players {
                let golds = draw.games.iter().filter(|game| game.gold == player.player).count();
                let silvers = draw.games.iter().filter(|game| game.silver == player.player).count();
                if size >= 12 {
                    assert_eq!((golds, silvers), (5, 5), "{size} players");
                } else {
                    assert!(golds.abs_diff(silvers) <= 1 && golds + silvers == size - 1, "{size} players");
                }
            }
        }
    }
}

/// How far two players are apart on the ring.
fn distance(draw: &RingDraw, one: &PlayerId, other: &PlayerId) -> Option<usize> {
    let position = |player: &PlayerId| draw.ring.iter().position(|other| other == player);
    Some(draw.distance(position(one)?, position(other)?))
}

#[test]
fn of_twelve_the_one_exactly_opposite_is_not_met() {
    let draw = drawn(&falling(12));
    assert_eq!(
        draw.ring.iter().map(PlayerId::as_str).collect::<Vec<_>>(),
        ["p01", "p03", "p05", "p07", "p09", "p11", "p12", "p10", "p08", "p06", "p04", "p02"]
    );
    for (a, b) in [(1, 12), (3, 10), (5, 8), (7, 6), (9, 4), (11, 2)] {
        let apart = distance(&draw, &id(&format!("p{a:02}")), &id(&format!("p{b:02}")));
        assert_eq!((apart, draw.reach), (Some(6), 5));
    }
    assert_eq!(distance(&draw, &id("p01"), &id("p11")), Some(5));
    assert_eq!(distance(&draw, &id("p01"), &id("p01")), Some(0));
    assert_eq!(distance(&draw, &id("p01"), &id("p13")), None);
}

#[test]
fn the_one_opposite_is_gold_if_rated_lower_and_by_position_if_rated_alike() {
    let ground = |players: &[Player]| {
        let draw = drawn(players);
        let opposite: Vec<_> = draw.games.into_iter().filter(|game| game.distance == 2).collect();
        opposite.into_iter().map(|game| (game.gold, game.silver, game.ground)).collect::<Vec<_>>()
    };
    let name = id;
    use ColourGround::{OppositeLowerPosition as Position, OppositeLowerRated as Rated};
    assert_eq!(ground(&falling(4)), [(name("p04"), name("p01"), Rated), (name("p03"), name("p02"), Rated)]);
    let equal: Vec<Player> = ["a", "b", "c", "d"].iter().map(|name| player(name, 1500)).collect();
    assert_eq!(ground(&equal), [(name("a"), name("d"), Position), (name("c"), name("b"), Position)]);
}

#[test]
fn with_the_other_half_as_the_opposite_side_colours_are_no_longer_five_and_five() {
    let readings = RingReadings { opposite_side: OppositeSide::OtherHalf, ..RingReadings::default() };
    let draw = draw(&falling(20), RingFormat { readings, ..RingFormat::default() }).unwrap();
    let colours = |name: &str| {
        let golds = draw.games.iter().filter(|game| game.gold == id(name)).count();
        (golds, draw.games.iter().filter(|game| game.silver == id(name)).count())
    };
    assert_eq!((colours("p01"), colours("p20")), ((3, 7), (8, 2)));
}

#[test]
fn names_are_ordered_without_regard_to_capitals_unless_read_otherwise() {
    let players = [player("bob", 1500), player("Carl", 1500), player("anna", 1500), player("Anna", 1500)];
    let order = |names| {
        let (order, _) = ring_order(&players, names).unwrap();
        order.into_iter().map(|i| players[i].name.as_str()).collect::<Vec<&str>>()
    };
    assert_eq!(order(NameOrder::IgnoringCase), ["Anna", "anna", "bob", "Carl"]);
    assert_eq!(order(NameOrder::ByBytes), ["Anna", "Carl", "anna", "bob"]);
}

#[test]
fn an_empty_field_a_missing_rating_and_a_name_twice_are_refused() {
    let attempt = |players: &[Player]| draw(players, RingFormat::default());
    assert_eq!(attempt(&[]).unwrap_err(), RingError::NobodyEntered);
    assert!(attempt(&falling(1)).unwrap().games.is_empty());
    let mut unrated = falling(3);
    unrated[1].rating = None;
    assert_eq!(attempt(&unrated).unwrap_err(), RingError::RatingMissing { name: "p02".to_owned() });
    let twice = [player("a", 1), player("a", 2)];
    assert_eq!(attempt(&twice).unwrap_err(), RingError::NameTwice { name: "a".to_owned() });
}

#[test]
fn the_checker_itself_draws_random_fields_alike() {
    let fields: Vec<Vec<Player>> =
        (0..3_000).map(|seed| some_field(40_000 + seed)).filter(|field| field.len() > 1).collect();
    let input: Vec<Value> = fields
        .iter()
        .map(|field| {
            json!(field.iter().map(|player| json!([player.name, player.rating])).collect::<Vec<_>>())
        })
        .collect();
    let text = "
import json, sys, ring2006
print(json.dumps([ring2006.pairings([tuple(p) for p in f]) for f in json.load(sys.stdin)]))
";
    let Some(answer) = ask_the_checkers(text, &json!(input)) else { return };
    for (i, field) in fields.iter().enumerate() {
        assert_eq!(json!(games(&drawn(field))), answer[i], "field {i}");
    }
}

fn scorer(name: &str, half_points: u64, rating: i64) -> Scorer {
    Scorer { half_points, rating: Some(rating), name: name.to_owned() }
}

fn cents(pool: u64, scorers: &[Scorer]) -> Vec<u64> {
    share_pool(pool, scorers).unwrap()
}

#[test]
fn the_pool_is_shared_by_points_to_the_last_cent() {
    assert_eq!(cents(10_000, &[scorer("a", 4, 1), scorer("b", 2, 1), scorer("c", 0, 1)]), [6667, 3333, 0]);
    // Equal remainders: more points, then the rating, then the name.
    assert_eq!(cents(100, &[scorer("a", 2, 1), scorer("b", 2, 3), scorer("c", 2, 2)]), [33, 34, 33]);
    assert_eq!(cents(100, &[scorer("b", 2, 1), scorer("A", 2, 1), scorer("c", 2, 1)]), [33, 34, 33]);
    assert_eq!(cents(1, &[scorer("a", 1, 9), scorer("b", 3, 1)]), [0, 1]);
    assert_eq!(
        cents(5, &[scorer("low", 1, 9), scorer("high", 9, 1)]),
        [0, 5],
        "one half each: more points first"
    );

    assert_eq!((cents(700, &[scorer("a", 0, 1)]), cents(700, &[])), (vec![0], vec![]));
    let too_many = [scorer("a", u64::MAX, 1), scorer("b", 1, 1)];
    assert_eq!(share_pool(1, &too_many).unwrap_err(), PoolError::TooManyPoints);
    assert_eq!(cents(u64::MAX, &[scorer("a", u64::MAX, 1)]), [u64::MAX]);
}

#[test]
fn every_share_is_within_a_cent_of_the_exact_one_and_nothing_is_lost() {
    let mut numbers = Numbers::new(6);
    for _ in 0..cases(2_000, 100_000) {
        let pool = numbers.next() % 1_000_000;
        let scorers: Vec<Scorer> = (0..1 + numbers.below(20))
            .map(|i| scorer(&format!("p{i}"), numbers.below(21) as u64, numbers.below(4) as i64))
            .collect();
        let total: u64 = scorers.iter().map(|scorer| scorer.half_points).sum();
        let shares = cents(pool, &scorers);
        assert_eq!(shares.iter().sum::<u64>(), if total == 0 { 0 } else { pool });
        if total == 0 {
            continue;
        }
        let more = |share: u64, scorer: &Scorer| share - pool * scorer.half_points / total;
        for (share, scorer) in shares.iter().zip(&scorers) {
            let more = more(*share, scorer);
            assert!(more == 0 || more == 1 && !(pool * scorer.half_points).is_multiple_of(total));
        }
        for (one, a) in shares.iter().zip(&scorers) {
            for (other, b) in shares.iter().zip(&scorers) {
                let (x, y) = (pool * a.half_points % total, pool * b.half_points % total);
                let before = (x, a.half_points, a.rating) > (y, b.half_points, b.rating);
                assert!(!(before && more(*other, b) == 1 && more(*one, a) == 0));
            }
        }
    }
}
