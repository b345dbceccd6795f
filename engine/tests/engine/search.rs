//! The search finds what there is to find, and never returns a turn that is not legal.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use annals_engine::Score;
use annals_engine::search::{Limits, Past, SearchOptions};
use annals_engine::threats::goal_steps;
use annals_events::{Side, Termination};
use annals_rules::arimaa::{Generator, Position, Steps, Turn};
use annals_rules::game::Era;
use annals_rules::seeded::Rng;

use crate::search_places::{after, by_chance, position, real, scattered, search, searcher, small};

fn goal(position: &Position) -> Option<u8> {
    goal_steps(&Steps::begin(position))
}

#[test]
fn a_goal_within_one_turn_is_always_played() {
    let mut searcher = searcher(small());
    let mut rng = Rng::of(&[1]);
    let mut places: Vec<Position> = (0..600).map(|_| scattered(&mut rng, 3, 4)).collect();
    by_chance(&mut rng, 4, &mut |position| places.push(*position));
    places.extend(real().into_iter().map(|(_, position)| position));
    let mut goals = 0;
    for place in places.iter().filter(|place| place.outcome(Era::Modern, |_| 0).is_none()) {
        let found = search(&mut searcher, place, &Limits::nodes(50)).unwrap();
        let won = after(place, &found.turn).outcome(Era::Modern, |_| 0);
        if let Some(steps) = goal(place) {
            goals += 1;
            assert_eq!(found.info.score, Score::win_in(u16::from(steps)), "{place}");
            assert_eq!(
                won.map(|won| (won.winner, won.termination)),
                Some((Some(place.to_move()), Termination::Goal))
            );
        }
    }
    assert!(goals > 100, "{goals}");
}

#[test]
fn no_goal_is_given_where_it_can_be_helped() {
    let mut searcher = searcher(small());
    let mut generator = Generator::new();
    let mut rng = Rng::of(&[2]);
    let (mut in_danger, mut saved) = (0, 0);
    for _ in 0..400 {
        let place = scattered(&mut rng, 2, 3);
        if goal(&place).is_some() || goal(&place.passed()).is_none() {
            continue;
        }
        let mut safe = false;
        generator.for_each(&place, |after, _| {
            safe |= match after.outcome(Era::Modern, |_| 0) {
                Some(outcome) => outcome.winner == Some(place.to_move()),
                None => goal(after).is_none(),
            };
        });
        in_danger += 1;
        let found = search(&mut searcher, &place, &Limits::depth(4)).unwrap();
        let then = after(&place, &found.turn);
        let lost = match then.outcome(Era::Modern, |_| 0) {
            Some(outcome) => outcome.winner != Some(place.to_move()),
            None => goal(&then).is_some(),
        };
        assert_eq!(lost, !safe, "{place}: {}", found.turn);
        saved += usize::from(safe);
    }
    assert!(in_danger > 40 && saved > 20, "{in_danger}, {saved}");
}

/// Wins by other means than goal, each within one turn.
#[test]
fn the_last_rabbit_is_captured_and_the_last_mobile_piece_immobilized() {
    let mut searcher = searcher(small());
    // The silver rabbit on c5 is pushed into the trap behind it.
    let eliminated = position("g [.......h..................r.......E............................R]");
    let found = search(&mut searcher, &eliminated, &Limits::depth(4)).unwrap();
    let outcome = after(&eliminated, &found.turn).outcome(Era::Modern, |_| 0).unwrap();
    assert_eq!((outcome.winner, outcome.termination), (Some(Side::Gold), Termination::Elimination));
    assert!(found.info.score.decided_in().is_some_and(|steps| (1..=4).contains(&steps)));
    // A lone rabbit far from every trap is frozen by a stronger piece that comes to stand beside it.
    let stuck = position("g [........................r.E....................................R]");
    let found = search(&mut searcher, &stuck, &Limits::depth(4)).unwrap();
    let outcome = after(&stuck, &found.turn).outcome(Era::Modern, |_| 0).unwrap();
    assert_eq!((outcome.winner, outcome.termination), (Some(Side::Gold), Termination::Immobilization));
}

#[test]
fn every_turn_is_legal_even_with_a_single_node_no_time_or_the_order_to_stop() {
    let mut searcher = searcher(small());
    let mut rng = Rng::of(&[3]);
    let mut places = Vec::new();
    by_chance(&mut rng, 5, &mut |position| places.push(*position));
    places.extend((0..200).map(|_| scattered(&mut rng, 3, 5)));
    let stop = AtomicBool::new(true);
    let play = AtomicBool::new(false);
    for place in &places {
        for (limits, stop) in [
            (Limits::nodes(0), &play),
            (Limits::nodes(1), &play),
            (Limits::nodes(40 + u64::from(rng.below(300))), &play),
            (Limits::time(Duration::ZERO), &play),
            (Limits::default(), &stop),
        ] {
            let found = searcher.search(place, &Past::new(), &limits, stop, &mut |_| {}).unwrap();
            after(place, &found.turn);
            let mut position = *place;
            for turn in &found.info.line {
                position = after(&position, turn);
            }
        }
    }
    assert!(places.len() > 400, "{}", places.len());
}

#[test]
fn without_a_legal_turn_there_is_none() {
    let frozen = position("g [                                                       e       R]");
    assert_eq!(search(&mut searcher(small()), &frozen, &Limits::nodes(100)), None);
}

#[test]
fn a_third_repetition_is_never_played_and_where_all_turns_are_one_there_is_none() {
    let mut searcher = searcher(small());
    let mut generator = Generator::new();
    let mut rng = Rng::of(&[4]);
    for _ in 0..60 {
        let place = scattered(&mut rng, 2, 2);
        let mut turns = Vec::new();
        generator.for_each(&place, |after, _| turns.push(*after));
        let allowed = rng.below(3) as usize;
        let mut past = Past::new();
        for after in turns.iter().skip(allowed) {
            past.stood(after.hash());
            past.stood(after.hash());
        }
        let limits = Limits::nodes(2_000);
        let found = searcher.search(&place, &past, &limits, &AtomicBool::new(false), &mut |_| {});
        match found {
            Some(found) => assert!(turns[..allowed].contains(&after(&place, &found.turn)), "{place}"),
            None => assert_eq!(allowed.min(turns.len()), 0),
        }
    }
}

#[test]
fn the_same_search_gives_the_same_again_also_after_others() {
    let mut searcher = searcher(small());
    let mut rng = Rng::of(&[5]);
    let limits = Limits::nodes(3_000);
    for _ in 0..30 {
        let place = scattered(&mut rng, 4, 6);
        searcher.clear();
        let first = search(&mut searcher, &place, &limits).unwrap();
        search(&mut searcher, &scattered(&mut rng, 4, 6), &limits);
        search(&mut searcher, &place, &limits);
        searcher.clear();
        let second = search(&mut searcher, &place, &limits).unwrap();
        assert_eq!(first.turn, second.turn);
        assert_eq!(first.info.line, second.info.line);
        assert_eq!((first.info.nodes, first.info.score), (second.info.nodes, second.info.score));
    }
}

#[test]
fn a_stop_and_the_end_of_the_time_are_heard_within_milliseconds() {
    let place = position("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
    let mut searcher = searcher(small());
    let wait = Duration::from_millis(60);
    let begun = Instant::now();
    search(&mut searcher, &place, &Limits::time(wait)).unwrap();
    let took = begun.elapsed();
    assert!(took < wait + Duration::from_millis(500), "{took:?}");
    let stop = AtomicBool::new(false);
    let (mut told, mut heard) = (None, None);
    std::thread::scope(|scope| {
        let search =
            scope.spawn(|| searcher.search(&place, &Past::new(), &Limits::default(), &stop, &mut |_| {}));
        std::thread::sleep(wait);
        told = Some(Instant::now());
        stop.store(true, Ordering::Relaxed);
        assert!(search.join().unwrap().is_some());
        heard = Some(Instant::now());
    });
    let late = heard.unwrap() - told.unwrap();
    assert!(late < Duration::from_millis(500), "{late:?}");
}

#[test]
fn the_limit_of_nodes_holds_and_completed_depths_are_reported_in_order() {
    let place = position("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
    let mut depths = Vec::new();
    let stop = AtomicBool::new(false);
    let found = searcher(small())
        .search(&place, &Past::new(), &Limits::nodes(20_000), &stop, &mut |info| depths.push(info.depth))
        .unwrap();
    assert!(found.info.nodes <= 20_100, "{}", found.info.nodes);
    assert_eq!(depths, (1..=found.info.depth).collect::<Vec<_>>());
    assert!(found.info.depth >= 4, "{depths:?}");
    assert_eq!(found.info.line.first(), Some(&found.turn));
    assert!(Turn::EMPTY != found.turn);
}

#[test]
fn several_threads_play_legal_turns_in_time_and_a_limit_of_nodes_or_depth_uses_one() {
    let mut one = searcher(small());
    let mut two = searcher(SearchOptions { threads: 2, ..small() });
    let mut rng = Rng::of(&[6]);
    let wait = Duration::from_millis(30);
    for _ in 0..20 {
        let place = scattered(&mut rng, 4, 6);
        let begun = Instant::now();
        let found = search(&mut two, &place, &Limits::time(wait)).unwrap();
        let took = begun.elapsed();
        assert!(took < wait + Duration::from_millis(500), "{took:?}");
        let mut position = place;
        for turn in &found.info.line {
            position = after(&position, turn);
        }
        for limits in [Limits::nodes(3_000), Limits::depth(6)] {
            one.clear();
            two.clear();
            let [first, second] = [&mut one, &mut two].map(|s| search(s, &place, &limits).unwrap());
            assert_eq!((first.turn, first.info.line), (second.turn, second.info.line));
            assert_eq!((first.info.nodes, first.info.score), (second.info.nodes, second.info.score));
        }
    }
}
