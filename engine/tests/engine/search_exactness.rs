//! Alpha-beta against plain minimax: with everything that is not exact turned off both say the same of every position.

use annals_engine::evaluation::{Evaluator, Material};
use annals_engine::search::{Limits, SearchOptions};
use annals_engine::{Score, threats};
use annals_rules::arimaa::{MOST_STEPS, Pending, Position, Steps};
use annals_rules::game::Era;
use annals_rules::seeded::Rng;

use crate::search_places::{after, scattered, search, searcher};

/// The worth by trying everything; none where the turn has no legal end.
fn minimax(steps: &Steps, start: &Position, depth: i32, ply: u16) -> Option<Score> {
    let open = matches!(steps.pending(), Pending::Push { .. });
    if depth <= 0 && !open {
        return Some(Score::centirabbits(Material.evaluate(steps)));
    }
    let mut best = None;
    if steps.made() > 0 && !open {
        best = ended(steps, start, depth - i32::from(MOST_STEPS - steps.made()), ply);
    }
    steps.for_each_next(|next| {
        let mut after = *steps;
        after.take(next);
        let worth = if after.made() == MOST_STEPS {
            ended(&after, start, depth - 1, ply + 1)
        } else {
            minimax(&after, start, depth - 1, ply + 1)
        };
        best = best.max(worth);
        true
    });
    if best.is_none() && steps.made() == 0 { Some(Score::loss_in(ply)) } else { best }
}

fn ended(steps: &Steps, start: &Position, depth: i32, ply: u16) -> Option<Score> {
    let next = steps.finish(start).ok()?;
    match next.outcome(Era::Modern, |_| 0) {
        Some(outcome) if outcome.winner == Some(steps.mover()) => Some(Score::win_in(ply)),
        Some(_) => Some(Score::loss_in(ply)),
        None => minimax(&Steps::begin(&next), &next, depth, ply).map(|worth| -worth),
    }
}

#[test]
fn alpha_beta_says_what_minimax_says_with_and_without_the_table() {
    let mut rng = Rng::of(&[11]);
    let plain = SearchOptions::plain(4);
    let mut searchers = [searcher(plain), searcher(SearchOptions { table: true, ..plain })];
    let (mut decided, mut uneven) = (0, 0);
    for number in 0..60 {
        let place = scattered(&mut rng, 1, 1);
        let depth = 1 + number % 5;
        let expected = minimax(&Steps::begin(&place), &place, i32::from(depth), 0).unwrap();
        decided += usize::from(expected.decided_in().is_some());
        uneven += usize::from(expected != Score::EVEN);
        for searcher in &mut searchers {
            searcher.clear();
            let found = search(searcher, &place, &Limits::depth(depth)).unwrap();
            assert_eq!(found.info.score, expected, "{place}, depth {depth}, {searcher:?}");
        }
    }
    assert!(decided >= 10 && uneven >= 30, "{decided}, {uneven}");
}

/// What the detection of goals adds: wins within a turn that the depth alone would not reach.
#[test]
fn goals_are_seen_beyond_the_depth_and_change_nothing_else() {
    let mut rng = Rng::of(&[12]);
    let plain = SearchOptions { table: true, ..SearchOptions::plain(4) };
    let (mut without, mut with) = (searcher(plain), searcher(SearchOptions { goals: true, ..plain }));
    let mut more = 0;
    for _ in 0..60 {
        let place = scattered(&mut rng, 1, 2);
        without.clear();
        with.clear();
        let deep = search(&mut without, &place, &Limits::depth(4)).unwrap();
        let seen = search(&mut with, &place, &Limits::depth(4)).unwrap();
        if deep.info.score == seen.info.score {
            continue;
        }
        more += 1;
        let then = after(&place, &deep.turn);
        let lost_by_goal = threats::goal_steps(&Steps::begin(&then)).is_some();
        let won_by_goal = threats::goal_steps(&Steps::begin(&place)).is_some();
        assert!(lost_by_goal || won_by_goal, "{place}: {} and {}", deep.info.score, seen.info.score);
    }
    assert!(more > 5, "{more}");
}

/// A win in two turns, found with everything on, is one against every reply.
#[test]
fn wins_in_two_turns_hold_against_every_reply() {
    let mut rng = Rng::of(&[13]);
    let mut searcher = searcher(SearchOptions { hash_mib: 4, ..SearchOptions::default() });
    let mut generator = annals_rules::arimaa::Generator::new();
    let mut won = 0;
    for _ in 0..500 {
        let place = scattered(&mut rng, 2, 2);
        if threats::goal_steps(&Steps::begin(&place)).is_some() {
            continue;
        }
        let limits = Limits { depth: Some(8), nodes: Some(40_000), time: None };
        let found = search(&mut searcher, &place, &limits).unwrap();
        if !found.info.score.decided_in().is_some_and(|steps| (5..=12).contains(&steps)) {
            continue;
        }
        let then = after(&place, &found.turn);
        let mut replies = 0;
        generator.for_each(&then, |reply, turn| {
            replies += 1;
            let lost = match reply.outcome(Era::Modern, |_| 0) {
                Some(outcome) => outcome.winner == Some(place.to_move()),
                None => threats::goal_steps(&Steps::begin(reply)).is_some() || wins_at_once(reply),
            };
            assert!(lost, "{place}: {} and then {turn}", found.turn);
        });
        won += usize::from(replies > 0);
    }
    assert!(won >= 5, "{won}");
}

/// Whether some turn wins at once, by whatever means.
fn wins_at_once(position: &Position) -> bool {
    let mut wins = false;
    annals_rules::arimaa::Generator::new().for_each(position, |after, _| {
        wins |= after
            .outcome(Era::Modern, |_| 0)
            .is_some_and(|outcome| outcome.winner == Some(position.to_move()));
    });
    wins
}
