//! The evaluator `annals`: a sum of named terms, each with both sides' shares and reasons. A term is one function of
//! one side's view, called for both, so that exchanged colours with a turned board and mirror images have equal values.

mod captures;
mod fitted;
mod freedom;
mod goal;
mod holding;
mod notes;
mod parameters;
mod partial;
mod placement;
mod traps;
mod view;
mod weights;
mod worth;

use annals_events::Side;
use annals_rules::arimaa::{Position, Steps};

pub use self::parameters::Parameters;
pub use self::partial::{PartOfAnnals, UnknownTerm};

use self::fitted::FITTED;
use self::notes::{Kept, Notes, Silent};
use self::view::View;
use super::{Evaluator, Explanation, Term};

/// Material, placement, traps, freedom, goals, hostages and prey.
#[derive(Debug, Clone, Copy, Default)]
pub struct Annals;

impl Evaluator for Annals {
    fn name(&self) -> &str {
        "annals"
    }

    fn about(&self) -> &str {
        "material by what is left, placement, traps, frozen and held pieces, threats of goal and capture"
    }

    fn evaluate(&self, steps: &Steps) -> i32 {
        evaluate(steps, &FITTED)
    }

    fn explain(&self, position: &Position) -> Explanation {
        explain(&Steps::begin(position), &FITTED)
    }
}

/// Those of [`Annals`].
impl Default for Parameters {
    fn default() -> Parameters {
        FITTED.clone()
    }
}

/// [`Annals`] with other parameters; not in the standard registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnalsWith(pub Parameters);

impl Evaluator for AnnalsWith {
    fn name(&self) -> &str {
        Annals.name()
    }

    fn about(&self) -> &str {
        Annals.about()
    }

    fn evaluate(&self, steps: &Steps) -> i32 {
        evaluate(steps, &self.0)
    }

    fn explain(&self, position: &Position) -> Explanation {
        self.explain_steps(&Steps::begin(position))
    }
}

impl AnnalsWith {
    /// In the middle of a turn, with parts.
    #[must_use]
    pub fn explain_steps(&self, steps: &Steps) -> Explanation {
        explain(steps, &self.0)
    }
}

fn explain(steps: &Steps, parameters: &Parameters) -> Explanation {
    let mut parts = Parts(Vec::new());
    judge(&View::both(steps, parameters), &mut parts);
    Explanation { evaluator: Annals.name().to_owned(), worth: evaluate(steps, parameters), terms: parts.0 }
}

/// For the side to move.
#[inline(always)]
fn evaluate(steps: &Steps, parameters: &Parameters) -> i32 {
    let mut sum = Sum(0);
    judge(&View::both(steps, parameters), &mut sum);
    match steps.mover() {
        Side::Gold => sum.0,
        Side::Silver => -sum.0,
    }
}

/// In the order of explanation.
#[inline(always)]
fn judge<S: Sink>(views: &[View; 2], sink: &mut S) {
    sink.term("material", views, worth::share::<S::Notes>);
    sink.term("placement", views, placement::share::<S::Notes>);
    sink.term("advance", views, placement::advance::<S::Notes>);
    sink.term("traps", views, traps::share::<S::Notes>);
    sink.term("frozen", views, freedom::frozen::<S::Notes>);
    sink.term("dominated", views, freedom::dominated::<S::Notes>);
    sink.term("mobility", views, freedom::mobility::<S::Notes>);
    sink.term("blockade", views, freedom::blockade::<S::Notes>);
    sink.term("hostages", views, holding::hostages::<S::Notes>);
    sink.term("frames", views, holding::frames::<S::Notes>);
    sink.term("captures", views, captures::share::<S::Notes>);
    sink.term("goal", views, goal::share::<S::Notes>);
    sink.term("tempo", views, tempo::<S::Notes>);
}

fn tempo<N: Notes>(view: &View, notes: &mut N) -> i32 {
    if view.left > 0 {
        notes.note(|| format!("{} is to move with {} steps", view.side, view.left));
    }
    view.parameters.tempo[usize::from(view.left).min(4)]
}

/// Receives terms.
trait Sink {
    type Notes: Notes;

    /// One term for both sides.
    fn term(&mut self, name: &'static str, views: &[View; 2], share: impl Fn(&View, &mut Self::Notes) -> i32);
}

/// Sums the terms for Gold.
struct Sum(i32);

impl Sink for Sum {
    type Notes = Silent;

    #[inline(always)]
    fn term(
        &mut self,
        _: &'static str,
        [gold, silver]: &[View; 2],
        share: impl Fn(&View, &mut Silent) -> i32,
    ) {
        self.0 += share(gold, &mut Silent) - share(silver, &mut Silent);
    }
}

/// Collects terms with reasons.
struct Parts(Vec<Term>);

impl Sink for Parts {
    type Notes = Kept;

    fn term(
        &mut self,
        name: &'static str,
        [gold, silver]: &[View; 2],
        share: impl Fn(&View, &mut Kept) -> i32,
    ) {
        let mut kept = Kept::default();
        let (gold, silver) = (share(gold, &mut kept), share(silver, &mut kept));
        self.0.push(Term { name, gold, silver, because: kept.0 });
    }
}
