//! Turns with an evaluation loss. A static evaluation changes with the side to move. A
//! turn is therefore compared with the best turn that a search finds instead. The positions after both turns are
//! searched for the reply with the same limit, and evaluated at the greatest depth that both searches completed. The
//! difference is the evaluation loss. Both have the same side to move and the same depth.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{panic, thread};

use annals_engine::Score;
use annals_engine::evaluation::Evaluator;
use annals_engine::search::{Limits, Past, SearchOptions, Searcher};
use annals_events::Side;
use annals_rules::arimaa::Position;
use annals_rules::game::{Era, Outcome, Strictness};

use super::played_game::PlayedGame;

/// How turns are evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judging {
    /// The least evaluation loss that is reported, in rabbits.
    pub least: f64,
    /// Positions for each search.
    pub nodes: u64,
}

/// A turn with an evaluation loss.
#[derive(Debug, Clone, PartialEq)]
pub struct Blunder {
    /// The index in the game of the position after it.
    pub place: usize,
    /// The evaluation loss, in rabbits.
    pub gave: f64,
    /// The evaluation for the mover after the better turn, in rabbits.
    pub before: f64,
    /// The evaluation for the mover after the turn that was played.
    pub after: f64,
    /// The better turn.
    pub better: String,
}

/// Evaluations are limited to this, in rabbits: with such a lead the game is practically decided.
const AS_GOOD_AS_WON: f64 = 10.0;

/// The size of the table of each searcher, in MiB: enough for the positions of one search.
const HASH_MIB: u32 = 4;

/// The scores of a position by search depth, for the side to move.
#[derive(Debug, Clone, Default)]
struct Seen {
    by_depth: Vec<(u16, Score)>,
    /// The best turn, and the position after it.
    best: Option<(String, Position)>,
}

impl Seen {
    /// The completed depth; unlimited if the game is decided.
    fn depth(&self) -> u16 {
        self.by_depth.last().map_or(0, |(depth, score)| score.decided_in().map_or(*depth, |_| u16::MAX))
    }

    /// The evaluation at a depth, in rabbits.
    fn worth(&self, depth: u16) -> f64 {
        let seen = self.by_depth.iter().rev().find(|(seen, _)| *seen <= depth);
        let score = seen.or(self.by_depth.first()).map_or(Score::EVEN, |(_, score)| *score);
        (f64::from(score.value()) / 100.0).clamp(-AS_GOOD_AS_WON, AS_GOOD_AS_WON)
    }

    /// For a game that the board has decided, from the view of the side to move.
    fn decided(outcome: Outcome, to_move: Side) -> Seen {
        let score = match outcome.winner {
            Some(side) if side == to_move => Score::win_in(0),
            Some(_) => Score::loss_in(0),
            None => Score::EVEN,
        };
        Seen { by_depth: vec![(u16::MAX, score)], best: None }
    }
}

/// A position to search, with the positions before it, itself included.
struct Task {
    position: Position,
    past: Past,
    outcome: Option<Outcome>,
}

/// The turns of a game with an evaluation loss, by an evaluator. The turn after the setups is the first that is evaluated.
#[must_use]
pub fn blunders(game: &PlayedGame, evaluator: &Arc<dyn Evaluator>, judging: Judging) -> Vec<Blunder> {
    let mut past = Past::new();
    let tasks: Vec<Task> = game
        .positions
        .iter()
        .map(|stood| {
            past.stood(stood.position.hash());
            Task { position: stood.position, past: past.clone(), outcome: stood.outcome }
        })
        .collect();
    let played = searched(&tasks, evaluator, judging.nodes);
    // The better turns that lead to another position than the ones that were played.
    let (mut places, mut others) = (Vec::new(), Vec::new());
    for (place, two) in tasks.windows(2).enumerate() {
        let [before, after] = two else { continue };
        let Some((_, position)) = &played[place].best else { continue };
        if position.hash() == after.position.hash() {
            continue;
        }
        let mut past = before.past.clone();
        past.stood(position.hash());
        let outcome = position.outcome(Era::Modern, |hash| past.seen(hash));
        places.push(place + 1);
        others.push(Task { position: *position, past, outcome });
    }
    let instead = searched(&others, evaluator, judging.nodes);
    let judged = places.into_iter().zip(instead).filter_map(|(place, instead)| {
        let played_seen = &played[place];
        let depth = instead.depth().min(played_seen.depth());
        // Both are evaluations for the other side.
        let (before, after) = (0.0 - instead.worth(depth), 0.0 - played_seen.worth(depth));
        let (better, _) = played[place - 1].best.clone()?;
        let gave = before - after;
        (gave >= judging.least).then_some(Blunder { place, gave, before, after, better })
    });
    judged.collect()
}

/// Searches each position independently, so that order and number of threads have no effect.
fn searched(tasks: &[Task], evaluator: &Arc<dyn Evaluator>, nodes: u64) -> Vec<Seen> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let options = SearchOptions { hash_mib: HASH_MIB, ..SearchOptions::default() };
        let mut searcher = Searcher::new(Arc::clone(evaluator), options);
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(place) else { return done };
            done.push((place, search(&mut searcher, task, nodes)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get).min(tasks.len());
    let mut all: Vec<Seen> = vec![Seen::default(); tasks.len()];
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            match worker.join() {
                Ok(done) => done.into_iter().for_each(|(place, seen)| all[place] = seen),
                Err(cause) => panic::resume_unwind(cause),
            }
        }
    });
    all
}

fn search(searcher: &mut Searcher, task: &Task, nodes: u64) -> Seen {
    let Task { position, past, outcome } = task;
    if let Some(outcome) = outcome {
        return Seen::decided(*outcome, position.to_move());
    }
    searcher.clear();
    let mut by_depth = Vec::new();
    let mut report = |info: &annals_engine::search::Info| by_depth.push((info.depth, info.score));
    let found = searcher.search(position, past, &Limits::nodes(nodes), &AtomicBool::new(false), &mut report);
    let Some(found) = found else {
        // No turn is left: all of them repeat.
        return Seen { by_depth: vec![(u16::MAX, Score::loss_in(0))], best: None };
    };
    if by_depth.is_empty() {
        by_depth.push((found.info.depth, found.info.score));
    }
    let after = position.play(&found.turn, Strictness::Archive).ok();
    Seen { by_depth, best: after.map(|(after, _)| (found.turn.to_string(), after)) }
}

#[cfg(test)]
mod tests {
    use annals_engine::evaluation::Material;

    use super::super::played_game::tests::{game, stood};
    use super::*;

    const JUDGING: Judging = Judging { least: 3.0, nodes: 5_000 };

    fn material() -> Arc<dyn Evaluator> {
        Arc::new(Material)
    }

    /// A game of two positions: Gold to move in the first, and the turn that was played.
    fn after(before: &str, steps: &str, pieces: &str) -> PlayedGame {
        let positions = vec![stood(5, Side::Silver, "", before), stood(6, Side::Gold, steps, pieces)];
        PlayedGame { positions, ..game() }
    }

    const BEFORE: &str = "g Ra1 Rb1 Rc1 Eb3 Mh2 ra8 rb8 rc8 ed7 mh7";

    #[test]
    fn leaving_a_camel_to_be_taken_is_told_with_the_better_turn_and_a_quiet_turn_is_not() {
        // Gold's camel is next to the trap f6 and to the silver elephant; the gold elephant would help.
        let before = "g Ra1 Rb1 Rc1 Eg4 Mf5 ra8 rb8 rc8 ee5 mh7";
        let hung = after(before, "Ra1n", "s Ra2 Rb1 Rc1 Eg4 Mf5 ra8 rb8 rc8 ee5 mh7");
        let found = blunders(&hung, &material(), JUDGING);
        let [blunder] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(blunder.place, 1);
        assert!(blunder.gave >= 5.0 && blunder.before > blunder.after, "{blunder:?}");
        assert!(blunder.better != "Ra1n" && !blunder.better.is_empty(), "{blunder:?}");
        let quiet = after(BEFORE, "Ra1n", "s Ra2 Rb1 Rc1 Eb3 Mh2 ra8 rb8 rc8 ed7 mh7");
        assert_eq!(blunders(&quiet, &material(), JUDGING), []);
    }

    #[test]
    fn a_win_that_is_let_go_counts_and_who_has_lost_anyway_gives_nothing_away() {
        // A goal in one step, and instead a step away from it.
        let missed = after("g Ra7 Eb3 rd8 rh3 ee5", "Eb3n", "s Ra7 Eb4 rd8 rh3 ee5");
        let found = blunders(&missed, &material(), JUDGING);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].before, AS_GOOD_AS_WON);
        // Silver reaches the goal after any turn of Gold.
        let lost = after("g Ra1 rh2 rg2 rf2 re2", "Ra1n", "s Ra2 rh2 rg2 rf2 re2");
        assert_eq!(blunders(&lost, &material(), JUDGING), []);
    }

    #[test]
    fn the_same_game_gives_the_same_whatever_the_threads_and_an_empty_one_nothing() {
        let one = blunders(&game(), &material(), Judging { least: 0.5, nodes: 500 });
        assert_eq!(one, blunders(&game(), &material(), Judging { least: 0.5, nodes: 500 }));
        let none = PlayedGame { positions: Vec::new(), ..game() };
        assert_eq!(blunders(&none, &material(), JUDGING), []);
    }

    #[test]
    fn worths_are_compared_at_the_depth_that_both_reached() {
        let seen = |by_depth: &[(u16, i32)]| Seen {
            by_depth: by_depth.iter().map(|(depth, worth)| (*depth, Score::centirabbits(*worth))).collect(),
            best: None,
        };
        let deep = seen(&[(1, 100), (2, 200), (5, 300), (6, 5_000)]);
        assert_eq!((deep.depth(), deep.worth(4), deep.worth(5), deep.worth(0)), (6, 2.0, 3.0, 1.0));
        assert_eq!(deep.worth(9), AS_GOOD_AS_WON);
        let won = Seen { by_depth: vec![(3, Score::win_in(3))], best: None };
        assert_eq!((won.depth(), won.worth(1)), (u16::MAX, AS_GOOD_AS_WON));
    }
}
