//! Every state that can be reached from a first one, nearest first.

use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a search found.
#[derive(Debug)]
pub struct Found {
    pub states: usize,
    /// Whether no state is left to look at.
    pub is_complete: bool,
    /// A promise that does not hold, and the shortest way there.
    pub broken: Option<String>,
}

/// Looks at up to `most` states. `next` lists the actions of a state with the states they lead to; `broken` names a promise
/// that a state breaks. A state is known again by 64 bits of its hash.
pub fn search<S: Hash, A: Debug>(
    first: S,
    most: usize,
    next: impl Fn(&S) -> Vec<(A, S)>,
    broken: impl Fn(&S) -> Option<&'static str>,
) -> Found {
    let key = |state: &S| {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    };
    // The state that each one was first reached from, and by which of its actions.
    let mut origin: HashMap<u64, (u64, u16)> = HashMap::from([(key(&first), (0, 0))]);
    let way = |origin: &HashMap<u64, (u64, u16)>, first: S, mut at: u64| {
        let mut choices = Vec::new();
        while at != key(&first) {
            let (before, choice) = origin[&at];
            choices.push(choice);
            at = before;
        }
        let mut state = first;
        let mut lines = Vec::new();
        for choice in choices.into_iter().rev() {
            let (action, reached) = next(&state).swap_remove(choice.into());
            lines.push(format!("{action:?}"));
            state = reached;
        }
        lines.join("\n")
    };
    let again = first;
    let mut waiting = VecDeque::new();
    for (choice, (_, state)) in next(&again).into_iter().enumerate() {
        if origin.insert(key(&state), (key(&again), choice as u16)).is_none() {
            waiting.push_back(state);
        }
    }
    while let Some(state) = waiting.pop_front() {
        if let Some(promise) = broken(&state) {
            let broken = format!("{promise}, after:\n{}", way(&origin, again, key(&state)));
            return Found { states: origin.len(), is_complete: false, broken: Some(broken) };
        }
        if origin.len() >= most {
            return Found { states: origin.len(), is_complete: false, broken: None };
        }
        let from = key(&state);
        for (choice, (_, reached)) in next(&state).into_iter().enumerate() {
            origin.entry(key(&reached)).or_insert_with(|| {
                waiting.push_back(reached);
                (from, choice as u16)
            });
        }
    }
    Found { states: origin.len(), is_complete: true, broken: None }
}
