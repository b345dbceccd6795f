//! Every game foretold when it begins, from what was known before: game after game by the systems that learn so, and by models that are
//! fitted again from time to time.

use crate::error::RatingsError;
use crate::game::PlayerIndex;
use crate::knowledge::{Knowledge, Stage, seen_by};
use crate::online::fold_of;
use crate::selection::{Bout, Chosen};
use crate::system::System;
use crate::whr::{Fitted, Model};

/// The places of the games of which it is known when they began, in that order.
pub(crate) fn beginnings(bouts: &[&Bout]) -> Vec<usize> {
    let mut begins: Vec<usize> = (0..bouts.len()).filter(|place| bouts[*place].known.is_some()).collect();
    begins.sort_by_key(|place| (bouts[*place].began, *place));
    begins
}

/// The chance of Gold that a system foretold in each game.
pub(crate) struct Foretold {
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
    pub(crate) bouts: &'c [&'c Bout],
    /// What was known when.
    pub(crate) knowledge: Knowledge<'c>,
}

impl Course<'_> {
    /// Foretells every game. `refit` is how often a model is fitted again, in microseconds of the games' time.
    pub(crate) fn foretell(&self, system: &System, refit: i64) -> Result<Foretold, RatingsError> {
        match Model::of(system) {
            Some(model) => self.fit(model, refit.max(1)),
            None => self.fold(system),
        }
    }

    /// By a system that takes game after game. Where a ruling or a merge changes what it has learnt, it learns anew.
    fn fold(&self, system: &System) -> Result<Foretold, RatingsError> {
        let begin = || {
            let unknown = || RatingsError::UnknownSystem { found: system.to_string() };
            fold_of(system, &self.chosen.players).ok_or_else(unknown)
        };
        let mut chances = vec![0.5; self.bouts.len()];
        let (mut number, mut stage, mut fold) = (0, self.knowledge.stage(0)?, begin()?);
        let mut learnt = 0;
        for place in beginnings(self.bouts) {
            let bout = self.bouts[place];
            let now = self.knowledge.number_before(bout.began);
            if now != number {
                (number, stage, fold, learnt) = (now, self.knowledge.stage(now)?, begin()?, 0);
            }
            let over = stage.over_before(bout.began);
            over[learnt..].iter().for_each(|bout| fold.learn(bout));
            learnt = over.len();
            chances[place] = fold.forecast(&stage.seen(bout));
        }
        Ok(Foretold { chances, fits: 0, not_converged: 0 })
    }

    /// By a model that is fitted again from time to time.
    fn fit(&self, model: Model, every: i64) -> Result<Foretold, RatingsError> {
        let mut chances = vec![0.5; self.bouts.len()];
        let mut refitted = Refitted::new(model, self, every)?;
        for place in beginnings(self.bouts) {
            chances[place] = refitted.forecast(self.bouts[place])?;
        }
        Ok(Foretold { chances, fits: refitted.fits, not_converged: refitted.not_converged })
    }
}

/// A model that is fitted again from time to time.
struct Refitted<'c> {
    model: Model,
    course: &'c Course<'c>,
    every: i64,
    stage: (usize, Stage),
    fitted: Option<LastFit>,
    fits: u32,
    not_converged: u32,
}

/// The last fit.
struct LastFit {
    of_interval: i64,
    fitted: Fitted,
    /// Who was who when it was made.
    persons: Vec<PlayerIndex>,
}

impl<'c> Refitted<'c> {
    fn new(model: Model, course: &'c Course<'c>, every: i64) -> Result<Refitted<'c>, RatingsError> {
        let stage = (0, course.knowledge.stage(0)?);
        Ok(Refitted { model, course, every, stage, fitted: None, fits: 0, not_converged: 0 })
    }

    fn forecast(&mut self, bout: &Bout) -> Result<f64, RatingsError> {
        let of_interval = bout.began.div_euclid(self.every);
        if self.fitted.as_ref().is_none_or(|last| last.of_interval < of_interval) {
            self.fit_again(bout.began, of_interval)?;
        }
        Ok(match &self.fitted {
            Some(last) => last.fitted.forecast(&seen_by(&last.persons, bout)),
            None => {
                let Bout { gold, silver, .. } = self.stage.1.seen(bout);
                let players = &self.course.chosen.players;
                self.model.forecast_unseen(&players[gold], &players[silver])
            }
        })
    }

    /// Fits what is known before a moment, where any game is.
    fn fit_again(&mut self, before: i64, of_interval: i64) -> Result<(), RatingsError> {
        let number = self.course.knowledge.number_before(before);
        if self.stage.0 != number {
            self.stage = (number, self.course.knowledge.stage(number)?);
        }
        let mut known = self.stage.1.over_before(before).to_vec();
        if known.is_empty() {
            return Ok(());
        }
        // A model takes games in the order of time, and not in that in which they became known.
        known.sort_by_key(|bout| (bout.at, bout.id));
        let so_far = Chosen { bouts: known, ..self.course.chosen.without_games() };
        let fitted = self.model.fit(&so_far, &so_far.bouts, &so_far.groups())?;
        self.fits += 1;
        self.not_converged += u32::from(!fitted.converged());
        let persons = self.stage.1.persons().to_vec();
        self.fitted = Some(LastFit { of_interval, fitted, persons });
        Ok(())
    }
}
