//! Predicts every game when it begins, with incremental and with refitted systems.

use rayon::prelude::*;

use crate::error::RatingsError;
use crate::knowledge::{Knowledge, Stage};
use crate::online_fold::fold_of;
use crate::selection::{Chosen, RatedGame};
use crate::system::System;
use crate::whr::Model;

/// Indices of games with known beginnings, in that order.
pub(crate) fn beginnings(games: &[&RatedGame]) -> Vec<usize> {
    let mut begins: Vec<usize> = (0..games.len()).filter(|place| games[*place].known.is_some()).collect();
    begins.sort_by_key(|place| (games[*place].began, *place));
    begins
}

/// Predicted chances of Gold.
pub(crate) struct Predictions {
    /// By game; 1/2 for an unknown beginning.
    pub(crate) chances: Vec<f64>,
    /// Of a fitted system.
    pub(crate) fits: u32,
    /// Fits stopped before convergence.
    pub(crate) not_converged: u32,
}

/// The games to predict.
pub(crate) struct Course<'c> {
    pub(crate) chosen: &'c Chosen,
    /// Counting games.
    pub(crate) games: &'c [&'c RatedGame],
    pub(crate) knowledge: Knowledge<'c>,
}

impl Course<'_> {
    /// `refit` is the interval of fits, in microseconds of game time.
    pub(crate) fn predict(&self, system: &System, refit: i64) -> Result<Predictions, RatingsError> {
        match Model::of(system) {
            Some(model) => self.fit(&model, refit.max(1)),
            None => self.fold(system),
        }
    }

    /// By an incremental system. A ruling or merge that changes what was learned restarts it.
    fn fold(&self, system: &System) -> Result<Predictions, RatingsError> {
        let begin = || {
            let unknown = || RatingsError::UnknownSystem { found: system.to_string() };
            fold_of(system, &self.chosen.players).ok_or_else(unknown)
        };
        let mut chances = vec![0.5; self.games.len()];
        let (mut number, mut stage, mut fold) = (0, self.knowledge.stage(0)?, begin()?);
        let mut learnt = 0;
        for place in beginnings(self.games) {
            let game = self.games[place];
            let now = self.knowledge.number_before(game.began);
            if now != number {
                (number, stage, fold, learnt) = (now, self.knowledge.stage(now)?, begin()?, 0);
            }
            let over = stage.over_before(game.began);
            over[learnt..].iter().for_each(|game| fold.learn(game));
            learnt = over.len();
            let [gold, silver] = stage.seen(game);
            chances[place] = fold.forecast(&RatedGame { gold, silver, ..game.clone() });
        }
        Ok(Predictions { chances, fits: 0, not_converged: 0 })
    }

    /// By a refitted model. Fits are independent, so those of a stage run in parallel.
    fn fit(&self, model: &Model, every: i64) -> Result<Predictions, RatingsError> {
        let mut predicted = Predictions { chances: vec![0.5; self.games.len()], fits: 0, not_converged: 0 };
        let (mut number, mut stage) = (0, self.knowledge.stage(0)?);
        // The fits of the stage, the last one still incomplete.
        let mut fits: Vec<Refit> = Vec::new();
        for place in beginnings(self.games) {
            let game = self.games[place];
            let interval = game.began.div_euclid(every);
            if fits.last().is_none_or(|last| last.interval < interval) {
                let now = self.knowledge.number_before(game.began);
                let newer = (now != number).then(|| self.knowledge.stage(now)).transpose()?;
                let known = !newer.as_ref().unwrap_or(&stage).over_before(game.began).is_empty();
                // If a ruling leaves no game to fit, the last fit remains.
                if let Some(newer) = newer.filter(|_| known || fits.is_empty()) {
                    self.make(model, &stage, &std::mem::take(&mut fits), &mut predicted)?;
                    (number, stage) = (now, newer);
                }
                if known {
                    fits.push(Refit { interval, before: game.began, places: Vec::new() });
                }
            }
            match fits.last_mut() {
                Some(fit) => fit.places.push(place),
                None => {
                    let [gold, silver] = stage.seen(game).map(|person| &self.chosen.players[person]);
                    predicted.chances[place] = model.forecast_unseen(gold, silver);
                }
            }
        }
        self.make(model, &stage, &fits, &mut predicted)?;
        Ok(predicted)
    }

    /// Fits a stage's models, and predicts their games.
    fn make(
        &self,
        model: &Model,
        stage: &Stage,
        fits: &[Refit],
        predicted: &mut Predictions,
    ) -> Result<(), RatingsError> {
        let make = |fit: &Refit| {
            // A model needs games by time, not by when they became known.
            let mut known: Vec<&RatedGame> = stage.over_before(fit.before).iter().collect();
            known.sort_by_key(|game| (game.at, game.id));
            let games = || fit.places.iter().map(|place| self.games[*place]);
            let mut plays = vec![false; self.chosen.players.len()];
            games().flat_map(|game| stage.seen(game)).for_each(|person| plays[person] = true);
            let fitted = model.fit(&self.chosen.players, &known, &|player| plays[player])?;
            let chances = games().map(|game| fitted.forecast(stage.seen(game), game.began));
            Ok((fitted.converged(), chances.collect::<Vec<f64>>()))
        };
        let made: Vec<Result<_, RatingsError>> = fits.par_iter().map(make).collect();
        for (fit, made) in fits.iter().zip(made) {
            let (converged, chances) = made?;
            predicted.fits += 1;
            predicted.not_converged += u32::from(!converged);
            fit.places.iter().zip(chances).for_each(|(place, chance)| predicted.chances[*place] = chance);
        }
        Ok(())
    }
}

/// A fit with the games that it predicts.
struct Refit {
    /// The interval of its use.
    interval: i64,
    /// The beginning of the interval's first game: what was known before is fitted.
    before: i64,
    /// Of the games.
    places: Vec<usize>,
}
