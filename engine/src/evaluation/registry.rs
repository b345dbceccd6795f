//! The evaluators by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Annals, Evaluator, Material};

/// No evaluator has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no evaluator `{name}`; there are {}", known.join(", "))]
pub struct UnknownEvaluator {
    pub name: String,
    pub known: Vec<String>,
}

/// Evaluators of one game by name.
pub struct Evaluators<E: ?Sized>(BTreeMap<String, Arc<E>>);

/// The evaluators of Arimaa by name.
pub type Registry = Evaluators<dyn Evaluator>;

impl<E: ?Sized> Clone for Evaluators<E> {
    fn clone(&self) -> Evaluators<E> {
        Evaluators(self.0.clone())
    }
}

impl<E: ?Sized> std::fmt::Debug for Evaluators<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::standard()
    }
}

impl<E: ?Sized> Evaluators<E> {
    #[must_use]
    pub const fn none() -> Evaluators<E> {
        Evaluators(BTreeMap::new())
    }

    /// Adds an evaluator under its name; one with the same name gives way.
    pub(crate) fn put(&mut self, name: String, evaluator: Arc<E>) {
        self.0.insert(name, evaluator);
    }

    /// # Errors
    /// If there is none.
    pub fn get(&self, name: &str) -> Result<Arc<E>, UnknownEvaluator> {
        self.0.get(name).cloned().ok_or_else(|| UnknownEvaluator {
            name: name.to_owned(),
            known: self.0.keys().cloned().collect(),
        })
    }

    /// The evaluators of some names, or all if no name is given.
    ///
    /// # Errors
    /// When there is no evaluator of a name.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<Arc<E>>, UnknownEvaluator> {
        match names {
            [] => Ok(self.iter().cloned().collect()),
            names => names.iter().map(|name| self.get(name)).collect(),
        }
    }

    /// All of them, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<E>> {
        self.0.values()
    }
}

impl Registry {
    /// The default evaluator.
    pub const DEFAULT: &'static str = "annals";

    /// Those of this crate.
    #[must_use]
    pub fn standard() -> Registry {
        let mut registry = Registry::none();
        registry.register(Arc::new(Annals));
        registry.register(Arc::new(Material));
        registry
    }

    /// Adds or replaces an evaluator.
    pub fn register(&mut self, evaluator: Arc<dyn Evaluator>) {
        self.put(evaluator.name().to_owned(), evaluator);
    }
}
