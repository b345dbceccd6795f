//! Every game foretold when it begins, from what was known before: game after game by the systems that learn so, and by models that are
//! fitted again from time to time.

use rayon::prelude::*;

use crate::error::RatingsError;
use crate::knowledge::{Knowledge, Stage};
use crate::online_fold::fold_of;
use crate::selection::{Chosen, RatedGame};
use crate::system::System;
use crate::whr::Model;

/// The places of the games of which it is known when they began, in that order.
pub(crate) fn beginnings(games: &[&RatedGame]) -> Vec<usize> {
    let mut begins: Vec<usize> = (0..games.len()).filter(|place| games[*place].known.is_some()).collect();
    begins.sort_by_key(|place| (games[*place].began, *place));
    begins
}

/// The chance of Gold that a system foretold in each game.
pub(crate) struct Predictions {
    /// In the order of the games; 1/2 where it is not known when one began.
    pub(crate) chances: Vec<f64>,
    /// How often it was fitted, where it is fitted.
    pub(crate) fits: u32,
    /// Fits that were stopped before they had converged.
    pub(crate) not_converged: u32,
}

/// The games that are foretold, with what was known when.
pub(crate) struct Course<'c> {
    /// The players.
    pub(crate) chosen: &'c Chosen,
    /// The games that count.
    pub(crate) games: &'c [&'c RatedGame],
    /// What was known when.
    pub(crate) knowledge: Knowledge<'c>,
}

impl Course<'_> {
    /// Foretells every game. `refit` is how often a model is fitted again, in microseconds of the games' time.
    pub(crate) fn predict(&self, system: &System, refit: i64) -> Result<Predictions, RatingsError> {
        match Model::of(system) {
            Some(model) => self.fit(&model, refit.max(1)),
            None => self.fold(system),
        }
    }

    /// By a system that takes game after game. Where a ruling or a merge changes what it has learnt, it learns anew.
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

    /// By a model that is fitted again from time to time. No fit needs another, so those of a stage are made side by side.
    fn fit(&self, model: &Model, every: i64) -> Result<Predictions, RatingsError> {
        let mut predicted = Predictions { chances: vec![0.5; self.games.len()], fits: 0, not_converged: 0 };
        let (mut number, mut stage) = (0, self.knowledge.stage(0)?);
        // The fits of the stage, the last one still without all its games.
        let mut fits: Vec<Refit> = Vec::new();
        for place in beginnings(self.games) {
            let game = self.games[place];
            let interval = game.began.div_euclid(every);
            if fits.last().is_none_or(|last| last.interval < interval) {
                let now = self.knowledge.number_before(game.began);
                let newer = (now != number).then(|| self.knowledge.stage(now)).transpose()?;
                let known = !newer.as_ref().unwrap_or(&stage).over_before(game.began).is_empty();
                // Where a ruling leaves no game to fit, the last fit stays.
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

    /// Makes the fits of a stage, and foretells their games.
    fn make(
        &self,
        model: &Model,
        stage: &Stage,
        fits: &[Refit],
        predicted: &mut Predictions,
    ) -> Result<(), RatingsError> {
        let make = |fit: &Refit| {
            // A model takes games in the order of time, and not in that in which they became known.
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

/// A fit of a model, and the games that it foretells.
struct Refit {
    /// The interval of time in which it is the model.
    interval: i64,
    /// When the first game of the interval began: what was known before is fitted.
    before: i64,
    /// The places of the games.
    places: Vec<usize>,
}
