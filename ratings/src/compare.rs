//! Compares systems by prediction. Every game is predicted when it begins, from games over before, by the rulings,
//! aliases and merges known then; its result is scored. Incremental systems learn each game as it is over; fitted ones
//! are refitted at intervals. All are scored on the same games: those that count as of the choice.

use rayon::prelude::*;
use serde::Serialize;

use crate::calibration::calibration_error;
use crate::error::RatingsError;
use crate::game::{DAY, Pool};
use crate::knowledge::Knowledge;
use crate::predict::{Course, Predictions, beginnings};
use crate::selection::{Chosen, GameSelection, RatedGame, UNKNOWN_END};
use crate::several_comparisons;
use crate::system::System;

#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Score only games from this time on; earlier ones are training.
    pub from: Option<i64>,
    /// Score only games of players with this many counted games before.
    pub seen: u32,
    /// Interval of refits, in microseconds of game time.
    pub refit: i64,
    /// Of the calibration.
    pub bins: usize,
    /// For comparison.
    pub baseline: System,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { from: None, seen: 0, refit: 30 * DAY, bins: 10, baseline: System::Constant }
    }
}

/// With its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// Over the scored games.
    pub mean: f64,
    /// As if games were independent; none for a single game.
    pub error: Option<f64>,
}

/// Games with similar predictions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// Of Gold's chance, inclusive.
    pub from: f64,
    /// Exclusive.
    pub to: f64,
    pub games: u64,
    /// Gold's mean prediction.
    pub predicted: f64,
    /// Gold's mean result.
    pub observed: f64,
}

/// A system's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// With options.
    pub system: String,
    /// In nats; ln 2 = 0.693 for a coin.
    pub log_loss: Mean,
    /// Mean squared error of the chance; 1/4 for a coin.
    pub brier: Mean,
    /// The fraction of games won by the favourite; draws and even games count half.
    pub accuracy: Mean,
    /// See [`calibration_error`].
    pub calibration_error: f64,
    /// Log loss minus the baseline's; below 0 is better.
    pub against_baseline: Mean,
    /// By predicted chance.
    pub bins: Vec<Bin>,
    /// Of a fitted system.
    pub fits: u32,
    /// Fits stopped before convergence.
    pub not_converged: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    pub games: u64,
    /// Scored games.
    pub judged: u64,
    pub baseline: Judged,
    /// In the given order.
    pub systems: Vec<Judged>,
    /// Caveats on the figures.
    pub notes: Vec<String>,
}

/// Chances are limited to this distance from 0 and 1: a single surprise would dominate.
const SURE: f64 = 1e-4;

/// Chances this near to one half have no favourite: a converged fit is not more exact.
const EVEN: f64 = 1e-8;

/// # Errors
/// As [`Chosen::of`]; `NothingToJudge` if no game fits the terms; errors of fitting.
pub fn compare(
    pool: &Pool,
    choice: &GameSelection,
    systems: &[System],
    terms: &Terms,
) -> Result<Compared, RatingsError> {
    let chosen = Chosen::of(pool, choice)?;
    let games: Vec<&RatedGame> = chosen.counting().collect();
    let judged = judged_games(&chosen, &games, terms)?;
    let course = Course { chosen: &chosen, games: &games, knowledge: Knowledge::of(pool, choice) };
    let predict = |system| course.predict(system, terms.refit);
    let (baseline, predicted) = rayon::join(
        || predict(&terms.baseline),
        || systems.par_iter().map(predict).collect::<Vec<Result<Predictions, RatingsError>>>(),
    );
    let baseline = baseline?;
    let of_baseline: Vec<f64> =
        judged.iter().map(|place| loss(baseline.chances[*place], games[*place].points)).collect();
    let judge = |system: &System, predicted: &Predictions| {
        judge(system, predicted, &games, &judged, &of_baseline, terms.bins.max(1))
    };
    let baseline = judge(&terms.baseline, &baseline);
    let systems: Vec<Judged> = systems
        .iter()
        .zip(predicted)
        .map(|(system, predicted)| Ok(judge(system, &predicted?)))
        .collect::<Result<_, RatingsError>>()?;
    let mut notes = notes(&games);
    notes.extend(several_comparisons::note(&baseline.system, &systems));
    Ok(Compared { games: games.len() as u64, judged: judged.len() as u64, baseline, systems, notes })
}

/// On games without times.
fn notes(games: &[&RatedGame]) -> Vec<String> {
    let untimed = games.iter().filter(|game| game.known.is_none()).count();
    let endless = games.iter().filter(|game| game.known.is_some_and(|known| known != game.at)).count();
    let mut notes = Vec::new();
    if endless > 0 {
        let days = UNKNOWN_END / DAY;
        notes.push(format!(
            "no record tells when {endless} of the games were over; each is learnt {days} days after it began"
        ));
    }
    if untimed > 0 {
        notes.push(format!(
            "no record tells when {untimed} of the games were played; they are neither judged nor learnt"
        ));
    }
    notes
}

/// Indices of the scored games.
fn judged_games(chosen: &Chosen, games: &[&RatedGame], terms: &Terms) -> Result<Vec<usize>, RatingsError> {
    let mut seen = vec![0u32; chosen.players.len()];
    let mut judged = Vec::new();
    let mut ends: Vec<&RatedGame> = games.iter().copied().filter(|game| game.known.is_some()).collect();
    ends.sort_by_key(|game| (game.known, game.id));
    let mut ends = ends.into_iter().peekable();
    for place in beginnings(games) {
        let game = games[place];
        while let Some(over) = ends.next_if(|over| over.known < Some(game.began)) {
            seen[over.gold] += 1;
            seen[over.silver] += 1;
        }
        let known = seen[game.gold].min(seen[game.silver]) >= terms.seen;
        if known && terms.from.is_none_or(|from| game.began >= from) {
            judged.push(place);
        }
    }
    if judged.is_empty() {
        let why = match (terms.from, terms.seen) {
            (_, seen) if seen > 0 => {
                format!("in none both players had {seen} games before, in the time that is judged")
            }
            (Some(_), _) => "all of them began before the moment from which games are judged".to_owned(),
            _ => "no record says when a game was played".to_owned(),
        };
        return Err(RatingsError::NothingToJudge { games: games.len(), why });
    }
    judged.sort_unstable();
    Ok(judged)
}

fn loss(chance: f64, points: f64) -> f64 {
    let chance = chance.clamp(SURE, 1.0 - SURE);
    -(points * chance.ln() + (1.0 - points) * (1.0 - chance).ln())
}

fn mean(values: &[f64]) -> Mean {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Mean { mean, error: (values.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt()) }
}

fn judge(
    system: &System,
    predicted: &Predictions,
    games: &[&RatedGame],
    judged: &[usize],
    of_baseline: &[f64],
    bins: usize,
) -> Judged {
    let pairs: Vec<(f64, f64)> =
        judged.iter().map(|place| (predicted.chances[*place], games[*place].points)).collect();
    let by = |value: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        pairs.iter().map(|(chance, points)| value(*chance, *points)).collect()
    };
    let losses = by(&loss);
    let differences: Vec<f64> = losses.iter().zip(of_baseline).map(|(own, other)| own - other).collect();
    let right = |chance: f64, points: f64| match (chance - 0.5) * (points - 0.5) {
        _ if (chance - 0.5).abs() < EVEN || points == 0.5 => 0.5,
        product => f64::from(product > 0.0),
    };
    let mut sums = vec![(0u64, 0.0, 0.0); bins];
    for (chance, points) in &pairs {
        let bin = ((chance * bins as f64) as usize).min(bins - 1);
        let (games, predicted, observed) = &mut sums[bin];
        (*games, *predicted, *observed) = (*games + 1, *predicted + chance, *observed + points);
    }
    let bin = |(place, (games, predicted, observed)): (usize, (u64, f64, f64))| {
        let (width, count) = (1.0 / bins as f64, games as f64);
        let (from, to) = (place as f64 * width, (place + 1) as f64 * width);
        (games > 0).then(|| Bin { from, to, games, predicted: predicted / count, observed: observed / count })
    };
    let bins: Vec<Bin> = sums.into_iter().enumerate().filter_map(bin).collect();
    Judged {
        system: system.to_string(),
        log_loss: mean(&losses),
        brier: mean(&by(&|chance, points| (chance - points) * (chance - points))),
        accuracy: mean(&by(&right)),
        calibration_error: calibration_error(bins.iter().map(|bin| (bin.games, bin.predicted, bin.observed))),
        against_baseline: mean(&differences),
        bins,
        fits: predicted.fits,
        not_converged: predicted.not_converged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Belongs, Game, Outcome, Player, RatedChange};

    fn of(names: &[&str], games: Vec<Game>) -> Pool {
        let players = names.iter().map(|name| Player::named(*name)).collect();
        Pool { players, games, belongs: Vec::new() }
    }

    /// Anna always beats Bela, one game a day.
    fn pool(games: u64) -> Pool {
        let game = |n: u64| {
            let (players, outcome) =
                if n.is_multiple_of(2) { ([0, 1], Outcome::Gold) } else { ([1, 0], Outcome::Silver) };
            Game::rated(n, n as i64 * DAY, players[0], players[1], outcome)
        };
        of(&["anna", "bela"], (1..=games).map(game).collect())
    }

    fn judged(pool: &Pool, system: &str, terms: &Terms) -> Compared {
        compare(pool, &GameSelection::default(), &[system.parse().unwrap()], terms).unwrap()
    }

    /// The chance of Gold that a system predicted in the last game alone.
    fn last_chance(pool: &Pool, system: &str) -> f64 {
        let from = pool.games.iter().filter_map(|game| game.began.or(game.at)).max();
        let compared = judged(pool, system, &Terms { from, ..Terms::default() });
        assert_eq!(compared.judged, 1, "only the last game is judged");
        compared.systems[0].bins[0].predicted
    }

    /// Every kind of system, each with the same games.
    const SYSTEMS: [&str; 5] = ["elo", "gameroom", "glicko2 period=1d", "whr", "bradley-terry"];

    #[test]
    fn who_learns_foretells_better_than_the_constant_and_never_sees_the_game_itself() {
        let systems: Vec<System> = ["elo k=30", "glicko2 period=7d", "whr", "bradley-terry"]
            .map(|text| text.parse().unwrap())
            .to_vec();
        let compared = compare(&pool(200), &GameSelection::default(), &systems, &Terms::default()).unwrap();
        assert_eq!((compared.games, compared.judged), (200, 200));
        for judged in &compared.systems {
            assert!(judged.against_baseline.mean < -0.2, "{judged:?}");
            assert!(
                judged.accuracy.mean > 0.8 && judged.accuracy.mean < 1.0,
                "the first game cannot be known"
            );
            assert_eq!(judged.bins.iter().map(|bin| bin.games).sum::<u64>(), 200);
        }
        assert_eq!(compared.baseline.against_baseline.mean, 0.0);
        // The first interval of 30 days ends after the 29th day, so the first fit uses no later game.
        assert!(compared.systems[2].fits >= 6, "{}", compared.systems[2].fits);
        let again = compare(&pool(200), &GameSelection::default(), &systems, &Terms::default()).unwrap();
        assert_eq!(compared, again);
        let [note] = &compared.notes[..] else { panic!("{:?}", compared.notes) };
        // The normal quantile for 5 % divided among four comparisons.
        assert!(note.starts_with("4 systems are compared") && note.contains("exceed 2.50"), "{note}");
    }

    #[test]
    fn games_that_run_at_once_do_not_tell_of_each_other() {
        let games = (1..=9)
            .map(|n| Game { began: Some(0), ..Game::rated(n, 10 * DAY, 0, 1, Outcome::Gold) })
            .collect();
        let compared = judged(&of(&["anna", "bela"], games), "elo", &Terms::default());
        assert!((compared.systems[0].log_loss.mean - std::f64::consts::LN_2).abs() < 1e-12);
        assert_eq!(compared.systems[0].accuracy.mean, 0.5);
    }

    #[test]
    fn a_game_whose_end_is_not_known_is_learnt_when_it_is_surely_over() {
        let endless = |days: i64| {
            let began = Game { began: Some(0), at: None, ..Game::rated(1, 0, 0, 1, Outcome::Gold) };
            of(&["anna", "bela"], vec![began, Game::rated(2, days * DAY, 0, 1, Outcome::Gold)])
        };
        for system in SYSTEMS {
            assert_eq!(last_chance(&endless(2), system), 0.5, "{system}: it may still be played");
            assert!(last_chance(&endless(31), system) > 0.5, "{system}");
        }
        let compared = judged(&endless(2), "elo", &Terms { seen: 0, ..Terms::default() });
        assert_eq!(compared.judged, 2, "when it began is known");
        assert!(compared.notes[0].contains("when 1 of the games were over"), "{:?}", compared.notes);
        let error =
            compare(&endless(2), &GameSelection::default(), &[], &Terms { seen: 1, ..Terms::default() });
        assert!(error.is_err(), "nobody has a game that is over");
    }

    #[test]
    fn a_game_of_no_known_time_is_neither_judged_nor_learnt() {
        let mut pool = pool(2);
        pool.games[0].at = None;
        for system in SYSTEMS {
            assert_eq!(last_chance(&pool, system), 0.5, "{system}");
        }
        let notes = judged(&pool, "elo", &Terms::default()).notes;
        assert!(notes[0].contains("neither judged nor learnt"), "{notes:?}");
    }

    #[test]
    fn what_the_record_of_a_game_states_does_not_help_to_foretell_it() {
        let stated = |rating| Some(crate::game::Stated { rating, k: Some(30) });
        let mut pool = pool(3);
        for game in &mut pool.games {
            let gold = if game.gold == 0 { 2200 } else { 1200 };
            game.stated = [stated(gold), stated(3400 - gold)];
        }
        let one = Pool { games: pool.games[..1].to_vec(), ..pool.clone() };
        assert_eq!(last_chance(&one, "gameroom start=record"), 0.5);
        // Its record is public when it is over: 2200 against 1200 from then on, where newcomers have 1460 and 1340.
        assert!(last_chance(&pool, "gameroom start=record") < 0.01);
        assert!(last_chance(&pool, "gameroom") > 0.2);
    }

    #[test]
    fn a_ruling_is_not_known_before_it_is_given() {
        let ruled = |day: i64| {
            let mut games: Vec<Game> =
                (1..=3).map(|n| Game::rated(n, n as i64 * DAY, 0, 1, Outcome::Gold)).collect();
            games[0].rated_changes = vec![RatedChange { at: day * DAY, rated: false }];
            games.remove(1);
            of(&["anna", "bela"], games)
        };
        for system in SYSTEMS {
            assert!(last_chance(&ruled(5), system) > 0.5, "{system}: on the third day the game counted");
            assert_eq!(last_chance(&ruled(2), system), 0.5, "{system}: the ruling was given before");
            assert!(last_chance(&ruled(3), system) > 0.5, "{system}: in the very moment it is not known yet");
        }
        let compared = judged(&ruled(5), "elo", &Terms::default());
        assert_eq!((compared.games, compared.judged), (1, 1), "it does not count as of today");
    }

    #[test]
    fn an_alias_is_not_known_before_it_is_declared() {
        let declared = |day: i64| {
            let games =
                vec![Game::rated(1, DAY, 0, 1, Outcome::Gold), Game::rated(2, 3 * DAY, 2, 1, Outcome::Gold)];
            let mut pool = of(&["anna", "bela", "anna2"], games);
            pool.belongs = vec![Belongs { at: day * DAY, player: 2, person: 0 }];
            pool
        };
        for system in SYSTEMS {
            // Bela's defeat is known in both cases. Anna's victory is anna2's only after the alias is declared.
            let (late, early) = (last_chance(&declared(4), system), last_chance(&declared(2), system));
            assert!(early > late + 1e-3, "{system}: {early} {late}");
            assert_eq!(late, last_chance(&Pool { belongs: Vec::new(), ..declared(9) }, system), "{system}");
        }
    }

    #[test]
    fn who_is_held_and_a_given_advantage_are_known_before_any_game() {
        for (system, chance) in [
            ("elo fixed=anna@1900 start=1500", 0.909),
            ("whr fixed=anna@1900 anchor=1500 prior=1000000", 0.909),
            ("bradley-terry fixed=anna@1900 anchor=1500 prior=1000000", 0.909),
            ("bradley-terry fixed=*@1500 advantage=400", 0.909),
            ("whr advantage=400 prior=1000000", 0.909),
        ] {
            let mut pool = pool(2);
            pool.games.remove(0);
            let first = last_chance(&pool, system);
            assert!((first - chance).abs() < 2e-3, "{system}: {first}");
            // Others have met, one colour won, and neither makes it forgotten.
            pool.players.extend(["cara", "dora"].map(Player::named));
            pool.games.push(Game::rated(9, DAY, 2, 3, Outcome::Gold));
            let later = last_chance(&pool, system);
            assert!((later - chance).abs() < 2e-3, "{system}: {later}");
        }
    }

    #[test]
    fn the_terms_say_what_is_judged() {
        let pool = pool(50);
        let terms = Terms { from: Some(31 * DAY), seen: 40, ..Terms::default() };
        assert_eq!(
            judged(&pool, "elo", &terms).judged,
            10,
            "41 to 50: forty were over before the first of them"
        );
        for (terms, said) in [
            (Terms { from: Some(51 * DAY), ..Terms::default() }, "before the moment"),
            (Terms { seen: 50, ..Terms::default() }, "both players had 50"),
        ] {
            let error = compare(&pool, &GameSelection::default(), &[], &terms).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let systems: Vec<System> = SYSTEMS.iter().map(|text| text.parse().unwrap()).collect();
        let mut pool = pool(300);
        pool.games[100].rated_changes = vec![RatedChange { at: 200 * DAY, rated: false }];
        let terms = Terms { refit: DAY, ..Terms::default() };
        let with = |threads| {
            let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            threads.install(|| compare(&pool, &GameSelection::default(), &systems, &terms).unwrap())
        };
        let one = with(1);
        assert!(one.systems[3].fits > 290, "{}", one.systems[3].fits);
        assert_eq!((&one, &one), (&with(2), &with(7)));
    }

    #[test]
    fn of_two_who_stand_alike_none_is_the_favourite_whatever_the_rounding() {
        let day = |id, gold, silver, outcome| Game::rated(id, id as i64 * DAY, gold, silver, outcome);
        let games = vec![
            day(1, 2, 0, Outcome::Gold),
            day(2, 1, 2, Outcome::Silver),
            Game { began: Some(3 * DAY), ..day(40, 0, 1, Outcome::Gold) },
        ];
        let terms = Terms { from: Some(3 * DAY), refit: DAY, ..Terms::default() };
        let found = judged(&of(&["anna", "bela", "cara"], games), "bradley-terry", &terms);
        assert_eq!((found.judged, found.systems[0].fits), (1, 2));
        assert_eq!(found.systems[0].accuracy.mean, 0.5);
    }

    #[test]
    fn a_mean_and_its_error_are_those_of_the_books() {
        let found = mean(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(found.mean, 2.5);
        assert!((found.error.unwrap() - (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
        assert_eq!(mean(&[1.0]).error, None);
    }
}
