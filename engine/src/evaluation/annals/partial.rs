//! The evaluator without some terms, to measure their value in matches.

use annals_rules::arimaa::{Board, Position, Steps};

use super::fitted::FITTED;
use super::notes::Silent;
use super::view::View;
use super::{Annals, Sink, judge};
use crate::evaluation::Evaluator;
use annals_events::Side;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`annals` has no term `{name}` that could be left out; it has {}", known.join(", "))]
pub struct UnknownTerm {
    pub name: String,
    pub known: Vec<&'static str>,
}

/// [`Annals`] without some terms; not in a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartOfAnnals {
    name: String,
    /// Whether the term of an index counts.
    counts: Vec<bool>,
}

impl PartOfAnnals {
    /// The evaluator `annals-without-…`.
    ///
    /// # Errors
    /// If a term is unknown.
    pub fn without(left_out: &[&str]) -> Result<PartOfAnnals, UnknownTerm> {
        let nowhere = Annals.explain(&Position::new(Board::EMPTY, Side::Gold));
        let known: Vec<&'static str> = nowhere.terms.iter().map(|term| term.name).collect();
        if let Some(name) = left_out.iter().find(|name| !known.contains(name)) {
            return Err(UnknownTerm { name: (*name).to_owned(), known });
        }
        let counts = known.iter().map(|name| !left_out.contains(name)).collect();
        Ok(PartOfAnnals { name: format!("annals-without-{}", left_out.join("-")), counts })
    }
}

impl Evaluator for PartOfAnnals {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        "`annals` with some terms left out, to measure what they are worth"
    }

    fn evaluate(&self, steps: &Steps) -> i32 {
        let mut part = Part { sum: 0, counts: self.counts.iter() };
        judge(&View::both(steps, &FITTED), &mut part);
        match steps.mover() {
            Side::Gold => part.sum,
            Side::Silver => -part.sum,
        }
    }
}

/// Sums the counting terms for Gold.
struct Part<'a> {
    sum: i32,
    counts: std::slice::Iter<'a, bool>,
}

impl Sink for Part<'_> {
    type Notes = Silent;

    #[inline(always)]
    fn term(
        &mut self,
        _: &'static str,
        [gold, silver]: &[View; 2],
        share: impl Fn(&View, &mut Silent) -> i32,
    ) {
        if self.counts.next().is_some_and(|counts| *counts) {
            self.sum += share(gold, &mut Silent) - share(silver, &mut Silent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_that_is_left_out_is_missing_from_the_sum_and_nothing_else_is() {
        let place: Position =
            "g [rrr rrrrhdc mcdh   r  M     e    H  E            DC  CDHRRRRRRRR]".parse().unwrap();
        let steps = Steps::begin(&place);
        let whole = Annals.explain(&place);
        assert!(whole.terms.iter().filter(|term| term.gold != term.silver).count() > 2);
        for term in &whole.terms {
            let part = PartOfAnnals::without(&[term.name]).unwrap();
            assert_eq!(part.evaluate(&steps), whole.worth - (term.gold - term.silver), "{}", term.name);
        }
        assert_eq!(PartOfAnnals::without(&[]).unwrap().evaluate(&steps), whole.worth);
    }

    #[test]
    fn a_term_that_is_not_there_is_told_with_those_that_are() {
        let error = PartOfAnnals::without(&["goal", "luck"]).unwrap_err();
        assert_eq!(error.name, "luck");
        assert!(error.to_string().contains("captures, goal, tempo"), "{error}");
    }
}
