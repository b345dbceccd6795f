//! Systems judged by prediction alone. Every game is foretold when it begins, from nothing but the games that were over before
//! that, and then its result is counted against what was said. Systems that take game after game learn each as it is over; those
//! that fit all games at once are fitted again at stated intervals, on the games over by then. All are judged on the same games.

use serde::Serialize;

use crate::error::RatingsError;
use crate::game::{DAY, PlayerIndex};
use crate::online::fold_of;
use crate::selection::{Bout, Chosen};
use crate::system::System;
use crate::whr::{Fitted, Model};

/// How systems are judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Judge only games that began at this moment or later; what came before is learnt.
    pub from: Option<i64>,
    /// Judge only games of two players who had each this many counted games over before.
    pub seen: u32,
    /// How often the systems that fit all games are fitted again, in microseconds of the games' time.
    pub refit: i64,
    /// Bins of the calibration.
    pub bins: usize,
    /// What the others are held against.
    pub baseline: System,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { from: None, seen: 0, refit: 30 * DAY, bins: 10, baseline: System::Constant }
    }
}

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean over the games judged.
    pub mean: f64,
    /// Its standard error, as if the games were independent; none of a single game.
    pub error: Option<f64>,
}

/// Games for which about the same was foretold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// From this chance of Gold on.
    pub from: f64,
    /// Up to this one.
    pub to: f64,
    /// How many games.
    pub games: u64,
    /// What was foretold of Gold's points, on average.
    pub foretold: f64,
    /// What Gold had, on average.
    pub had: f64,
}

/// What became of a system's predictions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The system, with its options.
    pub system: String,
    /// Logarithmic loss in nats; ln 2 = 0.693 for a coin.
    pub log_loss: Mean,
    /// The squared difference between chance and points; 1/4 for a coin.
    pub brier: Mean,
    /// The share of games whose favourite won; a draw, or no favourite, is half.
    pub accuracy: Mean,
    /// How far the chances lie from what happened: the mean over the bins of the difference, by games.
    pub miscalibration: f64,
    /// Logarithmic loss less the baseline's on the same games: below 0 is better.
    pub against_baseline: Mean,
    /// The chances by size.
    pub bins: Vec<Bin>,
    /// How often it was fitted, where it is fitted.
    pub fits: u32,
    /// Fits that were stopped before they had converged.
    pub not_converged: u32,
}

/// Systems side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// Games that counted.
    pub games: u64,
    /// Games judged.
    pub judged: u64,
    /// What the others are held against.
    pub baseline: Judged,
    /// The systems, in the order in which they were given.
    pub systems: Vec<Judged>,
}

/// No chance is taken to be nearer to 0 or 1 than this: a single surprise would outweigh everything.
const SURE: f64 = 1e-4;

/// Compares systems.
///
/// # Errors
/// `NothingToJudge` where no game fits the terms; what fitting refuses.
pub fn compare(chosen: &Chosen, systems: &[System], terms: &Terms) -> Result<Compared, RatingsError> {
    let bouts: Vec<&Bout> = chosen.counting().collect();
    let judged = judged_games(chosen, &bouts, terms)?;
    let baseline = foretell(chosen, &bouts, &terms.baseline, terms)?;
    let of_baseline: Vec<f64> =
        judged.iter().map(|place| loss(baseline.chances[*place], bouts[*place].points)).collect();
    let judge = |system: &System, foretold: &Foretold| {
        judge(system, foretold, &bouts, &judged, &of_baseline, terms.bins.max(1))
    };
    Ok(Compared {
        games: bouts.len() as u64,
        judged: judged.len() as u64,
        baseline: judge(&terms.baseline, &baseline),
        systems: systems
            .iter()
            .map(|system| Ok(judge(system, &foretell(chosen, &bouts, system, terms)?)))
            .collect::<Result<_, RatingsError>>()?,
    })
}

/// The places of the games that are judged.
fn judged_games(chosen: &Chosen, bouts: &[&Bout], terms: &Terms) -> Result<Vec<usize>, RatingsError> {
    let mut seen = vec![0u32; chosen.players.len()];
    let mut judged = Vec::new();
    in_time(bouts, |step| {
        match step {
            Step::Begins(place) => {
                let bout = bouts[place];
                let known = seen[bout.gold].min(seen[bout.silver]) >= terms.seen;
                if bout.timed && known && terms.from.is_none_or(|from| bout.began >= from) {
                    judged.push(place);
                }
            }
            Step::Over(place) => {
                seen[bouts[place].gold] += 1;
                seen[bouts[place].silver] += 1;
            }
        }
        Ok(())
    })?;
    if judged.is_empty() {
        let why = match (terms.from, terms.seen) {
            (_, seen) if seen > 0 => {
                format!("in none both players had {seen} games before, in the time that is judged")
            }
            (Some(_), _) => "all of them began before the moment from which games are judged".to_owned(),
            _ => "no record says when a game was played".to_owned(),
        };
        return Err(RatingsError::NothingToJudge { games: bouts.len(), why });
    }
    judged.sort_unstable();
    Ok(judged)
}

/// What happens next.
enum Step {
    Begins(usize),
    Over(usize),
}

/// Goes through beginnings and ends in the order of time. A game that is over in the very moment in which another begins is not
/// known to it: records that hold only days tell nothing of the order within one.
fn in_time(
    bouts: &[&Bout],
    mut each: impl FnMut(Step) -> Result<(), RatingsError>,
) -> Result<(), RatingsError> {
    let mut begins: Vec<usize> = (0..bouts.len()).collect();
    begins.sort_by_key(|place| (bouts[*place].began, *place));
    let mut over = 0;
    for place in begins {
        while over < bouts.len() && (!bouts[over].timed || bouts[over].at < bouts[place].began) {
            each(Step::Over(over))?;
            over += 1;
        }
        each(Step::Begins(place))?;
    }
    Ok(())
}

/// The chance of Gold that a system foretold in each game.
struct Foretold {
    chances: Vec<f64>,
    fits: u32,
    not_converged: u32,
}

fn foretell(
    chosen: &Chosen,
    bouts: &[&Bout],
    system: &System,
    terms: &Terms,
) -> Result<Foretold, RatingsError> {
    let mut chances = vec![0.5; bouts.len()];
    let Some(model) = Model::of(system) else {
        let Some(mut fold) = fold_of(system, &chosen.players) else {
            return Err(RatingsError::UnknownSystem { found: system.to_string() });
        };
        in_time(bouts, |step| {
            match step {
                Step::Begins(place) => chances[place] = fold.forecast(bouts[place]),
                Step::Over(place) => fold.learn(bouts[place]),
            }
            Ok(())
        })?;
        return Ok(Foretold { chances, fits: 0, not_converged: 0 });
    };
    let mut refitted = Refitted::new(model, chosen, terms.refit);
    in_time(bouts, |step| {
        match step {
            Step::Begins(place) => chances[place] = refitted.forecast(bouts[place])?,
            Step::Over(place) => refitted.known.push(bouts[place].clone()),
        }
        Ok(())
    })?;
    Ok(Foretold { chances, fits: refitted.fits, not_converged: refitted.not_converged })
}

/// A model that is fitted again from time to time.
struct Refitted<'c> {
    model: Model,
    chosen: &'c Chosen,
    every: i64,
    known: Vec<Bout>,
    fitted: Option<(Fitted, i64)>,
    fits: u32,
    not_converged: u32,
}

impl<'c> Refitted<'c> {
    fn new(model: Model, chosen: &'c Chosen, every: i64) -> Refitted<'c> {
        let every = every.max(1);
        Refitted { model, chosen, every, known: Vec::new(), fitted: None, fits: 0, not_converged: 0 }
    }

    fn forecast(&mut self, bout: &Bout) -> Result<f64, RatingsError> {
        let interval = bout.began.div_euclid(self.every);
        if !self.known.is_empty() && self.fitted.as_ref().is_none_or(|(_, of)| *of < interval) {
            let fitted = self.model.fit(self.chosen, &self.known, &self.groups())?;
            self.fits += 1;
            self.not_converged += u32::from(!fitted.converged());
            self.fitted = Some((fitted, interval));
        }
        Ok(self.fitted.as_ref().map_or(0.5, |(fitted, _)| fitted.forecast(bout)))
    }

    /// The groups of players who met so far.
    fn groups(&self) -> Vec<Vec<PlayerIndex>> {
        let mut so_far = Chosen { bouts: self.known.clone(), ..self.chosen.without_games() };
        so_far.bouts.iter_mut().for_each(|bout| bout.counts = true);
        so_far.groups()
    }
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
    foretold: &Foretold,
    bouts: &[&Bout],
    judged: &[usize],
    of_baseline: &[f64],
    bins: usize,
) -> Judged {
    let pairs: Vec<(f64, f64)> =
        judged.iter().map(|place| (foretold.chances[*place], bouts[*place].points)).collect();
    let by = |value: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        pairs.iter().map(|(chance, points)| value(*chance, *points)).collect()
    };
    let losses = by(&loss);
    let differences: Vec<f64> = losses.iter().zip(of_baseline).map(|(own, other)| own - other).collect();
    let right = |chance: f64, points: f64| match (chance - 0.5) * (points - 0.5) {
        0.0 => 0.5,
        product => f64::from(product > 0.0),
    };
    let mut sums = vec![(0u64, 0.0, 0.0); bins];
    for (chance, points) in &pairs {
        let bin = ((chance * bins as f64) as usize).min(bins - 1);
        let (games, foretold, had) = &mut sums[bin];
        (*games, *foretold, *had) = (*games + 1, *foretold + chance, *had + points);
    }
    let bin = |(place, (games, foretold, had)): (usize, (u64, f64, f64))| {
        let (width, count) = (1.0 / bins as f64, games as f64);
        let (from, to) = (place as f64 * width, (place + 1) as f64 * width);
        (games > 0).then(|| Bin { from, to, games, foretold: foretold / count, had: had / count })
    };
    let bins: Vec<Bin> = sums.into_iter().enumerate().filter_map(bin).collect();
    let apart: f64 = bins.iter().map(|bin| bin.games as f64 * (bin.foretold - bin.had).abs()).sum();
    Judged {
        system: system.to_string(),
        log_loss: mean(&losses),
        brier: mean(&by(&|chance, points| (chance - points) * (chance - points))),
        accuracy: mean(&by(&right)),
        miscalibration: apart / pairs.len() as f64,
        against_baseline: mean(&differences),
        bins,
        fits: foretold.fits,
        not_converged: foretold.not_converged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Outcome, Player, Pool};
    use crate::selection::Choice;

    /// Anna always beats Bela, one game a day.
    fn chosen(games: u64) -> Chosen {
        let pool = Pool {
            players: ["anna", "bela"].map(Player::named).to_vec(),
            games: (1..=games)
                .map(|n| {
                    let (players, outcome) =
                        if n % 2 == 0 { ([0, 1], Outcome::Gold) } else { ([1, 0], Outcome::Silver) };
                    Game::rated(n, n as i64 * DAY, players[0], players[1], outcome)
                })
                .collect(),
            belongs: Vec::new(),
        };
        Chosen::of(&pool, &Choice::default()).unwrap()
    }

    #[test]
    fn who_learns_foretells_better_than_the_constant_and_never_sees_the_game_itself() {
        let systems: Vec<System> = ["elo k=30", "glicko2 period=7d", "whr", "bradley-terry"]
            .map(|text| text.parse().unwrap())
            .to_vec();
        let compared = compare(&chosen(200), &systems, &Terms::default()).unwrap();
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
        // The first interval of 30 days ends after the 29th day, so the first fit knows nothing of the future.
        assert!(compared.systems[2].fits >= 6, "{}", compared.systems[2].fits);
        let again = compare(&chosen(200), &systems, &Terms::default()).unwrap();
        assert_eq!(compared, again);
    }

    #[test]
    fn games_that_run_at_once_do_not_tell_of_each_other() {
        let pool = Pool {
            players: ["anna", "bela"].map(Player::named).to_vec(),
            games: (1..=9)
                .map(|n| Game { began: Some(0), ..Game::rated(n, 10 * DAY, 0, 1, Outcome::Gold) })
                .collect(),
            belongs: Vec::new(),
        };
        let chosen = Chosen::of(&pool, &Choice::default()).unwrap();
        let compared = compare(&chosen, &["elo".parse().unwrap()], &Terms::default()).unwrap();
        assert!((compared.systems[0].log_loss.mean - std::f64::consts::LN_2).abs() < 1e-12);
        assert_eq!(compared.systems[0].accuracy.mean, 0.5);
    }

    #[test]
    fn the_terms_say_what_is_judged() {
        let chosen = chosen(50);
        let terms = Terms { from: Some(31 * DAY), seen: 40, ..Terms::default() };
        let compared = compare(&chosen, &["elo".parse().unwrap()], &terms).unwrap();
        assert_eq!(compared.judged, 10, "games 41 to 50: forty were over before the first of them");
        for (terms, said) in [
            (Terms { from: Some(51 * DAY), ..Terms::default() }, "before the moment"),
            (Terms { seen: 50, ..Terms::default() }, "both players had 50"),
        ] {
            let error = compare(&chosen, &[], &terms).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    #[test]
    fn a_mean_and_its_error_are_those_of_the_books() {
        let found = mean(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(found.mean, 2.5);
        assert!((found.error.unwrap() - (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
        assert_eq!(mean(&[1.0]).error, None);
    }
}
